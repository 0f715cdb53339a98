// Package byhand assembles traces for tests, byte by byte and from the description of the format alone. It shares nothing
// with the reader and the writer that it tests.
package byhand

import "math"

// Varint is a number in groups of seven bits, the lowest first. A negative one takes ten bytes.
func Varint(n uint64) []byte {
	var b []byte
	for n > 127 {
		b = append(b, byte(n&127)|128)
		n >>= 7
	}
	return append(b, byte(n))
}

// Num is a member that is a number.
func Num(field, n uint64) []byte { return append(Varint(field<<3), Varint(n)...) }

// Str is a member that is a string.
func Str(field uint64, s string) []byte {
	return append(append(Varint(field<<3|2), Varint(uint64(len(s)))...), s...)
}

// Msg is a member that is a message.
func Msg(field uint64, parts ...[]byte) []byte { return Str(field, string(Join(parts...))) }

// Fixed is a member of eight bytes.
func Fixed(field, n uint64) []byte {
	b := Varint(field<<3 | 1)
	for range 8 {
		b = append(b, byte(n))
		n >>= 8
	}
	return b
}

// Join puts pieces one behind the other.
func Join(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// Annotation is a value of an event, with a name unless it stands in a list.
type Annotation []byte

// Uint is an annotation that is a number.
func Uint(name string, n uint64) Annotation { return Join(Str(10, name), Num(3, n)) }

// Int is an annotation that is a number with a sign.
func Int(name string, n int64) Annotation { return Join(Str(10, name), Num(4, uint64(n))) }

// Bool is an annotation that is a flag.
func Bool(name string, v bool) Annotation {
	if v {
		return Join(Str(10, name), Num(2, 1))
	}
	return Join(Str(10, name), Num(2, 0))
}

// Double is an annotation that is a fraction.
func Double(name string, v float64) Annotation {
	return Join(Str(10, name), Fixed(5, math.Float64bits(v)))
}

// Text is an annotation that is a string.
func Text(name, v string) Annotation { return Join(Str(10, name), Str(6, v)) }

// Dict is an annotation that holds others by name.
func Dict(name string, entries ...Annotation) Annotation { return holding(11, name, entries) }

// List is an annotation that holds others in order; give them no names.
func List(name string, items ...Annotation) Annotation { return holding(12, name, items) }

func holding(field uint64, name string, all []Annotation) Annotation {
	var b []byte
	if name != "" {
		b = Str(10, name)
	}
	for _, a := range all {
		b = append(b, Msg(field, a)...)
	}
	return b
}

// Packets.

// Clock is the clock that an event uses, and the sequence of its packet.
type Clock struct{ ID, Sequence uint64 }

// Realtime counts nanoseconds since 1970.
var Realtime = Clock{1, 77}

// Packet is a packet of a trace.
func Packet(parts ...[]byte) []byte { return Msg(1, parts...) }

// Track describes a track.
func Track(uuid, parent uint64, name string, more ...[]byte) []byte {
	d := Num(1, uuid)
	if name != "" {
		d = append(d, Str(2, name)...)
	}
	if parent != 0 {
		d = append(d, Num(5, parent)...)
	}
	return Packet(Num(10, 77), Msg(60, append([][]byte{d}, more...)...))
}

// Process makes a track that of a process.
func Process(pid uint64, name string, labels ...string) []byte {
	b := Join(Num(1, pid), Str(6, name))
	for _, l := range labels {
		b = append(b, Str(8, l)...)
	}
	return Msg(3, b)
}

// Thread makes a track that of a thread.
func Thread(pid, tid uint64) []byte { return Msg(4, Num(1, pid), Num(2, tid)) }

// Counter makes a track that of a counter of tokens.
func Counter() []byte { return Msg(8, Num(3, 0), Str(6, "tokens"), Str(7, "llm.context.tokens")) }

func (c Clock) event(at, kind, track uint64, parts ...[]byte) []byte {
	body := Join(Num(9, kind), Num(11, track), Join(parts...))
	return Packet(Num(8, at), Num(10, c.Sequence), Msg(11, body), Num(58, c.ID))
}

// Flow is the id of a flow.
type Flow uint64

// members are what an event has beside its name: annotations and flows.
func members(parts []any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case Annotation:
			b = append(b, Msg(4, p)...)
		case Flow:
			b = append(b, Fixed(47, uint64(p))...)
		default:
			panic("an event has annotations and flows")
		}
	}
	return b
}

// Begin begins a slice.
func (c Clock) Begin(at, track uint64, category, name string, parts ...any) []byte {
	return c.event(at, 1, track, Str(22, category), Str(23, name), members(parts))
}

// End ends the innermost slice of a track.
func (c Clock) End(at, track uint64, parts ...any) []byte {
	return c.event(at, 2, track, members(parts))
}

// Instant is an event that takes no time.
func (c Clock) Instant(at, track uint64, category, name string, parts ...any) []byte {
	return c.event(at, 3, track, Str(22, category), Str(23, name), members(parts))
}

// Sample is a value of a counter.
func (c Clock) Sample(at, track, value uint64) []byte { return c.event(at, 4, track, Num(30, value)) }

// Clocks is a snapshot of clocks: their numbers and what they show, in pairs.
func Clocks(sequence, primary uint64, readings ...uint64) []byte {
	var b []byte
	for i := 0; i+1 < len(readings); i += 2 {
		b = append(b, Msg(1, Num(1, readings[i]), Num(2, readings[i+1]))...)
	}
	return Packet(Num(10, sequence), Msg(6, b, Num(2, primary)))
}
