package claudecode

import (
	"bytes"
	"strings"

	"contextscope/core/journal"
)

// contextReport is Claude Code's own breakdown of the context, as /context prints it into a transcript.
type contextReport struct {
	model    []byte
	used     int64
	window   int64
	reserved int64 // set aside for compaction, not to be used
	rows     []reportRow
}

// reportRow is a category that is in use. Children (single tools, files, skills) are part of one and never added again.
type reportRow struct {
	name   string
	tokens int64
}

func (r *contextReport) ok() bool { return r.window > 0 && len(r.rows) > 0 }

// effective is the window without what is reserved, 0 when nothing is.
func (r *contextReport) effective() int64 {
	if r.reserved <= 0 || r.reserved >= r.window {
		return 0
	}
	return r.window - r.reserved
}

// parseContextReport reads either layout. found tells that the text is a report at all.
func parseContextReport(text []byte) (r contextReport, found bool) {
	_, text, _ = bytes.Cut(text, []byte("<local-command-stdout>"))
	text, _, _ = bytes.Cut(text, []byte("</local-command-stdout>"))
	text = stripEscapes(text)
	if bytes.Contains(text, []byte("## Context Usage")) {
		r.markdown(text)
		return r, true
	}
	if bytes.Contains(text, []byte("Context Usage")) && bytes.ContainsAny(text, "⛁⛀⛶⛝") {
		r.grid(text)
		return r, true
	}
	return r, false
}

// markdown reads the layout of print mode and of newer versions: the first table holds the categories.
func (r *contextReport) markdown(text []byte) {
	inTable, done := false, false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if v, ok := bytes.CutPrefix(line, []byte("**Model:**")); ok {
			r.model = bytes.TrimSpace(v)
			continue
		}
		if v, ok := bytes.CutPrefix(line, []byte("**Tokens:**")); ok {
			r.total(v)
			continue
		}
		if !bytes.HasPrefix(line, []byte{'|'}) {
			done = done || inTable
			continue
		}
		cells := strings.Split(strings.Trim(string(line), "|"), "|")
		if len(cells) < 2 || done {
			continue
		}
		name := strings.TrimSpace(cells[0])
		if tokens, ok := amount(strings.TrimSpace(cells[1])); ok {
			r.row(name, tokens)
			inTable = true
		} else if inTable && !strings.Contains(name, "---") {
			done = true
		} else if strings.EqualFold(name, "category") {
			inTable = true
		}
	}
}

// grid reads the terminal layout: squares, then "name · used/window tokens (p%)" and rows with a square and a colon.
func (r *contextReport) grid(text []byte) {
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line))
		if strings.ContainsAny(s, "└├│") && !strings.ContainsAny(s, "⛁⛶⛝⛀") {
			continue // a child
		}
		if model, rest, ok := strings.Cut(s, "·"); ok && strings.Contains(rest, "/") && r.window == 0 {
			r.total([]byte(rest))
			r.model = []byte(strings.Trim(model, "⛁⛀⛶⛝ \t"))
			continue
		}
		i := strings.LastIndexAny(s, "⛁⛀⛶⛝")
		if i < 0 {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimLeft(s[i:], "⛁⛀⛶⛝ "), ":")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, "(")
		value = strings.TrimSuffix(strings.TrimSpace(value), "tokens")
		if tokens, ok := amount(strings.TrimSpace(value)); ok {
			r.row(strings.TrimSpace(name), tokens)
		}
	}
}

// total reads "41.8k / 200k (21%)".
func (r *contextReport) total(v []byte) {
	used, window, ok := strings.Cut(string(v), "/")
	if !ok {
		return
	}
	window, _, _ = strings.Cut(window, "(")
	window = strings.TrimSuffix(strings.TrimSpace(window), "tokens")
	u, ok1 := amount(strings.TrimSpace(used))
	w, ok2 := amount(strings.TrimSpace(window))
	if ok1 && ok2 {
		r.used, r.window = u, w
	}
}

// row sorts a row by what it counts: used, free, reserved or deferred. Only what is used is composition.
func (r *contextReport) row(name string, tokens int64) {
	n := strings.ToLower(name)
	switch {
	case strings.Contains(n, "free space"), strings.Contains(n, "(deferred)"):
	case strings.Contains(n, "buffer"):
		r.reserved += tokens
	default:
		r.rows = append(r.rows, reportRow{name, tokens})
	}
}

// amount reads a number as the report prints it: 345, 2.9k, 17,900, 1m. Its three digits at most are the harness's own
// rounding.
func amount(s string) (int64, bool) {
	s = strings.ToLower(strings.ReplaceAll(s, ",", ""))
	scale := int64(1)
	if t, ok := strings.CutSuffix(s, "k"); ok {
		s, scale = t, 1000
	} else if t, ok := strings.CutSuffix(s, "m"); ok {
		s, scale = t, 1000000
	}
	whole, frac, dotted := strings.Cut(s, ".")
	if whole == "" || len(whole) > 12 || dotted && frac == "" {
		return 0, false
	}
	var n int64
	for _, c := range whole {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	n *= scale
	for _, c := range frac {
		if c < '0' || c > '9' {
			return 0, false
		}
		scale /= 10
		n += int64(c-'0') * scale
	}
	return n, true
}

// reportCategory is the category of a row.
func reportCategory(name string) journal.Category {
	n := strings.ToLower(name)
	if strings.Contains(n, "message") || strings.Contains(n, "conversation") {
		return journal.Messages
	}
	for _, w := range []string{"system", "tool", "memory", "rule", "skill", "agent", "command", "environment", "reminder"} {
		if strings.Contains(n, w) {
			return journal.SectionCategory(name)
		}
	}
	return journal.Unattributed
}

// stripEscapes takes terminal colours out of a text.
func stripEscapes(b []byte) []byte {
	if bytes.IndexByte(b, 0x1b) < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != 0x1b {
			out = append(out, b[i])
			continue
		}
		if i+1 < len(b) && b[i+1] == '[' {
			for i += 2; i < len(b) && (b[i] < 0x40 || b[i] > 0x7e); i++ {
			}
		}
	}
	return out
}
