package codex

import (
	"cmp"
	"slices"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Key names the format in documents.
const Key = "codex"

// Settle replays the threads of all inputs of this format.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	st := &settling{a: a, threads: map[journal.Ref]*thread{}}
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, func(x, y *journal.Input) int {
		return cmp.Or(cmp.Compare(x.FirstTime(), y.FirstTime()), cmp.Compare(y.Records.Len(), x.Records.Len()), cmp.Compare(x.Name, y.Name))
	})
	for _, in := range inputs {
		st.input(in)
	}
	for _, t := range st.order {
		t.replay()
	}
}

// settling is the work on all inputs together.
type settling struct {
	a       *analysis.Analysis
	threads map[journal.Ref]*thread
	order   []*thread
}

// thread is one thread with its own records, in order.
type thread struct {
	st      *settling
	id      journal.Ref
	header  *journal.Record
	in      *journal.Input // that its header stands in
	records []record
	inputs  []int
	copied  int64 // records of another thread that stand in front of its own
}

// record is a record with the input it stands in.
type record struct {
	*journal.Record
	in    *journal.Input
	index int32
}

// reader sorts the records of one input into threads.
type reader struct {
	st     *settling
	in     *journal.Input
	thread *thread
	cursor int // in a replay: the next record of the thread that is expected; -1 outside
	prefix prefix
}

// prefix is the history of another thread that a fork or a subagent's rollout brings along.
type prefix struct {
	active bool
	last   int64 // time of the last record of it
	begun  int64 // time of the thread's own header
}

// input reads one input's records. Lines have no ids, so what was written twice is told by the sequence: when a header, or
// the very first record, comes again, the lines after it are skipped for as long as they follow what is known.
func (st *settling) input(in *journal.Input) {
	rd := &reader{st: st, in: in, cursor: -1}
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		if r.Kind == journal.Header {
			rd.header(r, i)
			continue
		}
		if rd.thread == nil {
			rd.open(0, nil)
		}
		rd.record(r, i)
	}
}

// header begins a thread, a replay of one that is known, or a copied history.
func (rd *reader) header(r *journal.Record, i int) {
	t := rd.thread
	switch known := rd.st.threads[r.Session]; {
	case rd.prefix.active && known != t && !rd.owns(r): // a fork of a fork brings all headers along
		rd.prefix.last = max(rd.prefix.last, r.At)
		rd.copied()
	case t != nil && t.header != nil && known != t && rd.isPrefix(t, r, i): // whether the other thread is open or not
		rd.prefix = prefix{active: true, last: r.At, begun: t.header.At}
		rd.copied()
	case r.Session != 0 && known != nil:
		rd.st.a.Duplicate[rd.in.Index]++
		rd.join(known)
	default:
		rd.open(r.Session, r)
		rd.thread.records = append(rd.thread.records, record{r, rd.in, int32(i)})
	}
}

// join goes on with a thread that is known: its records are expected to come again.
func (rd *reader) join(t *thread) {
	if rd.prefix.active && t == rd.thread {
		rd.prefix.active = false // its own header ends the copied history
		return
	}
	if rd.thread != t || rd.cursor < 0 { // a header in the middle of a replay stood there the first time too
		rd.cursor = 0
		if t.header != nil {
			rd.cursor = 1
		}
	}
	rd.thread, rd.prefix = t, prefix{}
	if !slices.Contains(t.inputs, rd.in.Index) {
		t.inputs = append(t.inputs, rd.in.Index)
	}
}

// copied counts a record of a copied history, in a replay as one that was there before.
func (rd *reader) copied() {
	if rd.cursor >= 0 {
		rd.st.a.Duplicate[rd.in.Index]++
		return
	}
	rd.thread.copied++
}

// isPrefix tells a header that belongs to a copied history from one that begins another session in the same input.
func (rd *reader) isPrefix(t *thread, r *journal.Record, i int) bool {
	for _, a := range []journal.Attr{journal.ForkedFrom, journal.ParentSession} {
		if p := t.in.Attribute(t.header, a); p != nil && p.Label == r.Session && (len(t.records) <= 2 || rd.cursor == 1) {
			return true
		}
	}
	if i == 0 {
		return false
	}
	above := rd.in.Records.At(i - 1) // a header right behind the thread's own, here or in a copy of it
	return above.Kind == journal.Header && above.Session == t.id
}

func (rd *reader) open(id journal.Ref, header *journal.Record) {
	rd.prefix, rd.cursor = prefix{}, -1
	rd.thread = &thread{st: rd.st, id: id, header: header, in: rd.in, inputs: []int{rd.in.Index}}
	rd.st.order = append(rd.st.order, rd.thread)
	if id != 0 {
		rd.st.threads[id] = rd.thread
	}
}

// record gives a record to its thread, unless it is copied history or stands there already.
func (rd *reader) record(r *journal.Record, i int) {
	t := rd.thread
	if rd.prefix.active {
		if !rd.owns(r) {
			rd.prefix.last = max(rd.prefix.last, r.At)
			rd.copied()
			return
		}
		rd.prefix.active = false
	}
	if rd.cursor < 0 && t.header == nil && r.At != 0 && len(t.records) > 0 && t.records[0].ID == r.ID && t.in == rd.in {
		rd.cursor = 0 // no header, but the first record again
	}
	if rd.cursor >= 0 {
		if rd.cursor < len(t.records) && t.records[rd.cursor].ID == r.ID {
			rd.cursor++
			rd.st.a.Duplicate[rd.in.Index]++
			return
		}
		rd.cursor = -1
	}
	t.records = append(t.records, record{r, rd.in, int32(i)})
}

// owns tells the first record of a thread's own behind a copied history. The history was written in one burst with new
// timestamps: it ends with a turn that began after the thread did, or with a pause.
func (rd *reader) owns(r *journal.Record) bool {
	const second = int64(1e9)
	if r.Kind == journal.Turn {
		if p := rd.in.Attribute(r, journal.StartedAt); p != nil && rd.prefix.begun != 0 {
			return int64(p.Units) >= rd.prefix.begun/second
		}
	}
	return r.At != 0 && rd.prefix.last != 0 && r.At-rd.prefix.last > second
}
