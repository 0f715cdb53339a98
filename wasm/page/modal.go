//go:build js && wasm

package page

import (
	"strings"

	"contextscope/wasm/dom"
)

// maxHits bounds the places of a word that are marked.
const maxHits = 2000

// Write puts text into an element that Vugu leaves alone. Everything in it becomes text: nothing is read as HTML.
func (p *page) Write(id, text, find string, hit int) int {
	el := dom.Call(p.document, "getElementById", id)
	if !dom.Present(el) {
		return -1
	}
	if find == "" {
		dom.Set(el, "textContent", text)
		return 0
	}
	var nodes []any
	low, word := strings.ToLower(text), strings.ToLower(find)
	if len(low) != len(text) { // some letters change their length with their case: then only the word as it was typed is found
		low, word = text, find
	}
	hits := 0
	from := 0
	var now dom.Value
	for hits < maxHits {
		i := strings.Index(low[from:], word)
		if i < 0 {
			break
		}
		nodes = append(nodes, text[from:from+i])
		mark := dom.Call(p.document, "createElement", "mark")
		dom.Set(mark, "textContent", text[from+i:from+i+len(word)])
		if hits == hit {
			dom.Set(mark, "className", "now")
			now = mark
		}
		nodes = append(nodes, mark)
		from += i + len(word)
		hits++
	}
	nodes = append(nodes, text[from:])
	dom.Call(el, "replaceChildren", nodes...)
	if dom.Present(now) {
		options := dom.Object()
		dom.Set(options, "block", "center")
		dom.Call(now, "scrollIntoView", options)
	}
	return hits
}

// Modal shows a dialog after the next render, or closes it. The browser keeps the focus in it and gives it back.
func (p *page) Modal(id string, open bool, shown, closed func()) {
	p.after = append(p.after, func() {
		el := dom.Call(p.document, "getElementById", id)
		switch {
		case !dom.Present(el):
		case !open:
			dom.Call(el, "close")
		case !dom.Truthy(dom.Get(el, "open")):
			if !p.modals[id] {
				p.modals[id] = true
				p.on(el, "close", func(dom.Value) { p.change(func() { p.closed[id]() }) })
			}
			p.closed[id] = closed
			dom.Call(el, "showModal")
			p.quiet(shown)
		}
	})
	p.Render()
}
