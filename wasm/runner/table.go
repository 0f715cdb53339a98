package runner

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"contextscope/core/analysis"
)

// table prints one line a session, subagents under their parent where both are there.
func table(rows []analysis.SessionRow) []byte {
	lines := [][]string{{"SESSION", "HARNESS", "MODEL", "REQUESTS", "PEAK", "LAST", "WINDOW", "COMPACTIONS", "TITLE"}}
	for _, row := range rows {
		id := clean(row.ID)
		if row.Parent >= 0 {
			id = "  " + id
		}
		lines = append(lines, []string{
			id, clean(row.HarnessName), clean(strings.Join(row.Models, ", ")), strconv.FormatInt(row.Requests, 10),
			tokens(row.PeakTokens, row.PeakReported), tokens(row.LastTokens, row.PeakReported),
			tokens(row.WindowTokens, true), strconv.FormatInt(row.Compactions, 10), cut(clean(row.Title), 60),
		})
	}
	return aligned(lines)
}

// aligned puts the cells of each column under each other.
func aligned(lines [][]string) []byte {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var out []byte
	for _, line := range lines {
		for i, cell := range line {
			out = append(out, cell...)
			if i < len(line)-1 {
				out = append(out, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)...)
			}
		}
		out = append(out, '\n')
	}
	return out
}

// tokens writes a figure: "not recorded" where there is none, a ~ before an estimate.
func tokens(n int64, reported bool) string {
	if n == analysis.Unknown {
		return "not recorded"
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if !reported {
		return "~" + digits
	}
	return digits
}

// cut shortens a text to n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
