//go:build js && wasm

package page

import (
	"contextscope/wasm/dom"
)

// pointer is where the pointer was last seen in a picture. Moves are told once a frame, presses at once.
type pointer struct {
	host      dom.Value
	x, y      float64 // in the window
	pressed   bool
	waiting   bool // a frame has been asked for
	inside    bool
	painted   dom.Value
	listeners map[string]dom.Value // by event
}

const mainButton = 1

// listenPointer makes the listeners that all pictures share: Vugu makes their elements anew as views come and go, and a
// function made for JavaScript is never given back.
func (p *page) listenPointer() {
	at := &p.pointer
	at.painted = dom.Func(p.panicked, func(dom.Value, []dom.Value) any {
		at.waiting = false
		p.tellPointer()
		return nil
	})
	at.listeners = map[string]dom.Value{}
	on := func(event string, f func(event dom.Value)) {
		at.listeners[event] = dom.Func(p.panicked, func(_ dom.Value, args []dom.Value) any {
			f(args[0])
			return nil
		})
	}
	on("pointerdown", func(event dom.Value) {
		p.see(event)
		if at.pressed {
			dom.Call(at.host, "setPointerCapture", dom.Get(event, "pointerId"))
		}
		p.tellPointer()
	})
	on("pointerup", func(event dom.Value) {
		p.see(event)
		p.tellPointer()
	})
	on("pointermove", func(event dom.Value) {
		p.see(event)
		if !at.waiting {
			at.waiting = true
			dom.Call(p.window, "requestAnimationFrame", at.painted)
		}
	})
	leave := func(event dom.Value) {
		at.inside = false
		id := dom.String(dom.Get(event, "currentTarget", "id"))
		p.quiet(func() { p.state.Left(id) })
	}
	on("pointerleave", leave)
	on("pointercancel", leave)
}

// watch listens to the pointer in an element that holds a picture. To do it twice changes nothing.
func (p *page) watch(host dom.Value) {
	for event, listener := range p.pointer.listeners {
		dom.Call(host, "addEventListener", event, listener)
	}
}

// on listens to an event of something that lives as long as the page.
func (p *page) on(target dom.Value, event string, f func(dom.Value)) {
	dom.Listen(target, event, p.panicked, f)
}

// see notes where the pointer is.
func (p *page) see(event dom.Value) {
	at := &p.pointer
	at.host = dom.Get(event, "currentTarget")
	at.x, at.y = dom.Float(dom.Get(event, "clientX")), dom.Float(dom.Get(event, "clientY"))
	at.pressed = dom.Int(dom.Get(event, "buttons"))&mainButton != 0
	at.inside = true
}

// tellPointer tells the State, in coordinates of the picture.
func (p *page) tellPointer() {
	at := &p.pointer
	if !at.inside {
		return
	}
	id := dom.String(dom.Get(at.host, "id"))
	if _, drawn := p.pictures[id]; !drawn {
		return
	}
	box := dom.Call(at.host, "getBoundingClientRect")
	x, y := at.x-dom.Float(dom.Get(box, "left")), at.y-dom.Float(dom.Get(box, "top"))
	p.quiet(func() { p.state.Pointed(id, x, y, at.pressed) })
}

// listenResize tells the State when the page's width has changed.
func (p *page) listenResize() {
	body := dom.Get(p.document, "body")
	p.width = dom.Float(dom.Get(body, "clientWidth"))
	check := func() {
		width := dom.Float(dom.Get(body, "clientWidth"))
		if width == p.width {
			return
		}
		p.width = width
		p.change(p.state.Resized)
	}
	observed := dom.Func(p.panicked, func(dom.Value, []dom.Value) any { check(); return nil })
	if observer := dom.New("ResizeObserver", observed); dom.Present(observer) {
		dom.Call(observer, "observe", body)
		return
	}
	p.on(p.window, "resize", func(dom.Value) { check() })
}
