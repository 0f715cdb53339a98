package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// headline is the answer of a session in one sentence: what the context grew to, what cut it, and where it stands. rest
// is the quiet end of it: the window, where one is known.
func headline(series *analysis.Series) (lead, rest string) {
	first, top, last := figures(series)
	if last.tokens == analysis.Unknown {
		if series.Requests > 0 || len(series.At) > 0 {
			return "The size of the context was not recorded", ""
		}
		return "No request was recorded", ""
	}
	if w := last.window; w > 0 {
		rest = " of " + words.Tokens(w)
	}
	cuts := cutWords(series.Boundaries)
	switch {
	case first.at == last.at:
		return "Holds " + last.words(true), rest
	case top.at == last.at && cuts == "" && top.tokens > first.tokens:
		return "Grew to " + last.words(true), rest
	case top.tokens == last.tokens && top.tokens == first.tokens && cuts == "":
		return "Stayed at " + last.words(true), rest
	}
	if top.at == last.at && cuts != "" {
		return strings.ToUpper(cuts[:1]) + cuts[1:] + ", stands at its highest: " + last.words(true), rest
	}
	lead = "Grew to "
	if top.at == first.at {
		lead = "Began at "
	}
	lead += top.words(true)
	if cuts != "" {
		lead += ", " + cuts
	}
	return lead + ", stands at " + last.words(false), rest
}

// sized is a sample with the best figure that is known of it.
type sized struct {
	at       int
	tokens   int64
	reported bool
	window   int64
}

// words writes a figure, marked where it is an estimate.
func (f sized) words(unit bool) string {
	text := words.Tokens(f.tokens)
	if unit {
		text = words.Count(f.tokens, "token", "tokens")
	}
	if !f.reported {
		return "an estimated " + text
	}
	return text
}

// figures are the first, the highest and the last known size. As soon as any sample was reported, the first and the
// highest are reports: growth from an estimate to a report would be none.
func figures(series *analysis.Series) (first, top, last sized) {
	none := sized{at: -1, tokens: analysis.Unknown}
	first, top, last = none, none, none
	for i := range max(len(series.At), len(series.Totals)) {
		f := figure(series, i)
		if f.tokens < 0 {
			continue
		}
		if first.at < 0 || f.reported && !first.reported {
			first = f
		}
		last = f
		if top.at < 0 || f.reported && !top.reported || f.reported == top.reported && f.tokens > top.tokens {
			top = f
		}
	}
	return first, top, last
}

func figure(series *analysis.Series, i int) sized {
	if len(series.At) == 0 {
		t := series.Totals[i]
		return sized{i, t.Tokens, true, t.Window}
	}
	if r := at(series.Reported, i); r >= 0 {
		return sized{i, r, true, at(series.Window, i)}
	}
	return sized{i, at(series.Estimated, i), false, at(series.Window, i)}
}

// at reads a column; what it does not hold is unknown.
func at(column []int64, i int) int64 {
	if i < 0 || i >= len(column) {
		return analysis.Unknown
	}
	return column[i]
}

// cutWords tells what cut the context: "was compacted once", "was compacted twice and cleared once".
func cutWords(boundaries []analysis.BoundaryRow) string {
	var compacted, cleared int64
	for _, b := range boundaries {
		switch b.Kind {
		case "compaction":
			compacted++
		case "clear":
			cleared++
		}
	}
	switch {
	case compacted > 0 && cleared > 0:
		return "was compacted " + words.Times(compacted) + " and cleared " + words.Times(cleared)
	case compacted > 0:
		return "was compacted " + words.Times(compacted)
	case cleared > 0:
		return "was cleared " + words.Times(cleared)
	}
	return ""
}
