package perfetto

import (
	"bufio"
	"io"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"

	"contextscope/core/journal"
)

// Config says what to keep of a trace.
type Config struct {
	Strings *journal.Strings
	// Annotate is handed each annotation of a slice: those of the event that begins it, then those of the one that ends it.
	Annotate func(t *Trace, slice int32, end bool, a *Annotation)
	// Counter says whether the samples of a counter of that name are wanted.
	Counter func(name string) bool
	// Unknown counts what is of another kind.
	Unknown func(kind string)
}

// Read reads a trace to its end. An error is the reader's own.
func Read(in io.Reader, c Config) (*Trace, error) {
	t := &Trace{index: map[uint64]int32{}, open: map[int32]int32{}}
	t.clocks.primary = Boottime
	d := &decoder{Config: c, t: t, replay: replay{heads: map[uint64]int{}}}
	p := &packets{r: bufio.NewReaderSize(in, 64<<10)}
	p.other = func(n protowire.Number) { d.unknown("trace field ", n) }
	for p.next() {
		t.Packets++
		if d.replay.again(p.body) {
			t.Repeated++
			continue
		}
		d.packet(p)
	}
	t.Bytes, t.Cut, t.Large = p.end, p.cut, p.large
	if p.lost {
		t.fault(p.at, "something that is no packet; what follows cannot be read")
	}
	t.clocks.settle()
	return t, p.err
}

// decoder reads the packets of one trace.
type decoder struct {
	Config
	t *Trace
	replay
	w        watch
	sequence uint32 // of the packet at hand
	machine  uint32
	at       Stamp
	offset   int64
	length   uint32
}

func (d *decoder) unknown(what string, n protowire.Number) {
	if d.Unknown != nil {
		d.Unknown(what + strconv.Itoa(int(n)))
	}
}

// packet reads one packet. What it says about itself may stand behind its content.
func (d *decoder) packet(p *packets) {
	d.w = watch{}
	d.offset, d.length = p.at, uint32(p.end-p.at)
	d.sequence, d.machine, d.at = 0, 0, Stamp{Clock: -1}
	var content, other field
	at, clock := uint64(math.MaxUint64), uint64(0)
	for m := (message{b: p.body, w: &d.w}); m.next(); {
		switch m.num {
		case packetTimestamp:
			if m.isVarint() {
				at = m.n
			}
		case packetTimestampClock:
			if m.isVarint() {
				clock = m.n
			}
		case packetSequence:
			if m.isVarint() {
				d.sequence = uint32(m.n)
			}
		case packetMachine:
			if m.isVarint() {
				d.machine = uint32(m.n)
			}
		case packetEvent, packetTrackDescriptor, packetClockSnapshot:
			if m.isBytes() {
				content = m.field
			}
		default:
			if !harmless[m.num] {
				other = m.field
			}
		}
	}
	if clock == 0 || clock > math.MaxUint32 {
		clock = uint64(d.t.clocks.primary)
	}
	if at <= maxStamp {
		d.at = Stamp{int64(at), d.t.clocks.of(clockKey{d.machine, uint32(clock), d.sequence})}
	}
	m := message{b: content.bytes, w: &d.w}
	switch {
	case content.num == packetEvent:
		d.event(m)
	case content.num == packetTrackDescriptor:
		d.track(m)
	case content.num == packetClockSnapshot:
		d.t.clocks.snapshot(m, d.machine, d.sequence)
	case other.num != 0:
		d.unknown("packet field ", other.num)
	}
	d.keep(p.body, content.num == packetTrackDescriptor)
	if d.w.what != "" {
		d.t.fault(d.offset, d.w.what)
	}
}

// track reads a descriptor. One that comes again adds to what is known.
func (d *decoder) track(m message) {
	var tr Track
	for m.next() {
		switch m.num {
		case trackUUID:
			if m.isVarint() {
				tr.UUID = m.n
			}
		case trackParent:
			if m.isVarint() {
				tr.Parent = m.n
			}
		case trackName, trackStaticName:
			if m.isBytes() {
				tr.Name = d.Strings.Put(m.bytes)
			}
		case trackCounter:
			tr.Counter = true
		case trackProcess:
			if m.isBytes() {
				tr.Process = true
				d.process(m.inside(), &tr)
			}
		case trackThread:
			if m.isBytes() {
				tr.Thread = true
				for k := m.inside(); k.next(); {
					if k.num == threadPID && k.isVarint() {
						tr.PID = int64(k.n)
					}
				}
			}
		}
	}
	old := &d.t.Tracks[d.t.track(tr.UUID)]
	if tr.Labels == nil {
		tr.Labels = old.Labels
	}
	if tr.Name == 0 {
		tr.Name = old.Name
	}
	if tr.Parent == 0 {
		tr.Parent = old.Parent
	}
	tr.Process, tr.Thread, tr.Known = tr.Process || old.Process, tr.Thread || old.Thread, true
	*old = tr
}

func (d *decoder) process(m message, tr *Track) {
	for m.next() {
		switch m.num {
		case processPID:
			if m.isVarint() {
				tr.PID = int64(m.n)
			}
		case processName:
			if m.isBytes() {
				tr.Program = d.Strings.Put(m.bytes)
			}
		case processLabel:
			if m.isBytes() {
				tr.Labels = append(tr.Labels, d.Strings.Put(m.bytes))
			}
		}
	}
}

// event reads a track event. Its annotations and flows wait until it is known which slice they belong to.
func (d *decoder) event(m message) {
	body := m.b
	var kind, uuid, value uint64
	var name, category journal.Ref
	for m.next() {
		switch m.num {
		case eventType:
			if m.isVarint() {
				kind = m.n
			}
		case eventTrack:
			if m.isVarint() {
				uuid = m.n
			}
		case eventCounter:
			if m.isVarint() {
				value = m.n
			}
		case eventName:
			if m.isBytes() {
				name = d.Strings.Put(m.bytes)
			}
		case eventCategory:
			if m.isBytes() && category == 0 {
				category = d.Strings.Put(m.bytes)
			}
		case eventAnnotation:
			m.isBytes()
		case eventFlow, eventFlowEnd:
			m.isFixed()
		}
	}
	t := d.t
	track := t.track(uuid)
	slice := int32(-1)
	switch kind {
	case typeBegin, typeInstant:
		slice = d.begin(track, kind == typeInstant, name, category)
	case typeEnd:
		if slice = d.end(track); slice < 0 {
			d.w.note("an end without a beginning")
			return
		}
	case typeCounter:
		if tr := &t.Tracks[track]; !tr.Known || d.Counter == nil || d.Counter(d.Strings.Get(tr.Name)) {
			t.Samples.Append(Sample{d.at, int64(value), track})
		}
		return
	default:
		d.unknown("event type ", protowire.Number(min(kind, 1<<29)))
		return
	}
	d.attach(body, slice, kind == typeEnd)
}

func (d *decoder) begin(track int32, instant bool, name, category journal.Ref) int32 {
	s := Slice{Begin: d.at, End: d.at, Offset: d.offset, EndAt: d.offset, Length: d.length, EndLen: d.length, Name: name,
		Category: category, Track: track, Parent: -1}
	if around, ok := d.t.open[track]; ok {
		s.Parent = around
	}
	if instant {
		s.State = Instant
	}
	i := int32(d.t.Slices.Append(s))
	if !instant {
		d.t.open[track] = i
	}
	return i
}

// end closes the innermost slice of a track.
func (d *decoder) end(track int32) int32 {
	i, ok := d.t.open[track]
	if !ok {
		return -1
	}
	s := d.t.Slices.At(int(i))
	s.End, s.EndAt, s.EndLen, s.State = d.at, d.offset, d.length, Closed
	if s.Parent >= 0 {
		d.t.open[track] = s.Parent
	} else {
		delete(d.t.open, track)
	}
	return i
}

// attach hands the annotations of an event over and keeps its flows.
func (d *decoder) attach(body []byte, slice int32, end bool) {
	for m := (message{b: body}); m.next(); {
		switch {
		case m.num == eventAnnotation && m.typ == protowire.BytesType && d.Annotate != nil:
			a := annotation(m.bytes, &d.w)
			d.Annotate(d.t, slice, end, &a)
		case (m.num == eventFlow || m.num == eventFlowEnd) && m.typ == protowire.Fixed64Type:
			d.t.Flows = append(d.t.Flows, Flow{m.n, slice})
		}
	}
}
