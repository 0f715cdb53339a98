package muse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Settle replays the streams of all inputs of this format.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	st := &settling{a: a, streams: map[journal.Ref]*stream{}, seen: map[uint64]*stream{}, again: map[uint64]bool{}, main: map[int]*stream{}}
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, func(x, y *journal.Input) int {
		return cmp.Or(cmp.Compare(kept(x), kept(y)), cmp.Compare(x.FirstTime(), y.FirstTime()))
	})
	for _, in := range inputs {
		st.input(in)
	}
	st.link(inputs)
	for _, t := range st.order {
		if t.isSession() {
			t.replay()
		}
	}
}

// kept puts journals as they lie before exports, which can be redacted: what stands in both is taken from the first.
func kept(in *journal.Input) int {
	if n := in.Records.Len(); n > 0 && in.Records.At(n-1).Line == 0 {
		return 1
	}
	return 0
}

// settling is the work on all inputs together.
type settling struct {
	a       *analysis.Analysis
	streams map[journal.Ref]*stream
	order   []*stream
	seen    map[uint64]*stream // record id -> the stream that had it first
	again   map[uint64]bool    // ids that another stream has too, with that stream
	main    map[int]*stream    // input -> the stream with the most of its records
}

// stream is a session with its records, later in the order of their sequence.
type stream struct {
	st      *settling
	id      journal.Ref
	in      *journal.Input // that it was first seen in
	records []record
	inputs  []int
	copied  int64 // records that another stream has too, or that an export calls copied
	content bool
	header  bool

	parent     *stream
	parentID   journal.Ref
	parentCall journal.Ref
	role       journal.Ref
}

// record is a record with the input it stands in.
type record struct {
	*journal.Record
	in       *journal.Input
	index    int32
	sequence uint64
	copied   bool // its requests are another session's
}

func (t *stream) isSession() bool { return t.content || t.header }

// input sorts the records of one input into streams.
func (st *settling) input(in *journal.Input) {
	if isReview(in.Path) {
		st.leaveOut(in, in.Values)
		return
	}
	copied := map[journal.Ref]bool{}
	for i := range in.Records.Len() {
		if r := in.Records.At(i); marked(in, r, attrListed) {
			st.listed(in, r, copied)
		}
	}
	reviewed, brought := int64(0), int64(0)
	counts := map[*stream]int{}
	t := st.named(in, copied)
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		switch {
		case marked(in, r, attrListed):
			continue
		case marked(in, r, attrReview):
			reviewed++
			continue
		case copied[r.Session]:
			brought++
			continue
		}
		if r.Session != 0 && t.id != r.Session {
			t = st.stream(in, r.Session)
		}
		st.record(t, in, r, int32(i))
		counts[t]++
		if m := st.main[in.Index]; m == nil || counts[t] > counts[m] {
			st.main[in.Index] = t
		}
	}
	if reviewed > 0 {
		st.leaveOut(in, reviewed)
	}
	if brought > 0 {
		st.broughtAlong(in, brought)
	}
}

// named is the first stream that an input names; records before it that name none belong to it. Where none is named at all, the
// input itself is one.
func (st *settling) named(in *journal.Input, copied map[journal.Ref]bool) *stream {
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		if r.Session != 0 && !copied[r.Session] && !marked(in, r, attrListed) && !marked(in, r, attrReview) {
			return st.stream(in, r.Session)
		}
	}
	return st.begin(in, 0)
}

// marked tells a record that is none of a session's: its first part says so.
func marked(in *journal.Input, r *journal.Record, a journal.Attr) bool {
	return r.Parts > 0 && in.Part(r, 0).Kind == journal.Attribute && in.Part(r, 0).Attr == a
}

// isReview tells by its folder the journal of an approval review.
func isReview(path string) bool {
	return slices.Contains(splitPath(path), "approval-review")
}

func splitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}

func (st *settling) leaveOut(in *journal.Input, n int64) {
	st.a.Warn(in.Index, journal.Warning{Code: journal.WarnLeftOut,
		Message: fmt.Sprintf("%d records of an approval review were left out: it has a clock of its own and is no session", n),
		Hint:    "open the session.jsonl of the session that was reviewed"})
}

func (st *settling) stream(in *journal.Input, id journal.Ref) *stream {
	if t := st.streams[id]; t != nil {
		return t
	}
	t := st.begin(in, id)
	st.streams[id] = t
	return t
}

func (st *settling) begin(in *journal.Input, id journal.Ref) *stream {
	t := &stream{st: st, id: id, in: in}
	st.order = append(st.order, t)
	return t
}

// listed takes over an entry of an export's list of sessions.
func (st *settling) listed(in *journal.Input, r *journal.Record, copied map[journal.Ref]bool) {
	if r.Flags&journal.Sidechain != 0 {
		copied[r.Session] = true
		return
	}
	if p := in.Attribute(r, journal.ParentSession); p != nil && p.Label != r.Session {
		t := st.stream(in, r.Session)
		t.parentID = p.Label
	}
}

// broughtAlong notes the records of a session that an export only holds because another one was forked from it: that session
// is to be seen in its own journal.
func (st *settling) broughtAlong(in *journal.Input, n int64) {
	if t := st.main[in.Index]; t != nil {
		t.copied += n
	}
	st.a.Warn(in.Index, journal.Warning{Code: journal.WarnCopy,
		Message: fmt.Sprintf("%d records of a session that this export calls copied context were left out", n),
		Hint:    "open the journal of that session to see it"})
}

// record gives a record to its stream, unless it stands there already.
func (st *settling) record(t *stream, in *journal.Input, r *journal.Record, index int32) {
	if n := len(t.inputs); n == 0 || t.inputs[n-1] != in.Index {
		t.inputs = append(t.inputs, in.Index)
	}
	other := false
	if r.ID != 0 {
		first, known := st.seen[r.ID]
		switch {
		case !known:
			st.seen[r.ID] = t
		case first == t:
			st.a.Duplicate[in.Index]++
			return
		default:
			k := journal.Fold(r.ID, int64(t.id))
			if st.a.Duplicate[in.Index]++; st.again[k] {
				return
			}
			st.again[k], other = true, true
			t.copied++
		}
	}
	t.content = t.content || r.Kind != journal.Link && r.Kind != journal.Header && r.Kind != journal.Turn
	t.header = t.header || r.Kind == journal.Header
	t.records = append(t.records, record{r, in, index, r.Parent, other})
}

// arrange puts the records into the order of their sequence. One without a number stays behind the one it follows.
func (t *stream) arrange() {
	last := uint64(0)
	sorted := true
	for i := range t.records {
		r := &t.records[i]
		if r.sequence == 0 {
			r.sequence = last
		}
		sorted = sorted && r.sequence >= last
		last = r.sequence
	}
	if !sorted {
		slices.SortStableFunc(t.records, func(x, y record) int { return cmp.Compare(x.sequence, y.sequence) })
	}
}
