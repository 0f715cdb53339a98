package muse

import (
	"slices"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// player replays one stream into a session.
type player struct {
	t       *stream
	s       *analysis.Session
	model   journal.Ref // in force, as configured
	changed bool        // since the last request
	spoken  journal.Ref // of the last request
	began   bool
	limits  limits
	named   bool
	tools   int64 // known by name alone
	defined bool  // some request had tool definitions with a size
	context []composition.ID
	tried   attempts
}

// limits are the thresholds that a compaction told, and the model they hold for.
type limits struct {
	threshold, effective int64
	model                journal.Ref
}

// replay builds the session of a stream.
func (t *stream) replay() {
	id := t.in.Strings.Get(t.id)
	if id == "" {
		id = t.in.Name
	}
	p := &player{t: t, s: t.st.a.NewSession(Key, id, t.in.Index)}
	s := p.s
	slices.Sort(t.inputs)
	s.Inputs, s.Copied, s.ParentCall = t.inputs, t.copied, t.parentCall
	if t.parent != nil {
		s.Parent, s.Role = t.in.Strings.Get(t.parent.id), t.in.Strings.Get(t.role)
	}
	o := t.outlook()
	s.Expect(len(o.at))
	for k := range t.records {
		r := &t.records[k]
		s.Saw(r.At)
		for _, c := range o.at[int32(k)] {
			p.completed(r, &c)
		}
		p.record(r)
	}
	if !p.began && s.Items() > 0 {
		r := &t.records[len(t.records)-1]
		p.observe(p.moment(r.At), analysis.OnCapture, 0, r)
	}
	if p.tools > 0 && !p.defined {
		s.AddUnmeasured("tool definitions of which only the names are recorded", p.tools)
	}
	p.tried.tell(s, t.in.Strings)
	t.st.a.Keep(s)
}

// moment is a snapshot's circumstances.
func (p *player) moment(at int64) composition.Moment {
	m := composition.Moment{At: at, Stage: composition.TranscriptObserved, Model: p.spoken,
		Reported: composition.Unknown, Window: composition.Unknown, Threshold: composition.Unknown, Effective: composition.Unknown}
	if m.Model == 0 {
		m.Model = p.model
	}
	p.limit(&m)
	return m
}

// limit fills in the thresholds, as long as they speak of the same model.
func (p *player) limit(m *composition.Moment) {
	m.Threshold, m.Effective = composition.Unknown, composition.Unknown
	if l := p.limits; l.threshold > 0 && (l.model == 0 || l.model == m.Model) {
		m.Threshold = l.threshold
		if l.effective > 0 {
			m.Effective = l.effective
		}
	}
}

func (p *player) observe(m composition.Moment, on analysis.EventKind, index int, r *record) int {
	p.began = true
	return p.s.Observe(m, on, index, r.Place(r.in.Index))
}

// completed samples the context before a response, at r, and adds the request.
func (p *player) completed(r *record, c *completion) {
	count := &p.t.records[c.index]
	u := count.in.Usages.At(int(count.Usage))
	model := p.modelOf(u)
	m := p.moment(p.time(count, c))
	m.Model = model
	p.limit(&m)
	if c.lanes != nil && c.lanes.Has != 0 {
		m.Stage, m.ItemStage, m.Basis, m.Override = composition.RequestInput, composition.TranscriptObserved, composition.BytesOver4, c.lanes
		p.defined = p.defined || c.lanes.Observed(journal.Tools)
	}
	p.adopt(model)
	if count.copied || u.Input <= 0 && u.Output <= 0 { // zero usage is no data, and no request
		if m.Override != nil || p.s.Items() > 0 {
			p.observe(m, analysis.OnCapture, 0, count)
		}
		return
	}
	n := len(p.s.Requests)
	if n > 0 && p.s.Requests[n-1].Model != model {
		p.mark("model-switch", m.At, count)
	}
	q := analysis.Request{ID: c.response, At: m.At, Model: model, Input: analysis.Unknown, Output: int64(u.Output),
		CacheRead: int64(u.CacheRead), CacheWrite: int64(u.CacheWrite), Window: analysis.Unknown, Source: count.Place(count.in.Index)}
	if u.Input > 0 {
		q.Input = int64(u.Input)
	}
	m.Reported = q.Input
	p.s.Requests = append(p.s.Requests, q)
	p.s.Requests[n].Snapshot = int32(p.observe(m, analysis.OnRequest, n, count))
	p.spoken = model
}

// modelOf is the model that answered: as the response names it, else the one that was configured since the last response, else
// that of the last response.
func (p *player) modelOf(u *journal.Usage) journal.Ref {
	changed := p.changed
	p.changed = false
	switch {
	case u.Model != 0:
		return u.Model
	case p.model != 0 && (changed || p.spoken == 0):
		return p.model
	}
	return p.spoken
}

// adopt gives what was sampled before the first response its model: the name that a response gives may differ from the
// configured one.
func (p *player) adopt(model journal.Ref) {
	if p.spoken != 0 || model == 0 {
		return
	}
	for i := range p.s.Snapshots {
		p.s.Snapshots[i].Model = 0
	}
	p.s.Adopt(model)
	p.spoken = model
}

// time is when a request was sent: when its response began, or its input was traced if that was later.
func (p *player) time(count *record, c *completion) int64 {
	at := count.At
	if ms, ok := count.units(attrDuration); ok && at != 0 {
		at -= int64(ms) * 1e6
	}
	if c.trace >= 0 {
		at = max(at, p.t.records[c.trace].At)
	}
	if n := len(p.s.Requests); n > 0 {
		at = max(at, p.s.Requests[n-1].At)
	}
	return at
}

func (p *player) mark(kind string, at int64, r *record) *analysis.Boundary {
	p.s.Boundaries = append(p.s.Boundaries, analysis.Boundary{Kind: kind, At: at, Requests: int32(len(p.s.Requests)),
		Snapshots: int32(len(p.s.Snapshots)), HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: r.Place(r.in.Index)})
	return &p.s.Boundaries[len(p.s.Boundaries)-1]
}

// record applies one record to the context.
func (p *player) record(r *record) {
	switch r.Kind {
	case journal.Header, journal.Turn:
		if v := r.label(journal.Version); v != 0 {
			p.s.Version = r.in.Strings.Get(v)
		}
		if m := r.label(journal.Model); m != 0 && m != p.model {
			p.model, p.changed = m, true
		}
	case journal.Name:
		p.s.Title, p.named = r.in.Strings.Get(r.label(journal.Title)), true
	case journal.Injected:
		p.configure(r)
	case journal.User, journal.Response:
		p.items(r)
	case journal.Link:
		p.link(r)
	case journal.Boundary:
		p.limitsOf(r)
		p.tried.attempt(r)
	case journal.Compacted:
		p.compacted(r)
	case journal.Trim:
		p.mark("context-edit", r.At, r).Recorded = true
	}
}

// link notes what became of a call: that it failed, or which session it started.
func (p *player) link(r *record) {
	for i := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, i)
		switch {
		case v.Attr == journal.Ended:
			p.s.Ended = true
		case v.Kind == journal.Spawned:
			if child := p.t.st.streams[v.Label]; child != nil && child.parent == p.t {
				if c := p.s.CallNamed(child.parentCall); c != nil {
					c.Agent = v.Label
				}
			}
		case v.Attr == attrCall && v.Flags&journal.Failed != 0:
			if c := p.s.CallNamed(v.Label); c != nil {
				c.Failed = true
			}
		}
	}
}

// configure puts in what every request carries in front of the conversation. What an earlier configuration had and this one
// has not is gone.
func (p *player) configure(r *record) {
	if n, ok := r.units(attrTools); ok {
		p.tools = int64(n)
	}
	if _, ok := r.units(attrMessages); ok {
		before := p.context
		p.context = nil
		p.fixed(r)
		now := make(map[composition.ID]bool, len(p.context))
		for _, id := range p.context {
			now[id] = true
		}
		for _, id := range before {
			if !now[id] {
				p.s.Remove(id)
			}
		}
		return
	}
	p.fixed(r)
}

func (p *player) fixed(r *record) {
	nth := map[journal.Ref]uint16{}
	for i := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, i)
		if v.Kind != journal.Item || v.Flags&journal.Fixed == 0 {
			continue
		}
		id := composition.ID{Prefix: composition.Named, Name: v.ID}
		if !r.in.Strings.Is(v.ID, baseInstructions) {
			id.Prefix, id.Part = composition.Section, nth[v.ID]
			nth[v.ID]++
			p.context = append(p.context, id)
		}
		p.s.Put(composition.Item{ID: id, Tokens: composition.Tokens(v.Units), Chars: v.Units, Category: v.Category, Label: v.Label,
			Input: int32(r.in.Index), Record: r.index})
	}
}

// items puts the parts of a record into the context.
func (p *player) items(r *record) {
	n := 0
	for i := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, i)
		it := composition.Item{Tokens: composition.Tokens(v.Units), Chars: v.Units, Category: v.Category, Label: v.Label,
			Input: int32(r.in.Index), Record: r.index}
		switch v.Kind {
		case journal.Item:
			it.Source = composition.FromResponse
			if v.Category == journal.Prompts {
				it.Source = composition.FromPrompt
				p.title(r, v)
			}
		case journal.Call:
			it.ID, it.Call, it.Source = composition.ID{Prefix: composition.ToolCall, Name: v.ID}, v.ID, composition.FromResponse
			p.s.AddCall(analysis.Call{ID: v.ID, Name: v.Label, Detail: v.Detail, Args: v.Hash, At: r.At, Source: r.Place(r.in.Index)})
		case journal.Result:
			it.ID, it.Call, it.Source = composition.ID{Prefix: composition.ToolResult, Name: v.ID}, v.ID, composition.FromTool
			p.result(&it, v)
		case journal.Unmeasured:
			p.s.AddUnmeasured(r.in.Strings.Get(v.Label), int64(v.Units))
			continue
		default:
			continue
		}
		if it.ID.Name == 0 { // ids of messages repeat from run to run, those of records don't
			prefix := it.ID.Prefix
			it.ID = composition.Nth(r.identity(), n)
			it.ID.Prefix = prefix
		}
		n++
		p.s.Put(it)
	}
}

// identity is the record's id, or its place where it has none.
func (r *record) identity() uint64 {
	if r.ID != 0 {
		return r.ID
	}
	return journal.Fold(5, int64(r.in.Index), int64(r.index))
}

// result names a result after its call. The exit code in it says something about commands only.
func (p *player) result(it *composition.Item, v *journal.Part) {
	c := p.s.CallNamed(v.ID)
	if c == nil || c.Name == 0 {
		return
	}
	it.Label = c.Name
	if strings := p.t.in.Strings; v.Flags&journal.Failed != 0 && (strings.Is(c.Name, "bash") || strings.Is(c.Name, "bash_input")) {
		c.Failed = true
	}
}

// title takes the first prompt, as long as the session has no name.
func (p *player) title(r *record, v *journal.Part) {
	if !p.named && p.s.Title == "" {
		p.s.Title = r.in.Strings.Get(v.Detail)
	}
}
