package jsonl

import "unicode/utf8"

// Text is the size of a decoded string.
type Text struct {
	Units int64 // UTF-16 code units
	Bytes int64 // UTF-8 bytes
}

// tally adds up a string. quoted is how many units JSON.stringify writes more than the string has, without the two
// quotes around it.
type tally struct {
	units, bytes, quoted int64
}

// Text consumes the string at hand and returns its decoded size. Anything else is skipped and has none.
func (s *Scanner) Text() Text {
	if s.Kind() != String {
		s.Skip()
		return Text{}
	}
	s.pos++
	var t tally
	if !s.count(&t) {
		return Text{}
	}
	s.scalarEnd()
	return Text{t.units, t.bytes}
}

// Str is Text that also returns the beginning of the decoded string: as many whole characters as fit in limit bytes, valid
// until the next call. Invalid UTF-8 and lone surrogates are U+FFFD in it. It is nil for anything but a string, and when
// the string turns out cut off.
func (s *Scanner) Str(limit int) (head []byte, t Text) {
	head, sum := s.str(limit)
	return head, Text{sum.units, sum.bytes}
}

// Peek is the string at hand as it is written, without its quotes and with its escapes, valid until the next call; nothing
// is consumed. It is nil for anything else, and where its end is not read yet: whatever is decided by it must not depend on
// that.
func (s *Scanner) Peek() []byte {
	if s.Kind() != String {
		return nil
	}
	b := s.buf[:s.lim]
	end, closed := stringEnd(b, s.pos+1)
	if !closed {
		return nil
	}
	return b[s.pos+1 : end-1 : end-1]
}

// First is the first byte of the string at hand as it is written: a quote where it is empty, and 0 where no string is at hand.
// Nothing is consumed.
func (s *Scanner) First() byte {
	if s.Kind() != String || !s.need(2) {
		return 0
	}
	return s.buf[s.pos+1]
}

// Quoted is Str with the length that the string has in JSON, quotes included, as JSONUnits counts it.
func (s *Scanner) Quoted(limit int) (head []byte, units int64) {
	head, sum := s.str(limit)
	if head == nil {
		return nil, 0
	}
	return head, sum.units + sum.quoted + 2
}

// QuotedUnits is the length of a decoded key or string as JSON.stringify writes it, quotes included. What decoding made
// U+FFFD of, a lone surrogate too, counts as that.
func QuotedUnits(b []byte) int64 {
	n := Units(b) + 2
	for _, c := range b {
		if c < 0x80 {
			n += int64(quotedMore[c])
		}
	}
	return n
}

func (s *Scanner) str(limit int) (head []byte, t tally) {
	if s.Kind() != String {
		s.Skip()
		return nil, tally{}
	}
	s.pos++
	b := s.buf[:s.lim]
	end := s.pos
	for ; end+8 <= len(b); end += 8 {
		if m := special(load64(b, end)); m != 0 {
			end += firstLane(m)
			break
		}
	}
	if end+1 < len(b) && b[end] == '"' {
		// The usual case: a word or an id, all in the buffer, and so is the byte that scalarEnd looks at.
		n := end - s.pos
		head = b[s.pos : s.pos+min(n, max(0, limit))]
		t = tally{units: int64(n), bytes: int64(n)}
		if s.hashing {
			s.sum.write(b[s.pos:end])
		}
		s.pos = end + 1
	} else {
		if !s.decode(limit, &t) {
			return nil, tally{}
		}
		head = s.scratch
	}
	if s.scalarEnd(); s.failed {
		return nil, tally{}
	}
	return head, t
}

// count adds up the string from pos, inside it, to and with its closing quote.
func (s *Scanner) count(t *tally) bool {
	for {
		i, closed := t.run(s.buf[:s.lim], s.pos)
		if s.hashing {
			s.hash(i, closed)
		}
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

// hash takes what the string has from pos to i, its closing quote left out.
func (s *Scanner) hash(i int, closed bool) {
	if closed {
		i--
	}
	s.sum.write(s.buf[s.pos:i])
}

// decode is count that also puts the beginning of the string, limit bytes at most, into scratch.
func (s *Scanner) decode(limit int, t *tally) bool {
	if s.scratch == nil {
		s.scratch = make([]byte, 0, 128) // never nil, which would be the end of an object
	}
	s.scratch = s.scratch[:0]
	limit = max(0, limit)
	for {
		b, i := s.buf[:s.lim], s.pos
		end := plainEnd(b, i)
		n := min(end-i, limit-len(s.scratch))
		s.scratch = append(s.scratch, b[i:i+n]...)
		t.units, t.bytes = t.units+int64(n), t.bytes+int64(n)
		if s.hashing {
			s.sum.write(b[i : i+n])
		}
		s.pos = i + n
		if s.pos < end {
			return s.count(t)
		}
		if end < len(b) {
			if b[end] == '"' {
				s.pos++
				return true
			}
			if n, r := character(b, end); n > 0 {
				units, bytes := size(r)
				if len(s.scratch)+bytes > limit {
					return s.count(t)
				}
				s.scratch = utf8.AppendRune(s.scratch, r)
				t.units, t.bytes = t.units+int64(units), t.bytes+int64(bytes)
				t.quoted += int64(quotedExtra(r))
				if s.hashing {
					s.sum.write(b[end : end+n])
				}
				s.pos += n
				continue
			}
		}
		if !s.more() {
			s.cut()
			return false
		}
	}
}

// run adds up what b holds of a string from i on. It returns the index after the closing quote and true, or false and
// the index from which to go on once there is more.
func (t *tally) run(b []byte, i int) (next int, closed bool) {
	from := i
	short := 0                      // escapes of two bytes that are one
	units, bytes, quoted := 0, 0, 0 // against one unit and byte per raw byte
	for {
		for i+8 <= len(b) {
			w := load64(b, i)
			m := special(w)
			if m == 0 {
				i += 8
				continue
			}
			// What follows is taken from w, not from b: loading it again is what would take the time.
			lane := firstLane(m)
			if lane == 7 {
				i += 7
				continue
			}
			i += lane
			w >>= 8 * lane
			if byte(w) != '\\' {
				break
			}
			k := simpleEscape[byte(w>>8)]
			if k == 0 {
				break
			}
			short++
			quoted += int(k - 1)
			i += 2
		}
		for i < len(b) && isPlain(b[i]) {
			i++
		}
		if i == len(b) || b[i] == '"' {
			break
		}
		if b[i] >= 0x80 {
			j, u, grown := wide(b, i)
			if j == i {
				break
			}
			units, bytes = units+u-(j-i), bytes+grown
			i = j
			continue
		}
		if i+6 <= len(b) && b[i+1] == 'u' && b[i] == '\\' {
			if r := hex4(b[i+2 : i+6]); r >= 0x800 && r < 0xD800 {
				units, bytes = units-5, bytes-3
				i += 6
				continue
			}
		}
		n, r := character(b, i)
		if n == 0 {
			break
		}
		u, y := size(r)
		units, bytes = units+u-n, bytes+y-n
		quoted += quotedExtra(r)
		i += n
	}
	t.units += int64(i - from - short + units)
	t.bytes += int64(i - from - short + bytes)
	t.quoted += int64(quoted)
	if i < len(b) && b[i] == '"' {
		return i + 1, true
	}
	return i, false
}
