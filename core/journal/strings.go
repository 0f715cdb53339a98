package journal

import "encoding/binary"

// Ref is a string of a Strings table. 0 is the empty string.
type Ref uint32

// Strings keeps each distinct string once. Looking one up that is there allocates nothing.
type Strings struct {
	arena  [][]byte // pieces, so that growing copies nothing; no string goes over the end of one
	places Column[span]
	slots  []Ref // open addressing by hash; 0 is a free slot
}

// span is where a string lies.
type span struct {
	piece, from uint16
	length      uint32
}

const pieceLen = 1 << 16

// Put returns the Ref of b, adding it when it is new.
func (s *Strings) Put(b []byte) Ref {
	if len(b) == 0 {
		return 0
	}
	b = b[:min(len(b), pieceLen)]
	if s.places.Len() == 0 {
		s.places.Append(span{})
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
	r := Ref(s.places.Len())
	s.places.Append(s.keep(b))
	s.slots[i] = r
	if s.places.Len()*4 > len(s.slots)*3 {
		s.grow()
	}
	return r
}

// keep copies a string into the arena. Its piece counts up to 65,536 of 64 KiB each; what would go beyond is cut off.
func (s *Strings) keep(b []byte) span {
	last := len(s.arena) - 1
	if last < 0 || len(s.arena[last])+len(b) > pieceLen {
		if last+1 == 1<<16 {
			return span{}
		}
		s.arena = append(s.arena, make([]byte, 0, pieceLen))
		last++
	}
	p := &s.arena[last]
	from := len(*p)
	*p = append(*p, b...)
	return span{uint16(last), uint16(from), uint32(len(b))}
}

func (s *Strings) grow() {
	s.slots = make([]Ref, len(s.slots)*2)
	mask := uint64(len(s.slots) - 1)
	for r := 1; r < s.places.Len(); r++ {
		i := Hash(s.bytes(Ref(r))) & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = Ref(r)
	}
}

func (s *Strings) bytes(r Ref) []byte {
	p := s.places.At(int(r))
	return s.arena[p.piece][p.from : uint32(p.from)+p.length]
}

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

// Same is Is for bytes.
func (s *Strings) Same(r Ref, b []byte) bool {
	if r == 0 {
		return len(b) == 0
	}
	return string(s.bytes(r)) == string(b)
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

// Fold folds numbers into a hash.
func Fold(h uint64, numbers ...int64) uint64 {
	var b [16]byte
	for _, n := range numbers {
		binary.LittleEndian.PutUint64(b[:], h)
		binary.LittleEndian.PutUint64(b[8:], uint64(n))
		h = Hash(b[:])
	}
	return h
}
