// Package argument reads the arguments of a tool call.
//
// In comes the value that a journal has for them, as a rule an object. Out come its size as compact JSON, a hash that tells
// these arguments apart from others whatever white space and order they were written with, and the one of them that a person
// would call the call by. Nothing else of them is kept.
package argument

import (
	"bytes"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Reader reads the arguments of one format.
type Reader struct {
	Strings *journal.Strings
	Names   []string                             // arguments that tell a person which call it was, best first
	Short   func([]byte) []byte                  // makes a label of such an argument; nil for FirstLine
	List    func(*jsonl.Scanner) (int64, uint64) // reads a to-do list and measures it; nil where none is looked for
}

// Read measures the value at hand in UTF-16 code units, as JavaScript would write it.
func (r *Reader) Read(s *jsonl.Scanner) (units int64, hash uint64, detail journal.Ref) {
	if !s.Object() {
		units, hash = s.JSONHash()
		return units, hash, 0
	}
	best := len(r.Names)
	units = 2
	var members jsonl.Members
	var keyRoom [64]byte
	for k, first := s.Key(), true; k != nil; k, first = s.Key(), false {
		if !first {
			units++
		}
		units += jsonl.QuotedUnits(k) + 1
		key := append(keyRoom[:0], k...)
		var n int64
		var value uint64
		rank := best
		switch {
		case r.List != nil && string(k) == "todos":
			n, value = r.List(s)
		default:
			if rank = r.rank(k, best); rank == best || s.Kind() != jsonl.String {
				n, value = s.JSONHash()
				break
			}
			var head []byte
			head, n, value = s.QuotedHash(512)
			best, detail = rank, r.Strings.Put(r.short(head))
		}
		units += n
		members.Add(key, value)
	}
	return units, members.Hash(), detail
}

func (r *Reader) short(b []byte) []byte {
	if r.Short != nil {
		return r.Short(b)
	}
	return FirstLine(b, Limit)
}

// rank is the place of a name among those before best, best for none.
func (r *Reader) rank(k []byte, best int) int {
	for i, name := range r.Names[:best] {
		if string(k) == name {
			return i
		}
	}
	return best
}

// Limit is how many bytes of an argument its label has at most.
const Limit = 160

// FirstLine is the first line of a text, as far as limit bytes go.
func FirstLine(b []byte, limit int) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte{'\n'})
	if len(line) > limit {
		line = bytes.ToValidUTF8(line[:limit], nil)
	}
	return line
}
