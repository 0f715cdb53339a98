package runner

import (
	"fmt"
	"strings"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/redact"
)

// opened is what a command that reads journals works on.
type opened struct {
	*analysis.Analysis
	list    *analysis.List
	rows    []analysis.SessionRow // the sessions asked for
	options analysis.Options
}

// open reads the paths of a command line and finds the session that was asked for; nil with an exit code when there is
// nothing to work on.
func (p Process) open(req *request) (*opened, int) {
	r := &reading{Process: p, library: adapters.NewLibrary()}
	for _, path := range req.paths {
		r.path(path)
	}
	o := &opened{Analysis: r.library.Settle(), options: analysis.Options{
		Window: req.window, Threshold: req.threshold, Include: req.include, Keep: req.keep, Pretty: req.pretty,
	}}
	o.list = o.List(o.options)
	p.warn(o.list)
	if o.rows = o.list.Sessions; len(o.rows) == 0 {
		r.complain("nothing could be analysed. " + strings.ReplaceAll(where, "\n", " "))
		return nil, exitNothing
	}
	if req.session != "" {
		row, err := find(o.rows, req.session)
		if err != nil {
			r.complain("%v", err)
			return nil, exitMisuse
		}
		o.rows, o.options.Sessions = withStreams(o.rows, row), []int{row.Index}
	}
	return o, exitDone
}

// analyze prints the Analysis document or a table.
func (p Process) analyze(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	if !req.json && p.Terminal {
		return p.print(shown(table(o.rows)))
	}
	return p.print(o.AppendJSON(nil, o.options))
}

// shown is text for the person's own screen: with all that a journal holds, but for secrets.
func shown(text []byte) []byte { return []byte(redact.Secrets(string(text))) }

// warn prints what was found wrong with the inputs, and which were refused.
func (p Process) warn(list *analysis.List) {
	for _, in := range list.Inputs {
		if in.Refused && len(in.Warnings) == 0 {
			fmt.Fprintf(p.Stderr, "%s: %s\n", clean(in.Name), clean(in.Reason))
		}
		for _, w := range in.Warnings {
			place := clean(in.Name)
			if w.Line > 0 {
				place += fmt.Sprintf(":%d", w.Line)
			}
			text := clean(w.Message)
			if w.Hint != "" {
				text += ". " + clean(w.Hint)
			}
			fmt.Fprintf(p.Stderr, "%s: %s\n", place, text)
		}
	}
}

// find looks a session up by its id or by a beginning that no other has. A main session is meant rather than one of its
// subagents, whose ids begin with its own.
func find(rows []analysis.SessionRow, id string) (*analysis.SessionRow, error) {
	var found []*analysis.SessionRow
	mains := 0
	for i := range rows {
		row := &rows[i]
		switch {
		case row.ID == id:
			return row, nil
		case !strings.HasPrefix(row.ID, id):
		case row.Parent < 0:
			found = append([]*analysis.SessionRow{row}, found...)
			mains++
		default:
			found = append(found, row)
		}
	}
	switch {
	case len(found) == 0:
		return nil, fmt.Errorf("no session has an id that begins with %q; there are %s", id, some(rows))
	case mains == 1 || len(found) == 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%d sessions have an id that begins with %q; give more of it", len(found), id)
}

// withStreams is a session with its side streams, as the document of the session has them. A side stream stands alone here:
// it has an id of its own in the list, but in a document only its session has one.
func withStreams(rows []analysis.SessionRow, row *analysis.SessionRow) []analysis.SessionRow {
	out := []analysis.SessionRow{*row}
	for _, r := range rows {
		if r.Stream != "" && r.Parent == row.Index && row.Stream == "" {
			out = append(out, r)
		}
	}
	return out
}

// some names a few sessions.
func some(rows []analysis.SessionRow) string {
	const few = 5
	var ids []string
	for _, row := range rows {
		if len(ids) == few {
			return strings.Join(ids, ", ") + fmt.Sprintf(" and %d more", len(rows)-few)
		}
		ids = append(ids, clean(row.ID))
	}
	return strings.Join(ids, ", ")
}

// clean makes a string from a journal safe to print: what could steer a terminal becomes a space.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
			return ' '
		}
		return c
	}, s)
}
