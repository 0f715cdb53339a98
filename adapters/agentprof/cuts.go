package agentprof

import (
	"cmp"
	"sort"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// cut is a compaction that took place.
type cut struct {
	event
	end moment
}

// compactions are those that came to their end and cut something.
func (p *player) compactions(order []event) []cut {
	p.cuts = map[int32]int32{}
	var out []cut
	for _, e := range order {
		if e.kind != compaction {
			continue
		}
		status := p.a.Strings.Get(p.rec.text(e.slice, statusKey))
		if p.rec.incomplete(e.slice) || p.rec.is(e.slice, successKey, false) || p.rec.is(e.slice, skippedKey, true) || status == "failed" || status == "aborted" {
			p.failed++
			continue
		}
		p.cuts[e.slice] = int32(len(out))
		out = append(out, cut{e, p.rec.moment(p.rec.trace.Slices.At(int(e.slice)).End)})
	}
	return out
}

// mark is a boundary at a place among requests and snapshots that are in order.
func (p *player) mark(kind string, at moment, requests int, snapshots []moment, src journal.Source) analysis.Boundary {
	before := sort.Search(len(snapshots), func(i int) bool { return !snapshots[i].before(at) })
	return analysis.Boundary{Kind: kind, At: at.at(), Requests: int32(requests), Snapshots: int32(before),
		HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: src}
}

// boundaries are the compactions and the changes of the model, in their order.
func (p *player) boundaries(cuts []cut, snapshots []moment) {
	place := make([]int32, len(cuts))
	next := 0
	compact := func(until moment, all bool) {
		for ; next < len(cuts) && (all || !until.before(cuts[next].at)); next++ {
			c := &cuts[next]
			requests := sort.Search(len(p.starts), func(i int) bool { return !p.starts[i].before(c.at) })
			b := p.mark("compaction", c.at, requests, snapshots, p.source(c.slice))
			b.Recorded, b.Trigger = true, trigger(p.a.Strings.Get(p.rec.text(c.slice, triggerKey)))
			b.HarnessFrom, b.HarnessTo = p.rec.number(c.slice, beforeKey), p.rec.number(c.slice, afterKey)
			place[next] = int32(len(p.s.Boundaries))
			p.s.Boundaries = append(p.s.Boundaries, b)
		}
	}
	model := journal.Ref(0)
	for i := range p.s.Requests {
		q := &p.s.Requests[i]
		compact(p.starts[i], false)
		if q.Model != 0 && model != 0 && q.Model != model {
			b := p.mark("model-switch", p.starts[i], i, snapshots, q.Source)
			if q.Snapshot >= 0 {
				b.Snapshots = q.Snapshot
			}
			p.s.Boundaries = append(p.s.Boundaries, b)
		}
		model = cmp.Or(q.Model, model)
	}
	compact(moment{}, true)
	for i := range p.s.Snapshots {
		if n := &p.s.Snapshots[i]; n.Event == analysis.OnCompaction {
			n.Index = place[n.Index]
		}
	}
}

// trigger tells whether the person or the harness caused a compaction.
func trigger(recorded string) string {
	switch recorded {
	case "manual":
		return "manual"
	case "auto", "automatic", "threshold", "overflow":
		return "auto"
	}
	return ""
}
