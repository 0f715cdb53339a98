package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// boundaryLimit is how many boundaries are listed at once.
const boundaryLimit = 40

type boundaryCard struct {
	Title, Where string
	Before       string
	After        string
	Drop         string
	Harness      string
	Evidence     string
	Sample       int
	Loss         bool
}

func (s *State) boundaryCard(title string, b analysis.BoundaryRow) boundaryCard {
	card := boundaryCard{Title: title, Sample: b.Sample, Loss: b.Kind == "compaction",
		Before: words.Tokens(b.Before), After: words.Tokens(b.After), Drop: words.Drop(b.Before, b.After)}
	card.Where = s.place(b)
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
	return card
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
	var cards []boundaryCard
	for i, b := range c.State.compactions() {
		if i == boundaryLimit {
			break
		}
		cards = append(cards, c.State.boundaryCard("Compaction "+words.Tokens(int64(i+1)), b))
	}
	return cards
}

// others are the boundaries of another kind: they cut or change a context and are no compaction.
func (c *CompactionsTab) others() []boundaryCard {
	if c.State.series == nil {
		return nil
	}
	var cards []boundaryCard
	for _, b := range c.State.series.Boundaries {
		if b.Kind != "compaction" && len(cards) < boundaryLimit {
			cards = append(cards, c.State.boundaryCard(words.Boundary(b.Kind), b))
		}
	}
	return cards
}

func (c *CompactionsTab) title() string {
	n := int64(len(c.State.compactions()))
	if n == 0 {
		return "This session was not compacted"
	}
	return "Compacted " + words.Times(n)
}

// rest says how many are not listed.
func (c *CompactionsTab) rest() string {
	if n := len(c.State.compactions()) - boundaryLimit; n > 0 {
		return words.Count(int64(n), "more compaction is", "more compactions are") + " marked in the chart."
	}
	return ""
}

// show moves the cursor behind a boundary and goes to the chart.
func (c *CompactionsTab) show(sample int) {
	c.State.pick(tabContext)
	c.State.sample(sample)
	c.State.host.Focus(contextID)
}
