package agentprof_test

import (
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func TestThreeRequestsAreReadBackAsTheyWereRecorded(t *testing.T) {
	a, s := one(t, vector())
	quiet(t, a)
	trial.Expect(t, s, "request request-input baseline prompts=3", "request request-input prompts=3 results=40 reported=60", "request request-input prompts=3")
	for i, want := range []string{"baseline message:user:1 +3", "added message:toolResult:2 +40", "removed message:toolResult:2 -40"} {
		if got := trial.Changes(a, s, i); got != want {
			t.Errorf("changes of %d: %s, want %s", i, got, want)
		}
		if n := s.Snapshots[i]; n.At != epoch+int64(i)*10 || n.Index != int32(i) || n.Window != analysis.Unknown {
			t.Errorf("snapshot %d: at %d, request %d, window %d", i, n.At, n.Index, n.Window)
		}
	}
	page := a.Changes(0, analysis.ChangeFilter{Sample: -1})
	if page.Total != 1 || page.Rows[0].Tool != "read" || page.Rows[0].Detail != "a/b.go" || page.Rows[0].Delta != 40 || page.Rows[0].Before != 3 || page.Rows[0].After != 43 || page.Rows[0].Chars != 160 {
		t.Errorf("growth: %+v", page.Rows)
	}
	if len(s.Calls) != 1 || len(s.Requests) != 3 || s.Harness != "pi" || s.ID != "vector" || len(s.Totals) != 0 {
		t.Errorf("%d calls, %d requests, harness %s, id %s, %d totals", len(s.Calls), len(s.Requests), s.Harness, s.ID, len(s.Totals))
	}
}
