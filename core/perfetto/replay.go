package perfetto

import "contextscope/core/journal"

// replay tells packets that were written again: a trace behind itself, or behind a trace that it is part of. Two packets of
// one trace can be the same bytes (two slices of a track that end together), so only the sequence tells: when the first
// packet or a descriptor comes again, packets are passed over for as long as they follow what is known.
type replay struct {
	hashes []uint64
	heads  map[uint64]int // packets at which a replay can begin
	next   int            // the packet that a replay expects, 0 outside of one
}

// again reports whether the packet stood there before.
func (r *replay) again(body []byte) bool {
	h := journal.Hash(body)
	if r.next > 0 && r.next < len(r.hashes) && r.hashes[r.next] == h {
		r.next++
		return true
	}
	r.next = 0
	if i, ok := r.heads[h]; ok && h != 0 {
		r.next = i + 1
		return true
	}
	return false
}

// keep remembers a new packet.
func (r *replay) keep(body []byte, head bool) {
	h := journal.Hash(body)
	i := len(r.hashes)
	r.hashes = append(r.hashes, h)
	if _, ok := r.heads[h]; !ok && (head || i == 0) {
		r.heads[h] = i
	}
}
