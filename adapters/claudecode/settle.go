package claudecode

import (
	"cmp"
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Key names the format in documents.
const Key = "claude-code"

// Settle replays the conversations of all inputs of this format.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	records := 0
	for _, in := range inputs {
		records += in.Records.Len()
	}
	st := &settling{a: a, seen: make(map[uint64]spot, records), agents: map[journal.Ref]agentInfo{}}
	var kept []*journal.Input
	for _, in := range inOrder(inputs) {
		if _, ok := keptBy(in.Path); ok {
			kept = append(kept, in)
			continue
		}
		st.input(in)
	}
	st.link()
	st.keep(kept)
}

// inOrder puts the originals of records before their copies: main transcripts before hidden requests, a file of one
// session before a fork that brings the history of another along, and of two states of one transcript the later one, so
// that the earlier one adds nothing.
func inOrder(inputs []*journal.Input) []*journal.Input {
	type key struct {
		in       *journal.Input
		copied   int // 2 for a hidden request, 1 for a fork that says so
		sessions int
		session  string // the first one
		first    int64
	}
	keys := make([]key, len(inputs))
	for i, in := range inputs {
		k := key{in: in, first: in.FirstTime()}
		var last journal.Ref
		for j := range in.Records.Len() {
			r := in.Records.At(j)
			if r.Flags&journal.Forked != 0 {
				k.copied = max(k.copied, 1)
			}
			if r.Agent != 0 && hiddenRole(in.Strings.Get(r.Agent)) != "" {
				k.copied = 2
			}
			if r.Session != 0 && r.Session != last {
				k.sessions, last = k.sessions+1, r.Session
			}
			if k.session == "" {
				k.session = in.Strings.Get(r.Session)
			}
		}
		keys[i] = k
	}
	slices.SortStableFunc(keys, func(x, y key) int {
		return cmp.Or(cmp.Compare(x.copied, y.copied), cmp.Compare(x.sessions, y.sessions), cmp.Compare(x.first, y.first),
			cmp.Compare(x.session, y.session), cmp.Compare(y.in.Records.Len(), x.in.Records.Len()), cmp.Compare(x.in.Name, y.in.Name))
	})
	out := make([]*journal.Input, len(keys))
	for i, k := range keys {
		out[i] = k.in
	}
	return out
}

// settling is the work on all inputs together.
type settling struct {
	a       *analysis.Analysis
	seen    map[uint64]spot // record id -> where it stood first
	agents  map[journal.Ref]agentInfo
	threads []*thread
}

// spot is a record: its input and its index there.
type spot struct{ input, index int32 }

// agentInfo is what is known about a subagent from elsewhere.
type agentInfo struct {
	role journal.Ref
	call journal.Ref
}

// input replays one input. Lines of different conversations may stand between each other; each finds its thread.
func (st *settling) input(in *journal.Input) {
	f := &file{st: st, in: in, threadOf: make([]int32, in.Records.Len())}
	f.foresee()
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		switch r.Kind {
		case journal.Name:
			f.name(r)
			continue
		case journal.Header:
			st.meta(in, r)
			continue
		}
		if _, again := f.where(r.ID); again {
			st.a.Duplicate[in.Index]++
			continue
		}
		f.thread(r, i).record(r, i)
	}
	for _, t := range f.threads {
		t.end()
	}
	st.threads = append(st.threads, f.threads...)
}

// meta reads the file beside a subagent's transcript: agent-<id>.meta.json.
func (st *settling) meta(in *journal.Input, r *journal.Record) {
	id, ok := strings.CutSuffix(strings.TrimPrefix(in.Name, "agent-"), ".meta.json")
	if !ok {
		return
	}
	info := agentInfo{}
	if p := in.Attribute(r, journal.Role); p != nil {
		info.role = p.Label
	}
	if p := in.Attribute(r, journal.ParentCall); p != nil {
		info.call = p.Label
	}
	st.agents[in.Strings.Put([]byte(id))] = info
}

// place is where a record stands: in which thread, at which index of its input.
type place struct {
	thread *thread
	index  int32
}

// where tells where a record stands in this input.
func (f *file) where(id uint64) (place, bool) {
	if id == 0 {
		return place{}, false
	}
	index := int32(-1)
	if s, ok := f.st.seen[id]; ok && s.input == int32(f.in.Index) {
		index = s.index
	} else if i, ok := f.copies[id]; ok {
		index = i
	}
	if index < 0 {
		return place{}, false
	}
	return place{f.threads[f.threadOf[index]], index}, true
}

// stands notes where a record stands; inherited tells that another input had it first.
func (f *file) stands(r *journal.Record, t *thread, index int32) (inherited bool) {
	f.threadOf[index] = t.number
	first, known := f.st.seen[r.ID]
	if !known {
		f.st.seen[r.ID] = spot{int32(f.in.Index), index}
		return false
	}
	if f.copies == nil {
		f.copies = map[uint64]int32{}
	}
	f.copies[r.ID] = index
	// Ids that are no uuids repeat from session to session; only in the same session they mean the same record.
	return r.Flags&journal.LocalID == 0 || f.st.a.Inputs[first.input].Records.At(int(first.index)).Session == r.Session
}

// file is the work on one input.
type file struct {
	st       *settling
	in       *journal.Input
	copies   map[uint64]int32 // records that another input had first -> index here
	threadOf []int32          // of each record: its position in threads
	threads  []*thread
	main     *thread
	byAgent  map[journal.Ref]*thread
	lastAsk  map[journal.Ref]int // of a hidden request: index of its last prompt
	names    map[journal.Ref]name
	taken    map[journal.Ref]bool // calls that a subagent without an id began after
	requests int
}

// name is a title that stands apart from the conversation.
type name struct {
	title journal.Ref
	given bool // by a person
}

// foresee finds what a record can't know about the future: where the last prompt of a hidden request stands, and about how
// many requests there are, so that their table need not grow by copying.
func (f *file) foresee() {
	last := uint64(0)
	f.byAgent, f.lastAsk, f.names, f.taken = map[journal.Ref]*thread{}, map[journal.Ref]int{}, map[journal.Ref]name{}, map[journal.Ref]bool{}
	for i := range f.in.Records.Len() {
		r := f.in.Records.At(i)
		if r.Flags&journal.HasUsage != 0 && r.Agent == 0 {
			if k := f.in.Usages.At(int(r.Usage)).Key; k != last {
				f.requests, last = f.requests+1, k
			}
		}
		if r.Kind == journal.User && r.Agent != 0 {
			for k := range int(r.Parts) {
				p := f.in.Part(r, k)
				if p.Kind == journal.Item {
					f.lastAsk[r.Agent] = i
				}
			}
		}
	}
}

// name keeps a title for its session. The last one wins, but one that a person gave is not replaced by a made one.
func (f *file) name(r *journal.Record) {
	for k := range int(r.Parts) {
		p := f.in.Part(r, k)
		given := p.Attr == journal.Title
		if old := f.names[r.Session]; !old.given || given {
			f.names[r.Session] = name{p.Label, given}
		}
	}
}

// thread finds the conversation that a record belongs to, or begins one.
func (f *file) thread(r *journal.Record, index int) *thread {
	if r.Flags&journal.Sidechain != 0 {
		return f.sidechain(r)
	}
	t := f.main
	if t != nil && r.Session != 0 && t.session != 0 && r.Session != t.session {
		if p, ok := f.where(r.Parent); ok && p.thread == t {
			t.session = r.Session // resumed under a new id
		} else if t = f.mainOf(r.Session); t == nil {
			f.main = nil
		}
	}
	if f.main == nil {
		f.main = f.begin(r, r.Session)
		t = f.main
	}
	f.main = t
	if t.session == 0 {
		t.session = r.Session
	}
	return t
}

func (f *file) mainOf(session journal.Ref) *thread {
	for _, t := range f.threads {
		if t.session == session && !t.side {
			return t
		}
	}
	return nil
}

// sidechain finds a subagent's conversation: by its id, or in old versions, which gave none, by the message it continues.
func (f *file) sidechain(r *journal.Record) *thread {
	if r.Agent != 0 {
		t := f.byAgent[r.Agent]
		if t == nil {
			t = f.begin(r, r.Session)
			f.byAgent[r.Agent] = t
		}
		return t
	}
	if p, ok := f.where(r.Parent); ok && p.thread.side {
		return p.thread
	}
	return f.begin(r, r.Session)
}

func (f *file) begin(r *journal.Record, session journal.Ref) *thread {
	t := &thread{file: f, number: int32(len(f.threads)), in: f.in, session: session, agent: r.Agent, side: r.Flags&journal.Sidechain != 0,
		responses: map[uint64]int32{}, boundary: -1}
	t.hidden = hiddenRole(f.in.Strings.Get(r.Agent))
	t.s = f.st.a.NewSession(Key, "", f.in.Index)
	if t.side {
		t.beganAfter = f.lastCall()
		if t.agent == 0 {
			f.taken[t.beganAfter] = true
		}
	}
	if len(f.threads) == 0 {
		t.s.Expect(f.requests)
	}
	f.threads = append(f.threads, t)
	return t
}

// lastCall is the newest call of the main conversation that may start a subagent and started none yet: old versions don't
// say which did.
func (f *file) lastCall() journal.Ref {
	if f.main == nil {
		return 0
	}
	calls := f.main.s.Calls
	for i := len(calls) - 1; i >= 0; i-- {
		c := &calls[i]
		if c.Agent != 0 || f.taken[c.ID] {
			continue
		}
		if f.in.Strings.Is(c.Name, "Task") || f.in.Strings.Is(c.Name, "Agent") {
			return c.ID
		}
	}
	return 0
}

// hiddenRole names the requests that the harness makes for itself on a copy of the conversation.
func hiddenRole(agent string) string {
	switch {
	case strings.HasPrefix(agent, "acompact-"):
		return "compaction request"
	case strings.HasPrefix(agent, "aside_question-"):
		return "side question"
	}
	return ""
}
