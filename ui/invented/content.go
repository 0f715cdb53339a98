package invented

import (
	"fmt"

	"contextscope/core/analysis"
)

// Spread is where the context of an invented session went: 60 groups, of which the first has read a file twice.
func Spread(q analysis.SpreadQuestion) *analysis.Spread {
	got := &analysis.Spread{Total: 60, Requests: 199, All: analysis.SpreadOf{Items: 412, Tokens: 310_000, Carried: 20_000_000, Repeated: 3, RepeatedTokens: 4_200},
		Listed: analysis.SpreadOf{Items: 300, Tokens: 250_000, Carried: 15_000_000}}
	if q.By == analysis.ByServer {
		got.Total = 0
		return got
	}
	for i := range min(q.Limit, max(got.Total-q.Offset, 0)) {
		n := int64(q.Offset + i + 1)
		r := analysis.SpreadRow{Name: fmt.Sprintf("tool%d", n), Category: "results", Sample: i, Child: -1, Requests: 90,
			SpreadOf: analysis.SpreadOf{Items: 61 - n, Tokens: 60_000 / n, Carried: 6_000_000 / n, Here: 20_000 / n}}
		if n == 1 {
			r.Reads, r.Rereads, r.Writes, r.Repeated, r.RepeatedTokens, r.Line, r.Length = 12, 2, 1, 3, 4_200, 88, 512
		}
		got.Rows = append(got.Rows, r)
	}
	for n := range int64(12) {
		got.Tiles = append(got.Tiles, analysis.SpreadTile{Name: fmt.Sprintf("tool%d", n+1), Category: "results", Value: 6_000_000 / (n + 1)})
	}
	return got
}

// Between is what lies between two samples of an invented session.
func Between(q analysis.BetweenQuestion) *analysis.Between {
	return &analysis.Between{From: q.From, To: q.To, Total: 3,
		Kept: analysis.BetweenSum{Items: 30, Before: 40_000, After: 40_000}, Added: analysis.BetweenSum{Items: 1, After: 900},
		Removed: analysis.BetweenSum{Items: 1, Before: 300}, Replaced: analysis.BetweenSum{Items: 1, Before: 50, After: 70},
		Rows: []analysis.BetweenRow{
			{Change: "added", Tool: "Read", Detail: "a.go", Category: "results", Before: analysis.Unknown, After: 900, Line: 7, Length: 99},
			{Change: "removed", Tool: "Bash", Category: "results", Before: 300, After: analysis.Unknown},
			{Change: "replaced", Tool: "AGENTS.md", Category: "rules", Before: 50, After: 70},
		}}
}
