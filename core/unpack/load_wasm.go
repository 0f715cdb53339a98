package unpack

import "unsafe"

// load64 reads 8 bytes from i on, little-endian. The compiler joins no byte loads for this target, but the target
// itself may load from anywhere. That the bytes are there is the caller's word; natively it is checked.
func load64(b []byte, i int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i))
}

// copy8 copies 8 bytes.
func copy8(dst []byte, i int, src []byte, k int) {
	*(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), i)) = load64(src, k)
}
