package unpack

// The three codes of a block, in the order in which they are described.
const (
	literalLengths = iota
	offsets
	matchLengths
)

// codeKind is what the format says about one of the three.
type codeKind struct {
	maxLog uint8
	values []value
	log    uint8   // of the code that needs no description
	counts []int16 // of that code
}

var codeKinds = [3]codeKind{
	{9, lengthValues(0, 16, "\x01\x01\x01\x01\x02\x02\x03\x03\x04\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"), 6, []int16{
		4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	{8, offsetValues(), 5, []int16{
		1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	{9, lengthValues(3, 32, "\x01\x01\x01\x01\x02\x02\x03\x03\x04\x04\x05\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"), 6, []int16{
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}},
}

// lengthValues are plain numbers from first on, and then ranges of 2^extra numbers each, one behind the other.
func lengthValues(first, plain uint32, extras string) []value {
	var out []value
	for i := range plain {
		out = append(out, value{first + i, 0})
	}
	base := first + plain
	for _, extra := range []byte(extras) {
		out = append(out, value{base, extra})
		base += 1 << extra
	}
	return out
}

func offsetValues() []value {
	var out []value
	for i := range uint8(32) {
		out = append(out, value{1 << i, i})
	}
	return out
}

// tables reads which codes a block uses, and those that it describes.
func (d *Zstd) tables(at, end int) (int, error) {
	if at >= end || d.packed[at]&3 != 0 {
		return 0, ErrCorrupt
	}
	modes := d.packed[at]
	at++
	for i := range d.codes {
		f, kind := &d.codes[i], &codeKinds[i]
		switch modes >> (6 - 2*i) & 3 {
		case 0:
			f.build(kind.counts, kind.log, kind.values)
		case 1:
			if at >= end || int(d.packed[at]) >= len(kind.values) {
				return 0, ErrCorrupt
			}
			f.one(kind.values[d.packed[at]])
			at++
		case 2:
			n := f.read(d.packed, at, end, kind.maxLog, len(kind.values)-1, kind.values)
			if n == 0 {
				return 0, ErrCorrupt
			}
			at += n
		case 3:
			if !f.set {
				return 0, ErrCorrupt
			}
		}
	}
	return at, nil
}

// sequences decodes n sequences from packed[at:end] and carries them out: some literals, then bytes that were there
// before. What is left of the literals ends the block.
func (d *Zstd) sequences(n, at, end int) error {
	var b backward
	if !b.open(d.packed, at, end) {
		return ErrCorrupt
	}
	lc, oc, mc := &d.codes[literalLengths], &d.codes[offsets], &d.codes[matchLengths]
	ls, os, ms := b.take(lc.log), b.take(oc.log), b.take(mc.log)
	out, lits, w, lit := d.out, d.lits, d.w, 0
	most := d.w + d.block
	for i := range n {
		if !b.load() {
			return ErrCorrupt
		}
		le, oe, me := &lc.table[ls&(1<<fseBits-1)], &oc.table[os&(1<<fseBits-1)], &mc.table[ms&(1<<fseBits-1)]
		far := int(oe.base) + int(b.take(oe.extra))
		// The three states take up to 26 bits after these, and there are 57.
		if oe.extra+me.extra+le.extra > 57-26 && !b.load() {
			return ErrCorrupt
		}
		match := int(me.base) + int(b.take(me.extra))
		length := int(le.base) + int(b.take(le.extra))
		if me.extra+le.extra > 57-26 && !b.load() {
			return ErrCorrupt
		}
		if i < n-1 {
			ls = uint64(le.next) + b.take(le.bits)
			ms = uint64(me.next) + b.take(me.bits)
			os = uint64(oe.next) + b.take(oe.bits)
		}
		far = d.offset(far, length)
		if w+length+match > most || lit+length > len(d.literal) || far <= 0 || far > w+length {
			return ErrCorrupt
		}
		if length <= 16 {
			copy8(out, w, lits, lit)
			copy8(out, w+8, lits, lit+8)
		} else {
			copy(out[w:w+length], lits[lit:lit+length])
		}
		w += length
		lit += length
		repeat(out, w, far, match)
		w += match
	}
	if b.left != 0 {
		return ErrCorrupt
	}
	rest := d.literal[lit:]
	if w+len(rest) > most {
		return ErrCorrupt
	}
	d.w = w + copy(out[w:], rest)
	return nil
}

// offset finds out what a sequence's offset means: 1 to 3 stand for one of the last three, the others are 3 too large.
// After no literals the last one is not meant again, and the numbers move by one.
func (d *Zstd) offset(v, literals int) int {
	o := &d.offsets
	if v > 3 {
		*o = [3]int{v - 3, o[0], o[1]}
		return o[0]
	}
	if literals == 0 {
		v++
	}
	switch v {
	case 1:
	case 2:
		*o = [3]int{o[1], o[0], o[2]}
	case 3:
		*o = [3]int{o[2], o[0], o[1]}
	case 4:
		*o = [3]int{o[0] - 1, o[0], o[1]}
	}
	return o[0]
}
