// Package invented makes sessions that never took place, for tests and screenshots: every figure follows from a fixed
// rule, so a test may name the figures it expects.
package invented

import (
	"slices"

	"contextscope/core/analysis"
)

// Start is the moment of the first request: 30 November 2026, 10:02 UTC.
const Start = int64(1796032920000)

var categories = []string{"system", "tools", "rules", "skills", "environment", "overhead", "summaries", "prompts", "assistant", "results"}

// Rich is a session of 200 samples: 199 requests and the moment after a compaction before sample 110, a model switch
// before sample 150, and reported input throughout.
func Rich() *analysis.Series {
	s := Plain(200)
	s.Session = Sessions()[0]
	s.Requests = 199
	s.Boundaries = []analysis.BoundaryRow{
		{Sample: 110, Kind: "compaction", Trigger: "auto", At: s.At[110], Before: s.Reported[109], After: s.Reported[111],
			HarnessTold: 167402, HarnessAfter: analysis.Unknown, Evidence: []string{"boundary-record", "usage-drop"}, Above: true,
			Wait: 12_000, Of: "claude-opus-4-6", Cost: analysis.CostRow{USD: 0.585235, Rate: 5, Cached: 0.0638, Share: 0.99, Date: "2026-11", Provider: "Anthropic"}},
		{Sample: 150, Kind: "model-switch", At: s.At[150], Before: analysis.Unknown, After: analysis.Unknown,
			HarnessTold: analysis.Unknown, HarnessAfter: analysis.Unknown, Model: "claude-sonnet-4-6", Evidence: []string{"journal"}, Wait: analysis.Unknown},
	}
	s.Kind[110], s.Stage[110], s.Reported[110], s.Baseline[110] = "compaction", "post-compaction", analysis.Unknown, true
	n := int64(0)
	for i := range s.Request {
		s.Request[i] = 0
		if i != 110 {
			n++
			s.Request[i] = n
		}
		if i >= 150 {
			s.Model[i] = "claude-sonnet-4-6"
		}
		s.Threshold[i] = 167000
	}
	s.Baseline[150] = true
	s.Omitted[148], s.Changes[148] = 12, 64
	s.Findings = []analysis.FindingRow{
		{Rule: "tool-loop", Level: "warning", Message: "Bash was called 6 times with the same arguments and nothing new was tried in between",
			Means: "The agent made the same call, with the same arguments, again and again, and tried nothing new in between.", Threshold: 5,
			Sample: 41, Request: 42, At: s.At[41], Input: 0, Line: 310, LineEnd: 344},
		{Rule: "no-output", Level: "warning", Message: "the session ended without a file having been written", Means: "The session ended and no file was written in it.",
			Sample: -1, Input: -1},
		{Rule: "context-saturation", Level: "info", Message: "the context is at 81% of the window: 162000 of 200000 tokens, reported",
			Means: "A request filled most of the model's window: answers get worse there, and a compaction is near.", Threshold: 0.8,
			Sample: 109, Request: 110, At: s.At[109], Input: 0, Line: 702, LineEnd: 702},
	}
	s.Notes = []string{"One abandoned branch with 4 requests is not part of this picture."}
	return s
}

// Plain is a session of n requests that grows, is cut to a fifth in the middle of its way, and grows again.
func Plain(n int) *analysis.Series {
	s := &analysis.Series{Session: Sessions()[0], Categories: slices.Clone(categories), Requests: int64(n)}
	s.Values = make([][]int64, len(categories))
	for c := range s.Values {
		s.Values[c] = make([]int64, n)
	}
	cut := n * 55 / 100
	fixed := []int64{3100, 15400, 4200, 1400, 600, 500}
	prompts, assistant, results := int64(900), int64(600), int64(1200)
	at, seed := Start, uint32(7)
	for i := range n {
		seed = seed*1664525 + 1013904223
		roll := int64(seed>>8) % 1000
		for c, v := range fixed {
			s.Values[c][i] = v
		}
		if i == cut {
			prompts, assistant, results = 1100, 500, 2900
		}
		if i >= cut {
			s.Values[6][i] = 4800
		}
		s.Values[7][i], s.Values[8][i], s.Values[9][i] = prompts, assistant, results
		step := 90 * max(200/int64(n), 1) * roll / 100
		if roll > 930 {
			step += 5200
		}
		results += step * 20 / int64(max(n/10, 1))
		assistant += (60 + roll/4) * 200 / int64(n)
		if i%max(n/16, 1) == 0 {
			prompts += 240
		}
		at += 12_000 + roll*60
		s.At = append(s.At, at)
		addRow(s, i)
	}
	return s
}

func addRow(s *analysis.Series, i int) {
	var sum int64
	for c := range s.Values {
		sum += s.Values[c][i]
	}
	s.Breakdown = append(s.Breakdown, true)
	s.Request = append(s.Request, int64(i+1))
	s.Kind = append(s.Kind, "request")
	s.Stage = append(s.Stage, "transcript-observed")
	s.ItemStage = append(s.ItemStage, "")
	s.Basis = append(s.Basis, "chars/4")
	s.Coverage = append(s.Coverage, "partial")
	s.Model = append(s.Model, "claude-opus-4-6")
	s.Baseline = append(s.Baseline, i == 0)
	s.Estimated = append(s.Estimated, sum)
	s.Reported = append(s.Reported, sum*118/100+3200)
	s.Window = append(s.Window, 200000)
	s.WindowFrom = append(s.WindowFrom, "model-table")
	s.Effective = append(s.Effective, analysis.Unknown)
	s.Threshold = append(s.Threshold, analysis.Unknown)
	s.Omitted = append(s.Omitted, 0)
	s.Changes = append(s.Changes, 3)
}

// Sparse is a session of which only the totals were recorded: reports without a breakdown, and no window.
func Sparse() *analysis.Series {
	s := &analysis.Series{Session: Sessions()[2], Requests: 6}
	for i := range 6 {
		addRow(s, i)
		s.At = append(s.At, Start+int64(i)*60_000)
		s.Breakdown[i], s.Estimated[i] = false, analysis.Unknown
		s.Reported[i] = 12000 + int64(i)*2500
		s.Window[i], s.WindowFrom[i] = analysis.Unknown, ""
		s.Basis[i], s.Coverage[i] = "", ""
	}
	return s
}

// Mixed is a session that begins without a breakdown, is read by its harness once, estimated otherwise, and whose
// estimate is above the report at the end.
func Mixed() *analysis.Series {
	s := Plain(40)
	for i := range 8 {
		s.Breakdown[i], s.Estimated[i] = false, analysis.Unknown
		for c := range s.Values {
			s.Values[c][i] = 0
		}
	}
	s.Basis[20], s.Baseline[20], s.Stage[20] = "native-summary", true, "capture-start"
	s.Baseline[21] = true
	for i := 30; i < 40; i++ {
		s.Reported[i] = s.Estimated[i] - 500
	}
	return s
}
