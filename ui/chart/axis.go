package chart

import (
	"math"
	"strconv"

	"contextscope/ui/words"
)

// gutter is the left edge of the plot: the labels of the y axis and some air.
func (p *plot) gutter() float64 {
	widest := 0.0
	for _, t := range p.yTicks() {
		widest = max(widest, textWidth(t.text))
	}
	return math.Ceil(widest) + 12
}

type tick struct {
	at   float64
	text string
}

// yTicks are the grid lines: round figures of tokens, or quarters of a share.
func (p *plot) yTicks() []tick {
	if p.o.Share {
		return []tick{{0, "0%"}, {0.25, "25%"}, {0.5, "50%"}, {0.75, "75%"}, {1, "100%"}}
	}
	step := niceStep(p.high, max(int((p.bottom-p.top)/56), 2))
	var ticks []tick
	for v := int64(0); float64(v) <= p.high; v += step {
		ticks = append(ticks, tick{float64(v), words.Short(v)})
	}
	return ticks
}

func (p *plot) yAxis() Node {
	g := group("axis")
	for _, t := range p.yTicks() {
		y := math.Round(p.level(t.at)) + 0.5
		class := "gridline"
		if t.at == 0 {
			class = "baseline"
		}
		g.Kids = append(g.Kids, line(class, p.left, y, p.right, y), label("tick", "end", p.left-8, y+3.5, t.text))
	}
	return g
}

// xAxis writes the request numbers with their times, or the times alone on a time axis.
func (p *plot) xAxis() Node {
	g := group("axis")
	free := 0.0 // nothing is written yet right of here
	for _, t := range p.xTicks() {
		w := textWidth(t.text)
		x := min(max(t.at-w/2, p.left-4), p.right-w)
		if x < free || t.at > p.right {
			continue
		}
		text := label("tick", "middle", t.at, p.bottom+18, t.text)
		switch {
		case x < t.at-w/2:
			text = label("tick", "end", p.right, p.bottom+18, t.text)
		case x > t.at-w/2:
			text = label("tick", "start", p.left-4, p.bottom+18, t.text)
		}
		g.Kids = append(g.Kids, line("notch", t.at, p.bottom, t.at, p.bottom+4), text)
		free = x + w + 16
	}
	return g
}

func (p *plot) xTicks() []tick {
	if p.n == 0 {
		return nil
	}
	count := max(int((p.right-p.left)/(textWidth("#0000  "+p.clock(p.s.At[0]))+48)), 2)
	if p.o.XTime {
		return p.timeTicks(count)
	}
	step := int(niceStep(float64(p.n), count))
	var ticks []tick
	last := int64(0)
	for i := range p.n {
		n := value(p.s.Request, i)
		if n <= 0 || n == last || !round(n, int64(step)) {
			continue
		}
		last = n
		text := "#" + strconv.FormatInt(n, 10)
		if t := p.clock(value(p.s.At, i)); t != "" {
			text += "\u2002" + t // a space that does not collapse
		}
		ticks = append(ticks, tick{p.edge[i], text})
	}
	return ticks
}

// round tells whether a request number stands under the axis: the first and every step-th; where steps are small, every
// step-th from the first on.
func round(n, step int64) bool {
	if step < 5 {
		return (n-1)%step == 0
	}
	return n == 1 || n%step == 0
}

func (p *plot) timeTicks(count int) []tick {
	t := p.times()
	if t == nil {
		return nil
	}
	first, last := t[0], t[p.n]
	step := niceSeconds(float64(last-first)/1000, count) * 1000
	var ticks []tick
	for ms := (first + step - 1) / step * step; ms <= last; ms += step {
		x := p.left + (p.right-p.left)*float64(ms-first)/float64(last-first)
		ticks = append(ticks, tick{x, p.clock(ms)})
	}
	if len(ticks) == 0 {
		ticks = append(ticks, tick{p.left, p.clock(first)})
	}
	return ticks
}

func (p *plot) clock(ms int64) string {
	if p.o.Clock == nil || ms <= 0 {
		return ""
	}
	return p.o.Clock(ms)
}
