package adapters

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// pictured is all that a snapshot says, in words, so that two of them can be compared: without what only the journal has.
func pictured(a *analysis.Analysis, s *analysis.Session, n *analysis.Snapshot, window int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %v %v baseline=%v complete=%v", n.Stage, n.ItemStage, n.Basis, n.Baseline, n.Complete)
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if n.Observed(c) {
			fmt.Fprintf(&b, " %s=%d", c.Key(), n.Tokens[c])
		}
	}
	var others []string
	for _, o := range n.Others {
		others = append(others, fmt.Sprintf("%s=%d", a.Strings.Get(o.Key), o.Tokens))
	}
	slices.Sort(others)
	fmt.Fprintf(&b, " %v reported=%d window=%d threshold=%d effective=%d model=%s omitted=%d", others, n.Reported, window, n.Threshold, n.Effective, a.Strings.Get(n.Model), n.Omitted)
	for k := range int(n.N) {
		c := s.Changes.At(int(n.First) + k)
		chars := int64(-1)
		if c.Chars != composition.Uncounted {
			chars = int64(c.Chars)
		}
		label := a.Strings.Get(c.Label)
		if label == "" {
			label = journal.CategoryName(c.Category.Key())
			if c.Category == journal.NoCategory {
				label = journal.CategoryName(a.Strings.Get(c.Other))
			}
		}
		fmt.Fprintf(&b, "\n  %s %s tokens=%d chars=%d call=%s %v %s %v %d", c.ID.Append(nil, a.Strings), c.Category.Key(), c.Tokens, chars, a.Strings.Get(c.Call), c.Source, label, c.Kind, c.Delta)
	}
	return b.String()
}

// Every journal's trace is read back to the same snapshots, at the same moments where they have one.
func TestATraceIsReadBackToTheSameSnapshots(t *testing.T) {
	compared := 0
	keep := analysis.Options{Include: analysis.Include{Paths: true, Titles: true}}
	keep.Keep.Home, keep.Keep.Hosts, keep.Keep.Emails = true, true, true
	for name, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		if len(a.Sessions) == 0 {
			continue
		}
		trace := a.AppendTrace(nil, keep)
		_, back := openBytes(t, "a.pftrace", trace, 0)
		found := map[string]*analysis.Session{}
		for _, s := range back.Sessions {
			found[s.ID] = s
		}
		for i, s := range a.Sessions {
			r := found[s.ID]
			if r == nil {
				t.Errorf("%s: session %q is not in its trace, which has %d", name, s.ID, len(back.Sessions))
				continue
			}
			windows := a.Series(i, analysis.Options{}).Window
			var want, got []string
			for k := range s.Snapshots {
				n := &s.Snapshots[k]
				at := ""
				if n.At > 0 {
					at = fmt.Sprint(n.At, " ")
				}
				want = append(want, at+pictured(a, s, n, windows[k]))
			}
			for k := range r.Snapshots {
				n := &r.Snapshots[k]
				at := ""
				if k < len(s.Snapshots) && n.At > 0 && strings.Contains(strings.Join(want, ""), fmt.Sprint(n.At, " ")) {
					at = fmt.Sprint(n.At, " ")
				}
				got = append(got, at+pictured(back, r, n, n.Window))
			}
			slices.Sort(want)
			slices.Sort(got)
			if len(want) > 0 {
				compared++
			}
			if len(got) != len(want) {
				t.Errorf("%s %s: %d snapshots, want %d", name, s.ID, len(got), len(want))
				continue
			}
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("%s %s: snapshot\n%.900s\nwant\n%.900s", name, s.ID, got[k], want[k])
					break
				}
			}
			if len(r.Calls) != len(s.Calls) && len(s.Calls) > 0 {
				t.Logf("%s %s: %d calls of %d", name, s.ID, len(r.Calls), len(s.Calls))
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d sessions were compared", compared)
	}
}
