package agentprof

import (
	"sort"

	"contextscope/core/analysis"
	"contextscope/core/composition"
)

// samples records the snapshots in order of time and returns their moments.
func (p *player) samples(cuts []cut) []moment {
	type placed struct {
		*sample
		at moment
	}
	var all []placed
	for _, i := range p.c.slices {
		k, ok := p.rec.of[i]
		if !ok || p.rec.samples[k].version != 1 {
			continue
		}
		at := p.rec.begin(i)
		at.ns += p.rec.samples[k].Offset
		all = append(all, placed{&p.rec.samples[k], at})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at.ns < all[j].at.ns })
	var out []moment
	for _, s := range all {
		n := s.Snapshot
		n.At, n.Source.Input = s.at.at(), p.rec.in.Index
		p.hang(&n, s.slice, s.at)
		changes := make([]composition.Change, 0, s.N)
		for k := range int(s.N) {
			c := *p.rec.changes.At(int(s.first) + k)
			c.Input, c.Record = int32(p.rec.in.Index), s.record
			changes = append(changes, c)
		}
		at := p.s.Record(n, changes)
		if n.Event == analysis.OnRequest {
			p.s.Requests[n.Index].Snapshot = int32(at)
		}
		p.s.Saw(n.At)
		out = append(out, s.at)
	}
	return out
}

// hang says which event a snapshot belongs to. A slice that documents have no event for, such as Claude's prompts, gives
// way to the capture, and the offset then counts from that.
func (p *player) hang(n *analysis.Snapshot, slice int32, at moment) {
	if i, ok := p.requests[slice]; ok {
		n.Event, n.Index = analysis.OnRequest, i
		return
	}
	if i, ok := p.cuts[slice]; ok {
		n.Event, n.Index = analysis.OnCompaction, i
		return
	}
	n.Event = analysis.OnCapture
	if s := p.rec.trace.Slices.At(int(slice)); !isMarker(p.a.Strings.Get(s.Name), p.a.Strings.Get(s.Category)) {
		n.Offset = at.ns - p.c.begin.ns
	}
}
