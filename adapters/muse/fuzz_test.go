package muse_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"contextscope/adapters"
	"contextscope/core/analysis"
)

// FuzzMuse: whatever follows a first record, nothing panics, the document is JSON, and the size of the blocks changes nothing.
func FuzzMuse(f *testing.F) {
	samples, _ := filepath.Glob("testdata/*.json*")
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"payload":{"event":[{"kind":"started"}]},"payload_type":7,"stream":"s","sequence":-1,"recorded_at":1e99,"children":{"record_json":1}}`))
	f.Add([]byte(`{"events":[{"envelope":{"payload":{"kind":"run"},"children":[{"record_json":"{\"payload\":{\"event\":{\"prompt\":\"a\"}}"}]},"sessions":[[]]}],"sessions":{"parent":1},"export_schema_version":null}`))
	f.Add([]byte(`{"payload":{"kind":"run","event":{"kind":"context_compaction_installed","preserved_segment":{"head_sequence":9,"tail_sequence":3},"strategy":{"config_fingerprint":"soft=.","soft_threshold_tokens":4294967297}}}}`))
	first := session("s").metadata().text()
	f.Fuzz(func(t *testing.T, b []byte) {
		once := append([]byte(first), b...)
		a := open(t, once, 4096)
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
		if again := open(t, once, 64); !bytes.Equal(again.AppendJSON(nil, analysis.Options{}), a.AppendJSON(nil, analysis.Options{})) {
			t.Error("other blocks give another document")
		}
	})
}

func open(t *testing.T, b []byte, block int) *analysis.Analysis {
	t.Helper()
	l := adapters.NewLibrary()
	l.BlockSize = block
	if err := l.Read(adapters.Input{Name: "a", Size: int64(len(b))}, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	return l.Settle()
}
