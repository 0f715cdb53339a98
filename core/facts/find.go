package facts

import (
	"strings"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// finder takes statements out of texts. It is used again and again.
type finder struct {
	splitter
	words []token
	found func(kind journal.FactKind, flags journal.FactFlags, text string)
	goal  bool // the text has told what is wanted
	n     int
	ask   func(string) bool // bound once
	say   func(string) bool
}

const (
	maxConstraints = 60 // of one text
	maxDecisions   = 8
)

// typed finds what a person asked for: the first sentence that is no greeting is what they want, and each one that says how
// it has to be done is a constraint.
func (f *finder) typed(text string) {
	if f.ask == nil {
		f.ask = f.asked
	}
	f.goal, f.n = false, 0
	f.statements(text, nil, f.ask)
}

func (f *finder) asked(s string) bool {
	low := fold(s)
	f.words = tokens(f.words[:0], low)
	t := f.words
	if len(t) == 0 || harnessWords.begins(low) {
		return true
	}
	if !f.goal && !isGreeting(s, t) {
		f.goal, f.only = true, orders
		flags := journal.FactFlags(0)
		if newGoals.begins(low) {
			flags = journal.NewGoal
		}
		f.found(journal.TaskGoal, flags, s)
	}
	if asks(low, t) {
		f.n++
		f.found(journal.Constraint, 0, s)
	}
	return f.n < maxConstraints
}

// isGreeting tells a sentence that asks for nothing: every word of it is one of a greeting, or it is a bare command.
func isGreeting(s string, t []token) bool {
	if s[0] == '/' && strings.IndexByte(s, ' ') < 0 || s[len(s)-1] == ':' && len(t) < 3 {
		return true
	}
	if len(t) > 8 {
		return false
	}
	dense := true
	for i := range t {
		dense = dense && t[i].dense
		if !t[i].dense && !greetings.has(t[i].text) {
			return false
		}
	}
	if dense {
		for _, g := range greetings.inside {
			if strings.HasPrefix(fold(s), g) && len(s) < len(g)+7 {
				return true
			}
		}
		return false
	}
	return true
}

// asks reports whether a statement tells how something has to be done.
func asks(folded string, t []token) bool {
	if last := folded[len(folded)-1]; last == '?' && !politely(t) {
		return false
	}
	if len(t) < 2 && !t[0].dense {
		return false
	}
	v, except := constraints, exceptions
	for _, w := range v.inside {
		if strings.Contains(folded, w) && !strings.HasSuffix(folded, "吗") && !strings.HasSuffix(folded, "か") {
			return true
		}
	}
	free := 0 // tokens before are part of an exception
	for i := range t {
		if doubts.has(t[i].text) {
			return false
		}
		if e := except.at(t, i); len(e.words) > 0 && !(i == 0 && len(e.words) == 1) {
			free = max(free, i+len(e.words))
		}
		if i < free {
			continue
		}
		for _, p := range v.by[t[i].text] {
			if follows(t[i:], p.words) && !crosses(t, i, len(p.words)) && placed(p, t, i) {
				return true
			}
		}
	}
	return false
}

// crosses reports whether an exception begins inside of a phrase or right before it.
func crosses(t []token, i, n int) bool {
	for k := max(0, i-2); k < i+n; k++ {
		if e := exceptions.at(t, k); len(e.words) > 1 && k+len(e.words) > i {
			return true
		}
	}
	return false
}

// politely tells a question that is an order: "can you make sure …?"
func politely(t []token) bool {
	if len(t) < 3 {
		return false
	}
	switch t[0].text {
	case "can", "could", "would", "will", "please", "pls", "kannst", "könntest", "peux-tu", "puedes", "pode":
		return t[0].text == "please" || t[0].text == "pls" || t[1].text == "you" || t[0].text[0] == 'k' || t[0].text[0] == 'p'
	}
	return false
}

// placed checks the condition of a phrase at a token.
func placed(p phrase, t []token, i int) bool {
	end := i + len(p.words)
	switch p.words[0] {
	case "no", "nein", "não", "non": // an answer, not a prohibition
		if end == len(t) || t[end].begins {
			return false
		}
	case "required", "requirement", "requirements": // a heading
		if len(t) < 4 {
			return false
		}
	}
	switch p.where {
	case "head":
		return end < len(t) && (t[i].begins && !(i > 0 && opposes(t, i)) || i == 0 || leads.has(t[i-1].text))
	case "told":
		return i > 0 && subjects.has(t[i-1].text) && end < len(t) && uses.has(t[end].text)
	case "doing":
		return end < len(t) && (strings.HasSuffix(t[end].text, "ing") && len(t[end].text) > 4 || t[end].text == "any")
	}
	return true
}

// opposes tells that a clause only contrasts: "it is fast, not correct".
func opposes(t []token, i int) bool {
	switch t[i].text {
	case "no", "only", "limit", "keep", "leave", "require", "requires", "prefer":
		return i+2 >= len(t)
	}
	return false
}

// said finds what a model decided.
func (f *finder) said(text string) {
	if f.say == nil {
		f.say = f.decided
	}
	f.n = 0
	f.statements(text, decides, f.say)
}

func (f *finder) decided(s string) bool {
	low := fold(s)
	f.words = tokens(f.words[:0], low)
	if len(f.words) > 2 && low[len(low)-1] != '?' && decisions.in(low, f.words) {
		f.n++
		f.found(journal.Decision, 0, s)
	}
	return f.n < maxDecisions
}

// seeds are the phrases of a vocabulary by their first byte, in either case and with either quote.
type seeds struct {
	by    [256][]string
	first [256]bool
	pair  [1 << 13]byte // a bit for each two bytes that one of them begins with
}

func seedsOf(v *vocabulary) *seeds {
	s := &seeds{}
	add := func(w string) {
		s.by[w[0]] = append(s.by[w[0]], w)
		if c := w[0]; c >= 'a' && c <= 'z' {
			s.by[c-0x20] = append(s.by[c-0x20], w)
		}
		if up := strings.ToUpper(w); w[0] >= 0x80 { // no case to be told by a bit: as it stands at the beginning, and all of it
			for _, v := range []string{string([]rune(up)[:1]) + string([]rune(w)[1:]), up} {
				s.by[v[0]] = append(s.by[v[0]], v)
			}
		}
	}
	for _, list := range v.by {
		for _, p := range list {
			w := strings.Join(p.words, " ")
			if add(w); strings.Contains(w, "'") {
				add(strings.ReplaceAll(w, "'", "’"))
			}
		}
	}
	for _, w := range v.inside {
		add(w)
	}
	for c := range s.by {
		s.first[c] = s.by[c] != nil
		for _, w := range s.by[c] {
			for _, next := range []byte{w[1], strings.ToUpper(w[1:2])[0]} {
				at := c<<8 | int(next)
				s.pair[at>>3] |= 1 << (at & 7)
			}
		}
	}
	return s
}

var decides, orders = seedsOf(decisions), seedsOf(constraints)

var isLetter = func() (is [256]bool) {
	for c := byte('a'); c <= 'z'; c++ {
		is[c], is[c-0x20] = true, true
	}
	return is
}()

// at reports whether one of the phrases may stand at the beginning of a text of two bytes at least.
func (s *seeds) at(b []byte) bool {
	if at := int(b[0])<<8 | int(b[1]); s.pair[at>>3]>>(at&7)&1 == 0 {
		return false
	}
	for _, w := range s.by[b[0]] {
		if begins(b, w) {
			return true
		}
	}
	return false
}

// inEscaped is in for a text as JSON has it: characters that are written as numbers may be anything.
func (s *seeds) inEscaped(b []byte) bool {
	for i := 0; i+1 < len(b); {
		c := b[i]
		if s.first[c] && s.at(b[i:]) {
			return true
		}
		i++
		switch {
		case c == '\\':
			if b[i] == 'u' {
				return true
			}
			if s.first[b[i]] && i+1 < len(b) && s.at(b[i:]) {
				return true
			}
			i++ // a word begins behind the escape
		case isLetter[c]:
			for i < len(b) && isLetter[b[i]] {
				i++
			}
		}
	}
	return false
}

// in reports whether one of the phrases may stand in a text. It lets more pass than there is, but loses none.
func (s *seeds) in(b []byte) bool {
	for i := 0; i+1 < len(b); {
		c := b[i]
		if s.first[c] && s.at(b[i:]) {
			return true
		}
		i++
		if isLetter[c] && (i < 2 || b[i-2] != '\\') { // what looks like a letter may be an escape, and a word begins behind it
			for i < len(b) && isLetter[b[i]] {
				i++
			}
		}
	}
	return false
}

// begins compares a beginning, letters of ASCII in either case.
func begins(b []byte, w string) bool {
	if len(b) < len(w) {
		return false
	}
	for i := range len(w) {
		if c := b[i]; c != w[i] && (c|0x20 != w[i] || c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// Said reads a text of a model: all of it where it may tell of a decision, else only its beginning. Most texts are so passed
// over without being decoded.
func (c *Collector) Said(s *jsonl.Scanner, part int) jsonl.Text {
	if Off {
		return s.Text()
	}
	if raw := s.Peek(); raw != nil && !hopeful(raw) {
		head, t := s.Str(headLen)
		c.add(pending{part: part, units: journal.Units(t.Units), role: Model, head: true}, head)
		return t
	}
	head, t := s.Str(MaxText)
	c.Add(Model, part, head, t.Units)
	return t
}

// hopeful reports whether a text as JSON has it may tell of a decision. One with characters that are written as numbers may.
func hopeful(raw []byte) bool {
	return len(raw) > MaxText || decides.inEscaped(raw)
}
