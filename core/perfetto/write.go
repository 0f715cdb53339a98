package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// Fields that are only written.
const (
	trackSiblingMerge = 15

	counterUnit     = 3 // CounterDescriptor
	counterUnitName = 6
	counterShareKey = 7
)

// How tracks of one name that stand side by side are shown.
const (
	MergeByName = 1
	MergeNone   = 2
)

// Types of event, as they are written.
const (
	EventBegin = typeBegin
	EventEnd   = typeEnd
)

// realtime is the clock that counts nanoseconds since 1970; every event tells its time by it.
const (
	realtime = 1
	boottime = 6
)

// Writer puts a trace together, packet by packet.
type Writer struct {
	B        []byte
	Sequence uint64
}

// Args are annotations that are being put together. The zero value has none.
type Args struct{ b []byte }

func num(b []byte, field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

func str(b []byte, field protowire.Number, s string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), s)
}

func msg(b []byte, field protowire.Number, m []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), m)
}

func named(name string) []byte {
	if name == "" {
		return nil
	}
	return str(nil, annotationName, name)
}

// add adds an annotation as a member of an event.
func (a *Args) add(one []byte) { a.b = msg(a.b, eventAnnotation, one) }

// Entries are a dictionary or a list that is being put together.
type Entries struct {
	b    []byte
	list bool
}

func (e *Entries) add(one []byte) {
	field := protowire.Number(annotationEntry)
	if e.list {
		field = annotationItem
	}
	e.b = msg(e.b, field, one)
}

// adder is what annotations are added to.
type adder interface{ add(one []byte) }

// PutText adds a string.
func PutText(to adder, name, v string) { to.add(str(named(name), annotationString, v)) }

// PutInt adds an integer: unsigned where it can be.
func PutInt(to adder, name string, n int64) {
	if n >= 0 {
		to.add(num(named(name), annotationUint, uint64(n)))
		return
	}
	to.add(num(named(name), annotationInt, uint64(n)))
}

// PutBool adds a flag.
func PutBool(to adder, name string, v bool) {
	to.add(num(named(name), annotationBool, protowire.EncodeBool(v)))
}

// PutDict adds a dictionary.
func PutDict(to adder, name string, fill func(*Entries)) { hold(to, name, false, fill) }

// PutList adds a list.
func PutList(to adder, name string, fill func(*Entries)) { hold(to, name, true, fill) }

func hold(to adder, name string, list bool, fill func(*Entries)) {
	e := &Entries{b: named(name), list: list}
	fill(e)
	to.add(e.b)
}

func (w *Writer) packet(b []byte) { w.B = msg(w.B, tracePacket, b) }

// Clocks relates the clock of the events to that of the machine.
func (w *Writer) Clocks(at int64) {
	b := num(nil, packetSequence, w.Sequence)
	var s []byte
	for _, clock := range []uint64{realtime, boottime} {
		s = msg(s, snapshotClock, num(num(nil, clockID, clock), clockTimestamp, uint64(at)))
	}
	w.packet(msg(b, packetClockSnapshot, num(s, snapshotPrimary, realtime)))
}

func (w *Writer) track(b []byte) {
	w.packet(msg(num(nil, packetSequence, w.Sequence), packetTrackDescriptor, b))
}

// Process describes a process.
func (w *Writer) Process(uuid uint64, pid int64, name, label string) {
	p := str(str(num(nil, processPID, uint64(pid)), processName, name), processLabel, label)
	w.track(msg(num(nil, trackUUID, uuid), trackProcess, p))
}

// Row describes a track below another one. merge is 0 for the viewer's own way.
func (w *Writer) Row(uuid, parent uint64, name string, merge uint64) {
	b := num(str(num(nil, trackUUID, uuid), trackName, name), trackParent, parent)
	if merge > 0 {
		b = num(b, trackSiblingMerge, merge)
	}
	w.track(b)
}

// Counter describes a counter with a unit. Counters with one share key are drawn at one scale.
func (w *Writer) Counter(uuid, parent uint64, name, unit, shareKey string) {
	c := str(num(nil, counterUnit, 0), counterUnitName, unit)
	if shareKey != "" {
		c = str(c, counterShareKey, shareKey)
	}
	w.track(msg(num(str(num(nil, trackUUID, uuid), trackName, name), trackParent, parent), trackCounter, c))
}

// Event adds an event. Flows tie it to the others that have them.
func (w *Writer) Event(at int64, kind uint64, track uint64, category, name string, args *Args, flows ...uint64) {
	e := num(num(nil, eventType, kind), eventTrack, track)
	if category != "" {
		e = str(e, eventCategory, category)
	}
	if name != "" {
		e = str(e, eventName, name)
	}
	if args != nil {
		e = append(e, args.b...)
	}
	for _, f := range flows {
		e = protowire.AppendFixed64(protowire.AppendTag(e, eventFlow, protowire.Fixed64Type), f)
	}
	w.event(at, e)
}

// Sample adds a value of a counter.
func (w *Writer) Sample(at int64, track uint64, value int64) {
	w.event(at, num(num(num(nil, eventType, typeCounter), eventTrack, track), eventCounter, uint64(value)))
}

func (w *Writer) event(at int64, e []byte) {
	b := num(num(nil, packetTimestamp, uint64(max(at, 0))), packetSequence, w.Sequence)
	w.packet(num(msg(b, packetEvent, e), packetTimestampClock, realtime))
}
