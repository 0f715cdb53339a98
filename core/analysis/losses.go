package analysis

import (
	"cmp"

	"contextscope/core/compaction"
	"contextscope/core/journal"
	"contextscope/core/models"
)

// Boundaries are the boundaries of a session in order.
func (a *Analysis) Boundaries(session int, o Options) []BoundaryRow {
	s := a.Sessions[session]
	var out []BoundaryRow
	cuts := s.cuts(o.threshold())
	for i := range cuts {
		out = append(out, a.boundaryRow(s, &cuts[i]))
	}
	return out
}

func (a *Analysis) boundaryRow(s *Session, c *compaction.Boundary) BoundaryRow {
	row := BoundaryRow{Kind: c.Kind, Before: c.From, After: c.To, HarnessTold: Unknown, HarnessAfter: Unknown, Evidence: c.Evidence,
		Wait: Unknown, Of: a.Strings.Get(s.modelOf(c)), Above: c.Above, Sample: len(s.Snapshots), Summary: s.summaryTokens(c)}
	next := c.After
	if c.Mark < 0 {
		q := &s.Requests[c.After]
		row.At, row.Sample = millis(q.At), int(q.Snapshot)
	} else {
		b := &s.Boundaries[c.Mark]
		row.Trigger, row.At, row.Sample = b.Trigger, millis(b.At), int(b.Snapshots)
		row.HarnessTold, row.HarnessAfter = b.HarnessFrom, b.HarnessTo
		next = int(b.Requests)
		if c.Kind == compaction.ModelSwitch && next < len(s.Requests) {
			row.Model = a.Strings.Get(s.Requests[next].Model)
		}
	}
	if next < len(s.Requests) {
		row.Next, row.NextAt = int64(next)+1, millis(s.Requests[next].At)
		if c.Mark >= 0 && row.At > 0 && row.NextAt >= row.At {
			row.Wait = row.NextAt - row.At
		}
	}
	if cost, ok := s.cost(c); ok {
		row.Cost = CostRow{USD: cost.USD, Rate: cost.Price.Input, Cached: cost.Cached, Share: cost.Share, Date: cost.Price.Date,
			Provider: models.Provider(row.Of), Summarise: compaction.NoCost, Rewrite: compaction.NoCost}
		if p, ok := compaction.PaybackOf(c, &cost, row.Summary, s.Requests[c.After].CacheWrite); ok {
			row.Cost.Summarise, row.Cost.Rewrite, row.Cost.PaidAfter = p.Summarise, p.Rewrite, p.Requests
		}
	}
	return row
}

// modelOf is the model whose context a boundary cut: that of the request before it, else of the one after it.
func (s *Session) modelOf(c *compaction.Boundary) journal.Ref {
	var before, after journal.Ref
	if c.Before >= 0 {
		before = s.Requests[c.Before].Model
	}
	if c.After >= 0 {
		after = s.Requests[c.After].Model
	}
	return cmp.Or(before, after)
}

// cost prices a boundary.
func (s *Session) cost(c *compaction.Boundary) (compaction.Cost, bool) {
	if c.Kind != compaction.Compaction || c.Before < 0 {
		return compaction.Cost{}, false
	}
	return compaction.CostOf(c, s.strings.Get(s.modelOf(c)), s.Requests[c.Before].CacheRead)
}

// losses adds up what the compactions of a session discarded.
func (s *Session) losses(o Options) (l Losses) {
	cuts := s.cuts(o.threshold())
	for i := range cuts {
		c := &cuts[i]
		if c.Kind != compaction.Compaction {
			continue
		}
		l.Compactions++
		if c.From == Unknown || c.To == Unknown {
			l.Unmeasured++
		}
		dropped := c.Dropped()
		if dropped == Unknown {
			continue
		}
		l.Dropped += dropped
		if cost, ok := s.cost(c); ok {
			l.USD += cost.USD
			l.dated(cost.Price.Date)
		} else {
			l.Unpriced++
		}
	}
	return l
}

// Add adds what other sessions lost. Contexts are never added up; what they lost may be.
func (l *Losses) Add(o Losses) {
	l.Compactions += o.Compactions
	l.Dropped += o.Dropped
	l.Unmeasured += o.Unmeasured
	l.USD += o.USD
	l.Unpriced += o.Unpriced
	l.dated(o.Date)
}

// dated keeps the date of the oldest price.
func (l *Losses) dated(date string) {
	if date != "" && (l.Date == "" || date < l.Date) {
		l.Date = date
	}
}

// closest finds the request that filled the largest share of its window; where no window is known, the largest one.
func (a *Analysis) closest(s *Session, o Options) Closest {
	w := a.windows(s, o.Window)
	best := Closest{Tokens: Unknown, Window: Unknown, CompactsAt: Unknown}
	consider := func(request int, tokens, window int64, reported bool) {
		switch {
		case tokens == Unknown || best.Window != Unknown && window == Unknown:
			return
		case best.Tokens == Unknown || best.Window == Unknown && window != Unknown:
		case window == Unknown && tokens <= best.Tokens, window != Unknown && float64(tokens)/float64(window) <= float64(best.Tokens)/float64(best.Window):
			return
		}
		best.Request, best.Tokens, best.Window, best.Reported = int64(request)+1, tokens, window, reported
	}
	for i := range s.Requests {
		q := &s.Requests[i]
		window, _ := w.of(q.Model, q.Window)
		consider(i, q.Input, window, true)
	}
	for i := range s.Snapshots {
		if n := &s.Snapshots[i]; n.Event == OnRequest && !best.Reported {
			window, _ := w.of(n.Model, n.Window)
			consider(int(n.Index), n.Sum(), window, false)
		}
	}
	for i := range s.Totals {
		t := &s.Totals[i]
		window, _ := w.of(0, t.Window)
		consider(-1, t.Tokens, window, true)
	}
	if at, _, ok := models.CompactsAt(s.Harness, best.Window); ok {
		best.CompactsAt = at
	}
	return best
}
