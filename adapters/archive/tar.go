package archive

import (
	"bytes"
	"io"
	"strconv"

	"contextscope/core/unpack"
)

const (
	blockSize  = 512
	maxTarText = 60 << 10 // of a long name or of extended headers
)

// isTar tells whether a block is the header of a file in a tar archive: it says so, and its sum fits.
func isTar(b []byte) bool {
	return len(b) >= blockSize && string(b[257:262]) == "ustar" && sumOf(b) == number(b[148:156])
}

// sumOf adds up the bytes of a header, its sum taken for blanks.
func sumOf(b []byte) int64 {
	sum := int64(8 * ' ')
	for i, c := range b[:blockSize] {
		if i < 148 || i >= 156 {
			sum += int64(c)
		}
	}
	return sum
}

// number reads a field: octal digits, or a number in base 256 that is marked by the highest bit. -1 is none.
func number(b []byte) int64 {
	n := int64(0)
	if b[0]&0x80 != 0 {
		n = int64(b[0] & 0x7f)
		for _, c := range b[1:] {
			if n >= 1<<47 {
				return -1
			}
			n = n<<8 | int64(c)
		}
		return n
	}
	for _, c := range bytes.Trim(b, " \x00") {
		if c < '0' || c > '7' || n >= 1<<47 {
			return -1
		}
		n = n<<3 | int64(c-'0')
	}
	return n
}

// tar hands over the files of a tar archive.
func (u *Unpacker) tar(depth int, f *File) error {
	if u.archive == "" {
		u.archive = f.Packing
	}
	s := &u.layers[depth].src
	var next tarFile // what headers before its own say about a file
	for !u.stopped {
		b := s.Peek(blockSize)
		if len(b) == 0 && s.Err() == nil || len(b) == blockSize && b[0] == 0 {
			return nil
		}
		if len(b) < blockSize {
			return u.brokenOff(s)
		}
		size := number(b[124:136])
		if !isTar(b) || size < 0 {
			u.damage(unpack.ErrCorrupt)
			return nil
		}
		kind, file := b[156], next
		switch {
		case kind >= '1' && kind <= '6': // links, devices and folders have no contents
			size = 0
		case kind == 0, kind == '0', kind == '7':
			if file.path == "" {
				file.path = tarPath(b)
			}
			if file.size > 0 {
				size = file.size
			}
		}
		s.Skip(blockSize)
		s.Limit(size)
		switch kind {
		case 0, '0', '7':
			next = tarFile{}
			if !u.next() {
				return nil
			}
			if err := u.member(depth, f.inside(file.path), &stored{u, s}); err != nil {
				return err
			}
		case 'L', 'x':
			next.extend(kind, s.Peek(int(min(size, maxTarText))))
		case 'g', 'K': // about all files, and about links
		default:
			next = tarFile{}
		}
		if !s.Skip(s.Left()) {
			return u.brokenOff(s)
		}
		s.Limit(-1)
		if !s.Skip(-size & (blockSize - 1)) {
			return u.brokenOff(s)
		}
	}
	return nil
}

// brokenOff notes that an archive ends too early, unless its reader failed.
func (u *Unpacker) brokenOff(s *unpack.Source) error {
	if err := s.Err(); err != nil {
		return err
	}
	u.damage(io.ErrUnexpectedEOF)
	return nil
}

// tarFile is what headers before its own say about a file.
type tarFile struct {
	path string // "" for nothing
	size int64  // 0 for nothing
}

// extend reads such a header: a long path, or lines such as "26 path=some/session.jsonl\n". Damaged ones say nothing.
func (f *tarFile) extend(kind byte, text []byte) {
	if kind == 'L' {
		f.path = untilNUL(text)
		return
	}
	for len(text) > 0 {
		digits, _, _ := bytes.Cut(text, []byte{' '})
		n, err := strconv.Atoi(string(digits))
		if err != nil || n < len(digits)+2 || n > len(text) {
			return
		}
		key, v, _ := bytes.Cut(text[len(digits)+1:n-1], []byte{'='})
		switch text = text[n:]; string(key) {
		case "path":
			f.path = string(v)
		case "size":
			if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && n > 0 {
				f.size = n
			}
		}
	}
}

// tarPath is the path in a header. Only headers of POSIX have a second part, which stands before the first.
func tarPath(b []byte) string {
	path := untilNUL(b[:100])
	if before := untilNUL(b[345:500]); b[262] == 0 && before != "" {
		return before + "/" + path
	}
	return path
}

func untilNUL(b []byte) string {
	b, _, _ = bytes.Cut(b, []byte{0})
	return string(b)
}

// stored reads a file that is not packed: what the source has up to its limit.
type stored struct {
	u   *Unpacker
	src *unpack.Source
}

func (r *stored) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	if err == io.EOF && r.src.Left() > 0 {
		r.u.damage(io.ErrUnexpectedEOF)
	}
	return n, err
}
