package chart_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

func segments(t *testing.T, sc *chart.Scene) map[string]area {
	t.Helper()
	all := map[string]area{}
	for _, n := range find(sc.Nodes, "segment") {
		all[strings.TrimPrefix(attr(n, "class"), "segment ")] = boxOf(t, n)
	}
	return all
}

func TestCapacityShowsTheParts(t *testing.T) {
	s := small() // sample 1: 200 estimated, 300 reported
	s.Window[1] = 600
	segs := segments(t, chart.Capacity(s, 1, 600))
	for class, want := range map[string]area{
		"c-system": {0, 0, 99, 22}, "c-results": {100, 0, 99, 22}, "remainder": {200, 0, 99, 22}, "free": {300, 0, 300, 22},
	} {
		if got := segs[class]; got != want {
			t.Errorf("%s is at %v, want %v", class, got, want)
		}
	}
}

func TestCapacityWithoutAWindowHasNothingFree(t *testing.T) {
	segs := segments(t, chart.Capacity(small(), 1, 600))
	if _, ok := segs["free"]; ok {
		t.Error("something is free of an unknown window")
	}
	if got := segs["remainder"]; math.Abs(got.x+got.w-600) > 0.01 {
		t.Errorf("the bar ends at %v", got.x+got.w)
	}
}

func TestCapacityOfASampleWithoutBreakdownIsOnePiece(t *testing.T) {
	s := invented.Sparse()
	segs := segments(t, chart.Capacity(s, 2, 600))
	if len(segs) != 1 || segs["whole"].w != 600 {
		t.Errorf("pieces %v, want one whole", segs)
	}
}

func TestEstimateAboveTheReportHasNoRemainder(t *testing.T) {
	p := chart.Parts(small(), 2) // 150 estimated, 120 reported
	if p.Unmeasured != 0 || p.Excess != 30 {
		t.Errorf("unmeasured %d, excess %d, want 0 and 30", p.Unmeasured, p.Excess)
	}
	if _, ok := segments(t, chart.Capacity(small(), 2, 600))["remainder"]; ok {
		t.Error("there is a remainder")
	}
}

func TestPartsKeepUnknownApartFromZero(t *testing.T) {
	p := chart.Parts(invented.Sparse(), 0)
	if p.Estimated != analysis.Unknown || p.Free != analysis.Unknown || p.Window != analysis.Unknown || p.Breakdown {
		t.Errorf("parts %+v", p)
	}
	if p.Reported != 12000 || p.Used() != 12000 {
		t.Errorf("reported %d, used %d", p.Reported, p.Used())
	}
	s := small()
	s.Window[0] = 100
	if p := chart.Parts(s, 0); p.Free != 0 || p.Over != 50 {
		t.Errorf("free %d, over %d, want 0 and 50", p.Free, p.Over)
	}
	if p := chart.Parts(s, 99); p.Used() != analysis.Unknown {
		t.Errorf("a sample that does not exist holds %d", p.Used())
	}
}

func TestOverviewFillsItsWidth(t *testing.T) {
	sc := chart.Overview(invented.List().Overview, 800)
	var end float64
	for _, n := range find(sc.Nodes, "segment") {
		b := boxOf(t, n)
		if b.w <= 0 {
			t.Errorf("%s has no width", attr(n, "class"))
		}
		end = b.x + b.w
	}
	if math.Abs(end-800) > 0.05 {
		t.Errorf("the bar ends at %v", end)
	}
	if got := find(sc.Nodes, "segment c-results")[0].Kids[0].Text; got != "Tool results 151,786 (57.8%)" {
		t.Errorf("title %q", got)
	}
	if !strings.HasSuffix(sc.Desc, "of 262,401 measured tokens.") {
		t.Errorf("sentence %q", sc.Desc)
	}
}

func TestOverviewOfNothing(t *testing.T) {
	sc := chart.Overview(analysis.Overview{}, 800)
	if sc.Desc != "Nothing was measured." {
		t.Errorf("sentence %q", sc.Desc)
	}
}

func TestSVGIsWellFormedAndEscaped(t *testing.T) {
	s := invented.Rich()
	s.Categories[9] = `<script>alert("x")</script>`
	s.Boundaries[1].Model = `a&b "c" <d>`
	var b bytes.Buffer
	sc := chart.Context(s, options(148)).Scene
	if err := chart.WriteSVG(&b, &sc); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("a category name became an element")
	}
	d := xml.NewDecoder(&b)
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
