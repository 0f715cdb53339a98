package ui

import "contextscope/core/analysis"

// What stands under the chart: the recorded changes, where the context went, two samples side by side, or all samples.
const (
	lowerChanges = "changes"
	lowerSpread  = "spread"
	lowerBetween = "between"
	lowerSamples = "samples"
)

var lowers = []struct{ key, name string }{
	{lowerChanges, "Changes"},
	{lowerSpread, "Where it went"},
	{lowerBetween, "Two samples"},
	{lowerSamples, "Samples"},
}

type lowerRow struct {
	Key, Name string
	Pressed   string
}

func (c *ContextTab) lowers() []lowerRow {
	rows := make([]lowerRow, len(lowers))
	for i, l := range lowers {
		rows[i] = lowerRow{l.key, l.name, yes(l.key == c.State.lower)}
	}
	return rows
}

func (c *ContextTab) below(key string) bool { return c.State.lower == key }

// showLower changes what stands under the chart.
func (s *State) showLower(key string) {
	s.lower, s.samplesPage = key, -1
	s.askLower()
}

// askLower asks for what stands under the chart, as far as it is not there.
func (s *State) askLower() {
	switch {
	case s.series == nil:
	case s.lower == lowerSpread && s.spread.got == nil:
		s.askSpread()
	case s.lower == lowerBetween && s.between.got == nil:
		s.askBetween()
	}
}

// sorting is a column that a table can be put in order by.
type sorting struct {
	Key, Text, Class string
	Sorted           any // "descending", "ascending", or nothing
}

// spread is the question where the context went, with its answer.
type spread struct {
	by, order string
	offset    int
	got       *analysis.Spread
}

// between are two samples that are compared.
type between struct {
	from, to int
	change   string
	offset   int
	got      *analysis.Between
}
