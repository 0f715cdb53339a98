//go:build js && wasm

package page

import (
	"errors"
	"strconv"
	"time"

	"contextscope/wasm/dom"

	"github.com/vugu/vugu"
)

// Render asks for a render. Requests that come before it is done are served by the same one.
func (p *page) Render() {
	select {
	case p.dirty <- struct{}{}:
	default:
	}
}

// hearVugu turns Vugu's events, one for each handler that ran, into requests to render.
func (p *page) hearVugu() {
	for p.renderer.EventWait() {
		p.Render()
	}
}

// loop renders, at most once for each frame that the browser paints.
func (p *page) loop() {
	const tooOften = 3
	p.looping = true
	for range p.dirty {
		p.tick.wait()
		select {
		case <-p.dirty: // asked for since: this render serves it too
		default:
		}
		p.render()
		if p.broken >= tooOften {
			p.giveUp("It could not draw itself.")
			return
		}
	}
}

// render builds and shows the whole tree, then lets the State draw its pictures.
func (p *page) render() {
	ok := false
	after := p.after // what is asked for while this goes on waits for the next one
	p.after = nil
	dom.Guard(p.panicked, func() {
		begun := time.Now()
		stands := p.stands() // what is built now, whatever happens while it is rendered
		results := p.build.RunBuild(p.root)
		p.guardHandlers(results, results.Out)
		begun = p.breathe(begun)
		if err := p.renderer.Render(results); err != nil {
			panic(err)
		}
		for _, draw := range p.state.Pieces() {
			begun = p.breathe(begun)
			p.quiet(draw)
		}
		p.quiet(func() {
			p.mark(stands)
			p.tellPlace()
		})
		ok = true
	})
	if !ok {
		p.after = append(after, p.after...)
		p.broken++
		return
	}
	p.broken = 0
	for _, f := range after {
		dom.Guard(p.panicked, f)
	}
}

// breathe lets the browser take its turn when a piece of work has taken long: a first view builds, renders and draws in pieces, a
// change of what is there in one frame. It tells when the next piece begins.
// The first render of all has to be there before the page is listened to.
func (p *page) breathe(begun time.Time) time.Time {
	const long = 6 * time.Millisecond
	if !p.looping || time.Since(begun) < long {
		return begun
	}
	time.Sleep(time.Millisecond)
	return time.Now()
}

// stands is where the app stands.
func (p *page) stands() map[string]string {
	state := "loading"
	if p.client.ready {
		state = p.state.DataState()
	}
	return map[string]string{"state": state, "run": strconv.Itoa(p.state.Run())}
}

// mark writes where the app stands on the root element, for style sheets and for those who wait for it.
func (p *page) mark(stands map[string]string) {
	html := dom.Get(p.document, "documentElement", "dataset")
	for key, value := range stands {
		if dom.String(dom.Get(html, key)) != value {
			dom.Set(html, key, value)
		}
	}
}

// guardHandlers puts a Guard around every event handler of the tree: they run inside of Vugu, where a panic would end
// the program. The tree is new after each build, so nothing is wrapped twice.
func (p *page) guardHandlers(results *vugu.BuildResults, out *vugu.BuildOut) {
	if out == nil {
		panic(errors.New("a component was not built"))
	}
	for _, node := range out.Out {
		p.guardNode(results, node)
	}
}

func (p *page) guardNode(results *vugu.BuildResults, node *vugu.VGNode) {
	if node.Component != nil {
		p.guardHandlers(results, results.ResultFor(node.Component))
		return
	}
	for i := range node.DOMEventHandlerSpecList {
		handle := node.DOMEventHandlerSpecList[i].Func
		node.DOMEventHandlerSpecList[i].Func = func(event vugu.DOMEvent) {
			dom.Guard(p.failed, func() { handle(event) }) // the lock is held already
		}
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		p.guardNode(results, child)
	}
}

// ticker waits for the browser's next frame, or a little longer where it paints none, as in a hidden tab.
type ticker struct {
	window   dom.Value
	painted  chan struct{}
	callback dom.Value
}

func newTicker(window dom.Value) *ticker {
	t := &ticker{window: window, painted: make(chan struct{}, 1)}
	t.callback = dom.Func(func(*dom.Panic) {}, func(dom.Value, []dom.Value) any {
		select {
		case t.painted <- struct{}{}:
		default:
		}
		return nil
	})
	return t
}

func (t *ticker) wait() {
	select {
	case <-t.painted: // left over from a wait that the clock ended
	default:
	}
	dom.Call(t.window, "requestAnimationFrame", t.callback)
	select {
	case <-t.painted:
	case <-time.After(100 * time.Millisecond):
	}
}
