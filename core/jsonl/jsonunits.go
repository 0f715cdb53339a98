package jsonl

import (
	"math"
	"strconv"
)

// JSONUnits consumes the value at hand and returns the length, in UTF-16 units, of what JavaScript makes of it with
// JSON.stringify(JSON.parse(value)): compact, numbers in JavaScript's format, only necessary escapes. Members are counted
// as they stand; JavaScript would keep the last of several with the same key. It is 0 if the value is malformed.
func (s *Scanner) JSONUnits() int64 {
	if s.state != stValue {
		return 0
	}
	var n int64
	for base := s.depth; ; {
		kind := s.Kind()
		if s.hashing {
			s.sum.byte("0{[\"1tfn"[kind])
		}
		switch kind {
		case Object, Array:
			s.enter(kind == Object)
			n += 2
		case String:
			n += s.quotedUnits()
			s.scalarEnd()
		case Number:
			n += s.numberUnits()
		default:
			n += literalUnits[kind]
			s.Skip()
		}
		for { // to the next value
			if s.failed {
				return 0
			}
			if s.depth == base {
				return n
			}
			first := s.state == stOpen
			if !s.step() {
				if s.hashing {
					s.sum.byte('}')
				}
				continue
			}
			if !first {
				n++
			}
			if s.object {
				n += s.quotedUnits() + 1
				s.colon()
			}
			break
		}
	}
}

var literalUnits = [...]int64{True: 4, False: 5, Null: 4}

// quotedUnits consumes the string at pos and returns its length as JSON.
func (s *Scanner) quotedUnits() int64 {
	s.pos++
	var t tally
	s.count(&t)
	if s.hashing {
		s.sum.byte('"')
	}
	return t.units + t.quoted + 2
}

// numberUnits consumes the number at pos and returns its length as JavaScript writes it. Bytes beyond maxNumber are not
// looked at: an integer of that length is infinite, and a fraction has been decided long before.
func (s *Scanner) numberUnits() int64 {
	if !s.number() {
		return 0
	}
	s.scalarEnd()
	if s.hashing {
		s.sum.write(s.scratch)
		s.sum.byte(',')
	}
	return numberUnits(s.scratch)
}

func numberUnits(text []byte) int64 {
	if plainInteger(text) {
		return int64(len(text))
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil && math.IsInf(v, 0) {
		return 4 // JSON.parse makes Infinity of it, and JSON.stringify null
	}
	if v == 0 {
		return 1 // also of -0
	}
	// Number::toString of ECMAScript: digits × 10^(exp+1-digits), in decimal notation from 1e-6 to below 1e21.
	var room [32]byte
	e := strconv.AppendFloat(room[:0], math.Abs(v), 'e', -1, 64)
	digits, exp := 0, 0
	for i, c := range e {
		if c == 'e' {
			exp, _ = strconv.Atoi(string(e[i+1:]))
			break
		}
		if c != '.' {
			digits++
		}
	}
	n := 0
	switch {
	case exp >= 21 || exp < -6:
		n = digits + len("e+") + decimalLength(max(exp, -exp))
		if digits > 1 {
			n++
		}
	case exp < 0:
		n = 1 - exp + digits
	case digits > exp+1:
		n = digits + 1
	default:
		n = exp + 1
	}
	if v < 0 {
		n++
	}
	return int64(n)
}

// plainInteger tells that JavaScript writes the number as it stands: a float64 holds any integer of 15 digits.
func plainInteger(text []byte) bool {
	for i, c := range text {
		if c-'0' > 9 && (c != '-' || i > 0) {
			return false
		}
	}
	return len(text) <= 15 && string(text) != "-0"
}

func decimalLength(n int) int {
	l := 1
	for ; n >= 10; n /= 10 {
		l++
	}
	return l
}
