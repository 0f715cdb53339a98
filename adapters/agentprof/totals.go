package agentprof

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"contextscope/core/analysis"
)

// totals are the history of the size of the context, for a recording without snapshots. A zero before the first size is
// where the counter begins, one at or after the end of the capture closes it, and one in between says that the size is not
// known since.
func (p *player) totals() {
	t := p.rec.trace
	type point struct {
		at    moment
		value int64
	}
	sorted := func(from []int32) []point {
		var out []point
		for _, i := range from {
			s := t.Samples.At(int(i))
			if at := p.rec.moment(s.At); p.c.open || at.known != p.c.end.known || at.before(p.c.end) {
				out = append(out, point{at, s.Value})
			}
		}
		sort.SliceStable(out, func(i, j int) bool { return out[i].at.before(out[j].at) })
		return out
	}
	windows := sorted(p.c.windows)
	window := analysis.Unknown
	for _, v := range sorted(p.c.totals) {
		for len(windows) > 0 && !v.at.before(windows[0].at) {
			if window = analysis.Unknown; windows[0].value > 0 && windows[0].value <= math.MaxInt32 {
				window = windows[0].value
			}
			windows = windows[1:]
		}
		tokens := v.value
		if tokens <= 0 || tokens > math.MaxInt32 { // no context has that size
			tokens = analysis.Unknown
		}
		if tokens == analysis.Unknown && len(p.s.Totals) == 0 {
			continue
		}
		total := analysis.Total{At: v.at.at(), Tokens: tokens, Window: window}
		if p.widest > 0 {
			total.Window = p.widest
		}
		p.s.Totals = append(p.s.Totals, total)
		p.s.Saw(total.At)
	}
}

// notes say what the recording cannot show.
func (p *player) notes() {
	note := func(format string, args ...any) { p.s.Notes = append(p.s.Notes, fmt.Sprintf(format, args...)) }
	c := p.c
	if slices.ContainsFunc(c.markers, func(i int32) bool { return p.rec.is(i, contentsKey, false) }) {
		note(noContent)
	}
	if c.open || slices.ContainsFunc(c.markers, p.rec.incomplete) {
		note(notComplete)
	}
	if n := c.sum(childrenKey); n > 0 {
		note("%d sessions of subagents could not be recorded.", n)
	}
	if n := c.sum(gapsKey); n > 0 {
		note("%d gaps in the harness's own log were recorded.", n)
	}
	if p.asides > 0 {
		note("%d requests were made to write summaries; they are not among the requests of the session.", p.asides)
	}
	if p.failed > 0 {
		note("%s", cutNothing(p.failed))
	}
}

// Notes that recordings and private journals share.
const (
	noContent   = "The recording was made without content: what would need the text to be measured is absent, not zero."
	notComplete = "The recording is not complete: its end is missing, or something of it was lost."
)

func cutNothing(n int) string {
	return fmt.Sprintf("%d compactions were begun and cut nothing: they failed, were skipped, or did not end.", n)
}
