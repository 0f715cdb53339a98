package jsonl

// Skip consumes the value at hand.
func (s *Scanner) Skip() {
	if s.state != stValue {
		return
	}
	switch s.buf[s.pos] {
	case '"':
		if end := shortEnd(s.buf[:s.lim], s.pos+1); end > 0 {
			s.pos = end
			s.scalarEnd()
		} else if s.pos++; s.skipString() {
			s.scalarEnd()
		}
	case '{', '[':
		s.skipTo(s.depth)
	default:
		if s.scalar() {
			s.scalarEnd()
		}
	}
}

// skipTo passes over everything until a container closes at nesting depth target. The grammar is checked on the way: a
// record that was cut in the middle is recognised where the next one begins, and that is what resync needs.
func (s *Scanner) skipTo(target int) {
	b, i := s.buf[:s.lim], s.pos
	for st := s.state; ; {
		if i >= len(b) || b[i] <= ' ' {
			s.pos = i
			if s.blank() == 0 {
				return
			}
			b, i = s.buf[:s.lim], s.pos
		}
		c := b[i]
		switch {
		case st == stAfter && c == ',':
			if st = stValue; s.object {
				st = stKey
			}
			i++
			continue
		case (st == stAfter || st == stOpen) && (c == '}' && s.object || c == ']' && !s.object):
			i++
			st = stAfter
			if s.pop(); s.depth == target {
				s.pos = i
				s.consumed()
				return
			}
			continue
		case st == stAfter:
			s.pos = i
			s.unexpected()
			return
		}
		// A value or a key.
		if c == '"' {
			if end := shortEnd(b, i+1); end > 0 {
				i = end
			} else {
				if s.pos = i + 1; !s.skipString() {
					return
				}
				b, i = s.buf[:s.lim], s.pos
			}
			if st == stValue || st == stOpen && !s.object {
				st = stAfter
			} else if st = stValue; i < len(b) && b[i] == ':' {
				i++
			} else {
				if s.pos = i; !s.colon() {
					return
				}
				b, i = s.buf[:s.lim], s.pos
			}
			continue
		}
		if c-'1' < 9 && st == stValue {
			if end := digitsEnd(b, i); end < len(b) && b[end] != '.' && b[end]|0x20 != 'e' {
				i, st = end, stAfter
				continue
			}
		}
		s.pos = i
		switch {
		case st == stKey || st == stOpen && s.object:
			s.unexpected()
			return
		case c == '{' || c == '[':
			if !s.push(c == '{') {
				return
			}
			i++
			st = stOpen
		default:
			if !s.scalar() {
				return
			}
			b, i, st = s.buf[:s.lim], s.pos, stAfter
		}
	}
}

// shortEnd is the index after the closing quote of a string that goes on at i, if it is near and no backslash stands
// before it, else 0. Most keys and values are of this kind.
func shortEnd(b []byte, i int) int {
	for far := i + 64; i+8 <= len(b) && i < far; i += 8 {
		if m := quote(load64(b, i)); m != 0 {
			i += firstLane(m)
			if b[i-1] != '\\' {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// skipString passes over the rest of a string, pos being inside it.
func (s *Scanner) skipString() bool {
	for {
		i, closed := stringEnd(s.buf[:s.lim], s.pos)
		s.pos = i
		if closed {
			return true
		}
		if !s.more() {
			s.cut()
			return false
		}
	}
}

// scalar passes over the number or literal at pos.
func (s *Scanner) scalar() bool {
	b, i := s.buf[:s.lim], s.pos
	switch b[i] {
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case '-':
		i++
	}
	// Digits and a point are quickly looked at; what else there may be is left to the grammar.
	whole := digitsEnd(b, i)
	if whole == i || whole == len(b) || b[i] == '0' && whole > i+1 {
		return s.number()
	}
	i = whole
	if b[i] == '.' {
		if i = digitsEnd(b, whole+1); i == whole+1 || i == len(b) {
			return s.number()
		}
	}
	if b[i]|0x20 == 'e' {
		return s.number()
	}
	s.pos = i
	return true
}

// digitsEnd is the index of the first byte of b from i on that is no digit, or len(b).
func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}

// literal passes over the word at pos, of which the first letter is known to be right.
func (s *Scanner) literal(word string) bool {
	for i := 0; i < len(word); i++ {
		if s.pos == s.lim && !s.more() {
			s.cut()
			return false
		}
		if s.buf[s.pos] != word[i] {
			s.unexpected()
			return false
		}
		s.pos++
	}
	return true
}
