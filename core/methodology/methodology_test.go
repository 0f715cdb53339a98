package methodology

import (
	"strings"
	"testing"
)

func TestEverySectionHasFormulaSourceAndLimits(t *testing.T) {
	all := Sections()
	if len(all) < 10 {
		t.Fatalf("%d sections", len(all))
	}
	for _, s := range all {
		at := -1
		for _, word := range []string{"**Formula.** ", "**Source.** ", "**Limits.** "} {
			i := strings.Index(s.Text, word)
			if i <= at || strings.Count(s.Text, word) != 1 {
				t.Errorf("%s: %s at %d, behind %d", s.Title, word, i, at)
			}
			at = i
		}
	}
}
