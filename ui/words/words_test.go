package words

import (
	"strings"
	"testing"
)

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFiguresHaveThousandsSeparators(t *testing.T) {
	expect(t, Tokens(0), "0")
	expect(t, Tokens(999), "999")
	expect(t, Tokens(1000), "1,000")
	expect(t, Tokens(165863), "165,863")
	expect(t, Tokens(1234567), "1,234,567")
	expect(t, Signed(14200), "+14,200")
	expect(t, Signed(-14200), "−14,200")
	expect(t, Signed(0), "0")
}

func TestUnknownIsNeverZero(t *testing.T) {
	expect(t, Tokens(-1), "Not recorded")
	expect(t, Percent(-1, 200000), "")
	expect(t, Percent(5, 0), "")
	expect(t, Percent(5, -1), "")
	expect(t, WholePercent(5, -1), "")
	expect(t, Drop(-1, 5), "")
	expect(t, Drop(5, -1), "")
	expect(t, Bytes(-1), "Not recorded")
}

func TestAmountsOfMoney(t *testing.T) {
	for f, want := range map[float64]string{0: "$0.00", 4.2955: "$4.30", 5: "$5.00", 1234.999: "$1,235.00", 0.3455: "$0.3455", 0.5: "$0.50", 0.675: "$0.675", 0.00003: "<$0.0001", 0.02: "$0.02"} {
		expect(t, Dollars(f), want)
	}
}

func TestShares(t *testing.T) {
	expect(t, Percent(51786, 200000), "25.9%")
	expect(t, Percent(1, 200000), "<0.1%")
	expect(t, Percent(0, 200000), "0.0%")
	expect(t, WholePercent(119541, 200000), "60%")
	expect(t, WholePercent(1, 200000), "<1%")
	expect(t, Drop(165863, 44030), "−73%")
	expect(t, Drop(100, 100), "")
}

func TestShortFigures(t *testing.T) {
	expect(t, Short(0), "0")
	expect(t, Short(500), "500")
	expect(t, Short(50000), "50k")
	expect(t, Short(2500), "2.5k")
	expect(t, Short(1000000), "1M")
	expect(t, Short(1500000), "1.5M")
}

func TestSizesAndTimes(t *testing.T) {
	expect(t, Bytes(812), "812 B")
	expect(t, Bytes(1234567), "1.2 MB")
	expect(t, Bytes(123456789), "123 MB")
	expect(t, Duration(8_220_000), "2 h 17 min")
	expect(t, Duration(48_000), "48 s")
	expect(t, Duration(60_000), "1 min")
	expect(t, Duration(-5), "0 s")
	expect(t, Duration(90_000_000), "1 d 1 h")
	expect(t, Count(1, "request", "requests"), "1 request")
	expect(t, Count(1820, "request", "requests"), "1,820 requests")
	expect(t, Times(1)+" "+Times(2)+" "+Times(3), "once twice 3 times")
}

func TestClockUsesTheZoneOfTheMoment(t *testing.T) {
	// 2026-07-01 and 2026-12-01, 08:02:03 UTC, in a zone that is two hours ahead in summer and one in winter.
	summer, winter := int64(1782892923000), int64(1796112123000)
	c := Clock{Zone: func(ms int64) int {
		if ms == summer {
			return 7200
		}
		return 3600
	}}
	expect(t, c.Second(summer), "10:02:03")
	expect(t, c.DayMinute(winter), "1 Dec, 09:02")
	expect(t, Clock{}.Date(winter), "1 Dec 2026, 08:02")
	expect(t, Clock{}.Minute(0), "")
}

func TestUnknownNamesAppearAsThemselves(t *testing.T) {
	expect(t, Category("results"), "Tool results")
	expect(t, Category("holograms"), "holograms")
	expect(t, Class("results"), "c-results")
	expect(t, Class("holograms"), "c-other")
	expect(t, Boundary("melt"), "melt")
	expect(t, Class(""), "c-other")
}

func TestPlainTextStaysOnItsLine(t *testing.T) {
	expect(t, Plain("a\n\tb\x00c", 80), "a b c")
	expect(t, Plain("  a  ", 80), "a")
	expect(t, Plain("abc\u202edef\u2066", 80), "abcdef")
	expect(t, Plain("abcdef", 4), "abc…")
	expect(t, Plain("<script>", 80), "<script>")
	if got := Plain(strings.Repeat("ä", 40000), 300); len([]rune(got)) != 300 {
		t.Errorf("%d characters, want 300", len([]rune(got)))
	}
}

func TestMessagesBecomeSentences(t *testing.T) {
	expect(t, Sentence("not a journal: text that is no JSON", 80), "Not a journal: text that is no JSON.")
	expect(t, Sentence("It was skipped.", 80), "It was skipped.")
	expect(t, Sentence("überlang", 80), "Überlang.")
	expect(t, Sentence("abcdef", 4), "Abc…")
	expect(t, Sentence("", 80), "")
}
