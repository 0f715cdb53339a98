package chart

import (
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// Picture is a laid-out series: its scene, and the way back from a position to a sample. Moving the cursor makes a new
// scene out of the nodes that are there already.
type Picture struct {
	Scene Scene
	p     *plot
	still []Node // all nodes but the cursor
}

// Context lays a series out: stacked stepped areas of the estimate by category, the reported total as a line over them,
// what was reported but not measured as a hatched band between the two, windows, thresholds and boundaries.
func Context(s *analysis.Series, o Options) *Picture {
	if len(s.At) == 0 && len(s.Totals) > 0 {
		s = ofTotals(s)
		o.XTime = true
	}
	if o.ID == "" {
		o.ID = "context"
	}
	whole := s
	s, numbers := stretch(s, o.Shown)
	p := newPlot(s, o)
	p.from, p.numbers = o.Shown.Within(len(whole.At)).From, numbers
	pic := &Picture{p: p, Scene: Scene{Width: o.Width, Height: o.Height, Title: "Context over time", Desc: Describe(whole, o.Share)}}
	hatchID := o.ID + "-hatch"
	limits, taken := p.limits()
	pic.still = append(pic.still, hatch(hatchID), p.yAxis())
	pic.still = append(pic.still, group("layers", p.layers(hatchID)...))
	pic.still = append(pic.still, group("lines", append(limits, p.reportedLine()...)...))
	pic.still = append(pic.still, group("notes", p.unrecorded()...))
	pic.still = append(pic.still, p.xAxis())
	pic.still = append(pic.still, group("marks", append(p.rebased(), p.boundaries(taken)...)...))
	if p.n == 0 {
		pic.still = append(pic.still, label("note", "middle", (p.left+p.right)/2, (p.top+p.bottom)/2, "No request was recorded"))
	}
	pic.Scene.Nodes = pic.Cursor(o.Selected, -1).Nodes
	return pic
}

// At is the sample under an x position inside the picture.
func (pic *Picture) At(x float64) (sample int, ok bool) {
	sample, ok = pic.p.at(x)
	return sample + pic.p.from, ok
}

// X is the position of a sample that is shown: the middle of its step.
func (pic *Picture) X(sample int) float64 { return pic.p.middle(sample - pic.p.from) }

// Cursor is the same picture with the cursor on one sample and the pointer over another, -1 for none.
func (pic *Picture) Cursor(selected, hover int) *Scene {
	sc := pic.Scene
	sc.Nodes = make([]Node, 0, len(pic.still)+1)
	sc.Nodes = append(append(sc.Nodes, pic.still...), pic.p.cursor(selected-pic.p.from, hover-pic.p.from))
	return &sc
}

// ofTotals makes a series of a recording that has totals and no samples.
func ofTotals(s *analysis.Series) *analysis.Series {
	t := &analysis.Series{Session: s.Session, Boundaries: s.Boundaries, Requests: s.Requests}
	for _, at := range s.Totals {
		t.At = append(t.At, at.At)
		t.Reported = append(t.Reported, at.Tokens)
		t.Estimated = append(t.Estimated, analysis.Unknown)
		t.Window = append(t.Window, at.Window)
		t.WindowFrom = append(t.WindowFrom, "journal")
	}
	return t
}

// cursor is drawn last. It is always one group, so that patching a scene touches nothing else.
func (p *plot) cursor(selected, hover int) Node {
	g := group("cursor")
	if hover >= 0 && hover < p.n && hover != selected {
		x := p.middle(hover)
		g.Kids = append(g.Kids, line("hover", x, p.top, x, p.bottom))
		g.Kids = append(g.Kids, p.readout(hover)...)
	}
	if selected < 0 || selected >= p.n {
		return g
	}
	x := p.middle(selected)
	w := min(max(p.edge[selected+1]-p.edge[selected], 2), 8)
	g.Kids = append(g.Kids, rect("band", x-w/2, p.top-14, w, p.bottom-p.top+14))
	if f := p.figure(selected); f >= 0 {
		g.Kids = append(g.Kids, el("circle", "class", "dot", "cx", px(x), "cy", px(p.y(selected, f)), "r", "4.5"))
	}
	return g
}

// readout says under the axis what the pointer is over.
func (p *plot) readout(i int) []Node {
	text := p.name(i)
	if t := p.clock(value(p.s.At, i)); t != "" {
		text += " · " + t
	}
	if f := p.figure(i); f >= 0 {
		text += " · " + words.Tokens(f)
		if p.reported(i) < 0 {
			text += " estimated"
		}
	}
	w := textWidth(text) + 16
	x := min(max(p.middle(i)-w/2, 0), p.o.Width-w)
	r := rect("readout", x, p.bottom+4, w, 20)
	r.Attrs = append(r.Attrs, Attr{"rx", "10"})
	return []Node{r, label("readout-text", "middle", x+w/2, p.bottom+18, text)}
}

func (p *plot) name(i int) string {
	if n := value(p.s.Request, i); n > 0 {
		return "#" + strconv.FormatInt(n, 10)
	}
	if i < len(p.s.Kind) && p.s.Kind[i] == "compaction" {
		return "after compaction"
	}
	return "sample " + strconv.Itoa(p.from+i+1)
}

// Describe is the sentence for those who do not see the picture.
func Describe(s *analysis.Series, share bool) string {
	if len(s.At) == 0 && len(s.Totals) > 0 {
		s = ofTotals(s)
	}
	p := &plot{s: s, n: len(s.At)}
	if p.n == 0 {
		return "No request was recorded."
	}
	top, breakdowns, reports := 0, 0, 0
	for i := range p.n {
		if p.figure(i) > p.figure(top) {
			top = i
		}
		if p.broken(i) {
			breakdowns++
		}
		if p.reported(i) >= 0 {
			reports++
		}
	}
	var b strings.Builder
	b.WriteString("Context of " + words.Count(int64(p.n), "sample", "samples"))
	if f := p.figure(top); f >= 0 {
		b.WriteString(": " + p.told(0) + " at first, " + p.told(top) + " at most, " + p.told(p.n-1) + " at last")
	}
	b.WriteString(". ")
	if n := p.compactions(); n > 0 {
		b.WriteString("Compacted " + words.Times(int64(n)) + ". ")
	}
	b.WriteString(colours(share, breakdowns, reports))
	return b.String()
}

func colours(share bool, breakdowns, reports int) string {
	switch {
	case breakdowns == 0:
		return "The line is the reported input; no breakdown was recorded."
	case share:
		return "Colours are each category’s share of a request; hatched is what was reported but not measured."
	case reports == 0:
		return "Colours are estimates by category; nothing was reported."
	}
	return "Colours are estimates by category, the line is the reported input, hatched between them is what was not measured."
}

func (p *plot) told(i int) string {
	f := p.figure(i)
	if f < 0 {
		return "an unrecorded size"
	}
	if p.reported(i) < 0 {
		return "an estimated " + words.Count(f, "token", "tokens")
	}
	return words.Count(f, "token", "tokens")
}

func (p *plot) compactions() int {
	n := 0
	for _, b := range p.s.Boundaries {
		if b.Kind == "compaction" {
			n++
		}
	}
	return n
}
