package ui

import (
	"testing"

	"contextscope/ui/chart"
)

func TestAStretchIsShownAroundTheCursor(t *testing.T) {
	s, h := opened() // 200 samples
	s.sample(100)
	s.Key("+", false, true)
	if got := s.shown(); got != (chart.Range{From: 50, To: 150}) {
		t.Errorf("half of it around sample 100 is %v", got)
	}
	s.zoomBy(0.5)
	if got := s.shown(); got != (chart.Range{From: 75, To: 125}) {
		t.Errorf("a quarter of it is %v", got)
	}
	if _, ok := s.view.pic.At(h.width - 10); !ok {
		t.Fatal("nothing at the right end")
	}
	if i, _ := s.view.pic.At(h.width - 10); i != 124 {
		t.Errorf("sample %d at the right end, want 124", i)
	}
	has(t, plain(render(t, s)), "76–125 of 200 samples")
	// The cursor takes the stretch along.
	s.Key("End", false, true)
	if got := s.shown(); s.selected != 199 || got != (chart.Range{From: 150, To: 200}) {
		t.Errorf("at the end %v is shown", got)
	}
	s.jump(false)
	if got := s.shown(); s.selected != 110 || got != (chart.Range{From: 110, To: 160}) {
		t.Errorf("at the compaction %v is shown", got)
	}
	s.Key("-", false, true)
	s.Key("0", false, true)
	if s.zoomed() {
		t.Error("not all is shown")
	}
	s.sample(199)
	for range 20 {
		s.zoomBy(0.5)
		if r := s.shown(); s.selected >= r.To {
			t.Fatalf("%v is shown and has not the cursor", r)
		}
	}
	if r := s.shown(); r.To-r.From != leastShown || s.selected < r.From || s.selected >= r.To {
		t.Errorf("at most %v is shown", r)
	}
	s.open(1)
	if s.zoomed() {
		t.Error("another session begins with a stretch")
	}
}

func TestAStretchIsDrawnInTheStrip(t *testing.T) {
	s, h := opened()
	s.sample(0)
	x := func(sample int) float64 { return h.width * (float64(sample) + 0.5) / 200 }
	drag := func(from, to float64) {
		s.Pointed(stripID, from, 10, false)
		s.Pointed(stripID, from, 10, true)
		s.Pointed(stripID, (from+to)/2, 10, true)
		s.Pointed(stripID, to, 10, true)
		s.Pointed(stripID, to, 10, false)
	}
	expect := func(what string, from, to int) {
		t.Helper()
		if got := s.shown(); got != (chart.Range{From: from, To: to}) {
			t.Errorf("%s: %v, want %d to %d", what, got, from, to)
		}
	}
	drag(x(120), x(40))
	expect("drawn from right to left", 40, 121)
	drag(x(80), x(90))
	expect("moved", 50, 131)
	drag(x(80), x(199))
	expect("moved against the end", 119, 200)
	left, _ := s.view.strip.Edges(s.shown())
	drag(left, x(150))
	expect("its left end moved", 150, 200)
	drag(left, x(10)) // far from the stretch: a new one
	expect("a new one", 10, 120)
	s.Pointed(stripID, x(100), 10, false)
	expect("a pointer that only passes", 10, 120)
	s.Pointed(stripID, x(180), 10, true)
	s.Pointed(stripID, x(180), 10, false)
	expect("a press that draws nothing", 10, 120)
}

func TestAFlagInAStretchLeadsToItsOwnBoundary(t *testing.T) {
	s, _ := opened() // a compaction before sample 110, a model switch before 150
	s.showRange(chart.Range{From: 130, To: 180})
	for x := 0.0; x < 904; x++ {
		for y := 0.0; y < 300; y++ {
			if b, ok := s.view.pic.Flag(x, y); ok && b != 1 {
				t.Fatalf("the flag leads to boundary %d, want 1", b)
			} else if ok {
				return
			}
		}
	}
	t.Error("no flag")
}
