package pi

import (
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// finishMessage closes an entry that holds a message.
func (d *decoder) finishMessage() {
	r, m := d.r, &d.e.message
	if m.at != 0 {
		r.At = m.at // of a response the start of the call; the entry was written at its end
	}
	switch m.role {
	case user:
		r.Kind = journal.User
		r.Flags |= journal.Typed
	case assistant:
		r.Kind = journal.Response
		d.response()
	case tool, bash:
		r.Kind = journal.User
	default:
		r.Kind = journal.Injected
	}
	d.close(m)
}

// response keeps what a response was made by and what the provider reported. One that broke off, or that came without any
// figure, was no request that can be shown; of the latter the model is known all the same.
func (d *decoder) response() {
	r, m := d.r, &d.e.message
	u := &m.usage
	switch {
	case m.broken:
	case u.Input > 0 || u.Output > 0:
		u.ID, u.Model = m.response, m.model
		r.Usage = uint32(d.in.Usages.Append(*u))
		r.Flags |= journal.HasUsage
		if m.open {
			r.Flags |= journal.OpenEnded
		}
	case m.model != 0:
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Model, Label: m.model})
	}
}

// usage reads the provider's figures. They don't overlap: the prompt is the sum of what was new, read and written.
func (d *decoder) usage(m *message) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	figures := [5]int64{-1, -1, -1, -1, -1}
	for k := s.Key(); k != nil; k = s.Key() {
		i := figure(k)
		if i < 0 || s.Kind() != jsonl.Number {
			s.Skip()
			continue
		}
		if n, ok := s.Int(); ok && n >= 0 && n <= 1<<31-1 {
			figures[i] = n
		}
	}
	prompt := int64(-1)
	for _, n := range figures[:3] {
		if n >= 0 {
			prompt = max(0, prompt) + n
		}
	}
	m.usage = journal.Usage{Input: journal.Tokens(prompt), CacheRead: journal.Tokens(figures[1]), CacheWrite: journal.Tokens(figures[2]),
		Output: journal.Tokens(figures[3]), Total: journal.Tokens(figures[4]), Window: -1}
}

func figure(k []byte) int {
	switch string(k) {
	case "input":
		return 0
	case "cacheRead":
		return 1
	case "cacheWrite":
		return 2
	case "output":
		return 3
	case "totalTokens":
		return 4
	}
	return -1
}

// close adds the part for a message's text, always one so that a context edit finds what it replaces, and counts what has no
// size.
func (d *decoder) close(m *message) {
	p := journal.Part{Kind: journal.Item, Category: journal.Unattributed, Label: m.name, Detail: m.title, Units: journal.Units(m.text())}
	switch m.role {
	case user:
		p.Category, p.Label = journal.Prompts, 0
	case assistant:
		p.Category, p.Label = journal.Assistant, 0
	case tool:
		p.Kind, p.Category, p.ID, p.Detail = journal.Result, journal.Results, m.call, 0
		if m.failed {
			p.Flags |= journal.Failed
		}
	case bash:
		p.Category, p.Label, p.Detail, p.Units = journal.Results, d.label("bash"), 0, journal.Units(m.ran)
	case system:
		p.Category, p.Label = journal.System, 0
	case summary:
		p.Category, p.Label = journal.Summaries, 0
	}
	if m.excluded {
		d.in.Parts.Truncate(max(m.first, int(d.r.First)))
		p.Units = 0
		d.part(p)
		return
	}
	d.part(p)
	d.unmeasured(m)
}

func (d *decoder) unmeasured(m *message) {
	if m.images > 0 {
		d.part(journal.Part{Kind: journal.Unmeasured, Units: m.images, Label: d.label("images and documents")})
	}
	if m.hidden > 0 {
		d.part(journal.Part{Kind: journal.Unmeasured, Units: m.hidden, Label: d.label("encrypted reasoning")})
	}
}
