package jsonl

import (
	"bytes"
	"io"
)

const (
	defaultBuffer = 1 << 20
	minBuffer     = 64 // more than any token that has to be seen whole: an escaped surrogate pair, a resync marker
	keep          = 64 // bytes before the read position that survive a refill: a record may begin there, see resync
)

// The buffer is buf[:end]. Everything reads buf[pos:lim], where lim is the end of the current line if it is in the
// buffer and the end of the data otherwise. So no loop has to look out for '\n': whoever arrives at lim calls more,
// and only more knows whether the line, the input or just the buffer came to its end.

// more puts at least one more byte of the current line behind lim. It is false when the line or the input ends at lim.
// Indexes into the buffer are void after it, except that pos is moved along.
func (s *Scanner) more() bool {
	if s.lim < s.end || s.eof {
		return false
	}
	if from := s.pos - keep; s.end == len(s.buf) && from > 0 {
		copy(s.buf, s.buf[from:s.end])
		s.base += int64(from)
		s.pos -= from
		s.end -= from
		s.lim = s.end
	}
	old := s.end
	for tries := 0; s.end == old; tries++ {
		n, err := s.r.Read(s.buf[old:])
		s.end += n
		if err == nil && n == 0 && tries == 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = err
			}
			break
		}
	}
	s.lim = lineEnd(s.buf[:s.end], old)
	return s.lim > old
}

// need makes n bytes of the current line available from pos on, if there are so many. n is at most minBuffer.
func (s *Scanner) need(n int) bool {
	for s.lim-s.pos < n {
		if !s.more() {
			return false
		}
	}
	return true
}

// nextLine passes over the line's end at lim. It is false at the end of the input.
func (s *Scanner) nextLine() bool {
	if s.lim == s.end {
		return false
	}
	s.pos = s.lim + 1
	s.lim = lineEnd(s.buf[:s.end], s.pos)
	s.lines++
	s.lineStart = s.base + int64(s.pos)
	return true
}

// lineEnd is the index of the first '\n' in b from i on, or len(b).
func lineEnd(b []byte, i int) int {
	if k := bytes.IndexByte(b[i:], '\n'); k >= 0 {
		return i + k
	}
	return len(b)
}

// blank moves over blanks to the next byte of the value and returns it, or 0 after a failure: a line that ends here cuts
// the value off. A '\n' can only be met by Get, for which lines do not count.
func (s *Scanner) blank() byte {
	for {
		b := s.buf[:s.lim]
		for i := s.pos; i < len(b); i++ {
			if c := b[i]; c > ' ' || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
				s.pos = i
				if c == 0 {
					s.unexpected()
				}
				return c
			}
		}
		s.pos = len(b)
		if !s.more() {
			s.cut()
			return 0
		}
	}
}
