package jsonl

import "unicode/utf8"

// unescaped is what the byte after a backslash stands for. A byte that makes no escape stands for itself.
var unescaped = func() (t [128]byte) {
	for i := range t {
		t[i] = byte(i)
	}
	t['b'], t['f'], t['n'], t['r'], t['t'] = '\b', '\f', '\n', '\r', '\t'
	return t
}()

// quotedMore is how many units JSON.stringify writes for an ASCII character beyond the character itself.
var quotedMore = func() (t [128]uint8) {
	for i := range t[:' '] {
		t[i] = 5 // \u001f
	}
	for _, c := range "\b\f\n\r\t\"\\" {
		t[c] = 1
	}
	return t
}()

// quotedExtra is quotedMore for any character: a lone surrogate is written as an escape.
func quotedExtra(r rune) int {
	switch {
	case r < 0x80:
		return int(quotedMore[r])
	case isSurrogate(r):
		return 5
	}
	return 0
}

// simpleEscape is 0 for what makes no escape of two bytes, else one more than quotedMore of what it stands for.
var simpleEscape = func() (t [256]uint8) {
	for i := ' '; i < 0x80; i++ {
		if i != 'u' {
			t[i] = 1 + quotedMore[unescaped[i]]
		}
	}
	return t
}()

// size is that of one character. A lone surrogate has the size of the U+FFFD that stands for it.
func size(r rune) (units, bytes int) {
	switch {
	case r < 0x80:
		return 1, 1
	case r < 0x800:
		return 1, 2
	case r < 0x10000:
		return 1, 3
	}
	return 2, 4
}

func isSurrogate(r rune) bool { return r >= 0xD800 && r < 0xE000 }

// character decodes the character at b[i], which is not plain and no quote. n is its raw length, 0 if b ends before that
// is known.
func character(b []byte, i int) (n int, r rune) {
	c := b[i]
	switch {
	case c >= 0x80:
		n, valid := sequence(b, i)
		if !valid {
			return n, utf8.RuneError
		}
		r, _ := utf8.DecodeRune(b[i:])
		return n, r
	case c != '\\':
		return 1, rune(c)
	case i+1 == len(b):
		return 0, 0
	}
	switch e := b[i+1]; {
	case e == 'u':
		return unicodeEscape(b, i)
	case e < 0x80:
		return 2, rune(unescaped[e])
	}
	if n, r = character(b, i+1); n > 0 {
		n++
	}
	return n, r
}

// unicodeEscape decodes the escape at b[i:], which begins with \u: a pair of surrogates as one character, a lone one as
// itself. Without four digits it is a u. n is its raw length, 0 if b ends before that is known.
func unicodeEscape(b []byte, i int) (n int, r rune) {
	i += 2
	if i+4 > len(b) || hex4(b[i:i+4]) > 0xFFFF {
		if hexEnds(b, i) {
			return 0, 0
		}
		return 2, 'u'
	}
	r = hex4(b[i : i+4])
	if r < 0xD800 || r >= 0xDC00 {
		return 6, r
	}
	i += 4
	if i < len(b) && b[i] != '\\' || i+1 < len(b) && b[i+1] != 'u' {
		return 6, r
	}
	i += 2
	if i+4 <= len(b) {
		if low := hex4(b[i : i+4]); low >= 0xDC00 && low < 0xE000 {
			return 12, 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
		}
	} else if hexEnds(b, i) {
		return 0, 0
	}
	return 6, r
}

// hex4 is the value of four hexadecimal digits, beyond 0xFFFF if b holds anything else.
func hex4(b []byte) rune {
	_ = b[3]
	return rune(hexDigit[b[0]])<<12 | rune(hexDigit[b[1]])<<8 | rune(hexDigit[b[2]])<<4 | rune(hexDigit[b[3]])
}

// hexEnds tells whether b ends before four hexadecimal digits from i on, having had no other byte.
func hexEnds(b []byte, i int) bool {
	for n := 0; n < 4; n++ {
		if i+n >= len(b) {
			return true
		}
		if hexDigit[b[i+n]] > 0xF {
			return false
		}
	}
	return false
}

// hexDigit is the value of a hexadecimal digit, beyond 0xFFFF for anything else.
var hexDigit = func() (t [256]int32) {
	for i := range t {
		t[i] = 1 << 16
	}
	for i, c := range "0123456789abcdef" {
		t[c] = int32(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = int32(10 + i)
	}
	return t
}()
