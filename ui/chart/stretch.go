package chart

import "contextscope/core/analysis"

// Range is a stretch of samples, up to but not with To. The zero value is all of them.
type Range struct{ From, To int }

// Within is the range cut to n samples; an empty one is all of them.
func (r Range) Within(n int) Range {
	r.From, r.To = max(r.From, 0), min(r.To, n)
	if r.From >= r.To {
		return Range{0, n}
	}
	return r
}

// Whole tells whether the range leaves nothing out of n samples.
func (r Range) Whole(n int) bool { r = r.Within(n); return r.From == 0 && r.To == n }

// stretch is the series of a range, with the numbers that its boundaries have in the whole.
func stretch(s *analysis.Series, r Range) (*analysis.Series, []int) {
	n := len(s.At)
	numbers := make([]int, 0, len(s.Boundaries))
	if r.Whole(n) {
		for i := range s.Boundaries {
			numbers = append(numbers, i)
		}
		return s, numbers
	}
	r = r.Within(n)
	t := *s
	t.At, t.Request, t.Estimated, t.Reported = cut(s.At, r), cut(s.Request, r), cut(s.Estimated, r), cut(s.Reported, r)
	t.Window, t.Effective, t.Threshold = cut(s.Window, r), cut(s.Effective, r), cut(s.Threshold, r)
	t.Kind, t.Basis, t.WindowFrom, t.Breakdown = cut(s.Kind, r), cut(s.Basis, r), cut(s.WindowFrom, r), cut(s.Breakdown, r)
	t.Values = make([][]int64, len(s.Values))
	for c := range s.Values {
		t.Values[c] = cut(s.Values[c], r)
	}
	t.Boundaries = nil
	for i, b := range s.Boundaries {
		if b.Sample >= r.From && (b.Sample < r.To || b.Sample == n && r.To == n) {
			b.Sample -= r.From
			t.Boundaries = append(t.Boundaries, b)
			numbers = append(numbers, i)
		}
	}
	if r.To < n {
		t.Session.EndedAt = s.At[r.To]
	}
	return &t, numbers
}

// cut is a stretch of a column; one that is too short has what it has.
func cut[T any](column []T, r Range) []T {
	return column[min(r.From, len(column)):min(r.To, len(column))]
}
