//go:build js && wasm

package page

import (
	"time"

	"contextscope/wasm/dom"
)

// savedAfter is how long a browser is given to take a text that it saves before its address is given back.
const savedAfter = 10 * time.Second

// SavePicture draws an SVG onto a canvas, twice as large, on white, and hands it over as a PNG. A picture that the browser cannot
// draw is told.
func (p *page) SavePicture(name, svg string) {
	options := dom.Object()
	dom.Set(options, "type", "image/svg+xml")
	urls := dom.Get(dom.Global(), "URL")
	address := dom.Call(urls, "createObjectURL", dom.New("Blob", dom.Array(dom.Uint8Array([]byte(svg))), options))
	image := dom.New("Image")
	dom.Set(image, "src", address)
	p.background(func() {
		defer dom.Call(urls, "revokeObjectURL", address)
		if _, err := dom.Await(dom.Call(image, "decode")); err != nil {
			p.change(func() { p.state.Failed("The chart could not be drawn as a picture", err.Error()+" Save it as SVG.") })
			return
		}
		const scale = 2
		canvas := dom.Call(p.document, "createElement", "canvas")
		width, height := scale*dom.Float(dom.Get(image, "naturalWidth")), scale*dom.Float(dom.Get(image, "naturalHeight"))
		dom.Set(canvas, "width", width)
		dom.Set(canvas, "height", height)
		pen := dom.Call(canvas, "getContext", "2d")
		dom.Set(pen, "fillStyle", "#fff")
		dom.Call(pen, "fillRect", 0, 0, width, height)
		dom.Call(pen, "drawImage", image, 0, 0, width, height)
		link := dom.Call(p.document, "createElement", "a")
		dom.Set(link, "href", dom.Call(canvas, "toDataURL", "image/png"))
		dom.Set(link, "download", name)
		dom.Call(link, "click")
	})
}

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
