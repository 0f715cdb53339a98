package pi

import (
	"strconv"
	"unicode/utf8"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// maxLabel is how long a label made of a name gets, in UTF-16 units.
const maxLabel = 96

// short cuts a name to the length of a label.
func short(name []byte) []byte {
	for i, units := 0, 0; i < len(name); {
		r, n := utf8.DecodeRune(name[i:])
		if units++; r > 0xFFFF {
			units++
		}
		if units > maxLabel {
			return name[:i]
		}
		i += n
	}
	return name
}

// sections reads the running state of the system prompt: a text sets the section of that name, null takes it out.
func (d *decoder) sections() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		d.name = append(append(d.name[:0], "section:"...), k...)
		name := d.name[len("section:"):]
		c := journal.SectionCategory(string(name))
		detail := journal.Ref(0)
		if journal.IsPath(name) {
			token := journal.PathToken(name)
			detail = d.in.Strings.Put(short(name))
			d.name = append(d.name[:len("section:")], token...)
		}
		switch s.Kind() {
		case jsonl.String:
			p := d.standing(d.name[len("section:"):])
			p.Category, p.Detail = c, detail
			p.Units = journal.Units(s.Text().Units)
			d.part(p)
		case jsonl.Null:
			s.Skip()
			d.part(journal.Part{Kind: journal.Gone, ID: d.in.Strings.Put(d.name), Flags: journal.Fixed})
		default:
			s.Skip()
		}
	}
}

// standing is an item outside of the conversation, named by what is in d.name.
func (d *decoder) standing(label []byte) journal.Part {
	return journal.Part{Kind: journal.Item, ID: d.in.Strings.Put(d.name), Label: d.in.Strings.Put(short(label)), Flags: journal.Fixed}
}

// toolsAdded reads tool definitions: each is as long as its JSON and called by its name, else by its place in the list.
func (d *decoder) toolsAdded() {
	s := d.s
	if !s.Array() {
		s.Skip()
		return
	}
	for i := 0; s.Elem(); i++ {
		d.name = append(d.name[:0], "tool:"...)
		n := d.definition()
		if len(d.name) == len("tool:") {
			d.name = strconv.AppendInt(d.name, int64(i), 10)
		}
		p := d.standing(d.name[len("tool:"):])
		p.Category, p.Units = journal.Tools, journal.Units(n)
		d.part(p)
	}
}

// definition measures a tool definition and adds its name to d.name.
func (d *decoder) definition() int64 {
	s := d.s
	if s.Kind() == jsonl.String {
		v, n := s.Quoted(1024)
		d.name = append(d.name, v...)
		return n
	}
	if !s.Object() {
		return s.JSONUnits()
	}
	n := int64(2)
	for k, first := s.Key(), true; k != nil; k, first = s.Key(), false {
		if !first {
			n++
		}
		n += jsonl.QuotedUnits(k) + 1
		if string(k) != "name" || s.Kind() != jsonl.String {
			n += s.JSONUnits()
			continue
		}
		v, q := s.Quoted(1024)
		d.name = append(d.name[:len("tool:")], v...)
		n += q
	}
	return n
}

// toolsRemoved reads which tools are no longer defined: names, or objects that have one.
func (d *decoder) toolsRemoved() {
	s := d.s
	if !s.Array() {
		s.Skip()
		return
	}
	for s.Elem() {
		d.name = append(d.name[:0], "tool:"...)
		d.definition()
		if len(d.name) > len("tool:") {
			d.part(journal.Part{Kind: journal.Gone, ID: d.in.Strings.Put(d.name), Flags: journal.Fixed})
		}
	}
}
