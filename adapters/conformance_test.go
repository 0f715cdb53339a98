package adapters

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"contextscope/core/analysis"
)

// TestLineEndsAndMarksMeanNothing: CRLF, a byte order mark, NUL blocks and blank lines change no figure.
func TestLineEndsAndMarksMeanNothing(t *testing.T) {
	for name, b := range journals(t) {
		_, a := openBytes(t, "a", b, 0)
		want := stripPlaces(t, a)
		for how, changed := range map[string][]byte{
			"CRLF":        bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")),
			"a mark":      append([]byte("\xef\xbb\xbf"), b...),
			"NUL blocks":  bytes.ReplaceAll(b, []byte("\n"), append([]byte("\n"), make([]byte, 64)...)),
			"blank lines": bytes.ReplaceAll(b, []byte("\n"), []byte("\n\n \n")),
		} {
			if _, again := openBytes(t, "a", changed, 0); stripPlaces(t, again) != want {
				t.Errorf("%s gives other figures with %s", name, how)
			}
		}
	}
}

// TestBlanksInADocumentMeanNothing: between the parts of a document line ends, blank lines and a mark change no figure.
func TestBlanksInADocumentMeanNothing(t *testing.T) {
	for name, b := range documents(t) {
		_, a := openBytes(t, "a", b, 0)
		want := stripPlaces(t, a)
		for how, changed := range map[string][]byte{
			"CRLF":        bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")),
			"a mark":      append([]byte("\xef\xbb\xbf"), b...),
			"blank lines": bytes.ReplaceAll(b, []byte("\n"), []byte("\n\n \n")),
			"no lines":    bytes.ReplaceAll(b, []byte("\n"), nil),
		} {
			l, again := openBytes(t, "a", changed, 0)
			if stripPlaces(t, again) != want || l.inputs[0].Malformed > 0 {
				t.Errorf("%s gives other figures with %s", name, how)
			}
		}
	}
}

// TestACutDocumentKeepsWhatCameBefore: a document that ends anywhere has all the requests whose records are whole.
func TestACutDocumentKeepsWhatCameBefore(t *testing.T) {
	for name, b := range documents(t) {
		_, a := openBytes(t, "a", b, 0)
		for i := range 100 {
			cut := b[:len(b)*(i+1)/101]
			l, c := openBytes(t, "a", cut, 0)
			if l.inputs[0].Refused {
				continue // too short to tell what it is
			}
			if all := l.inputs[0].Warnings.All(); len(all) == 0 || all[len(all)-1].Code != "cut-record" {
				t.Errorf("%s cut at %d: %+v, want a warning about the cut", name, len(cut), all)
			}
			got, want := 0, 0
			for _, s := range c.Sessions {
				got += len(s.Requests)
			}
			for _, s := range a.Sessions {
				for _, q := range s.Requests {
					if q.Source.Offset+q.Source.Length <= int64(len(cut)) {
						want++
					}
				}
			}
			if got != want {
				t.Errorf("%s cut at %d: %d requests, want %d", name, len(cut), got, want)
			}
		}
	}
}

// stripPlaces is the sessions of a document without offsets and lines, which differ when bytes are put in between.
func stripPlaces(t *testing.T, a *analysis.Analysis) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				strip(e)
			}
		case map[string]any:
			delete(v, "source")
			delete(v, "source_start")
			delete(v, "source_end")
			for _, e := range v {
				strip(e)
			}
		}
	}
	strip(doc["sessions"])
	out, err := json.Marshal(doc["sessions"])
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestOneBadLineCostsNothingElse: every tenth line is broken; all others are read, and the broken ones are counted.
func TestOneBadLineCostsNothingElse(t *testing.T) {
	for name, b := range journals(t) {
		lines := bytes.Split(bytes.TrimRight(b, "\n"), []byte{'\n'})
		var broken, without [][]byte
		bad := int64(0)
		for i, l := range lines {
			if i%10 == 7 {
				broken = append(broken, []byte(`{"broken": tru`))
				bad++
				continue
			}
			broken, without = append(broken, l), append(without, l)
		}
		if bad == 0 {
			continue
		}
		l, a := openBytes(t, "a", append(bytes.Join(broken, []byte{'\n'}), '\n'), 0)
		clean, c := openBytes(t, "a", append(bytes.Join(without, []byte{'\n'}), '\n'), 0)
		if l.inputs[0].Refused != clean.inputs[0].Refused || stripPlaces(t, a) != stripPlaces(t, c) {
			t.Errorf("%s gives other figures with a bad line in ten", name)
		}
		if got := l.inputs[0].Malformed - clean.inputs[0].Malformed; !l.inputs[0].Refused && got != bad {
			t.Errorf("%s: %d malformed records more, want %d", name, got, bad)
		}
	}
}

// TestACutAnywhereKeepsWhatCameBefore: a journal that ends in the middle of a record has all requests of the whole records.
func TestACutAnywhereKeepsWhatCameBefore(t *testing.T) {
	for name, b := range journals(t) {
		if len(b) > 1<<20 {
			continue
		}
		for i := range 100 {
			cut := b[:len(b)*(i+1)/101]
			whole := cut[:bytes.LastIndexByte(cut, '\n')+1]
			l, a := openBytes(t, "a", cut, 0)
			_, w := openBytes(t, "a", whole, 0)
			if len(whole) == 0 || l.inputs[0].Refused {
				continue
			}
			got, want := 0, 0
			for _, s := range a.Sessions {
				got += len(s.Requests)
			}
			for _, s := range w.Sessions {
				want += len(s.Requests)
			}
			if got < want || got > want+1 {
				t.Errorf("%s cut at %d: %d requests, %d before the cut record", name, len(cut), got, want)
			}
		}
	}
}

// FuzzOpen: whatever the bytes are, nothing panics, every value is counted somewhere, and the document is JSON.
func FuzzOpen(f *testing.F) {
	samples, _ := filepath.Glob("*/testdata/*.json*")
	for _, name := range samples {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"uuid":"a","sessionId":"s","type":"user","message":{"content":[[],{"type":{}},null,{"text":1}]}}`))
	f.Add([]byte(`{"type":"compacted","timestamp":7,"payload":{"replacement_history":[{"type":"message","content":{}},3]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, a := openBytes(t, "a", b, 64)
		doc := a.AppendJSON(nil, analysis.Options{})
		if !json.Valid(doc) {
			t.Fatalf("the document is no JSON: %s", doc)
		}
		for i, s := range a.Sessions {
			v := a.Series(i, analysis.Options{})
			if len(v.At) != len(s.Snapshots) {
				t.Fatalf("%d samples of %d", len(v.At), len(s.Snapshots))
			}
			a.Changes(i, analysis.ChangeFilter{Sample: -1, All: true})
		}
		a.List(analysis.Options{})
	})
}
