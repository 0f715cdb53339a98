package jsonl

import "strconv"

// maxNumber is the length of the longest number that has a value. Longer ones are well formed, but no Int and no Float.
const maxNumber = 1024

// Int consumes the number at hand. It is false unless that is an integer of 64 bits, however written: 1e3 and 1.0 are.
func (s *Scanner) Int() (int64, bool) {
	if s.Kind() != Number {
		s.Skip()
		return 0, false
	}
	b, i := s.buf[:s.lim], s.pos
	var v int64
	for i < len(b) && b[i]-'0' <= 9 && i-s.pos < 18 {
		v = v*10 + int64(b[i]-'0')
		i++
	}
	if i < len(b) && i > s.pos && b[s.pos] != '0' && b[i] != '.' && b[i]|0x20 != 'e' && b[i]-'0' > 9 {
		s.pos = i
		if s.scalarEnd(); s.failed {
			return 0, false
		}
		return v, true
	}
	text := s.numberText()
	if text == nil {
		return 0, false
	}
	return integer(text)
}

// Float consumes the number at hand. It is false unless that is a number that a float64 can hold.
func (s *Scanner) Float() (float64, bool) {
	if s.Kind() != Number {
		s.Skip()
		return 0, false
	}
	text := s.numberText()
	if text == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// Bool consumes the value at hand. ok tells whether it was true or false.
func (s *Scanner) Bool() (v, ok bool) {
	kind := s.Kind()
	s.Skip()
	return kind == True && !s.failed, (kind == True || kind == False) && !s.failed
}

// numberText consumes the number at hand and returns what stands there; nil if it is malformed or too long.
func (s *Scanner) numberText() []byte {
	if !s.number() {
		return nil
	}
	if s.scalarEnd(); s.failed || len(s.scratch) > maxNumber {
		return nil
	}
	return s.scratch
}

// The grammar of a number as a table: the state after a byte of a class, 0 where the number ends or breaks.
const (
	numStart = 1 + iota
	numMinus
	numZero // a number can end here,
	numInt  // here,
	numDot
	numFraction // here
	numE
	numSign
	numExponent // and here
)

const numEnds = 1<<numZero | 1<<numInt | 1<<numFraction | 1<<numExponent

var numNext = [...][7]uint8{ // by class: other, 0, 1-9, point, e, minus, plus
	numStart:    {0, numZero, numInt, 0, 0, numMinus, 0},
	numMinus:    {0, numZero, numInt, 0, 0, 0, 0},
	numZero:     {0, 0, 0, numDot, numE, 0, 0},
	numInt:      {0, numInt, numInt, numDot, numE, 0, 0},
	numDot:      {0, numFraction, numFraction, 0, 0, 0, 0},
	numFraction: {0, numFraction, numFraction, 0, numE, 0, 0},
	numE:        {0, numExponent, numExponent, 0, 0, numSign, numSign},
	numSign:     {0, numExponent, numExponent, 0, 0, 0, 0},
	numExponent: {0, numExponent, numExponent, 0, 0, 0, 0},
}

var numClass = [256]uint8{
	'0': 1, '1': 2, '2': 2, '3': 2, '4': 2, '5': 2, '6': 2, '7': 2, '8': 2, '9': 2, '.': 3, 'e': 4, 'E': 4, '-': 5, '+': 6,
}

// number passes over the number at pos and leaves its text in scratch, maxNumber bytes and one more at most.
func (s *Scanner) number() bool {
	s.scratch = s.scratch[:0]
	st := uint8(numStart)
	for {
		b, i := s.buf[:s.lim], s.pos
		for i < len(b) {
			next := numNext[st][numClass[b[i]]]
			if next == 0 {
				break
			}
			st = next
			i++
		}
		room := maxNumber + 1 - len(s.scratch)
		s.scratch = append(s.scratch, b[s.pos:min(i, s.pos+room)]...)
		s.pos = i
		if i < len(b) || !s.more() {
			break
		}
	}
	if numEnds>>st&1 != 0 {
		return true
	}
	if s.pos < s.lim {
		s.unexpected()
	} else {
		s.cut()
	}
	return false
}

// integer is the value of a well-formed number if it is an integer of 64 bits.
func integer(text []byte) (int64, bool) {
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	// The number is digits × 10^exp. Zeros at the end of digits wait in zeros until another digit follows.
	var v uint64
	exp, zeros := 0, 0
	fraction := false
	for i, c := range text {
		if c == '.' {
			fraction = true
			continue
		}
		if c|0x20 == 'e' {
			e, err := strconv.Atoi(string(text[i+1:]))
			if err != nil {
				e = 1 << 20
				if text[i+1] == '-' {
					e = -e
				}
			}
			exp += e
			break
		}
		if fraction {
			exp--
		}
		if c == '0' {
			if v != 0 {
				zeros++
			}
			continue
		}
		for ; zeros >= 0; zeros-- {
			if v > 1<<63/10 {
				return 0, false
			}
			v *= 10
		}
		zeros = 0
		v += uint64(c - '0')
		if v > 1<<63 {
			return 0, false
		}
	}
	if v == 0 {
		return 0, true
	}
	for exp += zeros; exp > 0; exp-- {
		if v > 1<<63/10 {
			return 0, false
		}
		v *= 10
	}
	if exp < 0 || v > 1<<63 || v == 1<<63 && !negative {
		return 0, false
	}
	if negative {
		return -int64(v), true
	}
	return int64(v), true
}
