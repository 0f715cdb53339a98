//go:build js && wasm

package page

import (
	"time"

	"contextscope/wasm/dom"
)

// settleFor is how long a place has to stand before the address tells it: browsers refuse to change it too often.
const settleFor = 250 * time.Millisecond

// place is what the address tells.
type place struct {
	written string // as last written or read
	step    string
	title   string
	due     bool
}

// listenPlace goes to where the address points, now and whenever a person goes back or forth.
func (p *page) listenPlace() {
	p.goToAddress()
	p.on(p.window, "hashchange", func(dom.Value) { p.goToAddress() })
}

func (p *page) goToAddress() {
	hash := dom.String(dom.Get(p.window, "location", "hash"))
	if hash != "" {
		hash = hash[1:]
	}
	if hash == p.place.written {
		return
	}
	p.place.written = hash
	p.change(func() {
		p.state.Goto(hash)
		p.place.step = p.state.Step()
	})
}

// tellPlace brings the title and, a little later, the address up to what is shown. Another session or view is a step that the
// browser's back button undoes.
func (p *page) tellPlace() {
	at := &p.place
	if title := p.state.Title(); title != at.title {
		at.title = title
		dom.Set(p.document, "title", title)
	}
	if at.due || p.state.Place() == at.written {
		return
	}
	at.due = true
	p.background(func() {
		time.Sleep(settleFor)
		p.quiet(p.writePlace)
	})
}

func (p *page) writePlace() {
	at := &p.place
	at.due = false
	now := p.state.Place()
	if now == at.written {
		return
	}
	method := "replaceState"
	if step := p.state.Step(); step != at.step {
		at.step = step
		if at.written != "" {
			method = "pushState"
		}
	}
	at.written = now
	// A page from disk may not be allowed to; then the address stays as it is.
	_, _ = dom.Get(p.window, "history").Call(method, nil, "", "#"+now)
}
