package browsertests

import (
	"bytes"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A view prints in the light and without its controls, whatever the system's theme, and no picture is wider than the paper.
func TestAViewPrints(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.button("Try an example")
	p.until(`document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
	p.look("dark", 1280)
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print",
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}); err != nil {
		t.Fatal(err)
	}
	shown := func(selector string) bool {
		return eval[bool](p, `[...document.querySelectorAll(`+quoted(selector)+`)].some((e) => e.checkVisibility())`)
	}
	for _, control := range []string{".acts", ".tabs", ".switch", ".how-num", ".pager", ".fold", "#change-category"} {
		if shown(control) {
			t.Errorf("%s is printed", control)
		}
	}
	for _, content := range []string{"#context-chart svg", "[data-testid=sample]", "[data-testid=changes] tbody tr", "#answer"} {
		if !shown(content) {
			t.Errorf("%s is not printed", content)
		}
	}
	if got := eval[string](p, `getComputedStyle(document.querySelector(".card")).backgroundColor`); got != "rgb(255, 255, 255)" {
		t.Errorf("a card is printed on %s", got)
	}
	p.calm()
	on := true
	got, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: &on})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(got.Data, []byte("%PDF")) || len(got.Data) < 20_000 {
		t.Errorf("the print has %d bytes", len(got.Data))
	}
	if keep := os.Getenv("PRINT_TO"); keep != "" { // to look at
		if err := os.WriteFile(keep, got.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
