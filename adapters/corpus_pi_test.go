package adapters

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/compaction"
	"contextscope/core/journal"
)

// expectedTree is what the other program says of a Pi session beyond its prompts.
type expectedTree struct {
	Entries     int   `json:"entries"` // with the header
	Path        int   `json:"path_entries"`
	Bad         int64 `json:"lines_bad"`
	LastTotal   int64 `json:"last_total"`
	Compactions []struct {
		TokensBefore int64           `json:"tokensBefore"`
		TotalBefore  int64           `json:"last_total_before"`
		FirstKept    json.RawMessage `json:"firstKept"`
		After        *int64          `json:"first_prompt_after"`
	} `json:"compactions"`
}

// unnamedKept are compactions whose member for the first kept entry has a name that no version gives it. What it says, the
// position of the compaction itself, and nothing said are both a compaction that kept no entry.
var unnamedKept = map[string]int{"pi/pi-mono-pr293-compact.jsonl": 1}

// TestCorpusTrees compares the living branch and the compactions of Pi sessions with the other program's.
func TestCorpusTrees(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(corpus, "EXPECTED.json"))
	if os.IsNotExist(err) {
		return
	}
	var all map[string]expectedTree
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(corpus, "pi", "*.jsonl"))
	for _, file := range files {
		name := "pi/" + filepath.Base(file)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		l, a := openBytes(t, filepath.Base(file), b, 0)
		if len(a.Sessions) != 1 {
			t.Errorf("%s: %d sessions", name, len(a.Sessions))
			continue
		}
		e, in, s := all[name], l.inputs[0], a.Sessions[0]
		if n := in.Records.Len(); n != e.Entries || n-1-int(s.Abandoned) != e.Path || in.Malformed != e.Bad {
			t.Errorf("%s: %d entries, %d on the branch, %d malformed; want %d, %d, %d", name, n, n-1-int(s.Abandoned), in.Malformed, e.Entries, e.Path, e.Bad)
		}
		last := s.Requests[len(s.Requests)-1]
		if total := last.Input + last.Output; total != e.LastTotal {
			t.Errorf("%s: %d tokens after the last response, want %d", name, total, e.LastTotal)
		}
		compareTree(t, name, a, s, in, e)
	}
}

func compareTree(t *testing.T, name string, a *analysis.Analysis, s *analysis.Session, in *journal.Input, e expectedTree) {
	t.Helper()
	k := 0
	for _, c := range a.Series(0, analysis.Options{}).Boundaries {
		if c.Kind != compaction.Compaction || c.Evidence[0] != compaction.BoundaryRecord {
			continue
		}
		if k == len(e.Compactions) {
			t.Fatalf("%s: more than %d compactions", name, k)
		}
		w, b := e.Compactions[k], boundary(s, k)
		before := s.Requests[b.Requests-1]
		if c.HarnessTold != w.TokensBefore || !same(known(c.After), w.After) || before.Input+before.Output != w.TotalBefore || c.Trigger != "" {
			t.Errorf("%s: compaction %d from %d (%d before) to %d, want %d (%d) to %v", name, k+1, c.HarnessTold, before.Input+before.Output, c.After,
				w.TokensBefore, w.TotalBefore, w.After)
		}
		if n := s.Snapshots[c.Sample]; n.Event != analysis.OnCompaction || n.Baseline || n.Stage.String() != "post-compaction" {
			t.Errorf("%s: after compaction %d there is a sample %s %s", name, k+1, n.Event, n.Stage)
		}
		if i, ok := unnamedKept[name]; !ok || i != k {
			compareKept(t, name, in, b, w.FirstKept)
		}
		k++
	}
	if k != len(e.Compactions) {
		t.Errorf("%s: %d compactions, want %d", name, k, len(e.Compactions))
	}
}

// boundary is the k-th compaction among the boundaries of a session.
func boundary(s *analysis.Session, k int) *analysis.Boundary {
	for i := range s.Boundaries {
		if s.Boundaries[i].Kind != compaction.Compaction {
			continue
		}
		if k--; k < 0 {
			return &s.Boundaries[i]
		}
	}
	return nil
}

// compareKept compares the first kept entry: an id, or a position among all records.
func compareKept(t *testing.T, name string, in *journal.Input, b *analysis.Boundary, want json.RawMessage) {
	t.Helper()
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		if r.Offset != b.Source.Offset {
			continue
		}
		for j := range int(r.Parts) {
			p := in.Part(r, j)
			if p.Kind != journal.KeptFrom {
				continue
			}
			var id string
			if json.Unmarshal(want, &id) == nil && p.Hash == journal.Hash([]byte(id)) {
				return
			}
			var index uint32
			if json.Unmarshal(want, &index) == nil && p.Hash == 0 && p.Units == index {
				return
			}
		}
	}
	t.Errorf("%s: the compaction at %d did not keep from %s on", name, b.Source.Offset, want)
}
