package composition

import "contextscope/core/journal"

// Stay is the time that a piece of content was in the context with one size: 44 bytes, no pointers.
type Stay struct {
	Name     journal.Ref // of the item, where it goes by a name
	Call     journal.Ref
	Label    journal.Ref
	Other    journal.Ref
	Input    int32 // where it stands
	Record   int32
	Tokens   uint32
	Since    int32 // the first snapshot that has it
	Until    int32 // the first one that has it no more; StillThere while it is there
	Part     uint16
	Category journal.Category
	Source   SourceKind
	Prefix   Prefix
}

// Item is the item as far as a Stay keeps it.
func (s *Stay) Item() Item {
	return Item{ID: ID{Name: s.Name, Part: s.Part, Prefix: s.Prefix}, Tokens: s.Tokens, Call: s.Call, Label: s.Label, Input: s.Input,
		Record: s.Record, Other: s.Other, Category: s.Category, Source: s.Source}
}

// StillThere is the end of a stay that has none.
const StillThere int32 = -1

// Ledger is the stays of one context, in the order in which they began. The zero value is that of an empty one.
type Ledger struct {
	Stays journal.Column[Stay]
	Taken int32            // snapshots
	open  map[uint64]int32 // key of an item -> its stay, where the items themselves are recorded elsewhere
}

// In reports whether a snapshot has what stays.
func (s *Stay) In(snapshot int32) bool {
	return s.Since <= snapshot && (s.Until == StillThere || snapshot < s.Until)
}

func (l *Ledger) enter(it *Item) int32 {
	l.Stays.Append(Stay{Name: it.ID.Name, Call: it.Call, Label: it.Label, Other: it.Other, Input: it.Input, Record: it.Record, Tokens: it.Tokens,
		Since: l.Taken, Until: StillThere, Category: it.Category, Source: it.Source, Part: it.ID.Part, Prefix: it.ID.Prefix})
	return int32(l.Stays.Len() - 1)
}

func (l *Ledger) leave(stay int32) { l.Stays.At(int(stay)).Until = l.Taken }

// Follow takes the changes of a snapshot that was recorded elsewhere. What a baseline does not list is gone.
func (l *Ledger) Follow(baseline bool, changes []Change) {
	if l.open == nil {
		l.open = map[uint64]int32{}
	}
	before := l.open
	if baseline {
		l.open = make(map[uint64]int32, len(changes))
	}
	for i := range changes {
		c := &changes[i]
		k := c.ID.key()
		old, there := before[k]
		switch {
		case c.Kind == Removed:
			if there {
				l.leave(old)
				delete(l.open, k)
			}
			continue
		case there && l.Stays.At(int(old)).Tokens == c.Tokens:
			l.open[k] = old
			continue
		case there && !baseline:
			l.leave(old)
		}
		if c.Tokens > 0 {
			l.open[k] = l.enter(&c.Item)
		}
	}
	if baseline {
		for k, old := range before {
			if now, ok := l.open[k]; !ok || now != old {
				l.leave(old)
			}
		}
	}
	l.Taken++
}

// Fit gives back what only the following of changes needed.
func (l *Ledger) Fit() {
	l.Stays.Fit()
	l.open = nil
}
