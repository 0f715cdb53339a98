//go:build js && wasm

package page

import (
	"strings"

	"contextscope/ui"
	"contextscope/wasm/dom"
)

// pasted is the name of an input that came as text from the clipboard.
const pasted = "pasted text"

// listenPaste opens files or text from the clipboard, unless the person is typing somewhere.
func (p *page) listenPaste() {
	p.on(p.document, "paste", func(event dom.Value) {
		if typing(dom.Get(event, "target")) {
			return
		}
		data := dom.Get(event, "clipboardData")
		if dom.Int(dom.Get(data, "files", "length")) > 0 {
			dom.Call(event, "preventDefault")
			p.openTransfer(data)
			return
		}
		text := dom.Call(data, "getData", "text/plain")
		if strings.TrimSpace(dom.String(text)) == "" {
			return
		}
		dom.Call(event, "preventDefault")
		p.open([]*item{{file: dom.New("File", dom.Array(text), pasted), path: pasted}}, ui.LeftOut{})
	})
}

// Copy puts text on the clipboard, and says so when it can't.
func (p *page) Copy(text string) {
	clipboard := dom.Get(p.window, "navigator", "clipboard")
	if !dom.Present(clipboard) {
		p.copyByHand(text)
		return
	}
	promise := dom.Call(clipboard, "writeText", text)
	p.background(func() {
		if !dom.Present(promise) {
			p.copyByHand(text)
			return
		}
		if _, err := dom.Await(promise); err != nil {
			p.copyByHand(text)
		}
	})
}

// copyByHand is for browsers that give a page from disk no clipboard: select the text and copy the selection.
func (p *page) copyByHand(text string) {
	area := dom.Call(p.document, "createElement", "textarea")
	dom.Set(area, "value", text)
	dom.Set(area, "className", "visually-hidden")
	dom.Call(dom.Get(p.document, "body"), "append", area)
	focus := dom.Get(p.document, "activeElement")
	dom.Call(area, "select")
	copied := dom.Truthy(dom.Call(p.document, "execCommand", "copy"))
	dom.Call(area, "remove")
	dom.Call(focus, "focus")
	if !copied {
		p.Announce("The browser did not allow copying")
	}
}

// Announce says a sentence in the polite live region. The same sentence twice is said twice: the text differs by a
// space that nobody hears.
func (p *page) Announce(text string) {
	live := dom.Call(p.document, "getElementById", "live")
	if dom.String(dom.Get(live, "textContent")) == text {
		text += "\u00a0"
	}
	dom.Set(live, "textContent", text)
}

// background runs f, which may wait, beside everything else.
func (p *page) background(f func()) { go dom.Guard(p.panicked, f) }
