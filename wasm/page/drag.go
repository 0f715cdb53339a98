//go:build js && wasm

package page

import (
	"contextscope/wasm/dom"
)

// drag is a drag of files over the page. Elements that the drag has entered and not left again are kept: an element that
// a render removes meanwhile never tells that it was left, and a mere count would never come back to zero.
type drag struct {
	over    []dom.Value
	showing bool
}

// listenDrag makes the whole window a drop target, for files alone.
func (p *page) listenDrag() {
	p.on(p.window, "dragenter", func(event dom.Value) {
		if !hasFiles(event) {
			return
		}
		dom.Call(event, "preventDefault")
		p.drag.enter(dom.Get(event, "target"))
		p.dragShown(event)
	})
	p.on(p.window, "dragover", func(event dom.Value) {
		if !hasFiles(event) {
			return
		}
		dom.Call(event, "preventDefault")
		dom.Set(dom.Get(event, "dataTransfer"), "dropEffect", "copy")
	})
	p.on(p.window, "dragleave", func(event dom.Value) {
		if p.drag.leave(dom.Get(event, "target")) {
			p.dragEnded()
		}
	})
	p.on(p.window, "dragend", func(dom.Value) { p.dragEnded() })
	p.on(p.window, "drop", func(event dom.Value) {
		p.dragEnded()
		if !hasFiles(event) {
			return
		}
		dom.Call(event, "preventDefault")
		p.openTransfer(dom.Get(event, "dataTransfer"))
	})
}

// hasFiles tells whether a drag or a paste brings files.
func hasFiles(event dom.Value) bool {
	found := false
	dom.Each(dom.Get(event, "dataTransfer", "types"), func(kind dom.Value) {
		found = found || dom.String(kind) == "Files"
	})
	return found
}

func (d *drag) enter(el dom.Value) {
	for _, known := range d.over {
		if dom.Same(known, el) {
			return
		}
	}
	d.over = append(d.over, el)
}

// leave forgets an element, and those that are no longer in the page; true when none is left.
func (d *drag) leave(el dom.Value) bool {
	kept := d.over[:0]
	for _, known := range d.over {
		if !dom.Same(known, el) && dom.Truthy(dom.Get(known, "isConnected")) {
			kept = append(kept, known)
		}
	}
	clear(d.over[len(kept):])
	d.over = kept
	return len(kept) == 0
}

// dragShown tells the State that files hover over the page, and how many.
func (p *page) dragShown(event dom.Value) {
	if p.drag.showing {
		return
	}
	p.drag.showing = true
	count := dom.Int(dom.Get(event, "dataTransfer", "items", "length"))
	p.change(func() { p.state.Dragging(count) })
}

func (p *page) dragEnded() {
	p.drag.over = nil
	if !p.drag.showing {
		return
	}
	p.drag.showing = false
	p.change(func() { p.state.Dragging(-1) })
}
