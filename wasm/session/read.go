//go:build js && wasm

package session

import (
	"context"
	"errors"
	"io"
	"runtime"
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
	sources []origin          // of each of its inputs
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
	r := &reading{worker: w, ctx: ctx, job: j, library: w.library, sources: w.sources[:len(w.sources):len(w.sources)]}
	if j.reset {
		r.library, r.sources = adapters.NewLibrary(), nil
	}
	before := r.library.Len()
	outcome := message.Outcome{Brought: make([]int, len(j.inputs)), Cancelled: true}
	dom.Guard(func(p *dom.Panic) {
		w.fail(j.id, message.Failure{Kind: message.Panicked, File: r.name, Message: p.Error()})
	}, func() {
		outcome.Cancelled = !r.run(outcome.Brought)
	})
	if outcome.Cancelled {
		r.library.Forget(before)
		clear(outcome.Brought)
	}
	outcome.List = w.list
	w.post(message.Done, j.id, shown(outcome))
}

// run reads all files of the job and computes the analysis; false when it was cancelled. brought tells how many inputs each file
// brought that was read to its end.
func (r *reading) run(brought []int) bool {
	for _, in := range r.job.inputs {
		r.total += sizeOf(in.file)
	}
	defer r.pools[0].Clear()
	defer r.pools[1].Clear()
	var next *blob.Reader
	for i, in := range r.job.inputs {
		source := next
		if source == nil {
			source = r.source(i)
		}
		next = nil
		if i+1 < len(r.job.inputs) && source.Size() <= small {
			next = r.source(i + 1) // on its way while this one is read
		}
		before := r.library.Len()
		if r.file(in, source) {
			brought[i] = r.library.Len() - before
		}
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
	if r.done > large {
		runtime.GC() // what reading left behind goes before the sessions are made, or both are there at once
	}
	a := r.library.Settle()
	list := a.List(analysis.Options{})
	r.worker.library, r.analysis, r.list, r.worker.sources = r.library, a, *list, r.sources
	return true
}

// large is how much is read before it is worth its time to clean up in between. Measured with 2,000 sessions of 1 GB.
const large = 256 << 20

// small is the size up to which a file is so soon read that the next one is asked for before, so that its first block is on
// its way meanwhile.
const small = 16 << 20

// source asks for the first blocks of a file. Two of them may be on their way at a time.
func (r *reading) source(place int) *blob.Reader {
	return blob.New(r.ctx, r.pools[place%2], r.job.inputs[place].file, func() dom.Value { return r.again(place) })
}

// file reads one file. It reports whether all of it was read; why not, the page has been told.
func (r *reading) file(in input, source *blob.Reader) bool {
	r.name = nameOf(in)
	if time.Since(r.told) >= pace {
		r.tell("reading")
	}
	counted := &counter{reading: r, source: source}
	about := adapters.Input{Name: r.name, Path: in.path, Size: source.Size()}
	err := r.library.Read(about, counted)
	for len(r.sources) < r.library.Len() {
		r.sources = append(r.sources, origin{in.file, about})
	}
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
