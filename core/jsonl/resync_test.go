package jsonl

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// found renders what a scan finds: a good value as it stands, a malformed one as ✗, each with its line.
func found(t *testing.T, input string) string {
	t.Helper()
	var first string
	for way, read := range ways {
		for name, s := range readers([]byte(input)) {
			var parts []string
			for _, o := range scan(t, s, read) {
				part := "✗"
				if o.Err == "" {
					part = input[o.Offset:o.End]
				}
				parts = append(parts, fmt.Sprintf("%d:%s", o.Line, part))
			}
			got := strings.Join(parts, " ")
			if first == "" {
				first = got
			}
			if got != first {
				t.Errorf("%q: %s, %s: %s\nelse %s", input, name, way, got, first)
			}
		}
	}
	return first
}

func TestRecordsAfterDamageOnTheSameLineAreFound(t *testing.T) {
	const record = `{"parentUuid":null,"message":{"role":"user"}}`
	const nested = `{"type":"text","text":"x"}`
	for _, c := range []struct{ what, input, want string }{
		{"cut in a string", `{"a":"text cut` + record, "1:✗ 1:" + record},
		{"cut in a key", `{"a":1,"ke` + record, "1:✗ 1:" + record},
		{"cut after an escape", `{"a":"text\n` + record, "1:✗ 1:" + record},
		{"cut in an escape", `{"a":"text\` + record, "1:✗ 1:" + record},
		{"cut in a unicode escape", `{"a":"text\u00` + record, "1:✗ 1:" + record},
		{"cut in a surrogate pair", `{"a":"text\ud83d\` + record, "1:✗ 1:" + record},
		{"cut in a character", "{\"a\":\"text\xe4\xb8" + record, "1:✗ 1:" + record},
		{"cut in a nested string", `{"a":[{"b":{"c":["d","text` + record, "1:✗ 1:" + record},
		{"cut in a number", `{"a":12` + record, "1:✗ 1:" + record},
		{"cut in a fraction", `{"a":12.` + record, "1:✗ 1:" + record},
		{"cut in a literal", `{"a":tr` + record, "1:✗ 1:" + record},
		{"cut after a key", `{"a"` + record, "1:✗ 1:" + record},
		{"cut after a comma", `{"a":1,` + record, "1:✗ 1:" + record},
		{"cut after a brace", `{` + record, "1:✗ 1:" + record},
		{"cut after a value", `{"a":[1]` + record, "1:✗ 1:" + record},
		{"zeros between", "{\"a\":\"x\",\x00\x00" + record, "1:✗ 1:" + record},
		{"twice", `{"a":"x{"type":"y` + record + record, "1:✗ 1:✗ 1:" + record + " 1:" + record},
		{"the tail of a string", `f a string","a":1}` + record, "1:✗ 1:" + record},
		{"a tail that looks like a string", `","a":{"b":[1]}}` + record, "1:✗ 1:" + record},
		{"a tail that looks like a number", `12,"a":{"b":[1]}} ` + record, "1:✗ 1:" + record},
		{"a tail with parts like records", `ext"},` + nested + `,"message":` + nested + `,"list":[` + nested + `]}` + record, "1:✗ 1:" + record},
		{"parts after blanks", `ext"}, ` + nested + `,"message" : ` + nested + `}` + record, "1:✗ 1:" + record},
		{"nothing but parts", `ext","message":` + nested + `}`, "1:✗"},
		{"no marker", `ext","a":1}{"b":2}`, "1:✗"},
		{"a tail behind a record", record + `ail":1}`, "1:" + record + " 1:✗"},
		{"the cut is where a value could stand", `{"a":` + record, "1:✗"},
		{"no comma in the middle", `{"type":"a" "message":` + nested + `}`, "1:✗"},
		{"a marker without its quote", `x {"types":1} {"type`, "1:✗"},
		{"too deep", strings.Repeat("[", MaxDepth+1) + "x" + record, "1:✗ 1:" + record},
	} {
		if got := found(t, c.input); got != c.want {
			t.Errorf("%s:\n%.200s\ngot  %s\nwant %s", c.what, c.input, got, c.want)
		}
		next := "\n" + `{"b":2}`
		want := c.want + ` 2:{"b":2}`
		if got := found(t, c.input+next); got != want {
			t.Errorf("%s, then a line:\n%.200s\ngot  %s\nwant %s", c.what, c.input, got, want)
		}
	}
	for _, m := range markers {
		record := `{"` + m + `":1}`
		if got := found(t, `{"a":"cut`+record+"\n"); got != "1:✗ 1:"+record {
			t.Errorf("marker %s: got %s", m, got)
		}
	}
}

// A record is lost only where the cut leaves something that could go on: then it looks like a value of the cut one.
func TestCutAnywhereBeforeAWholeRecord(t *testing.T) {
	const record = `{"parentUuid":null}`
	cut := `{"type":"user","n":[1.5e3,true,{"a":null},"x\n\"é\u00e9"],"uuid":"u"}`
	for i := 1; i < len(cut); i++ {
		got := found(t, cut[:i]+record)
		before := strings.TrimRight(cut[:i], " ")[i-1]
		canStand := before == ':' || before == '[' || before == ',' && i > strings.Index(cut, "[") && i < strings.Index(cut, `],`)
		if want := "1:✗ 1:" + record; got != want && !(canStand && got == "1:✗") {
			t.Errorf("%s: got %s", cut[:i]+record, got)
		}
	}
}

func TestDamageNeverReachesTheNextLine(t *testing.T) {
	for _, bad := range []string{`{"a":"`, `{"a":"\`, `[`, `{`, `nul`, `-`, `}`, `]`, "\x00{", "\xff\xfe{\x00}\x00", `{"a":1,`, `"`, `\`, `{"\u`} {
		if got := found(t, bad+"\n"+`{"b":2}`+"\n"); !strings.HasSuffix(got, `✗ 2:{"b":2}`) {
			t.Errorf("%q: got %s", bad, got)
		}
	}
}

func TestUTF16IsOnlyMalformed(t *testing.T) {
	utf16 := "\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n\x00[\x001\x00]\x00\n\x00"
	if got := found(t, utf16); got != "1:✗ 2:✗" {
		t.Errorf("got %s", got)
	}
}

func TestDamagedFile(t *testing.T) {
	input, err := os.ReadFile("testdata/damaged.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line int64
		err  string
	}{
		{1, ""}, {2, "line 2, byte 245: unexpected 'p' in a value"}, {2, ""}, {3, "line 3, byte 385: unexpected 'r' in a value"}, {4, ""}, {4, ""},
		{6, ""}, {7, ""}, {8, ""}, {9, "line 9, byte 657: unexpected 'o' in a value"}, {10, ""},
		{11, "line 11, byte 839: the input ends inside a value; it may still be being written"},
	}
	for way, read := range ways {
		got := scan(t, NewScanner(bytes.NewReader(input), 64), read)
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", way, len(got), len(want))
		}
		for i, w := range want {
			if got[i].Line != w.line || got[i].Err != w.err {
				t.Errorf("%s: got line %d %q, want line %d %q", way, got[i].Line, got[i].Err, w.line, w.err)
			}
		}
	}
}
