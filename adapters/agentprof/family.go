package agentprof

import (
	"cmp"
	"slices"
	"sort"

	"contextscope/core/journal"
)

// maxSame is how many captures of one session are looked at for a parent. With more of them it is ambiguous anyway.
const maxSame = 64

// family finds the parents of captures.
type family struct {
	all      []*capture
	sessions map[string][]*capture
	launched map[string][]launch // child session -> slices that name it
	flows    map[*capture][]launch
}

// launch is a slice that started another session.
type launch struct {
	from *capture
	call journal.Ref
}

// parents gives every capture its parent: by a flow from a tool call into its first input, else by a slice that names its
// session, else by the parent's session that it names itself. What names more than one is ambiguous, and names none.
func parents(all []*capture) {
	f := &family{all: all, sessions: map[string][]*capture{}, launched: map[string][]launch{}, flows: map[*capture][]launch{}}
	for _, c := range all {
		f.sessions[c.session] = append(f.sessions[c.session], c)
		for _, i := range c.slices {
			if v := c.rec.text(i, childSessionKey); v != 0 {
				id := c.rec.in.Strings.Get(v)
				if l := f.launched[id]; len(l) == 0 || l[len(l)-1].from != c { // the first launch of each capture is enough
					f.launched[id] = append(l, launch{c, c.rec.text(i, callKey)})
				}
			}
		}
	}
	f.follow()
	for _, c := range all {
		f.parent(c)
	}
	f.cut()
}

// follow finds the flows that lead from a tool call of one capture into the input of another.
func (f *family) follow() {
	owners := map[*recording][]*capture{}
	for _, c := range f.all {
		o := owners[c.rec]
		if o == nil {
			o = make([]*capture, c.rec.trace.Slices.Len())
			owners[c.rec] = o
		}
		for _, i := range c.slices {
			o[i] = c
		}
	}
	done := map[*recording]bool{}
	for _, c := range f.all {
		if !done[c.rec] {
			done[c.rec] = true
			f.flowsOf(c.rec, owners[c.rec])
		}
	}
}

func (f *family) flowsOf(rec *recording, owner []*capture) {
	flows := slices.Clone(rec.trace.Flows)
	sort.SliceStable(flows, func(i, j int) bool {
		a, b := flows[i], flows[j]
		return a.ID < b.ID || a.ID == b.ID && rec.begin(a.Slice).before(rec.begin(b.Slice))
	})
	for i := 1; i < len(flows); i++ {
		from, to := flows[i-1], flows[i]
		a, b := owner[from.Slice], owner[to.Slice]
		if from.ID != to.ID || a == nil || b == nil || a == b {
			continue
		}
		if !rec.in.Strings.Is(rec.trace.Slices.At(int(to.Slice)).Name, "prompt-input") {
			continue
		}
		if k := rec.kind(from.Slice); k == tool || k == known && rec.text(from.Slice, callKey) != 0 {
			if l := f.flows[b]; len(l) == 0 || l[len(l)-1].from != a {
				f.flows[b] = append(l, launch{a, rec.text(from.Slice, callKey)})
			}
		}
	}
}

// parent tries the kinds of evidence one after the other: the first that names anybody decides.
func (f *family) parent(c *capture) {
	named := ""
	if v := c.fact(parentSessionKey); v != 0 {
		named = c.rec.in.Strings.Get(v)
	}
	var third []launch
	if named != "" {
		for _, p := range f.sessions[named] {
			third = append(third, launch{from: p})
			if len(third) > maxSame {
				break
			}
		}
		if third == nil {
			c.elsewhere = named
		}
	}
	for rank, candidates := range [][]launch{f.flows[c], f.launched[c.session], third} {
		found := false
		for k, l := range candidates {
			if k > maxSame {
				c.parent, c.call = nil, 0
				return
			}
			if l.from == c || rank > 0 && !l.from.holds(c) || rank == 1 && named != "" && named != l.from.session {
				continue
			}
			found = true
			if c.parent != nil && c.parent != l.from {
				c.parent, c.call = nil, 0
				return
			}
			c.parent, c.call = l.from, cmp.Or(c.call, l.call)
		}
		if found {
			return
		}
	}
}

// holds reports whether another capture begins inside of this one.
func (c *capture) holds(child *capture) bool {
	if c.begin.known != child.begin.known || !c.begin.known && c.rec != child.rec {
		return false
	}
	return c.begin.ns <= child.begin.ns && (c.open || child.begin.ns <= c.end.ns)
}

// cut makes every member of a circle of parents a root.
func (f *family) cut() {
	state := map[*capture]int{} // 1 on the way up, 2 done
	for _, c := range f.all {
		var path []*capture
		for ; c != nil && state[c] == 0; c = c.parent {
			state[c] = 1
			path = append(path, c)
		}
		if c != nil && state[c] == 1 {
			for k := c; ; {
				up := k.parent
				k.parent, k.call = nil, 0
				if k = up; k == c {
					break
				}
			}
		}
		for _, p := range path {
			state[p] = 2
		}
	}
}
