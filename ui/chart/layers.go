package chart

import "contextscope/ui/words"

// layers are the stacked areas and the line of the reported total. Areas are painted from the highest down, each one to
// the base line: the lower ones cover the rest, no seam shows between two of them, and a path needs its upper edge only.
func (p *plot) layers(hatchID string) []Node {
	var nodes []Node
	class := "area"
	if p.merged {
		class = "area fine" // a column narrower than a pixel must be blended, not dropped
	}
	for _, d := range p.areaPaths(p.remainderTop) {
		nodes = append(nodes, el("path", "class", class+" remainder", "fill", "url(#"+hatchID+")", "d", d))
	}
	tops := p.tops()
	for c := len(tops) - 1; c >= 0; c-- {
		key := p.s.Categories[c]
		top := tops[c]
		paths := p.areaPaths(func(i int) (int64, bool) { return top[i], p.broken(i) })
		for k, d := range paths {
			n := el("path", "class", class+" "+words.Class(key), "d", d)
			if k == 0 {
				n = titled(n, words.Category(key))
			}
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// tops are the upper edges of the categories, summed from the bottom; 0 where a category is absent, so that nothing of
// its colour shows along the edge of the one below.
func (p *plot) tops() [][]int64 {
	sum := make([]int64, p.n)
	tops := make([][]int64, len(p.s.Categories))
	for c := range p.s.Categories {
		tops[c] = make([]int64, p.n)
		if c >= len(p.s.Values) {
			continue
		}
		for i := range p.n {
			if v := value(p.s.Values[c], i); v > 0 {
				sum[i] += v
				tops[c][i] = sum[i]
			}
		}
	}
	return tops
}

// remainderTop is the upper edge of what was reported but not measured: only where the report is above the estimate.
func (p *plot) remainderTop(i int) (int64, bool) {
	if !p.broken(i) {
		return 0, false
	}
	if r := p.reported(i); r > p.estimated(i) {
		return r, true
	}
	return 0, true
}

// areaPaths draws one area. top gives its upper edge at a sample, and whether there is anything at all.
func (p *plot) areaPaths(top func(i int) (int64, bool)) []string {
	base := tenth(p.bottom)
	pen := pen{area: true, base: base, limit: pathLimit}
	some := false
	for k, i := range p.draw {
		v, ok := top(i)
		if !ok {
			pen.lift()
			continue
		}
		some = some || v > 0
		y := base
		if v > 0 {
			y = tenth(p.y(i, v))
		}
		if !pen.down {
			pen.start(tenth(p.edge[i]), y)
		}
		pen.step(p.until(k), y)
	}
	paths := pen.paths()
	if !some {
		return nil
	}
	return paths
}

// until is the x, in tenths, to which the drawn sample number k holds.
func (p *plot) until(k int) int {
	if k+1 < len(p.draw) {
		return tenth(p.edge[p.draw[k+1]])
	}
	return tenth(p.right)
}

// reportedLine is the stepped line of the provider's figures. It breaks where none was recorded.
func (p *plot) reportedLine() []Node {
	if p.o.Share {
		return nil
	}
	pen := pen{limit: pathLimit}
	for k, i := range p.draw {
		r := p.reported(i)
		if r < 0 {
			pen.lift()
			continue
		}
		y := tenth(p.y(i, r))
		if !pen.down {
			pen.start(tenth(p.edge[i]), y)
		}
		pen.step(p.until(k), y)
	}
	var nodes []Node
	for _, d := range pen.paths() {
		nodes = append(nodes, el("path", "class", "reported", "d", d))
	}
	return nodes
}

// unrecorded says so where a stretch of samples has no breakdown, if the stretch is wide enough for the words.
func (p *plot) unrecorded() []Node {
	const note = "no breakdown recorded"
	var nodes []Node
	for i := 0; i < p.n; {
		if p.broken(i) {
			i++
			continue
		}
		j := i
		for j < p.n && !p.broken(j) {
			j++
		}
		if p.edge[j]-p.edge[i] > textWidth(note)+16 {
			nodes = append(nodes, label("note", "middle", (p.edge[i]+p.edge[j])/2, p.bottom-10, note))
		}
		i = j
	}
	return nodes
}
