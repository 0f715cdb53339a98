package chart

import (
	"slices"
	"sort"

	"contextscope/core/analysis"
)

// Options say how a series is to be drawn.
type Options struct {
	Width, Height float64
	Shown         Range // of the samples; the zero value shows all
	Selected      int   // sample with the cursor, -1 for none
	XTime         bool  // the x axis is time; else every sample is as wide as any other
	High          int64 // tokens that the y axis reaches at least
	Share         bool  // the y axis is the share of each request instead of tokens
	Clock         func(ms int64) string
	ID            string // prefix of the ids inside the scene; "context" when empty
}

// plot is the geometry of one picture: where each sample begins and how high a token is.
type plot struct {
	s                        *analysis.Series
	o                        Options
	n                        int
	edge                     []float64 // left edge of each sample and, last, the right end of the plot
	left, right, top, bottom float64
	high                     float64 // tokens at the upper end of the plot
	merged                   bool    // several samples share a pixel
	draw                     []int   // samples that are drawn
	from                     int     // what the first sample is in the whole series
	numbers                  []int   // what each boundary is there
	hot                      []hot   // flags that lead to a boundary
}

const (
	marginTop    = 26.0 // room for the label of a window that is the highest line
	marginBottom = 26.0
	marginRight  = 4.0
)

func newPlot(s *analysis.Series, o Options) *plot {
	p := &plot{s: s, o: o, n: len(s.At)}
	p.top, p.bottom = marginTop, max(o.Height-marginBottom, marginTop+1)
	p.high = p.peak()
	p.left = p.gutter()
	p.right = max(o.Width-marginRight, p.left+1)
	p.place()
	p.draw = p.choose()
	return p
}

// value reads a column; what it does not hold is unknown.
func value(column []int64, i int) int64 {
	if i < 0 || i >= len(column) {
		return analysis.Unknown
	}
	return column[i]
}

func (p *plot) reported(i int) int64  { return value(p.s.Reported, i) }
func (p *plot) broken(i int) bool     { return i >= 0 && i < len(p.s.Breakdown) && p.s.Breakdown[i] }
func (p *plot) estimated(i int) int64 { return value(p.s.Estimated, i) }

// figure is the size of a sample: reported where it was reported, else estimated.
func (p *plot) figure(i int) int64 {
	if r := p.reported(i); r >= 0 {
		return r
	}
	return p.estimated(i)
}

// whole is what the share of a sample is taken of: the report, or the estimate where that is higher or alone.
func (p *plot) whole(i int) int64 { return max(p.reported(i), p.estimated(i)) }

// peak is the highest figure that the plot has to hold. A window far above everything is left out, since it would
// press the picture flat; its label then stands at the upper edge.
func (p *plot) peak() float64 {
	if p.o.Share {
		return 1
	}
	var top int64 = 1
	for i := range p.n {
		top = max(top, p.whole(i))
	}
	data := top
	for i := range p.n {
		if w := value(p.s.Window, i); w > 0 && w <= 3*data {
			top = max(top, w)
		}
	}
	return float64(max(top, p.o.High))
}

// Peak is how high the y axis of a series reaches.
func Peak(s *analysis.Series) int64 {
	if len(s.At) == 0 && len(s.Totals) > 0 {
		s = ofTotals(s)
	}
	return int64((&plot{s: s, n: len(s.At)}).peak())
}

// y is the height of so many tokens of sample i.
func (p *plot) y(i int, tokens int64) float64 {
	v := float64(tokens)
	if p.o.Share {
		w := p.whole(i)
		if w <= 0 {
			return p.bottom
		}
		v /= float64(w)
	}
	return p.level(v)
}

// level is the height of a value on the y axis.
func (p *plot) level(v float64) float64 { return p.bottom - v/p.high*(p.bottom-p.top) }

// place gives every sample its left edge. Samples hold until the next; the last one has width too.
func (p *plot) place() {
	p.edge = make([]float64, p.n+1)
	wide := p.right - p.left
	if p.o.XTime && p.placeByTime(wide) {
		return
	}
	p.o.XTime = false
	for i := range p.edge {
		p.edge[i] = p.left + wide*float64(i)/float64(max(p.n, 1))
	}
}

// placeByTime reports whether the series has times at all. Times that go back, as clocks do, stand still instead.
func (p *plot) placeByTime(wide float64) bool {
	t := p.times()
	if len(t) == 0 {
		return false
	}
	span := float64(t[p.n] - t[0])
	for i := range p.edge {
		p.edge[i] = p.left + wide*float64(t[i]-t[0])/span
	}
	return true
}

// times are the begin of every sample and the end of the last, never going back; nil when nothing was recorded.
func (p *plot) times() []int64 {
	first := slices.IndexFunc(p.s.At, func(ms int64) bool { return ms > 0 })
	if first < 0 {
		return nil
	}
	t := make([]int64, p.n+1)
	last := p.s.At[first]
	for i, at := range p.s.At {
		last = max(last, at)
		t[i] = last
	}
	span := last - t[0]
	t[p.n] = max(last+max(span/200, 1), p.s.Session.EndedAt)
	return t
}

// at is the sample under an x position.
func (p *plot) at(x float64) (int, bool) {
	const reach = 6
	if p.n == 0 || x < p.left-reach || x > p.right+reach {
		return 0, false
	}
	i := sort.Search(p.n, func(i int) bool { return p.edge[i] > x }) - 1
	return min(max(i, 0), p.n-1), true
}

// middle is the x in the middle of a sample.
func (p *plot) middle(i int) float64 { return (p.edge[i] + p.edge[i+1]) / 2 }

// boundaryX is where a boundary stands: at the left edge of the first sample after it.
func (p *plot) boundaryX(sample int) float64 { return p.edge[min(max(sample, 0), p.n)] }
