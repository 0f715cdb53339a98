package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// The forecast looks at this many requests, and needs so many to tell a rate at all.
const (
	forecastOver  = 10
	forecastLeast = 3
)

// forecast says how many requests are left until the context is compacted or full, at the rate of the newest ones; "" where
// nothing tells. Requests before the last cut are no part of the rate, and estimates are not compared with reports.
func forecast(series *analysis.Series) string {
	if series == nil {
		return ""
	}
	cut := 0
	for _, b := range series.Boundaries {
		if b.Kind != "model-switch" {
			cut = max(cut, b.Sample)
		}
	}
	var sizes []int64
	newest := -1
	reported := false
	for i := len(series.At) - 1; i >= cut && len(sizes) < forecastOver; i-- {
		if at(series.Request, i) <= 0 {
			continue
		}
		size, ok := at(series.Reported, i), true
		if size < 0 {
			size, ok = at(series.Estimated, i), false
		}
		if newest < 0 {
			newest, reported = i, ok
		}
		if size >= 0 && ok == reported {
			sizes = append(sizes, size)
		}
	}
	if len(sizes) < forecastLeast {
		return ""
	}
	last, rate := sizes[0], float64(sizes[0]-sizes[len(sizes)-1])/float64(len(sizes)-1)
	limit, until := limitOf(series, newest)
	if rate < 1 || limit <= last {
		return ""
	}
	left := int64(float64(limit-last)/rate) + 1
	text := "about " + words.Count(left, "more request", "more requests")
	if left > 1000 {
		text = "more than 1,000 requests"
	}
	by := "reported"
	if !reported {
		by = "estimated"
	}
	return "Forecast: " + text + " until " + until + ", at the rate of the last " + words.Tokens(int64(len(sizes))) + " (" +
		words.Signed(int64(rate+0.5)) + " tokens each, " + by + ")."
}

// limitOf is what a context grows towards: where it is compacted, as far as that was recorded or the harness's formula tells, else
// the window.
func limitOf(series *analysis.Series, sample int) (limit int64, until string) {
	window := at(series.Window, sample)
	if t := at(series.Threshold, sample); t > 0 {
		return t, "it is compacted at " + words.Tokens(t)
	}
	if c := series.Session.Closest; c.CompactsAt > 0 && c.Window == window {
		return c.CompactsAt, words.Plain(series.Session.HarnessName, 32) + " compacts it at about " + words.Tokens(c.CompactsAt)
	}
	return window, "the window of " + words.Tokens(window) + " is full"
}

func (c *ContextTab) forecast() string { return forecast(c.State.series) }
