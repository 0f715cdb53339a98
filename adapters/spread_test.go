package adapters

import (
	"testing"

	"contextscope/core/analysis"
)

// What all requests carried is, by another way, what their snapshots hold: each piece is counted in those that had it. A snapshot that
// takes the harness's own report instead of our items says nothing of them.
func TestCarriedTokensAreThoseOfTheSnapshots(t *testing.T) {
	compared := 0
	for path, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		for i, s := range a.Sessions {
			want, native := int64(0), false
			for k := range s.Snapshots {
				n := &s.Snapshots[k]
				native = native || n.Basis.String() != "chars/4"
				if n.Event == analysis.OnRequest {
					want += max(0, n.Sum())
				}
			}
			if native || len(s.Snapshots) == 0 {
				continue
			}
			got := a.Spread(i, analysis.SpreadQuestion{By: analysis.ByTool})
			if got.Unlisted > 0 {
				continue
			}
			if compared++; got.All.Carried != want || got.Listed.Carried != want {
				t.Errorf("%s %s: %d carried, %d listed, the snapshots hold %d", path, s.ID, got.All.Carried, got.Listed.Carried, want)
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d sessions were compared", compared)
	}
}

// Between neighbours lies what the second one lists as its changes, and what is kept and added is what it holds.
func TestBetweenIsWhatTheSamplesHold(t *testing.T) {
	compared := 0
	for path, b := range everything(t) {
		_, a := openBytes(t, "a", b, 0)
		for i, s := range a.Sessions {
			for from := 0; from < len(s.Snapshots); from += 1 + len(s.Snapshots)/7 {
				to := len(s.Snapshots) - 1 - from/2
				was, is := &s.Snapshots[from], &s.Snapshots[to]
				if was.Basis.String() != "chars/4" || is.Basis.String() != "chars/4" {
					continue
				}
				got := a.Between(i, analysis.BetweenQuestion{From: from, To: to})
				if got.Unlisted > 0 {
					continue
				}
				before := got.Kept.Before + got.Removed.Before + got.Replaced.Before
				after := got.Kept.After + got.Added.After + got.Replaced.After
				if compared++; before != max(0, was.Sum()) || after != max(0, is.Sum()) {
					t.Errorf("%s %s: %d → %d between %d and %d, the samples hold %d → %d", path, s.ID, before, after, from, to, was.Sum(), is.Sum())
				}
			}
		}
	}
	if compared < 50 {
		t.Errorf("%d pairs were compared", compared)
	}
}
