//go:build js && wasm

package session

import (
	"context"
	"errors"
	"io"
	"time"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/wire"
	"contextscope/wasm/blob"
	"contextscope/wasm/dom"
	"contextscope/wasm/message"
)

// pace is how often the page hears where a reading stands.
const pace = 100 * time.Millisecond

// reading is a job under way.
type reading struct {
	*worker
	ctx     context.Context
	job     job
	library *adapters.Library // a new one where the job forgets what was open
	done    int64
	total   int64
	name    string
	told    time.Time
}

// read does a job from its begin to Done. Whatever happens, what was open before the job stays open unless it asked to
// forget it and came to its end.
func (w *worker) read(j job) {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	defer cancel()
	r := &reading{worker: w, ctx: ctx, job: j, library: w.library}
	if j.reset {
		r.library = adapters.NewLibrary()
	}
	before := r.library.Len()
	outcome := message.Outcome{Kept: make([]bool, len(j.inputs)), Cancelled: true}
	dom.Guard(func(p *dom.Panic) {
		w.fail(j.id, message.Failure{Kind: message.Panicked, File: r.name, Message: p.Error()})
	}, func() {
		outcome.Cancelled = !r.run(outcome.Kept)
	})
	if outcome.Cancelled {
		r.library.Forget(before)
		clear(outcome.Kept)
	}
	outcome.List = w.list
	w.post(message.Done, j.id, wire.Append(nil, outcome))
}

// run reads all files of the job and computes the analysis; false when it was cancelled. kept tells which were read to
// their end.
func (r *reading) run(kept []bool) bool {
	for _, in := range r.job.inputs {
		r.total += sizeOf(in.file)
	}
	for i, in := range r.job.inputs {
		kept[i] = r.file(in, i)
		if r.ctx.Err() != nil {
			return false
		}
	}
	r.name = ""
	r.tell("analysing")
	// One turn of the event loop lets a Cancel through before what cannot be stopped begins.
	time.Sleep(time.Millisecond)
	if r.ctx.Err() != nil {
		return false
	}
	a := r.library.Settle()
	list := a.List(analysis.Options{})
	r.worker.library, r.analysis, r.list = r.library, a, *list
	return true
}

// file reads one file; place is its place in the job. It reports whether all of it was read; why not, the page has been
// told.
func (r *reading) file(in input, place int) bool {
	r.name = nameOf(in)
	r.tell("reading")
	source := blob.New(r.ctx, r.pool, in.file, func() dom.Value { return r.again(place) })
	counted := &counter{reading: r, source: source}
	err := r.library.Read(adapters.Input{Name: r.name, Path: in.path, Size: source.Size()}, counted)
	switch {
	case err == nil:
		return true
	case r.ctx.Err() != nil:
	case errors.Is(err, blob.ErrGrown):
		r.fail(r.job.id, message.Failure{Kind: message.Grown, File: r.name, Message: err.Error()})
	default:
		r.fail(r.job.id, message.Failure{Kind: message.Unread, File: r.name, Message: err.Error()})
	}
	return false
}

// again asks the page for a file anew, which has its handle if there is one.
func (r *reading) again(place int) dom.Value {
	select {
	case <-r.retaken: // an answer that came after its question was given up
	default:
	}
	r.post(message.Again, r.job.id, wire.Append(nil, message.AgainArgs{File: place}))
	select {
	case file := <-r.retaken:
		return file
	case <-r.ctx.Done():
		return dom.Value{}
	}
}

// counter tells the page how much has been read.
type counter struct {
	*reading
	source io.Reader
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.source.Read(p)
	c.done += int64(n)
	if time.Since(c.told) >= pace {
		c.tell("reading")
	}
	return n, err
}

func (r *reading) tell(phase string) {
	r.told = time.Now()
	r.post(message.Progressed, r.job.id, wire.Append(nil, message.Progress{
		Phase: phase, File: r.name, Done: r.done, Total: max(r.total, r.done), Files: len(r.job.inputs),
	}))
}

func sizeOf(file dom.Value) int64 { return int64(dom.Float(dom.Get(file, "size"))) }

func nameOf(in input) string {
	if name := dom.String(dom.Get(in.file, "name")); name != "" {
		return name
	}
	return in.path
}
