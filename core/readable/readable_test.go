package readable

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestARecordIsReadable(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"user","n":3,"f":1.5,"ok":true,"nothing":null,"list":["a","b"],"message":{"role":"user","content":"Port it.\nNever log <b>."}}`: "type: user\nn: 3\nf: 1.5\nok: true\nlist[0]: a\nlist[1]: b\nmessage.role: user\n\n── message.content ──\nPort it.\nNever log <b>.\n",
		`{"arguments":"{\"cmd\":\"ls -la\",\"in\":{\"a\":1}}"}`:                                                                                  "arguments.cmd: ls -la\narguments.in.a: 1\n",
		`{"text":"{not json"}`:                           "text: {not json\n",
		`{"data":"` + strings.Repeat("QUJD", 200) + `"}`: "data: (encoded data, 800 characters)\n",
		`{"a":"` + strings.Repeat("word ", 40) + `"}`:    "\n── a ──\n" + strings.Repeat("word ", 40) + "\n",
		`not json`:   "not json",
		`{"a":1`:     `{"a":1`,
		"\xff\xfe":   "\uFFFD",
		`"a string"`: `"a string"`,
	} {
		if got := Text([]byte(in)); got != want {
			t.Errorf("%.80s gives\n%q\nwant\n%q", in, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte(`{"a":[{"b":"{\"c\":[1,2]}"}],"t":"x\ny"}`))
	f.Add([]byte(strings.Repeat(`{"a":`, 200)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := Text(b); !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	})
}
