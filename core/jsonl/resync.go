package jsonl

import "bytes"

// Two writers, or one that crashed and went on, leave the beginning of a record and then a whole one on the same line:
//
//	{"type":"user","text":"cut he{"parentUuid":null,...}
//
// When a value turns out malformed, the scanner looks for such a record. It knows one by its first key. Two places are
// looked at first, whatever stands before them: the byte that did not fit, and two bytes before it, because a string
// that was cut swallows the {" of the record and ends at the key, which is what does not fit. Further on in the line only
// a marker that no colon, comma or bracket precedes counts: those precede what is nested in the damaged record.
//
// A record that begins exactly where a value could stand looks like a part of the cut one, and both are lost.

// markers are the keys that a record begins with.
var markers = [...]string{
	"parentUuid", "type", "timestamp", "uuid", "sessionId", "schema_version", "id", "event_type", "role",
}

const longestMarker = len(`{"schema_version"`)

// resync moves from the byte that did not fit to the beginning of the next record on the line, or to the line's end.
func (s *Scanner) resync() {
	if s.fault.Kind == CutAtEnd || s.fault.Kind == CutByLine {
		return // there is no more of this line
	}
	if s.fault.Offset-2 > s.start {
		s.pos -= 2
		if s.marker() {
			return
		}
		s.pos += 2
	}
	for {
		k := bytes.IndexByte(s.buf[s.pos:s.lim], '{')
		if k < 0 {
			s.pos = s.lim
			if !s.more() {
				return
			}
			continue
		}
		s.pos += k
		if s.marker() && (s.End() == s.fault.Offset || !s.nested()) {
			return
		}
		s.pos++
	}
}

// marker tells whether a record begins at pos.
func (s *Scanner) marker() bool {
	s.need(longestMarker)
	b := s.buf[s.pos:s.lim]
	if len(b) < 2 || b[0] != '{' || b[1] != '"' {
		return false
	}
	b = b[2:]
	for _, m := range markers {
		if len(b) > len(m) && b[len(m)] == '"' && string(b[:len(m)]) == m {
			return true
		}
	}
	return false
}

// nested tells whether what begins at pos belongs to something around it. Writers put a blank or two after a colon or
// comma at most; more are not looked over, so that the answer is always in the buffer.
func (s *Scanner) nested() bool {
	i := s.pos - 1
	for i > 0 && i > s.pos-8 && s.buf[i] == ' ' {
		i--
	}
	return i >= 0 && (s.buf[i] == ':' || s.buf[i] == ',' || s.buf[i] == '[')
}
