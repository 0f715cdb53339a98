package analysis

import (
	"strconv"
	"unicode/utf8"

	"contextscope/core/journal"
)

// encoder writes JSON. It knows where a comma belongs; what is unknown is left out by the methods that end in If.
type encoder struct {
	b     []byte
	comma bool
	mask  func(string) string // what becomes of strings, nil for nothing
}

func (e *encoder) sep() {
	if e.comma {
		e.b = append(e.b, ',')
	}
	e.comma = true
}

func (e *encoder) open(c byte) {
	e.sep()
	e.b = append(e.b, c)
	e.comma = false
}

func (e *encoder) close(c byte) {
	e.b = append(e.b, c)
	e.comma = true
}

func (e *encoder) key(k string) {
	e.sep()
	e.b = append(e.b, '"')
	e.b = append(e.b, k...)
	e.b = append(e.b, '"', ':')
	e.comma = false
}

// list writes a member that is an array of n elements.
func (e *encoder) list(k string, n int, element func(i int)) {
	e.key(k)
	e.open('[')
	for i := range n {
		element(i)
	}
	e.close(']')
}

// object writes a member that is an object.
func (e *encoder) object(k string, members func()) {
	e.key(k)
	e.open('{')
	members()
	e.close('}')
}

func (e *encoder) string(v string) {
	if e.mask != nil {
		v = e.mask(v)
	}
	e.sep()
	e.b = appendQuoted(e.b, v)
}

func (e *encoder) int(v int64) {
	e.sep()
	e.b = strconv.AppendInt(e.b, v, 10)
}

func (e *encoder) keyString(k, v string) {
	e.key(k)
	e.string(v)
}

func (e *encoder) keyStringIf(k, v string) {
	if v != "" {
		e.keyString(k, v)
	}
}

func (e *encoder) keyInt(k string, v int64) {
	e.key(k)
	e.int(v)
}

func (e *encoder) keyIntIf(k string, v int64) {
	if v != Unknown {
		e.keyInt(k, v)
	}
}

func (e *encoder) keyBool(k string, v bool) {
	e.key(k)
	e.sep()
	e.b = strconv.AppendBool(e.b, v)
}

func (e *encoder) keyFloat(k string, v float64) {
	e.key(k)
	e.sep()
	e.b = strconv.AppendFloat(e.b, v, 'g', 6, 64)
}

func (e *encoder) keyTimeIf(k string, ns int64) {
	if ns == 0 {
		return
	}
	e.key(k)
	e.sep()
	e.b = append(e.b, '"')
	e.b = journal.AppendTime(e.b, ns)
	e.b = append(e.b, '"')
}

// AppendQuoted writes a string as documents have it.
func AppendQuoted(b []byte, v string) []byte { return appendQuoted(b, v) }

// appendQuoted writes a string. Besides what JSON requires it escapes what could end a script element or start a comment,
// so that a document can stand inside a page.
func appendQuoted(b []byte, v string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(v); {
		c := v[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c == '\n':
				b = append(b, '\\', 'n')
			case c < ' ' || c == 0x7f || c == '<' || c == '>' || c == '&':
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				b = append(b, c)
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(v[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(b, `\ufffd`...)
		case r == 0x2028 || r == 0x2029:
			b = append(b, '\\', 'u', '2', '0', '2', hex[r&15])
		default:
			b = append(b, v[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

// indent makes JSON readable. It knows only its own output: no blanks outside of strings.
func indent(b []byte) []byte {
	out := make([]byte, 0, len(b)*2)
	depth := 0
	line := func() {
		out = append(out, '\n')
		for range depth {
			out = append(out, ' ', ' ')
		}
	}
	for i := 0; i < len(b); i++ {
		switch c := b[i]; c {
		case '"':
			from := i
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			out = append(out, b[from:i+1]...)
		case '{', '[':
			out = append(out, c)
			if b[i+1] == '}' || b[i+1] == ']' {
				i++
				out = append(out, b[i])
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			out = append(out, c)
		case ',':
			out = append(out, c)
			line()
		case ':':
			out = append(out, ':', ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}
