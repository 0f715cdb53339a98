package chart

import (
	"contextscope/core/analysis"
	"contextscope/ui/words"
)

const (
	mapHeight = 168.0
	tileGap   = 1.0
)

// Treemap shows groups as areas: each tile is as large as its share of the whole, the largest at the left. unit says what the
// areas stand for: "tokens", "pieces".
func Treemap(tiles []analysis.SpreadTile, unit string, width float64) *Scene {
	s := &Scene{Width: width, Height: mapHeight, Title: "Shares of the groups", Desc: "There is nothing to compare."}
	var whole int64
	for _, t := range tiles {
		whole += max(t.Value, 0)
	}
	if whole <= 0 || width <= 0 {
		return s
	}
	areas := make([]float64, len(tiles))
	for i, t := range tiles {
		areas[i] = float64(max(t.Value, 0)) / float64(whole) * width * mapHeight
	}
	desc := ""
	for i, b := range squarify(areas, area{0, 0, width, mapHeight}) {
		t := tiles[i]
		name, share := words.Plain(t.Name, 120), words.Percent(t.Value, whole)
		class := "tile " + words.Class(t.Category)
		if t.Name == "" {
			name, class = "All others", "tile rest"
		}
		if i < 6 {
			desc = listed(desc, name+" "+share)
		}
		s.Nodes = append(s.Nodes, titled(group(class, tile(b, name, share)...), name+": "+words.Tokens(t.Value)+" "+unit+" ("+share+")"))
	}
	s.Desc = desc + " of " + words.Tokens(whole) + " " + unit + "."
	return s
}

// tile is an area with its name and share, as far as they fit in.
func tile(b area, name, share string) []Node {
	nodes := []Node{rect("tile-area", b.x, b.y, b.w-tileGap, b.h-tileGap)}
	const margin, line = 6.0, 16.0
	if b.h < line+margin || b.w < 40 {
		return nodes
	}
	fits := clipped(name, b.w-2*margin)
	if fits == "" {
		return nodes
	}
	nodes = append(nodes, label("tile-name", "start", b.x+margin, b.y+line, fits))
	if b.h >= 2*line+margin && textWidth(share) <= b.w-2*margin {
		nodes = append(nodes, label("tile-share", "start", b.x+margin, b.y+2*line, share))
	}
	return nodes
}

// clipped is the beginning of a bold text that fits into a width, "" where next to nothing would.
func clipped(text string, width float64) string {
	if boldWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n >= 4; n-- {
		if short := string(runes[:n]) + "…"; boldWidth(short) <= width {
			return short
		}
	}
	return ""
}

type area struct{ x, y, w, h float64 }

// squarify lays areas, the largest first, into an area so that they come close to squares: rows along the shorter side, each as long
// as its tiles get no slimmer by it (Bruls, Huizing and van Wijk, 2000).
func squarify(areas []float64, in area) []area {
	out := make([]area, 0, len(areas))
	for len(areas) > 0 {
		side := min(in.w, in.h)
		n, sum := 1, areas[0]
		for n < len(areas) && slimmest(areas[:n+1], sum+areas[n], side) <= slimmest(areas[:n], sum, side) {
			sum += areas[n]
			n++
		}
		if n == len(areas) {
			sum = in.w * in.h // what rounding left over
		}
		out, in = row(out, areas[:n], sum, in)
		areas = areas[n:]
	}
	return out
}

// slimmest is the worst ratio of the sides in a row along a side.
func slimmest(row []float64, sum, side float64) float64 {
	if sum <= 0 || side <= 0 {
		return 1
	}
	worst := 1.0
	for _, a := range row {
		if a <= 0 {
			continue
		}
		r := side * side * a / (sum * sum)
		worst = max(worst, r, 1/r)
	}
	return worst
}

// row places a row and returns what is left of the area.
func row(out []area, areas []float64, sum float64, in area) ([]area, area) {
	along := in.h
	if in.w < in.h {
		along = in.w
	}
	if along <= 0 {
		along = 1
	}
	thick, at := sum/along, 0.0
	var total float64
	for _, a := range areas {
		total += a
	}
	for _, a := range areas {
		length := 0.0
		if total > 0 {
			length = a / total * along
		}
		if in.w >= in.h {
			out = append(out, area{in.x, in.y + at, thick, length})
		} else {
			out = append(out, area{in.x + at, in.y, length, thick})
		}
		at += length
	}
	if in.w >= in.h {
		return out, area{in.x + thick, in.y, max(in.w-thick, 0), in.h}
	}
	return out, area{in.x, in.y + thick, in.w, max(in.h-thick, 0)}
}
