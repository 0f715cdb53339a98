package ui

import (
	"regexp"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/redact"
	"contextscope/ui/words"
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

func TestSamplesAreATable(t *testing.T) {
	s, _ := opened()
	s.sample(148)
	s.showLower(lowerSamples)
	text := plain(render(t, s))
	has(t, text, "126–150 of 200", "Request 148 11:46:02 93,287 +"+words.Tokens(93_287-s.series.Reported[147])+" 76,345 16,942 47%")
	s.turnSamples(-5)
	has(t, plain(render(t, s)), "1–25 of 200")
	s.turnSamples(-1)
	s.turnSamples(100)
	has(t, plain(render(t, s)), "1–25 of 200")
	s.sample(199)
	has(t, plain(render(t, s)), "176–200 of 200")
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

func TestKeysAndNumbersExplainThemselves(t *testing.T) {
	s, h := opened()
	if !s.Key("?", false, false) || h.count("modal help true") != 1 {
		t.Errorf("%v", h.calls)
	}
	has(t, plain(render(t, s)), "Ctrl+O, Cmd+O open files", "[ ] the compaction before, the next one")
	if s.Key("j", false, false) {
		t.Error("a key went through the dialog")
	}
	s.closeHelp()
	if s.help.open {
		t.Error("the dialog is still open")
	}
	asked := map[string]bool{}
	for _, tab := range []string{tabOverview, tabContext, tabCompactions, tabFindings} {
		s.pick(tab)
		for _, lower := range lowers {
			s.lower = lower.key
			for _, m := range regexp.MustCompile(`aria-label="How it is made: ([^"]*)"`).FindAllStringSubmatch(render(t, s), -1) {
				asked[m[1]] = true
			}
		}
	}
	for title := range asked {
		s.explain(title)
		if !s.help.open || s.help.topic < 0 {
			t.Errorf("there is no text about %q", title)
			continue
		}
		has(t, plain(render(t, s)), title, "Formula.", "Source.", "Limits.")
		s.closeHelp()
	}
	if len(asked) < 9 {
		t.Errorf("%d numbers explain themselves: %v", len(asked), asked)
	}
}

func TestSharingIsCarefulByDefault(t *testing.T) {
	s, h := opened()
	if !s.Key("s", true, false) {
		t.Fatal("Ctrl+S does nothing")
	}
	if q := h.exports[0]; q.Form != "report" || q.Include != (analysis.Include{}) || q.Keep != (redact.Keep{}) {
		t.Errorf("%+v", q)
	}
	text := plain(render(t, s))
	has(t, text, "Counts and identities only: titles, paths and texts stand as tokens. Masked: secrets, home directories and user names, e-mail addresses, hosts and IP addresses.", "1 place is masked")
	s.shareTick("facts", true)
	s.shareTick("home", true)
	s.shareForm("summary")
	if q := h.exports[len(h.exports)-1]; q.Form != "summary" || q.Include != (analysis.Include{Facts: true}) || q.Keep != (redact.Keep{Home: true}) {
		t.Errorf("%+v", q)
	}
	has(t, plain(render(t, s)), "Counts and identities, and texts of facts. Masked: secrets, e-mail addresses, hosts and IP addresses.")
	s.saveShare()
	if h.count("save contextscope-6f2c51d4.md what was asked for, [masked: home]") != 1 {
		t.Errorf("%v", h.calls)
	}
	s.closeShare()
	s.openShare()
	if s.sharing.include != (analysis.Include{}) {
		t.Error("the choices of the last time are still there")
	}
}

func TestKeysGoFromCardToCard(t *testing.T) {
	s, h := opened()
	s.pick(tabCompactions)
	s.Key("j", false, false)
	if h.count("focus compaction-1") != 1 {
		t.Errorf("%v", h.calls)
	}
	s.Key("/", false, false)
	if s.tab != tabOverview || h.count("focus session-find") != 1 {
		t.Errorf("%s %v", s.tab, h.calls)
	}
	if !s.Key("o", true, false) || h.count("pick false") != 1 || s.Key("p", true, false) {
		t.Error("Ctrl+O alone opens files")
	}
	s.pick(tabContext)
	s.sample(5)
	if s.Key("k", false, false); s.selected != 4 {
		t.Errorf("sample %d", s.selected)
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
