package unpack

import (
	"io"
	"math"
)

const (
	sourceSize = 128 << 10
	behind     = 8 // bytes before the read position that stay: a decoder may have taken whole bytes too many
)

// Source is packed input. The zero value is empty; see Reset.
type Source struct {
	r     io.Reader
	buf   []byte
	pos   int   // next byte
	lim   int   // where what may be read ends, as far as it is in the buffer
	end   int   // of the data in the buffer
	base  int64 // offset of buf[0] in the input
	limit int64 // offset in the input beyond which nothing is read
	err   error // the reader's last word
}

// Reset begins with another input and keeps the buffer.
func (s *Source) Reset(r io.Reader) {
	if s.buf == nil {
		s.buf = make([]byte, sourceSize)
	}
	*s = Source{r: r, buf: s.buf, limit: math.MaxInt64}
}

// Offset is where the next byte lies in the input.
func (s *Source) Offset() int64 { return s.base + int64(s.pos) }

// Err is the reader's error, nil for io.EOF.
func (s *Source) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Limit lets the input seem to end n bytes from here; a negative n takes that back.
func (s *Source) Limit(n int64) {
	if s.limit = math.MaxInt64; n >= 0 && n < math.MaxInt64-s.Offset() {
		s.limit = s.Offset() + n
	}
	s.bound()
}

// Left is how many bytes may still be read, as far as Limit says.
func (s *Source) Left() int64 { return s.limit - s.Offset() }

func (s *Source) bound() { s.lim = int(min(int64(s.end), s.limit-s.base)) }

// more makes n bytes available, n being at most half of the buffer. It is false where the input ends before.
func (s *Source) more(n int) bool {
	for s.lim-s.pos < n {
		if s.lim < s.end || s.err != nil || s.base+int64(s.end) >= s.limit {
			return false
		}
		if from := s.pos - behind; from > 0 && len(s.buf)-s.pos < len(s.buf)/2 {
			copy(s.buf, s.buf[from:s.end])
			s.base += int64(from)
			s.pos -= from
			s.end -= from
		}
		s.fill()
	}
	return true
}

// fill reads once into the buffer, which has room.
func (s *Source) fill() {
	for tries := 0; ; tries++ {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		if err == nil && n == 0 && tries == 100 {
			err = io.ErrNoProgress
		}
		s.err = err
		if n > 0 || err != nil {
			break
		}
	}
	s.bound()
}

// Peek shows the next n bytes, or fewer at the end of the input. n is at most half of the buffer, 64 KiB.
func (s *Source) Peek(n int) []byte {
	s.more(n)
	return s.buf[s.pos:min(s.lim, s.pos+n)]
}

// Skip passes over n bytes and tells whether there were so many.
func (s *Source) Skip(n int64) bool {
	for n > 0 {
		if !s.more(1) {
			return false
		}
		k := min(n, int64(s.lim-s.pos))
		s.pos += int(k)
		n -= k
	}
	return true
}

// Read reads what is not packed. Large reads of an empty buffer go past it.
func (s *Source) Read(p []byte) (int, error) {
	if s.lim == s.pos && s.err == nil && len(p) > len(s.buf)/2 && s.Left() > 0 {
		n, err := s.r.Read(p[:min(int64(len(p)), s.Left())])
		s.base += int64(s.pos + n)
		s.pos, s.lim, s.end = 0, 0, 0
		s.err = err
		return n, err
	}
	if len(p) > 0 && !s.more(1) {
		if s.Left() > 0 && s.err != nil {
			return 0, s.err
		}
		return 0, io.EOF
	}
	n := copy(p, s.buf[s.pos:s.lim])
	s.pos += n
	return n, nil
}
