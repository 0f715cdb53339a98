package analysis

import (
	"sort"
	"strings"

	"contextscope/core/action"
	"contextscope/core/behavior"
	"contextscope/core/compaction"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// actions are what the calls of an analysis do, told once for each name and detail that they have.
type actions struct {
	a     *Analysis
	known map[actionKey]actionOf
}

type actionKey struct{ name, detail journal.Ref }

type actionOf struct {
	kind action.Kind
	path string
}

func (a *Analysis) makeActions() {
	if a.actions == nil {
		a.actions = &actions{a: a, known: map[actionKey]actionOf{}}
	}
}

func (x *actions) of(name, detail journal.Ref) actionOf {
	k := actionKey{name, detail}
	v, ok := x.known[k]
	if !ok {
		v.kind, v.path = action.Classify(x.a.Strings.Get(name), x.a.Strings.Get(detail))
		x.known[k] = v
	}
	return v
}

// steps are what happened in a session's own stream, in order, and where each request stands in it. They are made once: a
// person's choices change none of them.
func (a *Analysis) steps(s *Session) ([]behavior.Step, []int) {
	if s.trail != nil || len(s.Requests)+len(s.Calls)+len(s.Files) == 0 {
		return s.trail, s.trailOf
	}
	a.makeActions()
	t := &tracing{a: a, s: s, paths: a.pathsOf(s)}
	t.requests()
	calls, files := 0, 0
	made := s.madeBy()
	for n := -1; n < len(s.Requests); n++ {
		if n >= 0 {
			s.trailOf = append(s.trailOf, len(t.out))
			t.out = append(t.out, t.asked[n])
		}
		from := len(t.out)
		for ; calls < len(s.Calls) && made(calls) <= n; calls++ {
			t.call(calls, n)
		}
		for ; files < len(s.Files) && int(s.Files[files].Request) <= n; files++ {
			t.file(files, n, from)
		}
	}
	s.trail = t.out
	return s.trail, s.trailOf
}

// madeBy tells which request made a call. A recording lists its calls apart: there the time tells.
func (s *Session) madeBy() func(call int) int {
	byTime := len(s.Requests) > 0 && len(s.Calls) > 0
	for i := range s.Calls {
		byTime = byTime && s.Calls[i].Request < 0
	}
	if !byTime {
		return func(call int) int { return int(s.Calls[call].Request) }
	}
	n := -1
	return func(call int) int {
		for at := s.Calls[call].At; at != 0 && n+1 < len(s.Requests) && s.Requests[n+1].At <= at; {
			n++
		}
		return n
	}
}

type tracing struct {
	a     *Analysis
	s     *Session
	asked []behavior.Step
	paths func(path string) journal.Ref
	out   []behavior.Step
}

// requests are the steps of the requests: their size, and whether a person said something before them.
func (t *tracing) requests() {
	s := t.s
	reported := false
	for i := range s.Requests {
		reported = reported || s.Requests[i].Input != Unknown
	}
	next := 0 // snapshot
	for i := range s.Requests {
		q := &s.Requests[i]
		step := behavior.Step{Request: int32(i), Call: -1, Tokens: q.Input, Window: Unknown}
		if q.Snapshot >= 0 && int(q.Snapshot) < len(s.Snapshots) {
			for ; next <= int(q.Snapshot); next++ {
				step.Prompt = step.Prompt || s.prompted(&s.Snapshots[next])
			}
			if !reported {
				step.Tokens, step.Guessed = s.Snapshots[q.Snapshot].Sum(), true
			}
		}
		t.asked = append(t.asked, step)
	}
	for _, child := range t.a.childrenOf(s) {
		for i := range child.Requests {
			at := child.Requests[i].At
			n := sort.Search(len(s.Requests), func(n int) bool { return s.Requests[n].At > at })
			if at != 0 && n < len(s.Requests) {
				t.asked[n].Prompt = true // what it says comes back
			}
		}
	}
}

// childrenOf are the sessions that a session started.
func (a *Analysis) childrenOf(s *Session) []*Session {
	if a.children == nil {
		a.children = map[*Session][]*Session{}
		for _, c := range a.Sessions {
			if c.Of != nil && c.Of != c {
				a.children[c.Of] = append(a.children[c.Of], c)
			}
		}
	}
	return a.children[s]
}

// prompted tells whether a prompt came with a snapshot. Where everything is measured anew, or changes were left out, it may have.
func (s *Session) prompted(n *Snapshot) bool {
	if n.Omitted > 0 {
		return true
	}
	for k := n.First; k < n.First+n.N; k++ {
		if c := s.Changes.At(int(k)); c.Category == journal.Prompts && (c.Kind == composition.Added || c.Kind == composition.Replaced) {
			return true
		}
	}
	return false
}

func (t *tracing) call(i, request int) {
	c := &t.s.Calls[i]
	what := t.a.actions.of(c.Name, c.Detail)
	step := behavior.Step{Request: int32(request), Call: int32(i), Name: c.Name, Args: c.Args, Kind: what.kind, Failed: c.Failed, Script: c.Script,
		Tokens: Unknown, Window: Unknown, Path: t.paths(what.path)}
	if step.Args == 0 && c.Detail != 0 && (what.kind == action.Run || what.kind == action.Explore) {
		step.Args = 1<<63 | uint64(c.Detail) // a recording has no arguments, but the command
	}
	t.out = append(t.out, step)
}

// file is a step for a file that was noted apart from the calls, unless one of the same request did the same.
func (t *tracing) file(i, request, from int) {
	f := &t.s.Files[i]
	kind := action.Read
	if f.Write {
		kind = action.Write
	}
	path := t.paths(strings.TrimPrefix(t.a.Strings.Get(f.Path), "file://"))
	for _, s := range t.out[from:] {
		if s.Kind == kind && (s.Path == path || s.Path == 0) {
			return
		}
	}
	t.out = append(t.out, behavior.Step{Request: int32(request), Call: int32(len(t.s.Calls) + i), Kind: kind, Path: path, Script: true,
		Tokens: Unknown, Window: Unknown})
}

// pathsOf gives each file of a session one path: as seen from the folder that the session began in. Where no folder is on
// record, a relative path is the absolute one that ends with it, if there is exactly one.
func (a *Analysis) pathsOf(s *Session) func(string) journal.Ref {
	folder := a.Strings.Get(s.Folder)
	known := map[string]journal.Ref{"": 0}
	var byName map[string][]string
	if folder == "" {
		byName = a.absolutes(s)
	}
	return func(path string) journal.Ref {
		if r, ok := known[path]; ok {
			return r
		}
		full := action.Join(folder, path)
		if byName != nil && !action.Absolute(full) {
			full = only(byName[base(full)], full)
		}
		r := a.Strings.Put([]byte(full))
		known[path] = r
		return r
	}
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// only is the one path among some that ends with a relative path, else that path itself.
func only(among []string, path string) string {
	found := path
	for _, p := range among {
		if strings.HasSuffix(p, "/"+path) {
			if found != path && found != p {
				return path
			}
			found = p
		}
	}
	return found
}

// absolutes are the absolute paths of a session by their last part, a few of each.
func (a *Analysis) absolutes(s *Session) map[string][]string {
	out, seen := map[string][]string{}, map[string]bool{}
	for i := range s.Calls {
		p := a.actions.of(s.Calls[i].Name, s.Calls[i].Detail).path
		if !action.Absolute(p) || seen[p] {
			continue
		}
		seen[p] = true
		p = action.Join("", p)
		if b := base(p); len(out[b]) < 16 {
			out[b] = append(out[b], p)
		}
	}
	return out
}

// stream is a session as behaviour and lint see it, with the boundaries that a person's threshold gives.
func (a *Analysis) stream(s *Session, cuts []compaction.Boundary, o Options) *behavior.Stream {
	steps, at := a.steps(s)
	w := a.windows(s, o.Window)
	for i, n := range at {
		q := &s.Requests[i]
		steps[n].Window, _ = w.of(q.Model, q.Window)
	}
	st := &behavior.Stream{Steps: steps, Text: a.Strings.Get, Ended: s.whole().Ended, Budget: s.Budget,
		Side: s.StreamOf != nil || s.Parent != "" || s.Role != ""}
	compactions := 0
	for i := range cuts {
		c := &cuts[i]
		if c.Kind != compaction.Compaction && c.Kind != compaction.Clear {
			continue
		}
		request := c.After
		if c.Mark >= 0 {
			request = int(s.Boundaries[c.Mark].Requests)
		}
		cut := behavior.Cut{At: len(steps), Boundary: i, Number: compactions, Ratio: c.Ratio(), Compaction: c.Kind == compaction.Compaction}
		if request >= 0 && request < len(at) {
			cut.At = at[request]
		}
		if cut.Compaction {
			compactions++
		}
		st.Cuts = append(st.Cuts, cut)
	}
	if s.Budget > 0 {
		st.Spent = func() (float64, bool) { return a.spent(s) }
	}
	return st
}
