package adapters

import (
	"bytes"
	"testing"

	"contextscope/core/analysis"
)

// told is all that is said of the facts of what is open: the comparisons with their texts, and the checkpoints.
func told(a *analysis.Analysis) string {
	out := figuresWith(a, analysis.Options{Diff: true, Include: analysis.Include{Facts: true, Paths: true}})
	for _, s := range a.Sessions {
		out += string(a.Checkpoint(s)) + string(a.Brief(s, 0))
	}
	return out
}

func figuresWith(a *analysis.Analysis, o analysis.Options) string {
	doc := string(a.AppendJSON(nil, o))
	return doc[bytes.Index([]byte(doc), []byte(`"sessions":`)):]
}

// TestFactsDependOnTheJournalAlone: however it is cut into blocks, and whether it comes once or twice, it tells the same.
func TestFactsDependOnTheJournalAlone(t *testing.T) {
	for name, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		want := told(a)
		for _, size := range []int{100, 4096, 65536} {
			if len(b) > 1<<20 && size == 100 {
				continue
			}
			if _, again := openBytes(t, "a", b, size); told(again) != want {
				t.Errorf("%s tells other facts in blocks of %d bytes", name, size)
			}
		}
	}
	for name, b := range journals(t) {
		_, a := openBytes(t, "a", b, 0)
		_, twice := openBytes(t, "a", append(append(bytes.Clone(b), '\n'), b...), 0)
		if told(twice) != told(a) {
			t.Errorf("%s tells other facts when it is doubled", name)
		}
	}
}
