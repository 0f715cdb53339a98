package analysis

import (
	"cmp"
	"slices"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// selected lists the changes that a filter lets through, in its order.
func (s *Session) selected(f ChangeFilter) []changeRef {
	category := journal.CategoryNamed(f.Category)
	var out []changeRef
	for i := range s.Snapshots {
		if f.Sample >= 0 && f.Sample != i {
			continue
		}
		n := &s.Snapshots[i]
		for k := n.First; k < n.First+n.N; k++ {
			c := s.Changes.At(int(k))
			if f.Category != "" && c.Category != category {
				continue
			}
			if !f.All && (c.Kind == composition.Baseline || c.Delta <= 0) {
				continue
			}
			out = append(out, changeRef{int32(i), k})
		}
	}
	if f.Order != "time" {
		slices.SortStableFunc(out, func(x, y changeRef) int {
			return cmp.Compare(abs(s.Changes.At(int(y.change)).Delta), abs(s.Changes.At(int(x.change)).Delta))
		})
	}
	return out
}

func abs(n int32) int32 { return max(n, -n) }
