package jsonl

// sequence looks at the non-ASCII sequence at b[i]. n is its length in bytes, 0 if b ends before that is known. Invalid
// is cut the way browsers do: a sequence that breaks off is one error, a byte that can begin none is one error.
func sequence(b []byte, i int) (n int, valid bool) {
	lo, hi := byte(0x80), byte(0xBF)
	rest := 1
	switch c := b[i]; {
	case c < 0xC2 || c > 0xF4:
		return 1, false
	case c < 0xE0:
	case c < 0xF0:
		rest = 2
		if c == 0xE0 {
			lo = 0xA0 // else it would be an overlong form
		} else if c == 0xED {
			hi = 0x9F // surrogates
		}
	default:
		rest = 3
		if c == 0xF0 {
			lo = 0x90 // overlong
		} else if c == 0xF4 {
			hi = 0x8F // beyond U+10FFFF
		}
	}
	for n = 1; n <= rest; n++ {
		if i+n >= len(b) {
			return 0, false
		}
		if c := b[i+n]; c < lo || c > hi {
			return n, false
		}
		lo, hi = 0x80, 0xBF
	}
	return n, true
}

// wide passes over characters of several bytes from i on, b[i] being no ASCII, as long as they follow each other or only
// single plain characters, such as a space, stand between them. units is how many UTF-16 units they have; grown is how
// many bytes longer the U+FFFD are than the errors they stand for. If b ends inside a sequence, next is where it begins.
func wide(b []byte, i int) (next, units, grown int) {
	for i+8 <= len(b) {
		w := load64(b, i)
		if w&0xC0C0F0C0C0F0 == 0x8080E08080E0 && threeBytes(w) && threeBytes(w>>24) {
			i, units = i+6, units+2 // two
			continue
		}
		switch c := byte(w); {
		case c < 0x80:
			if w&0x8000 == 0 || !isPlain(c) {
				return i, units, grown
			}
			i, units = i+1, units+1
			continue
		case c < 0xC2:
		case c < 0xE0:
			if w&0xC0E0C0E0C0E0C0E0 == 0x80C080C080C080C0 && (w&0x1E001E001E001E-0x1000100010001)&0x8000800080008000 == 0 {
				i, units = i+8, units+4 // four, none of them overlong
				continue
			}
			if w&0xC000 == 0x8000 {
				i, units = i+2, units+1
				continue
			}
		case c < 0xF0:
			if w&0xC0C000 == 0x808000 && threeBytes(w) {
				i, units = i+3, units+1
				continue
			}
		default:
			if w&0xC0C0C000 == 0x80808000 && (w&0xF<<2|w>>12&3)-1 < 16 { // in planes 1 to 16
				i, units = i+4, units+2
				continue
			}
		}
		n, _ := sequence(b, i)
		i, units, grown = i+n, units+1, grown+3-n
	}
	for i < len(b) && b[i] >= 0x80 {
		n, valid := sequence(b, i)
		if n == 0 {
			break
		}
		i, units = i+n, units+1
		if !valid {
			grown += 3 - n
		} else if n == 4 {
			units++
		}
	}
	return i, units, grown
}

// threeBytes tells that w, which has the pattern of three bytes, begins with a character: no overlong form (E0 and a
// second byte below A0) and no surrogate (ED and one from A0 on).
func threeBytes(w uint64) bool { return w&0x200F != 0 && w&0x200F != 0x200D }

// Units counts the UTF-16 code units of UTF-8 text: the length of the string in JavaScript. Invalid UTF-8 counts as the
// package comment says.
func Units(b []byte) int64 {
	i, less := 0, 0
	for {
		for i+8 <= len(b) {
			if m := load64(b, i) & tops; m != 0 {
				i += firstLane(m)
				break
			}
			i += 8
		}
		for i < len(b) && b[i] < 0x80 {
			i++
		}
		if i == len(b) {
			return int64(i - less)
		}
		next, units, _ := wide(b, i)
		if next == i {
			return int64(i - less + 1) // the last sequence breaks off: one error
		}
		less += next - i - units
		i = next
	}
}
