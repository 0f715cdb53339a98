package jsonl

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{}", "[1,2]\n{\"a\":\"b\"}\r\n", `{"a":"text cut{"parentUuid":null,"b":[1]}` + "\n{}", `tion":"x"}{"type":1}`,
		"\xEF\xBB\xBF{\"a\":1}{\"b\":2} null\x00\x00\n", "\"\xe4\xb8\\ud83d\\ude00\\ud83d\"", `[-0.5e+10,1e400,true,false,null,"\u0041\x"]`,
		"{\"a\":\n1}", `{"k\u0065y":{"n":[[],{}]},"last":"` + "\xf0\x9f\x98\x80" + `"}`, "\xff\xfe{\x00}\x00\n\x00", `[01]`, `"a":1}`,
	} {
		f.Add([]byte(seed))
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f.Add(appendValue(nil, rnd, 3))
	}
	f.Fuzz(func(t *testing.T, input []byte) { checkInput(t, input) })
}

// checkInput holds any input against all that is promised.
func checkInput(t *testing.T, input []byte) {
	t.Helper()
	var places []outcome
	for way, read := range ways {
		var first []outcome
		for name, s := range readers(input) {
			got := scan(t, s, read)
			if s.End() != int64(len(input)) || s.Lines() != countLines(input) {
				t.Fatalf("%q, %s: ends at %d after %d lines", input, name, s.End(), s.Lines())
			}
			if first == nil {
				first = got
			}
			if !same(got, first) {
				t.Fatalf("%q, %s: read %s:\n%+v\nelse\n%+v", input, way, name, got, first)
			}
		}
		for i := range first {
			if first[i].Totals.Strings < 0 {
				t.Fatalf("%q: a bad head", input)
			}
			first[i].Totals = totals{}
		}
		if places == nil {
			places = first
		}
		if !same(first, places) {
			t.Fatalf("%q: by %s\n%+v\nelse\n%+v", input, way, first, places)
		}
	}
	i := 0
	for k, line := range bytes.SplitAfter(input, []byte("\n")) {
		var of []outcome
		for i < len(places) && places[i].Line == int64(k+1) {
			of = append(of, places[i])
			i++
		}
		checkGrammar(t, line, of)
	}
}

func countLines(input []byte) int64 {
	n := int64(bytes.Count(input, []byte("\n")))
	if len(input) > 0 && input[len(input)-1] != '\n' {
		n++
	}
	return n
}

// checkGrammar compares the outcome of one line with encoding/json.
func checkGrammar(t *testing.T, line []byte, of []outcome) {
	t.Helper()
	wellFormed := len(of) == 1 && of[0].Err == ""
	if json.Valid(line) {
		if !wellFormed {
			t.Fatalf("%q is valid, got %+v", line, of)
		}
		if len(line) <= maxNumber {
			checkLine(t, line)
		}
		return
	}
	lenient := bytes.ContainsRune(line, '\\') || bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' }) ||
		bytes.HasPrefix(line, []byte("\xEF\xBB\xBF"))
	if wellFormed && !lenient {
		t.Fatalf("%q is not valid, but was taken", line)
	}
}

// Mutations of valid records keep most of the grammar and so reach further than random bytes.
func TestMutatedRecords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	junk := []byte("{}[]\",:\\/ \n\r\t\x00\x1f0123456789-+.eEtrufalsn\x80\xe4\xb8\xf0\xffu")
	for range 1500 {
		input := []byte{}
		for range 1 + rnd.IntN(3) {
			if rnd.IntN(4) == 0 {
				input = append(input, `{"type":"x","uuid":[`...)
				input = append(appendString(input, rnd), `]}`...)
			} else {
				input = appendValue(input, rnd, 3)
			}
			if rnd.IntN(2) == 0 {
				input = append(input, '\n')
			}
		}
		for range rnd.IntN(4) {
			at := rnd.IntN(len(input))
			switch rnd.IntN(4) {
			case 0:
				input[at] = junk[rnd.IntN(len(junk))]
			case 1:
				input = append(input[:at], input[at+1:]...)
			case 2:
				input = append(input[:at+1], input[at:]...)
			case 3:
				input = input[:at]
			}
			if len(input) == 0 {
				break
			}
		}
		checkInput(t, input)
	}
}
