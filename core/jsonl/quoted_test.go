package jsonl

import (
	"strings"
	"testing"
)

// A string has the same length in JSON whether it is measured alone or as a value.
func TestQuotedIsTheLengthInJSON(t *testing.T) {
	for in, want := range map[string]int64{
		`""`: 2, `"abc"`: 5, `"a\nb"`: 6, `"a\u000ab"`: 6, `"\u0001"`: 8, `"\/"`: 3, `"\""`: 4, `"\\\\"`: 6,
		`"é"`: 3, `"\u00e9"`: 3, `"😀"`: 4, `"\ud83d\ude00"`: 4, `"\ud83d"`: 8, `"x\ud83dy"`: 10,
		`"` + strings.Repeat("long \\t text ", 40) + `"`: 40*13 + 2,
	} {
		for _, limit := range []int{0, 3, 512} {
			s := NewScanner(strings.NewReader(in+"\n"), 64)
			s.Next()
			if _, got := s.Quoted(limit); got != want {
				t.Errorf("%.40s with limit %d has %d units, want %d", in, limit, got, want)
			}
		}
		s := NewScanner(strings.NewReader(in+"\n"), 64)
		s.Next()
		if got := s.JSONUnits(); got != want {
			t.Errorf("%.40s as a value has %d units, want %d", in, got, want)
		}
	}
	for in, want := range map[string]int64{"": 2, "file_path": 11, "a\"b": 6, "é\n": 5, "😀": 4} {
		if got := QuotedUnits([]byte(in)); got != want {
			t.Errorf("the key %q has %d units, want %d", in, got, want)
		}
	}
}
