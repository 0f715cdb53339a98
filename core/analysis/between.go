package analysis

import (
	"cmp"
	"slices"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// BetweenQuestion asks what lies between two samples of a session.
type BetweenQuestion struct {
	From, To int    // samples
	Change   string // "added", "removed" or "replaced"; "" for all
	Offset   int
	Limit    int
}

// Between is what two samples hold, compared piece by piece. It does not matter which of them is the earlier one.
type Between struct {
	From, To int
	Kept     BetweenSum
	Added    BetweenSum
	Removed  BetweenSum
	Replaced BetweenSum
	Rows     []BetweenRow // the largest differences first
	Total    int
	Unlisted int64 // content that a recording counted in between and did not list
}

// BetweenSum is the size of some pieces on both sides.
type BetweenSum struct{ Items, Before, After int64 }

func (s *BetweenSum) add(before, after uint32) {
	s.Items++
	s.Before += int64(before)
	s.After += int64(after)
}

// BetweenRow is a piece that is not the same in both samples. Before or After is Unknown where the sample does not have it.
type BetweenRow struct {
	Change   string // "added", "removed", "replaced"
	Tool     string // as in ChangeRow
	Detail   string
	Category string
	Before   int64
	After    int64
	Input    int
	Line     int64
	Offset   int64
	Length   int64
}

// identity tells the pieces of a context apart over time.
type identity struct {
	prefix        composition.Prefix
	name          journal.Ref
	part          uint16
	input, record int32 // of what has no name
}

func identityOf(st *composition.Stay) identity {
	if st.Name != 0 {
		return identity{prefix: st.Prefix, name: st.Name, part: st.Part}
	}
	return identity{st.Prefix, 0, st.Part, st.Input, st.Record}
}

// difference is a piece on one side or on both.
type difference struct{ before, after *composition.Stay }

func (d *difference) delta() int64 {
	n := int64(0)
	if d.after != nil {
		n = int64(d.after.Tokens)
	}
	if d.before != nil {
		n -= int64(d.before.Tokens)
	}
	return max(n, -n)
}

func (d *difference) change() string {
	switch {
	case d.before == nil:
		return "added"
	case d.after == nil:
		return "removed"
	}
	return "replaced"
}

// Between compares two samples.
func (a *Analysis) Between(session int, q BetweenQuestion) *Between {
	out := &Between{From: q.From, To: q.To}
	if session < 0 || session >= len(a.Sessions) {
		return out
	}
	s := a.Sessions[session]
	if n := len(s.Snapshots); q.From < 0 || q.To < 0 || q.From >= n || q.To >= n {
		return out
	}
	var list []difference
	for _, d := range s.differences(out, int32(q.From), int32(q.To)) {
		if q.Change == "" || d.change() == q.Change {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b difference) int { return cmp.Compare(b.delta(), a.delta()) })
	out.Total = len(list)
	list = list[min(max(0, q.Offset), len(list)):]
	if q.Limit > 0 {
		list = list[:min(q.Limit, len(list))]
	}
	for i := range list {
		out.Rows = append(out.Rows, a.betweenRow(s, &list[i]))
	}
	for i := min(q.From, q.To); i <= max(q.From, q.To); i++ {
		if n := &s.Snapshots[i]; n.recorded {
			out.Unlisted += int64(n.Omitted)
		}
	}
	return out
}

// differences finds the pieces that two samples do not share, and adds all pieces up.
func (s *Session) differences(out *Between, from, to int32) []difference {
	var list []difference
	left := map[identity]int{}
	stays := &s.tracker.Ledger.Stays
	for i := range stays.Len() {
		st := stays.At(i)
		was, is := st.In(from), st.In(to)
		if was && is {
			out.Kept.add(st.Tokens, st.Tokens)
		} else if was {
			left[identityOf(st)] = len(list)
			list = append(list, difference{before: st})
		} else if is {
			list = append(list, difference{after: st})
		}
	}
	n := 0
	replaced := map[int]bool{}
	for i := range list {
		d := &list[i]
		if d.before != nil {
			continue
		}
		k := identityOf(d.after)
		if at, ok := left[k]; ok {
			list[at].after = d.after
			delete(left, k)
			replaced[i] = true
		}
	}
	for i := range list {
		if replaced[i] {
			continue
		}
		d := list[i]
		list[n] = d
		n++
		switch d.change() {
		case "added":
			out.Added.add(0, d.after.Tokens)
		case "removed":
			out.Removed.add(d.before.Tokens, 0)
		default:
			out.Replaced.add(d.before.Tokens, d.after.Tokens)
		}
	}
	return list[:n]
}

func (a *Analysis) betweenRow(s *Session, d *difference) BetweenRow {
	st := cmp.Or(d.after, d.before)
	row := BetweenRow{Change: d.change(), Before: Unknown, After: Unknown}
	if d.before != nil {
		row.Before = int64(d.before.Tokens)
	}
	if d.after != nil {
		row.After = int64(d.after.Tokens)
	}
	change := &composition.Change{Item: st.Item()}
	row.Category = a.category(change)
	records := &a.Inputs[st.Input].Records
	if int(st.Record) >= records.Len() {
		row.Tool = a.Strings.Get(st.Label)
		return row
	}
	rec := records.At(int(st.Record))
	src := rec.Place(int(st.Input))
	row.Input, row.Line, row.Offset, row.Length = src.Input, int64(src.Line), src.Offset, src.Length
	row.Tool, row.Detail = a.describe(s, change, rec)
	return row
}
