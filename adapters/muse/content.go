package muse

import (
	"bytes"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// maxText is how much of a text is decoded to tell what it is and what to call it.
const maxText = 4 << 10

// wording reads a text that is an item by itself: a prompt, an answer, a single result.
func (d *decoder) wording(prompt bool) {
	if d.s.Kind() != jsonl.String {
		return
	}
	e := &d.event
	limit := maxText
	if prompt || d.kind.is("assistant_message_committed") {
		limit = facts.MaxText
	}
	head, t := d.s.Str(limit)
	switch {
	case prompt:
		d.facts.Add(facts.ByPart, -1, head, t.Units)
	case limit == facts.MaxText:
		d.facts.Add(facts.Model, -1, head, t.Units)
	}
	head = head[:min(len(head), maxText)]
	e.units = t.Units
	e.control = prompt && recorderCommand(head)
	e.title = d.in.Strings.Put(journal.TitleOf(head))
}

// recorderCommand tells a prompt that only steers the recorder: one line, tracing start and the like, with a slash or
// without. Nothing of it goes to the model.
func recorderCommand(prompt []byte) bool {
	prompt = bytes.TrimSpace(prompt)
	if bytes.ContainsAny(prompt, "\r\n") {
		return false
	}
	word, rest, _ := bytes.Cut(bytes.TrimPrefix(prompt, []byte{'/'}), []byte{' '})
	if string(word) != "tracing" {
		return false
	}
	verb, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte{' '})
	switch string(verb) {
	case "start", "stop", "status":
		return true
	}
	return false
}

// toolCall reads a call: its size is that of its arguments, as the model wrote them.
func (d *decoder) toolCall() {
	s := d.s
	if !s.Object() {
		return
	}
	p := journal.Part{Kind: journal.Call, Category: journal.Assistant}
	var id journal.Ref
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "call_id":
			p.ID = d.ref()
		case "id":
			id = d.ref()
		case "name":
			p.Label = d.ref()
		case "args":
			if s.Kind() != jsonl.String {
				units, hash := s.JSONHash()
				p.Units, p.Hash = journal.Units(units), hash
				continue
			}
			head, t, hash := s.StrHash(2 << 10)
			if int(t.Bytes) == len(head) {
				if inner, ok := jsonl.HashOf(head); ok {
					hash = inner // whatever white space the model wrote
				}
			}
			p.Hash = hash
			p.Units, p.Detail = journal.Units(t.Units), d.in.Strings.Put(d.detail(head))
		}
	}
	if p.ID == 0 {
		p.ID = id
	}
	d.part(p)
}

// details are the arguments that a person would call a call by, the best one first.
var details = []string{"command", "cmd", "path", "file_path", "target_path", "pattern", "query", "url", "prompt", "description", "reason"}

// detail picks the command, path or query out of a call's arguments.
func (d *decoder) detail(args []byte) []byte {
	if len(args) == 0 || args[0] != '{' {
		return nil
	}
	for _, name := range details {
		v := jsonl.Get(args, name)
		if len(v) == 0 || v[0] != '"' {
			continue
		}
		d.words.Reset(v)
		if d.pocket == nil {
			d.pocket = jsonl.NewScanner(&d.words, 4<<10)
		} else {
			d.pocket.Reset(&d.words)
		}
		d.pocket.Next()
		head, _ := d.pocket.Str(512)
		line, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte{'\n'})
		if len(line) > 160 {
			line = bytes.ToValidUTF8(line[:160], nil)
		}
		if len(line) > 0 {
			return line
		}
	}
	return nil
}

// toolResult reads what a tool returned.
func (d *decoder) toolResult() {
	s := d.s
	if !s.Object() {
		return
	}
	p := journal.Part{Kind: journal.Result, Category: journal.Results}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "tool_call_id", "call_id":
			p.ID = d.ref()
		case "text", "output", "result":
			if s.Kind() != jsonl.String {
				continue
			}
			head, t := s.Str(512)
			p.Units = journal.Units(t.Units)
			if failedCommand(head) {
				p.Flags |= journal.Failed
			}
		}
	}
	d.part(p)
}

// failedCommand reads the exit code of a shell's result, which is JSON in a string.
func failedCommand(head []byte) bool {
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	v := jsonl.Get(head, "exit_code")
	return len(v) > 0 && (v[0] == '-' || v[0] >= '1' && v[0] <= '9')
}

// content counts the images that a tool's result shows to the model; a content that is a text is the result itself.
func (d *decoder) content() {
	s := d.s
	if s.Kind() == jsonl.String {
		d.wording(false)
		return
	}
	for s.Array(); s.Elem(); {
		if !s.Object() {
			continue
		}
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "kind" {
				if v, _ := s.Str(16); string(v) == "image" {
					d.event.images++
				}
			}
		}
	}
}

// context reads a text that stands outside of the conversation: the system prompt, or a message of the harness that every
// request carries. It is an item with its characters, and a measure with its bytes, as the lanes count them.
func (d *decoder) context(name string, c journal.Category) {
	if d.s.Kind() != jsonl.String {
		return
	}
	d.piece(d.label(name), c, d.s.Text())
}

// piece adds such a text under its name. One that is a path is not for documents: it stands there as a token.
func (d *decoder) piece(id journal.Ref, c journal.Category, t jsonl.Text) {
	if t.Units == 0 {
		return
	}
	label, detail := id, journal.Ref(0)
	if name := []byte(d.in.Strings.Get(id)); journal.IsPath(name) {
		label, detail = d.label(journal.PathToken(name)), id
	}
	d.part(journal.Part{Kind: journal.Item, Category: c, ID: label, Label: label, Detail: detail, Units: journal.Units(t.Units), Flags: journal.Fixed})
	d.part(journal.Part{Kind: journal.Measured, Category: c, ID: id, Units: journal.Units(t.Bytes)})
}

// contextMessages reads the messages that the harness puts in front of the conversation.
func (d *decoder) contextMessages() {
	s := d.s
	if s.Kind() != jsonl.Array {
		return
	}
	d.event.configured = true
	for s.Array(); s.Elem(); {
		if !s.Object() {
			continue
		}
		var id, source journal.Ref
		var t jsonl.Text
		for k := s.Key(); k != nil; k = s.Key() {
			switch string(k) {
			case "id":
				id = d.ref()
			case "source":
				source = d.ref()
			case "text":
				t = s.Text()
			}
		}
		if id == 0 {
			id = source
		}
		if id == 0 {
			id = d.label(contextLane)
		}
		d.event.messages++
		d.piece(id, d.blockCategory(id, source), t)
	}
}

// toolset counts the tools that are told by their name alone; one with a definition has a size.
func (d *decoder) toolset() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) != "active_tools" {
			continue
		}
		for s.Array(); s.Elem(); {
			d.event.tools++
		}
	}
}
