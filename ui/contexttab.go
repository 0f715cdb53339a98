package ui

import (
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

func (c *ContextTab) hasSeries() bool { return c.State.series != nil }

func (c *ContextTab) lead() string {
	if !c.hasSeries() {
		return ""
	}
	lead, _ := headline(c.State.series)
	return lead
}

func (c *ContextTab) rest() string {
	if !c.hasSeries() {
		return ""
	}
	_, rest := headline(c.State.series)
	return rest
}

func (c *ContextTab) waitingWords() string {
	if c.State.waiting {
		return "Reading the session…"
	}
	return "This session could not be read."
}

func (c *ContextTab) threshold() bool { return c.hasSeries() && chart.HasThreshold(c.State.series) }

func (c *ContextTab) anyBreakdown() bool {
	if !c.hasSeries() {
		return false
	}
	for _, b := range c.State.series.Breakdown {
		if b {
			return true
		}
	}
	return false
}

func (c *ContextTab) anyReport() bool {
	if !c.hasSeries() {
		return false
	}
	for _, r := range c.State.series.Reported {
		if r >= 0 {
			return true
		}
	}
	return len(c.State.series.At) == 0 && len(c.State.series.Totals) > 0
}

// extent says how much there is: "182 requests, 2 h 17 min".
func (c *ContextTab) extent() string {
	series := c.State.series
	if series == nil {
		return ""
	}
	text := words.Count(series.Requests, "request", "requests")
	if first, last := ends(series); last > first {
		text += ", " + words.Duration(last-first)
	}
	return text
}

// keys says what the keyboard does in the chart.
func (c *ContextTab) keys() string {
	text := "arrow keys move the cursor"
	if len(c.State.compactions()) > 0 {
		text += ", [ and ] jump between compactions"
	}
	return text
}

// desc is the sentence of the chart, for those who do not see it.
func (c *ContextTab) desc() string {
	if !c.hasSeries() {
		return ""
	}
	return chart.Describe(c.State.series, c.State.share)
}

// notes are the sentences that belong under the chart.
func (c *ContextTab) notes() []string {
	if !c.hasSeries() {
		return nil
	}
	var notes []string
	for i, n := range c.State.series.Notes {
		if i == 8 {
			break
		}
		notes = append(notes, words.Plain(n, 400))
	}
	return notes
}

func (c *ContextTab) steps() string { return number(max(c.State.samples(), 1)) }
func (c *ContextTab) step() string  { return number(c.State.selected + 1) }

func (c *ContextTab) stepWords() string { return c.State.sampleSentence() }
