package analysis

import (
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// passes reports whether a filter lets a change through.
func (f *ChangeFilter) passes(s *Session, c *composition.Change, category journal.Category) bool {
	if f.Category != "" && (c.Category != category || category == journal.NoCategory && !s.strings.Is(c.Other, f.Category)) {
		return false
	}
	return f.All || c.Kind != composition.Baseline && c.Delta > 0
}

// selected lists the page of changes that a filter asks for, in its order, and how many there are in all.
func (s *Session) selected(f ChangeFilter) (page []changeRef, total int) {
	category := journal.CategoryNamed(f.Category)
	from, to := max(0, f.Offset), 1<<31-1
	if f.Limit > 0 {
		to = from + f.Limit
	}
	largest := ranking{s: s, room: to}
	for i := range s.Snapshots {
		if f.Sample >= 0 && f.Sample != i {
			continue
		}
		n := &s.Snapshots[i]
		for k := n.First; k < n.First+n.N; k++ {
			c := s.Changes.At(int(k))
			if !f.passes(s, c, category) {
				continue
			}
			r := changeRef{int32(i), k}
			switch {
			case f.Order != "time":
				largest.add(r, size(c))
			case total >= from && total < to:
				page = append(page, r)
			}
			total++
		}
	}
	if f.Order != "time" {
		page = largest.sorted()
		page = page[min(from, len(page)):]
	}
	return page, total
}

func size(c *composition.Change) int32 { return max(c.Delta, -c.Delta) }

// ranking keeps the largest changes that it has room for, so that a page of them needs no sorting of all. It is a heap with
// the smallest on top; of two that are equal the later one counts as smaller.
type ranking struct {
	s    *Session
	room int
	heap []ranked
}

type ranked struct {
	changeRef
	size int32
}

// below reports whether a belongs behind b.
func below(a, b ranked) bool {
	if a.size != b.size {
		return a.size < b.size
	}
	return a.change > b.change
}

func (r *ranking) add(ref changeRef, size int32) {
	v := ranked{ref, size}
	if len(r.heap) < r.room {
		r.heap = append(r.heap, v)
		for i := len(r.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !below(r.heap[i], r.heap[up]) {
				break
			}
			r.heap[i], r.heap[up] = r.heap[up], r.heap[i]
			i = up
		}
		return
	}
	if len(r.heap) > 0 && below(r.heap[0], v) {
		r.heap[0] = v
		r.sink(len(r.heap))
	}
}

// sink puts the top of the first n back in its place.
func (r *ranking) sink(n int) {
	for i := 0; ; {
		low := 2*i + 1
		if low >= n {
			return
		}
		if low+1 < n && below(r.heap[low+1], r.heap[low]) {
			low++
		}
		if !below(r.heap[low], r.heap[i]) {
			return
		}
		r.heap[i], r.heap[low] = r.heap[low], r.heap[i]
		i = low
	}
}

// sorted empties the heap, the largest first.
func (r *ranking) sorted() []changeRef {
	for n := len(r.heap) - 1; n > 0; n-- {
		r.heap[0], r.heap[n] = r.heap[n], r.heap[0]
		r.sink(n)
	}
	out := make([]changeRef, len(r.heap))
	for i, v := range r.heap {
		out[i] = v.changeRef
	}
	return out
}
