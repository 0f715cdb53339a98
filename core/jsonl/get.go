package jsonl

import "bytes"

// Get finds a value in a complete JSON value by its keys: "message", "usage", "input_tokens". It returns the value's
// bytes as they stand; nil if it is absent or b is malformed before its end. Without keys it returns the value itself.
// Line ends are blanks here, so pretty-printed JSON will do.
func Get(b []byte, path ...string) []byte {
	s := Scanner{buf: b, end: len(b), lim: len(b), eof: true}
	s.pos = len(b) - len(bytes.TrimLeft(b, " \t\r\n"))
	if !s.Next() {
		return nil
	}
	for _, want := range path {
		if !s.Object() {
			return nil
		}
		k := s.Key()
		for k != nil && string(k) != want {
			k = s.Key()
		}
		if k == nil {
			return nil
		}
	}
	from := s.pos
	s.Skip()
	if s.failed {
		return nil
	}
	return b[from:s.pos:s.pos]
}
