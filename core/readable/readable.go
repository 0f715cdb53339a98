// Package readable turns a record of a journal into text that a person reads, without knowing its format.
//
// In comes the record as it stands in the file. Out comes a line for each short member, by its path, and behind them each long text
// under a heading of its own, decoded, with its line breaks. What is no JSON comes out as it is.
package readable

import (
	"bytes"
	"strconv"
	"strings"

	"contextscope/core/jsonl"
)

const (
	short    = 120     // characters of a text that stands on a line
	maxPath  = 400     // bytes of a path
	maxText  = 4 << 20 // bytes of one text
	encoded  = 512     // bytes from which on letters without a blank count as encoded data
	jsonFrom = 2       // bytes of a text that may be JSON itself
)

// Text is the readable form of a record.
func Text(record []byte) string {
	w := &writer{}
	if !w.record(record) {
		return strings.ToValidUTF8(string(record), "\uFFFD")
	}
	return w.short.String() + w.long.String()
}

type writer struct {
	short strings.Builder
	long  strings.Builder
	path  []byte
}

// record reads a whole value; false for what is none.
func (w *writer) record(b []byte) bool {
	s := jsonl.NewScanner(bytes.NewReader(b), len(b)+1)
	if !s.Next() || s.Kind() != jsonl.Object && s.Kind() != jsonl.Array {
		return false
	}
	w.value(s)
	return s.Finish() == nil
}

func (w *writer) value(s *jsonl.Scanner) {
	switch s.Kind() {
	case jsonl.Object:
		if s.Object() {
			for k := s.Key(); k != nil; k = s.Key() {
				w.under("."+string(k), s)
			}
		}
	case jsonl.Array:
		if s.Array() {
			for i := 0; s.Elem(); i++ {
				w.under("["+strconv.Itoa(i)+"]", s)
			}
		}
	case jsonl.String:
		text, _ := s.Str(maxText)
		w.text(string(text))
	case jsonl.Number:
		if f, ok := s.Float(); ok {
			w.line(strconv.FormatFloat(f, 'f', -1, 64))
		}
	case jsonl.True, jsonl.False:
		v, _ := s.Bool()
		w.line(strconv.FormatBool(v))
	default:
		s.Skip()
	}
}

func (w *writer) under(step string, s *jsonl.Scanner) {
	n := len(w.path)
	if n < maxPath {
		w.path = append(w.path, step...)
	}
	w.value(s)
	w.path = w.path[:n]
}

func (w *writer) line(text string) {
	w.short.WriteString(w.name() + ": " + text + "\n")
}

func (w *writer) name() string {
	return strings.ToValidUTF8(strings.TrimPrefix(string(w.path), "."), "\uFFFD")
}

func (w *writer) text(text string) {
	switch {
	case isEncoded(text):
		w.line("(encoded data, " + strconv.Itoa(len(text)) + " characters)")
	case len(text) >= jsonFrom && (text[0] == '{' || text[0] == '[') && w.inner(text):
	case strings.IndexByte(text, '\n') < 0 && len(text) <= short:
		w.line(text)
	default:
		w.long.WriteString("\n── " + w.name() + " ──\n" + text + "\n")
	}
}

// inner reads a text that is JSON itself, as the arguments of calls are in some formats.
func (w *writer) inner(text string) bool {
	v := &writer{path: append([]byte(nil), w.path...)}
	if len(w.path) >= maxPath || !v.record([]byte(text)) {
		return false
	}
	w.short.WriteString(v.short.String())
	w.long.WriteString(v.long.String())
	return true
}

// isEncoded tells data that was made letters: nobody reads it.
func isEncoded(text string) bool {
	if len(text) < encoded {
		return false
	}
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '/' && c != '=' && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
