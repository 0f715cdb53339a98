package analysis

import (
	"contextscope/core/action"
	"contextscope/core/compaction"
	"contextscope/core/facts"
	"contextscope/core/journal"
)

// Fact is something that was said or done before a compaction, with what became of it. That it was still in a later request,
// or was not, is inferred from the journal: a provider or a harness may have changed or dropped it.
type Fact struct {
	Kind     journal.FactKind
	Text     string
	Status   facts.Status // "" where nobody asked
	Evidence facts.Evidence
	At       int64
	Source   journal.Source
}

// Diff is what a compaction left of the facts before it. Where the texts that the model had afterwards were not recorded,
// nothing can be judged and there are no lists.
type Diff struct {
	Available bool
	Survived  []Fact
	Dropped   []Fact // likely
	Omitted   int    // older facts that were not looked at
}

// maxOfKind is how many facts of a kind are followed, the newest.
const maxOfKind = 500

// Diffs compares what was said and done before each compaction of a session with what the model had afterwards. The result
// has an entry for each boundary, nil for one that is no compaction.
func (a *Analysis) Diffs(s *Session, cuts []compaction.Boundary) []*Diff {
	out := make([]*Diff, len(cuts))
	f := a.follow(s)
	for i := range cuts {
		if cuts[i].Kind == compaction.Compaction {
			out[i] = f.diff(&cuts[i])
		}
	}
	return out
}

// follower follows the facts of a session from one boundary to the next. What takes time and is the same at each of them is done
// once: what the calls tell, the keys, and the words that are looked for.
type follower struct {
	*Analysis
	s     *Session
	calls []callFact
	ids   map[factKey]int32 // a number for each fact, so that the rest is kept in slices
	told  map[toldKey]int32
	facts []followed

	compared int32 // how often facts were gathered
	ctx      *facts.Context
	room     []candidate // of the list before
}

// followed is a fact with what is known of it.
type followed struct {
	key  string
	want *facts.Wanted // nil until it is looked for
	lost bool          // an earlier compaction dropped it
	mark int32         // the number of the comparison that listed it last
	at   int32         // … its place in that list
	told int32         // the number of the comparison behind whose boundary it was told again
}

// callFact is what a call tells.
type callFact struct {
	call int32
	id   int32
	kind journal.FactKind
	text string
}

type toldKey struct {
	kind journal.FactKind
	text journal.Ref
}

func (a *Analysis) follow(s *Session) *follower {
	f := &follower{Analysis: a, s: s, ids: map[factKey]int32{}, told: map[toldKey]int32{}}
	f.readCalls()
	return f
}

// id is the number of a fact.
func (f *follower) id(kind journal.FactKind, text string) int32 {
	k := factKey{kind, facts.Key(kind, text)}
	id, ok := f.ids[k]
	if !ok {
		id = int32(len(f.facts))
		f.ids[k] = id
		f.facts = append(f.facts, followed{key: k.text})
	}
	return id
}

// idOf is the number of a statement.
func (f *follower) idOf(kind journal.FactKind, text journal.Ref) int32 {
	k := toldKey{kind, text}
	id, ok := f.told[k]
	if !ok {
		id = f.id(kind, f.Strings.Get(text))
		f.told[k] = id
	}
	return id
}

// factKey tells facts apart.
type factKey struct {
	kind journal.FactKind
	text string
}

// diff compares at one boundary.
func (f *follower) diff(c *compaction.Boundary) *Diff {
	g := f.gather(c)
	d := &Diff{Omitted: g.omitted}
	if f.ctx == nil {
		f.ctx = facts.NewContext(g.paths)
	} else {
		f.ctx.Begin(g.paths)
	}
	ctx := f.ctx
	available := f.after(f.s, c, ctx)
	if d.Available = available; !available {
		return d
	}
	f.room = g.list
	d.Dropped = make([]Fact, 0, len(g.list))
	for i := range g.list {
		n := &g.list[i]
		of := &f.facts[n.id]
		fact := Fact{Kind: n.kind, Text: n.text, At: n.at, Source: n.source}
		switch {
		case n.kept || of.told == g.number:
			fact.Status, fact.Evidence = facts.KeptVerbatim, facts.Because(facts.StillThere)
		case n.attached:
			fact.Status, fact.Evidence = facts.ReInjected, facts.Because(facts.PutIn)
		default:
			if of.want == nil {
				of.want = ctx.Want(n.kind, n.text)
			}
			found := ctx.Find(of.want)
			fact.Status, fact.Evidence = found.Status, found.Evidence
		}
		if fact.Status != facts.NotFound {
			d.Survived = append(d.Survived, fact)
			continue
		}
		fact.Evidence.Again, of.lost = of.lost, true
		d.Dropped = append(d.Dropped, fact)
	}
	return d
}

// after puts the texts into ctx that the model had behind a boundary; false where they were not recorded.
func (a *Analysis) after(s *Session, c *compaction.Boundary, ctx *facts.Context) (available bool) {
	add := func(input int, record int32, judge journal.FactFlags) {
		in := a.Inputs[input]
		first, end := in.FactsOf(int(record))
		for k := first; k < end; k++ {
			if f := in.Facts.At(k); f.Kind == journal.Standing {
				ctx.Add(a.Strings.Get(f.Text), f.Flags)
				available = available || f.Flags&judge != 0
			}
		}
	}
	own := int32(-1)
	if c.Mark >= 0 {
		src := s.Boundaries[c.Mark].Source
		if own = a.recordAt(src); own >= 0 {
			if a.sealed(src.Input, own) {
				return false
			}
			// What it kept beside a summary that is not there is not all that the model had.
			add(src.Input, own, journal.OfSummary)
		}
	}
	for i := range s.facts.told {
		t := &s.facts.told[i]
		if s.standsAfter(t, i, c) && !(own == t.record && s.Boundaries[c.Mark].Source.Input == int(t.input)) {
			add(int(t.input), t.record, journal.OfSummary|journal.OfMessages)
		}
	}
	return available
}

// standsAfter reports whether a record was in the context behind a boundary. Behind a drop without a record only what came
// between the two requests is known to be.
func (s *Session) standsAfter(t *told, i int, c *compaction.Boundary) bool {
	if c.Mark < 0 {
		return int(t.requests) > c.Before && int(t.requests) <= c.After
	}
	return c.Mark < len(s.facts.ends) && i < int(s.facts.ends[c.Mark].told) && int(t.left) > c.Mark && int(t.gone) > c.Mark
}

// cameBefore reports whether something belongs to what was before a boundary.
func cameBefore(boundaries, requests int32, c *compaction.Boundary) bool {
	if c.Mark < 0 {
		return int(requests) <= c.After
	}
	return int(boundaries) <= c.Mark
}

// recordAt finds the record at a place, -1 for none.
func (a *Analysis) recordAt(src journal.Source) int32 {
	in := a.Inputs[src.Input]
	lo, hi := 0, in.Records.Len()
	for lo < hi {
		if mid := (lo + hi) / 2; in.Records.At(mid).Offset < src.Offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < in.Records.Len() && in.Records.At(lo).Offset == src.Offset {
		return int32(lo)
	}
	return -1
}

// sealed reports whether a compaction's summary is there only encrypted.
func (a *Analysis) sealed(input int, record int32) bool {
	in := a.Inputs[input]
	r := in.Records.At(int(record))
	for k := range int(r.Parts) {
		if p := in.Part(r, k); p.Kind == journal.Unmeasured && a.Strings.Is(p.Label, "encrypted summaries") {
			return true
		}
	}
	return false
}

// candidate is a fact before it is compared.
type candidate struct {
	kind     journal.FactKind
	id       int32
	text     string
	at       int64
	source   journal.Source
	kept     bool // what it stands in is still there
	attached bool
}

// gathered are the facts before a boundary.
type gathered struct {
	number  int32 // of the comparison, from 1
	list    []candidate
	paths   []string
	omitted int
}

// gather collects what was said and done in a session before a boundary, or up to its end for nil.
func (f *follower) gather(c *compaction.Boundary) *gathered {
	a, s := f.Analysis, f.s
	f.compared++
	g := &gathered{number: f.compared, list: f.room[:0]}
	goal, todos := -1, []candidate(nil)
	for i := range s.facts.told {
		t := &s.facts.told[i]
		before := c == nil || cameBefore(t.boundaries, t.requests, c)
		live := c != nil && c.Mark >= 0 && s.standsAfter(t, i, c)
		if c == nil && t.gone != never || c != nil && !live && (!before || c.Mark >= 0 && int(t.gone) <= c.Mark || c.Mark < 0 && t.gone != never && int(t.gone) < s.marksBefore(c)) {
			continue
		}
		in := a.Inputs[t.input]
		rec := in.Records.At(int(t.record))
		first, end := in.FactsOf(int(t.record))
		for k := first; k < end; k++ {
			v := in.Facts.At(k)
			if v.Kind == journal.Standing {
				continue
			}
			n := candidate{kind: v.Kind, id: f.idOf(v.Kind, v.Text), text: a.Strings.Get(v.Text), at: rec.At, source: rec.Place(int(t.input)), kept: live}
			switch {
			case !before:
				f.facts[n.id].told = g.number
			case v.Kind == journal.Todo:
				if v.Flags&journal.ListBegins != 0 {
					todos = todos[:0]
				}
				if v.Flags&journal.Closed == 0 {
					todos = append(todos, n)
				}
			case v.Kind == journal.TaskGoal && goal >= 0:
				if v.Flags&journal.NewGoal != 0 {
					g.list[goal] = n
				}
			default:
				if at := f.add(g, n); v.Kind == journal.TaskGoal {
					goal = at
				}
			}
		}
	}
	f.tellCalls(c, g)
	for _, n := range todos {
		f.add(g, n)
	}
	f.attach(g, c)
	g.bound()
	return g
}

// marksBefore is how many recorded boundaries came before a drop without one.
func (s *Session) marksBefore(c *compaction.Boundary) int {
	n := 0
	for n < len(s.Boundaries) && int(s.Boundaries[n].Requests) <= c.After {
		n++
	}
	return n
}

// add keeps a fact once, the first time that it was told.
func (f *follower) add(g *gathered, n candidate) int {
	of := &f.facts[n.id]
	if of.mark == g.number {
		g.list[of.at].kept = g.list[of.at].kept || n.kept
		return int(of.at)
	}
	of.mark, of.at = g.number, int32(len(g.list))
	g.list = append(g.list, n)
	return int(of.at)
}

// readCalls finds out what the calls of the session tell: files, commands, errors.
func (f *follower) readCalls() {
	known := map[actionKey][]callFact{}
	f.calls = make([]callFact, 0, len(f.s.Calls)+len(f.s.Calls)/4)
	for i := range f.s.Calls {
		call := &f.s.Calls[i]
		k := actionKey{call.Name, call.Detail}
		told, ok := known[k]
		if !ok {
			told = f.actsOf(f.Strings.Get(call.Name), f.Strings.Get(call.Detail))
			known[k] = told
		}
		if call.Failed {
			text := f.Strings.Get(call.Name)
			if detail := f.Strings.Get(call.Detail); detail != "" {
				text += ": " + detail
			}
			f.calls = append(f.calls, callFact{int32(i), f.id(journal.ErrorMet, text), journal.ErrorMet, text})
		}
		for _, t := range told {
			if call.Failed && t.kind == journal.FileRead && len(told) == 1 {
				continue // nothing was read
			}
			t.call = int32(i)
			f.calls = append(f.calls, t)
		}
	}
}

// actsOf is what a call tells by its name and detail.
func (f *follower) actsOf(name, detail string) (told []callFact) {
	action.Acts(name, detail, func(k action.Kind, text string) {
		kind := journal.CommandRun
		switch k {
		case action.Read:
			kind = journal.FileRead
		case action.Write:
			kind = journal.FileModified
		case action.Run:
		default:
			return
		}
		told = append(told, callFact{id: f.id(kind, text), kind: kind, text: text})
	})
	return told
}

// tellCalls adds what tools did before a boundary, as far as it was not taken back.
func (f *follower) tellCalls(c *compaction.Boundary, g *gathered) {
	for i := range f.calls {
		t := &f.calls[i]
		call := &f.s.Calls[t.call]
		if c != nil && !cameBefore(call.Before, call.Asked, c) || f.s.tookBack(call, c) {
			continue
		}
		kept := c != nil && c.Mark >= 0 && (call.Left == 0 || int(call.Left)-1 > c.Mark)
		f.add(g, candidate{kind: t.kind, id: t.id, text: t.text, at: call.At, source: call.Source, kept: kept})
	}
}

// tookBack reports whether the person went back behind a call, or emptied the context, before a boundary or, for nil, ever.
func (s *Session) tookBack(call *Call, c *compaction.Boundary) bool {
	left := int(call.Left) - 1
	if left < 0 || left >= len(s.Boundaries) {
		return false
	}
	if kind := s.Boundaries[left].Kind; kind != compaction.Rewind && kind != compaction.Clear {
		return false
	}
	switch {
	case c == nil:
		return true
	case c.Mark >= 0:
		return left <= c.Mark
	}
	return left < s.marksBefore(c)
}

// attach marks the files that the harness put in again after a boundary, and lists the paths that are known.
func (f *follower) attach(g *gathered, c *compaction.Boundary) {
	again := map[string]bool{}
	s := f.s
	if c != nil && c.Mark >= 0 && c.Mark < len(s.facts.ends) {
		for _, file := range s.facts.attached[:s.facts.ends[c.Mark].attached] {
			if int(file.boundaries) > c.Mark {
				again[facts.Key(journal.FileRead, f.Strings.Get(file.path))] = true
			}
		}
	}
	for i := range g.list {
		if n := &g.list[i]; n.kind == journal.FileRead || n.kind == journal.FileModified {
			g.paths = append(g.paths, n.text)
			n.attached = again[f.facts[n.id].key]
		}
	}
}

// bound leaves the newest facts of each kind.
func (g *gathered) bound() {
	var n [journal.Standing]int
	for i := range g.list {
		n[g.list[i].kind]++
	}
	out := g.list[:0]
	for _, f := range g.list {
		if n[f.kind] > maxOfKind {
			n[f.kind]--
			g.omitted++
			continue
		}
		out = append(out, f)
	}
	g.list = out
}

// again reports whether two records of an input are one that was written twice.
func again(a, b *journal.Record) bool {
	if a.ID != 0 || b.ID != 0 {
		return a.ID == b.ID
	}
	return a.At != 0 && a.At == b.At && a.Kind == b.Kind
}

// latestSaid is the beginning of the newest text of the model, "" where it was not kept.
func (a *Analysis) latestSaid(s *Session) string {
	at := s.facts.spoke
	if int(at.input) >= len(a.Inputs) {
		return ""
	}
	in := a.Inputs[at.input]
	if int(at.record) >= in.Records.Len() {
		return ""
	}
	rec := in.Records.At(int(at.record))
	for _, said := range in.Newest {
		if int(said.Record) < in.Records.Len() && (said.Record == at.record || again(rec, in.Records.At(int(said.Record)))) {
			return facts.OneLine(said.Text)
		}
	}
	return ""
}

// Told is what was said and done in a session as far as it was not taken back, in the order in which it came.
func (a *Analysis) Told(s *Session) []Fact {
	g := a.follow(s).gather(nil)
	out := make([]Fact, len(g.list))
	for i := range g.list {
		f := &g.list[i]
		out[i] = Fact{Kind: f.kind, Text: f.text, At: f.at, Source: f.source}
	}
	return out
}
