package archive

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"contextscope/core/unpack"
)

// The signatures of a zip archive.
const (
	localHeader = "PK\x03\x04"
	descriptor  = "PK\x07\x08"
	endOfList   = "PK\x05\x06"
)

const (
	localSize = 30
	look      = 60 << 10 // how much is looked through at once for a signature
)

// The methods that are read.
const (
	methodStored  = 0
	methodDeflate = 8
)

// zip hands over the files of a zip archive. It reads the headers that stand before the files, from the first to the last,
// and stops at the list at the end: an input may be a stream without an end in sight, and no byte is read twice, so that
// files that overlap cannot make much out of little.
func (u *Unpacker) zip(depth int, f *File) error {
	if u.archive == "" {
		u.archive = f.Packing
	}
	l := u.layers[depth]
	s := &l.src
	for !u.stopped {
		b := s.Peek(localSize)
		switch {
		case len(b) >= 4 && b[0] == 'P' && b[1] == 'K' && string(b[:4]) != localHeader && string(b[:4]) != descriptor:
			return nil // the list of contents
		case len(b) < localSize:
			return u.brokenOff(s)
		case string(b[:4]) != localHeader:
			u.damage(unpack.ErrCorrupt)
			if !findHeader(s) {
				return s.Err()
			}
			continue
		}
		z, ok := readHeader(s)
		if !ok {
			return u.brokenOff(s)
		}
		if !z.folder && !u.next() {
			return nil
		}
		if err := u.zipped(depth, f.inside(z.path), z); err != nil {
			return err
		}
	}
	return nil
}

// zipFile is a file in a zip archive as its header tells, and how much of it was read.
type zipFile struct {
	path     string
	folder   bool
	method   uint16
	locked   bool
	size     int64 // packed, -1 when it is not said
	plain    int64 // unpacked, -1 when it is not said
	sum      uint32
	trailing bool // size and sum stand behind the file
}

// readHeader reads the header of a file; false where it breaks off.
func readHeader(s *unpack.Source) (*zipFile, bool) {
	b := s.Peek(localSize)
	short := func(i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }
	long := func(i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
	flags := short(6)
	z := &zipFile{method: short(8), sum: long(14), locked: flags&(1|1<<13) != 0, trailing: flags&8 != 0,
		size: int64(long(18)), plain: int64(long(22))}
	nameLen, extraLen := int(short(26)), int(short(28))
	s.Skip(localSize)
	name := s.Peek(min(nameLen, look))
	z.path = string(name)
	z.folder = strings.HasSuffix(z.path, "/") || strings.HasSuffix(z.path, `\`)
	if !s.Skip(int64(nameLen)) {
		return nil, false
	}
	extra := s.Peek(min(extraLen, look))
	z.large(extra)
	if z.trailing && (z.size == 0 && !z.folder || z.method == methodDeflate && !z.locked) {
		z.size, z.plain = -1, -1
	}
	return z, s.Skip(int64(extraLen))
}

// large takes sizes of 4 GB and more from where they stand.
func (z *zipFile) large(extra []byte) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if extra = extra[4:]; n > len(extra) {
			return
		}
		field := extra[:n]
		extra = extra[n:]
		if id != 1 {
			continue
		}
		for _, size := range []*int64{&z.plain, &z.size} {
			if *size == 0xffffffff && len(field) >= 8 {
				*size = int64(binary.LittleEndian.Uint64(field) &^ (1 << 63))
				field = field[8:]
			}
		}
	}
}

// zipped hands over a file of a zip archive and goes behind it.
func (u *Unpacker) zipped(depth int, f *File, z *zipFile) error {
	l := u.layers[depth]
	s := &l.src
	if z.size >= 0 {
		s.Limit(z.size)
	}
	r := &zipReader{u: u, src: s, file: z}
	err, why := error(nil), ""
	switch {
	case z.locked:
		why = "it is encrypted"
	case z.method == methodDeflate:
		l.inflater().Reset(s)
		r.r = l.inflate
	case z.method != methodStored:
		why = fmt.Sprintf("it is packed by method %d, and only 0 (stored) and 8 (deflated) are read", z.method)
	case z.size < 0:
		r.r = &unsized{src: s}
	default:
		r.r = &stored{u, s}
	}
	switch {
	case z.folder:
	case why != "":
		f.Refused = "a packed file that cannot be read"
		err = u.refuse(f, why, "Unpack the archive with another program and open what is in it.")
	default:
		err = u.member(depth, f, u.tap(l, r))
	}
	if err != nil {
		return err
	}
	if z.size >= 0 {
		whole := s.Skip(s.Left())
		if s.Limit(-1); !whole {
			return u.brokenOff(s)
		}
		if z.trailing {
			z.readTrailer(s)
		}
		return nil
	}
	if why != "" {
		if !findHeader(s) {
			return u.brokenOff(s)
		}
		return nil
	}
	if u.scratch == nil {
		u.scratch = make([]byte, 32<<10)
	}
	rest := u.tap(l, r)
	for err == nil && r.err == nil {
		_, err = rest.Read(u.scratch)
	}
	if err == io.EOF {
		err = nil
	}
	return err
}

// zipReader reads a file and compares it with what is said about it.
type zipReader struct {
	u    *Unpacker
	src  *unpack.Source
	r    io.Reader
	file *zipFile
	crc  uint32
	n    int64
	err  error
}

func (r *zipReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.r.Read(p)
	r.crc = unpack.CRC32(r.crc, p[:n])
	r.n += int64(n)
	if r.err = err; err != io.EOF {
		return n, err
	}
	z := r.file
	if z.size < 0 {
		z.sum, z.plain = r.crc, r.n
		if !z.readTrailer(r.src) {
			r.u.damage(unpack.ErrCorrupt)
		}
	}
	if z.trailing && z.size >= 0 {
		return n, err // the sum comes later; the sizes were enough to find the end
	}
	if z.sum != r.crc || z.plain != r.n {
		r.u.damage(unpack.ErrChecksum)
	}
	return n, err
}

// readTrailer reads what stands behind a file: its sum and its sizes, with a signature or without one, in 4 or in 8 bytes.
// That none of the archive says which; it is the one that fits the file and behind which the archive goes on, or else one of
// which either is true.
func (z *zipFile) readTrailer(s *unpack.Source) bool {
	b := s.Peek(28)
	for _, must := range []struct{ fit, follow bool }{{true, true}, {true, false}, {false, true}} {
		for _, signed := range []int{4, 0} {
			for _, width := range []int{4, 8} {
				n := signed + 4 + 2*width
				if n > len(b) || signed > 0 && string(b[:4]) != descriptor {
					continue
				}
				sum := binary.LittleEndian.Uint32(b[signed:])
				plain := b[n-width : n]
				if (!must.fit || sum == z.sum && is(plain, z.plain)) && (!must.follow || n+2 <= len(b) && string(b[n:n+2]) == "PK") {
					z.sum = sum
					s.Skip(int64(n))
					return true
				}
			}
		}
	}
	return false
}

// is tells whether 4 or 8 bytes are that number.
func is(b []byte, n int64) bool {
	if len(b) == 4 {
		return binary.LittleEndian.Uint32(b) == uint32(n)
	}
	return binary.LittleEndian.Uint64(b) == uint64(n)
}

// findHeader goes on to what looks like the header of a file, or like the list of contents.
func findHeader(s *unpack.Source) bool {
	for {
		b := s.Peek(look)
		for i := 0; i+localSize <= len(b); i++ {
			k := bytes.Index(b[i:], []byte("PK"))
			if k < 0 {
				break
			}
			if i += k; i+localSize > len(b) {
				break
			}
			h := b[i : i+localSize]
			name := binary.LittleEndian.Uint16(h[26:])
			if string(h[:4]) == localHeader && h[4] < 64 && h[8] < 100 && h[9] == 0 && name > 0 && name < 4096 ||
				string(h[:4]) == "PK\x01\x02" && h[6] < 64 && h[10] < 100 && h[11] == 0 {
				s.Skip(int64(i))
				return true
			}
		}
		if len(b) < look {
			s.Skip(int64(len(b)))
			return false
		}
		s.Skip(int64(len(b) - localSize))
	}
}

// unsized reads a file that is stored without a size before it: up to the descriptor that has the size of what came before.
type unsized struct {
	src *unpack.Source
	n   int64
}

func (r *unsized) Read(p []byte) (int, error) {
	b := r.src.Peek(look)
	if len(b) >= 16 && string(b[:4]) == descriptor {
		if is(b[8:12], r.n) && is(b[12:16], r.n) || len(b) >= 24 && is(b[8:16], r.n) && is(b[16:24], r.n) {
			return 0, io.EOF
		}
	}
	if len(b) == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	n := len(b)
	if k := bytes.Index(b[1:], []byte(descriptor)); k >= 0 {
		n = 1 + k
	} else if n == look {
		n -= len(descriptor)
	}
	n = copy(p, b[:n])
	r.src.Skip(int64(n))
	r.n += int64(n)
	return n, nil
}
