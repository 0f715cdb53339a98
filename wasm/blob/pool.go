//go:build js && wasm

package blob

import (
	"contextscope/wasm/dom"

	"github.com/hack-pad/safejs"
)

// ahead counts the blocks asked for at one time: the one in use and the next two.
const ahead = 3

// Pool holds what is needed to have blocks on their way: made once for a worker and used by one Reader at a time.
type Pool struct {
	*line
	slots [ahead]slot
}

// line is the way to the worker that reads blocks. It is a worker of its own, as blocks come in by many small steps that need
// their thread, and the thread of the program computes. Measured in Chromium on two cores, the program waited a fifth of its
// time when it read by itself.
type line struct {
	reader  dom.Value // a port to the reading worker
	asked   int       // number of the last block asked for
	waiting map[int]*slot
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

// NewPools makes two pools, so that the first blocks of one file are on their way while another is being read. reader is a
// port to the reading worker.
func NewPools(reader dom.Value, report func(*dom.Panic)) [2]*Pool {
	channel := dom.New("MessageChannel")
	l := &line{
		reader:  reader,
		waiting: map[int]*slot{},
		uint8s:  dom.Get(dom.Global(), "Uint8Array"),
		discard: dom.Get(channel, "port1"),
	}
	dom.Call(l.discard, "close")
	dom.Listen(reader, "message", report, func(event dom.Value) { l.take(dom.Get(event, "data")) })
	dom.Call(reader, "start")
	var pools [2]*Pool
	for i := range pools {
		pools[i] = &Pool{line: l}
		for k := range pools[i].slots {
			pools[i].slots[k].arrived = make(chan struct{}, 1)
		}
	}
	return pools
}

// take takes an answer of the reading worker. One that nobody waits for any more is dropped.
func (l *line) take(answer dom.Value) {
	number := dom.Int(dom.Get(answer, "number"))
	buffer := dom.Get(answer, "buffer")
	s, ok := l.waiting[number]
	if !ok {
		l.drop(buffer)
		return
	}
	delete(l.waiting, number)
	s.number, s.buffer, s.err = 0, buffer, nil
	if thrown := dom.Get(answer, "thrown"); dom.Present(thrown) {
		s.err = dom.ThrownOf(thrown)
	}
	s.arrived <- struct{}{}
}

// ask sends for the bytes of a file from one offset to another.
func (l *line) ask(s *slot, file dom.Value, from, to int64) {
	l.asked++
	s.number, s.pending, s.n = l.asked, true, int(to-from)
	l.waiting[s.number] = s
	question := dom.Object()
	dom.Set(question, "number", s.number)
	dom.Set(question, "file", file)
	dom.Set(question, "from", float64(from))
	dom.Set(question, "to", float64(to))
	dom.Call(l.reader, "postMessage", question)
}

// Clear forgets all blocks, those on their way too.
func (p *Pool) Clear() {
	for i := range p.slots {
		s := &p.slots[i]
		delete(p.waiting, s.number)
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
func (l *line) free(s *slot) {
	l.drop(s.buffer)
	s.buffer, s.bytes = safejs.Undefined(), safejs.Undefined()
}

func (l *line) drop(buffer dom.Value) {
	if dom.Present(buffer) {
		dom.Call(l.discard, "postMessage", safejs.Null(), []any{buffer})
	}
}
