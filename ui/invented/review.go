package invented

import (
	"fmt"

	"contextscope/core/analysis"
)

// Detail is what the compaction that a filter asks for lost: two constraints of high risk, 29 files, and a goal that survived.
func Detail(f analysis.ReviewFilter) *analysis.Detail {
	dropped := []analysis.FactRow{
		{Kind: "constraint", Text: "Never log client IP addresses.", Status: "not-found", Evidence: "closest: 1 of 3 words in “requests are logged with their path”", HighRisk: true, Line: 31},
		{Kind: "constraint", Text: "Bursts must not pass.", Status: "not-found", Evidence: "no sentence of what the model has afterwards shares a word with it", HighRisk: true, Line: 32},
	}
	for i := range 29 {
		dropped = append(dropped, analysis.FactRow{Kind: "file-read", Text: fmt.Sprintf("src/gateway/part%d.go", i), Status: "not-found",
			Evidence: "no sentence of what the model has afterwards names it", Line: int64(100 + i)})
	}
	kept := []analysis.FactRow{{Kind: "task-goal", Text: "Make the limiter survive a restart.", Status: "in-summary", Evidence: "6 of 6 words", Line: 4}}
	return &analysis.Detail{Boundary: f.Boundary,
		Kinds:   []analysis.KindFacts{{Kind: "constraint", Dropped: 2}, {Kind: "task-goal", Survived: 1}, {Kind: "file-read", Dropped: 29}},
		Dropped: pageOf(dropped, f, f.Dropped), Survived: pageOf(kept, f, f.Survived),
		Behavior: &analysis.BehaviorView{Before: analysis.Window{Requests: 20, Calls: 30}, After: analysis.Window{Requests: 10, Calls: 8}, Clipped: true,
			Rows: []analysis.MeasureRow{{Key: "rereads", Before: 1, After: 4, Rate: true, Worse: true}, {Key: "failures", Rate: true},
				{Key: "until-edit", Before: 3, After: -1}, {Key: "tool-loop", Rule: true, Rate: true}},
			Reread:      []analysis.RereadRow{{Path: "src/gateway/limiter.go", Times: 3, Why: "for-nothing"}},
			Regressions: []string{"re-read 4 pre-compaction file(s)"}},
	}
}

func pageOf(rows []analysis.FactRow, f analysis.ReviewFilter, offset int) analysis.FactPage {
	var p analysis.FactPage
	for _, r := range rows {
		if f.Kind != "" && r.Kind != f.Kind {
			continue
		}
		if p.Total++; p.Total > offset && len(p.Rows) < f.Limit {
			p.Rows = append(p.Rows, r)
		}
	}
	return p
}
