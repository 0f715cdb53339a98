//go:build js && wasm

package page

import (
	"time"

	"contextscope/wasm/dom"
)

// savedAfter is how long a browser is given to take a text that it saves before its address is given back.
const savedAfter = 10 * time.Second

// Save hands text to the person as a file of that name. The browser asks or has a place for it; it is written nowhere else.
func (p *page) Save(name, text string) {
	options := dom.Object()
	dom.Set(options, "type", "text/plain;charset=utf-8")
	blob := dom.New("Blob", dom.Array(dom.Uint8Array([]byte(text))), options)
	urls := dom.Get(dom.Global(), "URL")
	address := dom.Call(urls, "createObjectURL", blob)
	link := dom.Call(p.document, "createElement", "a")
	dom.Set(link, "href", address)
	dom.Set(link, "download", name)
	dom.Call(link, "click")
	p.background(func() {
		time.Sleep(savedAfter)
		dom.Call(urls, "revokeObjectURL", address)
	})
}
