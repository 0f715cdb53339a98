package claudecode

import (
	"fmt"
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// link ties subagents to their parents and keeps the sessions that have something of their own.
func (st *settling) link() {
	main := map[string]*thread{}
	starts := map[journal.Ref]started{} // agent -> call that started it
	for _, t := range st.threads {
		if t.own == 0 {
			continue
		}
		if !t.side {
			if _, ok := main[t.s.ID]; !ok {
				main[t.s.ID] = t
			}
		}
		for i := range t.s.Calls {
			if c := &t.s.Calls[i]; c.Agent != 0 {
				starts[c.Agent] = started{t, c.ID}
			}
		}
	}
	sidechains := map[string]int{}
	for _, t := range st.threads {
		if t.own == 0 {
			st.attach(t)
			continue
		}
		if t.side {
			st.linkSide(t, main, starts, sidechains)
		}
		st.a.Keep(t.s)
	}
	for _, t := range st.threads {
		if t.side && t.parent != nil {
			t.s.Parent = t.parent.s.ID
		}
	}
}

// started is the call of a session that started a subagent.
type started struct {
	by   *thread
	call journal.Ref
}

func (st *settling) linkSide(t *thread, main map[string]*thread, starts map[journal.Ref]started, sidechains map[string]int) {
	table := t.in.Strings
	session, agent := t.s.ID, table.Get(t.agent)
	t.parent = main[session]
	if dir := parentFolder(t.in.Path); dir != "" && main[dir] != nil { // a folder is only a name, and not for documents, unless it is that of an open session
		session = dir
		t.parent = main[dir]
	}
	info := st.agents[t.agent]
	t.s.Role, t.s.ParentCall = table.Get(info.role), info.call
	if by, ok := starts[t.agent]; ok && t.agent != 0 {
		t.parent = by.by
		if t.s.ParentCall == 0 {
			t.s.ParentCall = by.call
		}
	}
	if t.s.ParentCall == 0 && t.agent == 0 {
		t.s.ParentCall = t.beganAfter
	}
	if agent == "" {
		sidechains[session]++
		agent = "sidechain-" + strconv.Itoa(sidechains[session])
	}
	t.s.ID = session + "/" + agent
	switch {
	case t.hidden != "":
		t.s.Role = t.hidden
	case t.s.Role == "":
		t.s.Role = "subagent"
		if t.parent != nil {
			t.s.Role = roleOf(t.parent.s, t.s.ParentCall, t)
		}
	}
}

// roleOf is the kind of subagent as its parent asked for it; the detail of the call says what it is for.
func roleOf(parent *analysis.Session, call journal.Ref, t *thread) string {
	if c := parent.CallNamed(call); c != nil && t.s.Title == "" {
		t.s.Title = t.in.Strings.Get(c.Detail)
	}
	return "subagent"
}

// attach gives a copy's input to the session that has its records already.
func (st *settling) attach(t *thread) {
	if n := t.s.Copied; n > 0 {
		st.a.Warn(t.in.Index, journal.Warning{Code: journal.WarnCopy,
			Message: fmt.Sprintf("all %d records of a session in this file were read from another file already; it adds no session", n),
			Hint:    "open it alone to see it by itself"})
	}
	for _, o := range st.threads {
		if o.own > 0 && o.session == t.session && (t.session != 0 || o.s.ID == t.s.ID) && o.side == t.side && o.agent == t.agent {
			o.s.Inputs = append(o.s.Inputs, t.in.Index)
			break
		}
	}
}

// Attach recognises the whole output of a tool: …/<session>/tool-results/<name>.txt.
func Attach(path string) (string, bool) {
	_, ok := keptBy(path)
	return "the whole output of a tool, kept beside its transcript; the model saw a preview", ok
}

// keptBy is the session in whose folder the whole output of a tool lies.
func keptBy(path string) (session string, ok bool) {
	parts := splitPath(path)
	if n := len(parts); n >= 3 && parts[n-2] == keptFolder && strings.HasSuffix(parts[n-1], ".txt") {
		return parts[n-3], true
	}
	return "", false
}

// keep gives the whole outputs of tools to the sessions that they belong to.
func (st *settling) keep(kept []*journal.Input) {
	sessions := map[string]*thread{}
	for _, t := range st.threads {
		if _, known := sessions[t.s.ID]; t.own > 0 && !t.side && !known {
			sessions[t.s.ID] = t
		}
	}
	for _, in := range kept {
		id, _ := keptBy(in.Path)
		t, ok := sessions[id]
		if !ok {
			st.a.Warn(in.Index, journal.Warning{Code: journal.WarnMissingParent,
				Message: "the transcript that this output of a tool belongs to is not open",
				Hint:    "open the whole folder of the project"})
			continue
		}
		t.s.Inputs = append(t.s.Inputs, in.Index)
	}
}

// parentFolder is the session whose folder a subagent's file lies in: …/<session>/subagents/agent-….jsonl.
func parentFolder(path string) string {
	parts := splitPath(path)
	for i := len(parts) - 2; i > 0; i-- {
		if parts[i] == "subagents" {
			return parts[i-1]
		}
	}
	return ""
}

func splitPath(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
}
