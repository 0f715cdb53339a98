package jsonl

// Kind is the kind of a JSON value.
type Kind uint8

const (
	None Kind = iota // no value at hand: the end of a container, a consumed value, a malformed record
	Object
	Array
	String
	Number
	True
	False
	Null
)

// kindOf tells the kind of a value by its first byte.
var kindOf = [256]Kind{
	'{': Object, '[': Array, '"': String, 't': True, 'f': False, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// maxKey is the length at which a longer key is cut, so that a key never needs more memory than this.
const maxKey = 4096

// Kind is the kind of the value at hand, which is not consumed.
func (s *Scanner) Kind() Kind {
	if s.state != stValue {
		return None
	}
	return kindOf[s.buf[s.pos]]
}

// Object enters the object at hand. It is false, and nothing is consumed, if something else is at hand.
func (s *Scanner) Object() bool { return s.Kind() == Object && s.enter(true) }

// Array enters the array at hand. It is false, and nothing is consumed, if something else is at hand.
func (s *Scanner) Array() bool { return s.Kind() == Array && s.enter(false) }

func (s *Scanner) enter(object bool) bool {
	if !s.push(object) {
		return false
	}
	s.pos++
	s.state = stOpen
	return true
}

// Key moves to the next member of the current object and returns its key with escapes decoded, valid until the next
// call; the value is then at hand. It is nil at the end of the object, which is left. A value that was not consumed is
// skipped. Keys of more than 4,096 bytes are cut there.
func (s *Scanner) Key() []byte {
	if s.state == stValue {
		s.Skip()
	}
	if !s.object || s.depth == 0 {
		return nil
	}
	// The usual case is compact and in the buffer: comma, plain key, colon, value. It is worth to be done in one go.
	b, i := s.buf[:s.lim], s.pos
	if s.state == stAfter && i < len(b) && b[i] == ',' || s.state == stOpen {
		if s.state == stAfter {
			i++
		}
		if from := i + 1; from < len(b) && b[i] == '"' {
			for i = from; i+8 <= len(b); i += 8 {
				if m := special(load64(b, i)); m != 0 {
					i += firstLane(m)
					break
				}
			}
			if i+2 < len(b) && b[i] == '"' && b[i+1] == ':' && kindOf[b[i+2]] != None && i-from <= maxKey {
				s.pos = i + 2
				s.state = stValue
				return b[from:i:i]
			}
		}
	}
	if !s.step() {
		return nil
	}
	s.pos++
	var t tally
	if !s.decode(maxKey, &t) || !s.colon() {
		return nil
	}
	return s.scratch
}

// Elem moves to the next element of the current array, which is then at hand. It is false at the end of the array, which
// is left. An element that was not consumed is skipped.
func (s *Scanner) Elem() bool {
	if s.state == stValue {
		s.Skip()
	}
	return !s.object && s.depth > 0 && s.step()
}

// Leave gives up the current container: what is left of it is skipped.
func (s *Scanner) Leave() {
	if s.depth > 0 {
		s.skipTo(s.depth - 1)
	}
}

// step moves inside the current container to the next key's quote or to the next element. It is false when the
// container ended, which is left, and after a failure.
func (s *Scanner) step() bool {
	c := s.peek()
	if c == ']' && !s.object || c == '}' && s.object {
		s.pos++
		s.pop()
		s.consumed()
		return false
	}
	if s.state == stAfter {
		if c != ',' {
			if !s.failed {
				s.unexpected()
			}
			return false
		}
		s.pos++
		c = s.peek()
	}
	if s.failed || kindOf[c] == None || s.object && c != '"' {
		if !s.failed {
			s.unexpected()
		}
		return false
	}
	s.state = stValue
	return true
}

// peek is blank, with the usual case first.
func (s *Scanner) peek() byte {
	if s.pos < s.lim {
		if c := s.buf[s.pos]; c > ' ' {
			return c
		}
	}
	return s.blank()
}

// colon moves from the end of a key to the value. It leaves scratch alone.
func (s *Scanner) colon() bool {
	c := s.peek()
	if c == ':' {
		s.pos++
		if c = s.peek(); kindOf[c] != None {
			s.state = stValue
			return true
		}
	}
	if !s.failed {
		s.unexpected()
	}
	return false
}

func (s *Scanner) push(object bool) bool {
	if s.depth == MaxDepth {
		s.fail(TooDeep, s.buf[s.pos])
		return false
	}
	bit := uint64(1) << (s.depth & 63)
	if object {
		s.kinds[s.depth>>6] |= bit
	} else {
		s.kinds[s.depth>>6] &^= bit
	}
	s.depth++
	s.object = object
	return true
}

func (s *Scanner) pop() {
	s.depth--
	if d := s.depth - 1; d >= 0 {
		s.object = s.kinds[d>>6]>>(d&63)&1 != 0
	}
}

// consumed notes that a value ended at pos.
func (s *Scanner) consumed() {
	if s.depth > 0 {
		s.state = stAfter
	} else {
		s.state = stDone
	}
}

// scalarEnd notes that a string, number or literal ended at pos.
func (s *Scanner) scalarEnd() {
	if s.depth > 0 {
		s.state = stAfter
	} else {
		s.topScalarEnd()
	}
}

// topScalarEnd is scalarEnd at the top level. The scalar may be the tail of a cut record there, as in `tail","key":1}`:
// then the byte behind it gives it away, and the whole tail is one malformed value instead of many.
func (s *Scanner) topScalarEnd() {
	s.state = stDone
	if s.failed || !s.need(1) {
		return
	}
	switch c := s.buf[s.pos]; c {
	case ' ', '\t', '\r', '\n', 0, '{', '[', '"':
	default:
		s.unexpected()
	}
}
