package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// findingRows is how many findings stand on a page.
const findingRows = 30

// levels are the levels of findings, the heaviest first, with what their group is called.
var levels = []struct{ key, name string }{{"error", "Errors"}, {"warning", "Warnings"}, {"info", "Notes"}}

type findingCard struct {
	ID                   string
	Rule, Message, Where string
	Line                 string // "line 310–344", "" for none
	At                   recordAt
	Means                string
	Sample               int
	NoLink               bool // it is about the whole session
}

type findingGroup struct {
	Title string
	Cards []findingCard
}

type levelChoice struct {
	Key, Name string
	Pressed   string
}

func (c *FindingsTab) rows() []analysis.FindingRow {
	if c.State.series == nil {
		return nil
	}
	return c.State.series.Findings
}

func countOf(rows []analysis.FindingRow, level string) (n int) {
	for _, r := range rows {
		if r.Level == level {
			n++
		}
	}
	return n
}

func (c *FindingsTab) title() string {
	switch n := int64(len(c.rows())); {
	case c.State.series == nil:
		return "Findings"
	case n == 0:
		return "Nothing was found in this session"
	default:
		return words.Count(n, "finding", "findings")
	}
}

// lead says what was looked for.
func (c *FindingsTab) lead() string {
	switch {
	case c.State.series == nil && c.State.waiting:
		return "Reading the session…"
	case c.State.series == nil:
		return "This session could not be read."
	case len(c.rows()) == 0:
		return "No loops, no retries of what fails, no reading of the same again, and the context was never nearly full, as far as the journal tells."
	}
	return "Cues for a review, by rules that look at requests and calls; the session's own journal is all that they know."
}

// choices are the levels to filter by.
func (c *FindingsTab) choices() []levelChoice {
	all := []levelChoice{{"", "All", yes(c.State.findingLevel == "")}}
	for _, l := range levels {
		all = append(all, levelChoice{l.key, l.name + " " + strconv.Itoa(countOf(c.rows(), l.key)), yes(c.State.findingLevel == l.key)})
	}
	return all
}

func (c *FindingsTab) groups() []findingGroup {
	var groups []findingGroup
	pages := c.pages()
	n := 0
	for _, l := range levels {
		if c.State.findingLevel != "" && c.State.findingLevel != l.key {
			continue
		}
		g := findingGroup{Title: l.name}
		for i, r := range c.rows() {
			if r.Level != l.key {
				continue
			}
			if n++; n > pages.page*pages.size && n <= (pages.page+1)*pages.size {
				card := c.State.findingCard(r)
				card.ID = findingID(i)
				g.Cards = append(g.Cards, card)
			}
		}
		if len(g.Cards) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// ids are those of the cards on the page.
func (c *FindingsTab) ids() (ids []string) {
	for _, g := range c.groups() {
		for _, card := range g.Cards {
			ids = append(ids, card.ID)
		}
	}
	return ids
}

func (s *State) findingCard(r analysis.FindingRow) findingCard {
	card := findingCard{Rule: words.Plain(r.Rule, 48), Message: sentence(words.Plain(r.Message, 400)), Means: r.Means, Sample: r.Sample, NoLink: r.Sample < 0}
	if r.Threshold > 0 {
		card.Means += " Threshold: " + strconv.FormatFloat(r.Threshold, 'g', -1, 64) + "."
	}
	switch {
	case r.Request > 0:
		card.Where = "request " + words.Tokens(r.Request)
	case r.Input < 0:
		card.Where = "the whole session"
	}
	if r.Line > 0 {
		text := "line " + words.Tokens(r.Line)
		if r.LineEnd > r.Line {
			text += "–" + words.Tokens(r.LineEnd)
		}
		card.Line = text
		card.At = recordAt{Input: r.Input, Line: r.Line, Offset: r.Offset, Length: r.Length, Title: card.Rule}
	}
	if t := s.clock().Second(r.At); t != "" {
		card.Where = joined(card.Where, t)
	}
	return card
}

// sentence begins with a capital letter, unless what it begins with is a name.
func sentence(text string) string {
	for _, begin := range []string{"the ", "worse ", "re-read ", "repository "} {
		if len(text) > len(begin) && text[:len(begin)] == begin {
			return string(text[0]-'a'+'A') + text[1:]
		}
	}
	return text
}

// pages are those of the findings of the level that is shown.
func (c *FindingsTab) pages() pager {
	all := len(c.rows())
	if c.State.findingLevel != "" {
		all = countOf(c.rows(), c.State.findingLevel)
	}
	return pager{c.State.findingPage, findingRows, all}.within()
}

// none says that there is nothing of the level that is shown.
func (c *FindingsTab) none() string {
	if len(c.rows()) > 0 && c.pages().total == 0 {
		return "None of the findings is of this level."
	}
	return ""
}

// findingID is the element of a finding by its place in the series.
func findingID(i int) string { return "finding-" + number(i+1) }

// findingsAt are the findings that begin in a sample.
func (s *State) findingsAt(sample int) (list []int) {
	if s.series == nil {
		return nil
	}
	for i := range s.series.Findings {
		if s.series.Findings[i].Sample == sample {
			list = append(list, i)
		}
	}
	return list
}

// toFinding goes from a sample to the card of a finding. The page lists the heaviest first, as the series does.
func (s *State) toFinding(finding int) {
	s.findingLevel, s.findingPage = "", finding/findingRows
	s.pick(tabFindings)
	s.host.Focus(findingID(finding))
}

func (c *FindingsTab) chooseLevel(level string) {
	c.State.findingLevel, c.State.findingPage = level, 0
}

// show moves the cursor to the request of a finding and goes to the chart.
func (c *FindingsTab) show(sample int) { c.State.toChart(sample) }
