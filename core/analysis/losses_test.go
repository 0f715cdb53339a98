package analysis

import (
	"testing"

	"contextscope/core/journal"
)

func TestTheClosestRequestFilledTheLargestShareOfItsWindow(t *testing.T) {
	a := New(&journal.Strings{}, []*journal.Input{{}}, nil)
	s := a.NewSession("claude-code", "s", 0)
	asked(s, 1, 150_000, "claude-opus-4-5") // 75 % of 200,000
	asked(s, 2, 180_000, "mystery-9")       // of no known window
	asked(s, 3, 500_000, "claude-opus-5")   // 50 % of 1,000,000
	if got, want := a.closest(s, Options{}), (Closest{Request: 1, Tokens: 150_000, Reported: true, Window: 200_000, CompactsAt: 167_000}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// With a window of the person's choice the largest prompt is the closest.
	if got := a.closest(s, Options{Window: 1_000_000}); got.Request != 3 || got.CompactsAt != 967_000 {
		t.Errorf("%+v", got)
	}
}

func TestTotalsTellHowCloseARecordingCame(t *testing.T) {
	a := New(&journal.Strings{}, []*journal.Input{{}}, nil)
	s := a.NewSession("codex", "s", 0)
	if got := a.closest(s, Options{}); got != (Closest{Tokens: Unknown, Window: Unknown, CompactsAt: Unknown}) {
		t.Errorf("nothing gives %+v", got)
	}
	s.Totals = []Total{{Tokens: 90, Window: 100}, {Tokens: Unknown, Window: 100}, {Tokens: 150, Window: 1000}}
	if got := a.closest(s, Options{}); got.Request != 0 || got.Tokens != 90 || got.Window != 100 || !got.Reported {
		t.Errorf("%+v", got)
	}
}

func TestLossesAddUpWithTheOldestDate(t *testing.T) {
	l := Losses{Compactions: 1, Dropped: 10, USD: 0.5, Date: "2026-11"}
	l.Add(Losses{Compactions: 2, Dropped: 30, USD: 0.25, Date: "2026-08", Unpriced: 1, Unmeasured: 1})
	l.Add(Losses{})
	if want := (Losses{Compactions: 3, Dropped: 40, USD: 0.75, Date: "2026-08", Unpriced: 1, Unmeasured: 1}); l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
}
