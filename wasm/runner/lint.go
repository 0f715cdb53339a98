package runner

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"contextscope/core/export"
	"contextscope/core/journal"
	"contextscope/core/lint"
	"contextscope/core/redact"
)

// formats are the forms in which lint prints findings.
var formats = []string{"text", "json", "sarif", "junit"}

func (r *request) lintFlag(name, value string) error {
	if name == "--strict" {
		r.strict = true
		return nil
	}
	if value == "" {
		return fmt.Errorf("%s needs a value", name)
	}
	switch name {
	case "--format":
		if !slices.Contains(formats, value) {
			return fmt.Errorf("--format takes one of %s, not %q", strings.Join(formats, ", "), value)
		}
		r.format = value
	case "--config":
		r.config = value
	case "--baseline":
		r.baseline = value
	}
	return nil
}

// lint prints the findings of one session with its side streams.
func (p Process) lint(req *request) int {
	config := p.lintConfig(req.config)
	known, err := readBaseline(req.baseline)
	if err != nil {
		fmt.Fprintf(p.Stderr, "contextscope: %v\n", err)
		return exitMisuse
	}
	o, code := p.open(req)
	if o == nil {
		return code
	}
	o.options.Lint = config
	o.options.Include.Paths = o.options.Include.Paths || req.format == "" || req.format == "text"
	if req.session == "" {
		o.rows = withStreams(o.list.Sessions, newest(o.list.Sessions))
	}
	s := p.linted(o, known, req.format)
	if code := p.print(form(s, req, config)); code != exitDone {
		return code
	}
	if n := export.Count(s); n.Errors > 0 || req.strict && n.Warnings > 0 {
		return exitNothing
	}
	return exitDone
}

func form(s export.Session, req *request, config *lint.Config) []byte {
	all := []export.Session{s}
	switch req.format {
	case "json":
		return export.JSON(all)
	case "sarif":
		return export.SARIF(all, Version, config)
	case "junit":
		return export.JUnit(all, req.strict, config)
	}
	return []byte(cleanLines(string(export.Text(all, req.strict))))
}

// cleanLines is clean for a text of several lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// linted is the session of some rows with the findings of all of them.
func (p Process) linted(o *opened, known map[string]bool, form string) export.Session {
	first := o.Sessions[o.rows[0].Index]
	mask := redact.Secrets
	if form != "" && form != "text" { // it is passed on
		mask = o.Masker(o.options).Text
	}
	out := export.Session{ID: first.ID, Path: o.Inputs[first.Inputs[0]].Path}
	if first.EndedAt != 0 {
		out.Ended = string(journal.AppendTime(nil, first.EndedAt))
	}
	for _, row := range o.rows {
		s := o.Sessions[row.Index]
		found, failures := o.Findings(s, o.options)
		for _, f := range failures {
			fmt.Fprintf(p.Stderr, "contextscope: %s\n", clean(f))
		}
		for i := range found {
			f := &found[i]
			e := export.Finding{Rule: f.Rule, Level: f.Level, Message: mask(f.Message(o.PathText(f.Path, o.options))), Whole: !f.HasPlace}
			if f.HasPlace {
				e.Path = o.Inputs[f.Start.Input].Path
				e.Start = export.Place{Line: f.Start.Line, Offset: f.Start.Offset, Length: f.Start.Length}
				e.End = export.Place{Line: f.End.Line, Offset: f.End.Offset, Length: f.End.Length}
			}
			e.Fingerprint = export.Fingerprint(s.ID, &e, o.Strings.Get(f.Path))
			e.Known = known[e.Fingerprint]
			out.Findings = append(out.Findings, e)
		}
	}
	return out
}

// lintConfig reads the settings of the rules. What is wrong with them is told, and the defaults hold.
func (p Process) lintConfig(path string) *lint.Config {
	if path == "" {
		return lint.Defaults()
	}
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintf(p.Stderr, "contextscope: the configuration could not be read, the defaults hold: %v\n", err)
		return lint.Defaults()
	}
	c, notes := lint.Read(text)
	for _, n := range notes {
		fmt.Fprintf(p.Stderr, "contextscope: %s: %s\n", path, clean(n))
	}
	return c
}

// readBaseline reads the findings that don't count. One that cannot be read is an error: without it everything would count.
func readBaseline(path string) (map[string]bool, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the baseline could not be read: %w", err)
	}
	known, ok := export.Baseline(text)
	if !ok {
		return nil, errors.New("the baseline " + path + " has no findings: it takes what lint --format json or --format sarif printed")
	}
	return known, nil
}
