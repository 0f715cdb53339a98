package ui

import (
	"strings"
	"testing"

	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

func TestAPlaceTellsWhatIsShownAndLeadsBack(t *testing.T) {
	s, _ := opened()
	if got := New(newHost()).Place(); got != "" {
		t.Errorf("an empty page is at %q", got)
	}
	id := s.sessionID()
	if got, want := s.Place(), "s="+id+"&v=context"; got != want {
		t.Errorf("at first %q, want %q", got, want)
	}
	s.showRange(chart.Range{From: 100, To: 160})
	s.sample(148)
	s.setShare(true)
	s.filterCategory("results")
	s.filterOnly(true)
	s.filterOrder("time")
	place := s.Place()
	if want := "s=" + id + "&v=context&at=149&z=101-160&y=share&c=results&o=time&only=1"; place != want {
		t.Errorf("got %q, want %q", place, want)
	}
	s.show(1)
	s.pick(tabFindings)
	s.Goto(place)
	if s.current != 0 || s.tab != tabContext || s.Place() != place {
		t.Errorf("session %d, tab %s, place %q", s.current, s.tab, s.Place())
	}
	// What is not there changes nothing.
	for _, bad := range []string{"s=nobody&v=files", "v=files", "", "s=" + id + "&v=<script>", strings.Repeat("x", 5000), "s=" + id + "&at=-7&z=9-3&c=%3Cimg"} {
		s.Goto(bad)
		if s.current != 0 || s.selected < 0 || s.selected >= s.samples() {
			t.Fatalf("%q leads to session %d, sample %d", bad, s.current, s.selected)
		}
	}
	if strings.Contains(s.Place(), "img") {
		t.Error("a place holds what an address brought along")
	}
}

func TestAnAddressWaitsForItsSession(t *testing.T) {
	h := newHost()
	s := New(h)
	l := invented.List()
	place := "s=" + placeOf(l.Sessions[1]) + "&v=compactions&at=7"
	s.Goto(place)
	if s.Place() != place {
		t.Error("the address is forgotten before its session is open")
	}
	has(t, plain(render(t, s)), "This address names a session. Open its file again")
	s.Begun()
	h.hold = true
	s.Done(l)
	h.later = h.later[1:] // a newer question was asked: the page drops this answer
	for len(h.later) > 0 {
		f := h.later[0]
		h.later = h.later[1:]
		f()
	}
	if s.current != 1 || s.tab != tabCompactions || s.Place() != place {
		t.Errorf("session %d, tab %s, %q", s.current, s.tab, s.Place())
	}
	lacks(t, plain(render(t, s)), "This address names a session")
}

func TestTheTitleNamesTheSession(t *testing.T) {
	s, _ := opened()
	if got, want := s.Title(), sessionName(*s.session(), 80)+" · Claude Code · contextscope"; got != want || len(got) < 35 {
		t.Errorf("the title is %q", got)
	}
	l := invented.List()
	l.Sessions[0].Title, l.Sessions[0].ID = hostile, hostile
	s.Done(l)
	s.open(0)
	if got := s.Title(); strings.Contains(got, "\u202e") {
		t.Errorf("the title is %q", got)
	}
	if p := s.Place(); strings.ContainsAny(p, "<>\"' ") || tokenIn(p, "s") == "" || s.sessionAt(tokenIn(p, "s")) != 0 {
		t.Errorf("a hostile id stands in the address: %q", p)
	}
	if New(newHost()).Title() != "contextscope" {
		t.Error("an empty page has another title")
	}
}
