package agentprof_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"contextscope/adapters"
	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	. "contextscope/core/perfetto/byhand"
)

// sample is the committed trace: Claude Code with a subagent, then a recording of totals, then the three requests.
func sample() []byte {
	const main, worker, counts, three = 0x1000000, 0x2000000, 0x3000000, 0
	r := Realtime
	turn := func(base, at, in uint64, more ...any) []byte {
		return Join(r.Begin(ms(at), base+responses, "claude.activity", "response", append([]any{Text("kind", "assistant-message"), Text("model", "claude-opus-4-6"), Uint("context_window_tokens", 200000)}, more...)...),
			r.End(ms(at+90), base+responses, Uint("input_tokens", 5), Uint("cache_read_tokens", in-7), Uint("cache_write_tokens", 2), Uint("context_tokens", in), Uint("output_tokens", 31)))
	}
	return Join(
		Clocks(77, 1, 1, ms(0), 6, 5_000_000_000),
		tracks(main),
		r.Begin(ms(0), main+session, "claude.metadata", "profile (1)", Text("kind", "capture"), Uint("schema_version", 1), Text("harness", "claude-code"), Text("harness_version", "2.1.289"),
			Text("session_id", "7d0c1a52-demo"), Text("capture_id", fmt.Sprintf("%x", main+root)), Text("model", "claude-opus-4-6"), Bool("capture_contents", true), Uint("context_window_tokens", 200000),
			context("capture-start", true, Dict("categories", Uint("system", 3200), Uint("tools", 11800), Uint("messages", 40)), Text("basis", "native-summary"), Uint("estimated_tokens", 15040),
				Uint("window_tokens", 200000), Uint("compact_threshold_tokens", 167000), Text("model", "claude-opus-4-6"),
				List("changes", change("baseline", "message:0", "prompts", 40, 40, Uint("chars", 160), Text("source_kind", "prompt"))), Uint("sample_offset_ns", 0))),
		r.Begin(ms(5), main+session, "claude.activity", "prompt", Text("kind", "prompt"), Uint("length", 41), Text("text", "## Task\nMake the limiter survive a restart. Thanks!"),
			context("transcript-observed", false, Dict("categories", Uint("system", 3200), Uint("tools", 11800), Uint("messages", 9040)), Text("basis", "native-summary"), Uint("estimated_tokens", 24040),
				Uint("window_tokens", 200000), Uint("compact_threshold_tokens", 167000), Text("model", "claude-opus-4-6"),
				List("changes", change("added", "result:c1", "results", 8990, 8990, Uint("chars", 35960), Text("source_id", "c1"), Text("source_kind", "tool"), Text("label", "Bash")),
					change("added", "response:p:0", "assistant", 10, 10, Uint("chars", 38), Text("source_kind", "response"))), Uint("sample_offset_ns", 500_000_000))),
		turn(main, 10, 15100),
		r.Begin(ms(110), main+tools, "claude.activity", "Bash", Text("kind", "tool-execution"), Text("call_id", "c1"), Dict("args", Text("command", "go test ./...\necho done"))), r.End(ms(130), main+tools, Bool("is_error", true)),
		r.Begin(ms(140), main+tools, "claude.activity", "Agent", Text("kind", "tool-execution"), Text("call_id", "c2"), Bool("delegation", true), Text("child_session", "7d0c1a52-demo/w1"), Flow(0xf10)),
		tracks(worker),
		r.Begin(ms(145), worker+session, "claude.metadata", "profile (1)", Text("kind", "capture"), Uint("schema_version", 1), Text("harness", "claude-code"), Text("session_id", "7d0c1a52-demo/w1"),
			Text("capture_id", fmt.Sprintf("%x", worker+root)), Text("parent_session", "7d0c1a52-demo"), Text("child_role", "auditor")),
		r.Instant(ms(145), worker+inputs, "claude.activity", "prompt-input", Text("source", "agent"), Flow(0xf10)),
		turn(worker, 150, 9000), r.Sample(ms(150), worker+size, 9000), r.Sample(ms(300), worker+size, 0),
		r.End(ms(300), worker+session), r.End(ms(310), main+tools, Bool("is_error", false)),
		turn(main, 320, 24300), r.End(ms(505), main+session),
		r.Begin(ms(520), main+compact, "claude.activity", "compact", Text("kind", "compaction"), Text("trigger", "auto"), Uint("pre_tokens", 24500), Uint("post_tokens", 15900), Bool("success", true),
			context("post-compaction", true, Dict("categories", Uint("system", 3200), Uint("tools", 11800), Uint("messages", 900)), Text("basis", "native-summary"), Uint("estimated_tokens", 15900),
				Uint("window_tokens", 200000), Uint("compact_threshold_tokens", 167000), Text("model", "claude-opus-4-6"), List("changes", change("baseline", "message:0", "prompts", 900, 900)), Uint("sample_offset_ns", 60_000_000))),
		r.End(ms(580), main+compact),
		turn(main, 600, 16000), r.Sample(ms(10), main+size, 15100), r.Sample(ms(900), main+size, 0), r.End(ms(900), main+session),
		tracks(counts), r.Begin(ms(1000), counts+session, "codex.metadata", "profile (1)", Text("kind", "capture"), Text("harness", "codex"), Text("session_id", "old-codex"),
			Text("capture_id", fmt.Sprintf("%x", counts+root)), Uint("context_window_tokens", 258400)),
		r.Sample(ms(1000), counts+size, 0), r.Sample(ms(1010), counts+size, 1000), r.Sample(ms(1020), counts+size, 40000), r.Sample(ms(1030), counts+size, 0), r.End(ms(1030), counts+session),
		vector(),
	)
}

const committed = "testdata/1-traces.pftrace"

// TestTheCommittedTraceIsTheOneMadeByHand keeps the file and its recipe together; UPDATE=1 writes it.
func TestTheCommittedTraceIsTheOneMadeByHand(t *testing.T) {
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(committed, sample(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(committed)
	if err != nil || !bytes.Equal(b, sample()) {
		t.Fatalf("%s is another trace: %v", committed, err)
	}
	a := open(t, b)
	quiet(t, a)
	if got, want := trial.Sessions(a), "7d0c1a52-demo: 3 requests; 7d0c1a52-demo/w1 (auditor) of 7d0c1a52-demo by c2: 1 requests; vector: 3 requests; old-codex: 0 requests"; got != want {
		t.Fatalf("sessions: %s, want %s", got, want)
	}
	s := a.Sessions[0]
	trial.Expect(t, s, "capture capture-start native-summary baseline system=3200 tools=11800 messages=40", "capture transcript-observed native-summary system=3200 tools=11800 messages=9040",
		"compaction post-compaction native-summary baseline system=3200 tools=11800 messages=900")
	if got := trial.Boundaries(a, 0); got != "compaction auto 24300→16000 (24500→15900)" {
		t.Errorf("boundaries: %s", got)
	}
	page := a.Changes(0, analysis.ChangeFilter{Sample: -1})
	if page.Total != 2 || page.Rows[0].Tool != "Bash" || page.Rows[0].Detail != "go test ./..." || page.Rows[0].Before != 15040 || page.Rows[0].After != 24040 {
		t.Errorf("growth: %+v", page.Rows)
	}
	if s.Title != "Make the limiter survive a restart." || s.Version != "2.1.289" || !s.Calls[0].Failed || a.Strings.Get(s.Calls[0].Detail) != "go test ./..." {
		t.Errorf("%q, %s, calls %+v", s.Title, s.Version, s.Calls)
	}
	if got := totals(a.Sessions[3]); got != "1010:1000/258400 1020:40000/258400" || len(a.Sessions[0].Totals) != 0 || totals(a.Sessions[1]) != "150:9000/-1" {
		t.Errorf("totals: %s; of the subagent %s", got, totals(a.Sessions[1]))
	}
	// The legend of the overview adds up to the estimates of the latest snapshots.
	sum, want := int64(0), int64(0)
	list := a.List(analysis.Options{})
	for _, c := range list.Overview.Categories {
		sum += c.Tokens
	}
	for _, s := range a.Sessions {
		if n := len(s.Snapshots); n > 0 {
			want += s.Snapshots[n-1].Sum()
		}
	}
	if sum != want || sum != 15903 || list.Overview.Sessions != 2 || list.Overview.Without != 2 {
		t.Errorf("the overview has %d tokens of %d sessions, want %d", sum, list.Overview.Sessions, want)
	}
}

// through opens a trace handed over in another way.
func through(t *testing.T, name string, r io.Reader, block int) *analysis.Analysis {
	t.Helper()
	l := adapters.NewLibrary()
	l.BlockSize = block
	if err := l.Read(adapters.Input{Name: name, Size: -1}, r); err != nil {
		t.Fatal(err)
	}
	return l.Settle()
}

func TestHowATraceIsHandedOverChangesNothing(t *testing.T) {
	b := sample()
	want := figures(through(t, "a.pftrace", bytes.NewReader(b), 0))
	for how, a := range map[string]*analysis.Analysis{
		"another name": through(t, "notes (3).txt", bytes.NewReader(b), 0), "single bytes": through(t, "a", iotest.OneByteReader(bytes.NewReader(b)), 1),
		"blocks of 100": through(t, "a", bytes.NewReader(b), 100), "blocks of 64 KiB": through(t, "a", bytes.NewReader(b), 64<<10),
		"halves": through(t, "a", iotest.HalfReader(bytes.NewReader(b)), 4096), "itself behind it": through(t, "a", bytes.NewReader(Join(b, b)), 0),
	} {
		if got := figures(a); got != want {
			t.Errorf("%s gives other figures:\n%s\nwant\n%s", how, got, want)
		}
	}
}

func TestATraceCutAnywhereHasTheWholePackets(t *testing.T) {
	b := sample()
	var ends []int
	for at := 0; at < len(b); {
		n, shift := 0, 0
		for at++; ; at++ {
			n |= int(b[at]&127) << shift
			shift += 7
			if b[at] < 128 {
				break
			}
		}
		at += 1 + n
		ends = append(ends, at)
	}
	for i := range 100 {
		cut := len(b) * (i + 1) / 101
		whole := 0
		for _, e := range ends {
			if e <= cut {
				whole = e
			}
		}
		a, w := open(t, b[:cut]), open(t, b[:whole])
		if figures(a) != figures(w) {
			t.Errorf("cut at %d gives other figures than its whole packets", cut)
		}
		if cut != whole && len(a.Sessions) > 0 && codes(a, 0) != "cut-record" {
			t.Errorf("cut at %d: warnings %q", cut, codes(a, 0))
		}
	}
}

// FuzzTrace: whatever the bytes are, nothing panics, and the document is JSON.
func FuzzTrace(f *testing.F) {
	f.Add(sample())
	f.Add(vector())
	f.Add(relatives())
	f.Add(counted())
	f.Fuzz(func(t *testing.T, b []byte) {
		l := adapters.NewLibrary()
		if err := l.Read(adapters.Input{Name: "a"}, bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
		a := l.Settle()
		if doc := a.AppendJSON(nil, analysis.Options{}); !json.Valid(doc) {
			t.Fatalf("the document is no JSON: %s", doc)
		}
		for i, s := range a.Sessions {
			if v := a.Series(i, analysis.Options{}); len(v.At) != len(s.Snapshots) {
				t.Fatalf("%d samples of %d", len(v.At), len(s.Snapshots))
			}
			a.Changes(i, analysis.ChangeFilter{Sample: -1, All: true})
		}
		a.List(analysis.Options{})
	})
}

// TestTimeGrowsWithTheTrace: four times the packets take about four times as long, also where links and nesting are many.
func TestTimeGrowsWithTheTrace(t *testing.T) {
	many := func(n int) []byte {
		r := Realtime
		b := Join(tracks(0), profile(0, "codex", "s"))
		for i := range uint64(n) {
			base := 0x10000000 + i*0x1000
			b = append(b, Track(base, root, "agentprof.capture")...)
			b = append(b, Track(base+1, base, "Session")...)
			b = append(b, r.Begin(ms(i), base+1, "codex.metadata", "profile (1)", Text("session_id", "same"), Text("parent_session", "same"), Text("child_session", "same"), Flow(5))...)
			b = append(b, r.Begin(ms(i), session, "codex.activity", "deep", context("request-input", false, Dict("categories", Uint(fmt.Sprint("c", i), 1))))...)
		}
		return b
	}
	took := func(b []byte) int64 {
		return testing.Benchmark(func(bench *testing.B) {
			for bench.Loop() {
				a := open(bench, b)
				a.AppendJSON(nil, analysis.Options{})
				for i := range min(3, len(a.Sessions)) {
					a.Series(i, analysis.Options{})
				}
			}
		}).NsPerOp()
	}
	few, more := many(2000), many(8000)
	for try := 1; ; try++ { // others may need the machine at the moment
		small, large := took(few), took(more)
		if t.Logf("%d µs, %d µs", small/1000, large/1000); large <= small*12 {
			return
		}
		if try == 3 {
			t.Fatalf("2,000 captures take %d µs, 8,000 take %d", small/1000, large/1000)
		}
	}
}
