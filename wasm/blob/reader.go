//go:build js && wasm

// Package blob reads a browser's File as an io.Reader. It asks for blocks by slice() and keeps the next two on their way
// while one is being used, so that reading and analysing overlap; each byte is copied once, from the block into the
// caller's buffer. Cancelling the context makes Read return at once.
//
// A session that someone is still working in grows after it was picked, and then slice() fails in Chromium. The reader
// asks for the file again and goes on where it was; what it reads then ends where the newer file ends.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"

	"contextscope/wasm/dom"

	"github.com/hack-pad/safejs"
)

const (
	// block is the size of a block. Each costs about 2 ms on its way through the browser's processes, whatever its size:
	// measured in Chromium on two cores, 105 MB came with 350 MB/s by blocks of 512 KiB, 540 by 1 MiB, 950 by 4 MiB and
	// 1100 by 8 MiB.
	block = 4 << 20
	// retries bounds how often a file that keeps changing is taken again without a byte gained in between.
	retries = 5
)

// ErrGrown: the file has changed since it was picked and cannot be taken again.
var ErrGrown = errors.New("the file has grown or changed since it was picked")

// Again gives the file anew, or an undefined value where there is no handle for it. It may block.
type Again func() dom.Value

// Reader reads one File. The zero value is of no use; see New.
type Reader struct {
	ctx      context.Context
	pool     *Pool
	file     dom.Value
	size     int64
	again    Again
	head     int   // slot of the block in use
	off      int   // bytes of it handed out
	pos      int64 // offset in the file of the next byte to hand out
	asked    int64 // offset in the file of the next block to ask for
	failures int   // since the last byte gained
}

// New starts reading a file: the first blocks are asked for at once.
func New(ctx context.Context, pool *Pool, file dom.Value, again Again) *Reader {
	r := &Reader{ctx: ctx, pool: pool, again: again}
	r.use(file)
	return r
}

// Size is the size of the file as it was taken last.
func (r *Reader) Size() int64 { return r.size }

// use takes a file and asks for its blocks from the current position on.
func (r *Reader) use(file dom.Value) {
	r.pool.Clear()
	r.file = file
	r.size = int64(dom.Float(dom.Get(file, "size")))
	r.head, r.off, r.asked = 0, 0, r.pos
	for i := range r.pool.slots {
		r.ask(&r.pool.slots[i])
	}
}

// ask sends for the next block of the file, if there is one.
func (r *Reader) ask(s *slot) {
	if r.asked >= r.size {
		return
	}
	end := min(r.asked+block, r.size)
	r.pool.ask(s, r.file, r.asked, end)
	r.asked = end
}

// Read fills p as far as the current block goes.
func (r *Reader) Read(p []byte) (int, error) {
	for {
		if err := r.ctx.Err(); err != nil {
			return 0, err
		}
		if r.pos >= r.size {
			return 0, io.EOF
		}
		s := &r.pool.slots[r.head]
		if !s.pending {
			return r.copy(p, s)
		}
		select {
		case <-s.arrived:
			s.pending = false
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
		if err := r.open(s); err != nil {
			if err := r.retake(err); err != nil {
				return 0, err
			}
		}
	}
}

// open looks into a block that has arrived.
func (r *Reader) open(s *slot) error {
	if s.err != nil {
		return s.err
	}
	bytes, err := r.pool.uint8s.New(s.buffer)
	if err != nil {
		return err
	}
	if n, _ := bytes.Length(); n != s.n {
		return &dom.Thrown{Name: "NotReadableError", Message: fmt.Sprintf("%d bytes came instead of %d", n, s.n)}
	}
	s.bytes = bytes
	return nil
}

// copy hands out bytes of the block in use, and asks for another when it is used up.
func (r *Reader) copy(p []byte, s *slot) (int, error) {
	from := s.bytes
	if r.off > 0 {
		rest, err := s.bytes.Call("subarray", r.off)
		if err != nil {
			return 0, err
		}
		from = rest
	}
	n, err := safejs.CopyBytesToGo(p, from)
	if err != nil {
		return 0, err
	}
	r.off += n
	r.pos += int64(n)
	r.failures = 0
	if r.off == s.n {
		r.pool.free(s)
		r.off = 0
		r.head = (r.head + 1) % ahead
		r.ask(s)
	}
	return n, nil
}

// retake takes the file again after a failed block.
func (r *Reader) retake(cause error) error {
	var thrown *dom.Thrown
	if !errors.As(cause, &thrown) || thrown.Name != "NotReadableError" {
		return cause
	}
	r.failures++
	if r.failures > retries || r.again == nil {
		return ErrGrown
	}
	file := r.again()
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if !dom.Present(file) || int64(dom.Float(dom.Get(file, "size"))) < r.pos {
		return ErrGrown
	}
	r.use(file)
	return nil
}
