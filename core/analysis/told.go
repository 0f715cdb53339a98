package analysis

import (
	"math"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// What a session told, and until when its context had it. A record tells something when it enters the context; what becomes
// of it at a boundary is settled when the first request after it is sampled, because what came back with the compaction is
// there by then.

// told is a record that has facts.
type told struct {
	input, record int32
	items         int32 // of it that are in the context now
	boundaries    int32 // how many came before it entered
	requests      int32
	left          int32 // boundary at which it left the context
	gone          int32 // boundary at which the person threw it away: a rewind, a clear
}

const never = math.MaxInt32

// attached is a file that the harness put into the context by itself.
type attached struct {
	path       journal.Ref
	boundaries int32
}

// telling is what a session keeps for its facts.
type telling struct {
	told     []told
	attached []attached
	ends     []ends // of each boundary that was settled
	index    map[spot]int32
	bare     []int32       // of told: records that put nothing into the context
	emptied  []int32       // of told: those of which the last item left since the last settling
	dropped  []journal.Ref // calls whose results left since then
	lost     []int32       // of told: what compactions took out
	spoke    spot          // the newest text of the model
}

// spot is a record of an input.
type spot struct{ input, record int32 }

// ends are how much had been told when the first request after a boundary was sampled.
type ends struct{ told, attached int32 }

// Tell notes a record that has facts and puts nothing into the context.
func (s *Session) Tell(input, record int32) {
	if !s.tells(input, record) {
		return
	}
	if i, fresh := s.tell(spot{input, record}); fresh {
		s.facts.bare = append(s.facts.bare, i)
	}
}

// tells reports whether a record has facts.
func (s *Session) tells(input, record int32) bool {
	in := s.analysis.Inputs[input]
	return int(record) < in.Records.Len() && in.Records.At(int(record)).Flags&journal.Telling != 0
}

func (s *Session) tell(at spot) (i int32, fresh bool) {
	f := &s.facts
	if i, ok := f.index[at]; ok {
		f.told[i].left, f.told[i].gone = never, never // a branch that was left comes back
		return i, false
	}
	if f.index == nil {
		f.index = map[spot]int32{}
	}
	i = int32(len(f.told))
	f.index[at] = i
	f.told = append(f.told, told{input: at.input, record: at.record, boundaries: int32(len(s.Boundaries)), requests: int32(len(s.Requests)), left: never, gone: never})
	return i, true
}

// enters notes what an item that enters the context brings along.
func (s *Session) enters(it *composition.Item) {
	if s.tells(it.Input, it.Record) {
		i, _ := s.tell(spot{it.Input, it.Record})
		s.facts.told[i].items++
	}
	switch {
	case it.ID.Prefix == composition.ToolResult:
		if c := s.CallNamed(it.ID.Name); c != nil {
			c.Left = 0
		}
	case it.Category == journal.Assistant && it.Source == composition.FromResponse && it.Call == 0 && it.Label == 0:
		s.facts.spoke = spot{it.Input, it.Record}
	case len(s.Boundaries) > len(s.facts.ends) && it.Source == composition.NoSource && it.Call == 0 &&
		(it.Category == journal.Results || it.Category == journal.Rules):
		s.attach(it)
	}
}

// attach notes a file that came into the context by itself after a boundary.
func (s *Session) attach(it *composition.Item) {
	in := s.analysis.Inputs[it.Input]
	if int(it.Record) >= in.Records.Len() {
		return
	}
	rec := in.Records.At(int(it.Record))
	for k := range int(rec.Parts) {
		if p := in.Part(rec, k); p.Kind == journal.Item && p.Detail != 0 && p.Units == it.Chars {
			s.facts.attached = append(s.facts.attached, attached{p.Detail, int32(len(s.Boundaries))})
		}
	}
}

// leaves notes what an item that leaves the context takes with it.
func (s *Session) leaves(it *composition.Item) {
	f := &s.facts
	if it.ID.Prefix == composition.ToolResult && it.ID.Name != 0 {
		f.dropped = append(f.dropped, it.ID.Name)
	}
	if i, ok := f.index[spot{it.Input, it.Record}]; ok {
		if f.told[i].items--; f.told[i].items == 0 {
			f.emptied = append(f.emptied, i)
		}
	}
}

// settleFacts finds out what the boundaries since the last request took out of the context. It takes time for what left.
func (s *Session) settleFacts() {
	f := &s.facts
	first := len(f.ends)
	for range s.Boundaries[first:] {
		f.ends = append(f.ends, ends{int32(len(f.told)), int32(len(f.attached))})
	}
	lost, thrown := -1, -1
	for i := first; i < len(s.Boundaries); i++ {
		switch s.Boundaries[i].Kind {
		case "compaction":
			lost = i
		case "rewind", "clear":
			thrown = i
		}
	}
	if cut := max(lost, thrown); cut >= 0 {
		if s.Boundaries[cut].Kind != "rewind" {
			for _, i := range f.bare {
				if int(f.told[i].boundaries) <= cut {
					f.emptied = append(f.emptied, i)
				}
			}
			f.bare = f.bare[:0]
		}
		s.settleLeft(lost, thrown)
		for _, id := range f.dropped {
			if c := s.CallNamed(id); c != nil && !s.tracker.Has(composition.ID{Prefix: composition.ToolResult, Name: id}) {
				c.Left = int32(cut) + 1
			}
		}
		f.emptied, f.dropped = f.emptied[:0], f.dropped[:0] // without a boundary they wait for one
	}
}

// settleLeft notes for the records that left at which boundary they did.
func (s *Session) settleLeft(lost, thrown int) {
	f := &s.facts
	for _, i := range f.emptied {
		t := &f.told[i]
		switch {
		case t.items > 0 || t.left != never || t.gone != never: // back again, or gone before
		case lost >= 0:
			t.left = int32(lost)
			f.lost = append(f.lost, i)
		default:
			t.gone = int32(thrown)
		}
	}
	if lost < 0 && s.Boundaries[thrown].Kind == "clear" {
		for _, i := range f.lost { // what an earlier compaction lost is of no use any more either
			if t := &f.told[i]; t.left != never && t.gone == never {
				t.gone = int32(thrown)
			}
		}
		f.lost = f.lost[:0]
	}
}
