package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// measureRow is a measure with its pair of bars. Widths are percents of the longer one.
type measureRow struct {
	Name          string
	Before, After string
	Was, Is       string // widths
	Beside        string // the rate, where the windows differ in size
	Class         string
}

func (s *State) behavior() *analysis.BehaviorView {
	if d := s.detail(); d != nil {
		return d.Behavior
	}
	return nil
}

// windowsWords say what was compared: "12 requests with 38 calls before, 14 requests with 36 calls after".
func (s *State) windowsWords() string {
	b := s.behavior()
	if b == nil {
		return ""
	}
	text := windowWords(b.Before) + " before, " + windowWords(b.After) + " after"
	if b.Clipped {
		text += ", up to the next boundary"
	}
	return text
}

func windowWords(w analysis.Window) string {
	return words.Count(w.Requests, "request", "requests") + " with " + words.Count(w.Calls, "call", "calls")
}

// measures are the measures that have something on one side at least.
func (s *State) measures() (rows []measureRow) {
	b := s.behavior()
	if b == nil {
		return nil
	}
	for _, m := range b.Rows {
		if m.Before > 0 || m.After > 0 {
			rows = append(rows, measure(b, m))
		}
	}
	return rows
}

func measure(b *analysis.BehaviorView, m analysis.MeasureRow) measureRow {
	row := measureRow{Name: words.Measure(m.Key, m.Rule), Before: words.Tokens(m.Before), After: words.Tokens(m.After), Class: "measure"}
	if m.Key == "until-edit" {
		row.Before, row.After = untilEdit(m.Before), untilEdit(m.After)
	}
	was, is := float64(max(m.Before, 0)), float64(max(m.After, 0))
	if m.Rate && b.Before.Requests != b.After.Requests && b.Before.Requests > 0 && b.After.Requests > 0 {
		was, is = was*10/float64(b.Before.Requests), is*10/float64(b.After.Requests)
		row.Beside = "in 10 requests: " + rate(was) + " before, " + rate(is) + " after"
	}
	most := max(was, is)
	row.Was, row.Is = share(was, most), share(is, most)
	if m.Worse {
		row.Class = "measure worse"
	}
	return row
}

func untilEdit(n int64) string {
	if n < 0 {
		return "no edit"
	}
	return words.Tokens(n)
}

func rate(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// share is a width in percent; something never has none.
func share(part, whole float64) string {
	if whole <= 0 || part <= 0 {
		return "0"
	}
	return strconv.FormatFloat(max(part/whole*100, 1), 'f', 1, 64)
}

// quietMeasures name what was on neither side.
func (s *State) quietMeasures() string {
	b := s.behavior()
	if b == nil {
		return ""
	}
	text := ""
	for _, m := range b.Rows {
		if m.Before <= 0 && m.After <= 0 && m.Key != "until-edit" {
			if text != "" {
				text += ", "
			}
			text += words.Measure(m.Key, m.Rule)
		}
	}
	if text == "" {
		return ""
	}
	return "On neither side: " + text + "."
}

func (s *State) regressions() []string {
	b := s.behavior()
	if b == nil {
		return nil
	}
	out := make([]string, len(b.Regressions))
	for i, r := range b.Regressions {
		out[i] = sentence(words.Plain(r, 300))
	}
	return out
}

func (s *State) verdict() string {
	b := s.behavior()
	switch {
	case b == nil:
		return ""
	case b.After.Requests+b.After.Calls == 0:
		return "Nothing came after it that could be compared."
	case b.Before.Requests+b.Before.Calls == 0:
		return "Nothing came before it that could be compared."
	case len(b.Regressions) == 0:
		return "No sign that the agent works worse after it."
	}
	return words.Count(int64(len(b.Regressions)), "sign", "signs") + " that the agent works worse after it:"
}

// rereadFiles is how many files that were read again are listed.
const rereadFiles = 10

type rereadRow struct{ Path, Why string }

func (s *State) rereads() (rows []rereadRow) {
	b := s.behavior()
	if b == nil {
		return nil
	}
	for i, r := range b.Reread {
		if i == rereadFiles {
			break
		}
		rows = append(rows, rereadRow{words.Plain(r.Path, 200), words.Times(r.Times) + ", " + words.Reread(r.Why)})
	}
	return rows
}

func (s *State) rereadTitle() string {
	b := s.behavior()
	if b == nil || len(b.Reread) == 0 {
		return ""
	}
	text := "Read before it and again after it: " + words.Count(int64(len(b.Reread)), "file", "files")
	if len(b.Reread) > rereadFiles {
		text += ", of which these were read most often"
	}
	return text
}

func (s *State) behaviorChoices() []choice {
	var all []choice
	for _, w := range behaviorWindows {
		all = append(all, choice{w.value, w.text, w.value == s.review.window})
	}
	return all
}
