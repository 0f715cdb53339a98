package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// session is the one that is shown, nil for none.
func (s *State) session() *analysis.SessionRow {
	if s.list == nil || s.current < 0 || s.current >= len(s.list.Sessions) {
		return nil
	}
	return &s.list.Sessions[s.current]
}

func (s *State) sessionID() string {
	if row := s.session(); row != nil {
		return row.ID
	}
	return ""
}

// optionValue is how a session is named in the select: by its id, which survives the opening of further files. An id of
// a hostile length stands as its position.
func optionValue(row analysis.SessionRow) string {
	if len(row.ID) > 128 || row.ID == "" {
		return "#" + strconv.Itoa(row.Index)
	}
	return row.ID
}

// chooseSession shows the session that was picked in the select.
func (s *State) chooseSession(value string) {
	if s.list == nil {
		return
	}
	for i, row := range s.list.Sessions {
		if optionValue(row) == value {
			s.open(i)
			return
		}
	}
}

// show opens a session in the Context tab.
func (s *State) show(session int) {
	s.tab = tabContext
	s.open(session)
}

// open asks for a session. Whatever belongs to another session goes at once, so that nothing stands under a wrong name.
func (s *State) open(session int) {
	s.current = session
	if s.sessionAt(tokenIn(s.arriving, "s")) != session {
		s.arriving = ""
	}
	s.series, s.changes, s.view = nil, nil, view{}
	s.selected, s.hover = 0, -1
	s.zoom, s.brush = chart.Range{}, brush{}
	s.cutPage, s.otherPage, s.findingPage = 0, 0, 0
	s.review = review{open: -1, window: s.review.window}
	s.filter, s.only = firstFilter(), false
	s.spread, s.between = spread{by: s.spread.by, order: s.spread.order}, between{}
	s.waiting = false
	if s.session() != nil {
		s.askSeries(true)
	}
}

// askSeries asks for the session over time. last moves the cursor to the end; else it stays where it is.
func (s *State) askSeries(last bool) {
	s.waiting = true
	s.host.Series(s.current, s.window.tokens(), func(series *analysis.Series) {
		s.waiting = false
		s.series = series
		if n := s.samples(); last || s.selected >= n {
			s.selected = max(n-1, 0)
		}
		s.forgetReview(last)
		if place := s.arriving; place != "" && series != nil {
			s.arriving = ""
			s.arrive(place)
			return
		}
		if series != nil {
			s.askChanges()
			s.askLower()
		}
	})
}

// samples is how many samples there are to walk through.
func (s *State) samples() int {
	if s.series == nil {
		return 0
	}
	return len(s.series.At)
}

// sample moves the cursor for good.
func (s *State) sample(i int) bool {
	i = min(max(i, 0), s.samples()-1)
	if i < 0 || i == s.selected {
		return false
	}
	s.selected, s.hover, s.samplesPage = i, -1, -1
	s.follow()
	if s.only {
		s.filter.Offset = 0
		s.askChanges()
	}
	s.drawContext()
	return true
}

// toChart moves the cursor to a sample and goes to the chart.
func (s *State) toChart(sample int) {
	s.pick(tabContext)
	s.sample(sample)
	s.host.Focus(contextID)
}

// jump moves the cursor to the sample after the next compaction, or before that of the one before.
func (s *State) jump(forward bool) bool {
	to := -1
	for _, b := range s.compactions() {
		at := min(b.Sample, s.samples()-1)
		if forward && at > s.selected && (to < 0 || at < to) || !forward && at < s.selected && at > to {
			to = at
		}
	}
	return to >= 0 && s.sample(to)
}

// compactions are the boundaries of that kind, in time order.
func (s *State) compactions() []analysis.BoundaryRow {
	if s.series == nil {
		return nil
	}
	var all []analysis.BoundaryRow
	for _, b := range s.series.Boundaries {
		if b.Kind == "compaction" {
			all = append(all, b)
		}
	}
	return all
}

// Key: a key was pressed while no text was being typed; reports whether it meant something here. inChart tells that the
// focus is in the chart. Keys come by their DOM names: "ArrowLeft", "Home", "[". A key that is typed with AltGr is no
// ctrl key: on many keyboards that is the only way to a bracket.
func (s *State) Key(key string, ctrl, inChart bool) bool {
	switch {
	case s.help.open, s.sharing.open:
		return false
	case s.record.open:
		if key == "/" && !ctrl {
			s.host.Focus(recordFindID)
		}
		return key == "/" && !ctrl
	case ctrl:
		if key == "o" {
			s.host.PickFiles(false)
		} else if key == "s" && !s.empty() {
			s.openShare()
			return true
		}
		return key == "o"
	case key == "?":
		s.showHelp(helpKeys)
		return true
	case key == "/" && !s.empty():
		s.pick(tabOverview)
		s.host.Focus(sessionFindID)
		return true
	case key == "j":
		return s.step(1)
	case key == "k":
		return s.step(-1)
	}
	if key == "Escape" && s.notes.format != "" {
		s.closeNotes()
		s.host.Render()
		return true
	}
	if key == "Escape" && (s.trouble != nil || len(s.refused) > 0) {
		s.dismiss()
		s.host.Render()
		return true
	}
	if s.tab != tabContext || s.samples() == 0 {
		return false
	}
	before := s.selected
	switch {
	case key == "[" || key == "]":
		s.jump(key == "]")
	case key == "+" || key == "=":
		s.zoomBy(0.5)
	case key == "-":
		s.zoomBy(2)
	case key == "0":
		s.zoomOut()
	case inChart && s.walk(key):
	default:
		return false
	}
	if s.selected == before {
		s.host.Render()
	} else {
		if !inChart { // in the chart its value text says it
			s.host.Announce(s.sampleSentence())
		}
		s.host.Render()
	}
	return true
}

// step goes to the next thing of the view that is shown, or back.
func (s *State) step(by int) bool {
	switch {
	case s.empty():
		return false
	case s.tab == tabOverview:
		s.stepSession(by)
	case s.tab == tabContext:
		if s.sample(s.selected + by) {
			s.host.Announce(s.sampleSentence())
		}
	case s.tab == tabCompactions:
		s.stepCard(by, (&CompactionsTab{State: s}).ids())
	case s.tab == tabFindings:
		s.stepCard(by, (&FindingsTab{State: s}).ids())
	default:
		return false
	}
	s.host.Render()
	return true
}

// stepCard moves the focus from card to card of the page that is shown.
func (s *State) stepCard(by int, ids []string) {
	if len(ids) > 0 {
		s.card = min(max(s.card+by, 0), len(ids)-1)
		s.host.Focus(ids[s.card])
	}
}

// walk moves the cursor by a key of the chart.
func (s *State) walk(key string) bool {
	to := s.selected
	switch key {
	case "ArrowLeft", "ArrowDown":
		to--
	case "ArrowRight", "ArrowUp":
		to++
	case "PageDown":
		to -= 10
	case "PageUp":
		to += 10
	case "Home":
		to = 0
	case "End":
		to = s.samples() - 1
	default:
		return false
	}
	s.sample(to)
	return true
}

// sampleSentence tells a sample to those who hear the page.
func (s *State) sampleSentence() string {
	p := samplePanel(s)
	text := p.Title + p.Of
	if p.Big != "" {
		text += ", " + p.Big + " tokens " + p.Mark
	}
	if p.Share != "" {
		text += ", " + p.Share
	}
	if p.When != "" {
		text += ", " + p.When
	}
	return text
}

// newest is the index of the main session that began last among those that were not open before; a subagent only where
// there is no main session among them, and -1 when nothing is new.
func newest(now, before *analysis.List) int {
	known := map[string]bool{}
	if before != nil {
		for _, row := range before.Sessions {
			known[row.ID] = true
		}
	}
	best := -1
	for i, row := range now.Sessions {
		if known[row.ID] {
			continue
		}
		if best < 0 || better(row, now.Sessions[best]) {
			best = i
		}
	}
	return best
}

// better tells whether a session is the one to show first: main before subagent, with requests before without, then the
// one that began last.
func better(a, b analysis.SessionRow) bool {
	if am, bm := a.Parent < 0, b.Parent < 0; am != bm {
		return am
	}
	if ar, br := a.Requests > 0, b.Requests > 0; ar != br {
		return ar
	}
	return a.StartedAt > b.StartedAt
}

// indexOf finds a session by its id; the one to show first when it is gone.
func indexOf(l *analysis.List, id string) int {
	for i, row := range l.Sessions {
		if row.ID == id && id != "" {
			return i
		}
	}
	return newest(l, nil)
}

// sessionName is what a session is called in one line.
func sessionName(row analysis.SessionRow, limit int) string {
	name := words.Plain(row.Title, limit)
	if name == "" {
		name = words.Plain(row.ID, 16)
	}
	return name
}
