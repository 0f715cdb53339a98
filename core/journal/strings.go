package journal

import "encoding/binary"

// Ref is a string of a Strings table. 0 is the empty string.
type Ref uint32

// Strings keeps each distinct string once. Looking one up that is there allocates nothing.
type Strings struct {
	arena []byte   // all strings one after another
	ends  []uint32 // end of string i in the arena; string 0 is empty
	slots []Ref    // open addressing by hash; 0 is a free slot
}

// Put returns the Ref of b, adding it when it is new.
func (s *Strings) Put(b []byte) Ref {
	if len(b) == 0 {
		return 0
	}
	if len(s.ends) == 0 {
		s.ends = append(s.ends, 0)
		s.slots = make([]Ref, 64)
	}
	mask := uint64(len(s.slots) - 1)
	i := Hash(b) & mask
	for s.slots[i] != 0 {
		if r := s.slots[i]; string(s.bytes(r)) == string(b) {
			return r
		}
		i = (i + 1) & mask
	}
	r := Ref(len(s.ends))
	s.arena = append(s.arena, b...)
	s.ends = append(s.ends, uint32(len(s.arena)))
	s.slots[i] = r
	if len(s.ends)*4 > len(s.slots)*3 {
		s.grow()
	}
	return r
}

func (s *Strings) grow() {
	s.slots = make([]Ref, len(s.slots)*2)
	mask := uint64(len(s.slots) - 1)
	for r := 1; r < len(s.ends); r++ {
		i := Hash(s.bytes(Ref(r))) & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = Ref(r)
	}
}

func (s *Strings) bytes(r Ref) []byte { return s.arena[s.ends[r-1]:s.ends[r]] }

// Get is the string of r.
func (s *Strings) Get(r Ref) string {
	if r == 0 {
		return ""
	}
	return string(s.bytes(r))
}

// Is reports whether r is the string v, without making one.
func (s *Strings) Is(r Ref, v string) bool {
	if r == 0 {
		return v == ""
	}
	return string(s.bytes(r)) == v
}

// Hash is a 64-bit hash of an id, never 0 for bytes that are there. Among two million random ids the chance that any
// two share a hash is about one in ten million.
func Hash(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	const k1, k2 = 0x9e3779b97f4a7c15, 0xff51afd7ed558ccd
	h := uint64(len(b)) * k1
	for ; len(b) >= 8; b = b[8:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * k2
		h ^= h >> 32
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	h = (h ^ tail) * k2
	h ^= h >> 29
	h *= k1
	h ^= h >> 32
	if h == 0 {
		return 1
	}
	return h
}
