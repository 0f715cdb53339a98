package agentstrace

import (
	"bytes"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// note reads a short text; the first one that is there counts.
func (d *decoder) note(known []byte) []byte {
	if len(known) > 0 || d.s.Kind() != jsonl.String {
		d.s.Skip()
		return known
	}
	head, _ := d.s.Str(4 * journal.MaxFact)
	return append(known, head...)
}

// finishFacts takes the facts out of the event, and those that it is itself: decisions, and files read or written.
func (d *decoder) finishFacts() {
	r, l := d.r, &d.line
	switch {
	case l.kind == request:
		tokens := int64(-1)
		if u, _ := l.usage(); u.Input > 0 {
			tokens = int64(u.Input)
		}
		if r.Flags&journal.Whole != 0 {
			d.facts.FinishRequest(d.in, r, l.stream, tokens)
			return
		}
		d.facts.Requested(l.stream, 0, tokens)
	case l.kind == side && string(l.name) == "decision":
		d.facts.Tell(d.in, journal.Decision, facts.Decided(l.choice, l.reason))
	case l.kind == fileRead:
		d.facts.Tell(d.in, journal.FileRead, bytes.TrimPrefix(l.path, []byte("file://")))
	case l.kind == fileWrite:
		d.facts.Tell(d.in, journal.FileModified, bytes.TrimPrefix(l.path, []byte("file://")))
	}
	d.facts.Finish(d.in, r)
}
