package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"contextscope/core/analysis"
)

var rowID = regexp.MustCompile(`<button[^>]*id="session-row-\d+"[^>]*>([^<]*)</button>`)

// names are the sessions as they stand on the page.
func names(t *testing.T, s *State) string {
	var all []string
	for _, m := range rowID.FindAllStringSubmatch(render(t, s), -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " | ")
}

func TestSessionsAreSortedWithTheirSubagentsBelow(t *testing.T) {
	s, _ := opened()
	s.pick(tabOverview)
	const main, codex = "Make the rate limiter survive a restart | Where are limits enforced? | Summary of the conversation", "Port the importer to streaming"
	for _, c := range []struct{ order, want string }{
		{"started", codex + " | " + main}, // the other way round: it is sorted so already
		{"started", main + " | " + codex},
		{"requests", main + " | " + codex},
		{"requests", codex + " | " + main},
		{"name", main + " | " + codex},
		{"children", main + " | " + codex},
	} {
		s.sortSessions(c.order)
		if got := names(t, s); got != c.want {
			t.Errorf("%s: %s", c.order, got)
		}
	}
	html := render(t, s)
	if n := strings.Count(html, "aria-sort"); n != 1 {
		t.Errorf("%d columns are sorted", n)
	}
}

func TestSessionsAreFound(t *testing.T) {
	s, _ := opened()
	s.pick(tabOverview)
	for find, want := range map[string]string{"LIMIT": "Where are limits enforced? | Make the rate limiter survive a restart", "codex gpt-5": "Port the importer to streaming", "explore": "Where are limits enforced?"} {
		s.findSessions(find)
		if got := names(t, s); got != want {
			t.Errorf("%q finds %s", find, got)
		}
	}
	s.findSessions("nothing like it")
	has(t, plain(render(t, s)), "0 of 4 sessions", "No session has this in its title, id, role, harness or model.")
}

func TestTheKeyboardWalksThroughSessions(t *testing.T) {
	l := &analysis.List{}
	for i := range 120 {
		l.Sessions = append(l.Sessions, analysis.SessionRow{ID: fmt.Sprint("s", i), Index: i, Parent: -1, StartedAt: int64(1000 - i), Title: fmt.Sprint("t", i)})
	}
	h := newHost()
	s := New(h)
	s.Done(l)
	s.pick(tabOverview)
	for range 51 {
		s.Key("j", false, false)
	}
	if s.sessions.page != 1 || s.sessions.cursor != 0 || h.calls[len(h.calls)-2] != "focus session-row-0" {
		t.Errorf("page %d, row %d, %v", s.sessions.page, s.sessions.cursor, h.calls[len(h.calls)-2:])
	}
	s.Key("k", false, false)
	if s.sessions.page != 0 || s.sessions.cursor != 49 {
		t.Errorf("page %d, row %d", s.sessions.page, s.sessions.cursor)
	}
	if n := len(rowID.FindAllString(render(t, s), -1)); n != sessionRows {
		t.Errorf("%d rows", n)
	}
}

func TestTwoSessionsAreComparedOnOneScale(t *testing.T) {
	s, h := opened()
	s.pick(tabOverview)
	s.pickSession(0, true)
	has(t, plain(render(t, s)), "Mark a second session to compare the two.")
	s.pickSession(1, true)
	s.Rendered()
	text := plain(render(t, s))
	has(t, text, "Two sessions on one scale", "They are two contexts: nothing of them is added up.", "Requests 199 14", "Tool results, latest ≈")
	first, second := h.drawn[pairFirstID], h.drawn[pairSecondID]
	if first == nil || second == nil {
		t.Fatal("nothing is drawn")
	}
	if a, b := fmt.Sprint(first.Nodes[1]), fmt.Sprint(second.Nodes[1]); a != b {
		t.Errorf("the y axes differ:\n%s\n%s", a, b)
	}
	s.pickSession(3, true)
	if got := fmt.Sprint(s.pair.picked); got != "[1 3]" {
		t.Errorf("picked are %s", got)
	}
	s.pickSession(3, false)
	lacks(t, plain(render(t, s)), "Two sessions on one scale")
}
