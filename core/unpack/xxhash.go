package unpack

import "math/bits"

const (
	prime1 = 0x9e3779b185ebca87
	prime2 = 0xc2b2ae3d27d4eb4f
	prime3 = 0x165667b19e3779f9
	prime4 = 0x85ebca77c2b2ae63
	prime5 = 0x27d4eb2f165667c5
)

// xxhash64 is the hash that Zstandard frames carry, with seed 0.
type xxhash64 struct {
	acc   [4]uint64
	rest  [32]byte // what does not fill a stripe yet
	n     int      // of it
	total uint64
}

func (x *xxhash64) reset() {
	p := uint64(prime1)
	*x = xxhash64{acc: [4]uint64{p + prime2, prime2, 0, -p}}
}

func round(acc, v uint64) uint64 { return bits.RotateLeft64(acc+v*prime2, 31) * prime1 }

func (x *xxhash64) write(b []byte) {
	x.total += uint64(len(b))
	if x.n > 0 {
		n := copy(x.rest[x.n:], b)
		x.n += n
		b = b[n:]
		if x.n < len(x.rest) {
			return
		}
		x.stripes(x.rest[:])
	}
	x.stripes(b)
	x.n = copy(x.rest[:], b[len(b)&^31:])
}

func (x *xxhash64) stripes(b []byte) {
	a0, a1, a2, a3 := x.acc[0], x.acc[1], x.acc[2], x.acc[3]
	for i := 0; i+32 <= len(b); i += 32 {
		a0 = round(a0, load64(b, i))
		a1 = round(a1, load64(b, i+8))
		a2 = round(a2, load64(b, i+16))
		a3 = round(a3, load64(b, i+24))
	}
	x.acc = [4]uint64{a0, a1, a2, a3}
}

func (x *xxhash64) sum() uint64 {
	h := uint64(prime5)
	if x.total >= 32 {
		h = 0
		for i, n := range [4]int{1, 7, 12, 18} {
			h += bits.RotateLeft64(x.acc[i], n)
		}
		for _, a := range x.acc {
			h = (h^round(0, a))*prime1 + prime4
		}
	}
	h += x.total
	b := x.rest[:x.n]
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^round(0, load64(b, 0)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		v := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
		h = bits.RotateLeft64(h^v*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
