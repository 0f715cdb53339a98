package agentstrace

import (
	"cmp"
	"slices"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// player replays one stream into a session.
type player struct {
	*stream
	s        *analysis.Session
	model    journal.Ref
	marked   bool // a compaction was marked since the last request, or since the model said something
	run      bool // the event before was the model's too
	said     uint64
	scripted map[journal.Ref]bool // calls that a script made
	returned map[journal.Ref]bool // calls that have a result
	last     *record              // the newest request with its messages
	cut      bool                 // … of which a text was cut off
}

// replay builds the session of a stream.
func (st *stream) replay(s *analysis.Session) {
	p := &player{stream: st, s: s, scripted: map[journal.Ref]bool{}, returned: map[journal.Ref]bool{}}
	if st.name == 0 {
		p.model = st.trace.model
	}
	s.Expect(len(st.asks))
	slices.SortStableFunc(st.cuts, func(a, b summaryAt) int { return cmp.Compare(a.at, b.at) })
	ask, cut := 0, 0
	for k := range st.records {
		r := &st.records[k]
		s.Saw(r.At)
		for ; cut < len(st.cuts) && st.cuts[cut].at == k; cut++ {
			p.cutBefore(&st.cuts[cut], r)
		}
		if r.Kind == journal.Turn {
			p.record(r, k)
		}
		for ; ask < len(st.asks) && st.asks[ask].at == k; ask++ {
			p.request(&st.asks[ask])
		}
		fromModel := r.Kind == journal.Response || r.Kind == journal.Count
		if len(st.asks) == 0 && fromModel && !p.run && s.Items() > 0 {
			p.observe(r, analysis.OnCapture, 0, r.Place(r.in.Index)) // a recording without requests: what each answer answered to
		}
		if r.Kind != journal.Turn {
			p.record(r, k)
		}
		p.run = fromModel || p.run && r.file() != nil
	}
	if len(s.Snapshots) == 0 && s.Items() > 0 {
		last := &st.records[len(st.records)-1]
		p.observe(last, analysis.OnCapture, 0, last.Place(last.in.Index))
	}
	p.unmeasured(p.last)
	st.trace.st.a.Keep(s)
}

// unmeasured counts what a record says has no size.
func (p *player) unmeasured(r *record) {
	for i := 0; r != nil && i < int(r.Parts); i++ {
		if v := r.in.Part(r.Record, i); v.Kind == journal.Unmeasured {
			p.s.AddUnmeasured(r.in.Strings.Get(v.Label), int64(v.Units))
		}
	}
}

func (p *player) observe(r *record, on analysis.EventKind, index int, src journal.Source) int {
	m := composition.Moment{At: r.At, Stage: composition.TranscriptObserved, Model: p.model, Reported: composition.Unknown,
		Window: composition.Unknown, Threshold: composition.Unknown, Effective: composition.Unknown}
	if r.Kind == journal.Turn && r.Flags&journal.Whole != 0 && !p.cut {
		m.Stage = composition.RequestInput
	}
	return p.s.Observe(m, on, index, src)
}

// request samples the context of a request.
func (p *player) request(q *ask) {
	at := &p.records[q.at]
	r := &q.answer
	if r.Record == nil {
		r = &p.records[q.asked]
	}
	u := r.usage()
	id, model := u.ID, u.Model
	if q.asked >= 0 {
		asked := p.records[q.asked].usage()
		id = cmp.Or(asked.ID, id)
		model = cmp.Or(asked.Model, model)
	}
	n := len(p.s.Requests)
	if model != 0 && model != p.model {
		if n > 0 && p.model != 0 {
			p.mark("model-switch", at, at.Place(at.in.Index))
		}
		p.model = model
	}
	src := r.Place(r.in.Index)
	req := analysis.Request{ID: id, At: at.At, Model: p.model, Input: p.input(r), Output: int64(q.output),
		CacheRead: int64(u.CacheRead), CacheWrite: int64(u.CacheWrite), Window: analysis.Unknown, Source: src}
	snap := p.observe(at, analysis.OnRequest, n, src)
	p.s.Snapshots[snap].Reported = req.Input
	req.Snapshot = int32(snap)
	p.s.Requests = append(p.s.Requests, req)
	p.marked = false
}

// input is the whole prompt as the provider reported it. Whether cached tokens are a part of the figure beside them is
// a matter of the provider: with all but Anthropic's they are.
func (p *player) input(r *record) int64 {
	u := r.usage()
	if u.Input <= 0 {
		return analysis.Unknown
	}
	n := int64(u.Input)
	for i := range int(r.Parts) {
		v := r.in.Part(r.Record, i)
		if v.Kind != journal.Attribute || v.Attr != journal.NoAttr || v.Units == 0 {
			continue
		}
		model := cmp.Or(u.Model, p.model)
		if model == 0 && anthropic(r.in.Strings, p.trace.provider) || anthropic(r.in.Strings, model) {
			n += int64(v.Units)
		}
	}
	return n
}

func (p *player) mark(kind string, r *record, src journal.Source) *analysis.Boundary {
	p.s.Boundaries = append(p.s.Boundaries, analysis.Boundary{Kind: kind, At: r.At, Requests: int32(len(p.s.Requests)),
		Snapshots: int32(len(p.s.Snapshots)), HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: src})
	return &p.s.Boundaries[len(p.s.Boundaries)-1]
}

// compact empties the context for a summary. What comes with a second mark before the next request is the same compaction.
func (p *player) compact(at *record, src journal.Source) {
	if p.marked {
		return
	}
	p.marked = true
	p.mark("compaction", at, src).Recorded = true
	p.empty()
}

// empty takes out everything but the instructions, which stand outside of the conversation.
func (p *player) empty() {
	p.s.Retain(func(it *composition.Item) bool { return it.Category == journal.System })
}

// cutBefore replays a compaction of which only the response behind it tells.
func (p *player) cutBefore(c *summaryAt, at *record) {
	r := &p.records[c.record]
	if c.mark {
		p.compact(at, r.Place(r.in.Index))
	}
	n := 0
	for i := range int(r.Parts) {
		v := r.in.Part(r.Record, i)
		if v.Kind != journal.Item {
			continue
		}
		if v.Category == journal.Summaries {
			p.item(r, v, composition.ID{Prefix: composition.Summary, Hash: p.key(r, c.record), Part: uint16(n)})
		}
		n++
	}
}

// record applies one event to the context.
func (p *player) record(r *record, k int) {
	if r.Flags&journal.Summary != 0 {
		p.compact(r, r.Place(r.in.Index))
	}
	if r.Flags&journal.Cleared != 0 && (len(p.s.Requests) > 0 || p.s.Items() > 0) {
		b := p.mark("clear", r, r.Place(r.in.Index))
		b.Recorded, b.Trigger = true, "manual"
		p.empty()
	}
	switch r.Kind {
	case journal.Turn:
		p.sent(r, k)
		return
	case journal.Link:
		p.s.Tell(int32(r.in.Index), r.index)
	case journal.User:
		p.said = 0
		p.title(r)
	case journal.Response, journal.Count:
		p.marked = p.marked && r.Flags&journal.Summary != 0
		if a := r.in.Attribute(r.Record, journal.Model); a != nil && len(p.asks) == 0 {
			if p.model == 0 {
				p.s.Adopt(a.Label)
			}
			p.model = a.Label
		}
	}
	if f := r.file(); f != nil {
		p.s.AddFile(analysis.File{Path: f.Label, Write: f.Attr == journal.PathWritten, Source: r.Place(r.in.Index)})
	}
	p.parts(r, k)
}

// title takes the first thing that a person typed and that is no command.
func (p *player) title(r *record) {
	if p.s.Title != "" || r.Flags&journal.Typed == 0 || r.Parts == 0 {
		return
	}
	if v := r.in.Part(r.Record, 0); v.Kind == journal.Item && v.Detail != 0 {
		if t := r.in.Strings.Get(v.Detail); t[0] != '<' && t[0] != '/' {
			p.s.Title = t
		}
	}
}

// key stands for a record in the ids of its items.
func (p *player) key(r *record, k int) uint64 {
	if r.ID != 0 {
		return r.ID
	}
	return mix(1, uint64(k)+1)
}

// parts puts the parts of an event into the context.
func (p *player) parts(r *record, k int) {
	n := 0
	for i := range int(r.Parts) {
		v := r.in.Part(r.Record, i)
		switch v.Kind {
		case journal.Item:
			id := composition.ID{Prefix: composition.Message, Hash: p.key(r, k), Part: uint16(n)}
			n++
			switch {
			case v.Category == journal.Summaries && r.Flags&journal.Summary == 0:
				continue // told with the response: see cutBefore
			case v.Category == journal.Summaries:
				id.Prefix = composition.Summary
			case v.Category == journal.Assistant && v.Hash != 0:
				if v.Hash == p.said {
					continue // the response and what the assistant said are one
				}
				p.said = v.Hash
			}
			p.item(r, v, id)
		case journal.Call:
			p.call(r, v)
		case journal.Result:
			p.result(r, v, k)
		}
	}
	p.unmeasured(r)
}

// item puts one part into the context.
func (p *player) item(r *record, v *journal.Part, id composition.ID) {
	it := composition.Item{ID: id, Tokens: composition.Tokens(v.Units), Chars: v.Units, Category: v.Category, Label: v.Label,
		Input: int32(r.in.Index), Record: r.index}
	switch v.Kind {
	case journal.Call:
		it.Call, it.Source = v.ID, composition.FromResponse
	case journal.Result:
		it.Call, it.Source = id.Name, composition.FromTool
		if c := p.s.CallNamed(id.Name); c != nil && c.Name != 0 {
			it.Label = c.Name
		}
	default:
		switch v.Category {
		case journal.Prompts:
			it.Source = composition.FromPrompt
		case journal.Assistant:
			it.Source = composition.FromResponse
		}
	}
	p.s.Put(it)
}

func (p *player) call(r *record, v *journal.Part) {
	scripted := v.Flags&journal.Scripted != 0
	p.s.AddCall(analysis.Call{ID: v.ID, Name: v.Label, Detail: v.Detail, Args: v.Hash, At: r.At, Script: scripted, Source: r.Place(r.in.Index)})
	if scripted {
		p.scripted[v.ID] = true
		return
	}
	p.item(r, v, composition.ID{Prefix: composition.ToolCall, Name: v.ID, Hash: p.unnamed(v.ID, r, 0)})
}

// unnamed tells apart what has no id.
func (p *player) unnamed(id journal.Ref, r *record, k int) uint64 {
	if id != 0 {
		return 0
	}
	return cmp.Or(p.key(r, k), uint64(r.index)+1)
}

// result puts what a tool returned into the context, linked by the call's id or by the event of the call. An error is one
// only where it belongs to a call, and stands for nothing that the tool returned as well.
func (p *player) result(r *record, v *journal.Part, k int) {
	id := v.ID
	if id == 0 {
		id = p.trace.calls[r.Parent]
	}
	call := p.s.CallNamed(id)
	if call != nil && v.Flags&journal.Failed != 0 {
		call.Failed = true
	}
	failure := v.Category == journal.NoCategory
	if id != 0 && p.scripted[id] || failure && (call == nil || p.returned[id]) {
		return
	}
	p.returned[id] = true
	w := *v
	w.Category = journal.Results
	p.item(r, &w, composition.ID{Prefix: composition.ToolResult, Name: id, Hash: p.unnamed(id, r, k)})
}

// sent puts the messages of a request in place of all that events told: they are what the model saw.
func (p *player) sent(r *record, k int) {
	if a := r.in.Attribute(r.Record, journal.AutoTitle); a != nil && p.s.Title == "" {
		p.s.Title = r.in.Strings.Get(a.Label)
	}
	if r.Flags&journal.Whole == 0 {
		p.s.Tell(int32(r.in.Index), r.index)
		p.parts(r, k)
		return
	}
	p.last, p.cut = r, false
	p.s.Retain(func(*composition.Item) bool { return false })
	seen, named := map[uint64]int{}, map[composition.ID]int{}
	for i := range int(r.Parts) {
		v := r.in.Part(r.Record, i)
		id := composition.ID{Name: v.ID}
		switch v.Kind {
		case journal.Unmeasured:
			p.cut = p.cut || r.in.Strings.Is(v.Label, rest)
			continue
		case journal.Item:
			id.Prefix = composition.Message
			if v.Category == journal.Summaries {
				id.Prefix = composition.Summary
			}
		case journal.Call:
			id.Prefix = composition.ToolCall
		case journal.Result:
			id.Prefix = composition.ToolResult
		default:
			continue
		}
		if id.Name == 0 { // the same text again is another item
			h := mix(v.Hash+uint64(v.Units), uint64(v.Category))
			nth := composition.Nth(h, seen[h])
			seen[h]++
			id.Hash, id.Part = nth.Hash, nth.Part
		} else { // some providers number the calls of each response anew
			nth := composition.Nth(0, named[id])
			named[id]++
			id.Hash, id.Part = nth.Hash, nth.Part
		}
		p.item(r, v, id)
	}
}
