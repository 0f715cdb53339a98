package ui

import (
	"strings"
	"testing"
)

func TestWhereTheContextWentIsToldAndSorted(t *testing.T) {
	s, h := opened()
	s.showLower(lowerSpread)
	s.Rendered()
	html := render(t, s)
	text := plain(html)
	has(t, text, "199 requests carried 20,000,000 estimated tokens in all: 412 pieces of 310,000 tokens, each counted once for each request whose context held it. Inferred from the journal.",
		"3 pieces of 4,200 tokens came while the same was there already", "tool1 12 reads, 2 of what was still there and unchanged · 1 edit · the largest piece was carried by 90 requests",
		"6,000,000 30.0%", "1–25 of 60")
	has(t, html, `aria-sort="descending"`)
	if strings.Count(html, `aria-sort=`) != 1 || strings.Contains(html, `data-testid="changes"`) {
		t.Error("one column is sorted, and only one table stands there")
	}
	if h.drawn[spreadID] == nil || !strings.HasPrefix(h.drawn[spreadID].Desc, "tool1 ") {
		t.Errorf("the map is not drawn: %+v", h.drawn[spreadID])
	}
	s.turnSpread(1)
	has(t, plain(render(t, s)), "26–50 of 60")
	s.spreadBy("server")
	has(t, plain(render(t, s)), "Nothing in this session came from MCP servers, as far as the journal tells.")
	if want := "l=spread&by=server"; !strings.HasSuffix(s.Place(), want) {
		t.Errorf("the place is %s, want %s at its end", s.Place(), want)
	}
}

func TestTwoSamplesAreCompared(t *testing.T) {
	s, _ := opened()
	s.sample(148)
	s.showLower(lowerBetween)
	text := plain(render(t, s))
	has(t, text, "Request 147 → Request 148: estimated", "All 3 Added 1 (+900) Removed 1 (−300) Replaced 1 (+20)", "30 pieces of 40,000 tokens are in both.",
		"Bash Tool results removed 300 – −300", "AGENTS.md Rules and memory replaced 50 70 +20")
	s.compareText("1,0", true)
	s.compareText("12", false)
	if s.between.from != 9 || s.between.to != 11 {
		t.Errorf("compared are %d and %d", s.between.from, s.between.to)
	}
	s.compareText("0", true)
	s.compareText("9999", true)
	s.compareText("x", true)
	if s.between.from != 9 {
		t.Errorf("what is no sample was taken: %d", s.between.from)
	}
	place := s.Place()
	s.showLower(lowerChanges)
	s.Goto(place)
	if s.lower != lowerBetween || s.between.from != 9 || s.between.to != 11 {
		t.Errorf("%s leads to %s %d %d", place, s.lower, s.between.from, s.between.to)
	}
}

func TestAChangeTellsAll(t *testing.T) {
	s, _ := opened()
	lacks(t, plain(render(t, s)), "Characters")
	s.unfold(4)
	html := render(t, s)
	has(t, plain(html), "Change added Category Tool results Size 0 tokens, estimated Characters 0 Item item-4 Request #104, sample 105", "the session that it started")
	if n := strings.Count(html, `aria-expanded="true"`); n != 1 {
		t.Errorf("%d rows are unfolded", n)
	}
	s.unfold(4)
	lacks(t, plain(render(t, s)), "item-4")
}
