package pi

import (
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// player replays the living branch of one session.
type player struct {
	t       *tree
	s       *analysis.Session
	path    []int32
	model   journal.Ref
	counted bool // there are requests with usage
	began   bool

	present int32              // from this position on entries are in the context
	system  int32              // position of the last compaction that brought a system message of its own, -1 before
	edits   map[int32]*entryAt // position -> the context edit that replaced its content
	owners  map[owner]int64    // a tool call's id belongs to the first call that has it
	fixed   []composition.ID   // items that stay through a compaction
	carried []composition.ID   // items that the last compaction brought
	work    int                // how much content was brought back or replaced
	limit   int
}

type owner struct {
	prefix composition.Prefix
	name   journal.Ref
}

func (p *player) at(k int32) *entryAt { return &p.t.entries[p.path[k]] }

func (p *player) replay() {
	t := p.t
	if t.header != nil {
		p.s.Saw(t.header.At)
		if v := t.in.Attribute(t.header, journal.WorkingDir); v != nil {
			p.s.Began(v.Label)
		}
	}
	requests := 0
	for i := range t.entries {
		e := &t.entries[i]
		p.limit += 16 * (1 + int(e.Parts))
		if !e.copied {
			p.s.Saw(e.At)
			if e.path >= 0 && e.Flags&journal.HasUsage != 0 {
				requests++
			}
		}
		if e.Kind == journal.Name {
			p.s.Title = e.in.Strings.Get(e.in.Part(e.Record, 0).Label)
		}
	}
	p.counted = requests > 0
	p.s.Expect(requests)
	p.s.Abandoned = t.abandoned()
	for k := range p.path {
		p.entry(p.at(int32(k)), int32(k))
	}
	if !p.began && p.s.Items() > 0 {
		p.observe(p.at(int32(len(p.path)-1)), composition.TranscriptObserved, analysis.OnCapture, 0)
	}
}

// entry replays one entry.
func (p *player) entry(e *entryAt, k int32) {
	if k > 0 && !e.copied && p.t.branches(p.path[k], p.path[k-1]) {
		text := p.text(e)
		p.mark("rewind", e).Recorded = e.Kind == journal.Injected && text != nil && text.Category == journal.Summaries
	}
	switch e.Kind {
	case journal.Response:
		p.response(e)
	case journal.Boundary:
		p.cut(e, k)
	case journal.Trim:
		p.edit(e, k)
	case journal.User:
		p.title(e)
	}
	if brings(e) {
		p.standing(e)
		p.items(k, false)
		if !p.leaves(e) {
			p.fixed = append(p.fixed, composition.ID{Prefix: composition.Message, Hash: p.identity(e, k)})
		}
	}
	for i := range int(e.Parts) {
		if v := e.in.Part(e.Record, i); v.Kind == journal.Unmeasured {
			p.s.AddUnmeasured(e.in.Strings.Get(v.Label), int64(v.Units))
		}
	}
}

// brings reports whether an entry has content that is its own from here on.
func brings(e *entryAt) bool {
	return e.Kind == journal.User || e.Kind == journal.Response || e.Kind == journal.Injected
}

func (p *player) title(e *entryAt) {
	if p.s.Title != "" || e.Flags&journal.Typed == 0 {
		return
	}
	for i := range int(e.Parts) {
		if v := e.in.Part(e.Record, i); v.Kind == journal.Item && v.Flags&journal.Fixed == 0 {
			p.s.Title = e.in.Strings.Get(v.Detail)
		}
	}
}

// response samples the context before a response of this session, and takes its model.
func (p *player) response(e *entryAt) {
	var u *journal.Usage
	model := journal.Ref(0)
	if e.Flags&journal.HasUsage != 0 {
		u = e.in.Usages.At(int(e.Usage))
		model = u.Model
	} else if a := e.in.Attribute(e.Record, journal.Model); a != nil {
		model = a.Label
	} else {
		return // it broke off
	}
	if p.model == 0 && len(p.s.Requests) == 0 {
		p.s.Adopt(model)
	}
	p.model = model
	switch {
	case e.copied:
	case u != nil:
		p.request(e, u)
	case !p.counted: // no provider that reports: what each response answered to
		p.observe(e, composition.TranscriptObserved, analysis.OnCapture, 0)
	}
}

func (p *player) request(e *entryAt, u *journal.Usage) {
	n := len(p.s.Requests)
	q := analysis.Request{ID: u.ID, At: e.At, Model: u.Model, Input: analysis.Unknown, Output: int64(u.Output), CacheRead: int64(u.CacheRead),
		CacheWrite: int64(u.CacheWrite), OutputLower: e.Flags&journal.OpenEnded != 0, Window: analysis.Unknown, Source: e.Place(e.in.Index)}
	if u.Input > 0 {
		q.Input = int64(u.Input)
	}
	if n > 0 && p.s.Requests[n-1].Model != q.Model {
		p.mark("model-switch", e)
	}
	p.s.Requests = append(p.s.Requests, q)
	snap := p.observe(e, composition.TranscriptObserved, analysis.OnRequest, n)
	p.s.Snapshots[snap].Reported = q.Input
	p.s.Requests[n].Snapshot = int32(snap)
}

func (p *player) observe(e *entryAt, stage composition.Stage, on analysis.EventKind, index int) int {
	p.began = true
	m := composition.Moment{At: e.At, Stage: stage, Model: p.model, Reported: composition.Unknown, Window: composition.Unknown,
		Threshold: composition.Unknown, Effective: composition.Unknown}
	return p.s.Observe(m, on, index, e.Place(e.in.Index))
}

func (p *player) mark(kind string, e *entryAt) *analysis.Boundary {
	p.s.Boundaries = append(p.s.Boundaries, analysis.Boundary{Kind: kind, At: e.At, Requests: int32(len(p.s.Requests)),
		Snapshots: int32(len(p.s.Snapshots)), HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: e.Place(e.in.Index)})
	return &p.s.Boundaries[len(p.s.Boundaries)-1]
}

// cut replays a compaction: its summary, the entries that it kept, and what stands outside of the conversation. One that a fork
// brought along happened in another session and leaves no boundary here.
func (p *player) cut(e *entryAt, k int32) {
	if !e.copied {
		b := p.mark("compaction", e)
		b.Recorded = true
		if a := e.in.Attribute(e.Record, journal.PreTokens); a != nil {
			b.HarnessFrom = int64(a.Units)
		}
	}
	p.carried = p.remove(p.carried)
	from := p.kept(e, k)
	for i := p.present; i < from; i++ {
		if p.leaves(p.at(i)) {
			p.items(i, true)
		}
	}
	for i := p.present - 1; i >= from; i-- { // it kept more than the compaction before had left
		if !p.spend(p.at(i)) {
			from = i + 1
		}
	}
	for i := from; i < p.present; i++ {
		if p.leaves(p.at(i)) {
			p.items(i, false)
		}
	}
	p.present = from
	p.bring(e, k)
	if !e.copied {
		p.observe(e, composition.PostCompaction, analysis.OnCompaction, len(p.s.Boundaries)-1)
	}
}

// leaves reports whether an entry's content goes with a compaction that did not keep it. That of a system message stays.
func (p *player) leaves(e *entryAt) bool {
	text := p.text(e)
	return brings(e) && (text == nil || !isSystem(text))
}

// kept is the position of the first entry that a compaction kept; its own when it kept none.
func (p *player) kept(e *entryAt, k int32) int32 {
	for i := range int(e.Parts) {
		v := e.in.Part(e.Record, i)
		if v.Kind != journal.KeptFrom {
			continue
		}
		n := int32(-1)
		if v.Flags&journal.Hashed != 0 {
			n = p.t.find(v.Hash)
		} else if v.Units <= uint32(len(p.t.entries)) {
			n = max(0, int32(v.Units)-1) // the header is record 0
		}
		if n >= 0 && p.t.entries[n].path >= 0 {
			return min(p.t.entries[n].path, k)
		}
	}
	return k
}

// bring puts into the context what stands in a compaction itself: a system message in the place of all before, messages that it
// kept, and at last its summary.
func (p *player) bring(e *entryAt, k int32) {
	last := 0
	for i := range int(e.Parts) {
		v := e.in.Part(e.Record, i)
		if v.Kind == journal.Item {
			last = i
		}
		if isSystem(v) {
			p.system = k
		}
	}
	if p.system == k {
		p.fixed = p.remove(p.fixed)
	}
	p.standing(e)
	n := 0
	for i := range int(e.Parts) {
		v := e.in.Part(e.Record, i)
		if v.Flags&journal.Fixed != 0 || v.Kind != journal.Item && v.Kind != journal.Call && v.Kind != journal.Result {
			continue
		}
		it := p.item(e, v)
		it.ID = composition.Nth(p.identity(e, k), n)
		n++
		switch {
		case i == last:
			it.ID = composition.ID{Prefix: composition.Summary, Hash: p.identity(e, k)}
		case isSystem(v):
			it.ID = composition.ID{Prefix: composition.Message, Hash: p.identity(e, k)}
			p.fixed = append(p.fixed, it.ID)
			p.s.Put(it)
			continue
		case v.Kind == journal.Item || v.ID == 0:
			it.ID.Prefix = composition.Replacement
		case v.Kind == journal.Call:
			it.ID = composition.ID{Prefix: composition.ToolCall, Name: v.ID}
		default:
			it.ID = composition.ID{Prefix: composition.ToolResult, Name: v.ID}
		}
		p.carried = append(p.carried, it.ID)
		p.s.Put(it)
	}
}

// isSystem tells the text of a system message.
func isSystem(v *journal.Part) bool {
	return v.Kind == journal.Item && v.Category == journal.System && v.Flags&journal.Fixed == 0
}

// remove takes items out and empties the list of them.
func (p *player) remove(ids []composition.ID) []composition.ID {
	for _, id := range ids {
		p.s.Remove(id)
	}
	return ids[:0]
}

// edit replaces the content of an entry from here on, or takes it out. The latest edit on the branch holds.
func (p *player) edit(e *entryAt, k int32) {
	i := p.t.find(e.in.Part(e.Record, int(e.Parts)-1).Hash)
	if i < 0 {
		return
	}
	to := &p.t.entries[i]
	if to.path < 0 || to.path >= k || !brings(to) || !p.spend(to) {
		return
	}
	there := to.path >= p.present
	if text := p.text(to); text != nil && isSystem(text) {
		there = to.path > p.system
	}
	if there {
		p.items(to.path, true)
	}
	p.edits[to.path] = e
	if !there {
		return
	}
	p.items(to.path, false)
	if !e.copied {
		p.mark("context-edit", e).Recorded = true
	}
}

// spend bounds the work on entries that come back or are replaced again and again, which no session of Pi's does.
func (p *player) spend(e *entryAt) bool {
	p.work += 1 + int(e.Parts)
	return p.work <= p.limit
}

// standing applies what an entry says about the items outside of the conversation: what it adds, then what it takes away.
func (p *player) standing(e *entryAt) {
	gone := false
	for i := range int(e.Parts) {
		v := e.in.Part(e.Record, i)
		if v.Flags&journal.Fixed == 0 {
			continue
		}
		id := composition.ID{Prefix: composition.Named, Name: v.ID}
		switch {
		case v.Kind == journal.Gone:
			gone = true
		case v.Units == 0:
			p.s.Remove(id)
		default:
			it := p.item(e, v)
			it.ID = id
			p.fixed = append(p.fixed, id)
			p.s.Put(it)
		}
	}
	if !gone {
		return
	}
	for i := range int(e.Parts) {
		if v := e.in.Part(e.Record, i); v.Kind == journal.Gone && v.Flags&journal.Fixed != 0 {
			p.s.Remove(composition.ID{Prefix: composition.Named, Name: v.ID})
		}
	}
}

// text is the part for the text of a message.
func (p *player) text(e *entryAt) *journal.Part {
	for i := range int(e.Parts) {
		if v := e.in.Part(e.Record, i); v.Flags&journal.Fixed == 0 && (v.Kind == journal.Item || v.Kind == journal.Result) {
			return v
		}
	}
	return nil
}
