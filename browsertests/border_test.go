package browsertests

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// seeWorkers keeps the workers that hold a program, so that a test can speak in their place.
const seeWorkers = `
window.workers = [];
window.Worker = class extends Worker {
	constructor(url, options) { super(url, options); if (!options?.name) workers.push(this); }
};
window.say = (data) => workers.at(-1).dispatchEvent(new MessageEvent("message", { data }));
`

func TestAWorkerThatEndsIsReplaced(t *testing.T) {
	site := newSite(t)
	p := newTab(t, seeWorkers)
	p.open(site.home())
	p.choose(claudeSession(t, "kept.jsonl"))
	p.state("done", 1)
	eval[bool](p, `say({ kind: "gone", id: 0 })`)
	p.until("workers.length === 2")
	p.state("error", 1) // a card says what happened
	if doc := p.analysis(); len(doc.Inputs) != 1 || doc.Inputs[0].Name != "kept.jsonl" {
		t.Errorf("what was open is %+v", doc.Inputs)
	}
	if said := p.text("body"); !strings.Contains(said, "stopped") {
		t.Errorf("the page says:\n%s", said)
	}
	p.choose(claudeSession(t, "more.jsonl"))
	p.state("done", 2)
}

func TestAMistakeOfOursShowsACard(t *testing.T) {
	site := newSite(t)
	p := newTab(t, seeWorkers)
	p.open(site.home())
	eval[bool](p, `say({ kind: "failed", id: 0, body: new Uint8Array([255, 255, 255]) })`)
	p.until(`document.documentElement.dataset.state === "error"`)
	if said := p.text("body"); !strings.Contains(said, "went wrong") {
		t.Errorf("the page says:\n%s", said)
	}
	p.choose(claudeSession(t, "after.jsonl"))
	p.state("done", 1)
}

func TestACancelKeepsWhatWasOpen(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		p.choose(claudeSession(t, "kept.jsonl"))
		p.state("done", 1)
		before := p.analysis()

		big := write(t, "big.jsonl")
		f, err := os.Create(big)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		block := []byte(strings.Join(claudeLines("77777777-2222-4333-8444-555555555555", "Big", 2000), "\n") + "\n")
		for range 300 << 20 / len(block) {
			if _, err := f.Write(block); err != nil {
				t.Fatal(err)
			}
		}
		p.choose(big)
		const button = `[...document.querySelectorAll("button")].find((b) => /cancel/i.test(b.textContent))`
		p.until(button)
		eval[bool](p, button+`.click() ?? true`)
		p.state("done", 2)
		if after := p.analysis(); len(after.Inputs) != len(before.Inputs) || after.Inputs[0] != before.Inputs[0] {
			t.Errorf("open is %+v, before it was %+v", after.Inputs, before.Inputs)
		}
		p.choose(claudeSession(t, "next.jsonl"))
		p.state("done", 3)
		if after := p.analysis(); len(after.Inputs) != 2 {
			t.Errorf("open is %+v", after.Inputs)
		}
	})
}

func TestABrowserTooOldGetsASentence(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t, "delete window.DecompressionStream")
		p.do(chromedp.Navigate(address))
		p.state("error", 0)
		if said := p.text("body"); !strings.Contains(said, "too old") {
			t.Errorf("the page says:\n%s", said)
		}
	})
}

func TestWithoutScriptsThePageSaysSo(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Navigate(site.home()))
	said, err := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS("noscript")))
	if err != nil || !strings.Contains(said, "needs JavaScript") {
		t.Errorf("the page says %q: %v", said, err)
	}
}

func TestALoadThatFailsIsReadable(t *testing.T) {
	for _, name := range []string{"contextscope.wasm", "worker.js", "example.json.gz"} {
		t.Run(name, func(t *testing.T) {
			files := http.FileServer(http.Dir(dist))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, name) {
					http.Error(w, "gone", http.StatusNotFound)
					return
				}
				files.ServeHTTP(w, r)
			}))
			defer server.Close()
			p := newTab(t)
			p.do(chromedp.Navigate(server.URL))
			p.state("error", 0)
			if said := p.text("body"); !strings.Contains(said, "could not be loaded") || !strings.Contains(said, name) {
				t.Errorf("the page says:\n%s", said)
			}
		})
	}
}

// A host that does not know the type of a wasm file, or unpacks gzip on its way, serves the page all the same.
func TestSimpleHostsWillDo(t *testing.T) {
	for kind, wrong := range map[string]string{"no type": "application/octet-stream", "a text": "text/plain"} {
		t.Run(kind, func(t *testing.T) {
			files := http.FileServer(http.Dir(dist))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, ".wasm"):
					w.Header().Set("Content-Type", wrong)
				case strings.HasSuffix(r.URL.Path, ".gz"):
					w.Header().Set("Content-Encoding", "gzip")
				}
				files.ServeHTTP(w, r)
			}))
			defer server.Close()
			p := newTab(t)
			p.open(server.URL)
			p.calm()
		})
	}
}

func TestDistIsComplete(t *testing.T) {
	page, err := os.ReadFile(dist + "/contextscope.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{` src="`, ` href="assets`, "http-equiv=\"refresh\""} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the one-file page holds %s", fmt.Sprintf("%q", bad))
		}
	}
}
