// Package analysis is what all records together say: sessions with their requests, calls, snapshots and boundaries, and
// the forms in which that is passed on: the views of the page and the Analysis document.
//
// It keeps counts, identities and places. A person's choices (the window, what content to include) are applied when a
// view or the document is made, so that changing one costs no reading.
package analysis

import (
	"sort"
	"strconv"

	"contextscope/core/behavior"
	"contextscope/core/journal"
	"contextscope/core/lint"
	"contextscope/core/redact"
)

// Analysis is what all records together say.
type Analysis struct {
	Inputs    []*journal.Input
	Duplicate []int64 // records of each input that were there before
	warnings  map[int]*journal.Warnings
	Sessions  []*Session
	Strings   *journal.Strings
	names     map[string]string // harness key -> name
	actions   *actions
	children  map[*Session][]*Session // made when they are asked for
	reviewed  *reviewed               // what was compared last
}

// New is an empty analysis of inputs. names gives the display name of each harness key.
func New(strings *journal.Strings, inputs []*journal.Input, names map[string]string) *Analysis {
	return &Analysis{Inputs: inputs, Duplicate: make([]int64, len(inputs)), Strings: strings, names: names}
}

// Warn adds a warning that only shows when all inputs are there.
func (a *Analysis) Warn(input int, w journal.Warning) {
	if a.warnings == nil {
		a.warnings = map[int]*journal.Warnings{}
	}
	if a.warnings[input] == nil {
		a.warnings[input] = &journal.Warnings{}
	}
	a.warnings[input].Add(w)
}

// Warnings are all warnings of an input.
func (a *Analysis) Warnings(input int) []journal.Warning {
	all := a.Inputs[input].Warnings.All()
	if later := a.warnings[input]; later != nil {
		all = append(all[:len(all):len(all)], later.All()...)
	}
	return all
}

// NewSession begins a session. It is not part of the analysis before Keep.
func (a *Analysis) NewSession(harness, id string, input int) *Session {
	return &Session{ID: id, Harness: harness, Inputs: []int{input}, strings: a.Strings, analysis: a}
}

// Keep adds a session whose conversation is complete.
func (a *Analysis) Keep(s *Session) {
	s.Rest()
	a.Sessions = append(a.Sessions, s)
}

// Arrange puts the sessions in order of time, subagents and side streams behind their parents, and makes ids unique.
func (a *Analysis) Arrange() {
	sort.SliceStable(a.Sessions, func(i, j int) bool { // no time sorts last
		return uint64(a.Sessions[i].StartedAt)-1 < uint64(a.Sessions[j].StartedAt)-1
	})
	a.adopt()
	a.rename()
	for _, s := range a.Sessions {
		switch {
		case s.StreamOf != nil:
			s.Parent = s.StreamOf.ID
		case s.Of == nil || s.Of.whole() == s:
			s.Parent = ""
		default:
			s.Parent = s.Of.whole().ID
		}
	}
	a.Sessions = a.families()
}

// adopt finds the parents that are only named. The same session can be open as a journal and as a recording: each keeps the
// children that came with it.
func (a *Analysis) adopt() {
	type key struct{ format, harness, id string }
	named := map[key]*Session{}
	format := func(s *Session) string { return a.Inputs[s.Inputs[0]].Format }
	for _, s := range a.Sessions {
		id := s.ID
		if s.StreamOf != nil {
			id = s.StreamOf.ID + "/" + s.Stream
		}
		for _, k := range []key{{format(s), s.Harness, id}, {"", s.Harness, id}} {
			if named[k] == nil {
				named[k] = s
			}
		}
	}
	for _, s := range a.Sessions {
		if s.Of != nil || s.Parent == "" {
			continue
		}
		if s.Of = named[key{format(s), s.Harness, s.Parent}]; s.Of == nil {
			s.Of = named[key{"", s.Harness, s.Parent}]
		}
	}
}

// rename makes ids unique: what has an id that is taken gets a number behind it. A side stream is called after its session,
// which therefore comes first.
func (a *Analysis) rename() {
	taken, next := map[string]bool{}, map[string]int{}
	for _, side := range []bool{false, true} {
		for _, s := range a.Sessions {
			if side != (s.StreamOf != nil) {
				continue
			}
			if side {
				s.ID = s.StreamOf.ID + "/" + s.Stream
			}
			id := s.ID
			for n := max(2, next[id]); taken[s.ID]; n++ {
				s.ID = id + ":" + strconv.Itoa(n)
				next[id] = n + 1
			}
			taken[s.ID] = true
		}
	}
}

// families lists each main session with its descendants behind it. A session in a circle of parents is its own root.
func (a *Analysis) families() []*Session {
	children := map[string][]*Session{}
	for _, s := range a.Sessions {
		children[s.Parent] = append(children[s.Parent], s)
	}
	out := make([]*Session, 0, len(a.Sessions))
	placed := map[*Session]bool{}
	var place func(s *Session)
	place = func(s *Session) {
		if placed[s] {
			return
		}
		placed[s] = true
		out = append(out, s)
		for _, c := range children[s.ID] {
			place(c)
		}
	}
	for _, s := range children[""] {
		place(s)
	}
	for _, s := range a.Sessions {
		if !placed[s] {
			s.Parent = ""
			place(s)
		}
	}
	return out
}

// Options are what a person chose for a document.
type Options struct {
	Window    int64   // context window in tokens, 0 for none
	Threshold float64 // share of a prompt whose loss is a compaction, 0 for the default
	Sessions  []int   // only these sessions, nil for all
	Include   Include
	Keep      redact.Keep // what is not masked in what is passed on
	Diff      bool        // what each compaction left of the facts before it
	Pretty    bool
	Passed    bool // views, too, are made to be passed on

	Lint           *lint.Config // nil for the defaults
	Behavior       bool         // compactions carry what changed with them
	BehaviorWindow behavior.Window
}

// Include says what content is passed on beside counts and identities.
type Include struct{ Titles, Paths, Prompts, Facts, Records bool }
