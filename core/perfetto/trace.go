package perfetto

import (
	"contextscope/core/journal"
)

// Trace is what was read of a trace. Indexes are those of its own lists.
type Trace struct {
	Tracks  []Track
	Slices  journal.Column[Slice] // in the order in which they begin in the file: a slice stands behind the one around it
	Samples journal.Column[Sample]
	Flows   []Flow

	Bytes    int64
	Packets  int64
	Repeated int64   // packets that stood there before
	Large    int64   // packets that were passed over because of their size
	Cut      bool    // it breaks off inside a packet
	Broken   int64   // packets with damage in them, and a place where it cannot be read on
	Faults   []Fault // where, as many as a person can use

	clocks clocks
	index  map[uint64]int32 // track by its uuid
	open   map[int32]int32  // track -> innermost slice that is open
}

// Track is a row of a trace.
type Track struct {
	UUID    uint64
	Parent  uint64 // uuid, 0 for none
	Name    journal.Ref
	PID     int64 // of the process or thread that it stands for, 0 for none
	Process bool
	Thread  bool
	Counter bool
	Known   bool // it was described, not only mentioned
	Program journal.Ref
	Labels  []journal.Ref // of the process
}

// Slice is something that took time on a track, or an instant.
type Slice struct {
	Begin    Stamp
	End      Stamp // that of Begin for an instant, and where it never ended
	Offset   int64 // packet that begins it
	EndAt    int64 // offset of the packet that ends it
	Name     journal.Ref
	Category journal.Ref
	Track    int32
	Parent   int32 // the slice around it on the same track, -1 for none
	Length   uint32
	EndLen   uint32
	State    State
}

// State says how a slice ended.
type State uint8

// The states.
const (
	Open State = iota // never: the recording ended first
	Closed
	Instant
)

// Sample is a value of a counter.
type Sample struct {
	At    Stamp
	Value int64
	Track int32
}

// Flow says that a slice has to do with the others that have the same id; time tells the direction.
type Flow struct {
	ID    uint64
	Slice int32
}

// Fault is a place that could not be read.
type Fault struct {
	Offset int64
	What   string
}

// MaxFaults is how many faults are listed; the others are counted.
const MaxFaults = 20

// Fit gives back the memory that a trace which was read to its end does not use.
func (t *Trace) Fit() {
	t.Slices.Fit()
	t.Samples.Fit()
	t.open = nil
}

// Track finds a track by its uuid, -1 when nothing mentions it.
func (t *Trace) Track(uuid uint64) int32 {
	if i, ok := t.index[uuid]; ok {
		return i
	}
	return -1
}

// Time converts a moment into unix nanoseconds; ok is false when no clock snapshot tells how.
func (t *Trace) Time(s Stamp) (ns int64, ok bool) { return t.clocks.unix(s) }

func (t *Trace) track(uuid uint64) int32 {
	i, ok := t.index[uuid]
	if !ok {
		i = int32(len(t.Tracks))
		t.index[uuid] = i
		t.Tracks = append(t.Tracks, Track{UUID: uuid})
	}
	return i
}

func (t *Trace) fault(offset int64, what string) {
	t.Broken++
	if len(t.Faults) < MaxFaults {
		t.Faults = append(t.Faults, Fault{offset, what})
	}
}
