package jsonl

import "io"

// MaxDepth is how deep containers may be nested.
const MaxDepth = 10000

type state uint8

const (
	stDone  state = iota // nothing at hand: before the first value, after a value, after a failure
	stValue              // pos is at the first byte of a value
	stOpen               // just inside a container
	stAfter              // after a value inside a container
	stKey                // after a comma in an object; only while skipping
)

// Scanner reads the values of an input one after another. NewScanner makes one; it is for one goroutine.
type Scanner struct {
	r    io.Reader
	buf  []byte
	pos  int   // next byte to read
	lim  int   // where reading has to stop and ask for more; see buffer.go
	end  int   // end of the data in buf
	base int64 // offset of buf[0] in the input
	eof  bool  // nothing more will come
	err  error

	state  state
	object bool // the innermost container is an object
	failed bool // the current top-level value is malformed
	synced bool // and the place to go on from has been looked for
	depth  int
	kinds  [(MaxDepth + 63) / 64]uint64 // a bit per open container: 1 for an object

	start     int64 // offset of the current top-level value
	line      int64 // and its line
	lines     int64 // line ends passed
	lineStart int64 // offset after the last of them
	fault     SyntaxError
	scratch   []byte // what could not be returned as a part of buf

	hashing bool // what is consumed goes into sum
	sum     digest
}

// NewScanner returns a Scanner that reads r through a buffer of about bufSize bytes; 1 MiB for 0, 64 bytes at least.
func NewScanner(r io.Reader, bufSize int) *Scanner {
	if bufSize <= 0 {
		bufSize = defaultBuffer
	}
	s := &Scanner{buf: make([]byte, keep+max(bufSize, minBuffer))}
	s.Reset(r)
	return s
}

// Reset begins anew with another input and keeps the buffer.
func (s *Scanner) Reset(r io.Reader) {
	s.r, s.eof, s.err = r, false, nil
	s.pos, s.lim, s.end, s.base = 0, 0, 0, 0
	s.state, s.depth, s.failed, s.synced = stDone, 0, false, false
	s.start, s.line, s.lines, s.lineStart = 0, 0, 0, 0
}

// Next moves to the next value at the top level, over blanks, line ends, NUL bytes and a byte order mark at the start. A
// value that was not read to its end is finished first. It is false at the end of the input and after a read error.
func (s *Scanner) Next() bool {
	s.finish()
	for {
		b := s.buf[:s.lim]
		i := s.pos
		for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == 0) {
			i++
		}
		s.pos = i
		if i < len(b) {
			if b[i] != 0xEF || !s.byteOrderMark() {
				break
			}
		} else if !s.more() && !s.nextLine() {
			s.failed = false
			return false
		}
	}
	s.start = s.base + int64(s.pos)
	s.line = s.lines + 1
	s.state, s.depth, s.failed, s.synced = stValue, 0, false, false
	if kindOf[s.buf[s.pos]] == None {
		s.unexpected()
	}
	return true
}

// byteOrderMark passes over the mark, which counts only at the very start of the input.
func (s *Scanner) byteOrderMark() bool {
	if s.base+int64(s.pos) != 0 || !s.need(3) || string(s.buf[s.pos:s.pos+3]) != "\xEF\xBB\xBF" {
		return false
	}
	s.pos += 3
	return true
}

// Finish skips what is left of the current top-level value. It returns nil if the value is well formed, else a
// *SyntaxError; the scanner then stands where it will look for the next value.
func (s *Scanner) Finish() error {
	s.finish()
	if !s.failed {
		return nil
	}
	fault := s.fault
	return &fault
}

func (s *Scanner) finish() {
	if s.state == stValue && s.depth == 0 {
		s.Skip()
	} else if s.state != stDone {
		s.skipTo(0)
	}
	if s.failed && !s.synced {
		s.synced = true
		s.resync()
	}
}

// Failed tells that the current top-level value has turned out malformed. Everything that is asked of it from then on
// returns nothing.
func (s *Scanner) Failed() bool { return s.failed }

// Err is the reader's error, nil for io.EOF.
func (s *Scanner) Err() error { return s.err }

// Offset is the byte offset in the input where the current top-level value begins.
func (s *Scanner) Offset() int64 { return s.start }

// Line is the number of the line, from 1, where the current top-level value begins.
func (s *Scanner) Line() int64 { return s.line }

// End is the byte offset after the last byte consumed: after Finish the end of the value, or, if it was malformed, the
// place where the scanner goes on.
func (s *Scanner) End() int64 { return s.base + int64(s.pos) }

// Lines is the number of lines seen so far, the current one included.
func (s *Scanner) Lines() int64 {
	if s.End() > s.lineStart {
		return s.lines + 1
	}
	return s.lines
}

// unexpected fails the value at the byte at pos.
func (s *Scanner) unexpected() { s.fail(Unexpected, s.buf[s.pos]) }

// cut fails the value at the end of its line or of the input, whichever is at lim.
func (s *Scanner) cut() {
	if s.lim < s.end {
		s.fail(CutByLine, 0)
	} else {
		s.fail(CutAtEnd, 0)
	}
}

func (s *Scanner) fail(kind ErrorKind, b byte) {
	if s.failed {
		return
	}
	if kind == CutByLine || kind == CutAtEnd {
		s.pos = s.lim
	}
	s.failed, s.state, s.depth = true, stDone, 0
	s.fault = SyntaxError{Kind: kind, Line: s.line, Start: s.start, Offset: s.End(), Byte: b}
}
