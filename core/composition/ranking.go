package composition

import (
	"cmp"
	"slices"
)

// A baseline lists the largest of all items. One or two in a session may look at all of them; where two models take turns,
// every snapshot is one, and the items are kept ranked by size then, so that it costs no more than what it lists.

// freeBaselines is how many baselines look at all items before they are ranked.
const freeBaselines = 8

// ranked is an item by its size and its position.
type ranked struct {
	tokens uint32
	at     int32
}

// before orders the largest first, those of one size by position.
func (r ranked) before(o ranked) bool {
	return r.tokens > o.tokens || r.tokens == o.tokens && r.at < o.at
}

// ranking is a heap of the live items, the largest on top. Items that left or changed since stay in it until they come up.
type ranking struct {
	heap []ranked
	kept bool // it has all items that there were at the last snapshot
	free int  // baselines that were made without
}

func (h *ranking) forget() { h.heap, h.kept = h.heap[:0], false }

func (h *ranking) push(r ranked) {
	h.heap = append(h.heap, r)
	for i := len(h.heap) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.heap[i].before(h.heap[up]) {
			return
		}
		h.heap[i], h.heap[up] = h.heap[up], h.heap[i]
		i = up
	}
}

func (h *ranking) pop() ranked {
	top, last := h.heap[0], len(h.heap)-1
	h.heap[0] = h.heap[last]
	h.heap = h.heap[:last]
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			return top
		}
		if k+1 < last && h.heap[k+1].before(h.heap[k]) {
			k++
		}
		if !h.heap[k].before(h.heap[i]) {
			return top
		}
		h.heap[i], h.heap[k] = h.heap[k], h.heap[i]
		i = k
	}
}

// rank reports whether the items are ranked, and ranks them once that saves work.
func (t *Tracker) rank() bool {
	h := &t.largest
	switch {
	case t.Len() <= 4*MaxChanges:
		h.forget()
		return false
	case h.free < freeBaselines:
		h.free++
		return false
	case h.kept:
		return true
	}
	h.forget()
	for i := range t.slots {
		if s := &t.slots[i]; s.live {
			h.heap = append(h.heap, ranked{s.now.Tokens, s.at})
		}
	}
	slices.SortFunc(h.heap, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.tokens, a.tokens), cmp.Compare(a.at, b.at)) })
	h.kept = true
	return true
}

// top lists the MaxChanges largest items, the largest first.
func (t *Tracker) top(list func(*slot)) {
	var found [MaxChanges]ranked
	n := 0
	for n < MaxChanges && len(t.largest.heap) > 0 {
		r := t.largest.pop()
		i, ok := slices.BinarySearchFunc(t.slots, r.at, func(s slot, at int32) int { return cmp.Compare(s.at, at) })
		if !ok || !t.slots[i].live || t.slots[i].now.Tokens != r.tokens || n > 0 && found[n-1] == r {
			continue // it left, or changed, or is in it twice
		}
		list(&t.slots[i])
		found[n] = r
		n++
	}
	for _, r := range found[:n] {
		t.largest.push(r)
	}
}
