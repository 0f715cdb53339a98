package archive

import (
	"encoding/binary"
	"errors"
	"io"

	"contextscope/core/unpack"
)

// errTrailing: something else stands behind the packed data.
var errTrailing = errors.New("something stands behind the packed data")

// gzipReader reads the members of a gzip file (RFC 1952) as one.
type gzipReader struct {
	u       *Unpacker
	src     *unpack.Source
	inflate *unpack.Inflate
	inside  bool // of a member
	any     bool // there was one
	crc     uint32
	size    uint32
}

func (g *gzipReader) Read(p []byte) (int, error) {
	for {
		if !g.inside {
			if err := g.header(); err != nil {
				return 0, err
			}
			g.inflate.Reset(g.src)
			g.inside, g.any, g.crc, g.size = true, true, 0, 0
		}
		n, err := g.inflate.Read(p)
		g.crc = unpack.CRC32(g.crc, p[:n])
		g.size += uint32(n)
		if err != io.EOF {
			return n, err
		}
		g.inside = false
		b := g.src.Peek(8)
		if len(b) < 8 {
			return 0, io.ErrUnexpectedEOF
		}
		if binary.LittleEndian.Uint32(b) != g.crc || binary.LittleEndian.Uint32(b[4:]) != g.size {
			g.u.damage(unpack.ErrChecksum)
		}
		g.src.Skip(8)
	}
}

// The flags of a gzip header.
const (
	gzipCRC     = 2
	gzipExtra   = 4
	gzipName    = 8
	gzipComment = 16
)

// header passes over the header of a member; io.EOF where there is no other one.
func (g *gzipReader) header() error {
	b := g.src.Peek(10)
	if g.any {
		switch {
		case len(b) == 0 || b[0] == 0: // tapes are filled up with zeros
			return io.EOF
		case len(b) < 2 || b[0] != 0x1f || b[1] != 0x8b:
			return errTrailing
		}
	}
	if len(b) < 10 {
		return io.ErrUnexpectedEOF
	}
	flags := b[3]
	if b[2] != 8 || flags&0xe0 != 0 {
		return unpack.ErrCorrupt
	}
	g.src.Skip(10)
	if flags&gzipExtra != 0 {
		b := g.src.Peek(2)
		if len(b) < 2 || !g.src.Skip(2+int64(b[0])+int64(b[1])<<8) {
			return io.ErrUnexpectedEOF
		}
	}
	for _, text := range []byte{gzipName, gzipComment} {
		for last := byte(1); flags&text != 0 && last != 0; {
			b := g.src.Peek(1)
			if len(b) == 0 {
				return io.ErrUnexpectedEOF
			}
			last = b[0]
			g.src.Skip(1)
		}
	}
	if flags&gzipCRC != 0 && !g.src.Skip(2) {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// zstdReader reads the frames of a Zstandard file as one, and passes over those that are meant to be.
type zstdReader struct {
	u      *Unpacker
	src    *unpack.Source
	zstd   *unpack.Zstd
	inside bool // of a frame
}

func (z *zstdReader) Read(p []byte) (int, error) {
	for {
		if !z.inside {
			b := z.src.Peek(8)
			switch kind := Kind(b); {
			case len(b) == 0:
				return 0, io.EOF
			case kind != "zstd":
				return 0, errTrailing
			case b[0]&0xf0 == 0x50:
				if len(b) < 8 || !z.src.Skip(8+int64(binary.LittleEndian.Uint32(b[4:]))) {
					return 0, io.ErrUnexpectedEOF
				}
				continue
			}
			z.zstd.Reset(z.src)
			z.inside = true
		}
		n, err := z.zstd.Read(p)
		switch err {
		case io.EOF:
			z.inside = false
		case unpack.ErrChecksum:
			z.u.damage(err)
			z.inside = false
		default:
			return n, err
		}
	}
}
