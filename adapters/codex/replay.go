package codex

import (
	"slices"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// player replays one thread into a session.
type player struct {
	t      *thread
	s      *analysis.Session
	model  journal.Ref
	began  bool
	prev   uint64
	open   int // boundary whose estimate is still to come, + 1
	prompt []prompt
	run    bool // the record before was the model's too
}

// prompt is where a person's turn begins: a record, or in the history that a compaction left, an item of one.
type prompt struct {
	record int32
	part   uint16
}

// replay builds the session of a thread.
func (t *thread) replay() {
	id := t.in.Strings.Get(t.id)
	if id == "" {
		id = t.in.Name
	}
	p := &player{t: t, s: t.st.a.NewSession(Key, id, t.in.Index)}
	p.s.Inputs = t.inputs
	p.s.Copied = t.copied
	moments := t.moments()
	counted := len(moments) > 0
	for k := range t.records {
		r := &t.records[k]
		p.s.Saw(r.At)
		for _, c := range moments[k] {
			p.request(r, &t.records[c])
		}
		if !counted && r.Kind == journal.Response && !p.run {
			p.observe(r, analysis.OnCapture, 0) // a journal without usage: what each response answered to
		}
		p.record(r, int32(k))
		p.run = r.Kind == journal.Response
	}
	if !p.began && p.s.Items() > 0 {
		p.observe(&t.records[len(t.records)-1], analysis.OnCapture, 0)
	}
	t.st.a.Keep(p.s)
}

func (p *player) moment(r *record) composition.Moment {
	return composition.Moment{At: r.At, Stage: composition.TranscriptObserved, Model: p.model,
		Reported: composition.Unknown, Window: composition.Unknown, Threshold: composition.Unknown, Effective: composition.Unknown}
}

func (p *player) observe(r *record, on analysis.EventKind, index int) int {
	p.began = true
	return p.s.Observe(p.moment(r), on, index, r.Place(r.in.Index))
}

// request samples the context before the response that the count is about.
func (p *player) request(at, count *record) {
	u := count.in.Usages.At(int(count.Usage))
	n := len(p.s.Requests)
	q := analysis.Request{At: at.At, Model: p.model, Input: analysis.Unknown, Output: int64(u.Output), CacheRead: int64(u.CacheRead),
		CacheWrite: int64(u.CacheWrite), Window: analysis.Unknown, Source: count.Place(count.in.Index)}
	if u.Window > 0 {
		q.Window = int64(u.Window)
	}
	// A prompt of nothing is no data, and one beyond the window is a known fault of old versions.
	if u.Input > 0 && (u.Window <= 0 || u.Input <= u.Window) {
		q.Input = int64(u.Input)
	}
	if n > 0 && p.s.Requests[n-1].Model != q.Model {
		p.mark("model-switch", at)
	}
	p.s.Requests = append(p.s.Requests, q)
	snap := p.observe(at, analysis.OnRequest, n)
	p.s.Snapshots[snap].Reported, p.s.Snapshots[snap].Window = q.Input, q.Window
	p.s.Requests[n].Snapshot = int32(snap)
	p.open = 0
}

func (p *player) mark(kind string, r *record) *analysis.Boundary {
	p.s.Boundaries = append(p.s.Boundaries, analysis.Boundary{Kind: kind, At: r.At, Requests: int32(len(p.s.Requests)),
		Snapshots: int32(len(p.s.Snapshots)), HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: r.Place(r.in.Index)})
	return &p.s.Boundaries[len(p.s.Boundaries)-1]
}

// record applies one record to the context.
func (p *player) record(r *record, k int32) {
	switch r.Kind {
	case journal.Header:
		p.header(r)
		p.items(r, k)
	case journal.Turn:
		if a := r.in.Attribute(r.Record, journal.Model); a != nil {
			if p.model == 0 && len(p.s.Requests) == 0 {
				p.s.Adopt(a.Label)
			}
			p.model = a.Label
		}
	case journal.Count:
		p.count(r)
	case journal.Compacted:
		p.compacted(r, k)
	case journal.Rollback:
		p.rollback(r)
	case journal.Name:
		if a := r.in.Attribute(r.Record, journal.Title); a != nil {
			p.s.Title = r.in.Strings.Get(a.Label)
		}
	case journal.User, journal.Injected, journal.Response:
		if r.Flags&journal.Typed != 0 {
			p.prompt = append(p.prompt, prompt{record: k})
			p.title(r)
		}
		p.items(r, k)
	}
}

func (p *player) header(r *record) {
	text := func(a journal.Attr) string {
		if v := r.in.Attribute(r.Record, a); v != nil {
			return r.in.Strings.Get(v.Label)
		}
		return ""
	}
	p.s.Version, p.s.Role = text(journal.Version), text(journal.Role)
	p.s.Parent = text(journal.ParentSession)
	if v := r.in.Attribute(r.Record, journal.WorkingDir); v != nil {
		p.s.Began(v.Label)
	}
	if p.s.Parent != "" && p.s.Role == "" {
		p.s.Role = "subagent"
	}
}

// title takes the first thing that a person typed.
func (p *player) title(r *record) {
	if p.s.Title != "" {
		return
	}
	for k := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, k)
		if v.Kind == journal.Item && v.Category == journal.Prompts && v.Detail != 0 {
			p.s.Title = r.in.Strings.Get(v.Detail)
			return
		}
	}
}

// count takes the harness's estimate of the context after a compaction.
func (p *player) count(r *record) {
	u := r.in.Usages.At(int(r.Usage))
	if p.open > 0 && isEstimate(u) {
		p.s.Boundaries[p.open-1].HarnessTo = int64(u.Total)
		p.open = 0
	}
}

// compacted replaces the history. The instructions and tool definitions that stand outside of it stay.
func (p *player) compacted(r *record, k int32) {
	p.mark("compaction", r).Recorded = true
	p.open = len(p.s.Boundaries)
	whole := r.Flags&journal.Summary != 0
	p.s.Retain(func(it *composition.Item) bool {
		if it.ID.Prefix == composition.Named {
			return true
		}
		switch it.Category { // without a replacement the history is the initial context and what the user said
		case journal.Assistant, journal.Results, journal.Summaries:
			return false
		}
		return !whole
	})
	if whole {
		p.prompt = p.prompt[:0]
		n := uint16(0)
		for i := range int(r.Record.Parts) {
			if v := r.in.Part(r.Record, i); v.Kind == journal.Item {
				if v.Category == journal.Prompts {
					p.prompt = append(p.prompt, prompt{k, n})
				}
				n++
			}
		}
	}
	p.items(r, k)
}

// rollback takes the last turns back: everything from the prompt that began them on.
func (p *player) rollback(r *record) {
	turns := 0
	for k := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, k)
		turns = int(v.Units)
	}
	p.mark("rewind", r).Recorded = true
	n := max(0, len(p.prompt)-turns)
	if n == len(p.prompt) {
		return
	}
	part := p.prompt[n].part
	from := &p.t.records[p.prompt[n].record]
	p.prompt = p.prompt[:n]
	p.s.Abandoned += int64(p.s.Retain(func(it *composition.Item) bool {
		return it.ID.Prefix == composition.Named || p.t.before(it, from, part)
	}))
}

// before reports whether an item came into the thread before an item of a record.
func (t *thread) before(it *composition.Item, r *record, part uint16) bool {
	if int(it.Input) == r.in.Index {
		return it.Record < r.index || it.Record == r.index && it.ID.Part < part
	}
	return slices.Index(t.inputs, int(it.Input)) < slices.Index(t.inputs, r.in.Index)
}

// items puts the parts of a record into the context.
func (p *player) items(r *record, k int32) {
	n := 0
	for i := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, i)
		it := composition.Item{Tokens: composition.Tokens(v.Units), Chars: v.Units, Category: v.Category, Label: v.Label,
			Call: v.ID, Input: int32(r.in.Index), Record: r.index}
		switch v.Kind {
		case journal.Item:
			n++
			it.ID, it.Call = p.identity(r, k, n, v), 0
			it.Source = sourceOf(v.Category)
		case journal.Call:
			it.ID, it.Source = composition.ID{Prefix: composition.ToolCall, Name: v.ID}, composition.FromResponse
			p.s.AddCall(analysis.Call{ID: v.ID, Name: v.Label, Detail: v.Detail, Args: v.Hash, At: r.At, Source: r.Place(r.in.Index)})
		case journal.Result:
			it.ID, it.Source = composition.ID{Prefix: composition.ToolResult, Name: v.ID}, composition.FromTool
			if c := p.s.CallNamed(v.ID); c != nil && c.Name != 0 {
				it.Label = c.Name
				c.Failed = c.Failed || v.Flags&journal.Failed != 0
			}
		case journal.Unmeasured:
			p.s.AddUnmeasured(r.in.Strings.Get(v.Label), int64(v.Units))
			continue
		default:
			continue
		}
		if it.ID.Name == 0 && it.ID.Hash == 0 { // a call without an id
			n++
			nth := composition.Nth(uint64(k)+1, n)
			it.ID.Hash, it.ID.Part = nth.Hash, nth.Part
		}
		p.s.Put(it)
	}
}

// identity of the n-th text of a record: lines have no ids, so their position in the thread stands for one, which does not
// start again after a compaction.
func (p *player) identity(r *record, k int32, n int, v *journal.Part) composition.ID {
	if v.Flags&journal.Fixed != 0 {
		return composition.ID{Prefix: composition.Named, Name: v.ID}
	}
	id := composition.Nth(uint64(k)+1, n-1)
	id.Prefix = composition.Message
	switch {
	case v.Category == journal.Summaries:
		id.Prefix = composition.Summary
	case r.Kind == journal.Compacted:
		id.Prefix = composition.Replacement
	}
	return id
}

func sourceOf(c journal.Category) composition.SourceKind {
	switch c {
	case journal.Prompts:
		return composition.FromPrompt
	case journal.Assistant:
		return composition.FromResponse
	}
	return composition.NoSource
}
