package ui

import (
	"contextscope/core/analysis"
	"contextscope/core/methodology"
	"contextscope/ui/words"

	"github.com/vugu/vugu"
)

// Part is a part of a report: a component as it stands after Enter. The State draws its pictures when it is asked to, as after
// any render.
type Part struct {
	Title string // "" for a component that has a heading of its own
	Enter func()
	Root  vugu.Builder
}

// maxReported bounds the compactions that a report shows with their lists.
const maxReported = 20

// Report shows a session of a list as it stands on paper: the parts, in order. The Host has to answer at once.
func (s *State) Report(l *analysis.List, session int) []Part {
	s.list, s.reported = l, true
	s.review.chosen = true
	s.open(session)
	s.sample(s.peak())
	lower := func(key string) func() {
		return func() { s.tab = tabContext; s.showLower(key) }
	}
	parts := []Part{
		{Enter: lower(lowerChanges), Root: &ContextTab{State: s}},
		{Enter: lower(lowerSpread), Root: &SpreadCard{State: s}},
		{Enter: func() { s.review.open, s.review.chosen = -1, true; s.pick(tabCompactions) }, Root: &CompactionsTab{State: s}},
	}
	n := 0
	for i, b := range s.boundaries() {
		if b.Kind != "compaction" {
			continue
		}
		if n++; n > maxReported {
			break
		}
		parts = append(parts, Part{Title: "What compaction " + words.Tokens(int64(n)) + " lost", Enter: func() { s.review.open = -1; s.toggleReview(i) }, Root: &LossDetail{State: s}})
	}
	return append(parts, Part{Enter: func() { s.pick(tabFindings) }, Root: &FindingsTab{State: s}})
}

// Method is how the numbers are made, for the end of a report.
func Method() []Part {
	var parts []Part
	for _, sec := range methodology.Sections() {
		parts = append(parts, Part{Title: sec.Title, Enter: func() {}, Root: &TextBlocks{Blocks: markdown(sec.Text)}})
	}
	return parts
}

func (s *State) boundaries() []analysis.BoundaryRow {
	if s.series == nil {
		return nil
	}
	return s.series.Boundaries
}

// peak is the fullest sample.
func (s *State) peak() int {
	best, most := s.samples()-1, int64(-1)
	for i := range s.samples() {
		if n := max(at(s.series.Reported, i), at(s.series.Estimated, i)); n > most {
			best, most = i, n
		}
	}
	return best
}

// Peak is the fullest sample of the session that is shown.
func (s *State) Peak() int { return s.peak() }

// Fact is a figure with its name.
type Fact struct{ Name, Text string }

// Facts are those of a session, for the head of a report.
func (s *State) Facts() []Fact {
	r := s.session()
	if r == nil {
		return nil
	}
	line := s.sessionLine(r, 0)
	all := []Fact{
		{"Harness", joined(harnessName(*r), words.Plain(r.Version, 24))},
		{"Models", words.Plain(listOf(r.Models), 160)},
		{"Started", line.Started + when(r.StartedAt > 0, " UTC")},
		{"Length", orNot(line.Length)},
		{"Requests", line.Requests},
		{"Peak context", joined(line.Peak, line.PeakShare)},
		{"Latest context", sized{0, r.LastTokens, r.PeakReported, 0}.short()},
		{"Compactions", line.Compactions},
		{"Findings", line.Findings},
		{"Subagents", line.Children},
	}
	if f := forecast(s.series); f != "" {
		all = append(all, Fact{"Forecast", f})
	}
	return all
}

// Name is what the session is called.
func (s *State) Name() string {
	if r := s.session(); r != nil {
		return sessionName(*r, 160)
	}
	return ""
}
