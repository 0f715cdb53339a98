package analysis

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"contextscope/core/composition"
)

// A page of the largest changes is that of sorting them all.
func TestAPageOfTheLargestIsThatOfSortingAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	s := &Session{}
	var all []changeRef
	for i := range 40 {
		n := Snapshot{}
		n.First, n.N = uint32(s.Changes.Len()), uint32(rnd.IntN(30))
		for range n.N {
			all = append(all, changeRef{int32(i), uint32(s.Changes.Len())})
			s.Changes.Append(composition.Change{Delta: int32(rnd.IntN(40) - 20), Kind: composition.Added})
		}
		s.Snapshots = append(s.Snapshots, n)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(x, y changeRef) int {
		return cmp.Compare(size(s.Changes.At(int(y.change))), size(s.Changes.At(int(x.change))))
	})
	for _, f := range []ChangeFilter{{}, {Limit: 25}, {Limit: 25, Offset: 50}, {Limit: 7, Offset: len(all) - 3}, {Limit: 5, Offset: len(all) + 9}, {Offset: 10}, {Limit: 25, Offset: 25, Order: "time"}} {
		f.All, f.Sample = true, -1
		want := sorted
		if f.Order == "time" {
			want = all
		}
		want = want[min(f.Offset, len(want)):]
		if f.Limit > 0 {
			want = want[:min(f.Limit, len(want))]
		}
		got, total := s.selected(f)
		if total != len(all) || !slices.Equal(got, want) {
			t.Errorf("%+v: %d of %d, want %d of %d", f, len(got), total, len(want), len(all))
		}
	}
}
