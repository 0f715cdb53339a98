// Package trial opens journals in tests and says in one line what came out.
package trial

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// File is a journal with the path under which it is handed over.
type File struct{ Path, Text string }

// Open opens journals together.
func Open(t testing.TB, files ...File) *analysis.Analysis {
	t.Helper()
	l := adapters.NewLibrary()
	for _, f := range files {
		name := f.Path[strings.LastIndex(f.Path, "/")+1:]
		if err := l.Read(adapters.Input{Name: name, Path: f.Path, Size: int64(len(f.Text))}, strings.NewReader(f.Text)); err != nil {
			t.Fatal(err)
		}
	}
	return l.Settle()
}

// One opens one journal of one session.
func One(t testing.TB, lines ...string) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	a := Open(t, File{"journal.jsonl", strings.Join(lines, "\n") + "\n"})
	if len(a.Sessions) != 1 {
		t.Fatalf("%d sessions, want 1: %s", len(a.Sessions), Sessions(a))
	}
	return a, a.Sessions[0]
}

// Snapshot says a snapshot in a line: event, stage, "baseline", the categories, what was reported.
func Snapshot(n *analysis.Snapshot) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", n.Event, n.Stage)
	if n.Basis.String() != "chars/4" {
		b.WriteString(" " + n.Basis.String())
	}
	if n.Baseline {
		b.WriteString(" baseline")
	}
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if n.Observed(c) {
			fmt.Fprintf(&b, " %s=%d", c.Key(), n.Tokens[c])
		}
	}
	if len(n.Others) > 0 {
		fmt.Fprintf(&b, " others=%d", n.Sum()-max(0, n.Counts.Sum()))
	}
	if n.Reported != analysis.Unknown {
		fmt.Fprintf(&b, " reported=%d", n.Reported)
	}
	return b.String()
}

// Expect compares the snapshots of a session with lines as Snapshot makes them.
func Expect(t testing.TB, s *analysis.Session, want ...string) {
	t.Helper()
	var got []string
	for i := range s.Snapshots {
		got = append(got, Snapshot(&s.Snapshots[i]))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("snapshots of %s:\n%s\nwant:\n%s", s.ID, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Changes says the changes of a snapshot: kind, id, delta.
func Changes(a *analysis.Analysis, s *analysis.Session, i int) string {
	var out []string
	n := &s.Snapshots[i]
	for k := n.First; k < n.First+n.N; k++ {
		c := s.Changes.At(int(k))
		out = append(out, fmt.Sprintf("%s %s %+d", c.Kind, c.ID.Append(nil, a.Strings), c.Delta))
	}
	return strings.Join(out, ", ")
}

// Sessions says the sessions: id, role, parent, parent call, requests.
func Sessions(a *analysis.Analysis) string {
	var out []string
	for _, s := range a.Sessions {
		line := s.ID
		if s.Role != "" {
			line += " (" + s.Role + ")"
		}
		if s.Parent != "" {
			line += " of " + s.Parent
		}
		if s.ParentCall != 0 {
			line += " by " + a.Strings.Get(s.ParentCall)
		}
		out = append(out, fmt.Sprintf("%s: %d requests", line, len(s.Requests)))
	}
	return strings.Join(out, "; ")
}

// Boundaries says the boundaries of a session: kind, trigger, sizes before and after, and the harness's own.
func Boundaries(a *analysis.Analysis, session int) string {
	var out []string
	for _, b := range a.Series(session, analysis.Options{}).Boundaries {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %d→%d (%d→%d)", b.Kind, b.Trigger, b.Before, b.After, b.HarnessTold, b.HarnessAfter)))
	}
	return strings.Join(out, "; ")
}
