package ui

import (
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

// cutOften is a session with n compactions, each before a sample of its own, and m other boundaries behind them.
func cutOften(n, m int) *analysis.Series {
	s := invented.Plain(200)
	for i := range n + m {
		b := analysis.BoundaryRow{Sample: i + 1, Kind: "compaction", At: s.At[i+1], Before: 100_000, After: 20_000, HarnessTold: analysis.Unknown,
			HarnessAfter: analysis.Unknown, Wait: analysis.Unknown, Above: true, Evidence: []string{"usage-drop"}}
		if i >= n {
			b.Kind = "rewind"
		}
		s.Boundaries = append(s.Boundaries, b)
	}
	return s
}

func showing(series *analysis.Series) (*State, *host) {
	h := newHost()
	h.series[0] = series
	s := New(h)
	s.Done(invented.List())
	s.open(0)
	s.pick(tabCompactions)
	return s, h
}

func TestACardTellsWhatWasLostAndWhatItIsWorth(t *testing.T) {
	s, _ := opened()
	s.pick(tabCompactions)
	text := plain(render(t, s))
	has(t, text, "117,047 tokens discarded, $0.5852 as fresh input at list prices of 2026-11.",
		"All 4 sessions that are open: 1 compaction, 117,047 tokens discarded",
		"Loss −73%, 117,047 tokens", "Worth of what is gone $0.5852 at $5.00 a million input tokens, list price of 2026-11, Anthropic",
		"$0.0638 where 99% is read from the cache, as in the request before", "Model claude-opus-4-6", "Next request 12 s later",
		"The harness said 167,402 before", "Evidence recorded by the harness · seen as a usage drop")
	lacks(t, text, "below the threshold", "Not priced")
}

func TestWhatIsNotKnownIsNotShownAsAFigure(t *testing.T) {
	series := invented.Plain(20)
	series.Boundaries = []analysis.BoundaryRow{
		{Sample: 5, Kind: "compaction", Before: 100_000, After: 70_000, HarnessTold: analysis.Unknown, HarnessAfter: analysis.Unknown, Wait: analysis.Unknown, Of: "mystery-9", Evidence: []string{"boundary-record"}},
		{Sample: 20, Kind: "compaction", Before: 80_000, After: analysis.Unknown, HarnessTold: analysis.Unknown, HarnessAfter: 9000, Wait: analysis.Unknown, Evidence: []string{"boundary-record"}},
		{Sample: 12, Kind: "context-edit", Before: 100_000, After: 30_000, HarnessTold: analysis.Unknown, HarnessAfter: analysis.Unknown, Wait: analysis.Unknown, Evidence: []string{"usage-drop", "stepwise"}},
	}
	series.Session.Losses = analysis.Losses{Compactions: 2, Dropped: 30_000, Unpriced: 1, Unmeasured: 1}
	s, _ := showing(series)
	text := plain(render(t, s))
	has(t, text, "Compacted twice", "30,000 tokens discarded. Of an unknown price: 1. Not reported on both sides: 1.",
		"Not priced: the model is not in the price table", "recorded by the harness · below the threshold", "reported after Not recorded", "9,000 after",
		"Shrank in steps", "100,000 → 30,000 (−70%, 70,000 tokens)")
	if n := strings.Count(render(t, s), `data-testid="compaction"`); n != 2 {
		t.Errorf("%d cards", n)
	}
	for _, b := range series.Boundaries[1:] {
		if cost, cached := costWords(b); cost != "" || cached != "" {
			t.Errorf("%s is priced: %q %q", b.Kind, cost, cached)
		}
	}
}

func TestASessionThatWasNotCompactedSaysHowCloseItCame(t *testing.T) {
	series := invented.Plain(20)
	series.Session = invented.Sessions()[3]
	s, _ := showing(series)
	has(t, plain(render(t, s)), "This session was not compacted", "It came closest with 91,800 tokens, 36% of the window (258,400), in request 61. Codex compacts by itself at about 244,800.")
	for want, c := range map[string]analysis.Closest{
		"Its context held at most an estimated 5,000 tokens, in request 3.": {Request: 3, Tokens: 5000, Window: analysis.Unknown, CompactsAt: analysis.Unknown},
		"The size of its context was not recorded.":                         {Tokens: analysis.Unknown, Window: analysis.Unknown, CompactsAt: analysis.Unknown},
	} {
		if got := closeness(&analysis.SessionRow{Closest: c}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCardsArePaged(t *testing.T) {
	s, h := showing(cutOften(45, 21))
	count := func() (cuts, others int) {
		html := render(t, s)
		return strings.Count(html, `data-testid="compaction"`), strings.Count(html, `data-testid="boundary"`)
	}
	if c, o := count(); c != 10 || o != 10 {
		t.Errorf("%d and %d cards on the first page", c, o)
	}
	has(t, plain(render(t, s)), "Compacted 45 times", "Compaction 1 ", "Compaction 10 ")
	s.cutPage, s.otherPage = 4, 2
	if c, o := count(); c != 5 || o != 1 {
		t.Errorf("%d and %d cards on the last page", c, o)
	}
	has(t, plain(render(t, s)), "Compaction 41 ", "Compaction 45 ")
	// Another threshold leaves fewer: the last page that there is.
	h.series[0] = cutOften(3, 0)
	s.chosen()
	if c, o := count(); c != 3 || o != 0 {
		t.Errorf("%d and %d cards with a higher threshold", c, o)
	}
}

func TestABoundaryOfASampleLeadsToItsCard(t *testing.T) {
	s, h := showing(cutOften(45, 21))
	s.pick(tabContext)
	s.sample(43)
	has(t, render(t, s), "Show its card")
	if card := samplePanel(s).Card; card != 43 {
		t.Fatalf("the card of sample 43 is %d", card)
	}
	s.toCard(42)
	has(t, render(t, s), `id="compaction-43"`)
	if s.tab != tabCompactions || s.cutPage != 4 || h.count("focus compaction-43") != 1 {
		t.Errorf("tab %s, page %d, calls %v", s.tab, s.cutPage, h.calls)
	}
	s.toCard(45 + 20)
	has(t, render(t, s), `id="boundary-21"`)
	if s.otherPage != 2 || h.count("focus boundary-21") != 1 {
		t.Errorf("page %d, calls %v", s.otherPage, h.calls)
	}
	s.toCard(-1)
	s.toCard(66)
	s.open(1)
	if s.cutPage != 0 || s.otherPage != 0 || samplePanel(s).Card != 0 {
		t.Error("another session begins on its first page, and its last sample has no boundary")
	}
}
