package browsertests

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The keys as the protocol writes them.
const (
	keyEnd  = "\ue010"
	keyHome = "\ue011"
	keyLeft = "\ue012"
)

// TestFirefoxGoesTheSameWay: open, select, read and export, served and from disk, with the figures that Chromium has.
func TestFirefoxGoesTheSameWay(t *testing.T) {
	journal := claudeSession(t, "session.jsonl")
	const all = `contextscope.analysis().then((a) => JSON.stringify(a))`
	f := startFirefox(t)
	everywhere(t, func(t *testing.T, address string) {
		f.TB = t
		p := newTab(t)
		p.open(address)
		p.choose(journal)
		p.state("done", 1)
		want := eval[string](p, all)

		f.open(address)
		f.choose(journal)
		f.until(`document.documentElement.dataset.state === "done"`)
		if got := evalIn[string](f, all); got != want || len(want) < 2000 {
			t.Errorf("Firefox reads %d characters of analysis, Chromium %d, and they differ", len(got), len(want))
		}
		f.until(sample + ` && document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
		samples := p.estimates()
		evalIn[bool](f, `(document.querySelector("[role=slider]").focus(), true)`)
		for _, step := range []struct {
			key  string
			want int64
		}{{keyHome, samples[0]}, {keyEnd, samples[len(samples)-1]}, {keyLeft, samples[len(samples)-2]}} {
			f.press(step.key)
			f.until(sample + `.dataset.tokens === "` + strconv.FormatInt(step.want, 10) + `"`)
		}
		f.press("?")
		f.until(`document.querySelector("#help").open`)
		f.press("\ue00c")
		f.until(`!document.querySelector("#help").open`)

		f.click(".record-link:not([hidden])")
		f.until(`document.querySelector("#record").open && document.querySelector("#record-body").textContent.length > 20`)
		f.press("\ue00c")
		f.until(`!document.querySelector("#record").open && document.querySelector("#record-body") === null`)

		f.click("#lower-spread")
		f.until(`document.querySelector("[data-testid=spread] tbody tr") && document.querySelector("#spread-map svg")`)
		f.click("#tab-compactions")
		f.until(`document.querySelector("[aria-label='Save the recovery checkpoint']")`)
		f.click("[aria-label='Save the recovery checkpoint']")
		saved := f.saved(t)
		eval[bool](p, `document.querySelector("#tab-compactions").click() ?? true`)
		eval[bool](p, `(navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true)`)
		p.until(`document.querySelector("[aria-label='Copy the recovery checkpoint']")`)
		eval[bool](p, `document.querySelector("[aria-label='Copy the recovery checkpoint']").click() ?? true`)
		p.until(`window.copied`)
		if want := eval[string](p, `copied`); saved != want || !strings.Contains(saved, "#") {
			t.Errorf("Firefox saves\n%s\nChromium copies\n%s", saved, want)
		}
	})
}

// saved waits for a file among the downloads, and takes it away.
func (f *firefox) saved(t testing.TB) string {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(f.downloads, "*.md"))
		for _, name := range files {
			if b, err := os.ReadFile(name); err == nil && len(b) > 0 {
				os.Remove(name)
				return string(b)
			}
		}
	}
	t.Fatal("nothing was saved")
	return ""
}
