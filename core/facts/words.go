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
	starts []string // as they are, for kinds that compare the beginning of a text
}

var words = parseWords(wordsTSV)

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
	for _, p := range v.starts {
		if strings.HasPrefix(folded, p) {
			return true
		}
	}
	return false
}

// fold makes text comparable: lower case, straight quotes, plain blanks, full-width punctuation as its narrow form.
func fold(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < utf8.RuneSelf && !(s[i] >= 'A' && s[i] <= 'Z')
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
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
	}, s)
}
