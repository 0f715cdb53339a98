package agentstrace

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Key names the format in documents.
const Key = "agent-strace"

// Settle sorts the events of all inputs into sessions and replays them.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	st := &settling{a: a, byID: map[journal.Ref]*trace{}}
	for _, in := range inOrder(inputs) {
		st.input(in)
	}
	st.metas()
	for _, t := range st.traces {
		t.replay()
	}
}

// inOrder puts inputs in the order in which they begin: a session may go on from file to file.
func inOrder(inputs []*journal.Input) []*journal.Input {
	first := make(map[*journal.Input]int64, len(inputs))
	for _, in := range inputs {
		for i := range in.Records.Len() {
			if r := in.Records.At(i); r.At != 0 && r.Kind != journal.Name {
				first[in] = r.At
				break
			}
		}
	}
	out := slices.Clone(inputs)
	slices.SortStableFunc(out, func(x, y *journal.Input) int {
		return cmp.Or(cmp.Compare(first[x], first[y]), cmp.Compare(x.Name, y.Name))
	})
	return out
}

// settling is the work on all inputs together.
type settling struct {
	a      *analysis.Analysis
	byID   map[journal.Ref]*trace
	traces []*trace
	notes  []note
}

// note is a meta.json.
type note struct {
	in *journal.Input
	r  *journal.Record
}

// record is an event with the input it stands in.
type record struct {
	*journal.Record
	in    *journal.Input
	index int32
}

// trace is one session: its events once each, by stream.
type trace struct {
	st       *settling
	id       journal.Ref
	in       *journal.Input // where it was met first
	inputs   []int
	seen     map[uint64]bool
	streams  []*stream
	byName   map[journal.Ref]*stream
	calls    map[uint64]journal.Ref // event of a call -> id of the call
	asked    map[uint64]place       // event of a request -> the request
	provider journal.Ref
	model    journal.Ref
	meta     *note
	from, to int64 // of what belongs to no stream
	folder   journal.Ref
	budget   int64
	ended    bool
}

// place is a request of a stream.
type place struct {
	stream *stream
	number int
}

// input sorts the events of one input. An event without a session belongs to that of the event before it, or to the first
// one that is named.
func (st *settling) input(in *journal.Input) {
	var t *trace
	for i := range in.Records.Len() {
		if r := in.Records.At(i); r.Kind != journal.Name && r.Session != 0 {
			t = st.trace(r.Session, in)
			break
		}
	}
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		switch {
		case r.Kind == journal.Name:
			st.notes = append(st.notes, note{in, r})
			continue
		case r.Session != 0 && (t == nil || t.id != r.Session):
			t = st.trace(r.Session, in)
		case t == nil:
			t = st.begin(0, in)
		}
		if n := len(t.inputs); n == 0 || t.inputs[n-1] != in.Index {
			t.inputs = append(t.inputs, in.Index)
		}
		t.add(record{r, in, int32(i)})
	}
}

func (st *settling) trace(id journal.Ref, in *journal.Input) *trace {
	if t := st.byID[id]; t != nil {
		return t
	}
	return st.begin(id, in)
}

func (st *settling) begin(id journal.Ref, in *journal.Input) *trace {
	t := &trace{st: st, id: id, in: in, seen: map[uint64]bool{}, byName: map[journal.Ref]*stream{},
		calls: map[uint64]journal.Ref{}, asked: map[uint64]place{}}
	st.traces = append(st.traces, t)
	if id != 0 {
		st.byID[id] = t
	}
	return t
}

// add takes an event in, unless it was there before: under its own id, or made again of the same row by another import.
func (t *trace) add(r record) {
	row := r.sourceRow()
	if again := r.ID != 0 && t.seen[r.ID] || row != 0 && t.seen[row]; again {
		t.st.a.Duplicate[r.in.Index]++
		return
	}
	if r.ID != 0 {
		t.seen[r.ID] = true
	}
	if row != 0 {
		t.seen[row] = true
	}
	if r.Kind == journal.Header {
		t.start(r)
	}
	if r.in.Attribute(r.Record, journal.Ended) != nil {
		t.ended = true
	}
	if (r.Kind == journal.Header || r.Kind == journal.Link && r.file() == nil) && r.Flags&(journal.Summary|journal.Cleared|journal.Telling) == 0 {
		t.from, t.to = widen(t.from, t.to, r.At)
		return
	}
	s := t.byName[r.Agent]
	if s == nil {
		s = &stream{trace: t, name: r.Agent, pending: -1, open: -1, first: -1, prompts: -1}
		t.byName[r.Agent] = s
		t.streams = append(t.streams, s)
	}
	s.add(r)
}

func widen(from, to, at int64) (int64, int64) {
	if at != 0 && (from == 0 || at < from) {
		from = at
	}
	return from, max(to, at)
}

// start notes what a session was started with.
func (t *trace) start(r record) {
	if p := r.in.Attribute(r.Record, journal.Role); p != nil && t.provider == 0 {
		t.provider = p.Label
	}
	if p := r.in.Attribute(r.Record, journal.Model); p != nil && t.model == 0 {
		t.model = p.Label
	}
	if p := r.in.Attribute(r.Record, journal.WorkingDir); p != nil && t.folder == 0 {
		t.folder = p.Label
	}
	if p := r.in.Attribute(r.Record, journal.Budget); p != nil && t.budget == 0 {
		t.budget = int64(p.Hash)
	}
}

// file is the part of a record about a file that was touched, nil for none.
func (r *record) file() *journal.Part {
	if r.Kind == journal.Link && r.Parts > 0 {
		if p := r.in.Part(r.Record, 0); p.Kind == journal.Attribute && (p.Attr == journal.PathRead || p.Attr == journal.PathWritten) {
			return p
		}
	}
	return nil
}

// source is the hash of the row that an import made the event of, 0 for an event of another recorder.
func (r *record) source() uint64 {
	if r.Parts == 0 {
		return 0
	}
	p := r.in.Part(r.Record, int(r.Parts)-1)
	if p.Kind == journal.Attribute && p.Attr == journal.NoAttr {
		return p.Hash
	}
	return 0
}

// sourceRow tells an event of an import by its row and what the row said there: a second import gives it another id.
func (r *record) sourceRow() uint64 {
	h := r.source()
	if h == 0 {
		return 0
	}
	h = mix(h, uint64(r.Kind)+1)
	if p := r.in.Part(r.Record, 0); p.Kind == journal.Call || p.Kind == journal.Result {
		if p.ID == 0 {
			return 0 // one of several results of a row, of which nothing tells which
		}
		h = mix(h, uint64(p.ID))
	}
	return h
}

// metas gives each meta.json to its session: by the id in it, else by the folder that both lie in.
func (st *settling) metas() {
	folders := map[string]*trace{}
	for _, t := range st.traces {
		if f := folder(t.in.Path); f != "" && folders[f] == nil {
			folders[f] = t
		}
	}
	for i := range st.notes {
		n := &st.notes[i]
		t := st.byID[n.r.Session]
		if t == nil {
			t = folders[folder(n.in.Path)]
		}
		switch {
		case t == nil:
			st.a.Warn(n.in.Index, journal.Warning{Code: journal.WarnNotAJournal,
				Message: "this tells about a session of which no events are open",
				Hint:    "open the events.ndjson that lies beside it as well"})
		case t.meta == nil:
			t.meta = n
		default:
			st.a.Duplicate[n.in.Index]++
		}
	}
}

func folder(path string) string {
	return path[:max(0, strings.LastIndexAny(path, `/\`))]
}

// replay makes the session and its streams. The main stream stands for the whole; where there is none, the first one does.
func (t *trace) replay() {
	if len(t.streams) == 0 {
		t.streams = append(t.streams, &stream{trace: t})
	}
	first := max(0, slices.IndexFunc(t.streams, func(s *stream) bool { return s.name == 0 }))
	main := t.streams[first]
	table := t.in.Strings
	id := table.Get(t.id)
	if id == "" {
		id = t.in.Name
	}
	whole := t.st.a.NewSession(Key, id, t.in.Index)
	whole.Inputs, whole.Stream = t.inputs, table.Get(main.name)
	whole.Budget, whole.Ended = t.budget, t.ended
	whole.Began(t.folder)
	whole.Saw(t.from)
	whole.Saw(t.to)
	t.about(whole)
	main.replay(whole)
	if whole.Title == "" {
		whole.Title = t.titleOf()
	}
	for i, s := range t.streams {
		if i != first {
			side := t.st.a.NewStream(whole, table.Get(s.name), t.in.Index)
			side.Inputs = s.inputs
			side.Began(t.folder)
			s.replay(side)
		}
	}
}

// about puts into a session what its meta.json says.
func (t *trace) about(s *analysis.Session) {
	if t.meta == nil {
		return
	}
	text := func(a journal.Attr) string {
		if p := t.meta.in.Attribute(t.meta.r, a); p != nil {
			return t.in.Strings.Get(p.Label)
		}
		return ""
	}
	s.Version = text(journal.Version)
	if s.Parent = text(journal.ParentSession); s.Parent == "" {
		return
	}
	if s.Role = text(journal.Role); s.Role == "" {
		s.Role = "subagent"
	}
	parent := t.meta.in.Attribute(t.meta.r, journal.ParentSession)
	if p := t.meta.in.Attribute(t.meta.r, journal.ParentCall); p != nil && t.st.byID[parent.Label] != nil {
		s.ParentCall = t.st.byID[parent.Label].calls[p.Hash]
	}
}

// titleOf is what a session without a prompt is called.
func (t *trace) titleOf() string {
	if t.meta == nil {
		return ""
	}
	for _, a := range []journal.Attr{journal.AutoTitle, journal.Role} {
		if p := t.meta.in.Attribute(t.meta.r, a); p != nil {
			return t.in.Strings.Get(p.Label)
		}
	}
	return ""
}

// anthropic reports whether a provider or model is one whose prompt figure leaves out what was cached.
func anthropic(table *journal.Strings, names ...journal.Ref) bool {
	for _, r := range names {
		if r == 0 {
			continue
		}
		n := bytes.ToLower([]byte(table.Get(r)))
		if bytes.Contains(n, []byte("claude")) || bytes.Contains(n, []byte("anthropic")) {
			return true
		}
	}
	return false
}
