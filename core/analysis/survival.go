package analysis

import (
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
	Evidence string       // a sentence: the closest text and why
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
	lost := map[factKey]bool{}
	for i := range cuts {
		if cuts[i].Kind == compaction.Compaction {
			out[i] = a.diff(s, &cuts[i], lost)
		}
	}
	return out
}

// factKey tells facts apart.
type factKey struct {
	kind journal.FactKind
	text string
}

// diff compares at one boundary. lost are the facts that an earlier one dropped.
func (a *Analysis) diff(s *Session, c *compaction.Boundary, lost map[factKey]bool) *Diff {
	g := a.gather(s, c)
	d := &Diff{Omitted: g.omitted}
	ctx, available := a.after(s, c, g)
	if d.Available = available; !available {
		return d
	}
	for i := range g.list {
		f := &g.list[i]
		fact := Fact{Kind: f.kind, Text: f.text, At: f.at, Source: f.source}
		switch {
		case f.kept || g.again[factKey{f.kind, f.key}]:
			fact.Status, fact.Evidence = facts.KeptVerbatim, "it was not taken out of the context"
		case f.attached:
			fact.Status, fact.Evidence = facts.ReInjected, "the harness put the file in again"
		default:
			found := ctx.Find(f.kind, f.text)
			fact.Status, fact.Evidence = found.Status, found.Evidence
		}
		key := factKey{f.kind, f.key}
		if fact.Status != facts.NotFound {
			d.Survived = append(d.Survived, fact)
			continue
		}
		if lost[key] {
			fact.Evidence += "; it was not found after an earlier compaction either"
		}
		lost[key] = true
		d.Dropped = append(d.Dropped, fact)
	}
	return d
}

// after makes the texts ready that the model had behind a boundary; false where they were not recorded.
func (a *Analysis) after(s *Session, c *compaction.Boundary, g *gathered) (*facts.Context, bool) {
	ctx := facts.NewContext(g.paths)
	available := false
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
				return ctx, false
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
	return ctx, available
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
	text     string
	key      string
	at       int64
	source   journal.Source
	kept     bool // what it stands in is still there
	attached bool
}

// gathered are the facts before a boundary.
type gathered struct {
	list    []candidate
	index   map[factKey]int
	again   map[factKey]bool // told by a record that is there after the boundary
	paths   []string
	omitted int
}

// gather collects what was said and done in a session before a boundary, or up to its end for nil.
func (a *Analysis) gather(s *Session, c *compaction.Boundary) *gathered {
	g := &gathered{index: map[factKey]int{}, again: map[factKey]bool{}}
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
			f := in.Facts.At(k)
			if f.Kind == journal.Standing {
				continue
			}
			text := a.Strings.Get(f.Text)
			n := candidate{kind: f.Kind, text: text, key: facts.Key(f.Kind, text), at: rec.At, source: rec.Place(int(t.input)), kept: live}
			switch {
			case !before:
				g.again[factKey{f.Kind, n.key}] = true
			case f.Kind == journal.Todo:
				if f.Flags&journal.ListBegins != 0 {
					todos = todos[:0]
				}
				if f.Flags&journal.Closed == 0 {
					todos = append(todos, n)
				}
			case f.Kind == journal.TaskGoal && goal >= 0:
				if f.Flags&journal.NewGoal != 0 {
					g.list[goal] = n
				}
			default:
				if at := g.add(n); f.Kind == journal.TaskGoal {
					goal = at
				}
			}
		}
	}
	a.calls(s, c, g)
	for _, n := range todos {
		g.add(n)
	}
	g.attach(a, s, c)
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
func (g *gathered) add(n candidate) int {
	k := factKey{n.kind, n.key}
	if i, ok := g.index[k]; ok {
		g.list[i].kept = g.list[i].kept || n.kept
		return i
	}
	g.index[k] = len(g.list)
	g.list = append(g.list, n)
	return len(g.list) - 1
}

// calls adds what tools did.
func (a *Analysis) calls(s *Session, c *compaction.Boundary, g *gathered) {
	for i := range s.Calls {
		call := &s.Calls[i]
		if c != nil && !cameBefore(call.Before, call.Asked, c) {
			continue
		}
		kept := c != nil && c.Mark >= 0 && (call.Left == 0 || int(call.Left)-1 > c.Mark)
		name, detail := a.Strings.Get(call.Name), a.Strings.Get(call.Detail)
		add := func(kind journal.FactKind, text string) {
			g.add(candidate{kind: kind, text: text, key: facts.Key(kind, text), at: call.At, source: call.Source, kept: kept})
		}
		if call.Failed {
			text := name
			if detail != "" {
				text += ": " + detail
			}
			add(journal.ErrorMet, text)
			if facts.Reads(name) {
				continue // nothing was read
			}
		}
		facts.OfCall(name, detail, add)
	}
}

// attach marks the files that the harness put in again after a boundary, and lists the paths that are known.
func (g *gathered) attach(a *Analysis, s *Session, c *compaction.Boundary) {
	again := map[string]bool{}
	if c != nil && c.Mark >= 0 && c.Mark < len(s.facts.ends) {
		for _, f := range s.facts.attached[:s.facts.ends[c.Mark].attached] {
			if int(f.boundaries) > c.Mark {
				again[facts.Key(journal.FileRead, a.Strings.Get(f.path))] = true
			}
		}
	}
	for i := range g.list {
		if f := &g.list[i]; f.kind == journal.FileRead || f.kind == journal.FileModified {
			g.paths = append(g.paths, f.text)
			f.attached = again[f.key]
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
	g.list, g.index = out, nil
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
			return string(said.Text)
		}
	}
	return ""
}

// Told is what was said and done in a session as far as it was not taken back, in the order in which it came.
func (a *Analysis) Told(s *Session) []Fact {
	g := a.gather(s, nil)
	out := make([]Fact, len(g.list))
	for i := range g.list {
		f := &g.list[i]
		out[i] = Fact{Kind: f.kind, Text: f.text, At: f.at, Source: f.source}
	}
	return out
}
