package chart

import (
	"math"

	"contextscope/core/analysis"
)

// stripHeight is the height of the strip of a whole session.
const stripHeight = 48

// Strip is the whole session in little: what a person chooses a stretch of it from.
type Strip struct {
	Scene Scene
	p     *plot
	still []Node
}

// NewStrip lays the strip of a series out.
func NewStrip(s *analysis.Series, width float64, byTime bool) *Strip {
	p := &plot{s: s, o: Options{Width: width, Height: stripHeight, XTime: byTime}, n: len(s.At)}
	p.top, p.bottom, p.left, p.right = 4, stripHeight-4, 0, max(width, 1)
	p.high = 1
	for i := range p.n {
		p.high = max(p.high, float64(p.figure(i)))
	}
	p.place()
	p.draw = p.choose()
	st := &Strip{p: p, Scene: Scene{Width: width, Height: stripHeight, Title: "The whole session"}}
	pen := pen{area: true, base: tenth(p.bottom), limit: pathLimit}
	for k, i := range p.draw {
		f := p.figure(i)
		if f < 0 {
			pen.lift()
			continue
		}
		y := tenth(p.level(float64(f)))
		if !pen.down {
			pen.start(tenth(p.edge[i]), y)
		}
		pen.step(p.until(k), y)
	}
	for _, d := range pen.paths() {
		st.still = append(st.still, el("path", "class", "strip-area", "d", d))
	}
	for _, b := range s.Boundaries {
		if b.Kind == "compaction" {
			x := p.boundaryX(b.Sample)
			st.still = append(st.still, line("strip-cut", x, 0, x, stripHeight))
		}
	}
	return st
}

// Shown is the strip with the stretch that is shown and the sample with the cursor marked.
func (st *Strip) Shown(r Range, selected int) *Scene {
	sc := st.Scene
	p := st.p
	sc.Nodes = append(make([]Node, 0, len(st.still)+1), st.still...)
	g := group("strip-window")
	r = r.Within(p.n)
	if !r.Whole(p.n) {
		left, right := st.Edges(r)
		g.Kids = append(g.Kids, rect("strip-out", 0, 0, left, stripHeight), rect("strip-out", right, 0, p.right-right, stripHeight),
			rect("strip-in", left, 0.5, right-left, stripHeight-1))
		for _, x := range []float64{left, right} {
			h := rect("strip-handle", x-2, stripHeight/2-8, 4, 16)
			h.Attrs = append(h.Attrs, Attr{"rx", "2"})
			g.Kids = append(g.Kids, h)
		}
	}
	if selected >= 0 && selected < p.n {
		x := p.middle(selected)
		g.Kids = append(g.Kids, line("strip-here", x, 0, x, stripHeight))
	}
	sc.Nodes = append(sc.Nodes, g)
	return &sc
}

// Edges are the left and the right end of a range.
func (st *Strip) Edges(r Range) (left, right float64) {
	r = r.Within(st.p.n)
	return st.p.edge[r.From], st.p.edge[r.To]
}

// At is the sample under an x position; positions beside the strip are those of its ends.
func (st *Strip) At(x float64) int {
	i, _ := st.p.at(math.Min(math.Max(x, st.p.left), st.p.right))
	return i
}
