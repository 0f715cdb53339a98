package jsonl

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// inside calls f with the value at hand: alone, in an array and in an object, whole and byte by byte. What follows the
// value must still be there afterwards.
func inside(t *testing.T, value string, f func(*Scanner)) {
	t.Helper()
	for _, s := range readers([]byte(value)) {
		s.Next()
		if f(s); s.Finish() != nil {
			t.Errorf("%.100q alone: %v", value, s.Finish())
		}
	}
	for _, s := range readers([]byte("[" + value + `,"last"]`)) {
		if !s.Next() || !s.Array() || !s.Elem() {
			t.Fatalf("%.100q not reached in an array", value)
		}
		f(s)
		if head, _ := s.Str(0); head != nil {
			t.Errorf("%.100q was not consumed", value)
		}
		if head, _ := next(s, 9); head != "last" || s.Elem() || s.Finish() != nil {
			t.Errorf("%.100q in an array: then %q, %v", value, head, s.Finish())
		}
	}
	for _, s := range readers([]byte(`{"k":` + value + `,"last":"x"}`)) {
		if !s.Next() || !s.Object() || string(s.Key()) != "k" {
			t.Fatalf("%.100q not reached in an object", value)
		}
		f(s)
		if k := s.Key(); string(k) != "last" || s.Key() != nil || s.Finish() != nil {
			t.Errorf("%.100q in an object: then %q, %v", value, k, s.Finish())
		}
	}
}

func next(s *Scanner, n int) (string, Text) {
	if !s.Elem() {
		return "", Text{}
	}
	head, size := s.Str(n)
	return string(head), size
}

func TestPositions(t *testing.T) {
	input := "\xEF\xBB\xBF{\"a\":1}\r\n\n \t\x00\x00[2]{}\n\x00\x00\n\"x\" 5 null\n\"\u2028\"\ntrue"
	type at struct{ Offset, Line, End, Lines int64 }
	want := []at{{3, 1, 10, 1}, {17, 3, 20, 3}, {20, 3, 22, 3}, {26, 5, 29, 5}, {30, 5, 31, 5}, {32, 5, 36, 5},
		{37, 6, 42, 6}, {43, 7, 47, 7}}
	for name, s := range readers([]byte(input)) {
		var got []at
		for s.Next() {
			if err := s.Finish(); err != nil {
				t.Error(name, err)
			}
			got = append(got, at{s.Offset(), s.Line(), s.End(), s.Lines()})
		}
		if len(got) != len(want) {
			t.Fatalf("%s: got %v", name, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: value %d: got %+v, want %+v", name, i, got[i], want[i])
			}
		}
		if s.End() != int64(len(input)) || s.Lines() != 7 || s.Err() != nil || s.Finish() != nil || s.Kind() != None {
			t.Errorf("%s: ends at %d, %d lines", name, s.End(), s.Lines())
		}
	}
}

func TestLinesAreCountedWithAndWithoutALastLineEnd(t *testing.T) {
	for input, want := range map[string]int64{"": 0, "\n": 1, "1": 1, "1\n": 1, "1\n2": 2, "\n\n 3": 3, "1\n2\n": 2, "x\n": 1} {
		for name, s := range readers([]byte(input)) {
			for s.Next() {
			}
			if s.Lines() != want {
				t.Errorf("%q %s: %d lines, want %d", input, name, s.Lines(), want)
			}
		}
	}
}

func TestMalformedValues(t *testing.T) {
	for _, c := range []struct {
		input  string
		kind   ErrorKind
		offset int64
	}{
		{`{"a":1`, CutAtEnd, 6}, {`{"a`, CutAtEnd, 3}, {`[`, CutAtEnd, 1}, {`"abc`, CutAtEnd, 4}, {`tru`, CutAtEnd, 3},
		{`-`, CutAtEnd, 1}, {`1.`, CutAtEnd, 2}, {`["\u12`, CutAtEnd, 6}, {"[\"\xe4\xb8", CutAtEnd, 4}, {`["\`, CutAtEnd, 3},
		{"{\"a\":\n", CutByLine, 5}, {"\"ab\ncd\"", CutByLine, 3}, {"[1,\n2]", CutByLine, 3}, {"nul\nl", CutByLine, 3},
		{"{\"a\"\n", CutByLine, 4}, {"[1e\n", CutByLine, 3},
		{`{"a" 1}`, Unexpected, 5}, {`{"a":1 "b":2}`, Unexpected, 7}, {`{,}`, Unexpected, 1}, {`{"a":1,}`, Unexpected, 7},
		{`[1,]`, Unexpected, 3}, {`[,1]`, Unexpected, 1}, {`[1 2]`, Unexpected, 3}, {`{1:2}`, Unexpected, 1},
		{`[1}`, Unexpected, 2}, {`{"a":1]`, Unexpected, 6}, {`{"a"}`, Unexpected, 4}, {`{"a":}`, Unexpected, 5},
		{`[01]`, Unexpected, 2}, {`[-a]`, Unexpected, 2}, {`[1.e1]`, Unexpected, 3}, {`[trve]`, Unexpected, 3},
		{`[truee]`, Unexpected, 5}, {`[+1]`, Unexpected, 1}, {`[.5]`, Unexpected, 1}, {`[NaN]`, Unexpected, 1},
		{"[1\x00]", Unexpected, 2}, {"[\x01]", Unexpected, 1}, {`}`, Unexpected, 0}, {`abc`, Unexpected, 0},
		{`tion":"x"}`, Unexpected, 1}, {`","b":1}`, Unexpected, 3}, {`12,"b":1}`, Unexpected, 2}, {"\xff\xfe{\x00", Unexpected, 0},
		{"\xef\xbb{}", Unexpected, 0}, {`["a""b"]`, Unexpected, 4}, {`{"a":"b":"c"}`, Unexpected, 8}, {`nulltrue`, Unexpected, 4},
	} {
		for way, read := range ways {
			for name, s := range readers([]byte(c.input + "\n{\"next\":1}")) {
				if c.kind == CutAtEnd {
					s = NewScanner(strings.NewReader(c.input), 0)
				}
				if !s.Next() {
					t.Fatalf("%q: no value", c.input)
				}
				read(s, new(totals))
				err, _ := s.Finish().(*SyntaxError)
				if err == nil || err.Kind != c.kind || err.Offset != c.offset {
					t.Errorf("%q, %s, %s: got %+v", c.input, way, name, err)
					continue
				}
				if c.kind == CutAtEnd {
					if s.Next() || s.Finish() != nil || s.Failed() {
						t.Errorf("%q: something after the end", c.input)
					}
					continue
				}
				checkNothingAfterFailure(t, s)
				for more := s.Next(); s.Failed(); {
					if more = s.Next(); !more {
						break
					}
				}
				if s.Kind() != Object && c.kind != CutByLine {
					t.Errorf("%q, %s, %s: the next line is lost", c.input, way, name)
				}
			}
		}
	}
}

func checkNothingAfterFailure(t *testing.T, s *Scanner) {
	t.Helper()
	_, isInt := s.Int()
	_, isFloat := s.Float()
	_, isBool := s.Bool()
	head, size := s.Str(9)
	if !s.Failed() || s.Kind() != None || s.Object() || s.Array() || s.Elem() || s.Key() != nil || isInt || isFloat || isBool ||
		head != nil || size != (Text{}) || s.Text() != (Text{}) || s.JSONUnits() != 0 {
		t.Error("a malformed value returns something")
	}
	s.Skip()
	s.Leave()
}

func TestErrorsSayWhatAndWhere(t *testing.T) {
	for input, want := range map[string]string{
		"{}\n{\"a\":x}": "line 2, byte 8: unexpected 'x' in a value",
		"{\"a\"\n":      "line 1, byte 4: the line ends inside a value",
		" [1":           "line 1, byte 3: the input ends inside a value; it may still be being written",
	} {
		s := NewScanner(strings.NewReader(input), 0)
		var last error
		for s.Next() {
			if err := s.Finish(); err != nil {
				last = err
			}
		}
		if last == nil || last.Error() != want {
			t.Errorf("%q: %v", input, last)
		}
	}
}

func TestReadErrorsEndTheInput(t *testing.T) {
	broken := errors.New("broken")
	s := NewScanner(io.MultiReader(strings.NewReader("1\n{\"a\":"), iotest.ErrReader(broken)), 0)
	if !s.Next() || s.Finish() != nil || !s.Next() || s.Err() != nil {
		t.Fatal("values before the error are lost")
	}
	if err, _ := s.Finish().(*SyntaxError); err == nil || err.Kind != CutAtEnd || s.Err() != broken || s.Next() {
		t.Errorf("got %v, %v", err, s.Err())
	}
	s.Reset(stuck{})
	if s.Next() || s.Err() != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", s.Err())
	}
	s.Reset(strings.NewReader("[3]"))
	if !s.Next() || !s.Array() || s.Err() != nil || s.Offset() != 0 || s.Line() != 1 {
		t.Error("Reset does not begin anew")
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

func TestTopLevelScalarsBesideOthers(t *testing.T) {
	for input, want := range map[string]int{`{}{}`: 2, `1 2`: 2, `"a""b"`: 2, `null{}`: 2, `[][]1[]`: 4, `{}1`: 2, "5\r\n6\x00": 2} {
		got := scan(t, NewScanner(strings.NewReader(input), 0), walk)
		for _, o := range got {
			if o.Err != "" {
				t.Errorf("%q: %s", input, o.Err)
			}
		}
		if len(got) != want {
			t.Errorf("%q: %d values, want %d", input, len(got), want)
		}
	}
}

func TestGet(t *testing.T) {
	value := []byte("\n { \"a\": {\"b\" : [1, \"x\"],\n \"\\u0063\":\"d\\\"\"}, \"e\":-1.5e3 }\n")
	for _, c := range []struct {
		path string
		want string
	}{
		{"a b", `[1, "x"]`}, {"a c", `"d\""`}, {"e", "-1.5e3"}, {"x", ""}, {"a x", ""}, {"e x", ""}, {"a b x", ""},
		{"", string(bytes.TrimSpace(value))},
	} {
		if got := Get(value, strings.Fields(c.path)...); string(got) != c.want {
			t.Errorf("%s: got %q", c.path, got)
		}
	}
	for _, bad := range []string{"", "   ", `{"a" 1}`, `{"b":`, "x"} {
		if got := Get([]byte(bad), "a"); got != nil {
			t.Errorf("%q: got %q", bad, got)
		}
	}
	if got := Get([]byte(`{"a":"cut`), "a"); got != nil {
		t.Errorf("a cut value: got %q", got)
	}
}
