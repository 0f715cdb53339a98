package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/words"
)

const spreadID = "spread-map"

var spreadBy = []struct{ key, name, one, many string }{
	{analysis.ByTool, "Tool", "", ""},
	{analysis.ByServer, "MCP server", "MCP server", "MCP servers"},
	{analysis.ByFile, "File", "file", "files"},
	{analysis.BySkill, "Skill", "skill", "skills"},
	{analysis.ByAgent, "Subagent", "subagent", "subagents"},
	{analysis.ByItem, "Piece", "", ""},
}

func (s *State) askSpread() {
	q := analysis.SpreadQuestion{By: s.spread.by, Order: s.spread.order, Offset: s.spread.offset, Limit: pageSize}
	s.host.Spread(s.current, q, func(got *analysis.Spread) { s.spread.got = got })
}

func (s *State) spreadBy(by string) {
	s.spread.by, s.spread.offset = by, 0
	s.askSpread()
}

func (s *State) sortSpread(order string) {
	s.spread.order, s.spread.offset = order, 0
	s.askSpread()
}

func (s *State) turnSpread(by int) {
	if to := s.spread.offset + by*pageSize; s.spread.got != nil && to >= 0 && to < s.spread.got.Total {
		s.spread.offset = to
		s.askSpread()
	}
}

func (c *SpreadCard) ways() []lowerRow {
	var rows []lowerRow
	for _, b := range spreadBy {
		rows = append(rows, lowerRow{b.key, b.name, yes(b.key == c.State.spread.by)})
	}
	return rows
}

// lead says what all of it is.
func (c *SpreadCard) lead() string {
	got := c.State.spread.got
	switch {
	case got == nil:
		return "Adding up…"
	case got.All.Items == 0:
		return "The journal does not tell piece by piece what this context held."
	}
	return words.Count(got.Requests, "request", "requests") + " carried " + words.Tokens(got.All.Carried) + " estimated tokens in all: " +
		words.Count(got.All.Items, "piece", "pieces") + " of " + words.Tokens(got.All.Tokens) +
		" tokens, each counted once for each request whose context held it. Inferred from the journal."
}

// share says how much of it the groups are, and what was there twice.
func (c *SpreadCard) share() string {
	got := c.State.spread.got
	if got == nil || got.All.Items == 0 {
		return ""
	}
	text := ""
	for _, b := range spreadBy {
		if b.key != c.State.spread.by || b.one == "" {
			continue
		}
		if got.Total == 0 {
			text = "Nothing in this session came from " + b.many + ", as far as the journal tells."
			break
		}
		text = words.Count(int64(got.Total), b.one, b.many) + " account for " + words.Percent(got.Listed.Carried, got.All.Carried) + " of it."
	}
	if got.All.Repeated > 0 {
		text = spaced(text, words.Count(got.All.Repeated, "piece", "pieces")+" of "+words.Tokens(got.All.RepeatedTokens)+
			" tokens came while the same was there already: the same call or label, and the same size.")
	}
	if got.Unlisted > 0 {
		text = spaced(text, words.Count(got.Unlisted, "smaller change was", "smaller changes were")+" counted in the recording and not listed.")
	}
	return text
}

func spaced(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

func (c *SpreadCard) columns() []sorting {
	first := "Tool or kind"
	for _, b := range spreadBy {
		if b.key == c.State.spread.by && b.key != analysis.ByTool {
			first = b.name
		}
	}
	all := []sorting{
		{Key: "name", Text: first},
		{Key: "items", Text: "Pieces", Class: "n wide"},
		{Key: "tokens", Text: "Tokens", Class: "n"},
		{Key: "carried", Text: "Tokens × requests", Class: "n"},
		{Key: "here", Text: "There at the end", Class: "n wide"},
		{Key: "repeated", Text: "Repeated", Class: "n widest"},
	}
	for i := range all {
		if all[i].Key == c.State.spread.order {
			all[i].Sorted = "descending"
			if all[i].Key == "name" {
				all[i].Sorted = "ascending"
			}
		}
	}
	return all
}

type spreadLine struct {
	Name, Class, About             string
	Items, Tokens, Carried, Shares string
	Here, Repeated                 string
	Link                           string // to the first request that carried it
	Sample, Child                  int
	Record                         string
	At                             recordAt
}

func (c *SpreadCard) rows() []spreadLine {
	got := c.State.spread.got
	if got == nil {
		return nil
	}
	var lines []spreadLine
	for i, r := range got.Rows {
		if i == pageSize {
			break
		}
		lines = append(lines, c.State.spreadLine(r, got))
	}
	return lines
}

func (s *State) spreadLine(r analysis.SpreadRow, got *analysis.Spread) spreadLine {
	l := spreadLine{
		Name: words.Plain(r.Name, 160), Class: "sw " + words.Class(r.Category), Items: words.Tokens(r.Items), Tokens: words.Tokens(r.Tokens),
		Carried: words.Tokens(r.Carried), Shares: words.Percent(r.Carried, got.All.Carried), Here: words.Tokens(r.Here), Sample: r.Sample, Child: r.Child,
	}
	if l.Name == "" {
		l.Name = "unnamed"
	}
	if r.Reads > 0 {
		l.About = words.Count(r.Reads, "read", "reads")
	}
	if r.Rereads > 0 {
		l.About += ", " + words.Tokens(r.Rereads) + " of what was still there and unchanged"
	}
	if r.Writes > 0 {
		l.About = joined(l.About, words.Count(r.Writes, "edit", "edits"))
	}
	switch {
	case r.Carried == 0:
		l.About = joined(l.About, "no request carried it")
	case r.Items > 1:
		l.About = joined(l.About, "the largest piece was carried by "+words.Count(r.Requests, "request", "requests"))
	default:
		l.About = joined(l.About, "carried by "+words.Count(r.Requests, "request", "requests"))
	}
	if r.Repeated > 0 {
		l.Repeated = words.Tokens(r.RepeatedTokens)
	}
	if r.Sample >= 0 {
		l.Link = s.sampleName(r.Sample)
	}
	if r.Length > 0 {
		l.At = recordAt{Input: r.Input, Line: r.Line, Offset: r.Offset, Length: r.Length, Title: l.Name}
		l.Record = "record"
	}
	return l
}

// sampleName is what a sample is called in a link: "#12", or "sample 12" where no request belongs to it.
func (s *State) sampleName(i int) string {
	if s.series != nil && i < len(s.series.Request) && s.series.Request[i] > 0 {
		return "#" + words.Tokens(s.series.Request[i])
	}
	return "sample " + words.Tokens(int64(i+1))
}

func (c *SpreadCard) pages() pager {
	if got := c.State.spread.got; got != nil {
		return pager{c.State.spread.offset / pageSize, pageSize, got.Total}
	}
	return pager{}
}

// unit is what the tiles stand for.
func (s *State) spreadUnit() string {
	switch s.spread.order {
	case "items":
		return "pieces"
	case "tokens":
		return "tokens"
	case "here":
		return "tokens at the end"
	case "repeated":
		return "repeated tokens"
	}
	return "tokens × requests"
}

func (c *SpreadCard) caption() string { return "Areas are " + c.State.spreadUnit() + "." }
