// Package unpack decodes DEFLATE (RFC 1951) and Zstandard (RFC 8878) streams: what lies inside of gzip, zip and zst
// files. Their headers, checksums and lists of files are the business of package archive.
//
// A Source is the packed input, which decoders and the readers of headers share: a decoder leaves it exactly behind the
// last byte of its stream. A decoder is made once and used for any number of streams. It holds what its format needs and
// no more: 32 KiB of what it wrote for DEFLATE, the window that a frame asks for, up to a limit, for Zstandard.
//
// It is written here, and not taken from a library, because of what a person has to download before the page opens: the
// known libraries bring encoders, dictionaries, goroutines and cryptography with them, and take eight times as much
// room. They serve as the judges in the tests.
package unpack

import "errors"

// What can be wrong with packed data. A stream that ends too early gives io.ErrUnexpectedEOF.
var (
	// ErrCorrupt: the data cannot be what an encoder wrote.
	ErrCorrupt = errors.New("the packed data is damaged")
	// ErrChecksum comes at the end of a stream, in place of io.EOF: all was decoded, but it is not what was packed.
	ErrChecksum = errors.New("the checksum does not fit")
	// ErrWindow: a frame asks for more memory than it gets.
	ErrWindow = errors.New("the window is too large")
	// ErrDictionary: a frame needs a dictionary that is not in it.
	ErrDictionary = errors.New("a dictionary is needed")
)
