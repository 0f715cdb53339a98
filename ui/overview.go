package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// sessionRows is how many sessions stand on a page of the list.
const sessionRows = 50

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

type sessionLine struct {
	Index                              int
	Name, Role, Harness, HarnessClass  string
	NameClass                          string
	Started, Requests                  string
	Peak, PeakShare, Last, Compactions string
	Here                               bool
}

func (c *OverviewTab) sessions() []sessionLine {
	s := c.State
	if s.list == nil {
		return nil
	}
	tree := sessionTree(s.list)
	from := min(s.sessionPage*sessionRows, len(tree))
	var lines []sessionLine
	for _, n := range tree[from:min(from+sessionRows, len(tree))] {
		lines = append(lines, s.sessionLine(n))
	}
	return lines
}

func (s *State) sessionLine(n node) sessionLine {
	r := n.row
	line := sessionLine{
		Index: r.Index, Name: sessionName(r, 96), Harness: harnessName(r), HarnessClass: formatClass(r.Harness),
		NameClass: "who depth-" + number(min(n.depth, 3)), Started: s.clock().Date(r.StartedAt), Requests: words.Tokens(r.Requests),
		Last: sized{0, r.LastTokens, r.PeakReported, 0}.short(), Peak: sized{0, r.PeakTokens, r.PeakReported, 0}.short(),
		Compactions: words.Tokens(r.Compactions), Here: r.Index == s.current,
	}
	if n.depth > 0 { // a subagent is of the harness of its parent
		line.Role, line.Harness, line.HarnessClass = roleWords(r), "", ""
	}
	if line.Started == "" {
		line.Started = words.NotRecorded
	}
	if r.WindowTokens > 0 && r.PeakTokens >= 0 {
		line.PeakShare = words.WholePercent(r.PeakTokens, r.WindowTokens)
		if src := words.WindowSource(r.WindowSource); src != "" {
			line.PeakShare += " of " + words.Short(r.WindowTokens) + ", " + src
		}
	}
	return line
}

// short is a figure in a table: "165,863", or "≈ 12,000" for an estimate.
func (f sized) short() string {
	if f.tokens >= 0 && !f.reported {
		return "≈ " + words.Tokens(f.tokens)
	}
	return words.Tokens(f.tokens)
}

// estimates tells whether the list needs to explain the sign of an estimate.
func (c *OverviewTab) estimates() bool {
	for _, l := range c.sessions() {
		if strings.HasPrefix(l.Peak, "≈") || strings.HasPrefix(l.Last, "≈") {
			return true
		}
	}
	return false
}

func (c *OverviewTab) title() string {
	if c.State.list == nil {
		return ""
	}
	return words.Count(int64(len(c.State.list.Sessions)), "session", "sessions")
}

func (c *OverviewTab) pages() pager {
	if c.State.list == nil {
		return pager{}
	}
	return pager{c.State.sessionPage, sessionRows, len(c.State.list.Sessions)}
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

func (c *OverviewTab) lineClass(l sessionLine) string {
	if l.Here {
		return "here"
	}
	return ""
}
