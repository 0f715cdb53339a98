//go:build js && wasm

package page

import (
	"contextscope/core/analysis"
	"contextscope/core/wire"
	"contextscope/ui"
	"contextscope/wasm/dom"
	"contextscope/wasm/message"
)

// client is the page's side of the session worker. It does one job at a time: what is dropped while one runs waits and
// is then opened together.
type client struct {
	*page
	makeWorker dom.Value
	worker     dom.Value
	ready      bool // the worker has been heard
	next       int
	running    *job
	restore    *job // to be done first by a new worker
	waiting    []*item
	leftOut    ui.LeftOut // by the folders that wait
	opened     []*item    // what is open; the inputs of analysis.List are theirs, in this order
	grown      []*item    // files that were told to have grown, by their numbers
	replace    *item      // what the next picked file of that name replaces
	questions  map[int]question
}

// job is an opening or a closing that the worker does.
type job struct {
	id       int
	items    []*item
	leftOut  ui.LeftOut
	reset    bool
	restored bool // reads again what was open in a worker that has ended
	failures []message.Failure
}

// question is something asked of the worker. answer runs with the lock held, and a render follows.
type question struct {
	kind   string
	answer func(body dom.Value)
	failed func(reason string) // for those that wait for an answer, whatever was asked since
}

func newClient(p *page) *client {
	return &client{page: p, questions: map[int]question{}}
}

// start makes the worker. The boot script calls it, after the second policy stands: only then does a worker inherit it.
func (c *client) start(makeWorker dom.Value) {
	c.makeWorker = makeWorker
	c.launch()
}

func (c *client) launch() {
	worker, err := c.makeWorker.Invoke()
	if err != nil {
		c.giveUp(err.Error())
		return
	}
	c.worker = worker
	c.on(worker, "message", func(event dom.Value) {
		if dom.Same(worker, c.worker) {
			c.receive(dom.Get(event, "data"))
		}
	})
	c.on(worker, "error", func(event dom.Value) {
		if dom.Same(worker, c.worker) {
			c.lost(dom.String(dom.Get(event, "message")))
		}
	})
}

// receive takes a message of the worker.
func (c *client) receive(m dom.Value) {
	id, body := dom.Int(dom.Get(m, "id")), dom.Get(m, "body")
	switch dom.String(dom.Get(m, "kind")) {
	case message.Ready:
		if !c.ready {
			c.openSession()
		}
		c.ready = true
		if j := c.restore; j != nil {
			c.restore = nil
			c.run(j)
		}
		c.begin()
		c.Render()
	case message.Progressed:
		var progress message.Progress
		if c.decoded(body, &progress) && c.running != nil && c.running.id == id {
			c.change(func() { c.state.Progressed(ui.Progress(progress)) })
		}
	case message.Again:
		var args message.AgainArgs
		if c.decoded(body, &args) {
			c.takeAgain(id, args.File)
		}
	case message.Failed:
		var failure message.Failure
		if c.decoded(body, &failure) {
			c.hearFailure(id, failure)
		}
	case message.Answer:
		c.hearAnswer(id, body)
	case message.Done:
		var outcome message.Outcome
		if c.decoded(body, &outcome) && c.running != nil && c.running.id == id {
			c.finish(outcome)
		}
	case message.Gone:
		c.lost("")
	}
}

// decoded reads a body. That it can't is a mistake in the program, as both ends are the same build.
func (c *client) decoded(body dom.Value, v any) bool {
	err := wire.Decode(dom.Bytes(body), v)
	if err != nil {
		c.panicked(&dom.Panic{Value: err})
	}
	return err == nil
}

// send posts a message, with files where there are some.
func (c *client) send(kind string, id int, body []byte, files ...dom.Value) {
	m := dom.Object()
	dom.Set(m, "kind", kind)
	dom.Set(m, "id", id)
	dom.Set(m, "body", dom.Uint8Array(body))
	dom.Set(m, "files", dom.Array(files...))
	dom.Call(c.worker, "postMessage", m)
}

// ask sends a question whose answer matters only as long as no newer one of its kind was asked.
func (c *client) ask(kind string, args any, answer func(dom.Value), failed func(string)) {
	c.next++
	for id, q := range c.questions {
		if q.kind == kind && failed == nil {
			delete(c.questions, id)
		}
	}
	c.questions[c.next] = question{kind: kind, answer: answer, failed: failed}
	c.send(kind, c.next, wire.Append(nil, args))
}

func (c *client) hearAnswer(id int, body dom.Value) {
	q, asked := c.questions[id]
	if !asked {
		return
	}
	delete(c.questions, id)
	c.change(func() { q.answer(body) })
}

// List asks for everything that is open.
func (p *page) List(window int64, done func(*analysis.List)) {
	p.client.ask(message.List, message.ListArgs{Window: window, Threshold: p.state.Threshold()}, func(body dom.Value) {
		var l *analysis.List
		if p.client.decoded(body, &l) && l != nil {
			done(l)
		}
	}, nil)
}

// Series asks for one session over time.
func (p *page) Series(session int, window int64, done func(*analysis.Series)) {
	p.chosenWindow = window
	args := message.SeriesArgs{Session: session, Window: window, Threshold: p.state.Threshold()}
	p.client.ask(message.Series, args, func(body dom.Value) {
		var s *analysis.Series
		if p.client.decoded(body, &s) && s != nil {
			done(s)
		}
	}, nil)
}

// Changes asks for a page of changes of one session.
func (p *page) Changes(session int, f analysis.ChangeFilter, done func(*analysis.ChangePage)) {
	p.client.ask(message.Changes, message.ChangesArgs{Session: session, Filter: f}, func(body dom.Value) {
		var changes *analysis.ChangePage
		if p.client.decoded(body, &changes) && changes != nil {
			done(changes)
		}
	}, nil)
}

// Pair asks for two sessions over time.
func (p *page) Pair(first, second int, window int64, done func(*analysis.Pair)) {
	args := message.PairArgs{First: first, Second: second, Window: window, Threshold: p.state.Threshold()}
	p.client.ask(message.Pair, args, func(body dom.Value) {
		var got *analysis.Pair
		if p.client.decoded(body, &got) && got != nil && got.First != nil && got.Second != nil {
			done(got)
		}
	}, nil)
}

// Spread asks where the context of one session went.
func (p *page) Spread(session int, q analysis.SpreadQuestion, done func(*analysis.Spread)) {
	p.client.ask(message.Spread, message.SpreadArgs{Session: session, Question: q}, func(body dom.Value) {
		var got *analysis.Spread
		if p.client.decoded(body, &got) && got != nil {
			done(got)
		}
	}, nil)
}

// Between asks what lies between two samples of one session.
func (p *page) Between(session int, q analysis.BetweenQuestion, done func(*analysis.Between)) {
	p.client.ask(message.Between, message.BetweenArgs{Session: session, Question: q}, func(body dom.Value) {
		var got *analysis.Between
		if p.client.decoded(body, &got) && got != nil {
			done(got)
		}
	}, nil)
}

// Review asks what the compactions of one session left.
func (p *page) Review(session int, q ui.ReviewQuestion, done func(*analysis.Review)) {
	args := message.ReviewArgs{Session: session, Threshold: p.state.Threshold(), Window: p.chosenWindow, Filter: q.Filter,
		Records: q.Records, Requests: q.Requests}
	p.client.ask(message.Review, args, func(body dom.Value) {
		var r *analysis.Review
		if p.client.decoded(body, &r) && r != nil {
			done(r)
		}
	}, nil)
}

// Note asks for the checkpoint of one session, or for the brief of a compaction of it.
func (p *page) Note(session, boundary int, done func(text string)) {
	args := message.NoteArgs{Session: session, Threshold: p.state.Threshold(), Boundary: boundary}
	p.client.ask(message.Note, args, func(body dom.Value) { done(string(dom.Bytes(body))) }, nil)
}

// Export asks for a session in a form that can be passed on.
func (p *page) Export(q ui.ExportQuestion, done func(text string)) {
	args := message.ExportArgs{Session: q.Session, Form: q.Form, Include: q.Include, Keep: q.Keep, Window: p.chosenWindow, Threshold: p.state.Threshold()}
	p.client.ask(message.Export, args, func(body dom.Value) { done(string(dom.Bytes(body))) }, nil)
}

// Record reads a record of an input from the person's file.
func (p *page) Record(input int, offset, length int64, done func(ui.Record)) {
	args := message.RecordArgs{Input: input, Offset: offset, Length: length}
	p.client.ask(message.Text, args, func(body dom.Value) {
		var r message.Record
		if p.client.decoded(body, &r) {
			done(ui.Record(r))
		}
	}, nil)
}

// document is the promise that window.contextscope.analysis() gives.
func (c *client) document() dom.Value {
	promise, resolve, reject := dom.Promise()
	if !c.ready {
		_, _ = reject.Invoke(dom.New("Error", "contextscope is still loading"))
		return promise
	}
	args := message.JSONArgs{Window: c.chosenWindow, Threshold: c.state.Threshold()}
	c.ask(message.JSON, args, func(body dom.Value) {
		text := dom.Call(dom.New("TextDecoder"), "decode", body)
		document, err := dom.Get(dom.Global(), "JSON").Call("parse", text)
		if err != nil {
			_, _ = reject.Invoke(dom.New("Error", "the document is no JSON: "+err.Error()))
			return
		}
		_, _ = resolve.Invoke(document)
	}, func(reason string) {
		_, _ = reject.Invoke(dom.New("Error", reason))
	})
	return promise
}
