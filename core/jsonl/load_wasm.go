package jsonl

import "unsafe"

// load64 reads 8 bytes from i on, little-endian. The compiler joins no byte loads for this target, but the target
// itself may load from anywhere. i+8 <= len(b) is the caller's word.
func load64(b []byte, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}
