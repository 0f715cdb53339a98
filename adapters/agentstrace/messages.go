package agentstrace

import (
	"bytes"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// messages counts the messages that a request was recorded with.
type messages struct {
	told  int64 // message_count
	seen  int64
	title journal.Ref // of the first thing that a person said
}

// message is one of them while it is read. Its texts are parts already; they get their category when the role is known.
type message struct {
	role   byte // 's'ystem, 'd'eveloper, 'u'ser, 'a'ssistant, 't'ool, 'f'unction, 'm'odel
	callID journal.Ref
	name   journal.Ref
}

// readMessages reads what a request sent, in the languages of Anthropic and OpenAI.
func (d *decoder) readMessages() {
	s := d.s
	if !s.Array() {
		s.Skip()
		return
	}
	for s.Elem() {
		d.line.messages.seen++
		if !s.Object() {
			s.Skip()
			continue
		}
		d.readMessage()
	}
}

func (d *decoder) readMessage() {
	s := d.s
	first := d.in.Parts.Len()
	var m message
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "role":
			if v, _ := s.Str(16); len(v) > 0 {
				m.role = v[0]
			}
		case "content", "parts":
			d.blocks()
		case "tool_calls":
			for s.Array(); s.Elem(); {
				d.block()
			}
		case "tool_call_id":
			m.callID = d.ref()
		case "name":
			m.name = d.ref()
		default:
			s.Skip()
		}
	}
	for i := first; i < d.in.Parts.Len(); i++ {
		if p := d.in.Parts.At(i); p.Kind == journal.Item && p.Category == journal.NoCategory {
			d.attribute(p, &m)
			if i > first {
				merge(d.in.Parts.At(i-1), p)
			}
		}
	}
}

// merge makes one result of the texts of a tool's message.
func merge(above, p *journal.Part) {
	if p.Kind == journal.Result && above.Kind == journal.Result && above.ID == p.ID {
		p.Units = journal.Units(int64(p.Units) + int64(above.Units))
		*above = journal.Part{Kind: journal.Attribute}
	}
}

// attribute gives a text the category of its message.
func (d *decoder) attribute(p *journal.Part, m *message) {
	switch m.role {
	case 's', 'd':
		p.Category, p.Label = journal.System, d.label("Instructions")
	case 'a', 'm':
		p.Category = journal.Assistant
	case 't', 'f':
		p.Kind, p.Category, p.ID, p.Label = journal.Result, journal.Results, m.callID, m.name
		if p.ID != 0 {
			p.Hash, p.Flags = 0, 0
		}
	case 'u':
		p.Category = journal.Prompts
		if d.line.messages.title == 0 {
			d.line.messages.title = p.Detail
		}
	default:
		p.Category = journal.Unattributed
	}
	p.Detail = 0 // of many messages only the record's first text could be told by it
}

// blocks reads a message's content: a text, or a list of blocks.
func (d *decoder) blocks() {
	s := d.s
	switch s.Kind() {
	case jsonl.String:
		d.messageText()
	case jsonl.Array:
		for s.Array(); s.Elem(); {
			if s.Kind() == jsonl.String {
				d.messageText()
				continue
			}
			d.block()
		}
	default:
		s.Skip()
	}
}

func (d *decoder) messageText() {
	head, size := d.s.Str(facts.Room())
	if size.Units == 0 {
		return
	}
	d.facts.Add(facts.ByPart, d.in.Parts.Len(), head, size.Units)
	head = head[:min(len(head), maxText)]
	cut := isCut(textPreview, head, size) || isCut(textText, head, size)
	p := journal.Part{Kind: journal.Item, Hash: hashOf(head, size.Units), Flags: journal.Hashed, Units: journal.Units(size.Units)}
	switch {
	case bytes.HasPrefix(head, []byte("This session is being continued from a previous conversation that ran out of context")):
		p.Category, p.Label = journal.Summaries, d.label("Summary")
	case d.line.messages.title == 0:
		p.Detail = d.in.Strings.Put(journal.TitleOf(head))
	}
	d.part(p)
	d.cutOff(&text{cut: cut})
}

// block is a piece of content, or a call of OpenAI's list: told apart by what it has, because the type may come last.
type block struct {
	image  bool
	result bool
	call   bool
	id     journal.Ref
	name   journal.Ref
	units  int64 // of name and arguments
	inner  int64
}

func (d *decoder) block() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	var b block
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type":
			v, _ := s.Str(24)
			b.image = bytes.Contains(v, []byte("image")) || string(v) == "document"
			b.result = string(v) == "tool_result"
			b.call = string(v) == "tool_use" || string(v) == "function"
		case "text", "thinking":
			if s.Kind() == jsonl.String {
				d.messageText()
			}
		case "id", "tool_use_id":
			b.id = d.ref()
		case "name":
			d.blockName(&b)
		case "input", "arguments":
			b.units += d.argumentUnits()
		case "function":
			d.function(&b)
		case "content":
			b.inner += d.inner(0)
		default:
			s.Skip()
		}
	}
	switch {
	case b.image:
		d.part(journal.Part{Kind: journal.Unmeasured, Units: 1, Label: d.label("images and documents")})
	case b.result:
		d.part(journal.Part{Kind: journal.Result, Category: journal.Results, ID: b.id, Units: journal.Units(b.inner)})
	case b.call:
		d.part(journal.Part{Kind: journal.Call, Category: journal.Assistant, ID: b.id, Label: b.name, Units: journal.Units(b.units)})
	}
}

func (d *decoder) blockName(b *block) {
	v, t := d.s.Str(maxID)
	b.name = d.in.Strings.Put(v)
	b.units += t.Units
}

// function is the nested name and arguments of a call.
func (d *decoder) function(b *block) {
	s := d.s
	b.call = true
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "name":
			d.blockName(b)
		case "arguments":
			b.units += d.argumentUnits()
		default:
			s.Skip()
		}
	}
}

// argumentUnits measures arguments: OpenAI passes them as a text that is JSON already.
func (d *decoder) argumentUnits() int64 {
	if d.s.Kind() == jsonl.String {
		return d.s.Text().Units
	}
	return d.s.JSONUnits()
}

// inner measures the texts of a result.
func (d *decoder) inner(depth int) (n int64) {
	s := d.s
	switch {
	case s.Kind() == jsonl.String:
		return s.Text().Units
	case depth < 4 && s.Array():
		for s.Elem() {
			n += d.inner(depth + 1)
		}
		return n
	case depth < 4 && s.Object():
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "text" || string(k) == "content" {
				n += d.inner(depth + 1)
			} else {
				s.Skip()
			}
		}
		return n
	}
	s.Skip()
	return 0
}
