//go:build js && wasm

// Package session is the worker that holds everything that is open: it reads files, keeps their records, and answers
// what the page asks about them. One page has one of it. The messages are those of package message.
//
// Reading runs in one goroutine, block after block; between blocks the worker answers questions about what was open
// before and hears Cancel.
package session

import (
	"context"
	"runtime/debug"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/behavior"
	"contextscope/core/redact"
	"contextscope/core/wire"
	"contextscope/ui/report"
	"contextscope/wasm/blob"
	"contextscope/wasm/dom"
	"contextscope/wasm/message"
)

// gcPercent keeps the heap close to what is alive: memory is bounded per record, and the scan makes little garbage.
// Measured with 2,000 sessions of 1 GB: 328 MB with 50, 213 MB with 25, in the same time.
const gcPercent = 25

// reviewPercent holds while compactions are compared.
const reviewPercent = 100

// input is a file to read: the handle on its bytes, never the bytes.
type input struct {
	file dom.Value
	path string
}

type worker struct {
	scope    dom.Value
	pools    [2]*blob.Pool
	library  *adapters.Library
	analysis *analysis.Analysis // of the library, nil until something was opened
	list     analysis.List
	sources  []origin // of each input of the analysis
	opens    chan job // readings and closings, one after the other
	cancel   context.CancelFunc
	retaken  chan dom.Value // the page's answer to Again
}

// job is an Open or a Close.
type job struct {
	id     int
	reset  bool
	inputs []input
}

// Run listens for ever.
func Run() {
	debug.SetGCPercent(gcPercent)
	w := &worker{
		scope:   dom.Global(),
		library: adapters.NewLibrary(),
		opens:   make(chan job, 64),
		retaken: make(chan dom.Value, 1),
	}
	w.pools = blob.NewPools(dom.Get(w.scope, "contextscopeReader"), w.panicked)
	dom.Listen(w.scope, "message", w.panicked, func(event dom.Value) { w.receive(dom.Get(event, "data")) })
	w.post(message.Ready, 0, nil)
	w.warm()
	for j := range w.opens {
		w.read(j)
	}
}

// receive takes a message of the page. It answers at once or hands over to the reading goroutine; it never blocks.
func (w *worker) receive(m dom.Value) {
	id := dom.Int(dom.Get(m, "id"))
	body := dom.Bytes(dom.Get(m, "body"))
	switch dom.String(dom.Get(m, "kind")) {
	case message.Open:
		var args message.OpenArgs
		if w.decoded(body, &args) {
			w.opens <- job{id: id, reset: args.Reset, inputs: inputsOf(m, args.Paths)}
		}
	case message.Close:
		w.opens <- job{id: id, reset: true}
	case message.Cancel:
		if w.cancel != nil {
			w.cancel()
		}
	case message.Again:
		file := dom.Value{}
		dom.Each(dom.Get(m, "files"), func(f dom.Value) { file = f })
		select {
		case w.retaken <- file:
		default: // the reading that asked was cancelled meanwhile
		}
	case message.List:
		var args message.ListArgs
		if w.decoded(body, &args) && w.analysis != nil {
			w.answer(id, func() []byte {
				return shown(w.analysis.List(analysis.Options{Window: args.Window, Threshold: args.Threshold}))
			})
		}
	case message.Series:
		var args message.SeriesArgs
		if w.decoded(body, &args) {
			w.answer(id, func() []byte { return shown(w.series(args)) })
		}
	case message.Changes:
		var args message.ChangesArgs
		if w.decoded(body, &args) {
			w.answer(id, func() []byte { return shown(w.changes(args)) })
		}
	case message.Review:
		var args message.ReviewArgs
		if w.decoded(body, &args) {
			w.answer(id, func() []byte { return shown(w.review(args)) })
		}
	case message.Pair:
		var args message.PairArgs
		if w.decoded(body, &args) && w.analysis != nil {
			w.answer(id, func() []byte { return shown(w.pair(args)) })
		}
	case message.Spread:
		var args message.SpreadArgs
		if w.decoded(body, &args) && w.analysis != nil {
			w.answer(id, func() []byte { return shown(w.analysis.Spread(args.Session, args.Question)) })
		}
	case message.Between:
		var args message.BetweenArgs
		if w.decoded(body, &args) && w.analysis != nil {
			w.answer(id, func() []byte { return shown(w.analysis.Between(args.Session, args.Question)) })
		}
	case message.Export:
		var args message.ExportArgs
		if w.decoded(body, &args) && w.analysis != nil {
			w.answer(id, func() []byte {
				return report.Make(w.analysis, args.Session, args.Form, analysis.Options{Window: args.Window, Threshold: args.Threshold, Include: args.Include, Keep: args.Keep})
			})
		}
	case message.Note:
		var args message.NoteArgs
		if w.decoded(body, &args) {
			w.answer(id, func() []byte { return w.note(args) })
		}
	case message.Text:
		var args message.RecordArgs
		if w.decoded(body, &args) {
			w.record(id, args)
		}
	case message.JSON:
		var args message.JSONArgs
		if w.decoded(body, &args) {
			w.answer(id, func() []byte { return w.document(args) })
		}
	}
}

func inputsOf(m dom.Value, paths []string) []input {
	var inputs []input
	dom.Each(dom.Get(m, "files"), func(file dom.Value) {
		in := input{file: file}
		if len(inputs) < len(paths) {
			in.path = paths[len(inputs)]
		}
		inputs = append(inputs, in)
	})
	return inputs
}

func (w *worker) series(args message.SeriesArgs) *analysis.Series {
	if w.analysis == nil {
		return nil
	}
	return w.analysis.Series(args.Session, analysis.Options{Window: args.Window, Threshold: args.Threshold})
}

func (w *worker) pair(args message.PairArgs) *analysis.Pair {
	o := analysis.Options{Window: args.Window, Threshold: args.Threshold}
	return &analysis.Pair{First: w.analysis.Series(args.First, o), Second: w.analysis.Series(args.Second, o)}
}

func (w *worker) changes(args message.ChangesArgs) *analysis.ChangePage {
	if w.analysis == nil {
		return nil
	}
	return w.analysis.Changes(args.Session, args.Filter)
}

func (w *worker) review(args message.ReviewArgs) *analysis.Review {
	if w.analysis == nil {
		return nil
	}
	// What a comparison leaves behind is little, and most of it goes again: cleaning up in between took a third of its time.
	debug.SetGCPercent(reviewPercent)
	defer debug.SetGCPercent(gcPercent)
	return w.analysis.Review(args.Session, args.Filter, analysis.Options{Window: args.Window, Threshold: args.Threshold,
		BehaviorWindow: behavior.Window{N: args.Records, Requests: args.Requests}})
}

// note is the checkpoint of a session, or the brief of one of its compactions.
func (w *worker) note(args message.NoteArgs) []byte {
	if w.analysis == nil || args.Session < 0 || args.Session >= len(w.analysis.Sessions) {
		return nil
	}
	s := w.analysis.Sessions[args.Session]
	if args.Boundary < 0 {
		return []byte(redact.Secrets(string(w.analysis.Checkpoint(s))))
	}
	return []byte(redact.Secrets(string(w.analysis.BriefOf(s, args.Boundary, args.Threshold))))
}

func (w *worker) document(args message.JSONArgs) []byte {
	a := w.analysis
	if a == nil {
		a = adapters.NewLibrary().Settle()
	}
	return a.AppendJSON(nil, analysis.Options{Window: args.Window, Threshold: args.Threshold})
}

func (w *worker) decoded(body []byte, v any) bool {
	if err := wire.Decode(body, v); err != nil {
		w.fail(0, message.Failure{Kind: message.Panicked, Message: err.Error()})
		return false
	}
	return true
}

// shown is an answer as it goes to the screen: with all that a journal holds, but for secrets.
func shown(v any) []byte { return wire.AppendText(nil, v, redact.Secrets) }

// answer computes an answer and sends it; a question that makes us panic is answered with a failure.
func (w *worker) answer(id int, compute func() []byte) {
	dom.Guard(func(p *dom.Panic) {
		w.fail(id, message.Failure{Kind: message.Panicked, Message: p.Error()})
	}, func() { w.post(message.Answer, id, compute()) })
}

// fail tells the page what went wrong with the job or the question of that number.
func (w *worker) fail(id int, f message.Failure) { w.post(message.Failed, id, wire.Append(nil, f)) }

func (w *worker) panicked(p *dom.Panic) {
	w.fail(0, message.Failure{Kind: message.Panicked, Message: p.Error()})
}

// post sends a message to the page; the body's bytes are handed over, not copied again.
func (w *worker) post(kind string, id int, body []byte) {
	m := dom.Object()
	dom.Set(m, "kind", kind)
	dom.Set(m, "id", id)
	bytes := dom.Uint8Array(body)
	dom.Set(m, "body", bytes)
	dom.Call(w.scope, "postMessage", m, dom.Array(dom.Get(bytes, "buffer")))
}
