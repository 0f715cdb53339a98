package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"
)

// totals is what can be said about a value by two ways that share no code: the Scanner's and encoding/json's.
type totals struct {
	Keys, Strings  int
	Units, Bytes   int64 // of all strings and keys
	Ints           int64 // sum of all numbers that are integers, wrapping
	JSONUnits      int64
	Scalars, Nests int
}

// oracle computes totals with encoding/json. The value must be valid.
func oracle(t testing.TB, value []byte) (want totals) {
	t.Helper()
	value = browserUTF8(value)
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	text := func(s string) {
		want.Units += int64(len(utf16.Encode([]rune(s))))
		want.Bytes += int64(len(s))
		want.JSONUnits += stringifiedUnits(s)
	}
	type level struct {
		object bool
		n      int
	}
	var open []level
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("oracle: %v in %.200q", err, value)
		}
		key := false
		if delim, ok := token.(json.Delim); ok && (delim == ']' || delim == '}') {
			open = open[:len(open)-1]
			want.JSONUnits++
			continue
		}
		if k := len(open); k > 0 {
			top := &open[k-1]
			if key = top.object && top.n%2 == 0; key || !top.object {
				if top.n > 0 {
					want.JSONUnits++ // comma
				}
			} else {
				want.JSONUnits++ // colon
			}
			top.n++
		}
		switch v := token.(type) {
		case json.Delim:
			open = append(open, level{object: v == '{'})
			want.Nests++
			want.JSONUnits++
		case string:
			if text(v); key {
				want.Keys++
			} else {
				want.Strings++
			}
		case json.Number:
			want.Scalars++
			want.JSONUnits += stringifiedNumber(string(v))
			n, _ := exactInt(string(v))
			want.Ints += n
		default:
			want.Scalars++
			want.JSONUnits += int64(len(fmt.Sprint(v)))
			if v == nil {
				want.JSONUnits += 4 - int64(len("<nil>"))
			}
		}
	}
	// encoding/json makes U+FFFD of lone surrogates; JSON.stringify writes them as escapes.
	want.JSONUnits += 5 * int64(loneSurrogates(value))
	return want
}

// stringifiedUnits is the length of JSON.stringify for a string of whole characters.
func stringifiedUnits(s string) int64 {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	// encoding/json escapes two characters that JavaScript writes as themselves.
	return int64(len(utf16.Encode([]rune(b.String())))) - 1 -
		5*int64(bytes.Count([]byte(s), []byte("\u2028"))+bytes.Count([]byte(s), []byte("\u2029")))
}

func stringifiedNumber(text string) int64 {
	v, _ := strconv.ParseFloat(text, 64)
	if math.IsInf(v, 0) {
		return int64(len("null"))
	}
	if v == 0 {
		return 1
	}
	b, err := json.Marshal(v) // the same format as JavaScript's
	if err != nil {
		panic(err)
	}
	return int64(len(b))
}

// loneSurrogates counts escaped surrogates without a partner in valid JSON.
func loneSurrogates(b []byte) (n int) {
	var before rune
	for i := 0; i < len(b); i++ {
		var r rune
		if b[i] == '\\' {
			i++
			if b[i] == 'u' {
				v, err := strconv.ParseUint(string(b[i+1:i+5]), 16, 16)
				if err != nil {
					panic(err)
				}
				r = rune(v)
				i += 4
			}
		}
		if utf16.IsSurrogate(r) {
			n++
		}
		if utf16.DecodeRune(before, r) != utf8.RuneError {
			n -= 2
			r = 0
		}
		before = r
	}
	return n
}

// browserUTF8 replaces what is invalid as the encoding standard of browsers says: one U+FFFD for the longest part that
// could have become a character.
func browserUTF8(b []byte) (valid []byte) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			for n < len(b) && !utf8.FullRune(b[:n]) && !utf8.FullRune(b[:n+1]) {
				n++
			}
		}
		valid = utf8.AppendRune(valid, r)
		b = b[n:]
	}
	return valid
}

// walk reads everything of the value at hand.
func walk(s *Scanner, got *totals) {
	switch s.Kind() {
	case Object:
		got.Nests++
		s.Object()
		for k := s.Key(); k != nil; k = s.Key() {
			got.Keys++
			got.Units += Units(k) // keys are short enough in these tests
			got.Bytes += int64(len(k))
			walk(s, got)
		}
	case Array:
		got.Nests++
		s.Array()
		for s.Elem() {
			walk(s, got)
		}
	case String:
		got.Strings++
		size := s.Text()
		got.Units += size.Units
		got.Bytes += size.Bytes
	case Number:
		got.Scalars++
		n, _ := s.Int()
		got.Ints += n
	case True, False, Null:
		got.Scalars++
		s.Bool()
	}
}

// outcome is what is known of one top-level value.
type outcome struct {
	Offset, Line, End int64
	Err               string
	Totals            totals
}

// scan runs over an input and uses read for every value.
func scan(t testing.TB, s *Scanner, read func(*Scanner, *totals)) (all []outcome) {
	t.Helper()
	last := int64(-1)
	for s.Next() {
		o := outcome{Offset: s.Offset(), Line: s.Line()}
		if o.Offset <= last || s.End() < o.Offset {
			t.Fatalf("offset %d after %d, end %d", o.Offset, last, s.End())
		}
		last = o.Offset
		read(s, &o.Totals)
		if err := s.Finish(); err != nil {
			o.Err = err.Error()
			fault := err.(*SyntaxError)
			if fault.Start != o.Offset || fault.Line != o.Line || fault.Offset < fault.Start {
				t.Fatalf("%+v for the value at %d", fault, o.Offset)
			}
		}
		if (o.Err != "") != s.Failed() {
			t.Fatal("Failed and Finish disagree")
		}
		if o.End = s.End(); o.End <= o.Offset && o.Err == "" {
			t.Fatalf("value at %d ends at %d", o.Offset, o.End)
		}
		all = append(all, o)
	}
	return all
}

// readers are the ways in which an input can arrive: all at once, and in pieces that no token fits into.
func readers(input []byte) map[string]*Scanner {
	return map[string]*Scanner{
		"whole":     NewScanner(bytes.NewReader(input), len(input)+1),
		"by byte":   NewScanner(iotest.OneByteReader(bytes.NewReader(input)), 1),
		"halves":    NewScanner(iotest.HalfReader(bytes.NewReader(input)), 100),
		"data, EOF": NewScanner(iotest.DataErrReader(bytes.NewReader(input)), 64),
	}
}

// ways are the ways in which a value can be read; all must find the same values and the same damage.
var ways = map[string]func(*Scanner, *totals){
	"finish": func(*Scanner, *totals) {},
	"skip":   func(s *Scanner, _ *totals) { s.Skip() },
	"walk":   walk,
	"units":  func(s *Scanner, got *totals) { got.JSONUnits = s.JSONUnits() },
	"first": func(s *Scanner, _ *totals) {
		for s.Object() && s.Key() != nil || s.Array() && s.Elem() {
			if _, size := s.Str(5); size.Units > 0 {
				break
			}
		}
	},
	"heads": heads,
	"leave": func(s *Scanner, _ *totals) {
		for s.Object() && s.Key() != nil || s.Array() && s.Elem() {
		}
		s.Leave()
		s.Float()
		s.Leave()
	},
}

// heads reads the beginning of every string.
func heads(s *Scanner, got *totals) {
	switch {
	case s.Object():
		for s.Key() != nil {
			heads(s, got)
		}
	case s.Array():
		for s.Elem() {
			heads(s, got)
		}
	default:
		head, size := s.Str(9)
		if len(head) > 9 || int64(len(head)) > size.Bytes || !utf8.Valid(head) {
			got.Strings = -1 << 30
		}
		got.Units += size.Units
		got.Bytes += int64(len(head))
	}
}
