package compaction

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func expect(t *testing.T, prompts []int64, marks []Mark, want ...string) {
	t.Helper()
	var got []string
	for _, b := range Find(prompts, marks, DefaultThreshold) {
		got = append(got, fmt.Sprint(b.Kind, " ", b.From, "→", b.To, " ", b.Evidence))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v with %v:\n got %q\nwant %q", prompts, marks, got, want)
	}
}

func TestARecordedCompactionIsOneWhateverTheDrop(t *testing.T) {
	rec := func(n int) Mark { return Mark{Compaction, true, n} }
	expect(t, []int64{100, 160, 44}, []Mark{rec(2)}, "compaction 160→44 [boundary-record usage-drop]")
	expect(t, []int64{100, 160, 120}, []Mark{rec(2)}, "compaction 160→120 [boundary-record]")
	expect(t, []int64{100, 160}, []Mark{rec(2)}, "compaction 160→-1 [boundary-record]")
	expect(t, []int64{10}, []Mark{rec(0)}, "compaction -1→10 [boundary-record]")
	expect(t, nil, []Mark{rec(0)}, "compaction -1→-1 [boundary-record]")
	expect(t, []int64{160, Unknown, 44}, []Mark{rec(2)}, "compaction 160→44 [boundary-record usage-drop]")
}

func TestASizeFromBeyondAnotherCompactionSaysNothing(t *testing.T) {
	expect(t, []int64{160, 44}, []Mark{{Compaction, true, 1}, {Compaction, true, 1}},
		"compaction 160→-1 [boundary-record]", "compaction -1→44 [boundary-record]")
}

func TestADropWithoutARecordMustExceedTheThreshold(t *testing.T) {
	expect(t, []int64{100, 50}, nil)
	expect(t, []int64{100, 49}, nil, "compaction 100→49 [usage-drop]")
	expect(t, []int64{100, Unknown, 49, 60}, nil, "compaction 100→49 [usage-drop]")
	expect(t, []int64{100, 20, 101}, nil, "unexplained-drop 100→20 [usage-drop]")
	expect(t, []int64{100, 20, 40}, nil, "compaction 100→20 [usage-drop]")
}

func TestWhatElseCausedADropKeepsItsName(t *testing.T) {
	expect(t, []int64{100, 20}, []Mark{{Rewind, false, 1}}, "rewind 100→20 [usage-drop]")
	expect(t, []int64{100, 90}, []Mark{{ModelSwitch, false, 1}}, "model-switch 100→90 []")
	expect(t, []int64{100, 90}, []Mark{{ContextEdit, true, 1}}, "context-edit 100→90 [boundary-record]")
}

// A gateway that reports no sizes, with a mark before each request, must not cost more than one that does.
func TestALongStreamWithoutSizesTakesNoLonger(t *testing.T) {
	const n = 200_000 // 4e10 steps, were each mark to look through the stream
	prompts, marks := make([]int64, n), make([]Mark, n)
	for i := range prompts {
		prompts[i], marks[i] = Unknown, Mark{ContextEdit, true, i}
	}
	prompts[0], prompts[n-1] = 160, 44
	found := Find(prompts, marks, DefaultThreshold)
	if len(found) != n || found[1].From != 160 || found[1].To != 44 || found[n-1].Before != 0 || found[n-1].After != n-1 {
		t.Errorf("%d boundaries, the second %+v", len(found), found[1])
	}
}

func TestTheThresholdIsStrictAndExact(t *testing.T) {
	for _, c := range []struct {
		from, to  int64
		threshold float64
		n         int
	}{{1000, 500, 0.5, 0}, {1000, 500, 0.49, 1}, {100, 70, 0.3, 0}, {100, 69, 0.3, 1}, {1000, 400, 0.6, 0}, {3, 1, 2.0 / 3, 0}, {3, 1, 0.66, 1}, {100, 100, 0.01, 0}} {
		if got := Find([]int64{c.from, c.to}, nil, c.threshold); len(got) != c.n {
			t.Errorf("%d→%d at %v: %d boundaries, want %d", c.from, c.to, c.threshold, len(got), c.n)
		}
	}
}

func TestD3_AThresholdOutOfBoundsIsRefusedInWords(t *testing.T) {
	for _, r := range []float64{0, 1, -0.5, 1.5, math.NaN()} {
		if err := CheckThreshold(r); err == nil || !strings.Contains(err.Error(), "between 0 and 1") {
			t.Errorf("%v was taken for a threshold: %v", r, err)
		}
	}
	if err := CheckThreshold(0.5); err != nil {
		t.Error(err)
	}
}

func TestSeveralSideRequestsInARowAreOneDrop(t *testing.T) {
	side := "unexplained-drop 180→5 [usage-drop]"
	expect(t, []int64{180, 5, 182}, nil, side)
	expect(t, []int64{180, 5, 1, 182}, nil, side)
	expect(t, []int64{180, 5, Unknown, 3, 1, 182, 190}, nil, side)
	expect(t, []int64{180, 5, 182, 60, 70}, nil, side, "compaction 182→60 [usage-drop]")
	// A fourth request without a jump back is a context that was cut.
	expect(t, []int64{180, 5, 6, 7, 8, 182}, nil, "compaction 180→5 [usage-drop]")
	// What grows in steps grows as a context does.
	expect(t, []int64{180, 20, 80, 130, 175}, nil, "compaction 180→20 [usage-drop]")
	// Behind a recorded boundary nothing jumps back: another context begins.
	expect(t, []int64{180, 5, 182}, []Mark{{Clear, true, 2}}, "compaction 180→5 [usage-drop]", "clear 5→182 [boundary-record]")
	// … and a small request that the provider's other model served is the same.
	expect(t, []int64{180, 5, 182}, []Mark{{ModelSwitch, false, 1}, {ModelSwitch, false, 2}}, side, "model-switch 5→182 []")
	expect(t, []int64{180, 5, 6}, []Mark{{ModelSwitch, false, 1}}, "model-switch 180→5 [usage-drop]")
}

func TestALevelThatFallsInStepsIsNamed(t *testing.T) {
	steps := "context-edit 100→30 [usage-drop stepwise]"
	expect(t, []int64{100, 60, 30}, nil, steps)
	expect(t, []int64{50, 100, 60, Unknown, 30, 40}, nil, steps)
	expect(t, []int64{100, 60, 31, 30, 90, 20}, nil, "unexplained-drop 100→30 [usage-drop stepwise]", "compaction 90→20 [usage-drop]")
	expect(t, []int64{100, 80, 60, 55, 60}, nil)
	expect(t, []int64{100, 60, 70, 35}, nil)
	// One step that exceeds the threshold alone is the boundary, whatever came before.
	expect(t, []int64{100, 90, 20}, nil, "compaction 90→20 [usage-drop]")
	// A record between the steps explains its own.
	expect(t, []int64{100, 60, 30}, []Mark{{ContextEdit, true, 1}}, "context-edit 100→60 [boundary-record]")
	expect(t, []int64{100, 60, 30}, []Mark{{ContextEdit, true, 3}}, steps, "context-edit 30→-1 [boundary-record]")
}

func TestAnotherModelExplainsNoDropThatSomethingElseDoes(t *testing.T) {
	expect(t, []int64{100, 20}, []Mark{{Rewind, false, 1}, {ModelSwitch, false, 1}}, "rewind 100→20 [usage-drop]", "model-switch 100→20 []")
	expect(t, []int64{100, 20}, []Mark{{Clear, true, 1}, {ModelSwitch, false, 1}}, "clear 100→20 [boundary-record usage-drop]", "model-switch -1→20 []")
}

func TestOnlyACompactionIsPriced(t *testing.T) {
	b := Boundary{Kind: Compaction, From: 180_000, To: 12_000}
	c, ok := CostOf(&b, "claude-sonnet-4", Unknown)
	if !ok || c.USD != 0.504 || c.Cached != NoCost || c.Price.Date == "" {
		t.Errorf("%+v %v, want 168,000 tokens at 3 dollars a million", c, ok)
	}
	// Nine tenths were read from the cache: 151,200 × 0.30 and 16,800 × 3 dollars a million.
	if c, _ := CostOf(&b, "claude-sonnet-4", 162_000); math.Abs(c.Cached-0.09576) > 1e-9 || c.Share != 0.9 {
		t.Errorf("with the cache: %+v", c)
	}
	for _, kind := range []string{Clear, Rewind, ModelSwitch, ContextEdit, UnexplainedDrop} {
		if _, ok := CostOf(&Boundary{Kind: kind, From: 180_000, To: 12_000}, "claude-sonnet-4", Unknown); ok {
			t.Errorf("%s was priced", kind)
		}
	}
	for _, b := range []Boundary{{Kind: Compaction, From: Unknown, To: 5}, {Kind: Compaction, From: 5, To: Unknown}, {Kind: Compaction, From: 5, To: 6}} {
		if _, ok := CostOf(&b, "claude-sonnet-4", Unknown); ok {
			t.Errorf("%+v was priced", b)
		}
	}
	if _, ok := CostOf(&b, "mystery-9", Unknown); ok {
		t.Error("an unknown model was priced")
	}
}
