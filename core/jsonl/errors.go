package jsonl

import "fmt"

// ErrorKind says how a value is malformed.
type ErrorKind uint8

const (
	// CutAtEnd: the input ends inside the value. At the end of a journal that is in use it is still being written.
	CutAtEnd ErrorKind = iota
	// CutByLine: the line ends inside the value.
	CutByLine
	// Unexpected: a byte stands where it cannot stand.
	Unexpected
	// TooDeep: containers are nested deeper than MaxDepth.
	TooDeep
)

// SyntaxError tells where and how a top-level value is malformed.
type SyntaxError struct {
	Kind   ErrorKind
	Line   int64 // line of the value, from 1
	Start  int64 // offset in the input where the value begins
	Offset int64 // offset of the byte that cannot stand there, or of the end
	Byte   byte  // that byte; 0 for the cuts
}

func (e *SyntaxError) Error() string {
	where := fmt.Sprintf("line %d, byte %d: ", e.Line, e.Offset)
	switch e.Kind {
	case CutAtEnd:
		return where + "the input ends inside a value; it may still be being written"
	case CutByLine:
		return where + "the line ends inside a value"
	case TooDeep:
		return where + fmt.Sprintf("containers are nested deeper than %d", MaxDepth)
	}
	return where + fmt.Sprintf("unexpected %q in a value", e.Byte)
}
