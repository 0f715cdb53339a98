package analysis

import (
	"cmp"
	"sort"

	"contextscope/core/behavior"
	"contextscope/core/compaction"
	"contextscope/core/journal"
)

// Some recorders keep several chains of requests in one session, each with a context of its own. Here every such stream is
// a Session, so that no context is mixed with another one: the main stream stands for the whole, and the side streams are
// listed as its children. Only the document puts them together again.

// NewStream begins a side stream of a session that NewSession began. Its id and its parent are settled by Arrange.
func (a *Analysis) NewStream(of *Session, name string, input int) *Session {
	s := a.NewSession(of.Harness, "", input)
	s.Stream, s.StreamOf, s.Role = name, of, name
	return s
}

// whole is the session that a stream belongs to: itself for all but side streams.
func (s *Session) whole() *Session {
	if s.StreamOf != nil {
		return s.StreamOf
	}
	return s
}

// streamName is how the document calls it.
func (s *Session) streamName() string {
	if s.Stream == "" {
		return "main"
	}
	return s.Stream
}

// entry is the i-th request, call, snapshot or boundary of a stream.
type entry struct {
	of *Session
	i  int
}

// joined is a session with all its streams as the document has it: one list of each kind, in the order of time.
type joined struct {
	streams                    []*Session
	requests, calls, snapshots []entry
	cuts                       []entry
	cutsOf                     map[*Session][]compaction.Boundary
	windows                    map[*Session]*windows
	diffs                      map[*Session]map[int]*behavior.Diff // of the boundaries by their place in cutsOf
	children                   map[journal.Ref]int
	number                     [OnCompaction + 1]map[entry]int // of an entry in its list; nil where the numbers are the stream's own
}

// groups are the chosen sessions, each with all its streams. To choose a stream is to choose its session.
func (a *Analysis) groups(chosen []int) [][]*Session {
	place := map[*Session]int{}
	var out [][]*Session
	choose := func(s *Session) {
		if _, ok := place[s]; !ok {
			place[s] = len(out)
			out = append(out, []*Session{s})
		}
	}
	if chosen == nil {
		for _, s := range a.Sessions {
			choose(s.whole())
		}
	}
	for _, i := range chosen {
		choose(a.Sessions[i].whole())
	}
	for _, s := range a.Sessions {
		if g, ok := place[s.whole()]; ok && s.StreamOf != nil {
			out[g] = append(out[g], s)
		}
	}
	return out
}

// join makes one session of its streams.
func (d *document) join(streams []*Session) *joined {
	j := &joined{streams: streams, windows: map[*Session]*windows{}, cutsOf: map[*Session][]compaction.Boundary{},
		children: d.started[streams[0].ID]}
	for _, s := range streams {
		j.windows[s] = d.a.windows(s, d.o.Window)
		j.cutsOf[s] = s.listed(d.o.threshold())
	}
	if d.o.Behavior {
		j.compare(d)
	}
	j.requests = j.inTime(func(s *Session) int { return len(s.Requests) },
		func(s *Session, i int) (int64, journal.Source) { return s.Requests[i].At, s.Requests[i].Source })
	j.calls = j.inTime(func(s *Session) int { return len(s.Calls) },
		func(s *Session, i int) (int64, journal.Source) { return s.Calls[i].At, s.Calls[i].Source })
	j.snapshots = j.inTime(func(s *Session) int { return len(s.Snapshots) },
		func(s *Session, i int) (int64, journal.Source) { return s.Snapshots[i].At, s.Snapshots[i].Source })
	j.cuts = j.inTime(func(s *Session) int { return len(j.cutsOf[s]) },
		func(s *Session, i int) (int64, journal.Source) { return s.moment(&j.cutsOf[s][i]) })
	if len(streams) > 1 {
		j.number[OnRequest], j.number[OnCall] = numbers(j.requests), numbers(j.calls)
	}
	j.number[OnCompaction] = make(map[entry]int, len(j.cuts))
	for i, e := range j.cuts {
		j.number[OnCompaction][entry{e.of, j.cutsOf[e.of][e.i].Mark}] = i
	}
	return j
}

// compare makes what changed with each compaction.
func (j *joined) compare(d *document) {
	j.diffs = map[*Session]map[int]*behavior.Diff{}
	for _, s := range j.streams {
		j.diffs[s] = map[int]*behavior.Diff{}
		for _, diff := range d.a.behavior(s, j.cutsOf[s], d.o) {
			j.diffs[s][diff.Cut.Boundary] = &diff
		}
	}
}

// findings are those of all streams, one after the other.
func (j *joined) findings(d *document) []Finding {
	var out []Finding
	for _, s := range j.streams {
		found, _ := d.a.Findings(s, d.o)
		out = append(out, found...)
	}
	return out
}

// span is the time that the streams take together.
func span(streams []*Session) (started, ended int64) {
	for _, s := range streams {
		if s.StartedAt != 0 && (started == 0 || s.StartedAt < started) {
			started = s.StartedAt
		}
		ended = max(ended, s.EndedAt)
	}
	return started, ended
}

// sources are the inputs of all streams, each once.
func sources(streams []*Session) []int {
	if len(streams) == 1 {
		return streams[0].Inputs
	}
	var out []int
	seen := map[int]bool{}
	for _, s := range streams {
		for _, i := range s.Inputs {
			if !seen[i] {
				seen[i] = true
				out = append(out, i)
			}
		}
	}
	return out
}

// moment is when a boundary was, and where that stands.
func (s *Session) moment(c *compaction.Boundary) (int64, journal.Source) {
	if c.Mark >= 0 {
		return s.Boundaries[c.Mark].At, s.Boundaries[c.Mark].Source
	}
	return s.Requests[c.After].At, s.Requests[c.After].Source
}

// inTime lists what the streams have of a kind, what is of the same time in the order of the input. Each stream keeps its
// own order, even where its clock goes back.
func (j *joined) inTime(n func(*Session) int, at func(*Session, int) (int64, journal.Source)) []entry {
	var out []entry
	var keys []timeKey
	for _, s := range j.streams {
		var latest timeKey
		for i := range n(s) {
			out = append(out, entry{s, i})
			if len(j.streams) > 1 {
				t, src := at(s, i)
				if k := (timeKey{max(t, latest.at), src.Input, src.Offset}); latest.before(k) {
					latest = k
				}
				keys = append(keys, latest)
			}
		}
	}
	if len(j.streams) > 1 {
		sort.Stable(&byTime{out, keys})
	}
	return out
}

// timeKey orders what happened in different streams.
type timeKey struct {
	at     int64
	input  int
	offset int64
}

func (k timeKey) before(o timeKey) bool {
	return cmp.Or(cmp.Compare(k.at, o.at), cmp.Compare(k.input, o.input), cmp.Compare(k.offset, o.offset)) < 0
}

type byTime struct {
	entries []entry
	keys    []timeKey
}

func (b *byTime) Len() int           { return len(b.entries) }
func (b *byTime) Less(x, y int) bool { return b.keys[x].before(b.keys[y]) }
func (b *byTime) Swap(x, y int) {
	b.entries[x], b.entries[y] = b.entries[y], b.entries[x]
	b.keys[x], b.keys[y] = b.keys[y], b.keys[x]
}

func numbers(list []entry) map[entry]int {
	out := make(map[entry]int, len(list))
	for i, e := range list {
		out[e] = i
	}
	return out
}

// numberOf is the number of an event in the lists of the document.
func (j *joined) numberOf(s *Session, k EventKind, i int) int {
	if m := j.number[k]; m != nil {
		return m[entry{s, i}]
	}
	return i
}
