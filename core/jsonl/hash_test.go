package jsonl

import (
	"strings"
	"testing"
)

// hashOf is the hash of the first value of a text, read through a buffer of so many bytes.
func hashOf(t *testing.T, text string, buffer int) uint64 {
	t.Helper()
	s := NewScanner(strings.NewReader(text), buffer)
	if !s.Next() {
		t.Fatalf("%s: no value", text)
	}
	units, hash := s.JSONHash()
	if err := s.Finish(); err != nil || units == 0 || hash == 0 {
		t.Fatalf("%.60s: %v, %d units, hash %d", text, err, units, hash)
	}
	return hash
}

func TestHashDependsOnWhatIsSaidAndNotOnWhiteSpace(t *testing.T) {
	long := strings.Repeat(`a \"word\" or two\n`, 300)
	same := [][]string{
		{`{"a":1,"b":[true,null,"x"]}`, `{ "a" : 1, "b" : [ true ,null, "x" ] }`, "{\"a\":\t1,\"b\":[true,null,\"x\"]}"},
		{`{"command":"` + long + `"}`, `{ "command": "` + long + `" }`},
		{`[]`, `[ ]`}, {`{}`, `{ }`},
	}
	for _, texts := range same {
		for _, text := range texts {
			for _, buffer := range []int{64, 4096} {
				if hashOf(t, text, buffer) != hashOf(t, texts[0], 0) {
					t.Errorf("%.60s has another hash than %.60s", text, texts[0])
				}
			}
		}
	}
	seen := map[uint64]string{}
	for _, text := range []string{`{"a":1}`, `{"a":2}`, `{"b":1}`, `{"a":"1"}`, `["a",1]`, `[["a"],1]`, `["a",[1]]`, `{"a":{"b":1}}`, `{"a":{},"b":1}`,
		`[]`, `{}`, `""`, `" "`, `"a"`, `true`, `false`, `null`, `[1,2]`, `[12]`, `["a","b"]`, `["ab"]`, `["a\"b"]`, `[""]`, `["",""]`} {
		h := hashOf(t, text, 0)
		if seen[h] != "" {
			t.Errorf("%s and %s have the same hash", text, seen[h])
		}
		seen[h] = text
	}
}

func TestHashOfAStringIsTheSameHoweverMuchOfItIsDecoded(t *testing.T) {
	for _, text := range []string{`"short"`, `""`, `"with \"escapes\" and é and 走査器"`, `"` + strings.Repeat(`line \u00e9\n`, 400) + `"`} {
		want := hashOf(t, text, 0)
		for _, limit := range []int{0, 3, 7, 100, 1 << 20} {
			for _, buffer := range []int{64, 4096} {
				s := NewScanner(strings.NewReader(text), buffer)
				s.Next()
				_, units, hash := s.QuotedHash(limit)
				if hash != want || units != int64(len(text)) && strings.IndexByte(text, 'u') < 0 && text[1] != 'w' {
					t.Errorf("%.40s with limit %d: hash %x, want %x; %d units", text, limit, hash, want, units)
				}
			}
		}
	}
}

func TestMembersHashTheSameInAnyOrder(t *testing.T) {
	var x, y, z Members
	x.Add([]byte("a"), 1)
	x.Add([]byte("b"), 2)
	y.Add([]byte("b"), 2)
	y.Add([]byte("a"), 1)
	z.Add([]byte("a"), 2)
	z.Add([]byte("b"), 1)
	if x.Hash() != y.Hash() || x.Hash() == z.Hash() || Members(0).Hash() == 0 {
		t.Errorf("%x %x %x", x.Hash(), y.Hash(), z.Hash())
	}
}

func BenchmarkJSONHash(b *testing.B) {
	benchmark(b, lines(claudeLine), func(s *Scanner) { s.JSONHash() })
}
