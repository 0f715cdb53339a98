package browsertests

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A record opens as it stands in the file, packed or not, and what is in it stays text.
func TestARecordOpensFromTheFile(t *testing.T) {
	lines := claudeLines("11111111-2222-4333-8444-555555555555", "Please read the files", 3)
	hostile := `<img src=x onerror=window.hacked=1></script><b>\u202eReversed`
	lines[2] = strings.Replace(lines[2], "line one of file 0", hostile, 1)
	text := []byte(strings.Join(lines, "\n") + "\n")
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.jsonl")
	var gz, zipped bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(text)
	w.Close()
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"other/notes.txt", "project/inner.jsonl"} {
		f, _ := z.Create(name)
		f.Write(text)
	}
	z.Close()
	files := map[string][]byte{plain: text, filepath.Join(dir, "packed.jsonl.gz"): gz.Bytes(), filepath.Join(dir, "archive.zip"): zipped.Bytes()}
	for path, content := range files {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := newTab(t)
			p.open(newSite(t).home())
			p.choose(path)
			p.state("done", 1)
			p.until(`document.querySelector("[data-testid=changes] tbody tr")`)
			// The largest addition is the result with the hostile text: the record of the third line.
			eval[bool](p, `(focused = [...document.querySelectorAll(".record-link")].find((b) => b.ariaLabel.includes("line 3")), focused.focus(), focused.click(), true)`)
			p.until(`document.querySelector("#record").open && document.querySelector("#record-body").textContent.length > 50`)
			if got := eval[string](p, `document.querySelector("#record-body").textContent`); !strings.Contains(got, "<img src=x onerror=window.hacked=1></script><b>\u202eReversed\nline two, and some more text") || !strings.Contains(got, "type: user") {
				t.Errorf("the text is %q", got)
			}
			p.button("Raw record")
			p.until(`document.querySelector("#record-body").textContent.startsWith("{")`)
			if got := eval[string](p, `document.querySelector("#record-body").textContent`); got != lines[2] {
				t.Errorf("the raw record is\n%s\nwant\n%s", got, lines[2])
			}
			eval[bool](p, `(f = document.querySelector("#record-find"), f.value = "LINE", f.dispatchEvent(new Event("input", {bubbles: true})), true)`)
			p.until(`document.querySelectorAll("#record-body mark").length === 1 && document.querySelector("#record mark.now").textContent === "line"`)
			if eval[bool](p, `"hacked" in window || document.querySelector("#record-body img") !== null`) {
				t.Error("text of a record became an element")
			}
			p.do(chromedp.KeyEvent(kb.Escape))
			p.until(`!document.querySelector("#record").open && document.querySelector("#record-body") === null && document.activeElement === focused`)
			p.calm()
		})
	}
}

func TestARecordOfAFileThatChangedSaysSo(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	path := claudeSession(t, "session.jsonl")
	p.choose(path)
	p.state("done", 1)
	p.until(`document.querySelector(".record-link")`)
	if err := os.WriteFile(path, []byte("gone\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	eval[bool](p, `document.querySelector(".record-link").click() ?? true`)
	p.until(`document.querySelector("#record").textContent.includes("Open it again")`)
}
