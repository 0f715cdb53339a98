package agentprof

import (
	"cmp"
	"sort"
	"strconv"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// teller replays the events of Claude Code's recorder in order of time. What an event needs of later rows (the end of a
// response, the other half of a reading) is looked up.
type teller struct {
	g        *group
	segments map[journal.Ref]int64 // the first segment of each session, which keeps its id
	ends     map[eventKey]*line
	runs     map[eventKey]*line // executions of tools
	agents   map[string]*line
	prompts  map[eventKey]bool
	readings map[eventKey]*halves
	by       map[eventKey][]*line // readings by their id, for windows
}

// eventKey names an event: the session or subagent, what it is, its id.
type eventKey struct {
	scope string
	event subject
	id    journal.Ref
}

// halves are the two rows that a reading at the end of a turn can come in.
type halves struct{ changed, whole *line }

func newTeller(g *group) *teller {
	c := &teller{g: g, segments: map[journal.Ref]int64{}, ends: map[eventKey]*line{}, runs: map[eventKey]*line{}, agents: map[string]*line{},
		prompts: map[eventKey]bool{}, readings: map[eventKey]*halves{}, by: map[eventKey][]*line{}}
	for i := range g.lines {
		if l := &g.lines[i]; l.source == claudeMod {
			if _, ok := c.segments[l.session]; !ok {
				c.segments[l.session] = l.segment
			}
			c.note(l)
		}
	}
	return c
}

// note remembers a row for those that stand before it.
func (c *teller) note(l *line) {
	k := c.key(l, l.event)
	switch {
	case l.event == executionEvent:
		c.runs[k] = l
	case l.event == agentEvent:
		c.agents[c.scope(l)] = l
		c.prompts[c.key(l, promptEvent)] = true
	case l.event == contextEvent && l.context != nil:
		h := c.readings[k]
		if h == nil {
			h = &halves{}
			c.readings[k] = h
		}
		if l.phase == summary {
			h.whole = l
		} else {
			h.changed = l
		}
		c.by[k] = append(c.by[k], l)
	case l.phase == ending:
		c.ends[k] = l
	case l.event == promptEvent && l.phase == beginning:
		c.prompts[k] = true
	}
}

// scope names the session of a row: a session that was visited again has the number of the visit behind its id, a subagent
// its own id behind that of the session.
func (c *teller) scope(l *line) string {
	id := c.session(l)
	if l.agent != 0 {
		id += "/" + c.g.a.Strings.Get(l.agent)
	}
	return id
}

func (c *teller) session(l *line) string {
	id := c.g.a.Strings.Get(l.session)
	if l.segment != c.segments[l.session] {
		id += ":" + strconv.FormatInt(l.segment, 10)
	}
	return id
}

func (c *teller) key(l *line, e subject) eventKey {
	k := eventKey{c.scope(l), e, l.id}
	if e == sessionEvent {
		k.id = 0
	}
	return k
}

func (c *teller) line(l *line) {
	t := c.g.session("claude-code", c.scope(l), l)
	c.family(t, l)
	t.s.Saw(l.at)
	switch l.event {
	case sessionEvent:
		c.begin(t, l)
	case promptEvent, agentEvent:
		if t.s.Title == "" && l.phase == beginning {
			t.s.Title = c.g.a.Strings.Get(l.title)
		}
	case responseEvent:
		if l.phase == beginning {
			c.response(t, l)
		}
	case toolEvent:
		if l.phase == beginning {
			c.tool(t, l)
		}
	case compactionEvent:
		c.compaction(t, l)
	case contextEvent:
		c.reading(t, l)
	}
}

// family says whose subagent a session is.
func (c *teller) family(t *told, l *line) {
	if l.agent == 0 || t.begun {
		return
	}
	t.begun = true
	parent, role, call := c.session(l), journal.Ref(0), journal.Ref(0)
	if a := c.agents[t.id]; a != nil {
		role, call = a.role, a.call
		if a.parentAgent != 0 {
			parent += "/" + c.g.a.Strings.Get(a.parentAgent)
		}
		t.configured = a.model
	}
	t.child(c.g.a.Strings.Put([]byte(parent)), role, call)
}

func (c *teller) begin(t *told, l *line) {
	if l.phase == ending {
		t.ended, t.lost = true, t.lost || l.dropped > 0
		return
	}
	c.g.noContent = c.g.noContent || l.contents == no
	t.s.Version = cmp.Or(t.s.Version, c.g.a.Strings.Get(l.version))
	t.configured = cmp.Or(l.model, t.configured)
	if l.context == nil {
		return
	}
	t.total(l.at, l.context.tokens, l.context.window)
	t.window, t.windowModel = l.context.window, l.model
	if l.context.broken && l.agent == 0 {
		c.observe(t, l, l.context, composition.CaptureStart, analysis.OnCapture, 0, l.at-t.s.StartedAt)
	}
}

// response makes a request. The whole prompt is known when all three of its parts are.
func (c *teller) response(t *told, l *line) {
	q := analysis.Request{At: l.at, Model: cmp.Or(l.model, t.configured), Input: analysis.Unknown, Output: analysis.Unknown,
		CacheRead: analysis.Unknown, CacheWrite: analysis.Unknown, Window: analysis.Unknown, Source: l.place()}
	end := c.ends[c.key(l, responseEvent)]
	if end != nil {
		q.Model = cmp.Or(end.usageModel, q.Model)
		q.CacheRead, q.CacheWrite, q.Output = end.usage[1], end.usage[2], end.usage[3]
		if end.usage[0] >= 0 && q.CacheRead >= 0 && q.CacheWrite >= 0 {
			q.Input = end.usage[0] + q.CacheRead + q.CacheWrite
		}
		if q.Input == 0 {
			q.Input = analysis.Unknown
		}
		q.OutputLower = end.incomplete == yes && q.Output >= 0
	}
	if l.agent == 0 {
		q.Window = c.window(t, l, end, q.Model)
	}
	n := t.ask(q, l)
	t.total(l.at, q.Input, q.Window)
	if l.context != nil && l.agent == 0 {
		at := c.observe(t, l, l.context, composition.RequestInput, analysis.OnRequest, n, 0)
		t.s.Snapshots[at].Reported = q.Input
		t.s.Requests[n].Snapshot = int32(at)
	}
}

// window is that of the response's own reading, else of the one that was taken for it, as long as the model is the same.
func (c *teller) window(t *told, l, end *line, model journal.Ref) int64 {
	if l.context != nil && l.context.window > 0 {
		return l.context.window
	}
	if end != nil {
		by := c.by[c.key(l, contextEvent)]
		if i := sort.Search(len(by), func(i int) bool { return by[i].at >= end.at }); i < len(by) {
			if r := by[i]; r.model == model && r.context.window > 0 {
				return r.context.window
			}
			return analysis.Unknown
		}
	}
	if t.windowModel == model && t.window > 0 {
		return t.window
	}
	return analysis.Unknown
}

func (c *teller) tool(t *told, l *line) {
	call := analysis.Call{ID: l.id, Name: l.name, Detail: l.detail, At: l.at, Source: l.place()}
	if end := c.ends[c.key(l, toolEvent)]; end != nil {
		call.Failed = end.failed == yes
	} else if run := c.runs[c.key(l, executionEvent)]; run != nil {
		call.Failed = run.failed == yes
	}
	t.s.AddCall(call)
}

// compaction marks a compaction where it begins, when its end says that it cut something, and takes the sample behind it
// where it ends.
func (c *teller) compaction(t *told, l *line) {
	if l.phase == beginning {
		end := c.ends[c.key(l, compactionEvent)]
		if end == nil || end.incomplete == yes || end.success == no || end.skipped == yes {
			t.failed++
			return
		}
		b := t.mark("compaction", l.at, l)
		b.Recorded, b.Trigger = true, trigger(c.g.a.Strings.Get(l.trigger))
		b.HarnessFrom, b.HarnessTo = end.before, end.after
		t.cuts[l.id] = len(t.s.Boundaries)
		t.total(l.at, end.before, analysis.Unknown)
		return
	}
	n, ok := t.cuts[l.id]
	if !ok {
		return
	}
	t.total(l.at, l.after, analysis.Unknown)
	if l.context != nil && l.agent == 0 {
		c.observe(t, l, l.context, composition.PostCompaction, analysis.OnCompaction, n-1, l.at-t.s.Boundaries[n-1].At)
	}
}

// reading takes the sample at the end of a turn. Its halves are put together at the later news: what changed stands above
// the harness's own breakdown. A reading of something else is a size and a window.
func (c *teller) reading(t *told, l *line) {
	if l.context == nil {
		return
	}
	t.total(l.at, l.context.tokens, l.context.window)
	if l.context.window > 0 {
		t.window, t.windowModel = l.context.window, l.model
	}
	h := c.readings[c.key(l, contextEvent)]
	if h == nil || !c.prompts[c.key(l, promptEvent)] || h.changed != nil && h.changed != l || h.changed == nil && h.whole != l {
		return
	}
	ctx := *l.context
	model := l.model
	if h.whole != nil && h.whole != l {
		w := h.whole.context
		model = cmp.Or(h.whole.model, model)
		ctx.window, ctx.tokens = either(ctx.window, w.window), either(ctx.tokens, w.tokens)
		if !ctx.broken {
			ctx.native, ctx.broken, ctx.effective, ctx.threshold = w.native, w.broken, w.effective, w.threshold
		}
	}
	if !ctx.broken && len(ctx.items) == 0 {
		return
	}
	merged := *l
	merged.row = &row{model: model}
	c.observe(t, &merged, &ctx, composition.TranscriptObserved, analysis.OnCapture, 0, l.at-t.s.StartedAt)
}

// either is a where it is known, else b.
func either(a, b int64) int64 {
	if a >= 0 {
		return a
	}
	return b
}

// observe brings the items up to date and takes a snapshot. A reading that says nothing of the items leaves them as they
// are: that it is silent does not mean that they are gone.
func (c *teller) observe(t *told, l *line, ctx *context, stage composition.Stage, on analysis.EventKind, index int, offset int64) int {
	s := t.s
	if ctx.reset || ctx.whole {
		s.Retain(func(*composition.Item) bool { return false })
	}
	if ctx.reset {
		s.Rebase()
	}
	for _, it := range ctx.items {
		it.Input, it.Record = int32(l.in.Index), l.record
		if it.Tokens == 0 {
			s.Remove(it.ID)
			continue
		}
		s.Put(it)
	}
	for _, id := range ctx.gone {
		s.Remove(composition.ID{Prefix: composition.Named, Name: id})
	}
	m := composition.Moment{At: l.at, Stage: stage, Reported: composition.Unknown, Window: composition.Unknown, Threshold: ctx.threshold,
		Effective: ctx.effective, Model: cmp.Or(l.model, t.model, t.configured)}
	if ctx.window > 0 {
		m.Window = ctx.window
	}
	if ctx.native.Has != 0 {
		m.Basis, m.Override = composition.NativeSummary, &ctx.native
	}
	at := s.Observe(m, on, index, l.place())
	s.Snapshots[at].Offset = offset
	return at
}
