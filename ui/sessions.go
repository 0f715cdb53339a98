package ui

import (
	"cmp"
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

const sessionFindID = "session-find"

// sessionRows is how many sessions stand on a page of the list.
const sessionRows = 50

// sessionList is how a person looks at the list of sessions.
type sessionList struct {
	order  string // "started" by default
	back   bool   // the other way round
	find   string // as typed
	page   int
	cursor int // row on the page, -1 for none

	rows []listed // worked out for
	of   *analysis.List
}

// sessionOrders are what the list can be put in order by beside the name, each with the way that people want to see first.
var sessionOrders = map[string]func(a, b *analysis.SessionRow) int{
	"started":     func(a, b *analysis.SessionRow) int { return cmp.Compare(b.StartedAt, a.StartedAt) },
	"length":      func(a, b *analysis.SessionRow) int { return cmp.Compare(lengthOf(b), lengthOf(a)) },
	"requests":    func(a, b *analysis.SessionRow) int { return cmp.Compare(b.Requests, a.Requests) },
	"peak":        func(a, b *analysis.SessionRow) int { return cmp.Compare(b.PeakTokens, a.PeakTokens) },
	"compactions": func(a, b *analysis.SessionRow) int { return cmp.Compare(b.Compactions, a.Compactions) },
	"findings":    func(a, b *analysis.SessionRow) int { return cmp.Compare(b.Findings, a.Findings) },
	"children":    func(a, b *analysis.SessionRow) int { return cmp.Compare(b.Children, a.Children) },
}

func lengthOf(r *analysis.SessionRow) int64 {
	if r.StartedAt == 0 {
		return 0
	}
	return r.EndedAt - r.StartedAt
}

// listing is the sessions in their order. It is worked out anew only when something has changed.
func (s *State) listing() []listed {
	v := &s.sessions
	if v.of == s.list && v.rows != nil {
		return v.rows
	}
	v.of, v.rows = s.list, []listed{}
	if s.list == nil {
		return nil
	}
	order := sessionOrders[v.order]
	compare := func(a, b int) int { return order(&s.list.Sessions[a], &s.list.Sessions[b]) }
	if order == nil {
		compare = s.byName()
	}
	less := func(a, b int) int {
		c := compare(a, b)
		if v.back {
			return -c
		}
		return c
	}
	if words := strings.Fields(strings.ToLower(v.find)); len(words) > 0 {
		for i := range s.list.Sessions {
			if matches(&s.list.Sessions[i], words) {
				v.rows = append(v.rows, listed{i, 0})
			}
		}
		slices.SortStableFunc(v.rows, func(a, b listed) int { return less(a.index, b.index) })
		return v.rows
	}
	v.rows = tree(s.list, less)
	return v.rows
}

// byName compares sessions by what they are called, in either case.
func (s *State) byName() func(a, b int) int {
	names := make([]string, len(s.list.Sessions))
	for i := range names {
		names[i] = strings.ToLower(sessionName(s.list.Sessions[i], 96))
	}
	return func(a, b int) int { return cmp.Compare(names[a], names[b]) }
}

// matches reports whether a session has all words in its title, id, role, harness or models.
func matches(r *analysis.SessionRow, words []string) bool {
	text := strings.ToLower(strings.Join(append([]string{r.Title, r.ID, r.Role, r.HarnessName, r.Harness}, r.Models...), "\n"))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (s *State) sortSessions(order string) {
	v := &s.sessions
	v.back = v.order == order && !v.back
	v.order, v.rows, v.page, v.cursor = order, nil, 0, -1
}

func (s *State) findSessions(text string) {
	s.sessions.find, s.sessions.rows, s.sessions.page, s.sessions.cursor = text, nil, 0, -1
}

func (s *State) turnSessions(by int) {
	s.sessions.page, s.sessions.cursor = max(s.sessions.page+by, 0), -1
}

// step moves the keyboard from row to row, over the ends of pages.
func (s *State) stepSession(by int) {
	v := &s.sessions
	rows := len(s.listing())
	if rows == 0 {
		return
	}
	at := v.page*sessionRows + v.cursor + by
	if v.cursor < 0 {
		at = v.page * sessionRows
	}
	at = min(max(at, 0), rows-1)
	v.page, v.cursor = at/sessionRows, at%sessionRows
	s.host.Focus("session-row-" + number(v.cursor))
}

type sessionLine struct {
	Index                             int
	ID                                string // of its button
	Name, Role, Harness, HarnessClass string
	NameClass                         string
	Started, Length, Requests         string
	Peak, PeakShare                   string
	Compactions, Findings, Children   string
	Here                              bool
	Picked                            bool
}

func (c *OverviewTab) sessions() []sessionLine {
	s := c.State
	rows := s.listing()
	from := min(s.sessions.page*sessionRows, len(rows))
	var lines []sessionLine
	for i, n := range rows[from:min(from+sessionRows, len(rows))] {
		line := s.sessionLine(&s.list.Sessions[n.index], n.depth)
		line.Index, line.ID, line.Picked = n.index, "session-row-"+number(i), slices.Contains(s.pair.picked, n.index)
		line.Here = n.index == s.current
		lines = append(lines, line)
	}
	return lines
}

func (s *State) sessionLine(r *analysis.SessionRow, depth int) sessionLine {
	line := sessionLine{
		Name: sessionName(*r, 96), Harness: harnessName(*r), HarnessClass: formatClass(r.Harness),
		NameClass: "who depth-" + number(min(depth, 3)), Started: s.clock().Date(r.StartedAt), Requests: words.Tokens(r.Requests),
		Peak:        sized{0, r.PeakTokens, r.PeakReported, 0}.short(),
		Compactions: words.Tokens(r.Compactions), Findings: words.Tokens(r.Findings), Children: words.Tokens(r.Children),
	}
	if depth > 0 { // a subagent is of the harness of its parent
		line.Role, line.Harness, line.HarnessClass = roleWords(*r), "", ""
	} else if r.Parent >= 0 {
		line.Role = roleWords(*r)
	}
	if line.Started == "" {
		line.Started = words.NotRecorded
	}
	if n := lengthOf(r); n > 0 {
		line.Length = words.Duration(n)
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
		if strings.HasPrefix(l.Peak, "≈") {
			return true
		}
	}
	return false
}

func (c *OverviewTab) title() string {
	s := c.State
	if s.list == nil {
		return ""
	}
	all := int64(len(s.list.Sessions))
	if n := int64(len(s.listing())); s.sessions.find != "" {
		return words.Tokens(n) + " of " + words.Count(all, "session", "sessions")
	}
	return words.Count(all, "session", "sessions")
}

// none says that nothing was found.
func (c *OverviewTab) none() string {
	if c.State.sessions.find == "" || len(c.State.listing()) > 0 {
		return ""
	}
	return "No session has this in its title, id, role, harness or model."
}

func (c *OverviewTab) pages() pager {
	return pager{c.State.sessions.page, sessionRows, len(c.State.listing())}
}

func (c *OverviewTab) lineClass(l sessionLine) string {
	if l.Here {
		return "here"
	}
	return ""
}

func (c *OverviewTab) columns() []sorting {
	v := &c.State.sessions
	all := []sorting{
		{Key: "name", Text: "Session"},
		{Key: "started", Text: "Started", Class: "wide"},
		{Key: "length", Text: "Length", Class: "n widest"},
		{Key: "requests", Text: "Requests", Class: "n wide"},
		{Key: "peak", Text: "Peak context", Class: "n"},
		{Key: "compactions", Text: "Compactions", Class: "n widest"},
		{Key: "findings", Text: "Findings", Class: "n widest"},
		{Key: "children", Text: "Subagents", Class: "n widest"},
	}
	for i := range all {
		if all[i].Key != v.order {
			continue
		}
		all[i].Sorted = "descending"
		if v.back != (v.order == "name") {
			all[i].Sorted = "ascending"
		}
	}
	return all
}
