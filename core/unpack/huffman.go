package unpack

import "math/bits"

// backward reads a stream of bits from its end to its start, the highest bit first, as Zstandard writes them. The stream
// must have at least behind bytes before it in its buffer: they may be loaded, but what they hold is never believed,
// because left is negative then.
type backward struct {
	buf   []byte
	start int
	left  int    // bits that are left, negative when more were taken than there were
	word  uint64 // the next of them, the first of them highest
}

// open begins at the end of buf[start:end], where a bit that is 1 marks the end.
func (b *backward) open(buf []byte, start, end int) bool {
	if start >= end || buf[end-1] == 0 {
		return false
	}
	b.buf, b.start = buf, start
	b.left = (end-start)*8 - bits.LeadingZeros8(buf[end-1]) - 1
	return b.load()
}

// load puts at least 57 bits into word, as far as there are any; false when too many were taken.
func (b *backward) load() bool {
	if b.left < 0 {
		return false
	}
	end := (b.left + 7) >> 3
	b.word = load64(b.buf, b.start+end-8) << (uint(end*8-b.left) & 63)
	return true
}

// take takes n bits, up to 56 between two calls of load.
func (b *backward) take(n uint8) uint64 {
	v := b.word >> 1 >> ((63 - n) & 63)
	b.word <<= n & 63
	b.left -= int(n)
	return v
}

const huffmanBits = 11

// huffman is the code of literals.
type huffman struct {
	table [1 << huffmanBits]uint16 // by the next bits: the byte, and above it how many bits its code has
	bits  uint8                    // of the longest code, 0 for no table
}

// read reads the description of a code from b and tells how long it is, 0 when it is damaged.
func (h *huffman) read(buf []byte, at, end int) int {
	h.bits = 0
	if at >= end {
		return 0
	}
	var weights [256]uint8
	n, size := 0, 1
	if c := int(buf[at]); c >= 128 {
		n = c - 127
		size += (n + 1) / 2
		if at+size > end {
			return 0
		}
		for i := range n {
			weights[i] = buf[at+1+i/2] >> (4 - i&1*4) & 15
		}
	} else {
		size += c
		if at+size > end {
			return 0
		}
		if n = readWeights(&weights, buf, at+1, at+size); n == 0 {
			return 0
		}
	}
	sum := 0
	for _, w := range weights[:n] {
		if w > huffmanBits {
			return 0
		}
		sum += 1 << w >> 1
	}
	if sum == 0 {
		return 0
	}
	most := bits.Len(uint(sum)) // the last weight, which is not sent, completes a power of two
	rest := 1<<most - sum
	if most > huffmanBits || rest&(rest-1) != 0 {
		return 0
	}
	weights[n] = uint8(bits.Len(uint(rest)))
	i := 0
	for w := 1; w <= most; w++ {
		for sym, v := range weights[:n+1] {
			if int(v) != w {
				continue
			}
			e := uint16(sym) | uint16(most+1-w)<<8
			for range 1 << (w - 1) {
				h.table[i] = e
				i++
			}
		}
	}
	h.bits = uint8(most)
	return size
}

// readWeights decodes weights that are compressed themselves: two states take turns. It returns how many there are.
func readWeights(weights *[256]uint8, buf []byte, at, end int) int {
	var code fse
	n := code.read(buf, at, end, 6, 15, nil)
	if n == 0 {
		return 0
	}
	var b backward
	if !b.open(buf, at+n, end) {
		return 0
	}
	states := [2]uint16{uint16(b.take(code.log)), uint16(b.take(code.log))}
	if b.left < 0 {
		return 0
	}
	for n = 0; n < 254; n++ {
		e := &code.table[states[n&1]]
		weights[n] = uint8(e.base)
		states[n&1] = e.next + uint16(b.take(e.bits))
		if b.left < 0 { // the other state has one more
			weights[n+1] = uint8(code.table[states[(n+1)&1]].base)
			return n + 2
		}
		b.load()
	}
	return 0
}

// decode fills dst from the stream buf[at:end].
func (h *huffman) decode(dst []byte, buf []byte, at, end int) bool {
	var b backward
	if !b.open(buf, at, end) {
		return false
	}
	shift := 64 - h.bits
	word, left, i := b.word, b.left, 0
	for ; i+5 <= len(dst); i += 5 {
		if left < 0 {
			return false
		}
		end := (left + 7) >> 3
		word = load64(b.buf, b.start+end-8) << (uint(end*8-left) & 63)
		p := dst[i : i+5 : i+5]
		e := h.table[word>>(shift&63)&(1<<huffmanBits-1)]
		p[0] = byte(e)
		word <<= e >> 8 & 63
		taken := e >> 8
		e = h.table[word>>(shift&63)&(1<<huffmanBits-1)]
		p[1] = byte(e)
		word <<= e >> 8 & 63
		taken += e >> 8
		e = h.table[word>>(shift&63)&(1<<huffmanBits-1)]
		p[2] = byte(e)
		word <<= e >> 8 & 63
		taken += e >> 8
		e = h.table[word>>(shift&63)&(1<<huffmanBits-1)]
		p[3] = byte(e)
		word <<= e >> 8 & 63
		taken += e >> 8
		e = h.table[word>>(shift&63)&(1<<huffmanBits-1)]
		p[4] = byte(e)
		left -= int(taken + e>>8)
	}
	b.left = left
	if !b.load() {
		return false
	}
	for ; i < len(dst); i++ {
		e := h.table[b.word>>(shift&63)&(1<<huffmanBits-1)]
		dst[i] = byte(e)
		b.take(uint8(e >> 8))
	}
	return b.left == 0
}

// literals decodes the literals of the block in packed[behind:end] and returns where the rest of the block begins.
func (d *Zstd) literals(end int) (int, error) {
	at := behind
	head := uint64(0)
	for i := 0; i < 5 && at+i < end; i++ {
		head |= uint64(d.packed[at+i]) << (8 * i)
	}
	kind, form := head&3, head>>2&3
	if kind < 2 {
		size, n := int(head>>3&31), 1
		switch form {
		case 1:
			size, n = int(head>>4&0xfff), 2
		case 3:
			size, n = int(head>>4&0xfffff), 3
		}
		at += n
		taken := size
		if kind == 1 {
			taken = 1
		}
		if size > maxBlock || at+taken > end {
			return 0, ErrCorrupt
		}
		d.literal = d.lits[:size]
		if kind == 1 {
			fill(d.literal, d.packed[at])
		} else {
			copy(d.literal, d.packed[at:at+size])
		}
		return at + taken, nil
	}
	width, n := uint(10), 3
	if form >= 2 {
		width, n = 6+4*uint(form), 2+int(form)
	}
	size, packed := int(head>>4&(1<<width-1)), int(head>>4>>width&(1<<width-1))
	at += n
	stop := at + packed
	if size > maxBlock || stop > end {
		return 0, ErrCorrupt
	}
	if kind == 2 {
		n := d.huff.read(d.packed, at, stop)
		if n == 0 {
			return 0, ErrCorrupt
		}
		at += n
	} else if d.huff.bits == 0 {
		return 0, ErrCorrupt
	}
	d.literal = d.lits[:size]
	if form == 0 {
		if !d.huff.decode(d.literal, d.packed, at, stop) {
			return 0, ErrCorrupt
		}
		return stop, nil
	}
	if !d.fourStreams(at, stop) {
		return 0, ErrCorrupt
	}
	return stop, nil
}

// fourStreams decodes literals that were split into four streams, with the sizes of the first three before them.
func (d *Zstd) fourStreams(at, stop int) bool {
	part := (len(d.literal) + 3) / 4
	from := at + 6
	if from > stop || 3*part > len(d.literal) {
		return false
	}
	for i := range 4 {
		to, dst := stop, d.literal[3*part:]
		if i < 3 {
			to = from + int(d.packed[at+2*i]) + int(d.packed[at+2*i+1])<<8
			dst = d.literal[i*part : (i+1)*part]
		}
		if to > stop || !d.huff.decode(dst, d.packed, from, to) {
			return false
		}
		from = to
	}
	return true
}
