package pi

import (
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// items puts the content of the entry at a position into the context as it is there, edited or not, or takes it out.
func (p *player) items(k int32, out bool) {
	e := p.at(k)
	body := e
	if edit := p.edits[k]; edit != nil {
		body = edit
	}
	text := p.text(e)
	calls := 0
	for i := range int(body.Parts) {
		v := body.in.Part(body.Record, i)
		switch {
		case v.Flags&journal.Fixed != 0:
		case v.Kind == journal.Call:
			it := p.item(body, v)
			it.ID = p.name(composition.ToolCall, v.ID, e, k, calls)
			calls++
			p.change(it, out)
			if !out {
				p.s.AddCall(analysis.Call{ID: v.ID, Name: v.Label, Detail: v.Detail, Args: v.Hash, At: e.At, Source: body.Place(body.in.Index)})
			}
		case v.Kind == journal.Item || v.Kind == journal.Result:
			as := *v
			if body != e && text != nil {
				as = *text
				as.Units = v.Units
			}
			p.message(e, body, k, &as, out)
		}
	}
}

// message puts in or takes out the text of a message.
func (p *player) message(e, body *entryAt, k int32, v *journal.Part, out bool) {
	it := p.item(body, v)
	switch {
	case v.Kind == journal.Result:
		it.ID = p.name(composition.ToolResult, v.ID, e, k, 0)
		if c := p.s.CallNamed(v.ID); c != nil {
			c.Failed = c.Failed || v.Flags&journal.Failed != 0
			if it.Label == 0 {
				it.Label = c.Name
			}
		}
	case v.Category == journal.Summaries:
		it.ID = composition.ID{Prefix: composition.Summary, Hash: p.identity(e, k)}
	default:
		it.ID = composition.ID{Prefix: composition.Message, Hash: p.identity(e, k)}
	}
	p.change(it, out)
}

func (p *player) change(it composition.Item, out bool) {
	if out {
		p.s.Remove(it.ID)
		return
	}
	p.s.Put(it)
}

// item is a part as an item without its id.
func (p *player) item(e *entryAt, v *journal.Part) composition.Item {
	it := composition.Item{Tokens: composition.Tokens(v.Units), Chars: v.Units, Category: v.Category, Label: v.Label,
		Input: int32(e.in.Index), Record: e.index}
	switch {
	case v.Kind == journal.Call:
		it.Call, it.Source = v.ID, composition.FromResponse
	case v.Kind == journal.Result:
		it.Call, it.Source = v.ID, composition.FromTool
	case v.Category == journal.Prompts:
		it.Source = composition.FromPrompt
	case v.Category == journal.Assistant:
		it.Source = composition.FromResponse
	}
	return it
}

// identity of an entry inside its session: its id, or its position where entries have none.
func (p *player) identity(e *entryAt, k int32) uint64 {
	if e.ID != 0 {
		return e.ID
	}
	return uint64(k) + 1
}

// name identifies a call or a result by the id of the call. Providers that number the calls of each response anew give the same
// id to several: only the first has it, the others are named by their entry.
func (p *player) name(prefix composition.Prefix, name journal.Ref, e *entryAt, k int32, nth int) composition.ID {
	if name != 0 {
		o, here := owner{prefix, name}, int64(k)<<32|int64(nth)
		if at, ok := p.owners[o]; !ok || at == here {
			p.owners[o] = here
			return composition.ID{Prefix: prefix, Name: name}
		}
	}
	id := composition.Nth(p.identity(e, k), nth)
	id.Prefix = prefix
	return id
}
