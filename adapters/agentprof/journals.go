package agentprof

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// SettleJournals makes sessions of the rows of all private journals. The files of one recording lie in one folder, and one
// of them names the recording; where others name another one, each is taken for its own.
func SettleJournals(a *analysis.Analysis, inputs []*journal.Input) {
	groups := map[string]*group{}
	var order []*group
	inputs = slices.Clone(inputs)
	sort.SliceStable(inputs, func(i, j int) bool { return inputs[i].Path < inputs[j].Path })
	named := map[string][]string{} // folder -> the recordings that its files name
	of := make([]string, len(inputs))
	for i, in := range inputs {
		dir := folderOf(in)
		if of[i] = recordingOf(in); of[i] != "" && !slices.Contains(named[dir], of[i]) && len(named[dir]) < 2 {
			named[dir] = append(named[dir], of[i])
		}
	}
	for i, in := range inputs {
		key := folderOf(in)
		switch all := named[key]; {
		case len(all) == 1:
			key = "recording " + all[0]
		case of[i] != "":
			key = "recording " + of[i]
		}
		g := groups[key]
		if g == nil {
			g = &group{a: a, seen: map[uint64]bool{}, sessions: map[string]*told{}}
			groups[key] = g
			order = append(order, g)
		}
		g.input(in)
	}
	for _, g := range order {
		g.settle()
	}
}

// folderOf is the folder of an input, with the stroke behind it.
func folderOf(in *journal.Input) string { return in.Path[:strings.LastIndex(in.Path, "/")+1] }

// recordingOf is the id of the recording that an input begins, "" for none.
func recordingOf(in *journal.Input) string {
	if kept, ok := in.Kept.(*rows); ok {
		for i := range min(kept.all.Len(), 8) {
			if row := kept.all.At(i); row.source == processStart {
				return in.Strings.Get(row.id)
			}
		}
	}
	return ""
}

// group is the rows of one recording.
type group struct {
	a         *analysis.Analysis
	lines     []line
	seen      map[uint64]bool
	sessions  map[string]*told
	order     []*told
	damaged   bool
	ended     bool
	dropped   bool
	noContent bool
	telemetry int
	last      *journal.Input
}

// line is a row with its place.
type line struct {
	*row
	at     int64
	in     *journal.Input
	record int32
}

func (l *line) place() journal.Source {
	return l.in.Records.At(int(l.record)).Place(l.in.Index)
}

// input takes the rows of an input. The recorder does not accept a last row without a line end, which may be half of one;
// what was written twice counts once.
func (g *group) input(in *journal.Input) {
	kept, ok := in.Kept.(*rows)
	if !ok {
		return
	}
	g.last = in
	g.damaged = g.damaged || in.Malformed > 0
	for _, w := range in.Warnings.List {
		g.damaged = g.damaged || w.Code == journal.WarnCut
	}
	kept.warn(g.a, nil)
	for i := range in.Records.Len() {
		r := in.Records.At(i)
		if i == in.Records.Len()-1 && r.Flags&journal.Synthetic == 0 && r.Offset+int64(r.Length) >= in.Bytes {
			g.damaged = true
			g.a.Warn(in.Index, journal.Warning{Code: journal.WarnCut, Line: int64(r.Line),
				Message: "the last row has no line end: it was being written, and is left out as the recorder would", Hint: "open the file again when the recording has ended"})
			continue
		}
		row := kept.all.At(int(r.Usage))
		switch row.source {
		case claudeMod, codexHook, codexRecord:
			if g.seen[row.hash] {
				g.a.Duplicate[in.Index]++
				continue
			}
			g.seen[row.hash] = true
		}
		switch row.source {
		case processStart:
			g.noContent = g.noContent || row.contents == no
		case processEnd:
			g.ended = true
			g.dropped = g.dropped || row.dropped != 0 || row.incomplete == yes
		case recovery:
			g.damaged = true
		case telemetry:
			g.telemetry++
		case claudeMod, codexHook, codexRecord:
			if row.session != 0 {
				g.lines = append(g.lines, line{row, r.At, in, int32(i)})
			}
		}
	}
}

// told is a session that rows tell of.
type told struct {
	g           *group
	s           *analysis.Session
	id          string
	from        map[int]bool // inputs that have rows of it
	model       journal.Ref  // of the last response
	configured  journal.Ref
	begun       bool
	window      int64 // of the last reading
	windowModel journal.Ref
	totals      []analysis.Total
	cuts        map[journal.Ref]int
	open        int // compaction that a hook began, -1 for none
	trigger     string
	counts      uint64 // of the last token count
	pending     []line // snapshots that wait for the token count behind them
	ended       bool
	lost        bool
	failed      int
}

func (g *group) session(harness, id string, l *line) *told {
	t := g.sessions[id]
	if t == nil {
		t = &told{g: g, id: id, open: -1, cuts: map[journal.Ref]int{}, from: map[int]bool{}, s: g.a.NewSession(harness, id, l.in.Index)}
		g.sessions[id] = t
		g.order = append(g.order, t)
	}
	if in := l.in.Index; !t.from[in] {
		if t.from[in] = true; in != t.s.Inputs[0] {
			t.s.Inputs = append(t.s.Inputs, in)
		}
	}
	return t
}

func (g *group) settle() {
	sort.SliceStable(g.lines, func(i, j int) bool { return g.lines[i].at < g.lines[j].at })
	c := newTeller(g)
	for i := range g.lines {
		switch l := &g.lines[i]; l.source {
		case claudeMod:
			c.line(l)
		default:
			t := g.session("codex", g.a.Strings.Get(l.session), l)
			t.codex(l)
		}
	}
	for _, t := range g.order {
		t.flush(-1)
		t.close()
		g.a.Keep(t.s)
	}
	if len(g.order) == 0 && g.telemetry > 0 {
		g.a.Warn(g.last.Index, journal.Warning{Code: journal.WarnIncomplete, Message: "this journal holds telemetry, and nothing of what was in the context",
			Hint: "open the trace (.pftrace) that was made of it"})
	}
}

// close ends a session: its totals, when nothing better was recorded, and what is missing.
func (t *told) close() {
	s, g := t.s, t.g
	if len(s.Snapshots) == 0 {
		s.Totals = t.totals
	}
	if g.noContent {
		s.Notes = append(s.Notes, noContent)
	}
	whole := t.ended || g.ended || s.Parent != ""
	if !whole || g.damaged || g.dropped || t.lost {
		s.Notes = append(s.Notes, notComplete)
	}
	if t.failed > 0 {
		s.Notes = append(s.Notes, cutNothing(t.failed))
	}
}

func (t *told) total(at, tokens, window int64) {
	if tokens > 0 {
		t.totals = append(t.totals, analysis.Total{At: at, Tokens: tokens, Window: window})
	}
}

// ask adds a request.
func (t *told) ask(q analysis.Request, l *line) int {
	s := t.s
	if q.Model != 0 {
		if t.model != 0 && q.Model != t.model {
			t.mark("model-switch", q.At, l)
		}
		t.model = q.Model
	}
	q.Snapshot = -1
	s.Requests = append(s.Requests, q)
	return len(s.Requests) - 1
}

func (t *told) mark(kind string, at int64, l *line) *analysis.Boundary {
	s := t.s
	s.Boundaries = append(s.Boundaries, analysis.Boundary{Kind: kind, At: at, Requests: int32(len(s.Requests)), Snapshots: int32(len(s.Snapshots)),
		HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: l.place()})
	return &s.Boundaries[len(s.Boundaries)-1]
}

// codex reads a row of Codex's recorder.
func (t *told) codex(l *line) {
	s := t.s
	s.Saw(l.at)
	switch l.event {
	case metaRecord:
		s.Version = cmp.Or(s.Version, t.g.a.Strings.Get(l.version))
		t.child(l.parent, l.role, 0)
	case turnRecord:
		t.configured = cmp.Or(l.model, t.configured)
	case snapshotRecord:
		if l.sample >= 0 {
			t.pending = append(t.pending, *l)
		}
	case countRecord:
		t.count(l)
	case subagentStart:
		if l.agent != 0 {
			c := t.g.session("codex", t.g.a.Strings.Get(l.agent), l)
			c.child(l.session, l.role, 0)
			c.s.Saw(l.at)
		}
	case preToolUse:
		s.AddCall(analysis.Call{ID: l.call, Name: l.name, Detail: l.detail, At: l.at, Source: l.place()})
	case postToolUse:
		if c := s.CallNamed(l.call); c != nil {
			c.Failed = l.failed == yes
		}
	case preCompact:
		t.flush(-1)
		t.open, t.trigger = len(s.Requests), trigger(t.g.a.Strings.Get(l.trigger))
	case postCompact:
		t.flush(-1)
		if t.open >= 0 {
			b := t.mark("compaction", l.at, l)
			b.Recorded, b.Trigger = true, t.trigger
			t.open = -1
		}
	case promptSubmit:
		if s.Title == "" {
			s.Title = t.g.a.Strings.Get(l.title)
		}
	}
}

// child makes a session a subagent's.
func (t *told) child(parent, role, call journal.Ref) {
	if parent == 0 {
		return
	}
	t.s.Parent, t.s.ParentCall = t.g.a.Strings.Get(parent), call
	if t.s.Role = t.g.a.Strings.Get(role); t.s.Role == "" {
		t.s.Role = "subagent"
	}
}

// count takes a token count: a request, unless it repeats the one before. The snapshots before it are those of its response.
func (t *told) count(l *line) {
	fresh := l.counted && l.usage != [4]int64{-1, -1, -1, -1} && (l.usage[0] > 0 || l.usage[3] > 0)
	sum := journal.Fold(l.totals, l.usage[:]...)
	if fresh && (t.counts != sum || l.totals == 0) {
		t.counts = sum
		q := analysis.Request{At: l.at, Model: t.configured, Input: l.usage[0], CacheRead: l.usage[1], CacheWrite: l.usage[2], Output: l.usage[3], Window: l.window, Source: l.place()}
		if q.Input <= 0 {
			q.Input = analysis.Unknown
		}
		t.flush(t.ask(q, l))
		return
	}
	t.flush(len(t.s.Requests) - 1)
}

// flush records the snapshots that wait, on a request, or on the capture where there is none.
func (t *told) flush(request int) {
	for i := range t.pending {
		l := &t.pending[i]
		kept := l.in.Kept.(*rows)
		sm := &kept.samples[l.sample]
		if sm.version != 1 {
			continue
		}
		n, changes := kept.take(sm, l.record)
		n.At, n.Source, n.Event = l.at, l.place(), analysis.OnCapture
		n.Offset = l.at - t.s.StartedAt
		if request >= 0 {
			n.Event, n.Index, n.Offset = analysis.OnRequest, int32(request), l.at-t.s.Requests[request].At
		}
		at := t.s.Record(n, changes)
		if request >= 0 {
			t.s.Requests[request].Snapshot = int32(at)
		}
	}
	t.pending = t.pending[:0]
}
