package compaction

import (
	"fmt"
	"slices"
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
