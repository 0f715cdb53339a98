package ui

import (
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

func TestFindingsAreListedByLevel(t *testing.T) {
	s, h := opened()
	s.pick(tabFindings)
	html := render(t, s)
	text := plain(html)
	has(t, text, "3 findings", "All Errors 0 Warnings 2 Notes 1", "tool-loop request 42", "line 310–344",
		"Bash was called 6 times with the same arguments", "Threshold: 5.", "no-output the whole session", "The session ended without a file having been written",
		"The context is at 81% of the window", "Threshold: 0.8.")
	if n := strings.Count(html, `data-testid="finding"`); n != 3 {
		t.Errorf("%d findings, want 3", n)
	}
	if strings.Index(text, "Warnings tool-loop") > strings.Index(text, "Notes context-saturation") || !strings.Contains(text, "Notes context-saturation") {
		t.Error("warnings do not come before notes")
	}
	s.findingLevel = "info"
	if html = render(t, s); strings.Count(html, `data-testid="finding"`) != 1 || strings.Contains(html, "tool-loop") {
		t.Error("a finding of another level is shown")
	}
	s.findingLevel = "error"
	has(t, plain(render(t, s)), "None of the findings is of this level.")

	(&FindingsTab{State: s}).show(41)
	if s.tab != tabContext || s.selected != 41 {
		t.Errorf("tab %s, sample %d", s.tab, s.selected)
	}
	series := invented.Rich()
	series.Findings = nil
	h.series[0] = series
	s.open(0)
	s.pick(tabFindings)
	has(t, plain(render(t, s)), "Nothing was found in this session", "No loops, no retries")
}

func TestManyFindingsAndTextOfJournals(t *testing.T) {
	s, h := opened()
	series := invented.Rich()
	series.Findings = nil
	for range 100 {
		series.Findings = append(series.Findings, analysis.FindingRow{Rule: "tool-loop", Level: "warning", Message: "<img src=x> was called", Sample: 3, Request: 4})
	}
	h.series[0] = series
	s.open(0)
	s.pick(tabFindings)
	html := render(t, s)
	if n := strings.Count(html, `data-testid="finding"`); n != 30 {
		t.Errorf("%d findings, want 30", n)
	}
	has(t, plain(html), "1–30 of 100")
	s.toFinding(95)
	html = render(t, s)
	has(t, html, `id="finding-96"`)
	has(t, plain(html), "91–100 of 100")
	if h.count("focus finding-96") != 1 || s.tab != tabFindings {
		t.Error("the card of a finding has no focus")
	}
	lacks(t, html, "<img src=x>")
}
