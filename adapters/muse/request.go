package muse

import (
	"slices"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// A request's sample stands before its response: where its input trace was recorded, else where the response began. The
// answer's own records stand behind that, and the record with the usage behind them or between, as the version had it.

// completion is the end of a model call, with what belongs to it.
type completion struct {
	index    int32               // of the record with the usage
	trace    int32               // of the record with its lanes, -1 for none
	lanes    *composition.Counts // nil without
	response journal.Ref
}

// call is a model call of a run that has begun: at is where its sample stands.
type call struct {
	at, trace int32
	created   bool
	response  journal.Ref
}

// running is an attempt to compact whose own model call may be under way.
type running struct {
	candidate, run journal.Ref
	since          int64
	async          bool
}

// outlook finds out what a record can't know about the future.
type outlook struct {
	t        *stream
	at       map[int32][]completion // position in the stream -> the calls that are sampled there
	calls    map[journal.Ref]*call  // by run
	pieces   pieces
	base     journal.Ref
	attempts []running
	own      map[uint64]bool // figures of model calls that compactions made
	lanes    bool            // the session has lanes
}

// outlook looks through a stream once.
func (t *stream) outlook() *outlook {
	o := &outlook{t: t, at: map[int32][]completion{}, calls: map[journal.Ref]*call{}, own: map[uint64]bool{},
		base: t.in.Strings.Put([]byte(baseInstructions))}
	for k := range t.records {
		switch r := &t.records[k]; r.Kind {
		case journal.Report:
			o.lanes = o.lanes || r.Record.Parts > 0
		case journal.Compacted, journal.Boundary:
			if p := r.in.Attribute(r.Record, attrSummarizer); p != nil {
				o.own[p.Hash] = true
			}
		}
	}
	for k := range t.records {
		o.record(int32(k), &t.records[k])
	}
	return o
}

func (o *outlook) record(k int32, r *record) {
	run := r.Agent
	switch r.Kind {
	case journal.Report:
		// Lanes belong to this call of this run alone. Those of a call that failed are gone with the next one.
		c := &call{at: k, trace: -1}
		if r.Record.Parts > 0 {
			c.trace = k
		}
		o.calls[run] = c
	case journal.Response:
		o.response(k, r)
	case journal.User:
		if c := o.calls[run]; c != nil && c.trace < 0 && !o.traced(c) {
			delete(o.calls, run)
		}
	case journal.Link:
		if r.Flags&journal.Cut != 0 {
			delete(o.calls, run)
		}
	case journal.Injected:
		o.pieces.configure(r.in, r.Record, o.base)
	case journal.Turn:
		for i := range int(r.Record.Parts) {
			if p := r.in.Part(r.Record, i); p.Kind == journal.Measured {
				o.pieces.block(run, p)
			}
		}
	case journal.Boundary, journal.Compacted:
		o.attempt(r)
	case journal.Count:
		o.completed(k, r)
	}
}

// traced reports whether a call began with a trace, with lanes or without.
func (o *outlook) traced(c *call) bool { return o.t.records[c.at].Kind == journal.Report }

// response is the beginning of a response, or a piece of one.
func (o *outlook) response(k int32, r *record) {
	c := o.calls[r.Agent]
	id, begins := r.in.Attribute(r.Record, attrResponse), false
	if id != nil {
		begins = c == nil || c.created || !o.traced(c)
	}
	if c == nil || begins {
		c = &call{at: k, trace: -1}
		o.calls[r.Agent] = c
	}
	if id != nil {
		c.created, c.response = true, id.Label
	}
}

// attempt keeps account of the compactions that are being tried. Where the harness gives up and names none, those of the run end.
func (o *outlook) attempt(r *record) {
	id := r.label(attrCandidate)
	if id == 0 && r.in.Attribute(r.Record, attrFallback) != nil {
		o.attempts = slices.DeleteFunc(o.attempts, func(a running) bool { return a.run == r.Agent })
		return
	}
	for i := range o.attempts {
		if o.attempts[i].candidate == id {
			o.attempts = append(o.attempts[:i], o.attempts[i+1:]...)
			break
		}
	}
	if r.in.Strings.Is(r.label(attrStatus), "running") && len(o.attempts) < 64 {
		o.attempts = append(o.attempts, running{id, r.Agent, r.At, r.Flags&journal.OpenEnded != 0})
	}
}

// completed is the end of a model call: that of a request, unless a compaction made it.
func (o *outlook) completed(k int32, r *record) {
	c := o.calls[r.Agent]
	if o.isSummarizer(r, c) {
		return
	}
	done := completion{index: k, trace: -1}
	at := k
	if c != nil {
		at, done.trace, done.response = c.at, c.trace, c.response
		delete(o.calls, r.Agent)
	}
	if done.trace >= 0 {
		t := &o.t.records[done.trace]
		done.lanes = o.pieces.counts(t.in, t.Record)
	}
	o.at[at] = append(o.at[at], done)
}

// isSummarizer tells the model call that a compaction makes for its summary from a request of the main context. It records
// no input trace; its figures are those that the compaction gives for it, or all of it lies in the time that an attempt
// was running. While an attempt runs beside the conversation, a call without lanes is its own only where requests have them.
func (o *outlook) isSummarizer(r *record, c *call) bool {
	if c != nil && c.trace >= 0 {
		return false
	}
	u := r.in.Usages.At(int(r.Usage))
	if u.Input > 0 && o.own[modelCall(u.Input, u.Output)] {
		return true
	}
	ms, _ := r.units(attrDuration)
	for _, a := range o.attempts {
		if a.run == r.Agent && r.At-int64(ms)*1e6 >= a.since && (!a.async || o.lanes) {
			return true
		}
	}
	return false
}
