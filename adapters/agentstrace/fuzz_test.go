package agentstrace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// FuzzTraces opens the same bytes in two folders: nothing panics, every request has its sample, and the document holds
// every request and sample of every stream once.
func FuzzTraces(f *testing.F) {
	samples, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(samples) == 0 {
		f.Fatalf("no samples: %v", err)
	}
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(new(script).prompt(4).add("llm_request", `"input_tokens":5,"is_compaction_summary":1,"messages":[{"role":"tool","content":["a","b"]}]`).
		add("llm_response", in("x", `"context_summary":"a","usage":{"input_tokens":"7"}`), `,"parent_id":"e2"`).text())
	f.Add(metaOf)
	f.Fuzz(func(t *testing.T, text string) {
		a := trial.Open(t, trial.File{Path: "a/events.ndjson", Text: text}, trial.File{Path: "b/events.ndjson", Text: text})
		requests, snapshots := 0, 0
		for i, s := range a.Sessions {
			requests, snapshots = requests+len(s.Requests), snapshots+len(s.Snapshots)
			a.Series(i, analysis.Options{})
			a.Changes(i, analysis.ChangeFilter{Sample: -1, All: true})
			for k, q := range s.Requests {
				if n := s.Snapshots[q.Snapshot]; n.Event != analysis.OnRequest || int(n.Index) != k {
					t.Fatalf("request %d has a snapshot of %s %d", k, n.Event, n.Index)
				}
			}
		}
		var doc struct {
			Sessions []struct {
				Requests  []struct{}
				Snapshots []struct {
					Event struct {
						Kind  string
						Index int
					}
				}
			}
		}
		if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &doc); err != nil {
			t.Fatal(err)
		}
		for _, s := range doc.Sessions {
			requests, snapshots = requests-len(s.Requests), snapshots-len(s.Snapshots)
			used := map[int]bool{}
			for _, n := range s.Snapshots {
				if n.Event.Kind == "request" && (used[n.Event.Index] || n.Event.Index >= len(s.Requests)) {
					t.Fatalf("two snapshots of request %d, or of one that is not there", n.Event.Index)
				}
				used[n.Event.Index] = n.Event.Kind == "request"
			}
		}
		if requests != 0 || snapshots != 0 {
			t.Fatalf("%d requests and %d snapshots are missing in the document", requests, snapshots)
		}
	})
}
