package browsertests

import (
	"strings"
	"testing"
)

// The address tells the session, the view and the sample; back and forward lead through them, and a reload waits for the file.
func TestTheAddressTellsThePlace(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		path := claudeSession(t, "session.jsonl")
		p.choose(path)
		p.state("done", 1)
		p.until(sample)
		const id = "11111111-2222-4333-8444-555555555555"
		p.until(`location.hash === "#s=` + id + `&v=context"`)
		if title := eval[string](p, "document.title"); title != "Please read the files · Claude Code · contextscope" {
			t.Errorf("the title is %q", title)
		}
		eval[bool](p, `document.querySelector("#tab-files").click() ?? true`)
		p.until(`location.hash.endsWith("&v=files")`)
		eval[bool](p, `history.back() ?? true`)
		p.until(`document.querySelector("#tab-context").getAttribute("aria-selected") === "true"`)
		eval[bool](p, `history.forward() ?? true`)
		p.until(`document.querySelector("#tab-files").getAttribute("aria-selected") === "true"`)
		eval[bool](p, `document.querySelector("#tab-context").click() ?? true`)
		p.until(sample)
		eval[bool](p, `document.querySelector("[aria-label='Sample before']").click() ?? true`)
		p.until(`location.hash.includes("&at=")`)
		hash, tokens := eval[string](p, "location.hash"), p.tokens()
		if strings.Contains(hash, "Please") {
			t.Errorf("the address holds content: %s", hash)
		}
		p.calm()

		again := newTab(t)
		again.open(address + hash)
		again.until(`document.body.textContent.includes("This address names a session")`)
		again.choose(path)
		again.state("done", 1)
		again.shows(tokens)
		again.until(`location.hash === ` + quoted(hash))
		again.calm()
	})
}
