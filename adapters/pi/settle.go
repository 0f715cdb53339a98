package pi

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Key names the format in documents.
const Key = "pi"

// Settle replays the sessions of all inputs of this format.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	st := &settling{a: a, trees: map[journal.Ref]*tree{}}
	inputs = slices.Clone(inputs)
	slices.SortStableFunc(inputs, func(x, y *journal.Input) int {
		return cmp.Or(cmp.Compare(x.FirstTime(), y.FirstTime()), cmp.Compare(y.Records.Len(), x.Records.Len()), cmp.Compare(x.Name, y.Name))
	})
	for _, in := range inputs {
		st.input(in)
	}
	st.link()
	if len(st.order) > 1 {
		st.copies()
	}
	for _, t := range st.order {
		t.settle()
	}
}

// settling is the work on all inputs together.
type settling struct {
	a     *analysis.Analysis
	trees map[journal.Ref]*tree
	order []*tree
}

// tree is one session: all its entries in the order in which they were written, each once.
type tree struct {
	st      *settling
	id      journal.Ref
	header  *journal.Record
	in      *journal.Input // that its header stands in
	inputs  []int
	entries []entryAt
	byID    map[uint64]int32
	parent  *tree
	placed  bool

	leaf   int32  // the entry at which the living branch ends, -1 for none
	target uint64 // … or the id of it, where a leaf record says so
	named  bool   // a leaf record says so
	leafAt int64
	leafIn *journal.Input

	own    int // entries that no other session had before
	copied int64
}

// entryAt is an entry with the input it stands in.
type entryAt struct {
	*journal.Record
	in     *journal.Input
	index  int32
	path   int32 // position on the living branch, -1 when it is not on it
	print  uint64
	copied bool // another session had it before
}

// reader sorts the records of one input into sessions.
type reader struct {
	st     *settling
	in     *journal.Input
	tree   *tree
	cursor int // in a replay: the next entry of the session that is expected; -1 outside
}

// input reads one input's records. An entry with an id stands once whatever happens. Those without are told by the sequence:
// when a header, or the very first entry, comes again, the entries after it are skipped for as long as they follow what is known.
func (st *settling) input(in *journal.Input) {
	rd := &reader{st: st, in: in, cursor: -1}
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		if r.Kind == journal.Header {
			rd.header(r)
			continue
		}
		if rd.tree == nil {
			rd.open(0, nil)
		}
		rd.entry(r, i)
	}
}

func (rd *reader) header(r *journal.Record) {
	t := rd.st.trees[r.Session]
	if r.Session == 0 { // without an id only the same moment tells that it is the same
		if t = rd.tree; t != nil && (t.header == nil || t.id != 0 || t.header.At != r.At) {
			t = nil
		}
	}
	if t == nil {
		rd.open(r.Session, r)
		return
	}
	rd.st.a.Duplicate[rd.in.Index]++
	rd.tree, rd.cursor = t, 0
	if !slices.Contains(t.inputs, rd.in.Index) {
		t.inputs = append(t.inputs, rd.in.Index)
	}
}

func (rd *reader) open(id journal.Ref, header *journal.Record) {
	rd.cursor = -1
	rd.tree = &tree{st: rd.st, id: id, header: header, in: rd.in, inputs: []int{rd.in.Index}, byID: map[uint64]int32{}, leaf: -1}
	rd.st.order = append(rd.st.order, rd.tree)
	if id != 0 {
		rd.st.trees[id] = rd.tree
	}
}

// entry gives a record to its session, unless it stands there already.
func (rd *reader) entry(r *journal.Record, i int) {
	t := rd.tree
	e := entryAt{Record: r, in: rd.in, index: int32(i), path: -1, print: fingerprint(rd.in, r)}
	if rd.cursor < 0 && t.header == nil && r.ID == 0 && r.At != 0 && len(t.entries) > 0 && t.in == rd.in && t.entries[0].same(&e) {
		rd.cursor = 0 // no header, but the first entry again
	}
	again := false
	if rd.cursor >= 0 {
		if again = rd.cursor < len(t.entries) && t.entries[rd.cursor].same(&e); again {
			rd.cursor++
		} else {
			rd.cursor = -1
		}
	}
	if r.ID != 0 {
		_, again = t.byID[r.ID]
	}
	if again {
		rd.st.a.Duplicate[rd.in.Index]++
		return
	}
	t.add(e)
}

func (e *entryAt) same(o *entryAt) bool { return e.ID == o.ID && e.print == o.print }

// add appends an entry. The living branch ends at the last one, or at the one that a leaf record at the end names; of several
// inputs the one that was written to last decides.
func (t *tree) add(e entryAt) {
	n := int32(len(t.entries))
	t.entries = append(t.entries, e)
	if e.ID != 0 {
		t.byID[e.ID] = n
	}
	if t.leafIn != nil && t.leafIn != e.in && e.At < t.leafAt {
		return
	}
	t.leafIn, t.leafAt = e.in, e.At
	if t.leaf, t.named = n, e.Kind == journal.Rollback; t.named {
		t.target = e.in.Part(e.Record, 0).Hash
	}
}

// fingerprint is a hash of what an entry says apart from its ids: copies of it have the same.
func fingerprint(in *journal.Input, r *journal.Record) uint64 {
	h := fold(1, r.At, int64(r.Kind))
	if r.Flags&journal.HasUsage != 0 {
		u := in.Usages.At(int(r.Usage))
		h = fold(fold(h, int64(u.Input), int64(u.Output)), int64(u.CacheRead), int64(u.Model))
	}
	for i := range int(r.Parts) {
		if p := in.Part(r, i); p.Kind != journal.KeptFrom { // an index became an id when the version changed
			h = fold(h, int64(p.Units)<<32|int64(p.ID), int64(p.Hash))
			h = fold(h, int64(p.Label), int64(p.Category)<<8|int64(p.Kind))
		}
	}
	return h
}

func fold(h uint64, a, b int64) uint64 {
	var bytes [24]byte
	binary.LittleEndian.PutUint64(bytes[:], h)
	binary.LittleEndian.PutUint64(bytes[8:], uint64(a))
	binary.LittleEndian.PutUint64(bytes[16:], uint64(b))
	return journal.Hash(bytes[:])
}

// link finds the parents that headers name, and puts them before their children.
func (st *settling) link() {
	byFile := map[string]*tree{}
	for _, t := range st.order {
		for _, i := range t.inputs {
			if name := st.a.Inputs[i].Name; byFile[name] == nil {
				byFile[name] = t
			}
		}
	}
	for _, t := range st.order {
		for _, a := range []journal.Attr{journal.ParentSession, journal.ForkedFrom} {
			if p := t.attribute(a); p != nil && t.parent == nil {
				t.parent = st.named(p.Label, byFile)
			}
		}
	}
	order := st.order
	st.order = make([]*tree, 0, len(order))
	for _, t := range order {
		st.place(t)
	}
}

// named finds a session by its id, or by the path of its file: …/<time>_<id>.jsonl.
func (st *settling) named(ref journal.Ref, byFile map[string]*tree) *tree {
	if t := st.trees[ref]; t != nil {
		return t
	}
	path := st.a.Strings.Get(ref)
	file := path[strings.LastIndexAny(path, `/\`)+1:]
	if _, id, ok := strings.Cut(strings.TrimSuffix(file, ".jsonl"), "_"); ok {
		if t := st.trees[st.a.Strings.Put([]byte(id))]; t != nil {
			return t
		}
	}
	return byFile[file]
}

// place lists a session behind its ancestors. A circle of parents is cut where it is entered.
func (st *settling) place(t *tree) {
	var line []*tree
	for ; t != nil && !t.placed; t = t.parent {
		t.placed = true
		line = append(line, t)
	}
	for i := len(line) - 1; i >= 0; i-- {
		st.order = append(st.order, line[i])
	}
}

// name is the session's id, or the name of its file when it has none.
func (t *tree) name() string {
	if t.id == 0 {
		return t.in.Name
	}
	return t.in.Strings.Get(t.id)
}

func (t *tree) attribute(a journal.Attr) *journal.Part {
	if t.header == nil {
		return nil
	}
	return t.in.Attribute(t.header, a)
}

// copies finds the entries that a fork brought along from another session. Ids of eight digits repeat among thousands of
// sessions, so moment and content decide; an entry that lacks one of them is told by its id as well, and one without an id too
// is no copy of anything: two people who say "continue" are two.
func (st *settling) copies() {
	first := map[uint64]*tree{}
	for _, t := range st.order {
		for i := range t.entries {
			e := &t.entries[i]
			key := e.print
			if e.At == 0 || !e.says() {
				if e.ID == 0 {
					continue
				}
				key = fold(key, int64(e.ID), 0)
			}
			if o := first[key]; o == nil {
				first[key] = t
			} else if o != t {
				e.copied = true
				t.copied++
				st.a.Duplicate[e.in.Index]++
			}
		}
	}
}

// says reports whether an entry has content of its own that tells it from others of the same moment.
func (e *entryAt) says() bool {
	if e.Flags&journal.HasUsage != 0 {
		return true
	}
	for i := range int(e.Parts) {
		if p := e.in.Part(e.Record, i); p.Units > 0 {
			return true
		}
	}
	return false
}

// settle replays a session, unless it has nothing that another had not before.
func (t *tree) settle() {
	for i := range t.entries {
		if e := &t.entries[i]; !e.copied && (e.ID != 0 || e.says()) {
			t.own++
		}
	}
	if t.copied > 0 && t.own == 0 {
		t.st.a.Warn(t.in.Index, journal.Warning{Code: journal.WarnCopy,
			Message: fmt.Sprintf("all %d records of a session in this file were read from another file already; it adds no session", t.copied),
			Hint:    "open it alone to see it by itself"})
		return
	}
	s := t.st.a.NewSession(Key, t.name(), t.in.Index)
	s.Inputs, s.Copied = t.inputs, t.copied
	switch {
	case t.copied > 0 || t.attribute(journal.ForkedFrom) != nil:
		s.Role = "fork" // it goes on beside the session that it comes from, not inside of it
	case t.parent != nil:
		s.Parent = t.parent.name()
	}
	p := &player{t: t, s: s, path: t.branch(), owners: map[owner]int64{}, edits: map[int32]*entryAt{}, system: -1}
	p.replay()
	t.st.a.Keep(s)
}
