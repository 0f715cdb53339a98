package chart

import (
	"math"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// box is a place that is taken: no two labels may share one.
type box struct{ x, y, w, h float64 }

func (b box) meets(o box) bool {
	return b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h
}

// span is a stretch of samples from one up to another with the same limit.
type span struct {
	from, to int
	tokens   int64
	source   string
}

// windowSpans are the stretches of one window and source; unknown stretches are left out.
func (p *plot) windowSpans() []span {
	return p.spans(p.s.Window, func(i int) string {
		if i < len(p.s.WindowFrom) {
			return p.s.WindowFrom[i]
		}
		return ""
	})
}

func (p *plot) spans(column []int64, source func(int) string) []span {
	var all []span
	for i := range p.n {
		v := value(column, i)
		if v <= 0 {
			continue
		}
		s := source(i)
		if k := len(all) - 1; k >= 0 && all[k].to == i && all[k].tokens == v && all[k].source == s {
			all[k].to++
			continue
		}
		all = append(all, span{i, i + 1, v, s})
	}
	return all
}

// limits draws the windows with their sources, and the thresholds, and tells which places their labels take.
func (p *plot) limits() ([]Node, []box) {
	if p.o.Share {
		return nil, nil
	}
	var nodes []Node
	var taken []box
	windows := p.windowSpans()
	for k, s := range windows {
		x1, x2 := p.edge[s.from], p.edge[s.to]
		inside := float64(s.tokens) <= p.high
		y := p.top
		if inside {
			y = math.Round(p.level(float64(s.tokens))) + 0.5
			nodes = append(nodes, line("window", x1, y, x2, y))
		}
		text := windowLabel(s.tokens, s.source)
		if !inside {
			text = "↑ " + text
		}
		b, anchor, ok := p.limitLabel(text, s, y, k == len(windows)-1)
		if !ok || meetsAny(b, taken) {
			continue
		}
		taken = append(taken, b)
		x := b.x
		if anchor == "end" {
			x += b.w
		}
		nodes = append(nodes, label("limit", anchor, x, y-6, text))
	}
	for _, s := range p.spans(p.s.Threshold, func(int) string { return "" }) {
		if float64(s.tokens) <= p.high {
			y := math.Round(p.level(float64(s.tokens))) + 0.5
			nodes = append(nodes, line("threshold", p.edge[s.from], y, p.edge[s.to], y))
		}
	}
	return nodes, taken
}

// limitLabel finds the place of a window's label: over the right end of its line, or over the left one where the context
// itself reaches up to the right one. A stretch that is too short for its label has none, unless it is the last.
func (p *plot) limitLabel(text string, s span, y float64, last bool) (b box, anchor string, ok bool) {
	w := textWidth(text)
	x1, x2 := p.edge[s.from], p.edge[s.to]
	if w > x2-x1 {
		if !last {
			return box{}, "", false
		}
		x1, x2 = p.left, p.right
	}
	right := box{x2 - w, y - 18, w, 16}
	left := box{x1, y - 18, w, 16}
	if right.x < p.left {
		return left, "start", true
	}
	if p.covered(right) && !p.covered(left) {
		return left, "start", true
	}
	return right, "end", true
}

// covered tells whether the context reaches into a place.
func (p *plot) covered(b box) bool {
	first, _ := p.at(b.x)
	for i := first; i < p.n && p.edge[i] < b.x+b.w; i++ {
		if p.whole(i) > 0 && p.y(i, p.whole(i)) < b.y+b.h {
			return true
		}
	}
	return false
}

func windowLabel(tokens int64, source string) string {
	text := "window " + words.Tokens(tokens)
	if s := words.WindowSource(source); s != "" {
		text += " · " + s
	}
	return text
}

func meetsAny(b box, taken []box) bool {
	for _, t := range taken {
		if b.meets(t) {
			return true
		}
	}
	return false
}

// HasThreshold tells whether a legend has to name the dotted line.
func HasThreshold(s *analysis.Series) bool {
	for _, t := range s.Threshold {
		if t > 0 {
			return true
		}
	}
	return false
}
