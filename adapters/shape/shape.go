// Package shape looks at the beginning of an input without knowing whose it is: which members its first records have and
// what they call themselves. Adapters decide by that and never by a file's name, because files get renamed.
package shape

import (
	"bytes"
	"io"

	"contextscope/core/jsonl"
)

// Head is the beginning of an input.
type Head struct {
	Bytes   []byte   // as it lies
	Whole   bool     // Bytes is all there is
	Records []Record // the first values, up to MaxRecords
	Values  int      // values seen, records or not

	// Document tells one JSON value that is spread over many lines, instead of a value a line.
	Document bool
}

// MaxRecords is how many records are looked at; the first ones may be damaged or hold no more than a title.
const MaxRecords = 50

// Record is what a record tells about itself. Strings are cut at 80 bytes.
type Record struct {
	keys       map[string]bool
	Type       string // member "type"
	RecordType string // member "record_type"
	EventType  string // member "event_type"
	Role       string // member "role", or message.role
	Payload    string // payload.type
	inner      map[string]bool
}

// Has reports whether the record has all these members.
func (r *Record) Has(names ...string) bool {
	for _, n := range names {
		if !r.keys[n] {
			return false
		}
	}
	return true
}

// Inside reports whether the record's message or payload has the member.
func (r *Record) Inside(name string) bool { return r.inner[name] }

// Look reads the beginning of an input.
func Look(b []byte, whole bool) *Head {
	h := &Head{Bytes: b, Whole: whole, Document: spread(b)}
	var r io.Reader = bytes.NewReader(b)
	if h.Document {
		r = &OneLine{Document: r}
	}
	s := jsonl.NewScanner(r, 4096)
	for len(h.Records) < MaxRecords && s.Next() {
		h.Values++
		r, ok := look(s)
		if err := s.Finish(); err != nil && !(ok && len(r.keys) > 2) {
			continue // a damaged record tells nothing, unless it is only cut off
		}
		if ok {
			h.Records = append(h.Records, r)
		}
	}
	return h
}

// IsJSON reports whether an input begins as JSON.
func IsJSON(b []byte) bool {
	b = bytes.TrimLeft(b, "\ufeff \t\r\n\x00")
	return len(b) > 0 && (b[0] == '{' || b[0] == '[')
}

// spread reports whether the first value opens a container and goes on in the next line. It breaks the line behind the
// bracket, as most writers do; or behind a comma or the like, and then the next line shows that it is no line of its own: a
// journal whose first line was cut just there goes on with a whole record.
func spread(b []byte) bool {
	b = bytes.TrimLeft(b, "\ufeff \t\r\n")
	if len(b) == 0 || b[0] != '{' && b[0] != '[' {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(b[1:], " \t\r"), []byte{'\n'}) {
		return true
	}
	first, rest, ended := bytes.Cut(b, []byte{'\n'})
	second, _, _ := bytes.Cut(bytes.TrimLeft(rest, " \t\r\n"), []byte{'\n'})
	second = bytes.TrimRight(second, " \t\r")
	return ended && open(first) && len(second) > 0 && (open(second) || bytes.IndexByte([]byte("\"]}"), second[0]) >= 0)
}

// open reports whether a line ends where a JSON value cannot.
func open(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	return len(line) > 0 && bytes.IndexByte([]byte(",[{:"), line[len(line)-1]) >= 0
}

// OneLine reads a document as one line: between the parts of a JSON value a line end means no more than a blank, and
// inside a string it cannot stand.
type OneLine struct {
	Document io.Reader
	ends     int64
	open     bool // the last line has not ended
}

// Read implements io.Reader.
func (o *OneLine) Read(p []byte) (int, error) {
	n, err := o.Document.Read(p)
	for i, c := range p[:n] {
		if o.open = c != '\n'; !o.open {
			o.ends++
			p[i] = ' '
		}
	}
	return n, err
}

// Lines is how many lines the document has, as far as it was read.
func (o *OneLine) Lines() int64 {
	if o.open {
		return o.ends + 1
	}
	return o.ends
}

func look(s *jsonl.Scanner) (Record, bool) {
	if !s.Object() {
		return Record{}, false
	}
	r := Record{keys: map[string]bool{}, inner: map[string]bool{}}
	text := func() string {
		v, _ := s.Str(80)
		return string(v)
	}
	for k := s.Key(); k != nil; k = s.Key() {
		name := string(k)
		r.keys[name] = true
		switch name {
		case "type":
			r.Type = text()
		case "record_type":
			r.RecordType = text()
		case "event_type":
			r.EventType = text()
		case "role":
			r.Role = text()
		case "message", "payload":
			if !s.Object() {
				s.Skip()
				continue
			}
			for k := s.Key(); k != nil; k = s.Key() {
				inner := string(k)
				r.inner[inner] = true
				switch {
				case inner == "role" && name == "message":
					r.Role = text()
				case inner == "type" && name == "payload":
					r.Payload = text()
				default:
					s.Skip()
				}
			}
		default:
			s.Skip()
		}
	}
	return r, true
}

// Share is the part of the records that is accepted, 0 when there are none.
func (h *Head) Share(accept func(*Record) bool) float64 {
	n := 0
	for i := range h.Records {
		if accept(&h.Records[i]) {
			n++
		}
	}
	if len(h.Records) == 0 {
		return 0
	}
	return float64(n) / float64(len(h.Records))
}
