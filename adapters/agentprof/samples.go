package agentprof

import (
	"sort"

	"contextscope/core/analysis"
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
	sort.SliceStable(all, func(i, j int) bool { return all[i].at.before(all[j].at) })
	var out []moment
	for _, s := range all {
		n, changes := p.rec.take(s.sample, s.record)
		n.At, n.Source.Input = s.at.at(), p.rec.in.Index
		p.hang(&n, s.slice, s.at)
		at := p.s.Record(n, changes)
		if n.Event == analysis.OnRequest {
			p.s.Requests[n.Index].Snapshot = int32(at)
		}
		p.s.Saw(n.At)
		out = append(out, s.at)
	}
	return out
}

// hang says which event a snapshot belongs to, from which its offset counts: a request that may have begun before its
// response, a compaction, or for slices that documents have no event for, such as Claude's prompts, the capture.
func (p *player) hang(n *analysis.Snapshot, slice int32, at moment) {
	if i, ok := p.requests[slice]; ok {
		n.Event, n.Index, n.Offset = analysis.OnRequest, i, at.since(p.starts[i])
		return
	}
	if i, ok := p.cuts[slice]; ok {
		n.Event, n.Index = analysis.OnCompaction, i
		return
	}
	n.Event = analysis.OnCapture
	if s := p.rec.trace.Slices.At(int(slice)); !isMarker(p.a.Strings.Get(s.Name), p.a.Strings.Get(s.Category)) {
		n.Offset = at.since(p.c.begin)
	}
}
