package ui

import (
	"strconv"
	"strings"

	"contextscope/core/analysis"
)

// pageSize is how many changes stand on a page: Vugu renders every row anew, so a page holds what a person reads.
const pageSize = 25

func firstFilter() analysis.ChangeFilter {
	return analysis.ChangeFilter{Order: "size", Sample: -1, Limit: pageSize}
}

// askChanges asks for the page that the filter tells of.
func (s *State) askChanges() {
	s.filter.Sample = -1
	if s.only {
		s.filter.Sample = s.selected
	}
	s.unfolded = -1
	s.host.Changes(s.current, s.filter, func(p *analysis.ChangePage) { s.changes = p })
}

// refilter asks anew from the first page on.
func (s *State) refilter() {
	s.filter.Offset = 0
	s.askChanges()
}

func (s *State) filterCategory(key string) { s.filter.Category = key; s.refilter() }
func (s *State) filterOrder(order string)  { s.filter.Order = order; s.refilter() }
func (s *State) filterOnly(on bool)        { s.only = on; s.refilter() }
func (s *State) filterAll(on bool)         { s.filter.All = on; s.refilter() }

// turn goes to the next page of changes, or back.
func (s *State) turn(by int) {
	to := s.filter.Offset + by*pageSize
	if s.changes == nil || to < 0 || to >= s.changes.Total {
		return
	}
	s.filter.Offset = to
	s.askChanges()
}

// windowChoice is the window that a person chose for all sessions.
type windowChoice struct {
	choice string // "auto", "200000", "1000000" or "own"
	own    int64  // tokens of "own", 0 until a number was given
	wrong  bool   // what was typed is no number of tokens
}

// windowChoices are the windows that can be chosen without typing.
var windowChoices = []struct{ value, text string }{
	{"auto", "automatic"},
	{"200000", "200,000"},
	{"1000000", "1,000,000"},
	{"own", "own number…"},
}

// tokens is what the Host is asked for; 0 leaves the window to the evidence.
func (w windowChoice) tokens() int64 {
	switch w.choice {
	case "auto":
		return 0
	case "own":
		return w.own
	}
	n, _ := strconv.ParseInt(w.choice, 10, 64)
	return n
}

func (s *State) chooseWindow(value string) {
	before := s.window.tokens()
	s.window.choice = "auto"
	for _, c := range windowChoices {
		if c.value == value {
			s.window.choice = value
		}
	}
	s.windowChanged(before)
}

// digitGroups takes the marks out of a number that people set between its digits.
var digitGroups = strings.NewReplacer(",", "", " ", "", "_", "", "\u00a0", "")

// ownWindow takes a number as people write it: 258400, 258,400 or 258 400.
func (s *State) ownWindow(text string) {
	before := s.window.tokens()
	n, err := strconv.ParseInt(digitGroups.Replace(text), 10, 64)
	s.window.wrong = strings.TrimSpace(text) != "" && (err != nil || n < 1 || n > 1e9)
	if !s.window.wrong {
		s.window.own = n
	}
	s.windowChanged(before)
}

func (s *State) windowChanged(before int64) {
	if s.window.tokens() != before {
		s.chosen()
	}
}

// chosen asks anew for what a window or a threshold changes: the rows of the sessions, and the one that is shown.
func (s *State) chosen() {
	if s.session() == nil {
		return
	}
	s.host.List(s.window.tokens(), func(l *analysis.List) { s.list = l })
	s.askSeries(false)
	s.askPair()
}

// thresholdChoice is the drop that counts as a compaction.
type thresholdChoice struct {
	ratio float64
	wrong bool
}

func (s *State) chooseThreshold(text string) {
	r, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	s.threshold.wrong = err != nil || !(r > 0 && r < 1)
	if !s.threshold.wrong && r != s.threshold.ratio {
		s.threshold.ratio = r
		s.chosen()
	}
}

func (t thresholdChoice) text() string { return strconv.FormatFloat(t.ratio, 'f', 2, 64) }
