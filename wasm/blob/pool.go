//go:build js && wasm

package blob

import (
	"contextscope/wasm/dom"

	"github.com/hack-pad/safejs"
)

// ahead counts the blocks asked for at one time: the one in use and the next two.
const ahead = 3

// Pool holds what is needed to have blocks on their way: made once for a worker and used by one Reader at a time.
//
// A worker of its own reads them, as blocks come in by many small steps that need their thread, and the thread of the
// program computes. Measured in Chromium on two cores, the program waited a fifth of its time when it read by itself.
type Pool struct {
	reader  dom.Value // a port to the reading worker
	slots   [ahead]slot
	asked   int       // number of the last block asked for
	uint8s  dom.Value // the Uint8Array class
	discard dom.Value // a closed message port: what is transferred to it is gone
}

// slot is a block on its way or arrived.
type slot struct {
	number  int           // of the block that it waits for, 0 for none
	arrived chan struct{} // holds one entry from the arrival until somebody takes it
	pending bool          // asked for, and the arrival not yet taken
	buffer  dom.Value     // the ArrayBuffer
	bytes   dom.Value     // all of it as a Uint8Array
	n       int
	err     *dom.Thrown
}

// NewPool makes a pool. reader is a port to the reading worker.
func NewPool(reader dom.Value, report func(*dom.Panic)) *Pool {
	channel := dom.New("MessageChannel")
	p := &Pool{
		reader:  reader,
		uint8s:  dom.Get(dom.Global(), "Uint8Array"),
		discard: dom.Get(channel, "port1"),
	}
	dom.Call(p.discard, "close")
	for i := range p.slots {
		p.slots[i].arrived = make(chan struct{}, 1)
	}
	dom.Listen(reader, "message", report, func(event dom.Value) { p.take(dom.Get(event, "data")) })
	dom.Call(reader, "start")
	return p
}

// take takes an answer of the reading worker. One that nobody waits for any more is dropped.
func (p *Pool) take(answer dom.Value) {
	number := dom.Int(dom.Get(answer, "number"))
	buffer := dom.Get(answer, "buffer")
	for i := range p.slots {
		s := &p.slots[i]
		if s.number != number {
			continue
		}
		s.number, s.buffer, s.err = 0, buffer, nil
		if thrown := dom.Get(answer, "thrown"); dom.Present(thrown) {
			s.err = dom.ThrownOf(thrown)
		}
		s.arrived <- struct{}{}
		return
	}
	p.drop(buffer)
}

// ask sends for the bytes of a file from one offset to another.
func (p *Pool) ask(s *slot, file dom.Value, from, to int64) {
	p.asked++
	s.number, s.pending, s.n = p.asked, true, int(to-from)
	question := dom.Object()
	dom.Set(question, "number", s.number)
	dom.Set(question, "file", file)
	dom.Set(question, "from", float64(from))
	dom.Set(question, "to", float64(to))
	dom.Call(p.reader, "postMessage", question)
}

// clear forgets all blocks, those on their way too.
func (p *Pool) clear() {
	for i := range p.slots {
		s := &p.slots[i]
		s.number, s.pending = 0, false
		select {
		case <-s.arrived:
		default:
		}
		p.free(s)
	}
}

// free gives a block's memory back now. Go drops its references to JavaScript's objects only when it collects garbage,
// and as scanning makes next to none, hundreds of blocks would pile up: so the buffer is transferred away.
func (p *Pool) free(s *slot) {
	p.drop(s.buffer)
	s.buffer, s.bytes = safejs.Undefined(), safejs.Undefined()
}

func (p *Pool) drop(buffer dom.Value) {
	if dom.Present(buffer) {
		dom.Call(p.discard, "postMessage", safejs.Null(), []any{buffer})
	}
}
