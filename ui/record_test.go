package ui

import (
	"strings"
	"testing"
)

func TestARecordIsReadFromTheFileAndForgotten(t *testing.T) {
	s, h := opened()
	h.record = Record{Text: "message: Port it. Port it all.", Raw: `{"message":"Port it. Port it all."}`, LeftOut: 2000}
	s.openRecord(recordAt{Input: 0, Line: 1234, Offset: 77, Length: 4096, Title: "Constraint"})
	s.Rendered()
	if h.count("modal record true") != 1 || h.count("record 0 77 4096") != 1 || h.written != h.record.Text {
		t.Fatalf("%q, %q", h.calls, h.written)
	}
	text := plain(render(t, s))
	has(t, text, "Constraint · ", "line 1,234 · 4.1 kB", "2.0 kB at its end are not shown.")
	s.showRaw(true)
	if h.written != h.record.Raw {
		t.Errorf("the raw record is %q", h.written)
	}
	s.findInRecord("Port")
	has(t, plain(render(t, s)), "1 of 2")
	s.nextHit(1)
	s.nextHit(1)
	s.nextHit(-1)
	has(t, plain(render(t, s)), "2 of 2")
	s.findInRecord("nobody")
	has(t, plain(render(t, s)), "not found")
	if s.Key("]", false, false) {
		t.Error("a key in the dialog moves the cursor behind it")
	}
	s.closeRecord()
	if h.written != "" || s.record.got != nil || s.record.open {
		t.Error("the text is kept after closing")
	}
	h.record = Record{Problem: "The file is shorter. Open it again."}
	s.openRecord(recordAt{Input: 0, Length: 5})
	has(t, plain(render(t, s)), "The file is shorter. Open it again.")
	s.closeAll()
	if s.record.open {
		t.Error("the dialog outlives what is open")
	}
}

func TestAnAnswerThatComesTooLateIsDropped(t *testing.T) {
	s, h := opened()
	h.hold = true
	h.record = Record{Text: "old"}
	s.openRecord(recordAt{Length: 5})
	s.closeRecord()
	for _, f := range h.later {
		f()
	}
	s.Rendered()
	if h.written != "" || s.record.got != nil {
		t.Error("a record that nobody reads any more is kept")
	}
	s.openRecord(recordAt{Length: 0})
	if s.record.open || strings.Contains(render(t, s), "record-body") {
		t.Error("nothing was opened")
	}
}
