package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

func (c *OverviewTab) overview() analysis.Overview {
	if c.State.list == nil {
		return analysis.Overview{}
	}
	return c.State.list.Overview
}

// combined says what the bar is made of, and what it is not.
func (c *OverviewTab) combined() string {
	o := c.overview()
	if o.Sessions == 0 {
		return "No breakdown was recorded in what is open. The Context tab shows the totals."
	}
	var b strings.Builder
	if o.Sessions == 1 {
		b.WriteString("The latest composition of one session.")
	} else {
		b.WriteString("The latest compositions of " + words.Count(o.Sessions, "session", "sessions") +
			", combined in one bar. No model ever saw them together.")
	}
	b.WriteString(" Shares are of the " + words.Count(c.measured(), "measured token", "measured tokens") + ", not of a window.")
	if len(o.Bases) > 0 {
		b.WriteString(" Counted by " + bases(o.Bases) + ".")
	}
	switch {
	case o.Without == 1:
		b.WriteString(" One session has no breakdown and is left out.")
	case o.Without > 1:
		b.WriteString(" " + words.Tokens(o.Without) + " sessions have no breakdown and are left out.")
	}
	return b.String()
}

func bases(keys []string) string {
	var names []string
	for i, k := range keys {
		if i == 6 {
			break
		}
		names = append(names, words.Basis(k))
	}
	return strings.Join(names, " and by ")
}

func (c *OverviewTab) measured() int64 {
	var sum int64
	for _, t := range c.overview().Categories {
		sum += max(t.Tokens, 0)
	}
	return sum
}

func (c *OverviewTab) legend() []panelRow {
	whole := c.measured()
	var rows []panelRow
	for i, t := range chart.BySize(c.overview().Categories) {
		if i < 40 {
			rows = append(rows, panelRow{Class: "sw " + words.Class(t.Category), Name: words.Category(t.Category),
				Tokens: words.Tokens(t.Tokens), Share: words.Percent(t.Tokens, whole)})
		}
	}
	return rows
}

// pager is a place in a list that is longer than a page.
type pager struct{ page, size, total int }

func (p pager) one() bool   { return p.total <= p.size }
func (p pager) first() bool { return p.page == 0 }
func (p pager) last() bool  { return (p.page+1)*p.size >= p.total }
func (p pager) words() string {
	from := p.page * p.size
	return pageWords(from, min(p.size, p.total-from), p.total)
}
