package ui

import (
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

const unknown = analysis.Unknown

// sizes is a series of these reported and estimated sizes; window 0 is none.
func sizes(window int64, reported, estimated []int64, kinds ...string) *analysis.Series {
	s := &analysis.Series{Requests: int64(len(reported))}
	for i := range reported {
		s.At = append(s.At, invented.Start+int64(i)*1000)
		s.Window = append(s.Window, window)
		s.Request = append(s.Request, int64(i+1))
	}
	s.Reported, s.Estimated = reported, estimated
	for i, k := range kinds {
		s.Boundaries = append(s.Boundaries, analysis.BoundaryRow{Sample: i + 1, Kind: k})
	}
	return s
}

func none(n int) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = unknown
	}
	return all
}

func TestHeadlineIsTheAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		series *analysis.Series
		want   string
	}{
		{"the mock", sizes(200000, []int64{35000, 165863, 44030, 140634}, none(4), "compaction"),
			"Grew to 165,863 tokens, was compacted once, stands at 140,634 of 200,000"},
		{"no window", sizes(unknown, []int64{35000, 165863, 44030, 140634}, none(4), "compaction"),
			"Grew to 165,863 tokens, was compacted once, stands at 140,634"},
		{"window 0 is none", sizes(0, []int64{10, 20}, none(2)), "Grew to 20 tokens"},
		{"growing", sizes(200000, []int64{35000, 42000}, none(2)), "Grew to 42,000 tokens of 200,000"},
		{"fell without a cut", sizes(200000, []int64{35000, 42000, 40000}, none(3)),
			"Grew to 42,000 tokens, stands at 40,000 of 200,000"},
		{"only fell", sizes(200000, []int64{42000, 40000}, none(2)), "Began at 42,000 tokens, stands at 40,000 of 200,000"},
		{"one request", sizes(200000, []int64{42000}, none(1)), "Holds 42,000 tokens of 200,000"},
		{"one token", sizes(0, []int64{1}, none(1)), "Holds 1 token"},
		{"level", sizes(0, []int64{500, 500}, none(2)), "Stayed at 500 tokens"},
		{"two compactions", sizes(200000, []int64{10, 90, 20, 30}, none(4), "compaction", "compaction"),
			"Grew to 90 tokens, was compacted twice, stands at 30 of 200,000"},
		{"many compactions", sizes(0, []int64{10, 90, 20, 30}, none(4), "compaction", "compaction", "compaction"),
			"Grew to 90 tokens, was compacted 3 times, stands at 30"},
		{"highest after a cut", sizes(0, []int64{50, 10, 90}, none(3), "compaction"),
			"Was compacted once, stands at its highest: 90 tokens"},
		{"cleared", sizes(0, []int64{50, 90, 10}, none(3), "clear"), "Grew to 90 tokens, was cleared once, stands at 10"},
		{"compacted and cleared", sizes(0, []int64{50, 90, 10}, none(3), "clear", "compaction"),
			"Grew to 90 tokens, was compacted once and cleared once, stands at 10"},
		{"a model change is no cut", sizes(0, []int64{50, 90}, none(2), "model-switch"), "Grew to 90 tokens"},
		{"estimates only", sizes(0, none(3), []int64{50, 90, 10}, "compaction"),
			"Grew to an estimated 90 tokens, was compacted once, stands at an estimated 10"},
		{"estimate at the end", sizes(0, []int64{50, 90, unknown}, []int64{40, 80, 20}, "compaction"),
			"Grew to 90 tokens, was compacted once, stands at an estimated 20"},
		{"an estimate outgrows no report", sizes(0, []int64{50, unknown, 60}, []int64{40, 500, 50}), "Grew to 60 tokens"},
		{"nothing recorded", sizes(0, none(2), none(2)), "The size of the context was not recorded"},
		{"no request", &analysis.Series{}, "No request was recorded"},
		{"totals alone", &analysis.Series{Totals: []analysis.TotalPoint{{At: 1, Tokens: 5, Window: 9}, {At: 2, Tokens: 8, Window: 9}}},
			"Grew to 8 tokens of 9"},
	} {
		lead, rest := headline(c.series)
		if got := lead + rest; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAnEstimateBeforeTheFirstReportIsNoGrowth(t *testing.T) {
	s := &analysis.Series{At: []int64{1, 2}, Estimated: []int64{2, 2}, Reported: []int64{-1, 487}, Window: []int64{-1, -1}, Requests: 1}
	if lead, rest := headline(s); lead+rest != "Holds 487 tokens" {
		t.Errorf("%q", lead+rest)
	}
}
