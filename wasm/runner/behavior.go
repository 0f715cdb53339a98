package runner

import (
	"fmt"
	"strconv"
	"strings"

	"contextscope/core/behavior"
	"contextscope/core/lint"
)

// behaviorWindow understands --behavior-window: a number of records, or of requests with an r behind it.
func behaviorWindow(value string) (behavior.Window, error) {
	digits, requests := strings.CutSuffix(value, "r")
	n, err := strconv.Atoi(digits)
	if err != nil || n <= 0 {
		return behavior.Window{}, fmt.Errorf("--behavior-window takes a number of records such as 50, or of requests such as 20r, not %q", value)
	}
	return behavior.Window{N: n, Requests: requests}, nil
}

// behaviorSection is what changed with the n-th compaction: both windows, every rule's findings, what got worse.
func behaviorSection(b []byte, n int, d *behavior.Diff) []byte {
	b = fmt.Appendf(b, "Behavior change after compaction #%d\n%s\n", n, strings.Repeat("─", 78))
	for _, side := range []struct {
		name string
		m    *behavior.Measures
	}{{"Before:", &d.Before}, {"After:", &d.After}} {
		m := side.m
		b = fmt.Appendf(b, "%-8s %d unique files read, %d redundant-read violations, %d re-reads, %d explorations (%d repeated), %d failures (%d repeated), %s; %d requests, %d calls\n",
			side.name, m.FilesRead, m.RedundantReads, m.Rereads, m.Exploration, m.RepeatedExploration, m.Failures, m.RepeatedFailures, untilEdit(m.ToEdit), m.Requests, m.Calls)
	}
	kinds := [3]int{}
	for _, r := range d.Reread {
		kinds[r.Why]++
	}
	b = fmt.Appendf(b, "Files read again: %d before an edit, %d changed since, %d without a reason that shows\n",
		kinds[behavior.BeforeEdit], kinds[behavior.Changed], kinds[behavior.ForNothing])
	b = append(b, "Lint delta:\n"...)
	for _, i := range lint.Alphabetical() {
		if i < len(d.After.Lint) && d.After.Lint[i] >= 0 {
			b = fmt.Appendf(b, "  %s: %d -> %d\n", lint.Rules[i].Name, d.Before.Lint[i], d.After.Lint[i])
		}
	}
	for _, r := range d.Regressions {
		b = append(b, "  - "+r+"\n"...)
	}
	verdict := "no measurable regression"
	if d.Regressed() {
		verdict = "regressed"
	}
	return fmt.Appendf(b, "Verdict: behavior %s after compaction #%d\n", verdict, n)
}

func untilEdit(n int) string {
	if n < 0 {
		return "no edit"
	}
	return fmt.Sprintf("%d calls until the first edit", n)
}
