package unpack

// The three codes of a block, in the order in which they are described.
const (
	literalLengths = iota
	offsets
	matchLengths
)

// codeKind is what the format says about one of the three.
type codeKind struct {
	maxLog  uint8
	symbols int
	log     uint8  // of the code that needs no description
	counts  string // of that code: the share of each symbol, \xff for less than 1
	plain   int    // so many symbols stand for themselves, from first on
	first   uint32
	extras  string // the others stand for ranges of 2^extra numbers, one behind the other
}

var codeKinds = [3]codeKind{
	{9, 36, 6, "\x04\x03\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x01\x01\x01\x02\x02\x02\x02\x02\x02\x02\x02\x02\x03\x02\x01\x01\x01\x01\x01\xff\xff\xff\xff",
		16, 0, "\x01\x01\x01\x01\x02\x02\x03\x03\x04\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"},
	{8, 32, 5, "\x01\x01\x01\x01\x01\x01\x02\x02\x02\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\xff\xff\xff\xff\xff", 0, 0, ""},
	{9, 53, 6, "\x01\x04\x03\x02\x02\x02\x02\x02\x02\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01" +
		"\xff\xff\xff\xff\xff\xff\xff", 32, 3, "\x01\x01\x01\x01\x02\x02\x03\x03\x04\x04\x05\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"},
}

// value is what a symbol stands for: a base, and how many bits are added to it.
func (k *codeKind) value(sym int) (base uint32, extra uint8) {
	switch {
	case k == nil: // itself
		return uint32(sym), 0
	case k.extras == "": // an offset
		return 1 << sym, uint8(sym)
	}
	base = k.first + uint32(min(sym, k.plain))
	for i := k.plain; i < sym; i++ {
		base += 1 << k.extras[i-k.plain]
	}
	if sym >= k.plain {
		extra = k.extras[sym-k.plain]
	}
	return base, extra
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
			var counts [53]int16
			for sym := range kind.counts {
				counts[sym] = int16(int8(kind.counts[sym]))
			}
			f.build(counts[:len(kind.counts)], kind.log, kind)
		case 1:
			if at >= end || int(d.packed[at]) >= kind.symbols {
				return 0, ErrCorrupt
			}
			f.one(kind.value(int(d.packed[at])))
			at++
		case 2:
			n := f.read(d.packed, at, end, kind.maxLog, kind.symbols-1, kind)
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
