package composition

import (
	"slices"

	"contextscope/core/journal"
)

// Tracker holds the items of one session and what they were at the last snapshot. The zero value is an empty session.
//
// It gives the same snapshots as comparing the whole lists would (facts of schema version 1, section 2.7), but looks only
// at the items that were touched in between.
type Tracker struct {
	Ledger  Ledger
	index   map[uint64]int32 // key of a live item -> slot
	slots   []slot           // in the order of their position; dead ones are swept now and then
	dead    int
	next    int32 // position of the next new slot
	touched []int32
	counts  Counts
	live    [journal.NumCategories]int32
	began   bool
	reset   bool
	model   journal.Ref
	before  map[int32]Item // what replaced items were at the last snapshot
	changes []Change       // of the last snapshot; used again
	largest ranking        // of the live items, where baselines come again and again
}

// slot is one position in the list of items. What the item was at the last snapshot is kept as far as it can differ; the
// rest of it only for items that were replaced since, in Tracker.before.
type slot struct {
	now         Item
	at          int32 // its position: slots are in this order
	wasTokens   uint32
	wasAt       int32 // its position then
	stay        int32 // in the ledger, while it is live
	wasCategory journal.Category
	live        bool
	had         bool // it was there at the last snapshot
	touched     bool
}

// Len is the number of items.
func (t *Tracker) Len() int { return len(t.slots) - t.dead }

// Put adds an item, or replaces the one with its id: the last value wins, the first position is kept.
func (t *Tracker) Put(it Item) {
	if t.index == nil {
		t.index = map[uint64]int32{}
	}
	k := it.ID.key()
	if i, ok := t.index[k]; ok {
		s := &t.slots[i]
		if !s.live {
			t.revive(k, i, it)
			return
		}
		t.remember(i)
		t.count(&s.now, -1)
		if it.Tokens != s.now.Tokens || it.Category != s.now.Category {
			t.Ledger.leave(s.stay)
			s.stay = t.Ledger.enter(&it)
		}
		s.now = it
		t.count(&s.now, 1)
		t.touch(i)
		return
	}
	t.append(k, slot{now: it})
}

// append adds a live slot at the end.
func (t *Tracker) append(k uint64, s slot) {
	i := int32(len(t.slots))
	s.at, s.live, s.stay = t.next, true, t.Ledger.enter(&s.now)
	t.next++
	t.slots = append(t.slots, s)
	t.index[k] = i
	t.count(&s.now, 1)
	t.touch(i)
}

// revive brings back an item that had been removed since the last snapshot: it takes a new position, and what it was
// moves along, so that it counts as replaced and not as new.
func (t *Tracker) revive(k uint64, old int32, it Item) {
	s := t.slots[old]
	if s.had {
		t.remember(old)
		t.before[int32(len(t.slots))] = t.before[old]
		t.slots[old].had = false
	}
	t.append(k, slot{now: it, wasTokens: s.wasTokens, wasCategory: s.wasCategory, wasAt: s.wasAt, had: s.had})
}

// remember keeps what an item was at the last snapshot before it is replaced.
func (t *Tracker) remember(i int32) {
	if !t.slots[i].had {
		return
	}
	if t.before == nil {
		t.before = map[int32]Item{}
	}
	if _, ok := t.before[i]; !ok {
		t.before[i] = t.slots[i].now
	}
}

// Has reports whether the item is there.
func (t *Tracker) Has(id ID) bool {
	i, ok := t.index[id.key()]
	return ok && t.slots[i].live
}

// Find is the item with an id, nil when it is not there. It is valid until the next change.
func (t *Tracker) Find(id ID) *Item {
	if i, ok := t.index[id.key()]; ok && t.slots[i].live {
		return &t.slots[i].now
	}
	return nil
}

// Remove takes an item out; reports whether it was there.
func (t *Tracker) Remove(id ID) bool {
	i, ok := t.index[id.key()]
	if !ok || !t.slots[i].live {
		return false
	}
	t.kill(i)
	return true
}

// Retain takes out every item that keep refuses and returns how many left.
func (t *Tracker) Retain(keep func(*Item) bool) int {
	n := 0
	for i := range t.slots {
		if s := &t.slots[i]; s.live && !keep(&s.now) {
			t.kill(int32(i))
			n++
		}
	}
	if t.dead > 64 && t.dead > len(t.slots)/2 {
		t.squeeze()
	}
	return n
}

// squeeze drops the dead slots that were not there at the last snapshot either: nothing will be said of them. Without it,
// a person who goes back again and again between two snapshots would leave a slot for every item each time.
func (t *Tracker) squeeze() {
	before := make(map[int32]Item, len(t.before))
	t.touched = t.touched[:0]
	n := int32(0)
	for i := range int32(len(t.slots)) {
		s := t.slots[i]
		k := s.now.ID.key()
		mine := t.index[k] == i
		if !s.live && !s.had {
			if mine {
				delete(t.index, k)
			}
			t.dead--
			continue
		}
		if mine {
			t.index[k] = n
		}
		if was, ok := t.before[i]; ok {
			before[n] = was
		}
		if s.touched {
			t.touched = append(t.touched, n)
		}
		t.slots[n] = s
		n++
	}
	clear(t.slots[n:])
	t.slots, t.before = t.slots[:n], before
}

// Reset makes the next snapshot a baseline.
func (t *Tracker) Reset() { t.reset = true }

func (t *Tracker) kill(i int32) {
	s := &t.slots[i]
	s.live = false
	t.Ledger.leave(s.stay)
	t.dead++
	t.count(&s.now, -1)
	t.touch(i)
}

func (t *Tracker) touch(i int32) {
	if s := &t.slots[i]; !s.touched {
		s.touched = true
		t.touched = append(t.touched, i)
	}
}

func (t *Tracker) count(it *Item, sign int32) {
	c := it.Category
	t.live[c] += sign
	t.counts.Tokens[c] += uint32(sign) * it.Tokens
	if t.live[c] > 0 {
		t.counts.Has |= 1 << c
	} else {
		t.counts.Has &^= 1 << c
	}
}

// Snapshot takes a snapshot and returns it with its changes, of which the MaxChanges largest are listed. The changes are
// valid until the next call. First is left for the caller.
func (t *Tracker) Snapshot(m Moment) (Snapshot, []Change) {
	s := Snapshot{Moment: m, Counts: t.counts, Baseline: !t.began || t.reset || m.Model != t.model}
	if m.Override != nil {
		s.Counts = *m.Override
	}
	s.Override = nil
	var changes []Change
	n := t.Len()
	if s.Baseline { // the past says nothing
		t.settle()
		changes = t.everything()
	} else {
		changes = t.difference()
		n = len(changes)
		t.settle()
	}
	t.changes = changes
	t.Ledger.Taken++
	t.began, t.reset, t.model = true, false, m.Model

	slices.SortStableFunc(changes, func(a, b Change) int { return int(size(b)) - int(size(a)) })
	changes = changes[:min(len(changes), MaxChanges)]
	s.Omitted = uint32(n - len(changes))
	s.N = uint32(len(changes))
	return s, changes
}

func size(c Change) int32 { return max(c.Delta, -c.Delta) }

// everything lists the live items in their order, or only the largest where the items are ranked.
func (t *Tracker) everything() []Change {
	out := t.changes[:0]
	list := func(s *slot) { out = append(out, Change{Item: s.now, Delta: int32(s.now.Tokens), Kind: Baseline}) }
	if t.rank() {
		t.top(list)
		return out
	}
	for i := range t.slots {
		if s := &t.slots[i]; s.live {
			list(s)
		}
	}
	return out
}

// difference lists what was touched: first what is there, in its order, then what has left, in the order it had.
func (t *Tracker) difference() []Change {
	slices.Sort(t.touched)
	out := t.changes[:0]
	var gone []int32
	for _, i := range t.touched {
		switch s := &t.slots[i]; {
		case s.live && !s.had:
			out = append(out, Change{Item: s.now, Delta: int32(s.now.Tokens), Kind: Added})
		case s.live && (s.now.Tokens != s.wasTokens || s.now.Category != s.wasCategory):
			out = append(out, Change{Item: s.now, Delta: int32(s.now.Tokens) - int32(s.wasTokens), Kind: Replaced})
		case !s.live && s.had:
			gone = append(gone, i)
		}
	}
	slices.SortFunc(gone, func(a, b int32) int { return int(t.slots[a].wasAt - t.slots[b].wasAt) })
	for _, i := range gone {
		was, ok := t.before[i]
		if !ok {
			was = t.slots[i].now
		}
		out = append(out, Change{Item: was, Delta: -int32(was.Tokens), Kind: Removed})
	}
	return out
}

// settle makes the present the past.
func (t *Tracker) settle() {
	clear(t.before)
	if t.dead > 64 && t.dead > len(t.slots)/2 {
		t.sweep()
		return
	}
	for _, i := range t.touched {
		s := &t.slots[i]
		if t.largest.kept && s.live && (!s.had || s.now.Tokens != s.wasTokens) {
			t.largest.push(ranked{s.now.Tokens, s.at})
		}
		s.wasTokens, s.wasCategory, s.wasAt, s.had, s.touched = s.now.Tokens, s.now.Category, s.at, s.live, false
		if !s.live {
			if k := s.now.ID.key(); t.index[k] == i {
				delete(t.index, k)
			}
		}
	}
	t.touched = t.touched[:0]
}

// sweep drops the dead slots; every live item is now one that was there.
func (t *Tracker) sweep() {
	clear(t.index)
	n := 0
	for i := range t.slots {
		s := &t.slots[i]
		if !s.live {
			continue
		}
		t.slots[n] = slot{now: s.now, at: int32(n), wasTokens: s.now.Tokens, wasCategory: s.now.Category, wasAt: int32(n), stay: s.stay, live: true, had: true}
		t.index[s.now.ID.key()] = int32(n)
		n++
	}
	clear(t.slots[n:])
	t.largest.forget() // positions are others now
	t.slots, t.dead, t.next = t.slots[:n], 0, int32(n)
	t.touched = t.touched[:0]
}

// Adopt names the model that the snapshots so far belong to.
func (t *Tracker) Adopt(model journal.Ref) { t.model = model }
