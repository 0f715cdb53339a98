package perfetto

import (
	"bufio"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// MaxPacket is how large a packet may be. A prompt or the arguments of a call are cut at 64 KiB by recorders; what is far
// beyond that is damage.
const MaxPacket = 16 << 20

// packets reads a trace packet by packet.
type packets struct {
	r     *bufio.Reader
	body  []byte
	at    int64 // where the packet begins
	end   int64 // how much was read
	err   error // the reader's own
	cut   bool  // the trace breaks off inside a packet
	lost  bool  // what follows cannot be told apart into packets
	large int64
	other func(field protowire.Number)
}

// next reads a packet into body. Reports whether there was one.
func (p *packets) next() bool {
	for {
		p.at = p.end
		tag, ok := p.varint(true)
		if !ok {
			return false
		}
		num, typ := protowire.DecodeTag(tag)
		if num < protowire.MinValidNumber {
			p.lost = true
			return false
		}
		if num == tracePacket && typ == protowire.BytesType {
			n, ok := p.varint(false)
			if !ok {
				return false
			}
			if n > MaxPacket {
				p.large++
				if !p.skip(n) {
					return false
				}
				continue
			}
			return p.read(int(n))
		}
		if !p.pass(typ) {
			return false
		}
		p.other(num)
	}
}

// pass skips the value of a member that is no packet.
func (p *packets) pass(typ protowire.Type) bool {
	switch typ {
	case protowire.VarintType:
		_, ok := p.varint(false)
		return ok
	case protowire.Fixed32Type:
		return p.skip(4)
	case protowire.Fixed64Type:
		return p.skip(8)
	case protowire.BytesType:
		n, ok := p.varint(false)
		return ok && p.skip(n)
	}
	p.lost = true
	return false
}

// varint reads a number. The end of the trace may only stand in front of a packet.
func (p *packets) varint(first bool) (uint64, bool) {
	var b [10]byte
	for i := range b {
		c, err := p.r.ReadByte()
		if err != nil {
			if err != io.EOF {
				p.err = err
			} else {
				p.cut = !first || i > 0
			}
			return 0, false
		}
		p.end++
		b[i] = c
		if c < 0x80 {
			n, w := protowire.ConsumeVarint(b[:i+1])
			if w < 0 {
				break
			}
			return n, true
		}
	}
	p.lost = true
	return 0, false
}

func (p *packets) skip(n uint64) bool {
	for n > 0 {
		done, err := p.r.Discard(int(min(n, 1<<20)))
		n -= uint64(done)
		p.end += int64(done)
		if err != nil {
			p.failed(err)
			return false
		}
	}
	return true
}

// read takes a packet's bytes. Its buffer grows with what is there, not with what a length claims.
func (p *packets) read(n int) bool {
	p.body = p.body[:0]
	for len(p.body) < n {
		from := len(p.body)
		step := min(n-from, max(64<<10, from))
		p.body = slices.Grow(p.body, step)[:from+step]
		done, err := io.ReadFull(p.r, p.body[from:])
		p.end += int64(done)
		if err != nil {
			p.failed(err)
			return false
		}
	}
	return true
}

func (p *packets) failed(err error) {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		p.cut = true
		return
	}
	p.err = err
}
