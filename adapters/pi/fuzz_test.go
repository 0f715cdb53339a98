package pi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// FuzzSession: whatever stands behind a header, nothing panics, the document is JSON, and no category goes below zero.
func FuzzSession(f *testing.F) {
	samples, _ := filepath.Glob("testdata/*.jsonl")
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(`{"type":"message","id":"a","parentId":"b","message":{"role":"user","content":[1,null,{"text":{}},{"type":"toolCall","name":[]}],"sections":{"":"x"},"toolsAdded":[null,[]],"toolsRemoved":[{}]}}` + "\n" +
		`{"type":"compaction","id":"b","parentId":"a","firstKeptEntryId":"b","systemMessage":{"sections":{"":null}},"retainedTail":[{"role":"toolResult","toolCallId":"a"},{"role":"system"}]}` + "\n" +
		`{"type":"context_edit","id":"c","parentId":"b","targetId":"a","replacement":{"content":[{"type":"toolCall"}]}}` + "\n" +
		`{"type":"leaf","id":"d","targetId":"c"}{"type":"session","id":"s","parentSession":"s"}`)
	f.Fuzz(func(t *testing.T, text string) {
		header := `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w"}` + "\n"
		a := trial.Open(t, trial.File{Path: "a.jsonl", Text: header + text}, trial.File{Path: "b.jsonl", Text: text})
		if doc := a.AppendJSON(nil, analysis.Options{}); !json.Valid(doc) {
			t.Fatalf("the document is no JSON: %s", doc)
		}
		for i, s := range a.Sessions {
			for k := range s.Snapshots {
				n := &s.Snapshots[k]
				for _, tokens := range n.Tokens {
					if tokens > 1<<31 {
						t.Fatalf("session %d, sample %d: %d tokens", i, k, tokens)
					}
				}
			}
			if v := a.Series(i, analysis.Options{}); len(v.At) != len(s.Snapshots) {
				t.Fatalf("%d samples of %d", len(v.At), len(s.Snapshots))
			}
		}
	})
}
