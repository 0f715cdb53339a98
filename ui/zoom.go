package ui

import (
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// leastShown is the fewest samples that a stretch has.
const leastShown = 4

// brush is what the pointer does in the strip of the whole session.
type brush struct {
	kind   brushKind
	anchor int         // sample where it began
	before chart.Range // what was shown then
}

type brushKind uint8

const (
	noBrush   brushKind = iota
	newWindow           // a stretch is drawn
	leftEdge            // an end of the stretch is moved
	rightEdge
	pan // the stretch is moved
)

// shown is the stretch of samples that the chart shows.
func (s *State) shown() chart.Range { return s.zoom.Within(s.samples()) }

func (s *State) zoomed() bool { return !s.zoom.Whole(s.samples()) }

// showRange shows a stretch, as wide as it has to be at least.
func (s *State) showRange(r chart.Range) {
	n := s.samples()
	least := min(leastShown, n)
	if r.To-r.From < least {
		middle := (r.From + r.To) / 2
		r = chart.Range{From: middle - least/2, To: middle - least/2 + least}
	}
	if r.From < 0 {
		r = chart.Range{From: 0, To: min(r.To-r.From, n)}
	}
	if r.To > n {
		r = chart.Range{From: max(0, r.From-(r.To-n)), To: n}
	}
	s.zoom = r
	if s.zoom.Whole(n) {
		s.zoom = chart.Range{}
	}
	s.drawContext()
}

// zoomBy shows so many times as many samples around the one with the cursor.
func (s *State) zoomBy(factor float64) {
	r := s.shown()
	width := r.To - r.From
	wide := min(max(int(float64(width)*factor+0.5), leastShown), s.samples())
	if wide == width {
		return
	}
	at := min(max(s.selected, r.From), r.To-1)
	left := float64(at-r.From) / float64(max(width, 1))
	from := at - int(left*float64(wide))
	s.showRange(chart.Range{From: from, To: from + wide})
}

func (s *State) zoomOut() {
	s.zoom = chart.Range{}
	s.drawContext()
}

// follow moves the stretch so that it has the cursor in it.
func (s *State) follow() {
	r := s.shown()
	switch wide := r.To - r.From; {
	case !s.zoomed():
	case s.selected < r.From:
		s.showRange(chart.Range{From: s.selected, To: s.selected + wide})
	case s.selected >= r.To:
		s.showRange(chart.Range{From: s.selected + 1 - wide, To: s.selected + 1})
	}
}

// brushed moves the stretch by the pointer in the strip.
func (s *State) brushed(x float64, pressed bool) {
	st := s.view.strip
	if st == nil || s.view.series != s.series {
		return
	}
	if !pressed {
		if s.brush.kind != noBrush {
			s.brush = brush{}
			s.host.Render()
		}
		return
	}
	at := st.At(x)
	b := &s.brush
	if b.kind == noBrush {
		*b = s.beginBrush(x, at)
		if b.kind == newWindow {
			return
		}
	}
	r := b.before
	switch b.kind {
	case newWindow:
		r = chart.Range{From: min(at, b.anchor), To: max(at, b.anchor) + 1}
		if r.To-r.From < leastShown {
			return
		}
	case leftEdge:
		r.From = min(at, r.To-leastShown)
	case rightEdge:
		r.To = max(at+1, r.From+leastShown)
	case pan:
		by := at - b.anchor
		by = min(max(by, -r.From), s.samples()-r.To)
		r = chart.Range{From: r.From + by, To: r.To + by}
	}
	s.showRange(r)
}

// beginBrush tells what a press in the strip begins.
func (s *State) beginBrush(x float64, at int) brush {
	const reach = 8
	b := brush{kind: newWindow, anchor: at, before: s.shown()}
	if !s.zoomed() {
		return b
	}
	left, right := s.view.strip.Edges(b.before)
	switch {
	case x >= left-reach && x <= left+reach:
		b.kind = leftEdge
	case x >= right-reach && x <= right+reach:
		b.kind = rightEdge
	case x > left && x < right:
		b.kind = pan
	}
	return b
}

// canZoom tells whether there is enough to choose from.
func (c *ContextTab) canZoom() bool { return c.State.samples() >= 2*leastShown }

// shownWords say which stretch is shown, "" for all.
func (c *ContextTab) shownWords() string {
	s := c.State
	if !s.zoomed() {
		return ""
	}
	r := s.shown()
	return words.Tokens(int64(r.From+1)) + "–" + words.Tokens(int64(r.To)) + " of " + words.Count(int64(s.samples()), "sample", "samples")
}
