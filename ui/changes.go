package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/words"
)

type changeRow struct {
	Tool, Detail      string
	Class, Category   string
	Delta, DeltaClass string
	Kind              string // "" for an ordinary addition
	Range             string
	Link, When        string
	Sample            int
	Line              string // of its record, "" where that is not known
	At                recordAt
	Here              bool // belongs to the selected sample

	Index    int
	Unfolded string // "true" where all is told
	Facts    []fact
	Call     recordAt // of the call that made it
	Child    int
}

// fact is something with its name.
type fact struct {
	Name, Text string
}

func (c *ChangesTable) rows() []changeRow {
	s := c.State
	if s.changes == nil {
		return nil
	}
	rows := make([]changeRow, 0, len(s.changes.Rows))
	for i, r := range s.changes.Rows {
		if i == pageSize {
			break
		}
		row := s.changeRow(r)
		row.Index, row.Unfolded, row.Child = i, yes(i == s.unfolded), -1
		if i == s.unfolded {
			row.Facts, row.Child = s.changeFacts(r), r.Child
			row.Call = recordAt{Input: r.Call.Input, Line: r.Call.Line, Offset: r.Call.Offset, Length: r.Call.Length, Title: row.Tool}
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *State) changeRow(r analysis.ChangeRow) changeRow {
	row := changeRow{
		Tool: words.Plain(r.Tool, 40), Detail: words.Plain(r.Detail, 240),
		Class: "sw " + words.Class(r.Category), Category: words.Category(r.Category),
		Delta: words.Signed(r.Delta), DeltaClass: "n delta",
		Sample: r.Sample, When: s.clock().Second(r.At), Here: r.Sample == s.selected,
	}
	if row.Tool == "" {
		row.Tool = row.Category
	}
	if r.Kept != "" {
		row.Detail = joined(row.Detail, s.keptWords(r))
	}
	if r.Delta < 0 {
		row.DeltaClass = "n delta loss"
	}
	if r.Change != "added" {
		row.Kind = words.Change(r.Change)
	}
	if r.Change == "baseline" { // it was there already: no growth
		row.Delta, row.DeltaClass = words.Tokens(r.Tokens), "n delta held"
	}
	if r.Length > 0 {
		row.At = recordAt{Input: r.Input, Line: r.Line, Offset: r.Offset, Length: r.Length, Title: row.Tool}
		if row.Line = "the record"; r.Line > 0 {
			row.Line = "line " + words.Tokens(r.Line)
		}
	}
	row.Range = words.Tokens(r.After)
	if r.Before >= 0 {
		row.Range = words.Tokens(r.Before) + " → " + row.Range
	} else {
		row.Range = "→ " + row.Range
	}
	row.Link = "#" + words.Tokens(r.Request)
	if r.Request <= 0 {
		row.Link = "sample " + words.Tokens(int64(r.Sample+1))
	}
	return row
}

// keptWords says that the model saw only a preview of a result, and where the whole is.
func (s *State) keptWords(r analysis.ChangeRow) string {
	text := "a preview; all of it is in " + words.Plain(r.Kept, 80)
	if r.KeptIn < 0 || r.KeptIn >= len(s.list.Inputs) {
		return text + ", which is not open"
	}
	return text + " (" + words.Bytes(s.list.Inputs[r.KeptIn].Bytes) + ")"
}

// unfold shows all about a row, or folds it again.
func (s *State) unfold(row int) {
	if s.unfolded == row {
		row = -1
	}
	s.unfolded = row
}

// changeFacts is all that is known of a change.
func (s *State) changeFacts(r analysis.ChangeRow) []fact {
	var all []fact
	add := func(name, text string) {
		if text != "" {
			all = append(all, fact{name, text})
		}
	}
	add("Change", words.Change(r.Change))
	add("Category", words.Category(r.Category))
	add("Size", words.Count(r.Tokens, "token", "tokens")+", estimated")
	if r.Chars >= 0 {
		add("Characters", words.Tokens(r.Chars))
	} else {
		add("Characters", "not counted: the size was told in tokens")
	}
	add("Item", words.Plain(r.ItemID, 120))
	add("Call", words.Plain(r.CallID, 120))
	add("Observed", words.Stage(r.Stage))
	if r.Request > 0 {
		add("Request", "#"+words.Tokens(r.Request)+", sample "+words.Tokens(int64(r.Sample+1)))
	} else {
		add("Sample", words.Tokens(int64(r.Sample+1)))
	}
	if r.Length > 0 && r.Input >= 0 && r.Input < len(s.list.Inputs) {
		where := words.Plain(s.list.Inputs[r.Input].Name, 120)
		if r.Line > 0 {
			where += ", line " + words.Tokens(r.Line)
		}
		add("Stands in", where+", "+words.Bytes(r.Length)+" at byte "+words.Tokens(r.Offset))
	}
	return all
}

// title says what the table holds.
func (c *ChangesTable) title() string {
	f := c.State.filter
	switch {
	case f.All:
		return "Recorded changes"
	case f.Order == "time":
		return "Additions in order of time"
	}
	return "Largest additions"
}

// none says why the table is empty.
func (c *ChangesTable) none() string {
	s := c.State
	switch {
	case s.changes == nil:
		return "Reading the changes…"
	case s.changes.Total > 0:
		return ""
	case s.only && s.selected < s.samples() && s.series.Baseline != nil && s.series.Baseline[s.selected] && !s.filter.All:
		return "This sample is a baseline: what it holds was measured anew and is no addition."
	case s.only || s.filter.Category != "":
		return "No change matches this selection."
	case s.filter.All:
		return "No change was recorded."
	}
	return "No addition was recorded."
}

type choice struct {
	Value, Text string
	Selected    bool
}

func (c *ChangesTable) categories() []choice {
	all := []choice{{"", "All categories", c.State.filter.Category == ""}}
	if c.State.series == nil {
		return all
	}
	for i, key := range c.State.series.Categories {
		if i == 40 || len(key) > 200 {
			break
		}
		all = append(all, choice{key, words.Category(key), key == c.State.filter.Category})
	}
	return all
}

func (c *ChangesTable) orders() []choice {
	o := c.State.filter.Order
	return []choice{{"size", "by size", o != "time"}, {"time", "by time", o == "time"}}
}

// pageWords is where the page is: "1–25 of 312".
func (c *ChangesTable) pageWords() string {
	s := c.State
	if s.changes == nil || s.changes.Total == 0 {
		return ""
	}
	return pageWords(s.filter.Offset, len(s.changes.Rows), s.changes.Total)
}

func (c *ChangesTable) first() bool { return c.State.filter.Offset == 0 }

func (c *ChangesTable) last() bool {
	return c.State.changes == nil || c.State.filter.Offset+pageSize >= c.State.changes.Total
}

func (c *ChangesTable) onePage() bool { return c.first() && c.last() }

func pageWords(offset, rows, total int) string {
	return words.Tokens(int64(offset+1)) + "–" + words.Tokens(int64(offset+rows)) + " of " + words.Tokens(int64(total))
}

func (c *ChangesTable) rowClass(r changeRow) string {
	if r.Here {
		return "here"
	}
	return ""
}

// show moves the cursor to the sample of a change and brings it into view.
func (c *ChangesTable) show(sample int) { c.State.toChart(sample) }
