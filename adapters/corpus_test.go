package adapters

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/compaction"
	"contextscope/core/composition"
)

// corpus is where real journals lie beside the project, when they do. Tests that use it hold trivially without it.
const corpus = "../../shared/corpus"

// expected is what another program computed from the same rules.
type expected struct {
	Harness     string        `json:"harness"`
	Requests    int           `json:"requests"`
	Peak        int64         `json:"peak_prompt"`
	Last        int64         `json:"last_prompt"`
	Repeats     int64         `json:"duplicate_uuids"`
	Compactions []expectedCut `json:"compactions"`
}

type expectedCut struct {
	Trigger   string `json:"trigger"`
	Pre       *int64 `json:"preTokens"`
	PBefore   *int64 `json:"last_prompt_before"` // Claude
	Before    *int64 `json:"before"`             // Codex
	Estimated *int64 `json:"estimated_after"`
	After     *int64 `json:"first_prompt_after"`
}

// ours says where our figures differ from the other program's, and the rule that makes ours right.
var ours = map[string]struct {
	rule  string
	apply func(*expected)
}{
	"claude/agtrace-claude_agent.jsonl": {"a sidechain is a session of its own; the other program skips its lines",
		func(e *expected) { e.Requests, e.Peak, e.Last = 1, 487, 487 }},
	"claude/ccl-edge_cases.jsonl": {"two sessions stand in the file; each has its own last prompt, here that of the main session that began last",
		func(e *expected) { e.Last = 85 }},
	"claude/ccusage-project-alpha.jsonl": {"a line without a type whose message has the role assistant and usage is a response",
		func(e *expected) { e.Requests, e.Peak, e.Last = 3, 340, 340 }},
	"claude/ccusage-project-beta.jsonl": {"as in project-alpha",
		func(e *expected) { e.Requests, e.Peak, e.Last = 2, 115, 115 }},
	"claude/contextspectre-compaction.jsonl": {"without a message id and a request id each line stands on its own; the other program takes all for one. The peak 165,300 then drops to 55,600 without a record",
		func(e *expected) { e.Requests, e.Peak = 6, 165300 }},
	"claude/contextspectre-orphan_cascade.jsonl": {"as in contextspectre-compaction",
		func(e *expected) { e.Requests = 6 }},
	"claude/contextspectre-tangent_session.jsonl": {"as in contextspectre-compaction",
		func(e *expected) { e.Requests = 4 }},
	"claude/entire-37_995ebed6e4_2.jsonl": {"two whole objects are glued on line 128, the first of them a response: both are read",
		func(e *expected) { e.Requests++ }},
	"claude/entire-ee_cf21d297fe_0.jsonl": {"two whole objects are glued on line 300, the first of them a response: both are read",
		func(e *expected) { e.Requests++ }},
	"muse/synthetic-compactions/session.jsonl": {"a trigger is auto or manual; before and after stand for the harness's own figures there, beside the reported ones",
		func(e *expected) {
			told, left, before, after := int64(91110), int64(24957), int64(81000), int64(25400)
			e.Compactions = []expectedCut{{Trigger: "auto", Pre: &told, Estimated: &left, Before: &before, After: &after}}
		}},
	"codex/agent-sessions-small.jsonl": {"a prompt of zero is no data, so the last one is that before; and a size from beyond another compaction says nothing",
		func(e *expected) {
			e.Last = 16341
			for i := range e.Compactions {
				e.Compactions[i].After = nil
				if i > 0 {
					e.Compactions[i].Before = nil
				}
			}
		}},
}

// corpusFiles are the journals of the harnesses that can be opened.
func corpusFiles(t testing.TB) map[string]expected {
	raw, err := os.ReadFile(filepath.Join(corpus, "EXPECTED.json"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]expected{}
	var loose map[string]json.RawMessage
	if err := json.Unmarshal(raw, &loose); err != nil {
		t.Fatal(err)
	}
	for name, v := range loose {
		if !strings.HasPrefix(name, "claude/") && !strings.HasPrefix(name, "codex/") && !strings.HasPrefix(name, "pi/") && !strings.HasPrefix(name, "muse/") {
			continue
		}
		var e expected
		if err := json.Unmarshal(v, &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = e
	}
	// The reference leaves out journals without a figure to compare; they must be read all the same.
	for _, h := range []string{"claude", "codex", "pi", "muse"} {
		filepath.Walk(filepath.Join(corpus, h), func(p string, fi os.FileInfo, err error) error {
			if err == nil && strings.HasSuffix(p, ".jsonl") {
				name, _ := filepath.Rel(corpus, p)
				if _, ok := all[name]; !ok {
					t.Errorf("%s has no reference figures", name)
				}
			}
			return nil
		})
	}
	return all
}

func openBytes(t testing.TB, name string, b []byte, blockSize int) (*Library, *analysis.Analysis) {
	t.Helper()
	l := NewLibrary()
	l.BlockSize = blockSize
	var r io.Reader = bytes.NewReader(b)
	if blockSize == 1 {
		l.BlockSize, r = 64, oneByte{r}
	}
	if err := l.Read(Input{Name: name, Size: int64(len(b))}, r); err != nil {
		t.Fatal(err)
	}
	return l, l.Settle()
}

// oneByte gives one byte at a time.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(1, len(p))]) }

// TestCorpusFigures compares with the figures that the other program computed.
func TestCorpusFigures(t *testing.T) {
	for name, e := range corpusFiles(t) {
		if o, ok := ours[name]; ok {
			o.apply(&e)
		}
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		l, a := openBytes(t, filepath.Base(name), b, 0)
		requests, peak, last := 0, int64(0), int64(0)
		var cuts []expectedCut
		for i, s := range a.Sessions {
			if s.Parent != "" {
				continue
			}
			requests += len(s.Requests)
			for _, q := range s.Requests {
				if q.Input > 0 {
					peak, last = max(peak, q.Input), q.Input
				}
			}
			for _, c := range a.Series(i, analysis.Options{}).Boundaries {
				if c.Kind == compaction.Compaction && c.Evidence[0] == compaction.BoundaryRecord {
					cuts = append(cuts, expectedCut{Trigger: c.Trigger, Pre: known(c.HarnessTold), Before: known(c.Before), Estimated: known(c.HarnessAfter), After: known(c.After)})
				}
			}
		}
		if requests != e.Requests || peak != e.Peak || last != e.Last {
			t.Errorf("%s: %d requests, peak %d, last %d; want %d, %d, %d", name, requests, peak, last, e.Requests, e.Peak, e.Last)
		}
		if e.Harness == "claude" && a.Duplicate[0] != e.Repeats {
			t.Errorf("%s: %d duplicates, want %d", name, a.Duplicate[0], e.Repeats)
		}
		if e.Harness != "pi" { // whose totals before a compaction are compared with the rest of its tree
			compareCuts(t, name, cuts, e.Compactions)
		}
		if l.inputs[0].Refused {
			t.Errorf("%s was refused", name)
		}
	}
}

func known(n int64) *int64 {
	if n == analysis.Unknown {
		return nil
	}
	return &n
}

func compareCuts(t *testing.T, name string, got, want []expectedCut) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d compactions, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		g := got[i]
		if w.Before == nil {
			w.Before = w.PBefore
		}
		if g.Trigger != w.Trigger || !same(g.Pre, w.Pre) || !same(g.Before, w.Before) || !same(g.After, w.After) || !same(g.Estimated, w.Estimated) {
			a, _ := json.Marshal(g)
			b, _ := json.Marshal(w)
			t.Errorf("%s: compaction %d is %s, want %s", name, i+1, a, b)
		}
	}
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

// inputs are journals to try the rules on that hold for all: those of the corpus, and the committed samples.
func journals(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	for name := range corpusFiles(t) {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	samples, err := filepath.Glob("*/testdata/*.jsonl")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no committed samples: %v", err)
	}
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	return out
}

// documents are journals that are one JSON document: there a line means nothing.
func documents(t testing.TB) map[string][]byte {
	out := map[string][]byte{}
	files, _ := filepath.Glob("muse/testdata/*.json")
	if len(files) == 0 {
		t.Fatal("no committed documents")
	}
	more, _ := filepath.Glob(filepath.Join(corpus, "muse", "*.json"))
	for _, name := range append(files, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	return out
}

// everything is journals of lines and documents.
func everything(t testing.TB) map[string][]byte {
	out := journals(t)
	for name, b := range documents(t) {
		out[name] = b
	}
	return out
}

// figures is what must not depend on how a journal was handed over: the sessions without the counters of the input.
func figures(a *analysis.Analysis) string {
	doc := string(a.AppendJSON(nil, analysis.Options{}))
	return doc[strings.Index(doc, `"sessions":`):]
}

// TestANameMeansNothing: a renamed journal is recognised and gives the same figures.
func TestANameMeansNothing(t *testing.T) {
	for name, b := range everything(t) {
		_, a := openBytes(t, filepath.Base(name), b, 0)
		_, renamed := openBytes(t, "notes (3).txt", b, 0)
		if want, got := strings.ReplaceAll(figures(a), `"`+filepath.Base(name)+`"`, `"notes (3).txt"`), figures(renamed); got != want {
			t.Errorf("%s gives other figures under another name", name)
		}
	}
}

// TestBlocksMeanNothing: the size of the blocks in which a journal is read changes nothing.
func TestBlocksMeanNothing(t *testing.T) {
	for name, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		want := a.AppendJSON(nil, analysis.Options{})
		sizes := []int{1, 100, 4096, 65536}
		if len(b) > 1<<20 {
			sizes = []int{4096 + 13, 65536}
		}
		for _, size := range sizes {
			if _, again := openBytes(t, "a", b, size); !bytes.Equal(again.AppendJSON(nil, analysis.Options{}), want) {
				t.Errorf("%s gives another document in blocks of %d bytes", name, size)
			}
		}
	}
}

// TestTwiceIsOnce: a journal behind itself gives the same figures; what came again is counted.
func TestTwiceIsOnce(t *testing.T) {
	for name, b := range everything(t) {
		double := append(bytes.Clone(b), '\n')
		double = append(double, b...)
		_, a := openBytes(t, "a", b, 0)
		_, twice := openBytes(t, "a", double, 0)
		if figures(twice) != figures(a) {
			t.Errorf("%s gives other figures when it is doubled", name)
		}
		if twice.Duplicate[0] <= a.Duplicate[0] {
			t.Errorf("%s doubled counts %d duplicates, alone %d", name, twice.Duplicate[0], a.Duplicate[0])
		}
	}
}

// TestSumsAgree: the categories add up to the estimate, and the changes to the difference between neighbours.
func TestSumsAgree(t *testing.T) {
	checked := 0
	for name, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		for _, s := range a.Sessions {
			for i := range s.Snapshots {
				n := &s.Snapshots[i]
				if i == 0 || n.Baseline || n.Omitted > 0 || s.Snapshots[i-1].Basis != n.Basis || n.ItemStage != composition.NoStage {
					continue
				}
				delta := int64(0)
				for k := n.First; k < n.First+n.N; k++ {
					delta += int64(s.Changes.At(int(k)).Delta)
				}
				if got := max(0, n.Sum()) - max(0, s.Snapshots[i-1].Sum()); got != delta {
					t.Errorf("%s: sample %d grew by %d, its changes by %d", name, i, got, delta)
				}
				checked++
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d pairs of snapshots were checked", checked)
	}
	for name, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		var doc struct {
			Sessions []struct {
				Snapshots []struct {
					Categories map[string]int64 `json:"categories"`
					Estimated  *int64           `json:"estimated_tokens"`
				} `json:"snapshots"`
			} `json:"sessions"`
		}
		if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{Pretty: true}), &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, s := range doc.Sessions {
			for i, n := range s.Snapshots {
				sum := int64(0)
				for _, v := range n.Categories {
					sum += v
				}
				if (n.Estimated == nil) != (len(n.Categories) == 0) || n.Estimated != nil && *n.Estimated != sum {
					t.Errorf("%s: snapshot %d: categories sum up to %d, estimated %v", name, i, sum, n.Estimated)
				}
			}
		}
	}
}

// TestForeignFilesAreRefusedByName: the journals of other harnesses are named, not misread.
func TestForeignFilesAreRefusedByName(t *testing.T) {
	want := map[string]string{"copilot": "Copilot", "gemini": "Gemini", "kimi": "Kimi"}
	files, _ := filepath.Glob(filepath.Join(corpus, "not-ours", "*"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		l, a := openBytes(t, "session.jsonl", b, 0)
		in := l.inputs[0]
		if !in.Refused || len(a.Sessions) > 0 || len(in.Warnings.All()) != 1 {
			t.Errorf("%s was not refused: %q", f, in.Reason)
			continue
		}
		for word, name := range want {
			if strings.Contains(f, word) && !strings.Contains(in.Warnings.All()[0].Message, name) {
				t.Errorf("%s: %q does not name %s", f, in.Warnings.All()[0].Message, name)
			}
		}
	}
}
