package jsonl

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestTextCountsUnitsAndBytes(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct {
		text         string
		units, bytes int64
		json         int64 // units with quotes, as JSON.stringify writes it
	}{
		{``, 0, 0, 2}, {`abc`, 3, 3, 5}, {`é`, 1, 2, 3}, {`語`, 1, 3, 3}, {`😀`, 2, 4, 4}, {long, 100, 100, 102},
		{`\"\\\/\b\f\n\r\t`, 8, 8, 2 + 15}, {`\u0041`, 1, 1, 3}, {`\u00e9`, 1, 2, 3}, {`\u20ac`, 1, 3, 3}, {`\u0000`, 1, 1, 8},
		{`\u000a`, 1, 1, 4}, {`\u0022`, 1, 1, 4}, {`\u007f`, 1, 1, 3}, {"\u2028", 1, 3, 3}, {`\u2028`, 1, 3, 3},
		{`\ud83d\ude00`, 2, 4, 4}, {`\ud83d`, 1, 3, 8}, {`\ude00`, 1, 3, 8}, {`\ude00\ud83d`, 2, 6, 14}, {`\ud83dx`, 2, 4, 9},
		{`\ud83d\ud83d\ude00`, 3, 7, 10}, {`\ud83d\u0041`, 2, 4, 9}, {`\uD83D\n`, 2, 4, 10}, {`\ud83d\"`, 2, 4, 10},
		{"\xff", 1, 3, 3}, {"\x80\x80", 2, 6, 4}, {"\xe4\xb8", 1, 3, 3}, {"\xe4\xb8x", 2, 4, 4}, {"\xf0\x9f\x98", 1, 3, 3},
		{"\xc0\xaf", 2, 6, 4}, {"\xe0\x80\x80", 3, 9, 5}, {"\xed\xa0\x80", 3, 9, 5}, {"\xf4\x90\x80\x80", 4, 12, 6},
		{"\xf1\x80\xc3\x80", 2, 5, 4}, {"a\xf0\x9f\x98é\xe4", 4, 9, 6},
		// What is no JSON, but was read leniently: raw control characters, and backslashes that begin no escape.
		{"\t", 1, 1, 4}, {"\x01\x00", 2, 2, 14}, {`\x`, 1, 1, 3}, {`\u12`, 3, 3, 5}, {`\u`, 1, 1, 3}, {`\ud83d\u12`, 4, 6, 11},
		{`\é`, 1, 2, 3}, {"\\\x01", 1, 1, 8}, {"\\\xff", 1, 3, 3},
	} {
		for _, pad := range []string{"", "zyxwvut", long} {
			n := int64(len(pad))
			inside(t, `"`+pad+c.text+pad+`"`, func(s *Scanner) {
				if got := s.Text(); got != (Text{2*n + c.units, 2*n + c.bytes}) {
					t.Errorf("%q after %d: got %v, want %v", c.text, n, got, Text{2*n + c.units, 2*n + c.bytes})
				}
			})
			inside(t, `"`+pad+c.text+`"`, func(s *Scanner) {
				if got := s.JSONUnits(); got != n+c.json {
					t.Errorf("%q after %d: got %d as JSON, want %d", c.text, n, got, n+c.json)
				}
			})
		}
	}
}

func TestTextOfAnythingElseIsNothing(t *testing.T) {
	for _, value := range []string{"1", "-0.5e3", "true", "null", `["a",{"b":"c"}]`, `{"a":["b"]}`, "[]", "{}"} {
		inside(t, value, func(s *Scanner) {
			if got := s.Text(); got != (Text{}) {
				t.Errorf("%s: %v", value, got)
			}
		})
		inside(t, value, func(s *Scanner) {
			if head, got := s.Str(10); head != nil || got != (Text{}) {
				t.Errorf("%s: %q, %v", value, head, got)
			}
		})
	}
}

func TestStrReturnsWholeCharactersThatFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"hello", 3, "hel"}, {"hello", 5, "hello"}, {"hello", 50, "hello"}, {"hello", 0, ""}, {"hello", -1, ""}, {"", 5, ""},
		{`a\nb`, 2, "a\n"}, {`a\nb`, 1, "a"}, {`\u00e9x`, 1, ""}, {`\u00e9x`, 2, "é"}, {`\u00e9x`, 3, "éx"}, {"日本", 5, "日"},
		{`x\ud83d\ude00y`, 4, "x"}, {`x\ud83d\ude00y`, 5, "x😀"}, {`\ud83dx`, 9, "\uFFFDx"}, {"a\xffb", 9, "a\uFFFDb"},
		{"\xe4\xb8x", 9, "\uFFFDx"}, {`\/\"\x`, 9, `/"x`}, {"a\tb", 9, "a\tb"}, {`\éx`, 9, "éx"}, {"ab語x", 3, "ab"},
	} {
		inside(t, `"`+c.text+`"`, func(s *Scanner) {
			if got, _ := s.Str(c.limit); string(got) != c.want || got == nil {
				t.Errorf("%q up to %d: got %q, want %q", c.text, c.limit, got, c.want)
			}
		})
	}
}

func TestStrCountsLikeText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		value := string(appendString(nil, rnd))
		var want Text
		inside(t, value, func(s *Scanner) { want = s.Text() })
		limit := rnd.IntN(60)
		first := ""
		inside(t, value, func(s *Scanner) {
			head, got := s.Str(limit)
			if got != want || len(head) > limit || !utf8.Valid(head) || int64(len(head)) > want.Bytes {
				t.Errorf("%q up to %d: got %q, %v, want %v", value, limit, head, got, want)
			}
			if first == "" {
				first = string(head)
			}
			if string(head) != first {
				t.Errorf("%q up to %d: %q or %q", value, limit, first, head)
			}
		})
	}
}

func TestKeysAreDecoded(t *testing.T) {
	long := strings.Repeat("k", maxKey)
	for raw, want := range map[string]string{
		"": "", "type": "type", `a\nb`: "a\nb", `\u00e9`: "é", "é": "é", "\xff": "\uFFFD", `\"`: `"`, `\ud83d\ude00`: "😀",
		long: long, long + "more": long, strings.Repeat("é", maxKey): strings.Repeat("é", maxKey/2),
	} {
		for _, between := range []string{":", " : ", "\t:\r"} {
			for name, s := range readers([]byte(`{"` + raw + `"` + between + `5}`)) {
				s.Next()
				s.Object()
				k := s.Key()
				if string(k) != want || k == nil {
					t.Errorf("%.20q %s: got %.20q", raw, name, k)
				}
				if n, ok := s.Int(); !ok || n != 5 || s.Key() != nil || s.Finish() != nil {
					t.Errorf("%.20q %s: the value is lost", raw, name)
				}
			}
		}
	}
}

func TestUnits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		var b []byte
		for range rnd.IntN(8) {
			b = append(b, pieces[rnd.IntN(len(pieces))]...)
		}
		if want := int64(len(utf16.Encode([]rune(string(browserUTF8(b)))))); Units(b) != want {
			t.Fatalf("%q: got %d, want %d", b, Units(b), want)
		}
	}
}

// TestFirstIsTheByteBehindTheQuote: in whatever blocks the text comes, and without consuming anything.
func TestFirstIsTheByteBehindTheQuote(t *testing.T) {
	for text, want := range map[string]byte{`"<a>"`: '<', `""`: '"', `"\u003c"`: '\\', `"é"`: 0xc3, `7`: 0, `null`: 0, `"`: ']'} { // the last one goes on to the end
		for _, size := range []int{1, 2, 16, 4096} {
			s := NewScanner(strings.NewReader("["+text+"]"), size)
			s.Next()
			s.Array()
			s.Elem()
			if got := s.First(); got != want || s.First() != want {
				t.Errorf("%s in blocks of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}
