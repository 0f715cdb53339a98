package jsonl

import "math/bits"

// Eight bytes at a time: a word holds one byte per lane, and a lane's top bit is set where the lane is what is looked
// for. Subtracting 1 from a lane that is 0 borrows from the lanes above it, so only the lowest set bit can be trusted.
// It is the only one that is used.
const (
	lanes   = 0x0101010101010101
	tops    = 0x80 * lanes
	quotes  = '"' * lanes
	slashes = '\\' * lanes
	spaces  = ' ' * lanes
)

// special marks lanes that are not plain: a quote, a backslash, a control character, a byte of a non-ASCII character.
// For lanes that are no ASCII the subtractions mean nothing, but those are marked by w itself.
func special(w uint64) uint64 {
	q, k, c := (w^quotes)-lanes, (w^slashes)-lanes, w-spaces
	return (q | k | c | w) & tops
}

// quote marks quotes only; it has to work for any bytes.
func quote(w uint64) uint64 {
	w ^= quotes
	return (w - lanes) &^ w & tops
}

// firstLane is the number of the lowest marked lane.
func firstLane(m uint64) int { return bits.TrailingZeros64(m) >> 3 }

// isPlain is special for one byte.
func isPlain(c byte) bool { return c-' ' < 0x80-' ' && c != '"' && c != '\\' }

// plainEnd is the index of the first byte of b from i on that is not plain, or len(b).
func plainEnd(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := special(load64(b, i)); m != 0 {
			return i + firstLane(m)
		}
	}
	for i < len(b) && isPlain(b[i]) {
		i++
	}
	return i
}

// stringEnd looks from i on, inside a string, for its end. It returns the index after the closing quote and true, or
// false and the index from which to go on once there is more. It jumps from quote to quote and looks at backslashes only
// from there, back to the quote before at most, so that every byte is looked at twice at most.
func stringEnd(b []byte, i int) (int, bool) {
	from := i
	for {
		i = quoteIndex(b, i)
		k := i
		for k > from && b[k-1] == '\\' {
			k--
		}
		escaped := (i-k)&1 != 0
		if i == len(b) {
			if escaped {
				i-- // the backslash belongs to a byte that is not there yet
			}
			return i, false
		}
		i++
		if !escaped {
			return i, true
		}
		from = i
	}
}

// quoteIndex is the index of the first quote in b from i on, or len(b).
func quoteIndex(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		if m := quote(load64(b, i)); m != 0 {
			return i + firstLane(m)
		}
		for i+40 <= len(b) && quote(load64(b, i+8))|quote(load64(b, i+16))|quote(load64(b, i+24))|quote(load64(b, i+32)) == 0 {
			i += 32
		}
	}
	for i < len(b) && b[i] != '"' {
		i++
	}
	return i
}
