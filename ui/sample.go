package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// panel is the selected sample in words and figures.
type panel struct {
	Title, Of    string
	Tokens       any    // estimated tokens for data-tokens, nil where there is no estimate
	Big, Mark    string // the figure that counts, and how we know it
	Lines        []string
	Share        string // of the window, with where the window comes from; "" without a window
	When         string
	Rows         []panelRow
	NoBreakdown  bool
	Baseline     string
	Boundary     string
	Card         int // number of that boundary from 1, 0 for none
	Omitted      string
	Chips        []chip
	First, Final bool // there is nothing before, nothing after
}

// panelRow is a part with its swatch; Kind sets off the parts that are no category.
type panelRow struct{ Class, Name, Tokens, Share, Kind string }

// chip is a short word of the field with what it means.
type chip struct{ Text, Title string }

func (c *SamplePanel) panel() panel { return samplePanel(c.State) }

func samplePanel(s *State) panel {
	series, i := s.series, s.selected
	if series == nil || i < 0 || i >= len(series.At) {
		return panel{Title: "No sample", First: true, Final: true}
	}
	parts := chart.Parts(series, i)
	p := panel{First: i == 0, Final: i == len(series.At)-1, When: s.clock().Second(series.At[i]), NoBreakdown: !parts.Breakdown}
	p.Title, p.Of = sampleTitle(series, i)
	if parts.Estimated >= 0 {
		p.Tokens = parts.Estimated
	}
	p.figures(parts, text(series.Basis, i))
	p.limits(series, i, parts)
	p.Rows = panelRows(parts)
	p.notes(series, i)
	p.Chips = chips(series, i, p.When)
	return p
}

// sampleTitle names a sample by its request, or by what it is where it belongs to none.
func sampleTitle(series *analysis.Series, i int) (title, of string) {
	if n := at(series.Request, i); n > 0 {
		if series.Requests > 0 {
			of = " of " + words.Tokens(series.Requests)
		}
		return "Request " + words.Tokens(n), of
	}
	switch text(series.Kind, i) {
	case "compaction":
		return "After compaction", ""
	case "capture":
		if text(series.Basis, i) == "native-summary" {
			return "The harness’s own report", ""
		}
		if text(series.Stage, i) == "capture-start" {
			return "Where the journal begins", ""
		}
		return "Capture", ""
	case "call":
		return "Tool call", ""
	}
	return "Sample " + words.Tokens(int64(i+1)), " of " + words.Tokens(int64(len(series.At)))
}

// estimatedBy says whose estimate a figure is.
func estimatedBy(basis string) string {
	if basis == "native-summary" {
		return "by the harness’s own figures"
	}
	return "estimated"
}

// figures puts the report first and the estimate beside it.
func (p *panel) figures(parts chart.Capacities, basis string) {
	switch {
	case parts.Reported >= 0:
		p.Big, p.Mark = words.Tokens(parts.Reported), "reported"
	case parts.Estimated >= 0:
		p.Big, p.Mark = words.Tokens(parts.Estimated), estimatedBy(basis)
	}
	switch {
	case parts.Reported >= 0 && parts.Estimated >= 0:
		p.Lines = append(p.Lines, words.Tokens(parts.Estimated)+" estimated from what the journal holds")
	case parts.Estimated >= 0:
		p.Lines = append(p.Lines, "Reported input: "+words.NotRecorded)
	}
	if parts.Excess > 0 {
		p.Lines = append(p.Lines, "The estimate is "+words.Count(parts.Excess, "token", "tokens")+
			" above the report, so nothing is shown as unmeasured.")
	}
}

// limits tells the share of the window. A share never stands without the source of the window it is of.
func (p *panel) limits(series *analysis.Series, i int, parts chart.Capacities) {
	if used := parts.Used(); parts.Window > 0 && used >= 0 {
		p.Share = words.WholePercent(used, parts.Window) + " of the window (" + words.Tokens(parts.Window)
		if s := words.WindowSource(text(series.WindowFrom, i)); s != "" {
			p.Share += ", " + s
		}
		p.Share += ")"
	}
	if e := at(series.Effective, i); e > 0 && e != parts.Window {
		p.Lines = append(p.Lines, "Effective window: "+words.Tokens(e))
	}
	if t := at(series.Threshold, i); t > 0 {
		p.Lines = append(p.Lines, "Compaction threshold: "+words.Tokens(t))
	}
}

// panelRows lists the parts: categories by size, then what was not measured, then what is free.
func panelRows(parts chart.Capacities) []panelRow {
	var rows []panelRow
	for _, c := range parts.Categories {
		rows = append(rows, partRow("sw "+words.Class(c.Category), words.Category(c.Category), c.Tokens, parts.Window))
	}
	rest := restRows(parts)
	if len(rows) > 0 && len(rest) > 0 {
		rest[0].Kind = "set-off"
	}
	return append(rows, rest...)
}

// restRows are the parts that are no category. What is over a window leaves nothing free of it.
func restRows(parts chart.Capacities) []panelRow {
	var rows []panelRow
	if parts.Breakdown && parts.Unmeasured > 0 {
		rows = append(rows, partRow("sw hatched", "Unmeasured", parts.Unmeasured, parts.Window))
	}
	switch {
	case parts.Over > 0:
		rows = append(rows, partRow("sw over", "Over the window", parts.Over, parts.Window))
	case parts.Free >= 0 && parts.Reported < 0:
		rows = append(rows, partRow("sw free", "Free, by the estimate", parts.Free, parts.Window))
	case parts.Free >= 0:
		rows = append(rows, partRow("sw free", "Free", parts.Free, parts.Window))
	}
	return rows
}

func partRow(class, name string, tokens, window int64) panelRow {
	return panelRow{Class: class, Name: name, Tokens: words.Tokens(tokens), Share: words.Percent(tokens, window)}
}

// notes says what keeps a sample from being read as growth, and what stands beside it.
func (p *panel) notes(series *analysis.Series, i int) {
	if i < len(series.Baseline) && series.Baseline[i] {
		p.Baseline = "A baseline: everything is measured anew here, and nothing of it is growth."
	}
	if n := at(series.Omitted, i); n > 0 {
		p.Omitted = words.Count(n, "smaller change", "smaller changes") +
			" of this sample are not listed; the totals include them."
		if n == 1 {
			p.Omitted = "1 smaller change of this sample is not listed; the totals include it."
		}
	}
	for k, b := range series.Boundaries {
		if b.Sample == i {
			p.Boundary, p.Card = boundarySentence(b)+" right before this sample.", k+1
		} else if b.Sample == i+1 && p.Boundary == "" {
			p.Boundary, p.Card = boundarySentence(b)+" right after this sample.", k+1
		}
	}
}

// boundarySentence tells of a boundary in half a sentence: "Compacted (automatic): 165,863 → 44,030 (−73%)".
func boundarySentence(b analysis.BoundaryRow) string {
	name := words.BoundaryBy(b.Kind, b.Evidence)
	if t := words.Trigger(b.Trigger); t != "" {
		name += " (" + t + ")"
	}
	if f := boundaryFigures(b); f != "" {
		name += ", " + f + ","
	}
	return name
}

func boundaryFigures(b analysis.BoundaryRow) string {
	switch {
	case b.Kind == "model-switch" && b.Model != "":
		return "now " + words.Plain(b.Model, 48)
	case b.Before >= 0 && b.After >= 0:
		f := words.Tokens(b.Before) + " → " + words.Tokens(b.After)
		if d := words.Drop(b.Before, b.After); d != "" {
			f += " (" + d + ")"
		}
		return f
	}
	return ""
}

// chips are the words of the field that tell how a sample came about.
func chips(series *analysis.Series, i int, when string) []chip {
	var all []chip
	add := func(key, title string) {
		if key != "" {
			all = append(all, chip{words.Plain(key, 40), title})
		}
	}
	add(when, "when the sample was taken, in your time zone")
	stage, items := text(series.Stage, i), text(series.ItemStage, i)
	add(stage, words.Stage(stage))
	if items != "" && items != stage {
		add("items "+items, "The items were observed at another stage: "+words.Stage(items))
	}
	add(text(series.Basis, i), words.Basis(text(series.Basis, i)))
	add(text(series.Coverage, i), words.Coverage(text(series.Coverage, i)))
	add(text(series.Model, i), "the model of this request")
	return all
}

// text reads a column of words.
func text(column []string, i int) string {
	if i < 0 || i >= len(column) {
		return ""
	}
	return column[i]
}

func (c *SamplePanel) back()    { c.State.sample(c.State.selected - 1) }
func (c *SamplePanel) forward() { c.State.sample(c.State.selected + 1) }

// big is the figure that counts. Where neither was recorded it says so.
func (c *SamplePanel) big() string {
	if p := c.panel(); p.Big != "" {
		return p.Big
	}
	return words.NotRecorded
}

// foundHere is a finding that begins in the selected sample.
type foundHere struct {
	Text string
	At   int
}

// foundRows is how many findings a sample lists.
const foundRows = 4

func (c *SamplePanel) found() (rows []foundHere) {
	list := c.State.findingsAt(c.State.selected)
	for n, i := range list {
		if n == foundRows {
			rows = append(rows, foundHere{words.Count(int64(len(list)-n), "more finding", "more findings") + " here", i})
			break
		}
		f := &c.State.series.Findings[i]
		rows = append(rows, foundHere{words.Plain(f.Rule, 48) + ": " + words.Plain(f.Message, 120), i})
	}
	return rows
}
