package muse

import (
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// limitsOf takes over the thresholds that a record about a compaction tells.
func (p *player) limitsOf(r *record) {
	n, ok := r.units(attrThreshold)
	if !ok {
		return
	}
	share, _ := r.units(attrEffective)
	p.limits = limits{int64(n), int64(share), p.spoken}
}

// compacted replays an installed compaction: the summary comes in, and all of the conversation leaves but what the harness
// says it preserved.
func (p *player) compacted(r *record) {
	p.limitsOf(r)
	p.tried.installed(r)
	b := p.mark("compaction", r.At, r)
	b.Recorded = true
	switch {
	case r.Flags&journal.Manual != 0:
		b.Trigger = "manual"
	case r.Flags&journal.Automatic != 0:
		b.Trigger = "auto"
	}
	if n, ok := r.units(journal.PreTokens); ok {
		b.HarnessFrom = int64(n)
	}
	if n, ok := r.units(journal.PostTokens); ok {
		b.HarnessTo = int64(n)
	}
	head, preserved := r.units(attrHead)
	tail, _ := r.units(attrTail)
	inputs := p.t.st.a.Inputs
	p.s.Retain(func(it *composition.Item) bool {
		if it.ID.Prefix == composition.Named || it.ID.Prefix == composition.Section {
			return true
		}
		sequence := inputs[it.Input].Records.At(int(it.Record)).Parent
		return preserved && sequence > 0 && sequence >= uint64(head) && sequence <= uint64(tail)
	})
	p.summary(r, b)
	m := p.moment(r.At)
	m.Stage = composition.PostCompaction
	p.observe(m, analysis.OnCompaction, len(p.s.Boundaries)-1, r)
	p.s.Rebase()
}

func (p *player) summary(r *record, b *analysis.Boundary) {
	for i := range int(r.Record.Parts) {
		v := r.in.Part(r.Record, i)
		if v.Kind != journal.Item {
			continue
		}
		b.SummaryUnits = int64(v.Units)
		p.s.Put(composition.Item{ID: composition.ID{Prefix: composition.Summary, Hash: r.identity()}, Tokens: composition.Tokens(v.Units),
			Chars: v.Units, Category: journal.Summaries, Label: v.Label, Input: int32(r.in.Index), Record: r.index})
	}
}

// attempts keeps account of the compactions that were tried.
type attempts struct {
	index     map[journal.Ref]int // candidate -> place in ends
	ends      []journal.Ref       // what became of each, as far as it is known
	done      []bool              // it was installed
	fallbacks []journal.Ref       // why the harness gave up
}

func (at *attempts) of(candidate journal.Ref) int {
	if i, ok := at.index[candidate]; ok && candidate != 0 {
		return i
	}
	if at.index == nil {
		at.index = map[journal.Ref]int{}
	}
	at.index[candidate] = len(at.ends)
	at.ends, at.done = append(at.ends, 0), append(at.done, false)
	return len(at.ends) - 1
}

// attempt notes an attempt, or what became of one that is known.
func (at *attempts) attempt(r *record) {
	if p := r.in.Attribute(r.Record, attrFallback); p != nil {
		at.fallbacks = append(at.fallbacks, p.Label)
		return
	}
	i := at.of(r.label(attrCandidate))
	if s := r.label(attrStatus); s != 0 {
		at.ends[i] = s
	}
}

func (at *attempts) installed(r *record) {
	if c := r.label(attrCandidate); c != 0 {
		at.done[at.of(c)] = true
	}
}

// tell gives the session the attempts that came to nothing.
func (at *attempts) tell(s *analysis.Session, strings *journal.Strings) {
	for i, how := range at.ends {
		if !at.done[i] {
			s.Attempts.Add(strings.Get(how))
		}
	}
	for _, why := range at.fallbacks {
		s.Fallbacks.Add(strings.Get(why))
	}
}
