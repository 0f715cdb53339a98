package facts

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed words.tsv
var wordsTSV string

// phrase is a row's phrase as tokens, with the condition under which it counts.
type phrase struct {
	words []string
	where string
}

// vocabulary is the phrases of one kind: by their first word, or, in scripts that put no blanks between words, as they are.
type vocabulary struct {
	by     map[string][]phrase
	inside []string
	starts []string  // as they are, for kinds that compare the beginning of a text
	first  [256]bool // what one of them begins with
}

var words = parseWords(wordsTSV)

// The kinds of phrases, as the table calls them.
var (
	abbreviations = words["abbreviation"]
	againstWords  = words["against"]
	constraints   = words["constraint"]
	decisions     = words["decision"]
	doubts        = words["doubt"]
	exceptions    = words["exception"]
	greetings     = words["greeting"]
	harnessWords  = words["harness"]
	leads         = words["lead"]
	logs          = words["log"]
	negations     = words["negation"]
	newGoals      = words["newgoal"]
	stops         = words["stop"]
	subjects      = words["subject"]
	summaryWords  = words["summary"]
	templates     = words["template"]
	uses          = words["use"]
)

func parseWords(table string) map[string]*vocabulary {
	out := map[string]*vocabulary{}
	for line := range strings.SplitSeq(table, "\n") {
		f := strings.Split(line, "\t")
		if strings.HasPrefix(line, "#") || len(f) < 4 {
			continue
		}
		kind, language, where := f[0], f[1], f[2]
		v := out[kind]
		if v == nil {
			v = &vocabulary{by: map[string][]phrase{}}
			out[kind] = v
		}
		for p := range strings.SplitSeq(strings.Join(f[3:], "\t"), "|") {
			v.add(p, language, where)
		}
	}
	return out
}

func (v *vocabulary) add(p, language, where string) {
	v.starts = append(v.starts, p)
	v.first[p[0]] = true
	if language == "zh" || language == "ja" || language == "ko" {
		v.inside = append(v.inside, p)
		return
	}
	list := strings.Fields(p)
	for i, w := range list {
		list[i] = strings.TrimRight(w, ",:")
	}
	v.by[list[0]] = append(v.by[list[0]], phrase{list, where})
}

// role is what a word does in a clause.
type role uint8

const (
	isStop       role = 1 << iota // it means nothing by itself
	isNegation                    // it says no
	isAgainst                     // it names what was decided against
	leadsAgainst                  // it may begin such a phrase
	isTurn                        // a clause begins with it
)

// roles are those of all words that have one, in one look.
var roles = func() map[string]role {
	out := map[string]role{}
	add := func(v *vocabulary, alone, leads role) {
		for w, list := range v.by {
			out[w] |= leads
			for _, p := range list {
				if len(p.words) == 1 {
					out[w] |= alone
				}
			}
		}
	}
	add(stops, isStop, 0)
	add(negations, isNegation, 0)
	add(againstWords, isAgainst, leadsAgainst)
	for _, w := range []string{"but", "aber", "mais", "pero", "mas", "ma", "maar", "ale", "но"} {
		out[w] |= isTurn
	}
	return out
}()

// has reports whether the word alone is one of the vocabulary.
func (v *vocabulary) has(word string) bool {
	for _, p := range v.by[word] {
		if len(p.words) == 1 {
			return true
		}
	}
	return false
}

// at is the longest phrase that stands at a token, its length in tokens 0 for none.
func (v *vocabulary) at(t []token, i int) (best phrase) {
	for _, p := range v.by[t[i].text] {
		if len(p.words) > len(best.words) && follows(t[i:], p.words) {
			best = p
		}
	}
	return best
}

func follows(t []token, list []string) bool {
	if len(t) < len(list) {
		return false
	}
	for i, w := range list {
		if t[i].text != w || i > 0 && t[i].begins {
			return false
		}
	}
	return true
}

// in reports whether any phrase stands somewhere in a statement.
func (v *vocabulary) in(folded string, t []token) bool {
	for _, w := range v.inside {
		if strings.Contains(folded, w) {
			return true
		}
	}
	for i := range t {
		if len(v.at(t, i).words) > 0 {
			return true
		}
	}
	return false
}

// begins reports whether a text begins with one of the phrases.
func (v *vocabulary) begins(folded string) bool {
	if folded == "" || !v.first[folded[0]] {
		return false
	}
	for _, p := range v.starts {
		if strings.HasPrefix(folded, p) {
			return true
		}
	}
	return false
}

// fold makes text comparable: lower case, straight quotes, plain blanks, full-width punctuation as its narrow form.
func fold(s string) string {
	folded, _ := foldInto(nil, s)
	return folded
}

// foldInto is fold. Where the text has to be changed, the result is in room, and valid as long as that is.
func foldInto(room []byte, s string) (folded string, made []byte) {
	ascii, plain := true, true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
		plain = plain && !(s[i] >= 'A' && s[i] <= 'Z') && s[i] != '`'
	}
	switch {
	case ascii && plain:
		return s, room
	case ascii:
		room = append(room[:0], s...)
		for i, c := range room {
			if c >= 'A' && c <= 'Z' {
				room[i] = c | 0x20
			} else if c == '`' {
				room[i] = '\''
			}
		}
		return view(room), room
	}
	return strings.Map(foldRune, s), room
}

func foldRune(r rune) rune {
	switch r {
	case '‘', '’', '‛', 'ʼ', '＇', '´', '`':
		return '\''
	case '“', '”', '„', '‟', '«', '»':
		return '"'
	case '\u00a0', '\u2007', '\u202f', '\u3000':
		return ' '
	case '‐', '‑':
		return '-'
	}
	if r >= '！' && r <= '～' {
		r -= '！' - '!'
	}
	return unicode.ToLower(r)
}
