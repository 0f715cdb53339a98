package ui

import (
	"testing"

	"contextscope/core/analysis"
)

// grown is a session of requests with those reported sizes, in a window of 200,000.
func grown(sizes ...int64) *analysis.Series {
	s := &analysis.Series{Session: analysis.SessionRow{Closest: analysis.Closest{CompactsAt: analysis.Unknown}}}
	for i, n := range sizes {
		s.At, s.Request, s.Reported = append(s.At, int64(i+1)), append(s.Request, int64(i+1)), append(s.Reported, n)
		s.Estimated, s.Window, s.Threshold = append(s.Estimated, n/2), append(s.Window, 200_000), append(s.Threshold, analysis.Unknown)
	}
	return s
}

func TestAForecastIsOfTheNewestRequests(t *testing.T) {
	expect := func(s *analysis.Series, want string) {
		t.Helper()
		if got := forecast(s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	// From 100,000 to 104,000 in four steps: 1,000 each, and 96,000 are left.
	s := grown(100_000, 101_000, 102_000, 103_000, 104_000)
	expect(s, "Forecast: about 97 more requests until the window of 200,000 is full, at the rate of the last 5 (+1,000 tokens each, reported).")
	s.Threshold[4] = 110_500
	expect(s, "Forecast: about 7 more requests until it is compacted at 110,500, at the rate of the last 5 (+1,000 tokens each, reported).")
	s.Threshold[4] = analysis.Unknown
	s.Session.HarnessName, s.Session.Closest = "Codex", analysis.Closest{Window: 200_000, CompactsAt: 180_000}
	expect(s, "Forecast: about 77 more requests until Codex compacts it at about 180,000, at the rate of the last 5 (+1,000 tokens each, reported).")
	// What was before a cut is no part of the rate; three requests are the least.
	s = grown(10_000, 90_000, 20_000, 30_000, 40_000)
	s.Boundaries = []analysis.BoundaryRow{{Sample: 2, Kind: "compaction"}}
	expect(s, "Forecast: about 17 more requests until the window of 200,000 is full, at the rate of the last 3 (+10,000 tokens each, reported).")
	s.Boundaries[0].Sample = 3
	expect(s, "")
	expect(grown(50_000, 40_000, 30_000, 20_000), "")
	expect(grown(50_000, 50_000, 50_000, 50_002), "")
	expect(grown(50_000, 50_010, 50_020, 50_030), "Forecast: more than 1,000 requests until the window of 200,000 is full, at the rate of the last 4 (+10 tokens each, reported).")
	expect(grown(190_000, 200_000, 210_000), "") // it is over already
	expect(nil, "")
	s = grown(10_000, 20_000, 30_000, 40_000)
	for i := range s.Window {
		s.Window[i] = analysis.Unknown
	}
	expect(s, "")
}
