package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// cutRows is how many boundaries of a kind stand on a page.
const cutRows = 10

type boundaryCard struct {
	Boundary         int // its number in the series
	ID, Title, Where string
	Before           string
	After            string
	Was, Is          string // widths of their bars in percent
	Drop             string
	Summary          string
	Harness          string
	Evidence         string
	Model            string
	Wait             string
	Cost, Cached     string
	Payback          string
	Lost             string // what was found when it was compared
	Sample           int
	Loss             bool
	Open             bool
}

func (s *State) boundaryCard(id, title string, b analysis.BoundaryRow) boundaryCard {
	card := boundaryCard{ID: id, Title: title, Sample: b.Sample, Loss: b.Kind == "compaction", Where: s.place(b),
		Before: words.Tokens(b.Before), After: words.Tokens(b.After), Model: words.Plain(b.Of, 48)}
	if d := words.Drop(b.Before, b.After); d != "" {
		card.Drop = d + ", " + words.Count(b.Before-b.After, "token", "tokens")
	}
	if t := words.Trigger(b.Trigger); t != "" {
		card.Where = joined(card.Where, t)
	}
	if b.Model != "" {
		card.Where = joined(card.Where, "now "+words.Plain(b.Model, 48))
	}
	if b.HarnessTold >= 0 {
		card.Harness = words.Tokens(b.HarnessTold) + " before"
	}
	if b.HarnessAfter >= 0 {
		card.Harness = joined(card.Harness, words.Tokens(b.HarnessAfter)+" after")
	}
	for _, e := range b.Evidence {
		card.Evidence = joined(card.Evidence, words.Evidence(e))
	}
	if card.Loss && !b.Above && b.Before >= 0 && b.After >= 0 {
		card.Evidence = joined(card.Evidence, "below the threshold")
	}
	if b.Wait >= 0 {
		card.Wait = words.Duration(b.Wait) + " later"
	}
	card.Cost, card.Cached = costWords(b)
	card.Payback = paybackWords(b.Cost)
	if b.Summary > 0 {
		card.Summary = words.Count(b.Summary, "token", "tokens") + ", estimated"
	}
	most := float64(max(b.Before, b.After))
	card.Was, card.Is = share(float64(b.Before), most), share(float64(b.After), most)
	return card
}

// paybackWords estimate what a compaction cost by itself, and when that was saved.
func paybackWords(c analysis.CostRow) string {
	if c.Rate <= 0 || c.PaidAfter <= 0 {
		return ""
	}
	text := "about " + words.Dollars(c.Summarise) + " to make the summary"
	if c.Rewrite >= 0 {
		text += ", " + words.Dollars(c.Rewrite) + " to write the new context to the cache"
	}
	return text + "; saved again after " + words.Count(c.PaidAfter, "request", "requests")
}

// costWords tell what the discarded input is worth and how that is known; "" for what is never priced.
func costWords(b analysis.BoundaryRow) (cost, cached string) {
	c := b.Cost
	switch {
	case b.Kind != "compaction" || b.Before < 0 || b.After < 0 || b.After >= b.Before:
		return "", ""
	case c.Rate <= 0:
		return "Not priced: the model is not in the price table", ""
	}
	cost = words.Dollars(c.USD) + " at " + words.Dollars(c.Rate) + " a million input tokens, list price of " + words.Plain(c.Date, 16)
	if c.Provider != "" {
		cost += ", " + words.Plain(c.Provider, 32)
	}
	if c.Cached >= 0 {
		cached = words.Dollars(c.Cached) + " where " + words.WholePercent(int64(c.Share*1e6), 1e6) + " is read from the cache, as in the request before"
	}
	return cost, cached
}

func joined(list, item string) string {
	if list == "" {
		return item
	}
	return list + " · " + item
}

// place says where a boundary is: the request that came after it, and the moment.
func (s *State) place(b analysis.BoundaryRow) string {
	text := "after the last request"
	for i := b.Sample; s.series != nil && i < len(s.series.At); i++ {
		if n := at(s.series.Request, i); n > 0 {
			text = "before request " + words.Tokens(n)
			break
		}
	}
	if t := s.clock().Second(b.At); t != "" {
		text += ", " + t
	}
	return text
}

func (c *CompactionsTab) compactions() []boundaryCard {
	return c.State.cards(true, c.cutPages())
}

// others are the boundaries of another kind: they cut or change a context and are no compaction.
func (c *CompactionsTab) others() []boundaryCard {
	return c.State.cards(false, c.otherPages())
}

// cards are the boundaries of a page: compactions, or all others.
func (s *State) cards(loss bool, p pager) (cards []boundaryCard) {
	if s.series == nil {
		return nil
	}
	n := 0
	for i, b := range s.series.Boundaries {
		if (b.Kind == "compaction") != loss {
			continue
		}
		if n++; n > p.page*p.size && n <= (p.page+1)*p.size {
			title := words.BoundaryBy(b.Kind, b.Evidence)
			if loss {
				title += " " + words.Tokens(int64(n))
			}
			card := s.boundaryCard(cardID(loss, n), title, b)
			card.Boundary = i
			if loss {
				card.Lost, card.Open = s.lostWords(i), s.review.open == i
			}
			cards = append(cards, card)
		}
	}
	return cards
}

// cardID is the element of the n-th compaction, from 1, or of the n-th boundary of another kind.
func cardID(loss bool, n int) string {
	if loss {
		return "compaction-" + number(n)
	}
	return "boundary-" + number(n)
}

// toCard goes from a boundary to its card.
func (s *State) toCard(boundary int) {
	if s.series == nil || boundary < 0 || boundary >= len(s.series.Boundaries) {
		return
	}
	loss, n := s.series.Boundaries[boundary].Kind == "compaction", 0
	for _, b := range s.series.Boundaries[:boundary+1] {
		if (b.Kind == "compaction") == loss {
			n++
		}
	}
	if loss {
		s.cutPage = (n - 1) / cutRows
		s.review.open, s.review.chosen, s.review.kind, s.review.got = boundary, true, "", nil
	} else {
		s.otherPage = (n - 1) / cutRows
	}
	s.pick(tabCompactions)
	s.host.Focus(cardID(loss, n))
}

func (c *CompactionsTab) cutPages() pager {
	return pager{c.State.cutPage, cutRows, len(c.State.compactions())}.within()
}

func (c *CompactionsTab) otherPages() pager {
	n := 0
	if c.State.series != nil {
		n = len(c.State.series.Boundaries) - len(c.State.compactions())
	}
	return pager{c.State.otherPage, cutRows, n}.within()
}

// within goes back to the last page where another threshold left fewer.
func (p pager) within() pager {
	p.page = max(0, min(p.page, (p.total-1)/p.size))
	return p
}

func (c *CompactionsTab) title() string {
	n := int64(len(c.State.compactions()))
	switch {
	case c.State.series == nil:
		return "Compactions"
	case n == 0:
		return "This session was not compacted"
	}
	return "Compacted " + words.Times(n)
}

// totals say what was lost, in this session and in all that are open; or, where nothing was, how close it came.
func (c *CompactionsTab) totals() string {
	if c.State.series == nil {
		return ""
	}
	row := &c.State.series.Session
	if row.Losses.Compactions == 0 {
		return closeness(row)
	}
	return lossWords(row.Losses)
}

func (c *CompactionsTab) everywhere() string {
	if c.State.list == nil || len(c.State.list.Sessions) < 2 {
		return ""
	}
	var all analysis.Losses
	for i := range c.State.list.Sessions {
		all.Add(c.State.list.Sessions[i].Losses)
	}
	if all.Compactions == 0 {
		return ""
	}
	return "All " + words.Tokens(int64(len(c.State.list.Sessions))) + " sessions that are open: " +
		words.Count(all.Compactions, "compaction", "compactions") + ", " + lossWords(all)
}

// lossWords say what compactions discarded: "117,047 tokens discarded, $0.5852 as fresh input at list prices of 2026-11."
func lossWords(l analysis.Losses) string {
	text := words.Count(l.Dropped, "token", "tokens") + " discarded"
	if l.Date != "" {
		text += ", " + words.Dollars(l.USD) + " as fresh input at list prices of " + words.Plain(l.Date, 16)
	}
	text += "."
	if l.Unpriced > 0 {
		text += " Of an unknown price: " + words.Tokens(l.Unpriced) + "."
	}
	if l.Unmeasured > 0 {
		text += " Not reported on both sides: " + words.Tokens(l.Unmeasured) + "."
	}
	return text
}

// closeness says how close a session without a compaction came to one.
func closeness(row *analysis.SessionRow) string {
	c := row.Closest
	if c.Tokens <= 0 {
		return "The size of its context was not recorded."
	}
	size := sized{0, c.Tokens, c.Reported, 0}.words(true)
	text := "Its context held at most " + size
	if c.Window > 0 {
		text = "It came closest with " + size + ", " + words.WholePercent(c.Tokens, c.Window) + " of the window (" + words.Tokens(c.Window) + ")"
	}
	if c.Request > 0 {
		text += ", in request " + words.Tokens(c.Request)
	}
	if c.CompactsAt > 0 {
		text += ". " + words.Plain(row.HarnessName, 32) + " compacts by itself at about " + words.Tokens(c.CompactsAt)
	}
	return strings.TrimSuffix(text, ".") + "."
}

// show moves the cursor behind a boundary and goes to the chart.
func (c *CompactionsTab) show(sample int) { c.State.toChart(sample) }

// openWords is what the button of a card does.
func (c *CompactionsTab) openWords(open bool) string {
	if open {
		return "Hide what was lost"
	}
	return "What was lost"
}

// ids are those of the cards on the page.
func (c *CompactionsTab) ids() (ids []string) {
	for _, b := range c.compactions() {
		ids = append(ids, b.ID)
	}
	return ids
}
