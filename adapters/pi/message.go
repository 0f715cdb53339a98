package pi

import (
	"bytes"
	"cmp"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// role is who a message is from.
type role uint8

const (
	nobody role = iota
	user
	assistant
	tool
	bash
	system
	summary
	custom
)

// message is a message while it is read. Its calls, sections and tool definitions become parts at once, its text at the end.
type message struct {
	seen     bool
	first    int // part
	role     role
	name     journal.Ref // of the tool, the extension or the unknown role
	call     journal.Ref
	content  sized
	plain    sized // member text
	summary  sized
	ran      int64 // command and output
	title    journal.Ref
	images   uint32
	hidden   uint32 // reasoning that is there only encrypted
	failed   bool
	excluded bool

	at       int64 // start of the call
	model    journal.Ref
	response journal.Ref
	broken   bool // stopped by an error or by the person
	open     bool
	usage    journal.Usage
}

// sized is the length of a member that may be there and empty.
type sized struct {
	units int64
	there bool
}

// text is the length of the first member that is there.
func (m *message) text() int64 {
	for _, v := range []*sized{&m.content, &m.plain, &m.summary} {
		if v.there {
			return v.units
		}
	}
	return 0
}

// message reads a message; false, and nothing is read, when something else is at hand.
func (d *decoder) message(m *message) bool {
	s := d.s
	if !s.Object() {
		s.Skip()
		return false
	}
	m.seen, m.first = true, d.in.Parts.Len()
	for k := s.Key(); k != nil; k = s.Key() {
		d.field(m, k)
	}
	return true
}

// field reads a member of a message, or of an entry that is one.
func (d *decoder) field(m *message, k []byte) {
	s := d.s
	switch string(k) {
	case "role":
		d.role(m)
	case "content":
		d.content(m, &m.content)
	case "text":
		d.content(m, &m.plain)
	case "summary":
		d.content(m, &m.summary)
	case "command", "output":
		m.ran += s.Text().Units
	case "toolCallId", "tool_use_id":
		if ref := d.ref(256); ref != 0 {
			m.call = ref
		}
	case "toolName", "customType":
		m.name = d.ref(4 * maxLabel)
	case "isError":
		m.failed, _ = s.Bool()
	case "excludeFromContext":
		m.excluded, _ = s.Bool()
	case "sections":
		d.sections()
	case "toolsAdded":
		d.toolsAdded()
	case "toolsRemoved":
		d.toolsRemoved()
	case "timestamp":
		m.at = d.time()
	case "model":
		m.model = d.ref(256)
	case "responseId":
		m.response = d.ref(256)
	case "stopReason":
		v, _ := s.Str(16)
		m.broken = string(v) == "error" || string(v) == "aborted"
		m.open = string(v) == "pending"
	case "usage":
		d.usage(m)
	default:
		s.Skip()
	}
}

func (d *decoder) role(m *message) {
	v, _ := d.s.Str(64)
	switch string(v) {
	case "user":
		m.role = user
	case "assistant":
		m.role = assistant
	case "toolResult", "tool":
		m.role = tool
	case "bashExecution":
		m.role = bash
	case "system":
		m.role = system
	case "custom", "hookMessage":
		m.role = custom
	default:
		if m.role = nobody; contains(v, "compaction") || contains(v, "summary") {
			m.role = summary
		} else if m.name == 0 {
			m.name = d.in.Strings.Put(v)
		}
	}
}

// contains looks for a word whatever its case.
func contains(v []byte, word string) bool {
	for i := 0; i+len(word) <= len(v); i++ {
		if bytes.EqualFold(v[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}

// maxText is how much of a text is decoded to find what to call it.
const maxText = 2 << 10

// content measures a text or a list of blocks. What is null is not there.
func (d *decoder) content(m *message, to *sized) {
	s := d.s
	switch s.Kind() {
	case jsonl.Null:
		s.Skip()
		return
	case jsonl.String:
		to.units += d.words(m)
	case jsonl.Array:
		for s.Array(); s.Elem(); {
			if s.Object() {
				to.units += d.block(m)
			} else {
				s.Skip()
			}
		}
	default:
		s.Skip()
	}
	to.there = true
}

// words measures a text; the first of a message that says something gives it its title.
func (d *decoder) words(m *message) int64 {
	if m.role == tool || m.role == system || m.title != 0 && m.role != user && m.role != assistant {
		return d.s.Text().Units
	}
	head, t := d.s.Str(facts.Room())
	switch m.role {
	case user:
		d.facts.Add(facts.Person, -1, head, t.Units)
	case assistant:
		d.facts.Add(facts.Model, -1, head, t.Units)
	}
	if m.title == 0 {
		m.title = d.in.Strings.Put(journal.TitleOf(head[:min(len(head), maxText)]))
	}
	return t.Units
}

// block reads one block of a content and returns the length of its text. A text that is there, if only an empty one, stands
// before thinking.
func (d *decoder) block(m *message) int64 {
	s := d.s
	var text, thinking sized
	var kind byte
	var id, name, detail journal.Ref
	var nameUnits, arguments, input int64
	var args uint64
	redacted, signed := false, false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type":
			kind = blockKind(s)
		case "text":
			if text.there = s.Kind() != jsonl.Null; text.there {
				text.units = d.words(m)
			} else {
				s.Skip()
			}
		case "thinking":
			thinking.units = s.Text().Units
		case "thinkingSignature":
			v, _ := s.Str(1)
			signed = len(v) > 0
		case "redacted":
			redacted, _ = s.Bool()
		case "id":
			id = d.ref(256)
		case "name":
			v, t := s.Str(256)
			name, nameUnits = d.in.Strings.Put(v), t.Units
		case "arguments":
			arguments, args, detail = d.arguments(args, detail)
		case "input":
			input, args, detail = d.arguments(args, detail)
		default:
			s.Skip()
		}
	}
	switch kind {
	case 'c':
		if arguments == 0 {
			arguments = input
		}
		if arguments == 0 {
			arguments, args = 2, jsonl.Members(0).Hash() // {}
		}
		d.part(journal.Part{Kind: journal.Call, Category: journal.Assistant, ID: id, Label: name, Detail: detail, Hash: args,
			Units: journal.Units(nameUnits + arguments)})
	case 'i':
		m.images++
	case 't':
		if redacted || signed && thinking.units == 0 {
			m.hidden++
		}
	}
	if text.there {
		return text.units
	}
	return thinking.units
}

func blockKind(s *jsonl.Scanner) byte {
	switch v, _ := s.Str(16); string(v) {
	case "toolCall", "tool_use":
		return 'c'
	case "image":
		return 'i'
	case "thinking":
		return 't'
	}
	return 0
}

// details are the arguments that tell a person which call it was, best first.
var details = []string{"path", "file_path", "command", "pattern", "url", "query", "task", "prompt", "description"}

// arguments reads the arguments of a call. Null is none.
func (d *decoder) arguments(hash uint64, known journal.Ref) (n int64, args uint64, detail journal.Ref) {
	if d.s.Kind() == jsonl.Null {
		d.s.Skip()
		return 0, hash, known
	}
	n, args, detail = d.calls.Read(d.s)
	return n, args, cmp.Or(detail, known)
}
