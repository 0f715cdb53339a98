package agentstrace

import (
	"bytes"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// The parts that only this adapter knows are attributes without a name: with Hash the row of an import that the event was
// made of, with Units the cached tokens of which the provider tells whether they are part of the prompt figure.

// finish decides what the event is, when all of it is known.
func (d *decoder) finish() bool {
	r, l := d.r, &d.line
	if l.kind != request {
		d.in.Parts.Truncate(int(r.First)) // messages of something that is no request
	}
	switch {
	case !l.typed && l.meta.seen > 1:
		return d.meta()
	case l.kind == unknown:
		d.in.Unknown(l.name)
		return false
	}
	r.Agent = l.stream
	d.content()
	if l.summary {
		r.Flags |= journal.Summary
	}
	if r.Parent == 0 {
		r.Parent = l.sourceUp
	}
	if l.kind != request && r.Flags&journal.HasUsage == 0 && l.model != 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Model, Label: l.model})
	}
	if r.ID == 0 {
		r.ID = d.identity()
	}
	if l.source != 0 {
		d.part(journal.Part{Kind: journal.Attribute, Hash: l.source, Flags: journal.Hashed}) // the last one: see sourceRow
	}
	return true
}

// content makes the parts of an event by its kind.
func (d *decoder) content() {
	r, l := d.r, &d.line
	switch l.kind {
	case prompt:
		r.Kind = journal.User
		r.Flags |= journal.Typed
		d.promptText()
	case answer, response:
		r.Kind = journal.Response
		if l.kind == response {
			r.Kind = journal.Count
		}
		d.own(journal.Assistant)
		d.summary()
		d.usage()
	case request:
		d.request()
	case call:
		d.call()
		d.summary()
	case result, failure:
		d.result()
		d.summary()
	case start:
		r.Kind = journal.Header
		if l.from == 'c' {
			r.Flags |= journal.Summary
		}
		if l.from == 'C' {
			r.Flags |= journal.Cleared
		}
		if l.provider != 0 {
			d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Role, Label: l.provider})
		}
		if l.dir != 0 {
			d.part(journal.Part{Kind: journal.Attribute, Attr: journal.WorkingDir, Label: l.dir})
		}
		if l.budget > 0 && l.budget < 1e9 {
			d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Budget, Hash: uint64(l.budget*1e6 + 0.5), Flags: journal.Hashed})
		}
		d.summary()
	case side, fileRead, fileWrite, ending:
		r.Kind = journal.Link
		d.noted()
		d.summary()
	}
}

// noted is what a recorder notes apart from calls: a file that was touched, or that the session ended.
func (d *decoder) noted() {
	switch l := &d.line; {
	case l.kind == fileRead && len(l.path) > 0:
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.PathRead, Label: d.in.Strings.Put(l.path)})
	case l.kind == fileWrite:
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.PathWritten, Label: d.in.Strings.Put(l.path)})
	case l.kind == ending:
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Ended})
	}
}

// promptText is what a person typed, or the summary that stands in its place after a compaction.
func (d *decoder) promptText() {
	t := d.line.content()
	if d.line.summary {
		d.r.Flags &^= journal.Typed
		if d.line.texts[textSummary].units == 0 && t != nil {
			d.line.texts[textSummary] = *t
		}
		d.summary()
		return
	}
	if t != nil && t.cleared {
		d.r.Flags |= journal.Cleared
	}
	d.own(journal.Prompts)
	d.summary()
}

// own adds the event's own text as an item.
func (d *decoder) own(c journal.Category) {
	t := d.line.content()
	if t == nil {
		return
	}
	d.part(journal.Part{Kind: journal.Item, Category: c, Units: journal.Units(t.units), Detail: t.title, Hash: t.hash, Flags: journal.Hashed})
	d.cutOff(t)
}

// cutOff says that a text is only the beginning of what the model saw.
func (d *decoder) cutOff(t *text) {
	if t.cut {
		d.part(journal.Part{Kind: journal.Unmeasured, Units: 1, Label: d.label(rest)})
	}
}

// rest is what a recorder did not keep of a text.
const rest = "rest of a text that the recorder cut off"

// summary adds the text that stands for the context before a compaction.
func (d *decoder) summary() {
	if t := &d.line.texts[textSummary]; t.units > 0 {
		d.part(journal.Part{Kind: journal.Item, Category: journal.Summaries, Label: d.label("Summary"), Units: journal.Units(t.units), Hash: t.hash, Flags: journal.Hashed})
	}
}

// usage keeps what the provider reported.
func (d *decoder) usage() {
	u, inDoubt := d.line.usage()
	if u.Input <= 0 {
		return
	}
	u.ID, u.Model = d.line.eventID, d.line.model
	d.r.Flags |= journal.HasUsage
	d.r.Usage = uint32(d.in.Usages.Append(u))
	if inDoubt > 0 {
		d.part(journal.Part{Kind: journal.Attribute, Units: journal.Units(inDoubt)})
	}
}

// request keeps a request, with what it sent where that was recorded.
func (d *decoder) request() {
	r, l := d.r, &d.line
	r.Kind = journal.Turn
	m := &l.messages
	if m.told > 0 && m.told != m.seen { // only some of them: the events before tell more
		d.in.Parts.Truncate(int(r.First))
		m.seen = 0
	}
	if m.seen > 0 {
		r.Flags |= journal.Whole
	}
	if m.title != 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.AutoTitle, Label: m.title})
	}
	if m.seen == 0 {
		d.summary() // else it is one of the messages
	}
	d.usage()
	if r.Flags&journal.HasUsage == 0 {
		u, _ := l.usage()
		u.ID, u.Model = l.eventID, l.model
		r.Usage = uint32(d.in.Usages.Append(u))
	}
}

func (d *decoder) call() {
	r, l := d.r, &d.line
	r.Kind = journal.Response
	if l.args == 0 {
		l.args = jsonl.Members(0).Hash()
	}
	p := journal.Part{Kind: journal.Call, Category: journal.Assistant, ID: l.callID, Label: l.tool, Detail: l.detail, Hash: l.args,
		Units: journal.Units(l.toolUnits + l.arguments)}
	if p.ID == 0 {
		p.ID = l.resultOf
	}
	if p.ID == 0 {
		p.ID = l.eventID
	}
	if l.script {
		p.Flags |= journal.Scripted
	}
	d.part(p)
}

// result is what a tool returned, or the error that stands in its place.
func (d *decoder) result() {
	r, l := d.r, &d.line
	r.Kind = journal.User
	id := l.resultOf
	if id == 0 {
		id = l.callID
	}
	p := journal.Part{Kind: journal.Result, Category: journal.Results, ID: id, Label: l.tool}
	if l.failed || l.kind == failure {
		p.Flags |= journal.Failed
	}
	if l.kind == failure {
		p.Category = journal.NoCategory // not of a tool, unless it belongs to a call
	}
	t := l.content()
	if t != nil {
		p.Units = journal.Units(t.units)
	}
	d.part(p)
	if t != nil {
		d.cutOff(t)
	}
}

// meta is the one object of a meta.json.
func (d *decoder) meta() bool {
	r, m := d.r, &d.line.meta
	d.in.Parts.Truncate(int(r.First))
	r.Kind = journal.Name
	for _, p := range []journal.Part{
		{Attr: journal.Role, Label: m.agent}, {Attr: journal.AutoTitle, Label: m.command},
		{Attr: journal.Version, Label: m.version}, {Attr: journal.ParentSession, Label: m.parent},
		{Attr: journal.ParentCall, Hash: m.event, Flags: journal.Hashed},
	} {
		if p.Label != 0 || p.Hash != 0 {
			p.Kind = journal.Attribute
			d.part(p)
		}
	}
	return true
}

// identity stands in for the id of an event that has none: a hash of what it says and when.
func (d *decoder) identity() uint64 {
	r := d.r
	if r.At == 0 {
		return 0
	}
	h := mix(uint64(r.At), uint64(d.line.kind)<<32|uint64(r.Agent))
	for i := int(r.First); i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		h = mix(mix(h, p.Hash), uint64(p.Units)<<32|uint64(p.ID))
	}
	if r.Flags&journal.HasUsage != 0 {
		h = mix(h, d.in.Usages.At(int(r.Usage)).Totals)
	}
	return h
}

// versionIn finds the version of the agent in the command of an import: "imported from a.jsonl (branch: main, v2.1.90)".
func versionIn(command []byte) []byte {
	if !bytes.HasPrefix(command, []byte("imported from ")) || !bytes.HasSuffix(command, []byte(")")) {
		return nil
	}
	for _, before := range []string{", v", "(v"} {
		if i := bytes.LastIndex(command, []byte(before)); i >= 0 && len(command)-i < 40 {
			return command[i+len(before) : len(command)-1]
		}
	}
	return nil
}
