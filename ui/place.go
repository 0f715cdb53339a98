package ui

import (
	"hash/fnv"
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
)

// The place is what the address of the page tells behind its #: which session, view, sample and filters are shown. It names
// things and holds no content, so that an address can be passed on.

// Place is where the page is, "" where nothing is open: "s=2f1c…&v=context&at=149".
func (s *State) Place() string {
	row := s.session()
	if row == nil {
		return s.wanted // until what it names is open
	}
	var b strings.Builder
	put := func(key, value string) {
		if value == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(key + "=" + value)
	}
	put("s", placeOf(*row))
	put("v", s.tab)
	if n := s.samples(); n > 0 && s.selected != n-1 {
		put("at", strconv.Itoa(s.selected+1))
	}
	if s.zoomed() {
		r := s.shown()
		put("z", strconv.Itoa(r.From+1)+"-"+strconv.Itoa(r.To))
	}
	put("y", when(s.share, "share"))
	put("x", when(s.byTime, "time"))
	if plainKey(s.filter.Category) {
		put("c", s.filter.Category)
	}
	put("o", when(s.filter.Order == "time", "time"))
	put("only", when(s.only, "1"))
	put("all", when(s.filter.All, "1"))
	put("l", when(s.lower != lowerChanges, s.lower))
	put("by", when(s.lower == lowerSpread && s.spread.by != analysis.ByTool, s.spread.by))
	if s.lower == lowerBetween && s.between.got != nil {
		put("ab", strconv.Itoa(s.between.from+1)+"-"+strconv.Itoa(s.between.to+1))
	}
	return b.String()
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// Step tells places apart that a person goes back and forth between: another session or another view.
func (s *State) Step() string { return s.sessionID() + " " + s.tab }

// Goto shows a place. What it names and is not there is left as it is; while nothing is open, it waits for the session.
func (s *State) Goto(place string) {
	if len(place) > 2000 {
		return
	}
	if s.empty() {
		s.wanted = place
		if tokenIn(place, "s") != "" {
			s.hint = "This address names a session. Open its file again, and it is shown where it was left."
		}
		return
	}
	if place == "" || place == s.Place() {
		return
	}
	session := s.sessionAt(tokenIn(place, "s"))
	if session < 0 {
		if tokenIn(place, "s") != "" {
			s.host.Announce("The session of this address is not open")
		}
		return
	}
	for _, t := range tabs {
		if t.key == tokenIn(place, "v") {
			s.tab = t.key
		}
	}
	s.share, s.byTime = tokenIn(place, "y") == "share", tokenIn(place, "x") == "time"
	switch {
	case session != s.current:
		s.arriving = place
		s.open(session)
	case s.series == nil: // on its way
		s.arriving = place
	default:
		s.arrive(place)
		s.pick(s.tab)
	}
}

// arrive goes to the sample and the filters of a place in the session that is shown.
func (s *State) arrive(place string) {
	n := s.samples()
	if n == 0 {
		return
	}
	s.zoom = chart.Range{}
	if from, to, ok := strings.Cut(tokenIn(place, "z"), "-"); ok {
		a, b := countIn(from), countIn(to)
		if a > 0 && b > a {
			s.zoom = chart.Range{From: a - 1, To: b}.Within(n)
		}
	}
	s.selected = n - 1
	if i := countIn(tokenIn(place, "at")); i > 0 {
		s.selected = min(i, n) - 1
	}
	f := firstFilter()
	if key := tokenIn(place, "c"); plainKey(key) {
		f.Category = key
	}
	if tokenIn(place, "o") == "time" {
		f.Order = "time"
	}
	f.All, s.only = tokenIn(place, "all") == "1", tokenIn(place, "only") == "1"
	s.filter = f
	s.askChanges()
	s.arriveBelow(place)
	s.drawContext()
}

// arriveBelow shows what a place tells to stand under the chart.
func (s *State) arriveBelow(place string) {
	s.lower, s.spread.by = lowerChanges, analysis.ByTool
	for _, l := range lowers {
		if l.key == tokenIn(place, "l") {
			s.lower = l.key
		}
	}
	for _, b := range spreadBy {
		if b.key == tokenIn(place, "by") {
			s.spread.by = b.key
		}
	}
	s.spread.got, s.spread.offset, s.between = nil, 0, between{}
	if from, to, ok := strings.Cut(tokenIn(place, "ab"), "-"); ok && s.lower == lowerBetween {
		if a, b := countIn(from), countIn(to); a > 0 && b > 0 {
			s.compare(a-1, b-1)
			return
		}
	}
	s.askLower()
}

// Title names the page after what it shows.
func (s *State) Title() string {
	row := s.session()
	if row == nil {
		return "contextscope"
	}
	return joined(joined(sessionName(*row, 80), harnessName(*row)), "contextscope")
}

// sessionAt finds the session that a place names, -1 for none.
func (s *State) sessionAt(token string) int {
	if token == "" || s.list == nil {
		return -1
	}
	for i, row := range s.list.Sessions {
		if placeOf(row) == token {
			return i
		}
	}
	return -1
}

// placeOf names a session in an address: by its id, or by a number made of it where the id is no plain word.
func placeOf(row analysis.SessionRow) string {
	if plainKey(row.ID) {
		return row.ID
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(row.ID))
	return "h" + strconv.FormatUint(h.Sum64(), 16)
}

// plainKey tells a word that can stand in an address as it is.
func plainKey(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.' && c != ':' {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

// tokenIn is the value of a key in a place, "" where it has none.
func tokenIn(place, key string) string {
	for pair := range strings.SplitSeq(place, "&") {
		if k, v, ok := strings.Cut(pair, "="); ok && k == key && plainKey(v) {
			return v
		}
	}
	return ""
}

func countIn(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<30 {
		return 0
	}
	return n
}
