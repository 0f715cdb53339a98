package chart_test

import (
	"math"
	"slices"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

// TestMergedColumnsKeepExtremes draws far more samples than pixels and looks for the highest and lowest report, which
// stand alone among their neighbours, and for the cut.
func TestMergedColumnsKeepExtremes(t *testing.T) {
	s := invented.Plain(6000)
	for i := range s.Reported {
		s.Reported[i] = s.Estimated[i]
	}
	s.Reported[2500], s.Reported[1234] = 190000, 1000
	o := options(0)
	pic := chart.Context(s, o)
	base := 352.0 - 26
	perToken := (base - 26) / 200000
	low, high := math.Inf(1), 0.0
	for _, n := range find(pic.Scene.Nodes, "reported") {
		for _, shape := range walk(t, attr(n, "d")) {
			for _, p := range shape {
				low, high = min(low, base-p.y), max(high, base-p.y)
			}
		}
	}
	if math.Abs(high-190000*perToken) > 0.1 {
		t.Errorf("highest point %.2f px, want %.2f", high, 190000*perToken)
	}
	if math.Abs(low-1000*perToken) > 0.1 {
		t.Errorf("lowest point %.2f px, want %.2f", low, 1000*perToken)
	}
	at := pic.X(2500)
	if got := heightAt(t, find(pic.Scene.Nodes, "reported"), at, base); math.Abs(got-190000*perToken) > 0.1 {
		t.Errorf("at its own place the peak is %.2f px high, want %.2f", got, 190000*perToken)
	}
}

func TestACutIsNeverSmoothedAway(t *testing.T) {
	s := invented.Plain(6000)
	cut := 6000 * 55 / 100
	s.Boundaries = []analysis.BoundaryRow{{Sample: cut, Kind: "compaction", Before: s.Reported[cut-1], After: s.Reported[cut]}}
	pic := chart.Context(s, options(0))
	base := 352.0 - 26
	perToken := (base - 26) / 200000
	line := find(pic.Scene.Nodes, "reported")
	step := (pic.X(cut) - pic.X(cut-1)) / 2
	for _, c := range []struct {
		x    float64
		want int64
	}{{pic.X(cut) - 1.5*step, s.Reported[cut-1]}, {pic.X(cut), s.Reported[cut]}} {
		if got := heightAt(t, line, c.x, base); math.Abs(got-float64(c.want)*perToken) > 1 {
			t.Errorf("at %.2f the line is %.2f px high, want %.2f", c.x, got, float64(c.want)*perToken)
		}
	}
}

func TestMergedLinesReachTheRightEdge(t *testing.T) {
	pic := chart.Context(invented.Plain(6000), options(0))
	last := 0.0
	for _, n := range find(pic.Scene.Nodes, "reported") {
		for _, shape := range walk(t, attr(n, "d")) {
			for k, p := range shape {
				if k > 0 && p.x < shape[k-1].x {
					t.Fatalf("x goes back from %v to %v", shape[k-1].x, p.x)
				}
				last = max(last, p.x)
			}
		}
	}
	if math.Abs(last-900) > 0.1 {
		t.Errorf("the line ends at %v, want 900", last)
	}
}

func TestSplitPathsMeet(t *testing.T) {
	s := invented.Plain(6000)
	for i := range s.Values[9] { // a sawtooth, so that every step counts
		s.Values[9][i] += int64(i * 7919 % 1000 * 40)
		s.Estimated[i] += int64(i * 7919 % 1000 * 40)
	}
	pic := chart.Context(s, options(0))
	paths := find(pic.Scene.Nodes, "area c-results")
	if len(paths) < 2 {
		t.Fatalf("%d paths, want several", len(paths))
	}
	end := math.NaN()
	for k, n := range paths {
		shapes := walk(t, attr(n, "d"))
		if start := shapes[0][0].x; k > 0 && (start > end-1 || start < end-4) {
			t.Errorf("path %d begins at %v, the one before ends at %v: want an overlap of one to four pixels", k, start, end)
		}
		last := shapes[len(shapes)-1]
		end = last[len(last)-1].x
	}
	if math.Abs(end-900) > 0.1 {
		t.Errorf("the last path ends at %v, want 900", end)
	}
}

// TestSplitPathsAgree looks at every sample of a picture whose paths are split: each is as high as its tokens.
func TestSplitPathsAgree(t *testing.T) {
	s := invented.Plain(600)
	for i := range s.Values[9] {
		s.Values[9][i] += int64(i * 7919 % 1000 * 40)
		s.Estimated[i] += int64(i * 7919 % 1000 * 40)
		s.Reported[i] = s.Estimated[i]
	}
	pic := chart.Context(s, options(0))
	paths := find(pic.Scene.Nodes, "area c-results")
	base := 352.0 - 26
	top := slices.Max(s.Reported)
	for i := range s.At {
		want := float64(s.Estimated[i]) * (base - 26) / float64(max(top, 200000))
		if got := heightAt(t, paths, pic.X(i), base); math.Abs(got-want) > 0.11 {
			t.Errorf("sample %d is %.2f px high, want %.2f", i, got, want)
		}
	}
}

func BenchmarkContext5000(b *testing.B) {
	s := invented.Plain(5000)
	b.ReportAllocs()
	for b.Loop() {
		chart.Context(s, options(2500))
	}
}

func BenchmarkContext500Boundaries(b *testing.B) {
	s := invented.Plain(5000)
	for i := 10; i < 5000; i += 10 {
		kind := "context-edit"
		if i%100 == 0 {
			kind = "compaction"
		}
		s.Boundaries = append(s.Boundaries, analysis.BoundaryRow{Sample: i, Kind: kind, Before: 9, After: 4, Model: "m"})
	}
	for b.Loop() {
		chart.Context(s, options(2500))
	}
}

func BenchmarkCursor5000(b *testing.B) {
	pic := chart.Context(invented.Plain(5000), options(2500))
	b.ReportAllocs()
	for b.Loop() {
		pic.Cursor(2500, 1200)
	}
}
