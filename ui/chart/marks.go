package chart

import (
	"sort"
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// mark is what stands at one place of the x axis: a boundary, or several of a kind that are too close to tell apart.
type mark struct {
	x     float64
	kind  string
	count int
	b     analysis.BoundaryRow // the first of them
	at    int                  // … and its number in the series
}

// hot is the place of a flag, which leads to a boundary.
type hot struct {
	box
	boundary int
}

// Flag tells which boundary's flag is at a point of the picture.
func (pic *Picture) Flag(x, y float64) (boundary int, ok bool) {
	for _, h := range pic.p.hot {
		if x >= h.x && x <= h.x+h.w && y >= h.y && y <= h.y+h.h {
			return h.boundary, true
		}
	}
	return 0, false
}

// marks gathers the boundaries from left to right.
func (p *plot) marks() []mark {
	rows := make([]int, len(p.s.Boundaries))
	for i := range rows {
		rows[i] = i
	}
	sort.SliceStable(rows, func(i, j int) bool { return p.s.Boundaries[rows[i]].Sample < p.s.Boundaries[rows[j]].Sample })
	var all []mark
	last := map[string]int{} // position of the last mark of a kind
	for _, i := range rows {
		b := p.s.Boundaries[i]
		x := p.boundaryX(b.Sample)
		if k, ok := last[b.Kind]; ok && x-all[k].x < 3 {
			all[k].count++
			continue
		}
		last[b.Kind] = len(all)
		all = append(all, mark{x: x, kind: b.Kind, count: 1, b: b, at: p.numbers[i]})
	}
	return all
}

// lost tells of the marks that are drawn in the colour of loss.
func (m mark) lost() bool { return m.kind == "compaction" }

func (m mark) class() string {
	if m.lost() {
		return "mark loss"
	}
	return "mark"
}

// head is the first line of a flag: what happened and what set it off.
func (m mark) head() string {
	if m.count > 1 {
		return strconv.Itoa(m.count) + " × " + words.Boundary(m.kind)
	}
	head := words.BoundaryBy(m.kind, m.b.Evidence)
	if m.b.Trigger != "" {
		head += " · " + words.Plain(m.b.Trigger, 16)
	}
	return head
}

// figures is the second line: reported before and after with the loss, else what the harness itself says.
func (m mark) figures() string {
	b := m.b
	switch {
	case m.count > 1:
		return ""
	case m.kind == "model-switch":
		return words.Plain(b.Model, 28)
	case m.kind == "context-edit" && b.After >= b.Before:
		return "" // what was cleared is less than what came since
	case b.Before > 0 && b.After >= 0:
		text := words.Tokens(b.Before) + " → " + words.Tokens(b.After)
		if d := words.Drop(b.Before, b.After); d != "" {
			text += " (" + d + ")"
		}
		return text
	case b.HarnessTold > 0 && b.HarnessAfter > 0:
		return words.Tokens(b.HarnessTold) + " → " + words.Tokens(b.HarnessAfter) + ", says the harness"
	case b.HarnessTold > 0:
		return words.Tokens(b.HarnessTold) + " before, says the harness"
	}
	return ""
}

// brief is what is left of a flag where there is little room.
func (m mark) brief() string {
	if m.count > 1 {
		return strconv.Itoa(m.count) + "×"
	}
	if m.lost() {
		return words.Drop(m.b.Before, m.b.After)
	}
	return ""
}

func (m mark) title() string {
	if f := m.figures(); f != "" {
		return m.head() + ": " + f
	}
	return m.head()
}

// boundaries draws every mark with its line, and over all lines the flags for which there is room.
func (p *plot) boundaries(taken []box) []Node {
	all := p.marks()
	nodes := make([]Node, 0, 2*len(all))
	for _, m := range all {
		nodes = append(nodes, titled(group(m.class(), line("stem", m.x, p.top-14, m.x, p.bottom)), m.title()))
	}
	for k, f := range p.flags(all, taken) {
		if f != nil {
			nodes = append(nodes, titled(group(all[k].class(), *f), all[k].title()))
		}
	}
	return nodes
}

// flags finds a place for each flag: first whole, then brief. Marks of a loss choose first, the others after them. No
// flag hides the line of a loss.
func (p *plot) flags(all []mark, taken []box) []*Node {
	flags := make([]*Node, len(all))
	for _, m := range all {
		if m.lost() {
			taken = append(taken, box{m.x - 1, p.top, 2, p.bottom - p.top})
		}
	}
	for _, loss := range []bool{true, false} {
		for _, whole := range []bool{true, false} {
			for k, m := range all {
				if flags[k] != nil || m.lost() != loss || !loss && overshadowed(m, all) {
					continue
				}
				if b, ok := p.room(m, whole, taken); ok {
					taken = append(taken, b)
					p.hot = append(p.hot, hot{b, m.at})
					flags[k] = m.flag(b, whole)
				}
			}
		}
	}
	return flags
}

// overshadowed tells of a mark that stands where a loss does, as the clearing that goes with a compaction: one flag there
// is enough, the line has its name.
func overshadowed(m mark, all []mark) bool {
	for _, o := range all {
		if o.lost() && o.x-m.x < 8 && m.x-o.x < 8 {
			return true
		}
	}
	return false
}

// room looks for a free place beside a mark: right of it before left, from the top down, never outside of the plot. A
// place that hides nothing of the context goes before one that does.
func (p *plot) room(m mark, whole bool, taken []box) (found box, ok bool) {
	w, h := m.size(whole)
	if w == 0 {
		return box{}, false
	}
	const gap, air = 5, 3
	for y := p.top + 10; y+h < p.top+(p.bottom-p.top)*0.6; y += h + air {
		for _, x := range []float64{m.x + gap, m.x - gap - w} {
			b := box{x, y, w, h}
			if x < p.left || x+w > p.right || meetsAny(box{x - air, y - air, w + 2*air, h + 2*air}, taken) {
				continue
			}
			if !p.covered(b) {
				return b, true
			}
			if !ok {
				found, ok = b, true
			}
		}
	}
	return found, ok
}

func (m mark) size(whole bool) (w, h float64) {
	if !whole {
		if m.brief() == "" {
			return 0, 0
		}
		return boldWidth(m.brief()) + 12, 20
	}
	w = textWidth(m.head())
	if m.figures() == "" {
		return w + 14, 22
	}
	return max(w, boldWidth(m.figures())) + 14, 38
}

func (m mark) flag(b box, whole bool) *Node {
	g := group("flag")
	r := rect("flag-box", b.x, b.y, b.w, b.h)
	r.Attrs = append(r.Attrs, Attr{"rx", "4"})
	g.Kids = append(g.Kids, r)
	switch {
	case !whole:
		g.Kids = append(g.Kids, label("flag-figures", "middle", b.x+b.w/2, b.y+14, m.brief()))
	case m.figures() == "":
		g.Kids = append(g.Kids, label("flag-head", "start", b.x+7, b.y+15, m.head()))
	default:
		g.Kids = append(g.Kids,
			label("flag-head", "start", b.x+7, b.y+15, m.head()),
			label("flag-figures", "start", b.x+7, b.y+31, m.figures()))
	}
	return &g
}

// rebased marks where a breakdown is measured on another basis than the one before: what follows is no growth of what
// went before.
func (p *plot) rebased() []Node {
	var nodes []Node
	last := ""
	for i := range p.n {
		if !p.broken(i) || i >= len(p.s.Basis) {
			continue
		}
		basis := p.s.Basis[i]
		if last != "" && basis != last {
			x := p.edge[i]
			g := group("mark basis", line("stem", x, p.top, x, p.bottom),
				el("path", "class", "basis-foot", "d", "M"+px(x-4)+" "+px(p.bottom+6)+"h8l-4-6z"))
			nodes = append(nodes, titled(g, "Measured anew from here: "+words.Basis(basis)+" instead of "+words.Basis(last)))
		}
		last = basis
	}
	return nodes
}
