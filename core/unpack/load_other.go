//go:build !wasm

package unpack

import "encoding/binary"

// load64 reads 8 bytes from i on, little-endian.
func load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// copy8 copies 8 bytes.
func copy8(dst []byte, i int, src []byte, k int) {
	binary.LittleEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(src[k:]))
}
