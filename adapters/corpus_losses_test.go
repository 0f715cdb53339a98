package adapters

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/compaction"
)

// unrecorded are the drops in the corpus that no record explains, in journals that somebody wrote by hand: their reported
// figures fall by more than half.
var unrecorded = map[string]string{
	"claude/ccl-edge_cases.jsonl":              "compaction 200→85 [usage-drop]",
	"claude/ccl-representative_messages.jsonl": "compaction 78→25 [usage-drop]",
	"claude/contextspectre-compaction.jsonl":   "compaction 165300→35100 [usage-drop]",
}

// TestCorpusHasNoBoundaryThatIsNotThere: beside what the other program lists, which TestCorpusFigures compares, nothing but
// what the journals record and the few drops above is a boundary that stands in a document.
func TestCorpusHasNoBoundaryThatIsNotThere(t *testing.T) {
	priced := 0
	for name, e := range corpusFiles(t) {
		b, err := os.ReadFile(filepath.Join(corpus, name))
		if err != nil {
			t.Fatal(err)
		}
		_, a := openBytes(t, filepath.Base(name), b, 0)
		var drops []string
		recorded := 0
		for i, s := range a.Sessions {
			losses := analysis.Losses{}
			for _, c := range a.Boundaries(i, analysis.Options{}) {
				if !slices.Contains(c.Evidence, compaction.BoundaryRecord) && c.Kind != compaction.Rewind && c.Kind != compaction.ModelSwitch {
					drops = append(drops, fmt.Sprint(c.Kind, " ", c.Before, "→", c.After, " ", c.Evidence))
				}
				if c.Kind != compaction.Compaction {
					if c.Cost.Rate != 0 {
						t.Errorf("%s: a %s is priced", name, c.Kind)
					}
					continue
				}
				losses.Compactions++
				if s.Parent == "" && c.Evidence[0] == compaction.BoundaryRecord {
					recorded++
				}
				if c.Before != analysis.Unknown && c.After != analysis.Unknown && c.Before > c.After {
					losses.Dropped += c.Before - c.After
				}
				if c.Cost.Rate > 0 {
					priced++
					losses.USD += float64(c.Before-c.After) * c.Cost.Rate / 1e6
				}
			}
			got := a.List(analysis.Options{}).Sessions[i].Losses
			if got.Compactions != losses.Compactions || got.Dropped != losses.Dropped || math.Abs(got.USD-losses.USD) > 1e-9 {
				t.Errorf("%s: %s lost %+v, its boundaries add up to %+v", name, s.ID, got, losses)
			}
		}
		if got := strings.Join(drops, "; "); got != unrecorded[name] {
			t.Errorf("%s has drops without a record: %q, want %q", name, got, unrecorded[name])
		}
		if recorded != len(e.Compactions) {
			t.Errorf("%s: %d recorded compactions, want %d", name, recorded, len(e.Compactions))
		}
	}
	if _, err := os.Stat(corpus); err == nil && priced < 15 {
		t.Errorf("only %d compactions of the corpus are priced", priced)
	}
}
