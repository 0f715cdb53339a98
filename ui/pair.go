package ui

import (
	"slices"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// Pictures of two sessions that are compared.
const (
	pairFirstID  = "pair-first"
	pairSecondID = "pair-second"
)

// pair are the two sessions that are compared.
type pair struct {
	picked []int // up to two, in the order in which they were picked
	got    *analysis.Pair
}

// pickSession marks a session for the comparison, or takes the mark away. A third one takes the place of the first.
func (s *State) pickSession(index int, on bool) {
	p := &s.pair
	p.picked = slices.DeleteFunc(p.picked, func(i int) bool { return i == index })
	if on {
		p.picked = append(p.picked, index)
		p.picked = p.picked[max(len(p.picked)-2, 0):]
	}
	p.got = nil
	s.askPair()
}

func (s *State) askPair() {
	if len(s.pair.picked) == 2 {
		s.host.Pair(s.pair.picked[0], s.pair.picked[1], s.window.tokens(), func(got *analysis.Pair) { s.pair.got = got })
	}
}

func (s *State) dropPair() { s.pair.picked, s.pair.got = nil, nil }

// drawPair draws both on one scale.
func (s *State) drawPair() {
	got := s.pair.got
	w := s.host.Width(pairFirstID)
	if got == nil || w <= 0 {
		return
	}
	high := max(chart.Peak(got.First), chart.Peak(got.Second))
	for i, series := range []*analysis.Series{got.First, got.Second} {
		o := chart.Options{Width: w, Height: 240, Selected: -1, High: high, Share: s.share, XTime: s.byTime, ID: [...]string{"first", "second"}[i], Clock: s.clock().Minute}
		s.host.Draw([...]string{pairFirstID, pairSecondID}[i], &chart.Context(series, o).Scene)
	}
}

func (c *OverviewTab) comparing() bool { return len(c.State.pair.picked) == 2 }

// pickHint says what to do with one mark.
func (c *OverviewTab) pickHint() string {
	if len(c.State.pair.picked) == 1 {
		return "Mark a second session to compare the two."
	}
	return ""
}

func (c *PairCard) has() bool { return c.State.pair.got != nil }

func (c *PairCard) name(i int) string {
	s := c.State
	if i >= len(s.pair.picked) {
		return ""
	}
	return sessionName(s.list.Sessions[s.pair.picked[i]], 96)
}

func (c *PairCard) desc(i int) string {
	got := c.State.pair.got
	switch {
	case got == nil:
		return "Reading both sessions…"
	case i == 0:
		return chart.Describe(got.First, c.State.share)
	}
	return chart.Describe(got.Second, c.State.share)
}

func (c *PairCard) open(i int) { c.State.show(c.State.pair.picked[i]) }

// pairLine is a figure of both.
type pairLine struct{ Name, Class, First, Second string }

func (c *PairCard) lines() []pairLine {
	s := c.State
	got := s.pair.got
	if got == nil || len(s.pair.picked) < 2 {
		return nil
	}
	var lines []pairLine
	first, second := &s.list.Sessions[s.pair.picked[0]], &s.list.Sessions[s.pair.picked[1]]
	both := func(name string, figure func(r *analysis.SessionRow) string) {
		lines = append(lines, pairLine{name, "sw none", figure(first), figure(second)})
	}
	both("Harness", func(r *analysis.SessionRow) string { return joined(harnessName(*r), words.Plain(r.Version, 24)) })
	both("Models", func(r *analysis.SessionRow) string { return words.Plain(listOf(r.Models), 120) })
	both("Started", func(r *analysis.SessionRow) string { return orNot(s.clock().Date(r.StartedAt)) })
	both("Length", func(r *analysis.SessionRow) string { return orNot(when(lengthOf(r) > 0, words.Duration(lengthOf(r)))) })
	both("Requests", func(r *analysis.SessionRow) string { return words.Tokens(r.Requests) })
	both("Peak context", func(r *analysis.SessionRow) string {
		line := s.sessionLine(r, 0)
		return joined(line.Peak, line.PeakShare)
	})
	both("Latest context", func(r *analysis.SessionRow) string { return sized{0, r.LastTokens, r.PeakReported, 0}.short() })
	both("Compactions", func(r *analysis.SessionRow) string { return words.Tokens(r.Compactions) })
	both("Dropped by them", func(r *analysis.SessionRow) string { return words.Tokens(r.Losses.Dropped) })
	both("Findings", func(r *analysis.SessionRow) string { return words.Tokens(r.Findings) })
	return append(lines, latestLines(got)...)
}

func listOf(names []string) string {
	text := ""
	for i, n := range names {
		if i == 4 {
			return text + ", …"
		}
		if text != "" {
			text += ", "
		}
		text += n
	}
	return orNot(text)
}

func orNot(text string) string {
	if text == "" {
		return words.NotRecorded
	}
	return text
}

// latestLines are the categories of the latest sample of each that has a breakdown.
func latestLines(got *analysis.Pair) []pairLine {
	a, b := latestParts(got.First), latestParts(got.Second)
	var lines []pairLine
	known := map[string]bool{}
	for _, list := range [][]analysis.CategoryTokens{a, b} {
		for _, t := range list {
			if known[t.Category] || len(known) == 40 {
				continue
			}
			known[t.Category] = true
			lines = append(lines, pairLine{words.Category(t.Category) + ", latest", "sw " + words.Class(t.Category), tokensIn(a, t.Category), tokensIn(b, t.Category)})
		}
	}
	return lines
}

func latestParts(series *analysis.Series) []analysis.CategoryTokens {
	for i := len(series.Breakdown) - 1; i >= 0; i-- {
		if series.Breakdown[i] {
			return chart.Parts(series, i).Categories
		}
	}
	return nil
}

func tokensIn(list []analysis.CategoryTokens, category string) string {
	if list == nil {
		return words.NotRecorded
	}
	for _, t := range list {
		if t.Category == category {
			return "≈ " + words.Tokens(t.Tokens)
		}
	}
	return "0"
}
