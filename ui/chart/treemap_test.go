package chart

import (
	"math"
	"strings"
	"testing"

	"contextscope/core/analysis"
)

// Each tile has its share of the area, and none lies over another or outside.
func TestTilesShareTheArea(t *testing.T) {
	areas := []float64{600, 300, 200, 100, 50, 25, 25}
	in := area{0, 0, 65, 20}
	out := squarify(areas, in)
	if len(out) != len(areas) {
		t.Fatalf("%d tiles", len(out))
	}
	for i, b := range out {
		if math.Abs(b.w*b.h-areas[i]) > 0.01 {
			t.Errorf("tile %d has an area of %.2f, want %.2f", i, b.w*b.h, areas[i])
		}
		if b.x < -0.001 || b.y < -0.001 || b.x+b.w > in.w+0.001 || b.y+b.h > in.h+0.001 {
			t.Errorf("tile %d lies outside: %+v", i, b)
		}
		for k, o := range out[:i] {
			if min(b.x+b.w, o.x+o.w)-max(b.x, o.x) > 0.001 && min(b.y+b.h, o.y+o.h)-max(b.y, o.y) > 0.001 {
				t.Errorf("tiles %d and %d overlap", i, k)
			}
		}
	}
	for _, areas := range [][]float64{nil, {0}, {1300}, {1300, 0, 0}} {
		if out := squarify(areas, in); len(out) != len(areas) {
			t.Errorf("%v: %v", areas, out)
		}
	}
}

func TestATreemapSaysWhatItShows(t *testing.T) {
	s := Treemap([]analysis.SpreadTile{{Name: "Read", Category: "results", Value: 750}, {Name: "<b>", Category: "prompts", Value: 200}, {Value: 50}}, "tokens", 400)
	if want := "Read 75.0%, <b> 20.0%, All others 5.0% of 1,000 tokens."; s.Desc != want {
		t.Errorf("%q, want %q", s.Desc, want)
	}
	if len(s.Nodes) != 3 || s.Nodes[0].Kids[0].Text != "Read: 750 tokens (75.0%)" || !strings.Contains(s.Nodes[2].Attrs[0].Val, "rest") {
		t.Errorf("%+v", s.Nodes)
	}
	if s := Treemap(nil, "tokens", 400); len(s.Nodes) != 0 || s.Desc == "" {
		t.Errorf("%+v", s)
	}
}
