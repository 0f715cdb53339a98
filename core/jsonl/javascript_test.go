package jsonl

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// javascript.want holds what Node says about each line of javascript.jsonl, read as UTF-8: the length of
// JSON.stringify(JSON.parse(line)), and the length of all its strings and keys. No object has a key twice. Some strings
// hold invalid UTF-8.
func TestAgreesWithJavaScript(t *testing.T) {
	input, err := os.ReadFile("testdata/javascript.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/javascript.want")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range readers(input) {
		lines := scan(t, s, func(s *Scanner, got *totals) { got.JSONUnits = s.JSONUnits() })
		s = readers(input)[name]
		texts := scan(t, s, walk)
		var got bytes.Buffer
		for i := range lines {
			fmt.Fprintln(&got, lines[i].Totals.JSONUnits, texts[i].Totals.Units)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: got\n%s", name, &got)
		}
	}
}
