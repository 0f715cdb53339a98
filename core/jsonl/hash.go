package jsonl

import "encoding/binary"

// A value's hash tells whether two values say the same: white space between their parts makes no difference, and neither
// does how the input was cut into reads. Strings and numbers count as they are written, so that one that is written in two
// ways is two values; a program writes its strings in one way.

// JSONHash is JSONUnits that also returns a hash of the value, never 0 for one that is well formed.
func (s *Scanner) JSONHash() (units int64, hash uint64) {
	s.hashing, s.sum = true, digest{}
	units = s.JSONUnits()
	s.hashing = false
	if units == 0 {
		return 0, 0
	}
	return units, s.sum.end()
}

// QuotedHash is Quoted that also returns the hash of the string, as JSONHash does.
func (s *Scanner) QuotedHash(limit int) (head []byte, units int64, hash uint64) {
	s.hashing, s.sum = true, digest{}
	s.sum.byte('"')
	head, units = s.Quoted(limit)
	s.hashing = false
	if head == nil {
		return nil, 0, 0
	}
	s.sum.byte('"')
	return head, units, s.sum.end()
}

// StrHash is Str that also returns the hash of the string, as JSONHash does.
func (s *Scanner) StrHash(limit int) (head []byte, t Text, hash uint64) {
	s.hashing, s.sum = true, digest{}
	s.sum.byte('"')
	head, t = s.Str(limit)
	s.hashing = false
	if head == nil {
		return nil, Text{}, 0
	}
	s.sum.byte('"')
	return head, t, s.sum.end()
}

// HashOf is the hash of a complete JSON value, the members of an object in any order; false for anything else.
func HashOf(b []byte) (uint64, bool) {
	s := Scanner{buf: b, end: len(b), lim: len(b), eof: true}
	if !s.Next() {
		return 0, false
	}
	var hash uint64
	if s.Object() {
		var members Members
		var room [64]byte
		for k := s.Key(); k != nil; k = s.Key() {
			key := append(room[:0], k...)
			_, value := s.JSONHash()
			members.Add(key, value)
		}
		hash = members.Hash()
	} else {
		_, hash = s.JSONHash()
	}
	return hash, s.Finish() == nil && !s.Next()
}

// Members is the hash of an object whose members are read one by one. Their order makes no difference.
type Members uint64

// Add takes a member with the hash of its value.
func (m *Members) Add(key []byte, value uint64) {
	var d digest
	d.write(key)
	*m += Members(mixed(d.end() ^ mixed(value)))
}

// Hash is the hash of the object, never 0.
func (m Members) Hash() uint64 { return mixed(uint64(m)) | 1 }

// digest takes bytes in pieces; how they are cut makes no difference.
type digest struct {
	h, tail uint64
	n       uint64 // bytes so far
}

const (
	digestK1 = 0x9e3779b97f4a7c15
	digestK2 = 0xff51afd7ed558ccd
)

func (d *digest) byte(c byte) {
	d.tail |= uint64(c) << (8 * (d.n & 7))
	if d.n++; d.n&7 == 0 {
		d.word()
	}
}

func (d *digest) word() {
	d.h = (d.h ^ d.tail) * digestK2
	d.h ^= d.h >> 32
	d.tail = 0
}

func (d *digest) write(b []byte) {
	for d.n&7 != 0 && len(b) > 0 {
		d.byte(b[0])
		b = b[1:]
	}
	h := d.h
	d.n += uint64(len(b) &^ 7)
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * digestK2
		h ^= h >> 32
	}
	d.h = h
	for _, c := range b {
		d.byte(c)
	}
}

func (d *digest) end() uint64 { return mixed(d.h^d.tail^d.n*digestK1) | 1 }

func mixed(h uint64) uint64 {
	h ^= h >> 29
	h *= digestK1
	return h ^ h>>32
}
