//go:build js && wasm

// Package page is the browser's side of the interface: it mounts Vugu, renders, draws pictures, listens to files,
// pointer and keys, and talks to the session worker. It implements ui.Host.
//
// Everything runs on the page's one thread. Vugu's lock guards the State: whoever changes it holds the lock and never
// waits while holding it. Listeners run inside a dom.Guard, so that a panic shows an error card and the page goes on.
package page

import (
	"contextscope/adapters"
	"contextscope/ui"
	"contextscope/wasm/dom"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"
)

// page implements ui.Host.
type page struct {
	document, window dom.Value
	boot             dom.Value // what the boot script left for us
	state            *ui.State
	env              vugu.EventEnv
	renderer         *domrender.JSRenderer
	build            *vugu.BuildEnv
	root             vugu.Builder
	dirty            chan struct{}
	tick             *ticker
	broken           int      // renders that failed in a row
	looping          bool     // the first render has been
	after            []func() // to be done after the next render
	pictures         map[string]*picture
	pointer          pointer
	drag             drag
	width            float64
	client           *client
	searches         int // raised to stop the searches through folders that run
	place            place
	modals           map[string]bool   // dialogs whose closing is heard
	closed           map[string]func() // … and what hears it
	chosenWindow     int64             // the person's choice of window, as last asked for
}

// Run mounts the page and never returns. newRoot makes the root component.
func Run(newRoot func(*ui.State) vugu.Builder) {
	p := &page{
		document: dom.Get(dom.Global(), "document"),
		window:   dom.Get(dom.Global(), "window"),
		boot:     dom.Get(dom.Global(), "contextscopeBoot"),
		dirty:    make(chan struct{}, 1),
		pictures: map[string]*picture{},
		modals:   map[string]bool{},
		closed:   map[string]func(){},
	}
	p.state = ui.New(p)
	p.state.Zone = zone
	p.root = newRoot(p.state)
	p.tick = newTicker(p.window)
	p.client = newClient(p)
	mounted := false
	dom.Guard(func(panicked *dom.Panic) { p.giveUp(panicked.Error()) }, func() {
		p.listenPointer() // before the first picture
		p.mount()
		p.listen()
		p.expose()
		mounted = true
	})
	if mounted {
		go p.hearVugu()
		p.loop()
	}
	select {}
}

// Notes gives the notes of a format.
func (p *page) Notes(format string) string { return adapters.Notes(format) }

// zone tells how many seconds east of UTC the person is at a moment in milliseconds since 1970.
func zone(ms int64) int {
	minutesWest := dom.Int(dom.Call(dom.New("Date", float64(ms)), "getTimezoneOffset"))
	return -60 * minutesWest
}

// mount renders for the first time, in place of what index.html shows while loading.
func (p *page) mount() {
	renderer, err := domrender.New("#app")
	if err != nil {
		panic(err)
	}
	p.renderer, p.env = renderer, renderer.EventEnv()
	if p.build, err = vugu.NewBuildEnv(p.env); err != nil {
		panic(err)
	}
	p.render()
}

// listen adds the listeners that live as long as the page.
func (p *page) listen() {
	p.listenFiles()
	p.listenDrag()
	p.listenPaste()
	p.listenKeys()
	p.listenResize()
	p.listenRemembered()
	p.listenPlace()
}

// expose gives the boot script what it calls when the page may start, and the outside its one function.
func (p *page) expose() {
	dom.Set(p.boot, "start", dom.Func(p.panicked, func(_ dom.Value, args []dom.Value) any {
		p.client.start(args[0])
		return nil
	}))
	api := dom.Object()
	dom.Set(api, "analysis", dom.Func(p.panicked, func(dom.Value, []dom.Value) any {
		return p.client.document()
	}))
	dom.Set(p.window, "contextscope", api)
}

// change runs f with Vugu's lock held and renders afterwards.
func (p *page) change(f func()) {
	p.env.Lock()
	defer p.env.UnlockRender()
	f()
}

// quiet runs f with Vugu's lock held; f asks for a render itself where one is due.
func (p *page) quiet(f func()) {
	p.env.Lock()
	defer p.env.UnlockOnly()
	f()
}

// panicked shows a mistake of ours. It runs outside of the lock.
func (p *page) panicked(panicked *dom.Panic) {
	go dom.Guard(func(again *dom.Panic) { p.giveUp(again.Error()) }, func() {
		p.change(func() { p.failed(panicked) })
	})
}

func (p *page) failed(panicked *dom.Panic) {
	p.state.Failed("Something in contextscope went wrong",
		panicked.Error()+". What is open stays open; this is a mistake in the program, not in your files.")
}

// giveUp ends the page with a sentence, where not even an error card can be rendered.
func (p *page) giveUp(detail string) {
	dom.Call(p.boot, "fail", "contextscope has stopped.", "Reload the page to go on. "+detail)
}
