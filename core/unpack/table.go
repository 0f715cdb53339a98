package unpack

import "math/bits"

// A table decodes a prefix code by its next bits: litBits or distBits of them at once, and where the code is longer, by an
// entry that leads to a further part of the table for the bits that follow. An entry holds
//
//	bits 0-4    the length of the code
//	bits 8-11   how many bits follow that belong to the value; or of a further part: how many bits choose in it
//	bits 12-15  what it is
//	bits 16-31  a literal byte, the smallest length or distance, or where the further part lies
const (
	codeLen  = 31
	literal  = 1 << 12
	further  = 1 << 13
	blockEnd = 1 << 14
	noCode   = 1 << 15
)

const (
	maxLit, maxDist = 288, 32

	// The sizes are the largest that complete codes of up to 15 bits need with these bits: those that zlib's "enough" gives
	// for 286 and 30 symbols.
	litBits, litTable   = 10, 1334
	distBits, distTable = 8, 402
	lenBits             = 7
)

// litEntry is the entry of a symbol for literals and lengths, without the length of its code.
func litEntry(sym int) uint32 {
	switch {
	case sym < 256:
		return uint32(sym)<<16 | literal
	case sym == 256:
		return blockEnd
	case sym < 265:
		return uint32(sym-254) << 16
	case sym < 285:
		extra := uint32(sym-261) >> 2
		return (uint32(4+(sym-261)&3)<<extra+3)<<16 | extra<<8
	case sym == 285:
		return longest << 16
	}
	return noCode
}

// distEntry is the same for distances.
func distEntry(sym int) uint32 {
	switch {
	case sym < 4:
		return uint32(sym+1) << 16
	case sym < 30:
		extra := uint32(sym-2) >> 1
		return (uint32(2+sym&1)<<extra+1)<<16 | extra<<8
	}
	return noCode
}

// build makes the table of a code of which the length of each symbol's code is known, 0 for no code. It is false where
// these lengths make no code. A code that is not complete is none, but for one symbol alone, or none at all.
func build(table []uint32, primary uint, lens []uint8, entry func(sym int) uint32) bool {
	var count [16]int
	for _, l := range lens {
		count[l]++
	}
	var next [16]uint // the next code of each length
	code, open, most := uint(0), 1, uint(0)
	for l := uint(1); l < 16; l++ {
		next[l] = code
		code = (code + uint(count[l])) << 1
		if open = open<<1 - count[l]; open < 0 {
			return false
		}
		if count[l] > 0 {
			most = l
		}
	}
	if open > 0 && most > 1 {
		return false
	}
	for i := range 1 << primary {
		table[i] = noCode
	}
	var codes [maxLit]uint16      // with the first bit lowest
	var depth [1 << litBits]uint8 // how many bits more the longest code with these first bits has
	mask, end := uint(1)<<primary-1, 1<<primary
	for sym, l := range lens {
		if l == 0 {
			continue
		}
		c := uint(bits.Reverse16(uint16(next[l])) >> (16 - l))
		next[l]++
		codes[sym] = uint16(c)
		if uint(l) > primary {
			depth[c&mask] = max(depth[c&mask], l-uint8(primary))
			continue
		}
		e := entry(sym) | uint32(l)
		for i := c; i <= mask; i += 1 << l {
			table[i] = e
		}
	}
	if most <= primary {
		return true
	}
	for sym, l := range lens {
		if uint(l) <= primary {
			continue
		}
		c := uint(codes[sym])
		n := depth[c&mask]
		lead := &table[c&mask]
		if *lead&further == 0 {
			if end+1<<n > len(table) {
				return false
			}
			*lead = uint32(end)<<16 | further | uint32(n)<<8
			end += 1 << n
		}
		part := table[*lead>>16:][:1<<n]
		e := entry(sym) | uint32(l)
		for i := c >> primary; i < 1<<n; i += 1 << (uint(l) - primary) {
			part[i] = e
		}
	}
	return true
}

// fixed sets the code that is known without being sent.
func (d *Inflate) fixed() {
	for i := range d.lens[:maxLit] {
		switch {
		case i < 144:
			d.lens[i] = 8
		case i < 256:
			d.lens[i] = 9
		case i < 280:
			d.lens[i] = 7
		default:
			d.lens[i] = 8
		}
	}
	for i := range d.lens[maxLit:] {
		d.lens[maxLit+i] = 5
	}
	build(d.lit[:], litBits, d.lens[:maxLit], litEntry)
	build(d.dist[:], distBits, d.lens[maxLit:], distEntry)
}

// lenOrder is the order in which the lengths of the code for lengths are sent.
const lenOrder = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

// dynamic reads the codes of a block. False where it fails.
func (d *Inflate) dynamic() bool {
	v, ok := d.take(14)
	if !ok {
		return false
	}
	lits, dists := int(v&31)+257, int(v>>5&31)+1
	var lens [len(lenOrder)]uint8
	for i := range int(v>>10) + 4 {
		if v, ok = d.take(3); !ok {
			return false
		}
		lens[lenOrder[i]] = uint8(v)
	}
	table := d.dist[:1<<lenBits]
	if !build(table, lenBits, lens[:], func(sym int) uint32 { return uint32(sym) << 16 }) {
		d.fail(ErrCorrupt)
		return false
	}
	for i := 0; i < lits+dists; {
		if d.n < lenBits+7 {
			d.refill()
		}
		e := table[d.bits&(1<<lenBits-1)]
		if e&noCode != 0 {
			d.fail(ErrCorrupt)
			return false
		}
		if _, ok := d.take(uint(e & codeLen)); !ok {
			return false
		}
		sym, again := e>>16, 1
		switch {
		case sym < 16:
			d.lens[i] = uint8(sym)
			i++
			continue
		case sym == 16 && i == 0:
			d.fail(ErrCorrupt)
			return false
		case sym == 16:
			v, ok = d.take(2)
			again = 3 + int(v)
			sym = uint32(d.lens[i-1])
		case sym == 17:
			v, ok = d.take(3)
			again, sym = 3+int(v), 0
		default:
			v, ok = d.take(7)
			again, sym = 11+int(v), 0
		}
		if !ok {
			return false
		}
		if i+again > lits+dists {
			d.fail(ErrCorrupt)
			return false
		}
		for range again {
			d.lens[i] = uint8(sym)
			i++
		}
	}
	if d.lens[256] == 0 || !build(d.lit[:], litBits, d.lens[:lits], litEntry) ||
		!build(d.dist[:], distBits, d.lens[lits:lits+dists], distEntry) {
		d.fail(ErrCorrupt)
		return false
	}
	return true
}
