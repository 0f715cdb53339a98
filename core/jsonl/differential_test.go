package jsonl

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkLine compares everything the Scanner says about a valid line with encoding/json.
func checkLine(t testing.TB, line []byte) {
	t.Helper()
	want := oracle(t, line)
	var got totals
	s := NewScanner(bytes.NewReader(line), 256)
	if s.Next() {
		walk(s, &got)
	}
	if err := s.Finish(); err != nil {
		t.Fatalf("%v in %.300q", err, line)
	}
	if s.Next() {
		t.Fatalf("a second value at %d in %.300q", s.Offset(), line)
	}
	s.Reset(bytes.NewReader(line))
	s.Next()
	got.JSONUnits = s.JSONUnits()
	if got != want {
		t.Fatalf("got  %+v\nwant %+v\nfor %.300q", got, want, line)
	}
}

func TestAgreesWithEncodingJSONOnGeneratedValues(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		line := appendValue(nil, rnd, 4)
		if !json.Valid(line) {
			t.Fatalf("the generator made %q", line)
		}
		checkLine(t, line)
	}
}

func TestAgreesWithEncodingJSONOnFiles(t *testing.T) {
	lines := 0
	for _, root := range []string{"testdata", filepath.Join("..", "..", "..", "shared", "corpus")} {
		filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".jsonl") {
				return nil
			}
			input, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines += checkFile(t, path, input)
			return nil
		})
	}
	if lines < 30 {
		t.Errorf("only %d lines compared", lines)
	}
}

// checkFile compares every valid line, and what a scan over the whole file finds.
func checkFile(t *testing.T, path string, input []byte) (lines int) {
	for line := range bytes.Lines(input) {
		if json.Valid(line) {
			checkLine(t, line)
			lines++
		}
	}
	want := scan(t, NewScanner(bytes.NewReader(input), 0), walk)
	for name, s := range readers(input) {
		if got := scan(t, s, walk); !same(got, want) {
			t.Errorf("%s: read %s, the outcome differs", path, name)
		}
	}
	good := 0
	for _, o := range want {
		if o.Err == "" {
			good++
		}
	}
	if good < lines {
		t.Errorf("%s: %d good values on %d valid lines", path, good, lines)
	}
	return lines
}

func same(a, b []outcome) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// appendValue generates a value, with blanks, any escapes and any text that JSON allows.
func appendValue(b []byte, rnd *rand.Rand, depth int) []byte {
	b = appendBlanks(b, rnd)
	n := 9
	if depth == 0 {
		n = 7
	}
	switch rnd.IntN(n) {
	case 0, 1, 2:
		b = appendString(b, rnd)
	case 3, 4:
		b = appendNumber(b, rnd)
	case 5:
		b = append(b, [...]string{"true", "false", "null"}[rnd.IntN(3)]...)
	case 6:
		b = append(b, [...]string{"{}", "[]", "{ }", "[ ]", `""`}[rnd.IntN(5)]...)
	case 7:
		b = append(b, '{')
		for i := range 1 + rnd.IntN(5) {
			if i > 0 {
				b = appendBlanks(append(b, ','), rnd)
			}
			b = append(appendBlanks(appendString(b, rnd), rnd), ':')
			b = appendValue(b, rnd, depth-1)
		}
		b = append(b, '}')
	case 8:
		b = append(b, '[')
		for i := range 1 + rnd.IntN(5) {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, rnd, depth-1)
		}
		b = append(b, ']')
	}
	return appendBlanks(b, rnd)
}

func appendBlanks(b []byte, rnd *rand.Rand) []byte {
	for rnd.IntN(6) == 0 {
		b = append(b, " \t\r"[rnd.IntN(3)])
	}
	return b
}

func appendNumber(b []byte, rnd *rand.Rand) []byte {
	digits := func(n int) {
		for range n {
			b = append(b, byte('0'+rnd.IntN(10)))
		}
	}
	if rnd.IntN(3) == 0 {
		b = append(b, '-')
	}
	if rnd.IntN(4) == 0 {
		b = append(b, '0')
	} else {
		b = append(b, byte('1'+rnd.IntN(9)))
		digits(rnd.IntN(22))
	}
	if rnd.IntN(3) == 0 {
		b = append(b, '.')
		digits(1 + rnd.IntN(20))
		for rnd.IntN(3) == 0 {
			b = append(b, '0')
		}
	}
	if rnd.IntN(3) == 0 {
		b = append(b, "eE"[rnd.IntN(2)])
		if k := rnd.IntN(3); k > 0 {
			b = append(b, "+-"[k-1])
		}
		digits(1 + rnd.IntN(3))
	}
	return b
}

// pieces are what strings are made of: each kind of character and escape, and what can break a loop over words.
var pieces = []string{
	"a", "plain ASCII that fills some words of eight bytes", "é", "ж", "жизнь", "語", "日本語の文章", "한국어", "हिन्दी", "😀", "\U0010FFFF",
	"\u2028", "\u2029", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "<&>", "/", "'",
	`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u001F`, `\u0022`, `\u005c`, `\u00e9`, `\u20AC`,
	`\ud83d\ude00`, `\uD83D`, `\uDE00`, `\ude00\ud83d`, `\ud83d\ud83d\ude00`, `\ud83d\n`, `\ud83du`,
	"\x80", "\xff", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xe4\xb8", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xc3", "\xf0\x80",
}

func appendString(b []byte, rnd *rand.Rand) []byte {
	b = append(b, '"')
	for range rnd.IntN(12) {
		b = append(b, pieces[rnd.IntN(len(pieces))]...)
	}
	return append(b, '"')
}
