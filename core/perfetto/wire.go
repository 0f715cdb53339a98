package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// Field numbers of the messages that are read.
const (
	tracePacket = 1 // Trace

	packetClockSnapshot   = 6 // TracePacket
	packetTimestamp       = 8
	packetSequence        = 10
	packetEvent           = 11
	packetTimestampClock  = 58
	packetTrackDescriptor = 60
	packetMachine         = 98

	eventAnnotation = 4 // TrackEvent
	eventType       = 9
	eventTrack      = 11
	eventCategory   = 22
	eventName       = 23
	eventCounter    = 30
	eventFlow       = 47
	eventFlowEnd    = 48

	trackUUID       = 1 // TrackDescriptor
	trackName       = 2
	trackProcess    = 3
	trackThread     = 4
	trackParent     = 5
	trackCounter    = 8
	trackStaticName = 10

	processPID   = 1 // ProcessDescriptor
	processName  = 6
	processLabel = 8

	threadPID = 1 // ThreadDescriptor
	threadTID = 2

	annotationBool   = 2 // DebugAnnotation
	annotationUint   = 3
	annotationInt    = 4
	annotationDouble = 5
	annotationString = 6
	annotationName   = 10
	annotationEntry  = 11
	annotationItem   = 12

	snapshotClock   = 1 // ClockSnapshot
	snapshotPrimary = 2

	clockID          = 1
	clockTimestamp   = 2
	clockIncremental = 3
	clockUnit        = 4
)

// Types of event.
const (
	typeBegin   = 1
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4
)

// harmless are members of a packet that say nothing about what it holds: flags, identities and state of the recorder.
var harmless = map[protowire.Number]bool{
	packetTimestamp: true, packetSequence: true, packetTimestampClock: true, packetMachine: true,
	3: true, 12: true, 13: true, 33: true, 35: true, 36: true, 41: true, 42: true, 45: true, 59: true, 69: true, 79: true,
	84: true, 87: true, 89: true,
}

// watch notes that something of the packet at hand is damaged.
type watch struct{ what string }

func (w *watch) note(what string) {
	if w != nil && w.what == "" {
		w.what = what
	}
}

// message walks over the fields of an encoded message.
type message struct {
	b []byte
	w *watch
	field
}

// field is one member of a message: a number, or bytes.
type field struct {
	num   protowire.Number
	typ   protowire.Type
	n     uint64
	bytes []byte
}

// next moves to the next field. What follows a field that cannot be told apart is lost.
func (m *message) next() bool {
	if len(m.b) == 0 {
		return false
	}
	num, typ, n := protowire.ConsumeTag(m.b)
	if n < 0 {
		m.broken()
		return false
	}
	m.b = m.b[n:]
	m.field = field{num: num, typ: typ}
	switch typ {
	case protowire.VarintType:
		m.n, n = protowire.ConsumeVarint(m.b)
	case protowire.Fixed64Type:
		m.n, n = protowire.ConsumeFixed64(m.b)
	case protowire.BytesType:
		m.bytes, n = protowire.ConsumeBytes(m.b)
	default:
		n = protowire.ConsumeFieldValue(num, typ, m.b)
	}
	if n < 0 {
		m.broken()
		return false
	}
	m.b = m.b[n:]
	return true
}

func (m *message) broken() {
	m.b = nil
	m.w.note("a field that cannot be read")
}

// is reports whether the field has the wire type that it must have.
func (m *message) is(t protowire.Type) bool {
	if m.typ != t {
		m.w.note("a field of the wrong type")
		return false
	}
	return true
}

func (m *message) isVarint() bool { return m.is(protowire.VarintType) }
func (m *message) isBytes() bool  { return m.is(protowire.BytesType) }
func (m *message) isFixed() bool  { return m.is(protowire.Fixed64Type) }

// inside walks over the message that the field holds.
func (m *message) inside() message { return message{b: m.bytes, w: m.w} }
