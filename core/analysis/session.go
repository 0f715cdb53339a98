package analysis

import (
	"fmt"
	"runtime"

	"contextscope/core/behavior"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// Session is one context over time: a main conversation, a subagent or a hidden request of the harness. Adapters build
// it in the order of its conversation; sessions are never added up.
type Session struct {
	ID         string
	Harness    string // key of the adapter
	Version    string
	Title      string
	Folder     journal.Ref // that it began in: where relative paths start from
	Files      []File      // that a recorder noted apart from calls
	Ended      bool        // the journal says that it has ended
	Budget     int64       // what it may cost, in millionths of a dollar; 0 for no limit
	Role       string      // "" for a main session
	Parent     string      // id of the parent session
	Of         *Session    // the parent itself, where several sessions have its id
	ParentCall journal.Ref
	Stream     string   // name of its chain of requests, "" for the main one
	StreamOf   *Session // of a side stream: the session that it belongs to
	Inputs     []int
	StartedAt  int64 // unix nanoseconds, 0 unknown
	EndedAt    int64

	Requests   []Request
	Calls      []Call
	Snapshots  []Snapshot
	Totals     []Total // of a recording without snapshots
	Changes    journal.Column[composition.Change]
	Boundaries []Boundary
	Unmeasured []Unmeasured
	Attempts   Tally    // compactions that were tried and not installed, by how they ended
	Fallbacks  Tally    // how often the harness gave a compaction up, by the reason it gives
	Notes      []string // sentences about what this session cannot show
	Copied     int64    // records that another session has too: its context, not its requests
	Abandoned  int64    // records on branches that were left

	facts    telling
	tracker  composition.Tracker
	calls    map[journal.Ref]int32
	strings  *journal.Strings
	analysis *Analysis
	trail    []behavior.Step // what happened, in order; made when it is asked for
	trailOf  []int           // step of each request
}

// Request is one response of the API with what the provider reported. Figures are Unknown (-1) where it did not.
type Request struct {
	ID          journal.Ref
	At          int64
	Model       journal.Ref
	Input       int64 // the whole prompt, cached parts included once
	Output      int64
	OutputLower bool // the output is a lower bound: the journal was written before the response ended
	CacheRead   int64
	CacheWrite  int64
	Window      int64 // recorded in the journal
	Source      journal.Source
	Snapshot    int32 // its sample, -1 for none
}

// Call is a tool call.
type Call struct {
	ID      journal.Ref
	Name    journal.Ref
	Detail  journal.Ref // path, command, pattern: what a person would call it by
	Args    uint64      // tells its arguments apart from those of other calls; 0 unknown
	Request int32       // number of the request that made it, from 0; -1 before the first
	At      int64
	Parent  journal.Ref // call of the script that made it
	Agent   journal.Ref // subagent that it started, by the agent's own id
	Failed  bool
	Script  bool  // made inside a script
	Before  int32 // how many boundaries came before it
	Asked   int32 // … and how many requests
	Left    int32 // boundary + 1 at which its result left the context, 0 while it is there, -1 where none ever was
	Source  journal.Source
}

// File is a file that was read or written, as a recorder noted it apart from any call.
type File struct {
	Path    journal.Ref
	Write   bool
	Request int32 // as that of a Call
	Source  journal.Source
}

// EventKind says what a snapshot hangs on.
type EventKind uint8

// The kinds of event.
const (
	OnCapture EventKind = iota
	OnRequest
	OnCall
	OnCompaction
)

// String is the spelling of the document.
func (k EventKind) String() string {
	return [...]string{"capture", "request", "call", "compaction"}[k]
}

// Snapshot is a snapshot with the event that it belongs to.
type Snapshot struct {
	composition.Snapshot
	Event  EventKind
	Index  int32 // of the request, call or compaction
	Offset int64 // nanoseconds from the event to the observation
	Others []Other
	Source journal.Source

	recorded bool // elsewhere, with its changes
}

// Other is a category that the schema does not have, under its own key.
type Other struct {
	Key    journal.Ref
	Tokens uint32
}

// Sum is the estimate: the sum of all categories, those of other schemas too; Unknown when none was observed.
func (s *Snapshot) Sum() int64 {
	n := s.Counts.Sum()
	for _, o := range s.Others {
		n = max(0, n) + int64(o.Tokens)
	}
	return n
}

// measured reports whether the snapshot has a breakdown.
func (s *Snapshot) measured() bool { return s.Has != 0 || len(s.Others) > 0 }

// other is what the snapshot holds of a category that the schema does not have.
func (s *Snapshot) other(key journal.Ref) int64 {
	for _, o := range s.Others {
		if o.Key == key {
			return int64(o.Tokens)
		}
	}
	return 0
}

// Total is a recorded size of the context without a breakdown. Tokens is Unknown where the recording says that the size is
// not known any more.
type Total struct {
	At     int64
	Tokens int64
	Window int64
}

// Boundary is a place where the context was cut, or changed in another way than by growing.
type Boundary struct {
	Kind         string // of the document: "compaction", "clear", "rewind", "model-switch", "context-edit"
	Trigger      string // "auto", "manual", ""
	At           int64
	Recorded     bool  // the journal has a record of it
	Requests     int32 // how many requests came before it
	Snapshots    int32 // how many snapshots came before it
	HarnessFrom  int64 // the harness's own figures, Unknown where it gave none
	HarnessTo    int64
	Source       journal.Source
	ReplacedBy   int // records or items that replaced the content, for the notes
	SummaryUnits int64
}

// Unmeasured counts content whose size nobody can tell: images, encrypted reasoning.
type Unmeasured struct {
	What  string
	Count int64
}

// Tally counts what a journal tells under names of its own.
type Tally []Unmeasured

// maxTally bounds the names: a hostile journal could make up a new one every time.
const maxTally = 8

// Add counts one; what has no name is "unknown", and names beyond the bound are "other".
func (t *Tally) Add(what string) {
	if what == "" {
		what = "unknown"
	}
	for i := range *t {
		if (*t)[i].What == what {
			(*t)[i].Count++
			return
		}
	}
	if len(*t) == maxTally-1 && what != "other" {
		t.Add("other")
		return
	}
	*t = append(*t, Unmeasured{what, 1})
}

// Sum is how many were counted, and Text what they were: "1 rejected, 2 superseded".
func (t Tally) Sum() (n int64) {
	for _, c := range t {
		n += c.Count
	}
	return n
}

// Text lists the counts with their names.
func (t Tally) Text() string {
	out := ""
	for i, c := range t {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%d %s", c.Count, c.What)
	}
	return out
}

// Expect makes room for so many requests.
func (s *Session) Expect(requests int) {
	s.Requests = make([]Request, 0, requests)
	s.Snapshots = make([]Snapshot, 0, requests+requests/32+4)
	s.Calls = make([]Call, 0, requests+requests/16)
}

// Put adds an item to the context, or replaces it. Content of no length is no item.
func (s *Session) Put(it composition.Item) {
	if it.Tokens == 0 {
		return
	}
	if old := s.tracker.Find(it.ID); old == nil {
		s.enters(&it)
	} else if old.Record != it.Record || old.Input != it.Input {
		s.leaves(old)
		s.enters(&it)
	}
	s.tracker.Put(it)
}

// Remove takes an item out; reports whether it was there.
func (s *Session) Remove(id composition.ID) bool {
	if it := s.tracker.Find(id); it != nil {
		s.leaves(it)
	}
	return s.tracker.Remove(id)
}

// Retain takes out all items that keep refuses.
func (s *Session) Retain(keep func(*composition.Item) bool) int {
	return s.tracker.Retain(func(it *composition.Item) bool {
		if keep(it) {
			return true
		}
		s.leaves(it)
		return false
	})
}

// Rebase makes the next snapshot a baseline.
func (s *Session) Rebase() { s.tracker.Reset() }

// Adopt gives the snapshots before the first request, which have no model of their own, the model of that request, so
// that it begins no second baseline.
func (s *Session) Adopt(model journal.Ref) {
	for i := range s.Snapshots {
		if s.Snapshots[i].Model == 0 {
			s.Snapshots[i].Model = model
		}
	}
	s.tracker.Adopt(model)
}

// Items is how many items are in the context now.
func (s *Session) Items() int { return s.tracker.Len() }

// Observe takes a snapshot of the context as it is now.
func (s *Session) Observe(m composition.Moment, on EventKind, index int, src journal.Source) int {
	if on != OnCompaction {
		s.settleFacts()
	}
	snap, changes := s.tracker.Snapshot(m)
	snap.First = uint32(s.Changes.Len())
	for _, c := range changes {
		s.Changes.Append(c)
	}
	s.Snapshots = append(s.Snapshots, Snapshot{Snapshot: snap, Event: on, Index: int32(index), Source: src})
	return len(s.Snapshots) - 1
}

// Record adds a snapshot that was made elsewhere, with its changes as they were recorded.
func (s *Session) Record(n Snapshot, changes []composition.Change) int {
	n.First, n.N, n.recorded = uint32(s.Changes.Len()), uint32(len(changes)), true
	s.tracker.Ledger.Follow(n.Baseline, changes)
	for _, c := range changes {
		s.Changes.Append(c)
	}
	s.Snapshots = append(s.Snapshots, n)
	return len(s.Snapshots) - 1
}

// Rest lets go of what only the replay of the conversation needed: nothing will be put in or observed any more.
//
// It gives way once: as WebAssembly nothing interrupts a goroutine, and the collector of garbage would not come to its end
// before all sessions are settled. Measured with 2,000 sessions of 1 GB: 334 MB of memory without.
func (s *Session) Rest() {
	if s.Items() > 0 || len(s.Boundaries) > len(s.facts.ends) {
		s.settleFacts()
	}
	s.facts.index, s.facts.bare, s.facts.emptied, s.facts.dropped, s.facts.lost = nil, nil, nil, nil, nil
	s.tracker.Ledger.Fit()
	s.tracker = composition.Tracker{Ledger: s.tracker.Ledger}
	s.Changes.Fit()
	runtime.Gosched()
}

// AddCall adds a tool call; a call id that is there already is the same call.
func (s *Session) AddCall(c Call) {
	if s.calls == nil {
		s.calls = map[journal.Ref]int32{}
	}
	if c.ID != 0 {
		if _, ok := s.calls[c.ID]; ok {
			return
		}
		s.calls[c.ID] = int32(len(s.Calls))
	}
	c.Request = int32(len(s.Requests)) - 1
	c.Before, c.Asked, c.Left = int32(len(s.Boundaries)), int32(len(s.Requests)), -1
	s.Calls = append(s.Calls, c)
}

// AddFile notes a file that was touched.
func (s *Session) AddFile(f File) {
	f.Request = int32(len(s.Requests)) - 1
	s.Files = append(s.Files, f)
}

// Began notes the folder of a session; the first one counts.
func (s *Session) Began(folder journal.Ref) {
	if s.Folder == 0 {
		s.Folder = folder
	}
}

// CallNamed finds a call by its id.
func (s *Session) CallNamed(id journal.Ref) *Call {
	if i, ok := s.calls[id]; ok && id != 0 {
		return &s.Calls[i]
	}
	return nil
}

// AddUnmeasured counts content without a size.
func (s *Session) AddUnmeasured(what string, n int64) {
	for i := range s.Unmeasured {
		if s.Unmeasured[i].What == what {
			s.Unmeasured[i].Count += n
			return
		}
	}
	s.Unmeasured = append(s.Unmeasured, Unmeasured{what, n})
}

// Saw widens the session's time to include at.
func (s *Session) Saw(at int64) {
	if at == 0 {
		return
	}
	if s.StartedAt == 0 || at < s.StartedAt {
		s.StartedAt = at
	}
	s.EndedAt = max(s.EndedAt, at)
}
