package ui

import (
	"regexp"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

// reviewing is a page with the Compactions tab of a session with two compactions, and answers about them.
func reviewing() (*State, *host) {
	h := newHost()
	series := cutOften(2, 1)
	h.series[0] = series
	h.review = func(q ReviewQuestion) *analysis.Review {
		r := &analysis.Review{Boundaries: []analysis.ReviewRow{
			{Compared: true, Judged: true, Dropped: 31, HighRisk: 2, Survived: 1, Regressions: 1}, {Compared: true}, {}}}
		if q.Filter.Boundary == 0 {
			r.Detail = invented.Detail(q.Filter)
		}
		if q.Filter.Boundary == 1 {
			r.Detail = &analysis.Detail{Boundary: 1}
		}
		return r
	}
	s := New(h)
	s.Done(invented.List())
	s.open(0)
	return s, h
}

func TestWhatWasLostIsAskedForWhenSomebodyLooks(t *testing.T) {
	s, h := reviewing()
	if len(h.reviews) != 0 {
		t.Fatal("asked before anybody looked")
	}
	s.pick(tabCompactions)
	if len(h.reviews) != 1 || h.reviews[0].Filter.Boundary != 0 || h.reviews[0].Filter.Limit != 12 || h.reviews[0].Records != 50 || h.reviews[0].Requests {
		t.Fatalf("asked %+v", h.reviews)
	}
	s.pick(tabFindings)
	s.pick(tabCompactions)
	if len(h.reviews) != 1 {
		t.Error("asked again for what is there")
	}
	s.chooseThreshold("0.4")
	if len(h.reviews) != 2 {
		t.Error("another threshold was not asked about")
	}
}

func TestACardShowsWhatWasLostWithItsEvidence(t *testing.T) {
	s, _ := reviewing()
	s.pick(tabCompactions)
	html := render(t, s)
	text := plain(html)
	has(t, text, "Likely dropped: 31, of these 2 of high risk. Survived: 1. 1 sign that the agent works worse after it.",
		"All Constraints 2/2 Task goals 0/1 Files read 29/29", "Likely dropped 31, of these 2 of high risk", "Survived 1",
		"Constraint line 31 not found Never log client IP addresses. closest: 1 of 3 words in “requests are logged with their path”",
		"Task goal line 4 in summary Make the limiter survive a restart.", "1–12 of 31", "A review cue, not proof", "inferred from the journal",
		"What survived cannot be judged", "Hide what was lost", "What was lost")
	if n := strings.Count(html, `data-testid="dropped"`); n != 12 {
		t.Errorf("%d rows of what was dropped, want 12", n)
	}
	if n := strings.Count(html, `class="fact high"`); n != 2 {
		t.Errorf("%d rows of high risk, want 2", n)
	}
	if n := strings.Count(html, `data-testid="behavior"`); n != 1 {
		t.Errorf("%d comparisons of behaviour are shown, want that of the open card", n)
	}
	s.turnDropped(1)
	has(t, plain(render(t, s)), "13–24 of 31")
	s.chooseFacts("file-read")
	has(t, plain(render(t, s)), "1–12 of 29")
	s.toggleReview(1)
	text = plain(render(t, s))
	lacks(t, text, "Never log client IP addresses.", "All Constraints")
	if !regexp.MustCompile(`<div class="survival"[^>]*hidden`).MatchString(render(t, s)) {
		t.Error("the lists of what cannot be judged are shown")
	}
	s.toggleReview(1)
	lacks(t, render(t, s), `data-testid="behavior"`)
}

func TestBehaviourStandsAsPairs(t *testing.T) {
	s, h := reviewing()
	s.pick(tabCompactions)
	html := render(t, s)
	text := plain(html)
	has(t, text, "20 requests with 30 calls before, 10 requests with 8 calls after, up to the next boundary",
		"1 sign that the agent works worse after it: Re-read 4 pre-compaction file(s)",
		"files read again for no visible reason in 10 requests: 0.5 before, 4.0 after 1 4",
		"calls until the first edit 3 no edit", "On neither side: failed calls, tool-loop findings.",
		"src/gateway/limiter.go 3 times, nothing shows why")
	// A rate of 0.5 beside one of 4: an eighth of the width.
	has(t, html, `class="measure worse"`, `width="12.5"`, `width="100.0"`)
	s.chooseBehavior("10r")
	if q := h.reviews[len(h.reviews)-1]; q.Records != 10 || !q.Requests {
		t.Errorf("asked %+v", q)
	}
	s.chooseBehavior("nonsense")
	if q := h.reviews[len(h.reviews)-1]; q.Records != 50 || q.Requests {
		t.Errorf("asked %+v", q)
	}
}

func TestNotesAreCopiedAndSaved(t *testing.T) {
	s, h := reviewing()
	s.pick(tabCompactions)
	s.note(-1, false)
	s.note(0, true)
	id := fileName(s.sessionID())
	for _, call := range []string{"copy note of -1", "save brief-" + id + ".md note of 0"} {
		if h.count(call) != 1 {
			t.Errorf("%q was not done: %q", call, h.calls)
		}
	}
	for in, want := range map[string]string{"../../etc/passwd": "etc_passwd", "a b\u202e/c": "a_b____c", "": "session", "..": "session"} {
		if got := strings.TrimLeft(fileName(in), "_"); got != want {
			t.Errorf("the file of %q is %q, want %q", in, got, want)
		}
	}
}

func TestAFlagLeadsToItsCardAndBack(t *testing.T) {
	s, h := reviewing()
	s.Rendered()
	pic := s.view.pic
	var at [2]float64
	found := false
	for x := 0.0; x < 904 && !found; x++ {
		for y := 0.0; y < 300 && !found; y++ {
			if b, ok := pic.Flag(x, y); ok && b == 1 {
				at, found = [2]float64{x, y}, true
			}
		}
	}
	if !found {
		t.Fatal("no flag of the second compaction")
	}
	s.Pointed(contextID, at[0], at[1], false)
	if s.tab != tabContext {
		t.Error("a pointer that only passes goes to a card")
	}
	s.Pointed(contextID, at[0], at[1], true)
	if s.tab != tabCompactions || s.review.open != 1 || h.count("focus compaction-2") != 1 {
		t.Errorf("tab %s, open %d, %q", s.tab, s.review.open, h.calls)
	}
	(&CompactionsTab{State: s}).show(s.series.Boundaries[1].Sample)
	if s.tab != tabContext || s.selected != s.series.Boundaries[1].Sample {
		t.Error("the card does not lead back")
	}
}

func TestHostileFactsStayText(t *testing.T) {
	s, h := reviewing()
	h.review = func(q ReviewQuestion) *analysis.Review {
		d := invented.Detail(q.Filter)
		for i := range d.Dropped.Rows {
			r := &d.Dropped.Rows[i]
			r.Text, r.Evidence, r.Kind, r.Status = hostile, hostile, hostile, hostile
		}
		d.Kinds[0].Kind = hostile
		d.Behavior.Rows[0].Key, d.Behavior.Regressions[0], d.Behavior.Reread[0].Path, d.Behavior.Reread[0].Why = hostile, hostile, hostile, hostile
		return &analysis.Review{Boundaries: make([]analysis.ReviewRow, 3), Detail: d}
	}
	s.pick(tabCompactions)
	lacks(t, render(t, s), "<img", "\u202e", `onerror=alert(1)>"`)
}
