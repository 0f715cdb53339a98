package analysis

import (
	"testing"

	"contextscope/core/journal"
)

// What a session cost is that of all its streams, by reported usage alone.
func TestSpentIsOfReportedUsage(t *testing.T) {
	defer func(listed func(string, int64) (rates, bool)) { ratesOf = listed }(ratesOf)
	var strings journal.Strings
	a := New(&strings, []*journal.Input{{}}, nil)
	m := strings.Put([]byte("m"))
	s := a.NewSession("x", "s", 0)
	s.Requests = []Request{{Model: m, Input: 1000000, CacheRead: 400000, CacheWrite: 100000, Output: 10000, Snapshot: -1}}
	side := a.NewStream(s, "side", 0)
	side.Requests = []Request{{Model: m, Input: 100000, CacheRead: Unknown, CacheWrite: Unknown, Output: Unknown, Snapshot: -1}}
	a.Keep(s)
	a.Keep(side)
	a.Arrange()
	if _, ok := a.spent(s); ok {
		t.Error("without rates nothing has a price")
	}
	ratesOf = func(model string, _ int64) (rates, bool) { return rates{3, 15, 0.3, 3.75}, model == "m" }
	// 0.5 M fresh at 3, 0.4 M read at 0.3, 0.1 M written at 3.75, 0.01 M output at 15, and the side stream's 0.1 M at 3.
	if got, ok := a.spent(s); !ok || got < 2.4449 || got > 2.4451 {
		t.Errorf("%v %v, want 2.445", got, ok)
	}
	side.Requests[0].Input = Unknown
	if _, ok := a.spent(s); ok {
		t.Error("a request without usage has no price")
	}
}
