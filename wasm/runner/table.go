package runner

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"contextscope/core/analysis"
)

// table prints one line a session, subagents under their parent where both are there.
func table(rows []analysis.SessionRow) []byte {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "SESSION\tHARNESS\tMODEL\tREQUESTS\tPEAK\tLAST\tWINDOW\tCOMPACTIONS\tTITLE")
	for _, row := range rows {
		id := clean(row.ID)
		if row.Parent >= 0 {
			id = "  " + id
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%d\t%s\n", id, clean(row.HarnessName),
			clean(strings.Join(row.Models, ", ")), row.Requests,
			tokens(row.PeakTokens, row.PeakReported), tokens(row.LastTokens, row.PeakReported),
			tokens(row.WindowTokens, true), row.Compactions, cut(clean(row.Title), 60))
	}
	w.Flush()
	return out.Bytes()
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
