package chart_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

type point struct{ x, y float64 }

// walk reads a path of M, h, v and z back into the corners of its shapes. It knows nothing of how the path was made.
func walk(t *testing.T, d string) [][]point {
	t.Helper()
	var shapes [][]point
	var at point
	for len(d) > 0 {
		op := d[0]
		end := 1
		for end < len(d) && strings.IndexByte("Mhvz", d[end]) < 0 {
			end++
		}
		arg := d[1:end]
		d = d[end:]
		switch op {
		case 'M':
			x, y, ok := strings.Cut(arg, " ")
			if !ok {
				t.Fatalf("M with one number: %q", arg)
			}
			at = point{number(t, x), number(t, y)}
			shapes = append(shapes, []point{at})
			continue
		case 'h':
			at.x += number(t, arg)
		case 'v':
			at.y += number(t, arg)
		case 'z':
			continue
		default:
			t.Fatalf("unknown step %q", op)
		}
		k := len(shapes) - 1
		shapes[k] = append(shapes[k], at)
	}
	return shapes
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("number %q: %v", s, err)
	}
	return f
}

func attr(n chart.Node, key string) string {
	for _, a := range n.Attrs {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// find collects the nodes that have all of these classes.
func find(nodes []chart.Node, classes string) []chart.Node {
	var all []chart.Node
	for _, n := range nodes {
		if hasClasses(attr(n, "class"), classes) {
			all = append(all, n)
		}
		all = append(all, find(n.Kids, classes)...)
	}
	return all
}

func hasClasses(have, want string) bool {
	set := strings.Fields(have)
	for _, w := range strings.Fields(want) {
		ok := false
		for _, h := range set {
			ok = ok || h == w
		}
		if !ok {
			return false
		}
	}
	return true
}

func texts(nodes []chart.Node) []string {
	var all []string
	for _, n := range nodes {
		if n.Tag == "text" {
			all = append(all, n.Text)
		}
		all = append(all, texts(n.Kids)...)
	}
	return all
}

// heightAt is how far above the base line the upper edge of an area is at x.
func heightAt(t *testing.T, paths []chart.Node, x, base float64) float64 {
	t.Helper()
	high := 0.0
	for _, p := range paths {
		for _, shape := range walk(t, attr(p, "d")) {
			for k := 1; k < len(shape); k++ {
				a, b := shape[k-1], shape[k]
				if a.y == b.y && a.x <= x && x < b.x {
					high = max(high, base-a.y)
				}
			}
		}
	}
	return high
}

func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("15:04") }

func options(selected int) chart.Options {
	return chart.Options{Width: 904, Height: 352, Selected: selected, Clock: clock}
}

// small is three samples whose picture can be worked out by hand: the plot is 300 tokens high.
func small() *analysis.Series {
	u := analysis.Unknown
	return &analysis.Series{
		Categories: []string{"system", "results"},
		Values:     [][]int64{{100, 100, 100}, {0, 100, 50}},
		Breakdown:  []bool{true, true, true},
		At:         []int64{1000, 2000, 4000},
		Request:    []int64{1, 2, 3},
		Basis:      []string{"chars/4", "chars/4", "chars/4"},
		Estimated:  []int64{100, 200, 150},
		Reported:   []int64{150, 300, 120},
		Window:     []int64{u, u, u},
		WindowFrom: []string{"", "", ""},
		Threshold:  []int64{u, u, u},
	}
}

func TestAreasAreAsHighAsTheirTokens(t *testing.T) {
	const base, top = 352 - 26, 26.0
	perToken := (base - top) / 300
	pic := chart.Context(small(), options(0))
	system := find(pic.Scene.Nodes, "area c-system")
	results := find(pic.Scene.Nodes, "area c-results")
	rest := find(pic.Scene.Nodes, "area remainder")
	for i, want := range []struct{ system, results, rest float64 }{
		{100, 0, 150},   // no results: nothing of their colour
		{100, 200, 300}, // results stand on system, the remainder on both
		{100, 150, 0},   // the estimate is above the report: no remainder
	} {
		x := pic.X(i)
		for _, c := range []struct {
			name  string
			nodes []chart.Node
			want  float64
		}{{"system", system, want.system}, {"results", results, want.results}, {"remainder", rest, want.rest}} {
			if got := heightAt(t, c.nodes, x, base); math.Abs(got-c.want*perToken) > 0.06 {
				t.Errorf("sample %d: %s reaches %.2f px, want %.2f", i, c.name, got, c.want*perToken)
			}
		}
	}
}

func TestStackOfTheRichSeriesAddsUp(t *testing.T) {
	s := invented.Rich()
	pic := chart.Context(s, options(-1))
	base := 352.0 - 26
	ticks := find(pic.Scene.Nodes, "gridline")
	if len(ticks) == 0 {
		t.Fatal("no grid line")
	}
	// The scale is read from the grid: the highest line is 200k, half a pixel below its height.
	perToken := (base - number(t, attr(ticks[len(ticks)-1], "y1")) + 0.5) / 200000
	for _, i := range []int{0, 57, 109, 110, 148, 199} {
		var sum int64
		for c, key := range s.Categories {
			sum += s.Values[c][i]
			if s.Values[c][i] == 0 {
				continue
			}
			got := heightAt(t, find(pic.Scene.Nodes, "area c-"+key), pic.X(i), base)
			if math.Abs(got-float64(sum)*perToken) > 1 {
				t.Errorf("sample %d: %s reaches %.1f px, want %.1f", i, key, got, float64(sum)*perToken)
			}
		}
		if sum != s.Estimated[i] {
			t.Errorf("sample %d: categories are %d, estimate %d", i, sum, s.Estimated[i])
		}
	}
}

func TestSamplesHoldUntilTheNextAndTheLastHasWidth(t *testing.T) {
	pic := chart.Context(small(), options(0))
	d := attr(find(pic.Scene.Nodes, "reported")[0], "d")
	shape := walk(t, d)[0]
	for k := 1; k < len(shape); k++ {
		if shape[k].x < shape[k-1].x {
			t.Fatalf("the line goes back at corner %d: %v", k, shape)
		}
		if shape[k].x != shape[k-1].x && shape[k].y != shape[k-1].y {
			t.Fatalf("the line slopes at corner %d: %v", k, shape)
		}
	}
	if got := shape[len(shape)-1].x; got != 900 {
		t.Errorf("the line ends at %v, want the right edge 900", got)
	}
	third := (900 - shape[0].x) / 3
	if got := 900 - shape[len(shape)-2].x; math.Abs(got-third) > 0.2 {
		t.Errorf("the last step is %v wide, want a third, %v", got, third)
	}
}

func TestEveryPositionLeadsBackToItsSample(t *testing.T) {
	for _, n := range []int{1, 2, 7, 200, 5000} {
		for _, byTime := range []bool{false, true} {
			o := options(0)
			o.XTime = byTime
			pic := chart.Context(invented.Plain(n), o)
			for i := range n {
				if got, ok := pic.At(pic.X(i)); !ok || got != i {
					t.Fatalf("%d samples, time %v: At(X(%d)) = %d, %v", n, byTime, i, got, ok)
				}
			}
		}
	}
}

func TestPositionsOutsideOfThePlotAreNoSample(t *testing.T) {
	pic := chart.Context(invented.Plain(10), options(0))
	for _, x := range []float64{-50, 3, 950} {
		if i, ok := pic.At(x); ok {
			t.Errorf("At(%v) = %d", x, i)
		}
	}
	if _, ok := chart.Context(&analysis.Series{}, options(0)).At(300); ok {
		t.Error("an empty series has a sample")
	}
}

func TestTimesThatGoBackStandStill(t *testing.T) {
	s := small()
	s.At = []int64{5000, 3000, 9000}
	o := options(0)
	o.XTime = true
	pic := chart.Context(s, o)
	if pic.X(0) > pic.X(1) || pic.X(1) > pic.X(2) {
		t.Errorf("positions %v %v %v go back", pic.X(0), pic.X(1), pic.X(2))
	}
	s.At = []int64{0, 0, 0}
	if pic = chart.Context(s, o); pic.X(0) == pic.X(1) {
		t.Error("without any time the samples must stand side by side")
	}
}

func TestReportWithoutBreakdownIsALineWithoutColour(t *testing.T) {
	pic := chart.Context(invented.Sparse(), options(0))
	if n := len(find(pic.Scene.Nodes, "area")); n != 0 {
		t.Errorf("%d areas, want none", n)
	}
	if n := len(find(pic.Scene.Nodes, "reported")); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
	if got := strings.Join(texts(pic.Scene.Nodes), "|"); !strings.Contains(got, "no breakdown recorded") {
		t.Errorf("texts %q do not say that there is no breakdown", got)
	}
}

func TestMissingReportBreaksTheLine(t *testing.T) {
	s := small()
	s.Reported[1] = analysis.Unknown
	pic := chart.Context(s, options(0))
	shapes := walk(t, attr(find(pic.Scene.Nodes, "reported")[0], "d"))
	if len(shapes) != 2 {
		t.Errorf("%d pieces, want 2", len(shapes))
	}
}

func TestShareFillsTheWholeHeight(t *testing.T) {
	o := options(0)
	o.Share = true
	pic := chart.Context(small(), o)
	base, full := 352.0-26, 352.0-52
	if got := heightAt(t, find(pic.Scene.Nodes, "area remainder"), pic.X(1), base); math.Abs(got-full) > 0.1 {
		t.Errorf("sample 1 reaches %v, want the full %v", got, full)
	}
	if got := heightAt(t, find(pic.Scene.Nodes, "area c-results"), pic.X(2), base); math.Abs(got-full) > 0.1 {
		t.Errorf("sample 2: the estimate alone reaches %v, want %v", got, full)
	}
	if got := heightAt(t, find(pic.Scene.Nodes, "area c-system"), pic.X(0), base); math.Abs(got-full*100/150) > 0.1 {
		t.Errorf("sample 0: system reaches %v, want two thirds", got)
	}
	if len(find(pic.Scene.Nodes, "reported")) != 0 {
		t.Error("a share has no line of totals")
	}
}

func TestUnknownCategoryIsNeutral(t *testing.T) {
	s := small()
	s.Categories[1] = "holograms"
	pic := chart.Context(s, options(0))
	areas := find(pic.Scene.Nodes, "area c-other")
	if len(areas) != 1 || areas[0].Kids[0].Text != "holograms" {
		t.Errorf("areas %v, want one that is named by its key", areas)
	}
}

func TestTotalsAloneAreDrawn(t *testing.T) {
	s := &analysis.Series{Totals: []analysis.TotalPoint{{At: 1000, Tokens: 50, Window: 100}, {At: 2000, Tokens: 80, Window: 100}}}
	pic := chart.Context(s, options(0))
	if len(find(pic.Scene.Nodes, "reported")) != 1 || len(find(pic.Scene.Nodes, "window")) != 1 {
		t.Error("want one line of totals and one window")
	}
}

func TestEmptySeriesSaysSo(t *testing.T) {
	pic := chart.Context(&analysis.Series{}, options(0))
	if got := strings.Join(texts(pic.Scene.Nodes), "|"); !strings.Contains(got, "No request was recorded") {
		t.Errorf("texts %q", got)
	}
}

func TestNoNodeCarriesAStyle(t *testing.T) {
	var check func(nodes []chart.Node)
	check = func(nodes []chart.Node) {
		for _, n := range nodes {
			if attr(n, "style") != "" {
				t.Fatalf("%s has a style attribute", n.Tag)
			}
			for _, a := range n.Attrs {
				if len(a.Val) > 8192 {
					t.Fatalf("%s of %s has %d bytes", a.Key, n.Tag, len(a.Val))
				}
			}
			check(n.Kids)
		}
	}
	for _, n := range []int{200, 5000, 20000} {
		check(chart.Context(invented.Plain(n), options(n/2)).Scene.Nodes)
	}
	check(chart.Context(invented.Rich(), options(3)).Scene.Nodes)
	check(chart.Capacity(invented.Rich(), 148, 300).Nodes)
	check(chart.Overview(invented.List().Overview, 300).Nodes)
}
