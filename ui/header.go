package ui

import (
	"slices"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// optionLimit keeps the select small enough for Vugu, which renders every option anew; the Overview lists all sessions.
const optionLimit = 80

type optionGroup struct {
	Label   string
	Options []option
}

// options are those of the select as long as the same is open and shown.
type options struct {
	of      *analysis.List
	current int
	groups  []optionGroup
}

type option struct {
	Value, Text string
	Selected    bool
}

// options are the sessions of the select: a group for each harness, each main session with its subagents below it. With
// many sessions that is the family of the one that is shown, and the newest main sessions.
func (c *Header) options() []optionGroup {
	s := c.State
	if s.list == nil {
		return nil
	}
	if s.options.of != s.list || s.options.current != s.current {
		s.options = options{s.list, s.current, s.optionGroups()}
	}
	return s.options.groups
}

func (s *State) optionGroups() []optionGroup {
	tree := sessionTree(s.list)
	if len(tree) > optionLimit {
		tree = s.nearest(tree)
	}
	var groups []optionGroup
	for _, n := range tree {
		name := harnessName(s.list.Sessions[n.index])
		k := slices.IndexFunc(groups, func(g optionGroup) bool { return g.Label == name })
		if k < 0 {
			k = len(groups)
			groups = append(groups, optionGroup{Label: name})
		}
		groups[k].Options = append(groups[k].Options, option{
			Value: optionValue(s.list.Sessions[n.index]), Text: s.optionText(n), Selected: n.index == s.current})
	}
	return groups
}

// nearest keeps the family of the session that is shown and fills up with main sessions.
func (s *State) nearest(tree []listed) []listed {
	family := s.family(s.current)
	room := optionLimit
	for _, n := range tree {
		if family[n.index] {
			room--
		}
	}
	var kept []listed
	for _, n := range tree {
		if n.index == s.current {
			kept = append(kept, n)
			continue
		}
		if family[n.index] && len(kept) < optionLimit {
			kept = append(kept, n)
			continue
		}
		if n.depth == 0 && room > 0 {
			room--
			kept = append(kept, n)
		}
	}
	return kept
}

// family are a session, its ancestors and everything that the topmost of them started.
func (s *State) family(session int) map[int]bool {
	rows := s.list.Sessions
	root := session
	for range rows {
		if root < 0 || root >= len(rows) || rows[root].Parent < 0 {
			break
		}
		root = rows[root].Parent
	}
	in := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		for i, r := range rows {
			if r.Parent >= 0 && in[r.Parent] && !in[i] {
				in[i], grown = true, true
			}
		}
	}
	return in
}

func (s *State) optionText(n listed) string {
	row := s.list.Sessions[n.index]
	text := sessionName(row, 72)
	if n.depth > 0 {
		text = "↳ " + roleWords(row) + " · " + text
	}
	if t := s.clock().DayMinute(row.StartedAt); t != "" && n.depth == 0 {
		text += " · " + t
	}
	return text
}

func roleWords(row analysis.SessionRow) string {
	if r := words.Plain(row.Role, 32); r != "" {
		return r
	}
	return "Subagent"
}

func harnessName(row analysis.SessionRow) string {
	if row.HarnessName != "" {
		return words.Plain(row.HarnessName, 32)
	}
	return formatName(row.Harness)
}

// badge is the harness of the session that is shown, and its class.
func (c *Header) badge() (name, class string) {
	row := c.State.session()
	if row == nil {
		return "", ""
	}
	return harnessName(*row), formatClass(row.Harness)
}

func (c *Header) badgeName() string  { n, _ := c.badge(); return n }
func (c *Header) badgeClass() string { _, k := c.badge(); return k }

// about is the quiet end of the select: what else belongs to the session.
func (c *Header) about() string {
	row := c.State.session()
	if row == nil {
		return ""
	}
	inner := "subagent"
	if row.Harness == "agent-strace" {
		inner = "stream"
	}
	if row.Parent >= 0 {
		return inner + ", a context of its own"
	}
	if row.Children > 0 {
		return "+" + words.Count(row.Children, inner, inner+"s")
	}
	return ""
}

// left tells how many sessions the select does not list.
func (c *Header) left() string {
	if c.State.list == nil {
		return ""
	}
	shown := 0
	for _, g := range c.options() {
		shown += len(g.Options)
	}
	if n := len(c.State.list.Sessions) - shown; n > 0 {
		return words.Count(int64(n), "more session", "more sessions") + " in the Overview"
	}
	return ""
}
