package report

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/redact"
	"contextscope/ui/chart"
)

func TestThePolicyAllowsTheStyleSheetAlone(t *testing.T) {
	sum := sha256.Sum256([]byte(style()))
	want := base64.StdEncoding.EncodeToString(sum[:])
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("style.sha256", []byte(want+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := strings.TrimSpace(styleHash); got != want {
		t.Errorf("style.sha256 holds %s, the style sheet has %s: UPDATE=1 go test ./ui/report", got, want)
	}
}

func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{"a": "a", "a,b": `"a,b"`, `say "x"`: `"say ""x"""`, "=1+1": `"'=1+1"`, "@x": `"'@x"`, "-5": `"'-5"`, "": "", "a\r\nb": "\"a\r\nb\""} {
		if got := quoted(text); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}

func TestAPictureIsEscaped(t *testing.T) {
	got := SVG("x", &chart.Scene{Width: 10, Height: 5, Title: `"<t>`, Desc: "<d>", Nodes: []chart.Node{{Tag: "text", Attrs: []chart.Attr{{Key: "x", Val: `1"><script>`}}, Text: "</svg><b>", Kids: []chart.Node{{Tag: "title", Text: "&"}}}}})
	const want = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="5" viewBox="0 0 10 5" role="img" aria-label="&#34;&lt;t&gt;" aria-describedby="x-said"><desc id="x-said">&lt;d&gt;</desc><text x="1&#34;&gt;&lt;script&gt;">&lt;/svg&gt;&lt;b&gt;<title>&amp;</title></text></svg>`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestWhatIsNotThereMakesNothing(t *testing.T) {
	a := analysis.New(nil, nil, nil)
	if b := Make(a, 0, HTML, analysis.Options{Keep: redact.Keep{}}); b != nil {
		t.Errorf("%s", b)
	}
}
