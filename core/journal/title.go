package journal

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// MaxTitle is how long a title or a label gets, in characters.
const MaxTitle = 96

// TitleOf makes a title of a prompt: its first meaningful line without Markdown markers, of that the first sentence, cut
// at a word when it is long. A heading of one generic word ("Task", "Context:") is not meaningful. Empty when nothing is.
func TitleOf(text []byte) []byte {
	var fallback []byte
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		heading := bytes.HasPrefix(bytes.TrimSpace(line), []byte{'#'})
		line = stripMarkers(line)
		if !hasLetter(line) {
			continue
		}
		if heading && !bytes.ContainsAny(line, " \t") || line[len(line)-1] == ':' && !bytes.ContainsAny(line, " \t") {
			if fallback == nil {
				fallback = line
			}
			continue
		}
		return shorten(sentence(line))
	}
	return shorten(fallback)
}

// stripMarkers cuts what Markdown puts before a heading, a list item or a quotation.
func stripMarkers(line []byte) []byte {
	line = bytes.TrimSpace(line)
	for {
		cut := bytes.TrimLeft(line, "#>*-+•`_ \t")
		if i := digitsDot(cut); i > 0 {
			cut = cut[i:]
		}
		if len(cut) == len(line) {
			return bytes.TrimRight(line, "*_`# \t")
		}
		line = cut
	}
}

// digitsDot is the length of "12. " or "3) " at the start, 0 when it is not there.
func digitsDot(b []byte) int {
	i := 0
	for i < len(b) && i < 3 && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == 0 || i+1 >= len(b) || b[i] != '.' && b[i] != ')' || b[i+1] != ' ' {
		return 0
	}
	return i + 2
}

func hasLetter(b []byte) bool {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
		i += n
	}
	return false
}

// sentence is the line up to the first full stop, question or exclamation mark that a space follows.
func sentence(b []byte) []byte {
	for i := 0; i+1 < len(b); i++ {
		if (b[i] == '.' || b[i] == '!' || b[i] == '?') && b[i+1] == ' ' && i >= 12 {
			return b[:i+1]
		}
	}
	return b
}

// shorten cuts at a word boundary near MaxTitle characters and says so with an ellipsis.
func shorten(b []byte) []byte {
	n, cut := 0, 0
	for i := 0; i < len(b) && n <= MaxTitle; n++ {
		if n == MaxTitle-1 {
			cut = i
		}
		_, w := utf8.DecodeRune(b[i:])
		i += w
	}
	if n <= MaxTitle {
		return b
	}
	if i := bytes.LastIndexByte(b[:cut], ' '); i > cut/2 {
		cut = i
	}
	return append(bytes.TrimRight(b[:cut:cut], " ,;:"), "…"...)
}

// IsPath reports whether a name is, or has in it, a path. Such a name is not for documents: it stands there as a token.
func IsPath(name []byte) bool { return bytes.ContainsAny(name, `/\`) }

// PathToken stands for a path: the same path has the same token.
func PathToken(path []byte) string {
	const hex = "0123456789abcdef"
	b := [13]byte{'p', 'a', 't', 'h', '-'}
	h := Hash(path)
	for i, shift := 5, 28; shift >= 0; i, shift = i+1, shift-4 {
		b[i] = hex[h>>shift&15]
	}
	return string(b[:])
}
