package analysis

import (
	"slices"

	"contextscope/core/behavior"
	"contextscope/core/compaction"
	"contextscope/core/journal"
	"contextscope/core/lint"
)

// Review says for each boundary of a session what it left, and for one of them shows it.
type Review struct {
	Boundaries []ReviewRow // as they are numbered in the Series
	Detail     *Detail     // of the one that was asked for, nil when that is no compaction
}

// ReviewRow sums up what was found at a boundary.
type ReviewRow struct {
	Compared    bool // it is a compaction, so that facts were looked for
	Judged      bool // what the model had afterwards was recorded, so that there are lists
	Dropped     int64
	HighRisk    int64 // of those dropped
	Survived    int64
	Regressions int64
}

// ReviewFilter selects what a Detail holds.
type ReviewFilter struct {
	Boundary int    // -1 for none
	Kind     string // of the facts, "" for all
	Dropped  int    // how many to pass over in each list
	Survived int
	Limit    int // of each list
}

// Detail is what became of the facts before a compaction, and what the agent did after it.
type Detail struct {
	Boundary int
	Kinds    []KindFacts // in order of risk, those without any left out
	Dropped  FactPage
	Survived FactPage
	Omitted  int64 // older facts that were not looked at
	Behavior *BehaviorView
}

// KindFacts counts the facts of a kind.
type KindFacts struct {
	Kind     string
	Dropped  int64
	Survived int64
}

// FactPage is a part of a list with how many there are in all.
type FactPage struct {
	Rows  []FactRow
	Total int
}

// FactRow is a fact with the place that told it.
type FactRow struct {
	Kind     string
	Text     string
	Status   string // "kept-verbatim", "in-summary", "re-injected", "not-found"
	Evidence string
	HighRisk bool
	At       int64
	Input    int
	Line     int64
	Offset   int64
	Length   int64
}

// BehaviorView compares the windows before and after a compaction.
type BehaviorView struct {
	Before      Window
	After       Window
	Clipped     bool // the window after it ends at the next boundary
	Rows        []MeasureRow
	Reread      []RereadRow
	Regressions []string
}

// Window is the size of a window of behaviour.
type Window struct{ Requests, Calls int64 }

// MeasureRow is one measure on both sides. Before and After are Unknown where there was nothing to count to.
type MeasureRow struct {
	Key    string // "rereads", "exploration", … or the name of a lint rule
	Before int64
	After  int64
	Rule   bool // it counts findings of a lint rule
	Rate   bool // larger windows hold more of it
	Worse  bool // it is one of the Regressions
}

// RereadRow is a file that was read before a compaction and again after it.
type RereadRow struct {
	Path  string
	Times int64
	Why   string // "before-edit", "changed", "for-nothing"
}

// riskOrder lists what to look at first.
var riskOrder = []journal.FactKind{journal.Constraint, journal.Decision, journal.TaskGoal, journal.Todo, journal.ErrorMet, journal.FileModified,
	journal.FileRead, journal.CommandRun}

// reviewed are the comparisons of the session that was asked about last.
type reviewed struct {
	of        *Session
	threshold float64
	diffs     []*Diff
}

// Review compares at all boundaries of a session.
func (a *Analysis) Review(session int, f ReviewFilter, o Options) *Review {
	if session < 0 || session >= len(a.Sessions) {
		return nil
	}
	s := a.Sessions[session]
	diffs := a.Survival(s, o)
	behaved := make([]*behavior.Diff, len(diffs))
	compared := a.Behavior(s, o)
	for i := range compared {
		behaved[compared[i].Cut.Boundary] = &compared[i]
	}
	r := &Review{Boundaries: make([]ReviewRow, len(diffs))}
	for i, d := range diffs {
		row := &r.Boundaries[i]
		if d == nil {
			continue
		}
		*row = ReviewRow{Compared: true, Judged: d.Available, Dropped: int64(len(d.Dropped)), Survived: int64(len(d.Survived))}
		for k := range d.Dropped {
			if d.Dropped[k].Kind.HighRisk() {
				row.HighRisk++
			}
		}
		if b := behaved[i]; b != nil {
			row.Regressions = int64(len(b.Regressions))
		}
		if i == f.Boundary {
			r.Detail = a.detail(d, behaved[i], f)
		}
	}
	return r
}

func (a *Analysis) detail(d *Diff, b *behavior.Diff, f ReviewFilter) *Detail {
	v := &Detail{Boundary: f.Boundary, Omitted: int64(d.Omitted), Dropped: factPage(d.Dropped, f.Kind, f.Dropped, f.Limit),
		Survived: factPage(d.Survived, f.Kind, f.Survived, f.Limit)}
	for _, k := range riskOrder {
		n := KindFacts{k.Key(), countKind(d.Dropped, k), countKind(d.Survived, k)}
		if n.Dropped+n.Survived > 0 {
			v.Kinds = append(v.Kinds, n)
		}
	}
	if b != nil {
		v.Behavior = a.behaviorView(b)
	}
	return v
}

func countKind(list []Fact, k journal.FactKind) (n int64) {
	for i := range list {
		if list[i].Kind == k {
			n++
		}
	}
	return n
}

// factPage is a part of a list, what is of high risk first.
func factPage(list []Fact, kind string, offset, limit int) FactPage {
	var p FactPage
	for _, k := range riskOrder {
		if kind != "" && k.Key() != kind {
			continue
		}
		for i := range list {
			f := &list[i]
			if f.Kind != k {
				continue
			}
			if p.Total++; p.Total <= offset || len(p.Rows) >= limit {
				continue
			}
			p.Rows = append(p.Rows, FactRow{Kind: k.Key(), Text: f.Text, Status: string(f.Status), Evidence: f.Evidence.String(), HighRisk: k.HighRisk(),
				At: millis(f.At), Input: f.Source.Input, Line: int64(f.Source.Line), Offset: f.Source.Offset, Length: f.Source.Length})
		}
	}
	return p
}

// whyRead names the reasons as views have them.
var whyRead = [...]string{behavior.BeforeEdit: "before-edit", behavior.Changed: "changed", behavior.ForNothing: "for-nothing"}

func (a *Analysis) behaviorView(d *behavior.Diff) *BehaviorView {
	v := &BehaviorView{Before: windowOf(&d.Before), After: windowOf(&d.After), Clipped: d.Clipped, Regressions: d.Regressions}
	add := func(key string, before, after int, judged bool) {
		v.Rows = append(v.Rows, MeasureRow{Key: key, Before: int64(before), After: int64(after), Rate: true, Worse: judged && d.Rose(before, after)})
	}
	add("rereads", d.Before.Rereads, d.After.Rereads, true)
	add("redundant-reads", d.Before.RedundantReads, d.After.RedundantReads, false)
	add("exploration", d.Before.Exploration, d.After.Exploration, true)
	add("repeated-exploration", d.Before.RepeatedExploration, d.After.RepeatedExploration, false)
	add("failures", d.Before.Failures, d.After.Failures, false)
	add("repeated-failures", d.Before.RepeatedFailures, d.After.RepeatedFailures, false)
	v.Rows = append(v.Rows, MeasureRow{Key: "until-edit", Before: int64(d.Before.ToEdit), After: int64(d.After.ToEdit)})
	for i := range lint.Rules {
		if i < len(d.Before.Lint) && i < len(d.After.Lint) && d.Before.Lint[i] >= 0 && d.After.Lint[i] >= 0 {
			v.Rows = append(v.Rows, MeasureRow{Key: lint.Rules[i].Name, Before: int64(d.Before.Lint[i]), After: int64(d.After.Lint[i]), Rule: true, Rate: true,
				Worse: d.Rose(d.Before.Lint[i], d.After.Lint[i])})
		}
	}
	for _, r := range d.Reread {
		v.Reread = append(v.Reread, RereadRow{Path: a.Strings.Get(r.Path), Times: int64(r.Times), Why: whyRead[r.Why]})
	}
	slices.SortStableFunc(v.Reread, func(a, b RereadRow) int { return int(b.Times - a.Times) })
	return v
}

func windowOf(m *behavior.Measures) Window { return Window{int64(m.Requests), int64(m.Calls)} }

// summaryTokens estimates the summary that stands in the context behind a boundary; Unknown where none was recorded.
func (s *Session) summaryTokens(c *compaction.Boundary) int64 {
	if c.Mark < 0 {
		return Unknown
	}
	b := &s.Boundaries[c.Mark]
	if b.SummaryUnits > 0 {
		return (b.SummaryUnits + 3) / 4
	}
	if i := int(b.Snapshots); i < len(s.Snapshots) {
		if n := s.Snapshots[i].Tokens[journal.Summaries]; s.Snapshots[i].measured() && n > 0 {
			return int64(n)
		}
	}
	return Unknown
}
