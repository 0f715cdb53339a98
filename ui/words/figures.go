// Package words says how figures, times and names are written: the one place that decides on thousands separators, on
// "not recorded" where nothing was recorded, and on what a category or a stage is called. It knows no DOM and no clock.
package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"contextscope/core/analysis"
)

// NotRecorded stands wherever a journal has no figure. A zero is never shown in its place.
const NotRecorded = "Not recorded"

// Minus is the sign of a loss; a hyphen is too short beside tabular figures.
const Minus = "−"

// Tokens writes a count with thousands separators: "165,863".
func Tokens(n int64) string {
	if n == analysis.Unknown {
		return NotRecorded
	}
	return group(n)
}

// Signed writes a change with its sign: "+14,200", "−310", "0".
func Signed(n int64) string {
	if n > 0 {
		return "+" + group(n)
	}
	return group(n)
}

func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = Minus, s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Short writes a round figure for an axis: "0", "500", "50k", "1.5M".
func Short(n int64) string {
	switch {
	case n >= 1_000_000:
		return trimmed(float64(n)/1e6) + "M"
	case n >= 1_000:
		return trimmed(float64(n)/1e3) + "k"
	}
	return strconv.FormatInt(n, 10)
}

func trimmed(f float64) string {
	s := strconv.FormatFloat(f, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// Percent writes a share with one decimal: "25.9%". Something is never shown as nothing: "<0.1%". An unknown or empty
// whole gives "".
func Percent(part, whole int64) string {
	if whole <= 0 || part < 0 {
		return ""
	}
	p := float64(part) / float64(whole) * 100
	if part > 0 && p < 0.1 {
		return "<0.1%"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + "%"
}

// WholePercent writes a share without decimals for a sentence: "60%".
func WholePercent(part, whole int64) string {
	if whole <= 0 || part < 0 {
		return ""
	}
	p := float64(part) / float64(whole) * 100
	if part > 0 && p < 1 {
		return "<1%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// Drop writes what a cut took away: "−74%". It is empty where either side is unknown or nothing was lost.
func Drop(before, after int64) string {
	if before <= 0 || after < 0 || after >= before {
		return ""
	}
	return Minus + WholePercent(before-after, before)
}

// Dollars writes an amount: "$4.30", and with more digits where it is small: "$0.3455". Something is never shown as nothing.
func Dollars(f float64) string {
	if f >= 1 || f == 0 {
		whole := int64(f)
		cents := int64(f*100+0.5) - whole*100
		if cents == 100 {
			whole, cents = whole+1, 0
		}
		return "$" + group(whole) + "." + strconv.FormatInt(100+cents, 10)[1:]
	}
	if f < 0.0001 {
		return "<$0.0001"
	}
	s := strconv.FormatFloat(f, 'f', 4, 64)
	for len(s) > len("0.00") && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return "$" + s
}

// Bytes writes a size in decimal units: "812 B", "1.2 MB".
func Bytes(n int64) string {
	if n < 0 {
		return NotRecorded
	}
	units := []string{"B", "kB", "MB", "GB", "TB"}
	f, u := float64(n), 0
	for f >= 1000 && u < len(units)-1 {
		f, u = f/1000, u+1
	}
	if u == 0 || f >= 100 {
		return strconv.FormatFloat(f, 'f', 0, 64) + " " + units[u]
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + " " + units[u]
}

// Duration writes a length of time in its two largest units: "2 h 17 min", "48 s".
func Duration(ms int64) string {
	s := ms / 1000
	switch {
	case s >= 86400:
		return pair(s/86400, "d", s%86400/3600, "h")
	case s >= 3600:
		return pair(s/3600, "h", s%3600/60, "min")
	case s >= 60:
		return pair(s/60, "min", s%60, "s")
	}
	return strconv.FormatInt(max(s, 0), 10) + " s"
}

func pair(a int64, unit string, b int64, lesser string) string {
	s := group(a) + " " + unit
	if b > 0 {
		s += " " + strconv.FormatInt(b, 10) + " " + lesser
	}
	return s
}

// Count writes how many there are of something: "1 request", "182 requests".
func Count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Tokens(n) + " " + many
}

// Times writes how often: "once", "twice", "3 times".
func Times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return group(n) + " times"
}

// Plain makes text from a journal fit for one line of a page: control characters and runs of space become one space,
// characters that would turn the direction of their surroundings are left out, and what is longer than limit characters
// ends in an ellipsis. Vugu cannot take a text above 16 kB at all.
func Plain(s string, limit int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range s {
		if turns(r) {
			continue
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = n > 0
			continue
		}
		if n+1 >= limit && limit > 0 {
			b.WriteRune('…')
			return b.String()
		}
		if space {
			b.WriteByte(' ')
			n, space = n+1, false
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Sentence makes a sentence of a message, which the program writes in lower case and without a full stop.
func Sentence(s string, limit int) string {
	s = Plain(s, limit)
	if s == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if strings.ContainsAny(s[len(s)-1:], ".!?:") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// turns tells of the invisible characters that override or embed a writing direction.
func turns(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}
