//go:build !wasm

package jsonl

import "encoding/binary"

// load64 reads 8 bytes from i on, little-endian.
func load64(b []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(b[i:])
}
