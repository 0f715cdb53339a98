package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// askBetween compares the samples that were picked: at first the selected one with the one before it.
func (s *State) askBetween() {
	b := &s.between
	if b.got == nil && b.from == b.to {
		b.from, b.to = max(s.selected-1, 0), s.selected
	}
	q := analysis.BetweenQuestion{From: b.from, To: b.to, Change: b.change, Offset: b.offset, Limit: pageSize}
	s.host.Between(s.current, q, func(got *analysis.Between) { s.between.got = got })
}

// compare picks two samples.
func (s *State) compare(from, to int) {
	n := s.samples()
	s.between.from, s.between.to, s.between.offset = min(max(from, 0), max(n-1, 0)), min(max(to, 0), max(n-1, 0)), 0
	s.askBetween()
}

// neighbours compares the selected sample with the one before it.
func (s *State) neighbours() { s.compare(s.selected-1, s.selected) }

// compareText takes the number of a sample as a person types it, from 1.
func (s *State) compareText(text string, first bool) {
	n, err := strconv.Atoi(digitGroups.Replace(text))
	if err != nil || n < 1 || n > s.samples() {
		return
	}
	if first {
		s.compare(n-1, s.between.to)
	} else {
		s.compare(s.between.from, n-1)
	}
}

func (s *State) betweenChange(change string) {
	s.between.change, s.between.offset = change, 0
	s.askBetween()
}

func (s *State) turnBetween(by int) {
	if to := s.between.offset + by*pageSize; s.between.got != nil && to >= 0 && to < s.between.got.Total {
		s.between.offset = to
		s.askBetween()
	}
}

func (c *BetweenCard) from() string    { return number(c.State.between.from + 1) }
func (c *BetweenCard) to() string      { return number(c.State.between.to + 1) }
func (c *BetweenCard) samples() string { return number(max(c.State.samples(), 1)) }

// lead says what became of the context from one sample to the other.
func (c *BetweenCard) lead() string {
	got := c.State.between.got
	if got == nil {
		return "Comparing…"
	}
	s := c.State
	before, after := at(s.series.Estimated, got.From), at(s.series.Estimated, got.To)
	text := s.placeName(got.From) + " → " + s.placeName(got.To)
	if before >= 0 && after >= 0 {
		text += ": estimated " + words.Tokens(before) + " → " + words.Tokens(after) + " tokens"
	}
	if r, t := at(s.series.Reported, got.From), at(s.series.Reported, got.To); r >= 0 && t >= 0 {
		text += ", reported " + words.Tokens(r) + " → " + words.Tokens(t)
	}
	text += "."
	if got.Kept.Items+got.Added.Items+got.Removed.Items+got.Replaced.Items == 0 {
		text += " The journal does not tell piece by piece what they held."
	}
	if got.Unlisted > 0 {
		text += " " + words.Count(got.Unlisted, "smaller change was", "smaller changes were") + " counted in the recording and not listed."
	}
	return text
}

// placeName is a sample in a sentence: "Request 12", "Sample 3".
func (s *State) placeName(i int) string {
	if s.series != nil && i < len(s.series.Request) && s.series.Request[i] > 0 {
		return "Request " + words.Tokens(s.series.Request[i])
	}
	return "Sample " + words.Tokens(int64(i+1))
}

type betweenChoice struct {
	Key, Text, Pressed string
}

// sums are what was kept, added, removed and replaced; all but the first can be chosen.
func (c *BetweenCard) sums() []betweenChoice {
	got := c.State.between.got
	if got == nil {
		return nil
	}
	sum := func(key, name string, s analysis.BetweenSum, tokens string) betweenChoice {
		return betweenChoice{key, name + " " + words.Tokens(s.Items) + " (" + tokens + ")", yes(c.State.between.change == key)}
	}
	all := got.Added.Items + got.Removed.Items + got.Replaced.Items
	return []betweenChoice{
		{"", "All " + words.Tokens(all), yes(c.State.between.change == "")},
		sum("added", "Added", got.Added, words.Signed(got.Added.After)),
		sum("removed", "Removed", got.Removed, words.Signed(-got.Removed.Before)),
		sum("replaced", "Replaced", got.Replaced, words.Signed(got.Replaced.After-got.Replaced.Before)),
	}
}

func (c *BetweenCard) kept() string {
	got := c.State.between.got
	if got == nil || got.Kept.Items == 0 {
		return ""
	}
	return words.Count(got.Kept.Items, "piece", "pieces") + " of " + words.Tokens(got.Kept.After) + " tokens are in both."
}

type betweenLine struct {
	Tool, Detail, Class, Category string
	Change, Before, After         string
	Delta, DeltaClass             string
	Record                        string
	At                            recordAt
}

func (c *BetweenCard) rows() []betweenLine {
	got := c.State.between.got
	if got == nil {
		return nil
	}
	var lines []betweenLine
	for i, r := range got.Rows {
		if i == pageSize {
			break
		}
		lines = append(lines, betweenWords(r))
	}
	return lines
}

func betweenWords(r analysis.BetweenRow) betweenLine {
	l := betweenLine{Tool: words.Plain(r.Tool, 40), Detail: words.Plain(r.Detail, 240), Class: "sw " + words.Class(r.Category), Category: words.Category(r.Category),
		Change: words.Change(r.Change), Before: "–", After: "–", DeltaClass: "n delta"}
	if l.Tool == "" {
		l.Tool = l.Category
	}
	delta := max(r.After, 0) - max(r.Before, 0)
	if r.Before >= 0 {
		l.Before = words.Tokens(r.Before)
	}
	if r.After >= 0 {
		l.After = words.Tokens(r.After)
	}
	if l.Delta = words.Signed(delta); delta < 0 {
		l.DeltaClass = "n delta loss"
	}
	if r.Length > 0 {
		l.At = recordAt{Input: r.Input, Line: r.Line, Offset: r.Offset, Length: r.Length, Title: l.Tool}
		l.Record = "record"
	}
	return l
}

func (c *BetweenCard) none() string {
	got := c.State.between.got
	if got == nil || got.Total > 0 {
		return ""
	}
	return "No piece differs between them."
}

func (c *BetweenCard) pages() pager {
	if got := c.State.between.got; got != nil {
		return pager{c.State.between.offset / pageSize, pageSize, got.Total}
	}
	return pager{}
}
