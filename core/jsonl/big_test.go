package jsonl

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
)

// generated is a reader of before, n bytes that repeat fill, and after.
func generated(before, fill string, n int64, after string) io.Reader {
	return io.MultiReader(strings.NewReader(before), io.LimitReader(&repeated{fill: fill}, n), strings.NewReader(after))
}

type repeated struct {
	fill string
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], r.fill[r.at:])
		r.at = (r.at + k) % len(r.fill)
		n += k
	}
	return n, nil
}

const huge = 100 << 20

func TestALineOf100MBNeedsNoMemory(t *testing.T) {
	const base64 = "iVBORw0KGgoAAAANSUhEUgAAA+gAAAPoCAYAAABNo9TkAAAAAXNSR0IArs4c6QAA/"
	before, after := `{"type":"user","data":"`, `","uuid":"u1"}`+"\n{}"
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	s := NewScanner(generated(before, base64, huge, after), 0)
	for _, read := range []func() int64{
		func() int64 { return s.Text().Units },
		func() int64 { _, size := s.Str(100); return size.Bytes },
		func() int64 { s.Skip(); return huge },
		func() int64 { return s.JSONUnits() - 2 },
	} {
		s.Reset(generated(before, base64, huge, after))
		s.Next()
		s.Object()
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "data" {
				if n := read(); n != huge {
					t.Errorf("got %d", n)
				}
			}
		}
		if err := s.Finish(); err != nil || !s.Next() || s.Line() != 2 {
			t.Error(err)
		}
	}
	runtime.ReadMemStats(&m1)
	if grown := m1.TotalAlloc - m0.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// Each of these inputs makes a careless scanner recurse, look back too far or begin again at every byte.
func TestHostileInputTakesLinearTime(t *testing.T) {
	const n = 2 << 20
	for _, fill := range []string{"[", `{"a":`, `[{"type":`, `{"type"`, `\`, `\"`, `"`, `""`, "{", " ", "\x00", "7", "\x80", "\xe4", `\ud83d`, "]", "1 ", "\n", "{}", "e", ":"} {
		for _, before := range []string{"", `"`, `["`, "[", `{"a":`, "[1"} {
			s := NewScanner(generated(before, fill, n, ""), 0)
			for s.Next() && s.Lines() < 1000 && s.End() < n {
				s.JSONUnits()
				s.Finish()
			}
		}
	}
}

func TestAMillionNestedArrays(t *testing.T) {
	input := strings.Repeat("[", 1000000) + "\n[1]"
	for way, read := range ways {
		s := NewScanner(strings.NewReader(input), 0)
		got := scan(t, s, read)
		if len(got) != 2 || !strings.Contains(got[0].Err, "deeper than 10000") || got[1].Err != "" {
			t.Errorf("%s: %+v", way, got)
		}
	}
	deepest := strings.Repeat(`[{"a":`, MaxDepth/2) + "1" + strings.Repeat("}]", MaxDepth/2)
	for way, read := range ways {
		if got := scan(t, NewScanner(strings.NewReader(deepest), 0), read); len(got) != 1 || got[0].Err != "" {
			t.Errorf("%s: %+v", way, got)
		}
	}
}

func TestScanningAllocatesNothing(t *testing.T) {
	line := []byte(`{"type":"user\n","uuid":"a5c3","n\u0061me":"é","usage":{"input_tokens":12,"cost":0.25,"list":[1,true,null]},` +
		`"content":[{"type":"text","text":"with \"escapes\" \ud83d\ude00"}],"input":{"a":1.50,"b":-7,"c":"d\u0000"},"rest":{"x":[{}]}}` + "\n")
	r := bytes.NewReader(nil)
	s := NewScanner(r, 0)
	var got totals
	if n := testing.AllocsPerRun(100, func() {
		r.Reset(line)
		s.Reset(r)
		for s.Next() {
			readLikeAnAdapter(s, &got)
			if s.Finish() != nil {
				t.Fatal("malformed")
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}

func readLikeAnAdapter(s *Scanner, got *totals) {
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type", "uuid", "name":
			_, size := s.Str(64)
			got.Units += size.Units
		case "usage":
			for s.Object() || s.Key() != nil {
				n, _ := s.Int()
				got.Ints += n
			}
		case "content":
			for s.Array() || s.Elem() {
				if s.Object() {
					for k := s.Key(); k != nil; k = s.Key() {
						got.Units += s.Text().Units
					}
				}
			}
		case "input":
			got.JSONUnits += s.JSONUnits()
		}
	}
}
