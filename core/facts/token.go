package facts

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a folded text: letters and digits, and what holds them together in paths, flags and identifiers. Of
// scripts without blanks it is every pair of neighbouring characters.
type token struct {
	text   string
	begins bool  // a clause begins here: punctuation stands before it
	dense  bool  // of a script without blanks
	word   int32 // its number in a lexicon, where somebody looked it up
}

func isDense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func isWord(r rune) bool {
	return r == '_' || r < 0x80 && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z') ||
		r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// isJoin tells what may stand inside of a word.
func isJoin(c byte) bool { return joinBytes[c] }

// isLead tells what may stand directly before the first letter of a word and belong to it.
func isLead(c byte) bool { return leadBytes[c] }

var joinBytes, leadBytes = setOf("./\\:-@'~+#$&%"), setOf("./\\~-@$")

func setOf(bytes string) (is [256]bool) {
	for i := range len(bytes) {
		is[bytes[i]] = true
	}
	return is
}

// tokens appends the words of a folded text. What is no part of a word and no blank begins a clause.
func tokens(out []token, s string) []token {
	begins := true
	for i := 0; i < len(s); {
		if j := plainWord(s, i); j > i {
			out = append(out, token{text: s[i:j], begins: begins})
			i, begins = j, false
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case isDense(r):
			j := i
			for j < len(s) {
				q, m := utf8.DecodeRuneInString(s[j:])
				if !isDense(q) {
					break
				}
				j += m
			}
			out = dense(out, s[i:j], begins)
			i, begins = j, false
			continue
		case isWord(r):
			from := lead(s, i)
			j := wordEnd(s, i)
			out = word(out, s[from:j], begins)
			i, begins = j, false
			continue
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || n == 1 && isLead(s[i]) && attached(s, i) || r == '"' || r == '\'' || r == '*':
		default:
			begins = true
		}
		i += n
	}
	return out
}

// plainWord is the end of a word that begins at i and is nothing but letters and digits between blanks and simple marks, as most are:
// no path, no flag, no other script. It is i for anything else.
func plainWord(s string, i int) int {
	if i > 0 && leadBytes[s[i-1]] {
		return i
	}
	j := i
	for j < len(s) && wordBytes[s[j]] {
		j++
	}
	if j < len(s) && (joinBytes[s[j]] || s[j] >= utf8.RuneSelf) {
		return i
	}
	return j
}

var wordBytes = setOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")

// attached reports whether a run of lead characters is followed by a word.
func attached(s string, i int) bool {
	if i > 0 && !strings.ContainsRune(" \t\n\"'(`[*./\\~-@$", rune(s[i-1])) {
		return false
	}
	for i < len(s) && isLead(s[i]) {
		i++
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return i < len(s) && isWord(r)
}

// lead is where a word begins whose first letter is at i: a path or a flag has signs before it.
func lead(s string, i int) int {
	from := i
	for from > 0 && isLead(s[from-1]) {
		from--
	}
	if from > 0 && !strings.ContainsRune(" \t\n\"'([*=", rune(s[from-1])) {
		return i
	}
	if run := s[from:i]; run == "-" || run == "'" || strings.Contains(run, "...") {
		return i
	}
	return from
}

// wordEnd is where a word ends that goes on at i. One sign may stand between two letters; several only in a path.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if isWord(r) && !isDense(r) {
			i += n
			continue
		}
		j := i
		for j < len(s) && isJoin(s[j]) {
			j++
		}
		if j == i || j == len(s) {
			break
		}
		if q, _ := utf8.DecodeRuneInString(s[j:]); !isWord(q) || isDense(q) {
			if s[i] == '/' && j == i+1 { // a folder
				return j
			}
			break
		}
		if run := s[i:j]; len(run) > 1 && !strings.ContainsAny(run, "/\\") {
			break
		}
		i = j
	}
	return i
}

// word adds a word: an elided article or negation before it is one of its own.
func word(out []token, w string, begins bool) []token {
	if i := strings.IndexByte(w, '\''); i > 0 && i <= 2 && len(w)-i > 3 {
		switch w[:i] {
		case "n":
			return append(out, token{text: "ne", begins: begins}, token{text: w[i+1:]})
		case "l", "d", "j", "c", "s", "m", "t", "qu":
			return append(out, token{text: w[i+1:], begins: begins})
		}
	}
	return append(out, token{text: w, begins: begins})
}

func dense(out []token, run string, begins bool) []token {
	prev := ""
	for len(run) > 0 {
		_, n := utf8.DecodeRuneInString(run)
		c := run[:n]
		rest := run[n:]
		switch {
		case rest != "":
			_, m := utf8.DecodeRuneInString(rest)
			out = append(out, token{text: run[:n+m], begins: begins, dense: true})
		case prev == "":
			out = append(out, token{text: c, begins: begins, dense: true})
		}
		prev, run, begins = c, rest, false
	}
	return out
}
