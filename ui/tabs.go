package ui

import (
	"strconv"

	"contextscope/ui/words"
)

const (
	tabOverview    = "overview"
	tabContext     = "context"
	tabCompactions = "compactions"
	tabFindings    = "findings"
	tabFiles       = "files"
)

// tabs are the views, in order. Their names are what tests and people look for.
var tabs = []struct{ key, name string }{
	{tabOverview, "Overview"},
	{tabContext, "Context"},
	{tabCompactions, "Compactions"},
	{tabFindings, "Findings"},
	{tabFiles, "Files"},
}

type tabRow struct {
	Key, Name, Count string
	Mark             any // "warning" where something wants to be looked at
	Selected         bool
}

func (c *Tabs) rows() []tabRow {
	rows := make([]tabRow, len(tabs))
	for i, t := range tabs {
		rows[i] = tabRow{Key: t.key, Name: t.name, Selected: t.key == c.State.tab}
		if n := len(c.State.compactions()); n > 0 && t.key == tabCompactions {
			rows[i].Count = words.Tokens(int64(n))
		}
		if s := c.State.series; s != nil && len(s.Findings) > 0 && t.key == tabFindings {
			rows[i].Count = words.Tokens(int64(len(s.Findings)))
		}
		if c.State.warnings() > 0 && t.key == tabFiles {
			rows[i].Mark = "warning"
		}
	}
	return rows
}

func (s *State) pick(tab string) {
	s.tab = tab
	s.hover, s.card = -1, -1
	if tab == tabCompactions && s.review.got == nil {
		s.askReview()
	}
}

// shown tells whether the panel of a tab has anything in it: only the one that is picked does.
func (c *Root) shown(tab string) bool { return !c.State.empty() && c.State.tab == tab }

func (c *Root) away(tab string) bool { return !c.shown(tab) }

// heading names the page for those who walk through it by headings.
func (c *Root) heading() string {
	if row := c.State.session(); row != nil {
		return sessionName(*row, 96)
	}
	return "contextscope"
}

// number and yes write the values of attributes that have to be text.
func number(n int) string { return strconv.Itoa(n) }

func yes(b bool) string { return strconv.FormatBool(b) }

// tabStop is the place of a tab in the order of the keyboard: one of them only.
func tabStop(selected bool) string {
	if selected {
		return "0"
	}
	return "-1"
}

func (c *Tabs) windows() []choice {
	var all []choice
	for _, w := range windowChoices {
		all = append(all, choice{w.value, w.text, w.value == c.State.window.choice})
	}
	return all
}

func (c *Tabs) ownText() string {
	if c.State.window.own == 0 {
		return ""
	}
	return words.Tokens(c.State.window.own)
}
