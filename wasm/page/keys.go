//go:build js && wasm

package page

import (
	"contextscope/wasm/dom"
)

// listenKeys hands keys to the State while no text is being typed. Escape also ends a drag that got stuck.
func (p *page) listenKeys() {
	p.on(p.document, "keydown", func(event dom.Value) {
		key := dom.String(dom.Get(event, "key"))
		if key == "Escape" {
			p.dragEnded()
		}
		// On many keyboards a bracket is typed with AltGr, which is no shortcut of the browser.
		graph := dom.Truthy(dom.Call(event, "getModifierState", "AltGraph"))
		if dom.Truthy(dom.Get(event, "defaultPrevented")) || dom.Truthy(dom.Get(event, "altKey")) && !graph ||
			dom.Truthy(dom.Get(event, "isComposing")) || typing(dom.Get(event, "target")) {
			return
		}
		ctrl := !graph && dom.Truthy(dom.Get(event, "ctrlKey")) || dom.Truthy(dom.Get(event, "metaKey"))
		if p.tabKey(event, key) {
			dom.Call(event, "preventDefault")
			return
		}
		meant := false
		inChart := p.inPicture(dom.Get(p.document, "activeElement"))
		p.quiet(func() { meant = p.state.Key(key, ctrl, inChart) })
		if meant {
			dom.Call(event, "preventDefault")
			p.Render()
		}
	})
}

// typing tells whether an element takes keys for itself.
func typing(el dom.Value) bool {
	switch dom.String(dom.Get(el, "localName")) {
	case "textarea", "select":
		return true
	case "input":
		switch dom.String(dom.Get(el, "type")) {
		case "button", "checkbox", "file", "reset", "submit":
			return false
		}
		return true
	}
	return dom.Truthy(dom.Get(el, "isContentEditable"))
}

// inPicture tells whether an element is one that holds a picture, or in it.
func (p *page) inPicture(el dom.Value) bool {
	for _, pic := range p.pictures {
		if dom.Truthy(dom.Call(pic.host, "contains", el)) {
			return true
		}
	}
	return false
}

// tabKey moves between the tabs of a tab list by the keys that people expect there. The tab is chosen by a click, so
// that its own handler runs.
func (p *page) tabKey(event dom.Value, key string) bool {
	target := dom.Get(event, "target")
	if dom.String(dom.Call(target, "getAttribute", "role")) != "tab" {
		return false
	}
	list := dom.Call(target, "closest", "[role=tablist]")
	if !dom.Present(list) {
		return false
	}
	var tabs []dom.Value
	at := 0
	dom.Each(dom.Call(list, "querySelectorAll", "[role=tab]"), func(tab dom.Value) {
		if dom.Same(tab, target) {
			at = len(tabs)
		}
		tabs = append(tabs, tab)
	})
	switch key {
	case "ArrowRight":
		at = (at + 1) % len(tabs)
	case "ArrowLeft":
		at = (at + len(tabs) - 1) % len(tabs)
	case "Home":
		at = 0
	case "End":
		at = len(tabs) - 1
	default:
		return false
	}
	dom.Call(tabs[at], "focus")
	dom.Call(tabs[at], "click")
	return true
}

// Land moves the keyboard focus to the element with that id, once it has been rendered, unless something has it.
func (p *page) Land(id string) {
	p.after = append(p.after, func() {
		if active := dom.Get(p.document, "activeElement"); !dom.Present(active) || dom.Same(active, dom.Get(p.document, "body")) {
			dom.Call(dom.Call(p.document, "getElementById", id), "focus")
		}
	})
	p.Render()
}

// Focus moves the keyboard focus to the element with that id, once it has been rendered.
func (p *page) Focus(id string) {
	p.after = append(p.after, func() {
		dom.Call(dom.Call(p.document, "getElementById", id), "focus")
	})
	p.Render()
}
