package facts

import (
	_ "embed"
	"strings"

	"contextscope/core/journal"
)

//go:embed calls.tsv
var callsTSV string

var classes = func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(callsTSV, "\n") {
		class, names, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for n := range strings.SplitSeq(names, "|") {
			m[class+"\t"+n] = class
			if class != "reader" {
				m[n] = class
			}
		}
	}
	return m
}()

// OfCall tells the facts of a tool call by the tool's name and what a person would call it by: a path or a command. A
// command that shows or changes files in place tells of these, too.
func OfCall(name, detail string, yield func(journal.FactKind, string)) {
	if detail == "" {
		return
	}
	n := strings.ToLower(name)
	if i := strings.LastIndex(n, "__"); i >= 0 {
		n = n[i+2:] // mcp__server__tool
	}
	switch classes[n] {
	case "read":
		yield(journal.FileRead, detail)
	case "write":
		yield(journal.FileModified, detail)
	case "run":
		yield(journal.CommandRun, detail)
		for part := range strings.FieldsFuncSeq(detail, func(r rune) bool { return r == ';' || r == '|' || r == '&' }) {
			ofCommand(strings.Fields(part), yield)
		}
	}
}

// ofCommand tells the files that a simple command shows, or changes in place.
func ofCommand(f []string, yield func(journal.FactKind, string)) {
	if len(f) < 2 || classes["reader\t"+f[0]] == "" {
		return
	}
	kind := journal.FileRead
	script := f[0] == "sed"
	for _, w := range f[1:] {
		switch {
		case strings.HasPrefix(w, "-"):
			if f[0] == "sed" && (strings.HasPrefix(w, "-i") || w == "--in-place") {
				kind = journal.FileModified
			}
			continue
		case strings.ContainsAny(w, "<>"):
			return
		case script:
			script = false
			continue
		}
		if w = strings.Trim(w, `'"`); strings.ContainsAny(w, "*$`(){}'\"") {
			continue
		}
		if isPath(fold(w)) && !strings.HasSuffix(w, "…") {
			yield(kind, w)
		}
	}
}
