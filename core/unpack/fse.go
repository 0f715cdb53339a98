package unpack

import "math/bits"

const fseBits = 9

// fse is a finite state code. A state is a place in the table.
type fse struct {
	table [1 << fseBits]fseEntry
	log   uint8 // how many bits a state has
	set   bool
}

// fseEntry is a state: the value that it stands for and how the next state is found.
type fseEntry struct {
	base  uint32 // the value is base and the number that extra bits make
	next  uint16 // the next state is next and the number that bits bits make
	bits  uint8
	extra uint8
}

// read reads the description of a code and makes its table; it returns how long that is, 0 when it is damaged. Of no
// kind, a symbol stands for itself.
func (f *fse) read(buf []byte, at, end int, maxLog uint8, maxSym int, kind *codeKind) int {
	f.set = false
	place, stop := at*8, end*8
	take := func(n int) int { // n bits, the lowest first; zeros behind the end
		v := 0
		for i := range n {
			if p := place + i; p < stop {
				v |= int(buf[p>>3]>>(p&7)&1) << i
			}
		}
		place += n
		return v
	}
	log := uint8(take(4) + 5)
	if log > maxLog {
		return 0
	}
	var counts [53]int16
	n, rest := 0, 1<<log
	for rest > 0 {
		if n > maxSym || place > stop {
			return 0
		}
		width := bits.Len(uint(rest + 1))
		small := 1<<width - 1 - (rest + 1) // values below this one are written with a bit less
		v := take(width)
		if low := v & (1<<(width-1) - 1); low < small {
			place--
			v = low
		} else if v >= 1<<(width-1) {
			v -= small
		}
		counts[n] = int16(v - 1)
		n++
		if v == 0 {
			rest--
			continue
		}
		if rest -= v - 1; v != 1 {
			continue
		}
		for zeros := 3; zeros == 3; { // how many more symbols have no part
			zeros = take(2)
			if n += zeros; n > maxSym+1 || place > stop {
				return 0
			}
		}
	}
	if rest < 0 || place > stop || !f.build(counts[:n], log, kind) {
		return 0
	}
	return (place+7)>>3 - at
}

// build makes the table of a code of which each symbol's share of the states is known; -1 is a share below 1.
func (f *fse) build(counts []int16, log uint8, kind *codeKind) bool {
	size := 1 << log
	var symbols [1 << fseBits]uint8
	var next [53]uint16
	high := size
	for sym, n := range counts {
		next[sym] = uint16(n)
		if n == -1 {
			high--
			symbols[high], next[sym] = uint8(sym), 1
		}
	}
	place, step := 0, size>>1+size>>3+3
	for sym, n := range counts {
		for range n {
			symbols[place] = uint8(sym)
			for place = (place + step) & (size - 1); place >= high; {
				place = (place + step) & (size - 1)
			}
		}
	}
	if place != 0 {
		return false
	}
	var values [53]fseEntry
	for sym := range counts {
		values[sym].base, values[sym].extra = kind.value(sym)
	}
	for i := range size {
		sym := symbols[i]
		n := next[sym]
		next[sym]++
		e := &f.table[i]
		*e = values[sym]
		e.bits = log - uint8(bits.Len16(n)-1)
		e.next = n<<e.bits - uint16(size)
	}
	f.log, f.set = log, true
	return true
}

// one makes the code that knows one symbol only.
func (f *fse) one(base uint32, extra uint8) {
	f.table[0] = fseEntry{base: base, extra: extra}
	f.log, f.set = 0, true
}
