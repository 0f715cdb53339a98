package chart_test

import (
	"math"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

type area struct{ x, y, w, h float64 }

func boxOf(t *testing.T, n chart.Node) area {
	t.Helper()
	return area{number(t, attr(n, "x")), number(t, attr(n, "y")), number(t, attr(n, "width")), number(t, attr(n, "height"))}
}

func (a area) meets(b area) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// compacted is a series of n samples with a compaction before each of these.
func compacted(n int, at ...int) *analysis.Series {
	s := invented.Plain(n)
	for _, i := range at {
		s.Boundaries = append(s.Boundaries, analysis.BoundaryRow{Sample: i, Kind: "compaction", Trigger: "auto", Before: 165863, After: 44030})
	}
	return s
}

func every(n, step int) []int {
	var all []int
	for i := step; i <= n; i += step {
		all = append(all, i)
	}
	return all
}

func lossLines(t *testing.T, pic *chart.Picture) []float64 {
	var all []float64
	for _, m := range find(pic.Scene.Nodes, "mark loss") {
		for _, n := range find(m.Kids, "stem") {
			all = append(all, number(t, attr(n, "x1")))
		}
	}
	return all
}

func TestFlagsNeverOverlapNorLeaveThePlot(t *testing.T) {
	series := map[string]*analysis.Series{
		"one":     compacted(100, 55),
		"first":   compacted(100, 0),
		"end":     compacted(100, 100),
		"pair":    compacted(100, 50, 51),
		"many":    compacted(400, every(400, 20)...),
		"crowded": compacted(400, every(400, 2)...),
		"rich":    invented.Rich(),
	}
	for name, s := range series {
		for _, width := range []float64{240, 420, 904, 1800} {
			o := options(0)
			o.Width = width
			pic := chart.Context(s, o)
			var boxes []area
			for _, n := range find(pic.Scene.Nodes, "flag-box") {
				boxes = append(boxes, boxOf(t, n))
			}
			if name == "one" && len(boxes) != 1 {
				t.Errorf("%s at %v px: %d flags, want 1", name, width, len(boxes))
			}
			for i, b := range boxes {
				if b.x < 0 || b.x+b.w > width || b.y < 0 || b.y+b.h > 326 {
					t.Errorf("%s at %v px: flag %v leaves the plot", name, width, b)
				}
				for _, x := range lossLines(t, pic) {
					if b.x < x && x < b.x+b.w {
						t.Errorf("%s at %v px: flag %v hides the line of a loss at %v", name, width, b, x)
					}
				}
				for _, c := range boxes[:i] {
					if b.meets(c) {
						t.Errorf("%s at %v px: flags %v and %v overlap", name, width, b, c)
					}
				}
			}
		}
	}
}

func TestEveryCompactionHasItsLine(t *testing.T) {
	pic := chart.Context(compacted(400, every(400, 20)...), options(0))
	lines := 0
	for _, m := range find(pic.Scene.Nodes, "mark loss") {
		lines += len(find(m.Kids, "stem"))
	}
	if lines != 20 {
		t.Errorf("%d lines, want 20", lines)
	}
}

func TestFlagTellsTriggerAndFigures(t *testing.T) {
	pic := chart.Context(compacted(100, 55), options(0))
	marks := find(pic.Scene.Nodes, "mark loss")
	got := strings.Join(texts(marks), "|")
	if want := "Compaction · auto|165,863 → 44,030 (−73%)"; got != want {
		t.Errorf("flag %q, want %q", got, want)
	}
	if got := marks[0].Kids[0].Text; got != "Compaction · auto: 165,863 → 44,030 (−73%)" {
		t.Errorf("title %q", got)
	}
}

func TestMarkerStandsAtTheFirstSampleAfter(t *testing.T) {
	pic := chart.Context(compacted(100, 55), options(0))
	x := number(t, attr(find(pic.Scene.Nodes, "mark loss")[0].Kids[1], "x1"))
	if want := (pic.X(54) + pic.X(55)) / 2; math.Abs(x-want) > 0.01 {
		t.Errorf("line at %v, want %v", x, want)
	}
	pic = chart.Context(compacted(100, 100), options(0))
	if x := number(t, attr(find(pic.Scene.Nodes, "mark loss")[0].Kids[1], "x1")); x != 900 {
		t.Errorf("a cut after the last sample stands at %v, want the right edge", x)
	}
}

func TestWhatGoesWithACompactionHasNoFlagOfItsOwn(t *testing.T) {
	s := compacted(100, 55)
	s.Boundaries = append(s.Boundaries, analysis.BoundaryRow{Sample: 55, Kind: "context-edit"}, analysis.BoundaryRow{Sample: 20, Kind: "context-edit"})
	pic := chart.Context(s, options(0))
	got := strings.Join(texts(find(pic.Scene.Nodes, "marks")), "|")
	if want := "Tool results cleared|Compaction · auto|165,863 → 44,030 (−73%)"; got != want {
		t.Errorf("flags %q, want %q", got, want)
	}
}

func TestUnknownFiguresAreNotInvented(t *testing.T) {
	s := invented.Plain(100)
	u := analysis.Unknown
	s.Boundaries = []analysis.BoundaryRow{
		{Sample: 20, Kind: "compaction", Before: u, After: u, HarnessTold: u, HarnessAfter: u},
		{Sample: 60, Kind: "compaction", Before: u, After: u, HarnessTold: 167402, HarnessAfter: u},
	}
	pic := chart.Context(s, options(0))
	got := strings.Join(texts(find(pic.Scene.Nodes, "mark loss")), "|")
	if want := "Compaction|Compaction|167,402 before, says the harness"; got != want {
		t.Errorf("flags %q, want %q", got, want)
	}
}

func TestModelSwitchNamesTheModel(t *testing.T) {
	pic := chart.Context(invented.Rich(), options(0))
	got := strings.Join(texts(find(pic.Scene.Nodes, "marks")), "|")
	if !strings.Contains(got, "Model changed|claude-sonnet-4-6") {
		t.Errorf("flags %q do not name the new model", got)
	}
}

func TestAnotherBasisIsMarked(t *testing.T) {
	pic := chart.Context(invented.Mixed(), options(0))
	marks := find(pic.Scene.Nodes, "mark basis")
	if len(marks) != 2 { // to the harness's own figures and back
		t.Fatalf("%d marks, want 2", len(marks))
	}
	if got := marks[0].Kids[0].Text; got != "Measured anew from here: the harness’s own figures instead of characters of text ÷ 4" {
		t.Errorf("title %q", got)
	}
}

func TestWindowIsNamedWithItsSource(t *testing.T) {
	pic := chart.Context(invented.Rich(), options(0))
	limits := find(pic.Scene.Nodes, "limit")
	if len(limits) != 1 || limits[0].Text != "window 200,000 · from the model table" {
		t.Errorf("labels %v", limits)
	}
	if n := len(find(pic.Scene.Nodes, "window")); n != 1 {
		t.Errorf("%d window lines, want 1", n)
	}
	if n := len(find(pic.Scene.Nodes, "threshold")); n != 1 {
		t.Errorf("%d threshold lines, want 1", n)
	}
}

func TestWindowMayChange(t *testing.T) {
	s := invented.Plain(100)
	for i := 60; i < 100; i++ {
		s.Window[i], s.WindowFrom[i] = 258400, "journal"
	}
	pic := chart.Context(s, options(0))
	lines := find(pic.Scene.Nodes, "window")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	if attr(lines[0], "x2") != attr(lines[1], "x1") || attr(lines[0], "y1") == attr(lines[1], "y1") {
		t.Errorf("lines %v and %v do not follow each other at two heights", lines[0].Attrs, lines[1].Attrs)
	}
}

func TestAWindowFarAboveIsNamedAtTheEdge(t *testing.T) {
	s := small()
	for i := range s.Window {
		s.Window[i], s.WindowFrom[i] = 1000000, "choice"
	}
	pic := chart.Context(s, options(0))
	if n := len(find(pic.Scene.Nodes, "window")); n != 0 {
		t.Errorf("%d window lines, want none", n)
	}
	if l := find(pic.Scene.Nodes, "limit"); len(l) != 1 || l[0].Text != "↑ window 1,000,000 · your choice" {
		t.Errorf("labels %v", l)
	}
}

func TestNoWindowNoLine(t *testing.T) {
	pic := chart.Context(small(), options(0))
	if len(find(pic.Scene.Nodes, "window"))+len(find(pic.Scene.Nodes, "limit")) != 0 {
		t.Error("an unknown window is drawn")
	}
}

func TestAxesHaveRoundFiguresAndTimes(t *testing.T) {
	pic := chart.Context(invented.Rich(), options(0))
	got := strings.Join(texts(find(pic.Scene.Nodes, "axis")), "|")
	if want := "0|50k|100k|150k|200k|#1\u200210:02|#50\u200210:37|#100\u200211:09|#150\u200211:47"; got != want {
		t.Errorf("ticks %q, want %q", got, want)
	}
	o := options(0)
	o.XTime = true
	got = strings.Join(texts(find(chart.Context(invented.Rich(), o).Scene.Nodes, "axis")), "|")
	if want := "0|50k|100k|150k|200k|10:30|11:00|11:30|12:00"; got != want {
		t.Errorf("time ticks %q, want %q", got, want)
	}
}

func TestCursorStandsOnTheSelectedSample(t *testing.T) {
	s := invented.Rich()
	pic := chart.Context(s, options(148))
	dot := find(pic.Scene.Nodes, "dot")
	if len(dot) != 1 {
		t.Fatalf("%d dots, want 1", len(dot))
	}
	if x := number(t, attr(dot[0], "cx")); math.Abs(x-pic.X(148)) > 0.01 {
		t.Errorf("dot at %v, want %v", x, pic.X(148))
	}
	base := 352.0 - 26
	want := base - float64(s.Reported[148])*(base-26)/200000
	if y := number(t, attr(dot[0], "cy")); math.Abs(y-want) > 0.1 {
		t.Errorf("dot at height %v, want the report %v", y, want)
	}
	if n := len(find(pic.Cursor(-1, -1).Nodes, "dot")); n != 0 {
		t.Error("a cursor without a sample")
	}
}

func TestHoverSaysWhatIsUnderIt(t *testing.T) {
	s := invented.Rich()
	pic := chart.Context(s, options(148))
	got := strings.Join(texts(find(pic.Cursor(148, 10).Nodes, "cursor")), "|")
	if !strings.HasPrefix(got, "#11 · 10:") || !strings.HasSuffix(got, " · 50,733") {
		t.Errorf("readout %q", got)
	}
	got = strings.Join(texts(find(pic.Cursor(148, 110).Nodes, "cursor")), "|")
	if !strings.HasPrefix(got, "after compaction · ") || !strings.HasSuffix(got, " estimated") {
		t.Errorf("readout %q of a sample without a report", got)
	}
	for _, hover := range []int{0, 199} {
		for _, n := range find(pic.Cursor(148, hover).Nodes, "readout") {
			if b := boxOf(t, n); b.x < 0 || b.x+b.w > 904 {
				t.Errorf("readout of %d leaves the picture: %v", hover, b)
			}
		}
	}
}

func TestPictureHasATitleAndASentence(t *testing.T) {
	sc := chart.Context(invented.Rich(), options(0)).Scene
	want := "Context of 200 samples: 36,122 tokens at first, 161,261 tokens at most, 149,963 tokens at last. Compacted once. " +
		"Colours are estimates by category, the line is the reported input, hatched between them is what was not measured."
	if sc.Title != "Context over time" || sc.Desc != want {
		t.Errorf("%q: %q", sc.Title, sc.Desc)
	}
	if got := chart.Context(invented.Sparse(), options(0)).Scene.Desc; !strings.Contains(got, "no breakdown was recorded") {
		t.Errorf("sentence %q", got)
	}
}
