//go:build js && wasm

package page

import "contextscope/wasm/dom"

// The page remembers a few choices of how it looks in the browser, and nothing of what it shows.
const remembered = "contextscope."

// Remember keeps a choice for the next time, where the browser lets a page keep anything.
func (p *page) Remember(key, value string) {
	if store := p.store(); dom.Present(store) {
		if value == "" {
			_, _ = store.Call("removeItem", remembered+key)
		} else {
			_, _ = store.Call("setItem", remembered+key, value)
		}
	}
	p.look()
}

// Recall is a choice that was kept, "" for none.
func (p *page) Recall(key string) string {
	store := p.store()
	if !dom.Present(store) {
		return ""
	}
	v, err := store.Call("getItem", remembered+key)
	if err != nil {
		return ""
	}
	return dom.String(v)
}

// store is the browser's store; a browser may forbid even to look at it.
func (p *page) store() dom.Value {
	store, err := p.window.Get("localStorage")
	if err != nil {
		return dom.Value{}
	}
	return store
}

// look puts the theme on the root element, where the style sheet sees it.
func (p *page) look() {
	data := dom.Get(p.document, "documentElement", "dataset")
	if theme := p.state.Theme(); theme != "" {
		dom.Set(data, "theme", theme)
	} else {
		_ = data.Delete("theme")
	}
}

// listenRemembered follows a choice made in another tab.
func (p *page) listenRemembered() {
	p.change(p.state.Recalled)
	p.look()
	p.on(p.window, "storage", func(dom.Value) {
		p.change(p.state.Recalled)
		p.look()
	})
}
