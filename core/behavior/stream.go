// Package behavior compares what an agent did before a compaction with what it did after it.
//
// In comes one stream of requests and calls as Steps, in order, and the places where its context was cut. Out comes for each
// compaction a Diff: the same measures on both sides, the files that were read again, and what got worse. Windows are bounded,
// belong to one stream and never reach over a neighbouring cut; where the two differ in size, rates are compared. All of it
// are cues for a review and no proof: a re-read can be what a careful agent does.
package behavior

import (
	"contextscope/core/action"
	"contextscope/core/journal"
)

// Step is one request, or one call that a request made.
type Step struct {
	Request int32 // number of the request that it is or that made it, from 0; -1 for a call before the first
	Call    int32 // number of the call, -1 for a request
	Name    journal.Ref
	Path    journal.Ref // of the file that a call reads or writes, in one spelling; 0 for none
	Args    uint64      // tells the call's arguments apart; 0 unknown
	Tokens  int64       // of a request: its prompt, -1 unknown
	Window  int64       // … and the window that it has to fit in, -1 unknown
	Kind    action.Kind
	Failed  bool
	Script  bool // made inside a script, or noted apart from any call
	Prompt  bool // of a request: a person said something before it, or a subagent worked
	Guessed bool // Tokens is an estimate
}

// IsCall tells a call from a request.
func (s *Step) IsCall() bool { return s.Call >= 0 }

// Cut is a place where the context was cut.
type Cut struct {
	At         int     // the first step after it
	Boundary   int     // its place in the caller's list of boundaries
	Number     int     // of the compaction in its stream, from 0
	Ratio      float64 // share of the prompt that was dropped, 0 unknown
	Compaction bool    // else the person emptied the context
}

// Stream is what happened in one context, in order.
type Stream struct {
	Steps  []Step
	Cuts   []Cut
	Text   func(journal.Ref) string
	Ended  bool // the journal says that the session has ended
	Side   bool // a subagent, a side stream or a hidden request
	Budget int64
	Spent  func() (dollars float64, ok bool) // nil, or false, where the cost is not known
}

// Part is a stretch of a stream, without cuts in it.
func (s *Stream) Part(from, to int) *Stream {
	return &Stream{Steps: s.Steps[from:to], Text: s.Text, Side: s.Side}
}

// Window is how much is looked at on each side of a cut.
type Window struct {
	N        int
	Requests bool // N counts requests, else requests and calls
}

// DefaultWindow is what is looked at unless a person says otherwise.
var DefaultWindow = Window{N: 50}
