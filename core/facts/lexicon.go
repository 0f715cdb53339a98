package facts

import (
	"strings"
	"unicode/utf8"

	"contextscope/core/journal"
)

// lexicon numbers the words of all texts that are compared with each other. A word is taken apart the first time that it stands
// somewhere; from then on it is one look-up, and words are compared by their numbers.
type lexicon struct {
	known   map[string]int32 // a word as it stands in a folded text -> its number in words
	words   []meaning
	parts   []int32          // of all words, one behind the other
	numbers map[string]int32 // a stem, or "/" and the name of a file -> its number
	stems   []string
	paths   []string // clean; the first is none
	room    []token
	folded  []byte
}

// meaning is what a word means.
type meaning struct {
	role        role
	path        int32 // in paths, 0 for a word that is none
	first, last int32 // its stems in parts; of a path its bare name alone
}

// mark is a word of a statement that means something, with its polarity.
type mark struct {
	stem  int32 // number of the stem, or of the bare name of a path
	path  int32
	minus bool // in a clause that says no
}

func newLexicon() *lexicon {
	return &lexicon{known: map[string]int32{}, numbers: map[string]int32{}, paths: make([]string, 1)}
}

// marks appends the words of a statement that mean something. A clause that says no gives all its words a minus; what was not
// chosen stands in a clause of its own.
func (l *lexicon) marks(out []mark, text string) []mark {
	text, l.folded = foldInto(l.folded, text)
	t := tokens(l.room[:0], text)
	l.room = t
	for i := range t {
		t[i].word = l.look(&t[i])
	}
	for i := 0; i < len(t); {
		end := i + 1
		for end < len(t) && !t[end].begins && !l.breaks(t, end) {
			end++
		}
		out = l.clause(out, t[i:end], l.words[t[i].word].role&leadsAgainst != 0 && len(againstWords.at(t, i).words) > 0)
		i = end
	}
	return out
}

// breaks reports whether a clause begins at a token although no punctuation says so.
func (l *lexicon) breaks(t []token, i int) bool {
	role := l.words[t[i].word].role
	return role&isTurn != 0 || role&leadsAgainst != 0 && len(againstWords.at(t, i).words) > 0
}

func (l *lexicon) clause(out []mark, t []token, minus bool) []mark {
	for i := range t {
		minus = minus || l.words[t[i].word].role&isNegation != 0
	}
	for i := range t {
		w := &l.words[t[i].word]
		for _, n := range l.parts[w.first:w.last] {
			out = append(out, mark{stem: n, path: w.path, minus: minus})
		}
	}
	return out
}

// look finds a word, or takes it apart.
func (l *lexicon) look(t *token) int32 {
	n, ok := l.known[t.text]
	if !ok {
		n = int32(len(l.words))
		w := meaning{role: roles[t.text], first: int32(len(l.parts))}
		if t.dense || t.text[0] >= 0xEA && t.text[0] <= 0xED {
			w.role &^= isNegation
			for _, n := range negations.inside {
				if strings.Contains(t.text, n) {
					w.role |= isNegation
				}
			}
		}
		switch {
		case t.dense:
			l.parts = append(l.parts, l.number(t.text))
		case isPath(t.text):
			path := strings.Clone(cleanPath(t.text))
			w.path = int32(len(l.paths))
			l.paths = append(l.paths, path)
			l.parts = append(l.parts, l.number("/"+baseOf(path)))
		case w.role&(isNegation|isStop|isAgainst) == 0:
			for part := range strings.FieldsFuncSeq(t.text, joins) {
				if !stops.has(part) {
					l.parts = append(l.parts, l.number(stem(part)))
				}
			}
		}
		w.last = int32(len(l.parts))
		l.words = append(l.words, w)
		l.known[strings.Clone(t.text)] = n
	}
	return n
}

// joins tells the signs that hold the parts of a word together. What a program's name has in it, _, is no such sign.
func joins(r rune) bool { return r < utf8.RuneSelf && isJoin(byte(r)) }

// number is that of a stem.
func (l *lexicon) number(stem string) int32 {
	n, ok := l.numbers[stem]
	if !ok {
		n = int32(len(l.stems))
		stem = strings.Clone(stem)
		l.stems = append(l.stems, stem)
		l.numbers[stem] = n
	}
	return n
}

// stem cuts the commonest endings of English from a word, so that "modify", "modified" and "modifying" are one.
func stem(w string) string {
	if len(w) < 4 {
		return w
	}
	for _, c := range []byte(w) {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	for _, end := range []string{"ing", "ied", "ies", "ed", "es", "s"} {
		if cut, ok := strings.CutSuffix(w, end); ok && len(cut) >= 3 && !strings.HasSuffix(w, "ss") {
			w = cut
			break
		}
	}
	if n := len(w); n > 3 && (w[n-1] == 'e' || w[n-1] == 'y' || w[n-1] == 'i') {
		w = w[:n-1]
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
		w = w[:n-1]
	}
	return w
}

// Wanted is a fact made ready to be looked for, as often as there are boundaries.
type Wanted struct {
	kind  journal.FactKind
	key   string
	words []mark
}

// because stands between a decision and its reason.
const because = " — because "

// Want makes a fact ready.
func (c *Context) Want(kind journal.FactKind, text string) *Wanted {
	w := &Wanted{kind: kind, key: Key(kind, text)}
	switch kind {
	case journal.FileRead, journal.FileModified:
		return w
	case journal.Decision:
		text, _, _ = strings.Cut(text, because) // the reason was not decided
		w.words = distinct(c.lexicon.chosen(c.lexicon.marks(nil, text)))
		return w
	}
	w.words = distinct(c.lexicon.marks(nil, text))
	return w
}

// chosen leaves out the words of deciding, and what was not chosen.
func (l *lexicon) chosen(m []mark) []mark {
	var out []mark
	for _, w := range m {
		if w.path == 0 {
			switch stem := l.stems[w.stem]; {
			case w.minus, decisions.has(stem), stem == "decid", stem == "chosen", stem == "chos", stem == "select", stem == "opt":
				continue
			}
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return m
	}
	return out
}

func distinct(m []mark) []mark {
	out := m[:0]
	for i, w := range m {
		again := false
		for _, o := range m[:i] {
			again = again || o == w
		}
		if !again {
			out = append(out, w)
		}
	}
	return out
}
