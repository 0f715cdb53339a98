package unpack

import (
	"io"
	"math"
)

// ZstdMagic is what a Zstandard frame begins with.
const ZstdMagic = "\x28\xb5\x2f\xfd"

// MaxWindow is the largest window that a frame may ask for: what the zstd tool writes with --long, and what it reads
// without being told to.
const MaxWindow = 128 << 20

const (
	maxBlock  = 128 << 10
	firstOut  = 512 << 10
	keepOut   = 16 << 20 // a larger buffer is not kept from one frame to the next
	mostSlide = 16 << 20
)

// Zstd decodes Zstandard frames. The zero value is at an end; see Reset.
type Zstd struct {
	Most int // the largest window that a frame gets, 0 for MaxWindow

	src  *Source
	out  []byte // what was written last: out[r:w] is not handed out yet
	r, w int
	err  error

	// What the frame says about itself.
	window  int
	block   int   // the largest size of a block
	size    int64 // of the content, -1 when it is not said
	summed  bool
	written int64
	sum     xxhash64
	last    bool // the last block was decoded

	packed  []byte // a block, with behind bytes before and after it
	lits    []byte // its literals
	huff    huffman
	codes   [3]fse // for literal lengths, offsets and match lengths
	offsets [3]int // the last three
	literal []byte // part of lits that the block has
}

// Reset begins the frame that src stands before.
func (d *Zstd) Reset(src *Source) {
	if d.packed == nil {
		d.packed = make([]byte, behind+maxBlock+behind)
		d.lits = make([]byte, maxBlock+slack)
	}
	d.Release()
	d.src, d.r, d.w, d.err = src, 0, 0, nil
	d.written, d.last = 0, false
	d.sum.reset()
	d.huff.bits = 0
	for i := range d.codes {
		d.codes[i].set = false
	}
	d.offsets = [3]int{1, 4, 8}
	d.err = d.frame()
}

// Release gives back the memory that only a frame with a large window needs.
func (d *Zstd) Release() {
	if len(d.out) > keepOut {
		d.out, d.r, d.w = nil, 0, 0
	}
}

// Read gives io.EOF behind the last block; the source then stands behind the frame.
func (d *Zstd) Read(p []byte) (int, error) {
	for d.r == d.w {
		if d.err != nil {
			return 0, d.err
		}
		if d.last {
			d.err = d.finish()
			continue
		}
		if d.err = d.next(); d.err == nil {
			d.written += int64(d.w - d.r)
			if d.summed {
				d.sum.write(d.out[d.r:d.w])
			}
		} else {
			d.w = d.r // what a damaged block has written is not handed out
		}
	}
	n := copy(p, d.out[d.r:d.w])
	d.r += n
	return n, nil
}

// little reads n bytes as a number, little-endian; false where the input ends.
func (d *Zstd) little(n int) (uint64, bool) {
	b := d.src.Peek(n)
	if len(b) < n {
		return 0, false
	}
	d.src.pos += n
	v := uint64(0)
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v, true
}

// frame reads the header of a frame.
func (d *Zstd) frame() error {
	magic, ok := d.little(5)
	if !ok {
		return io.ErrUnexpectedEOF
	}
	about := magic >> 32
	if uint32(magic) != 0xfd2fb528 || about&8 != 0 {
		return ErrCorrupt
	}
	single := about&32 != 0
	d.summed = about&4 != 0
	window := uint64(0)
	if !single {
		v, ok := d.little(1)
		if !ok {
			return io.ErrUnexpectedEOF
		}
		window = 1 << (10 + v>>3)
		window += window >> 3 * (v & 7)
	}
	dictionary, ok := d.little([4]int{0, 1, 2, 4}[about&3])
	if !ok {
		return io.ErrUnexpectedEOF
	}
	n := [4]int{0, 2, 4, 8}[about>>6]
	if n == 0 && single {
		n = 1
	}
	size, ok := d.little(n)
	if !ok {
		return io.ErrUnexpectedEOF
	}
	if n == 2 {
		size += 256
	}
	if d.size = -1; n > 0 {
		d.size = int64(min(size, math.MaxInt64))
	}
	if single {
		window = size
	}
	switch {
	case dictionary != 0:
		return ErrDictionary
	case window > MaxWindow || d.Most > 0 && window > uint64(d.Most):
		return ErrWindow
	}
	d.window, d.block = int(window), int(min(window, maxBlock))
	return nil
}

// finish checks what stands behind the last block.
func (d *Zstd) finish() error {
	if d.summed {
		sum, ok := d.little(4)
		if !ok {
			return io.ErrUnexpectedEOF
		}
		if uint32(sum) != uint32(d.sum.sum()) {
			return ErrChecksum
		}
	}
	if d.size >= 0 && d.size != d.written {
		return ErrChecksum
	}
	return io.EOF
}

// room makes the output ready for one block more. The window before it stays.
func (d *Zstd) room() {
	need := d.block + slack
	if d.w+need <= len(d.out) {
		return
	}
	from := max(0, d.w-d.window)
	full := d.window + need + max(maxBlock, min(d.window, mostSlide))
	to := d.out
	if len(to) < full && (from == 0 || len(to) < d.window+need) {
		// Few steps, and a large one at the end: what it held before is there beside it for a while.
		size := max(firstOut, 4*len(to), d.w-from+need)
		if size > full/2 {
			size = full
		}
		to = make([]byte, size)
	}
	d.w = copy(to, d.out[from:d.w])
	d.r, d.out = d.w, to
}

// next decodes a block.
func (d *Zstd) next() error {
	v, ok := d.little(3)
	if !ok {
		return io.ErrUnexpectedEOF
	}
	n := int(v >> 3)
	d.last = v&1 != 0
	if n > d.block {
		return ErrCorrupt
	}
	d.room()
	switch v >> 1 & 3 {
	case 0:
		if !d.bytes(d.out[d.w : d.w+n]) {
			return io.ErrUnexpectedEOF
		}
		d.w += n
		return nil
	case 1:
		v, ok := d.little(1)
		if !ok {
			return io.ErrUnexpectedEOF
		}
		fill(d.out[d.w:d.w+n], byte(v))
		d.w += n
		return nil
	case 2:
		if !d.bytes(d.packed[behind : behind+n]) {
			return io.ErrUnexpectedEOF
		}
		return d.compressed(behind + n)
	}
	return ErrCorrupt
}

// bytes fills p from the source.
func (d *Zstd) bytes(p []byte) bool {
	s := d.src
	for len(p) > 0 {
		if !s.more(1) {
			return false
		}
		n := copy(p, s.buf[s.pos:s.lim])
		s.pos += n
		p = p[n:]
	}
	return true
}

func fill(p []byte, c byte) {
	for i := range p {
		p[i] = c
	}
}

// compressed decodes the block in packed[behind:end]: its literals, then what to do with them.
func (d *Zstd) compressed(end int) error {
	at, err := d.literals(end)
	if err != nil {
		return err
	}
	if at >= end {
		return ErrCorrupt
	}
	n := int(d.packed[at])
	at++
	switch {
	case n == 255 && at+2 <= end:
		n = int(d.packed[at]) + int(d.packed[at+1])<<8 + 0x7f00
		at += 2
	case n >= 128 && n < 255 && at < end:
		n = (n-128)<<8 + int(d.packed[at])
		at++
	case n >= 128:
		return ErrCorrupt
	}
	if n == 0 {
		if at != end {
			return ErrCorrupt
		}
		if len(d.literal) > d.block {
			return ErrCorrupt
		}
		d.w += copy(d.out[d.w:], d.literal)
		return nil
	}
	if at, err = d.tables(at, end); err != nil {
		return err
	}
	return d.sequences(n, at, end)
}
