package ui

import (
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

func TestOverviewSaysWhatItCombines(t *testing.T) {
	s, _ := opened()
	s.pick(tabOverview)
	text := plain(render(t, s))
	has(t, text, "The latest compositions of 3 sessions, combined in one bar. No model ever saw them together.",
		"Shares are of the 262,401 measured tokens, not of a window.",
		"Counted by characters of text ÷ 4 and by the harness’s own figures.",
		"One session has no breakdown and is left out.", "Tool results 151,786 57.8%",
		"165,863 83% of 200k, from the model table")
}

func TestOverviewOfOneSessionAndOfNone(t *testing.T) {
	c := &OverviewTab{State: New(newHost())}
	c.State.list = &analysis.List{Overview: analysis.Overview{Sessions: 1, Bases: []string{"chars/4"},
		Categories: []analysis.CategoryTokens{{Category: "results", Tokens: 1}}}}
	expect(t, "one", c.combined(), "The latest composition of one session. Shares are of the 1 measured token, not of a window. "+
		"Counted by characters of text ÷ 4.")
	c.State.list.Overview = analysis.Overview{Without: 2}
	expect(t, "none", c.combined(), "No breakdown was recorded in what is open. The Context tab shows the totals.")
}

func TestSubagentsStandBelowTheirParents(t *testing.T) {
	var got []string
	l := invented.List()
	for _, n := range sessionTree(l) {
		got = append(got, strings.Repeat(">", n.depth)+l.Sessions[n.index].ID)
	}
	expect(t, "order", strings.Join(got, " "), "6f2c51d4 >6f2c51d4/a1 >6f2c51d4/a2 019a-7c")
}

func TestACircleOfParentsIsStillListed(t *testing.T) {
	l := &analysis.List{Sessions: []analysis.SessionRow{{ID: "a", Parent: 1}, {ID: "b", Parent: 0}, {ID: "c", Parent: 2}, {ID: "d", Parent: 99}}}
	if n := len(sessionTree(l)); n != 4 {
		t.Errorf("%d of 4 sessions", n)
	}
	s := New(newHost())
	s.Done(l)
	s.family(0)
}

func TestSelectKeepsTheFamilyInSight(t *testing.T) {
	l := &analysis.List{}
	for i := range 500 {
		l.Sessions = append(l.Sessions, analysis.SessionRow{ID: "m" + number(i), Index: i, Parent: -1, StartedAt: int64(i + 1), Requests: 1, Title: "t"})
	}
	for i := range 300 {
		l.Sessions = append(l.Sessions, analysis.SessionRow{ID: "k" + number(i), Index: 500 + i, Parent: 0, StartedAt: int64(i + 1), Requests: 1})
	}
	s := New(newHost())
	s.Done(l)
	s.open(790) // the oldest main session's 290th subagent
	c := &Header{State: s}
	n, selected := 0, 0
	for _, g := range c.options() {
		for _, o := range g.Options {
			n++
			if o.Selected {
				selected++
			}
		}
	}
	if n > optionLimit+1 || selected != 1 {
		t.Errorf("%d options, %d selected, want at most %d with one selected", n, selected, optionLimit+1)
	}
}

func TestEstimatesAreMarkedInTheList(t *testing.T) {
	l := invented.List()
	l.Sessions[3].PeakReported = false
	l.Sessions[2].PeakTokens = analysis.Unknown
	s := New(newHost())
	s.Done(l)
	s.pick(tabOverview)
	text := plain(render(t, s))
	has(t, text, "≈ 91,800", "≈ marks an estimate where nothing was reported.", "Not recorded")
}

func TestCompactionsAreListedWithTheirFigures(t *testing.T) {
	s, h := opened()
	s.pick(tabCompactions)
	html := render(t, s)
	has(t, plain(html), "Compacted once", "Compaction 1 before request 111, 11:17:41 · automatic", "reported before 161,261",
		"reported after 44,214", "−73%", "167,402 before", "recorded by the harness · seen as a usage drop",
		"Model changed before request 150", "now claude-sonnet-4-6")
	if n := strings.Count(html, `data-testid="compaction"`); n != 1 {
		t.Errorf("%d compactions, want 1: a model change is none", n)
	}
	(&CompactionsTab{State: s}).show(110)
	if s.tab != tabContext || s.selected != 110 || h.count("focus context-chart") != 1 {
		t.Errorf("tab %s, sample %d, calls %v", s.tab, s.selected, h.calls)
	}
	s.open(3)
	s.pick(tabCompactions)
	has(t, plain(render(t, s)), "This session was not compacted")
}
