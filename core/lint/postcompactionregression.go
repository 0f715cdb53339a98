package lint

import (
	"slices"
	"strings"

	"contextscope/core/behavior"
)

// post-compaction-regression: after a compaction something got worse than it was before (package behavior). Files that are read
// once before they are edited, and rules about whole sessions, don't count.
var postCompactionRegression = Rule{
	Name:     "post-compaction-regression",
	Means:    "After a compaction the agent did worse than before it: it read files again for nothing, looked around more, or fell into a loop.",
	Settings: Settings{Enabled: true, Level: Warning, CompactionThreshold: 0.50, BehaviorWindow: 50, RedundantReadThreshold: 3, ToolLoopThreshold: 5},
	Session:  true,
}

func checkPostCompactionRegression(j *judging) {
	c := Config{Rules: slices.Clone(j.config.Rules)}
	c.Rules[Find(redundantRead.Name)].Threshold = orElse(j.settings.RedundantReadThreshold, c.Rules[Find(redundantRead.Name)].Threshold)
	c.Rules[Find(toolLoop.Name)].Threshold = orElse(j.settings.ToolLoopThreshold, c.Rules[Find(toolLoop.Name)].Threshold)
	for _, d := range behavior.Compare(j.Stream, behavior.Window{N: j.settings.BehaviorWindow}, Counter(&c)) {
		if !d.Regressed() || d.Cut.At >= len(j.Steps) {
			continue
		}
		drop := ""
		if d.Cut.Ratio > 0 {
			drop = fmtPercent(d.Cut.Ratio) + " dropped; "
		}
		j.report(d.Cut.At, d.Cut.At, 0, "worse after compaction %d (%s)", d.Cut.Number+1, drop+strings.Join(d.Regressions, "; "))
	}
}

// orElse is a setting of the rule's own, where a person made one.
func orElse(own, general float64) float64 {
	if own > 0 {
		return own
	}
	return general
}
