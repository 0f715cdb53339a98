package analysis

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever a string holds, it comes back, and nothing in the document can end a script element.
func TestStringsAreQuotedForJSONAndForPages(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	samples := []string{"", `a"b\c`, "</script><script>", "<!--", "&amp;", "\u2028\u2029", "tab\tnew\nline\r\x00\x1f\x7f", "é日本😀", "bad \xff\xc3 bytes", "\ufffd"}
	for range 2000 {
		b := make([]byte, rnd.IntN(24))
		for i := range b {
			b[i] = byte(rnd.IntN(256))
		}
		samples = append(samples, string(b))
	}
	for _, v := range samples {
		q := appendQuoted(nil, v)
		var got string
		if err := json.Unmarshal(q, &got); err != nil {
			t.Fatalf("%q became %s: %v", v, q, err)
		}
		if want := strings.ToValidUTF8(v, "\ufffd"); got != want && !strings.ContainsRune(v, '\ufffd') {
			// ToValidUTF8 joins neighbouring bad bytes; JSON keeps one mark for each.
			if strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
				t.Fatalf("%q came back as %q", v, got)
			}
		}
		if bytes.ContainsAny(q, "<>&\u2028\u2029") {
			t.Fatalf("%q became %s", v, q)
		}
	}
}

func TestIndentingChangesNoValue(t *testing.T) {
	e := &encoder{}
	e.open('{')
	e.keyString("a{", `x,"y:[`)
	e.list("empty", 0, nil)
	e.list("n", 3, func(i int) { e.int(int64(i - 1)) })
	e.object("o", func() { e.keyBool("t", true); e.keyFloat("f", 0.25); e.object("none", func() {}) })
	e.keyIntIf("unknown", Unknown)
	e.keyTimeIf("never", 0)
	e.keyTimeIf("at", 1500)
	e.close('}')
	const want = `{"a{":"x,\"y:[","empty":[],"n":[-1,0,1],"o":{"t":true,"f":0.25,"none":{}},"at":"1970-01-01T00:00:00.0000015Z"}`
	if string(e.b) != want {
		t.Fatalf("got  %s\nwant %s", e.b, want)
	}
	var reference bytes.Buffer
	if err := json.Indent(&reference, e.b, "", "  "); err != nil {
		t.Fatal(err)
	}
	if got := string(indent(e.b)); got != reference.String() {
		t.Errorf("indented:\n%s\nwant:\n%s", got, reference.String())
	}
}
