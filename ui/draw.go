package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/chart"
)

// Elements that Vugu leaves empty and the Host draws into.
const (
	contextID  = "context-chart"
	stripID    = "context-strip"
	capacityID = "capacity-bar"
	overviewID = "overview-bar"
)

// Rendered: Vugu has rendered; pictures are drawn into their elements.
func (s *State) Rendered() {
	for _, draw := range s.Pieces() {
		draw()
	}
}

// Pieces are what is to be drawn after a render, each for itself: a browser may take its turn in between, and the State may change
// meanwhile.
func (s *State) Pieces() []func() {
	var all []func()
	if r := &s.record; r.open && r.got != nil && !r.there {
		all = append(all, s.writeRecord)
	}
	switch s.tab {
	case tabContext:
		all = append(all, s.layoutContext, s.drawCursor, s.drawStrip, s.drawCapacity, s.drawSpread)
	case tabOverview:
		all = append(all, s.drawOverview, s.drawPair)
	}
	return all
}

func (s *State) drawOverview() {
	if w := s.host.Width(overviewID); w > 0 && s.list != nil {
		s.host.Draw(overviewID, chart.Overview(s.list.Overview, w))
	}
}

func (s *State) drawCapacity() {
	if s.series == nil || s.samples() == 0 {
		return
	}
	if w := s.host.Width(capacityID); w > 0 {
		s.host.Draw(capacityID, chart.Capacity(s.series, s.selected, w))
	}
}

func (s *State) drawSpread() {
	if s.lower != lowerSpread || s.spread.got == nil {
		return
	}
	if w := s.host.Width(spreadID); w > 0 {
		s.host.Draw(spreadID, chart.Treemap(s.spread.got.Tiles, s.spreadUnit(), w))
	}
}

// Resized: the width of the page has changed; pictures are laid out anew.
func (s *State) Resized() { s.Rendered() }

// drawContext draws the chart with its cursor. It lays out only what has changed since.
func (s *State) drawContext() {
	s.layoutContext()
	s.drawCursor()
	s.drawStrip()
}

func (s *State) layoutContext() {
	if s.tab != tabContext || s.series == nil {
		return
	}
	if w := s.host.Width(contextID); w > 0 {
		s.layout(w)
	}
}

func (s *State) drawStrip() {
	if s.tab == tabContext && s.view.strip != nil && s.view.series == s.series {
		s.host.Draw(stripID, s.view.strip.Shown(s.zoom, s.selected))
	}
}

// drawCursor draws the chart that is laid out already.
func (s *State) drawCursor() {
	if s.tab == tabContext && s.view.pic != nil && s.view.series == s.series {
		s.host.Draw(contextID, s.view.pic.Cursor(s.selected, s.hover))
	}
}

// layout makes the picture anew when the series, the width or the axes have changed.
func (s *State) layout(width float64) {
	o := chart.Options{Width: width, Height: heightFor(width), Shown: s.zoom, Selected: s.selected, XTime: s.byTime, Share: s.share}
	v := &s.view
	same := v.pic != nil && v.series == s.series && v.o.Width == o.Width && v.o.XTime == o.XTime
	if same && v.o.Share == o.Share && v.o.Shown == o.Shown {
		return
	}
	if !same {
		v.strip = nil
		if s.samples() >= 2*leastShown {
			v.strip = chart.NewStrip(s.series, width, s.byTime)
		}
	}
	v.series, v.o = s.series, o
	o.Clock = s.axisClock()
	v.pic = chart.Context(s.series, o)
}

// heightFor is the height of the chart: the style sheet keeps the same room free before anything is drawn.
func heightFor(width float64) float64 {
	switch {
	case width < 540:
		return 260
	case width < 860:
		return 340
	}
	return 460
}

// axisClock writes the day as well where a session is longer than one.
func (s *State) axisClock() func(ms int64) string {
	c := s.clock()
	if first, last := ends(s.series); last-first > 20*3600*1000 {
		return c.DayMinute
	}
	return c.Minute
}

// ends are the first and the last known moment of a series.
func ends(series *analysis.Series) (first, last int64) {
	for _, at := range series.At {
		if at > 0 && (first == 0 || at < first) {
			first = at
		}
		last = max(last, at)
	}
	return first, last
}

// Pointed: the pointer is at x, y inside the picture with that element id; pressed when the main button is down.
func (s *State) Pointed(id string, x, y float64, pressed bool) {
	if id == stripID {
		s.brushed(x, pressed)
		return
	}
	if id != contextID || s.tab != tabContext || s.view.pic == nil || s.view.series != s.series {
		return
	}
	i, ok := s.view.pic.At(x)
	if !ok || i >= s.samples() {
		s.Left(id)
		return
	}
	fresh := pressed && !s.down
	s.down = pressed
	if fresh {
		if b, ok := s.view.pic.Flag(x, y); ok {
			s.down = false
			s.toCard(b)
			s.host.Render()
			return
		}
	}
	if pressed {
		if s.sample(i) {
			s.host.Render()
		}
		return
	}
	if i != s.hover {
		s.hover = i
		s.drawCursor()
	}
}

// Left: the pointer has left the picture.
func (s *State) Left(id string) {
	s.down = false
	if id == stripID {
		s.brushed(0, false)
	}
	if id == contextID && s.hover >= 0 {
		s.hover = -1
		s.drawCursor()
	}
}
