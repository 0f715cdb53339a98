package ui

import (
	"contextscope/ui/words"
)

const (
	recordID = "record"      // the dialog
	bodyID   = "record-body" // the text in it, which Vugu leaves alone

	recordFindID = "record-find"
)

// recordAt is the place of a record in the person's files.
type recordAt struct {
	Input                int
	Line, Offset, Length int64
	Title                string // what it is, "" for nothing to say
}

// record is the record that is being read. Closing it lets go of its text.
type record struct {
	at    recordAt
	open  bool
	shown bool    // the browser shows the dialog
	there bool    // the text is written
	got   *Record // nil while it is on its way
	raw   bool
	find  string
	hits  int
	hit   int // from 0
	asked int // how many were asked for: an answer to an older question is dropped
}

// openRecord shows a record as it stands in the person's file.
func (s *State) openRecord(at recordAt) {
	if at.Input < 0 || at.Length <= 0 {
		return
	}
	n := s.record.asked + 1
	s.record = record{at: at, open: true, asked: n}
	s.host.Modal(recordID, true, func() { s.record.shown = true }, s.forgetRecord)
	s.host.Record(at.Input, at.Offset, at.Length, func(r Record) {
		if s.record.asked == n && s.record.open {
			s.record.got = &r // written when its element is there
		}
	})
}

func (s *State) closeRecord() { s.host.Modal(recordID, false, nil, nil) }

// forgetRecord lets go of the text; the dialog is closed already.
func (s *State) forgetRecord() {
	s.host.Write(bodyID, "", "", 0)
	s.record = record{asked: s.record.asked}
}

// recordText is the text that is shown.
func (s *State) recordText() string {
	switch r := s.record.got; {
	case r == nil:
		return ""
	case s.record.raw:
		return r.Raw
	default:
		return r.Text
	}
}

// openNow is the attribute that the browser sets when it shows a dialog: Vugu would take it away.
func (s *State) openNow() any {
	if s.record.shown {
		return ""
	}
	return nil
}

func (s *State) writeRecord() {
	n := s.host.Write(bodyID, s.recordText(), s.record.find, s.record.hit)
	s.record.hits, s.record.there = max(n, 0), n >= 0
}

func (s *State) showRaw(raw bool) {
	s.record.raw, s.record.hit = raw, 0
	s.writeRecord()
}

func (s *State) findInRecord(text string) {
	s.record.find, s.record.hit = text, 0
	s.writeRecord()
}

// nextHit goes to the next place of what is looked for, or back.
func (s *State) nextHit(by int) {
	if n := s.record.hits; n > 0 {
		s.record.hit = (s.record.hit + by + n) % n
		s.writeRecord()
	}
}

func (c *RecordView) title() string {
	at := c.State.record.at
	name := words.Plain(at.Title, 80)
	if l := c.State.list; l != nil && at.Input < len(l.Inputs) {
		name = joined(name, words.Plain(l.Inputs[at.Input].Name, 80))
	}
	if at.Line > 0 {
		name = joined(name, "line "+words.Tokens(at.Line))
	}
	if at.Length > 0 {
		name = joined(name, words.Bytes(at.Length))
	}
	return name
}

// says is what stands in place of the text, or what there is to say about it.
func (c *RecordView) says() string {
	r := c.State.record.got
	switch {
	case r == nil:
		return "Reading the record from your file…"
	case r.Problem != "":
		return words.Plain(r.Problem, 400)
	case r.LeftOut > 0:
		return words.Bytes(r.LeftOut) + " at its end are not shown."
	}
	return ""
}

func (c *RecordView) none() bool {
	r := c.State.record.got
	return r == nil || r.Problem != ""
}

// hits says where among the hits the reader is.
func (c *RecordView) hits() string {
	r := &c.State.record
	switch {
	case r.find == "":
		return ""
	case r.hits == 0:
		return "not found"
	}
	return words.Tokens(int64(r.hit+1)) + " of " + words.Tokens(int64(r.hits))
}

func (c *RecordView) copyWords() string {
	if c.State.copied == "record" {
		return "Copied"
	}
	return "Copy"
}
