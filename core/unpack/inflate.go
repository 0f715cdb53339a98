package unpack

import "io"

const (
	history    = 32 << 10 // how far back a DEFLATE stream refers
	inflateOut = history + 64<<10
	longest    = 258
	slack      = 16 // what copying by words may write beyond the end
)

// Inflate decodes DEFLATE streams. The zero value is at an end; see Reset.
type Inflate struct {
	src  *Source
	bits uint64 // the next bits of the stream, the lowest first; those from n on are not to be counted with
	n    uint
	out  []byte // what was written last: out[r:w] is not handed out yet
	r, w int
	left int // bytes of a stored block that are still to come
	in   block
	last bool // the block at hand is the last one
	err  error

	lit  [litTable]uint32
	dist [distTable]uint32
	lens [maxLit + maxDist]uint8
}

// block says inside of what kind of block the decoder is.
type block uint8

const (
	between block = iota
	storedBlock
	codedBlock
)

// Reset begins the stream that src stands before.
func (d *Inflate) Reset(src *Source) {
	if d.out == nil {
		d.out = make([]byte, inflateOut+longest+slack)
	}
	d.src, d.bits, d.n, d.r, d.w = src, 0, 0, 0, 0
	d.left, d.in, d.last, d.err = 0, between, false, nil
}

// Read gives io.EOF behind the last block; the source then stands behind the stream.
func (d *Inflate) Read(p []byte) (int, error) {
	for d.r == d.w {
		if d.err != nil {
			return 0, d.err
		}
		d.step()
	}
	n := copy(p, d.out[d.r:d.w])
	d.r += n
	return n, nil
}

// step decodes until the output is full or the block at its end.
func (d *Inflate) step() {
	if d.w > inflateOut-longest {
		copy(d.out, d.out[d.w-history:d.w])
		d.r, d.w = history, history
	}
	switch d.in {
	case storedBlock:
		d.stored()
	case codedBlock:
		d.coded()
	default:
		if d.last {
			d.giveBack()
			d.err = io.EOF
			return
		}
		d.header()
	}
}

// fail ends the stream: cut where the input is at its end, damaged anywhere else.
func (d *Inflate) fail(err error) {
	d.err = err
	d.giveBack()
}

// giveBack returns the whole bytes that were taken and not used.
func (d *Inflate) giveBack() {
	d.src.pos -= int(d.n >> 3)
	d.bits, d.n = 0, 0
}

// refill takes as many whole bytes as fit: 56 bits at least, unless the input ends.
func (d *Inflate) refill() {
	for d.n < 56 && d.src.more(1) {
		s := d.src
		d.bits = d.bits&(1<<d.n-1) | uint64(s.buf[s.pos])<<d.n
		s.pos++
		d.n += 8
	}
}

// take reads up to 16 bits; false where the input ends.
func (d *Inflate) take(n uint) (uint, bool) {
	if d.n < n {
		if d.refill(); d.n < n {
			d.fail(io.ErrUnexpectedEOF)
			return 0, false
		}
	}
	v := uint(d.bits & (1<<n - 1))
	d.bits >>= n
	d.n -= n
	return v, true
}

// header reads what a block begins with.
func (d *Inflate) header() {
	v, ok := d.take(3)
	if !ok {
		return
	}
	d.last = v&1 != 0
	switch v >> 1 {
	case 0:
		d.bits >>= d.n & 7
		d.n &^= 7
		n, ok1 := d.take(16)
		not, ok2 := d.take(16)
		if !ok1 || !ok2 {
			return
		}
		if n != not^0xffff {
			d.fail(ErrCorrupt)
			return
		}
		d.giveBack()
		d.left, d.in = int(n), storedBlock
	case 1:
		d.fixed()
		d.in = codedBlock
	case 2:
		if d.dynamic() {
			d.in = codedBlock
		}
	default:
		d.fail(ErrCorrupt)
	}
}

// stored copies a stored block.
func (d *Inflate) stored() {
	if d.left == 0 {
		d.in = between
		return
	}
	if !d.src.more(1) {
		d.fail(io.ErrUnexpectedEOF)
		return
	}
	s := d.src
	n := copy(d.out[d.w:inflateOut], s.buf[s.pos:min(s.lim, s.pos+d.left)])
	s.pos += n
	d.w += n
	d.left -= n
}

// coded decodes symbols until the output is full or the block at its end.
func (d *Inflate) coded() {
	s, out, w := d.src, d.out, d.w
	bits, n := d.bits, d.n
	err := error(nil)
	for w <= inflateOut {
		if s.lim-s.pos >= 8 {
			bits |= load64(s.buf, s.pos) << (n & 63)
			s.pos += int((63 - n) >> 3)
			n |= 56
		} else {
			d.bits, d.n = bits, n
			d.refill()
			bits, n = d.bits, d.n
		}
		e := d.lit[bits&(1<<litBits-1)]
		for range 2 { // two literals leave bits enough for a length
			if e&literal == 0 || n < uint(e&codeLen) {
				break
			}
			out[w] = byte(e >> 16)
			w++
			bits >>= e & codeLen
			n -= uint(e & codeLen)
			e = d.lit[bits&(1<<litBits-1)]
		}
		if e&further != 0 {
			e = d.lit[e>>16+uint32(bits>>litBits)&(1<<(e>>8&15)-1)]
		}
		if n < uint(e&codeLen) {
			err = io.ErrUnexpectedEOF
			break
		}
		bits >>= e & codeLen
		n -= uint(e & codeLen)
		if e&literal != 0 {
			out[w] = byte(e >> 16)
			w++
			continue
		}
		if e&(blockEnd|noCode) != 0 {
			if d.in = between; e&noCode != 0 {
				err = ErrCorrupt
			}
			break
		}
		extra := uint(e >> 8 & 15)
		length := int(e>>16) + int(bits&(1<<extra-1))
		if n < extra {
			err = io.ErrUnexpectedEOF
			break
		}
		bits >>= extra & 63
		n -= extra
		switch {
		case n >= 28: // a distance has up to 15 bits and 13 more
		case s.lim-s.pos >= 8:
			bits |= load64(s.buf, s.pos) << (n & 63)
			s.pos += int((63 - n) >> 3)
			n |= 56
		default:
			d.bits, d.n = bits, n
			d.refill()
			bits, n = d.bits, d.n
		}
		e = d.dist[bits&(1<<distBits-1)]
		if e&further != 0 {
			e = d.dist[e>>16+uint32(bits>>distBits)&(1<<(e>>8&15)-1)]
		}
		extra = uint(e >> 8 & 15)
		if n < uint(e&codeLen)+extra {
			err = io.ErrUnexpectedEOF
			break
		}
		bits >>= e & codeLen
		far := int(e>>16) + int(bits&(1<<extra-1))
		bits >>= extra & 63
		n -= uint(e&codeLen) + extra
		if e&noCode != 0 || far > w {
			err = ErrCorrupt
			break
		}
		repeat(out, w, far, length)
		w += length
	}
	d.bits, d.n, d.w = bits, n, w
	if err != nil {
		d.fail(err)
	}
}

// repeat writes n bytes at w that lie far bytes before. Up to slack bytes behind them may be overwritten.
func repeat(out []byte, w, far, n int) {
	from := w - far
	switch {
	case far >= n && n > 64:
		copy(out[w:w+n], out[from:from+n])
	case far >= 8:
		for i := 0; i < n; i += 8 {
			copy8(out, w+i, out, from+i)
		}
	default:
		for i := range n {
			out[w+i] = out[from+i]
		}
	}
}
