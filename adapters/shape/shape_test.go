package shape

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestADocumentGoesOnInTheNextLine: a journal whose first line was cut does not.
func TestADocumentGoesOnInTheNextLine(t *testing.T) {
	for text, want := range map[string]bool{
		"{\n \"a\": 1\n}":                          true,
		"[\r\n{}]":                                 true,
		"\ufeff{\"a\":1,\r\n\"events\":[]}":        true,
		"{\"events\":[\n{\"a\":1},\n{\"b\":2}]}":   true,
		"{\"events\":[\n\n]}":                      true,
		"{\"a\":1}\n{\"b\":2}\n":                   false,
		"{\"a\":1}\n":                              false,
		"{\"a\":1,\n{\"b\":2}\n{\"c\":3}\n":        false,
		"{\"a\":\n":                                false,
		"{\"a\":\"cut in a te\n{\"b\":[1,2]}\n":    false,
		"":                                         false,
		"text,\n\"more\"":                          false,
		"{\"events\":[\n{\"a\":1}\n,{\"b\":2}]}\n": false, // not told from a cut line
	} {
		if got := Look([]byte(text), true).Document; got != want {
			t.Errorf("%q: a document: %v, want %v", text, got, want)
		}
	}
}

func TestTheLinesOfADocumentAreCounted(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "{}": 1, "{\n \"a\": 1\n}": 3, "{\n}\n": 2, "\n\n{": 3} {
		o := &OneLine{Document: iotest.OneByteReader(strings.NewReader(text))}
		got, err := io.ReadAll(o)
		if err != nil || o.Lines() != want || string(got) != strings.ReplaceAll(text, "\n", " ") {
			t.Errorf("%q: %d lines, want %d, read as %q, %v", text, o.Lines(), want, got, err)
		}
	}
}
