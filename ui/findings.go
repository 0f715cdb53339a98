package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// findingLimit is how many findings are listed at once.
const findingLimit = 60

// levels are the levels of findings, the heaviest first, with what their group is called.
var levels = []struct{ key, name string }{{"error", "Errors"}, {"warning", "Warnings"}, {"info", "Notes"}}

type findingCard struct {
	Rule, Message, Where string
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
	room := findingLimit
	for _, l := range levels {
		if c.State.findingLevel != "" && c.State.findingLevel != l.key {
			continue
		}
		g := findingGroup{Title: l.name}
		for _, r := range c.rows() {
			if r.Level == l.key && room > 0 {
				room--
				g.Cards = append(g.Cards, c.State.findingCard(r))
			}
		}
		if len(g.Cards) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
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
		card.Where = joined(card.Where, text)
	}
	if t := s.clock().Second(r.At); t != "" {
		card.Where = joined(card.Where, t)
	}
	return card
}

// sentence begins with a capital letter, unless what it begins with is a name.
func sentence(text string) string {
	for _, begin := range []string{"the ", "worse "} {
		if len(text) > len(begin) && text[:len(begin)] == begin {
			return string(text[0]-'a'+'A') + text[1:]
		}
	}
	return text
}

// rest says what is not listed.
func (c *FindingsTab) rest() string {
	shown, all := 0, 0
	for _, g := range c.groups() {
		shown += len(g.Cards)
	}
	for _, r := range c.rows() {
		if c.State.findingLevel == "" || r.Level == c.State.findingLevel {
			all++
		}
	}
	switch {
	case len(c.rows()) > 0 && all == 0:
		return "None of the findings is of this level."
	case all > shown:
		return words.Count(int64(all-shown), "more finding is", "more findings are") + " not listed here; the runner’s lint lists all."
	}
	return ""
}

// show moves the cursor to the request of a finding and goes to the chart.
func (c *FindingsTab) show(sample int) {
	c.State.pick(tabContext)
	c.State.sample(sample)
	c.State.host.Focus(contextID)
}
