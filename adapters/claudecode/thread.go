package claudecode

import (
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// thread is one conversation of an input while it is replayed.
type thread struct {
	file       *file
	in         *journal.Input
	s          *analysis.Session
	session    journal.Ref // id on the newest line
	agent      journal.Ref
	side       bool
	number     int32  // position in the file's threads
	hidden     string // role of a hidden request
	beganAfter journal.Ref
	parent     *thread

	live      []int32 // records on the living branch, by index
	marks     []int32 // prompts and first lines of responses among them
	boundary  int     // position in live of the last compaction, -1 before the first
	responses map[uint64]int32
	model     journal.Ref
	own       int   // records that no other input had before
	began     bool  // a snapshot was taken
	compacted int32 // boundary + 1 whose snapshot is still to come
	after     int32 // index of the record that a post-compaction snapshot is dated by
	answering bool  // the last record with content was the model's
	title     journal.Ref
	window    windowSeen
	gone      map[int32]bool // records whose items were cleared
}

// windowSeen is the window that a /context report gave, and for which model.
type windowSeen struct {
	model     journal.Ref
	tokens    int64
	effective int64
}

// record replays one record.
func (t *thread) record(r *journal.Record, i int) {
	inherited := false
	if r.ID != 0 {
		t.rewind(r)
		if inherited = t.file.stands(r, t, int32(i)); inherited {
			t.s.Copied++
			t.file.st.a.Duplicate[t.in.Index]++
		}
	}
	if !inherited {
		t.own++
	}
	t.s.Saw(r.At)
	t.live = append(t.live, int32(i))
	if p := t.in.Attribute(r, journal.Version); p != nil {
		t.s.Version = t.in.Strings.Get(p.Label)
	}
	if p := t.in.Attribute(r, journal.WorkingDir); p != nil {
		t.s.Began(p.Label)
	}
	switch r.Kind {
	case journal.Boundary:
		t.cut(r, i)
	case journal.Trim:
		t.trim(r)
	case journal.Response:
		t.response(r, i, inherited)
		t.tally(r)
	case journal.User, journal.Injected, journal.Report:
		t.user(r, i)
		t.tally(r)
	}
}

// rewind notices that a person went back: a prompt continues an earlier message although others have come since. What
// stood on the branch that was left leaves the context; its requests were made all the same.
func (t *thread) rewind(r *journal.Record) {
	if r.Flags&journal.Typed == 0 || r.Parent == 0 {
		return
	}
	p, ok := t.file.where(r.Parent)
	if !ok || p.thread != t || len(t.marks) == 0 || t.marks[len(t.marks)-1] <= p.index {
		return
	}
	for len(t.marks) > 0 && t.marks[len(t.marks)-1] > p.index {
		t.marks = t.marks[:len(t.marks)-1]
	}
	keep := len(t.live)
	for keep > 0 && t.live[keep-1] > p.index {
		keep--
	}
	t.s.Abandoned += int64(len(t.live) - keep)
	t.live = t.live[:keep]
	t.mark("rewind", r, "")
	if keep > t.boundary {
		t.s.Retain(func(it *composition.Item) bool { return it.Record <= p.index })
		return
	}
	t.rebuild(p.index)
}

// rebuild makes the context of the living branch anew, after a person went back to before a compaction. What it left is
// what the last compaction on this branch left, and what came and went since.
func (t *thread) rebuild(last int32) {
	t.s.Retain(func(it *composition.Item) bool { return it.ID.Prefix == composition.Named && it.Record <= last })
	t.boundary, t.compacted = -1, 0
	answered := true
	for k, i := range t.live {
		switch r := t.in.Records.At(int(i)); {
		case r.Kind == journal.Boundary, r.Flags&journal.Cleared != 0, r.Flags&journal.Summary != 0 && answered:
			t.boundary, answered = k, false
		case r.Kind == journal.Response, r.Flags&journal.Summary != 0:
			answered = true
		}
	}
	if t.boundary > 0 {
		kept := t.kept(t.in.Records.At(int(t.live[t.boundary])))
		for _, i := range t.live[:t.boundary] {
			if kept(i) {
				t.restore(i)
			}
		}
	}
	for _, i := range t.live[max(0, t.boundary):] {
		t.restore(i)
	}
}

// restore puts a record's content back as it was.
func (t *thread) restore(i int32) {
	r := t.in.Records.At(int(i))
	if r.Kind == journal.Trim {
		t.clear(r)
		return
	}
	t.apply(r, int(i))
}

// user replays a record that goes to the model.
func (t *thread) user(r *journal.Record, i int) {
	if r.Flags&journal.Summary != 0 && (t.boundary < 0 || !t.justCut()) {
		t.cut(r, i) // old versions wrote no boundary
	}
	if r.Flags&journal.Cleared != 0 && len(t.s.Requests) > 0 {
		t.settleCompaction()
		t.mark("clear", r, "manual").Recorded = true
		t.empty(r)
	}
	if r.Flags&journal.Typed != 0 {
		t.settleCompaction()
		t.marks = append(t.marks, int32(i))
		t.name(r)
	}
	if r.Kind == journal.Report {
		t.observeReport(r, i)
	}
	before := t.s.Items()
	t.apply(r, i)
	if t.compacted != 0 {
		t.after = int32(i)
	}
	if !t.began && t.s.Items() > before {
		t.began = true
		m := t.moment(r, composition.CaptureStart)
		t.s.Observe(m, analysis.OnCapture, 0, r.Place(t.in.Index))
	}
	t.answering = false
}

// justCut reports whether nothing but harness-made content came since the last boundary.
func (t *thread) justCut() bool {
	for _, i := range t.live[t.boundary+1 : len(t.live)-1] {
		if r := t.in.Records.At(int(i)); r.Kind == journal.Response || r.Flags&journal.Summary != 0 {
			return false
		}
	}
	return true
}

// name takes the first prompt as the title.
func (t *thread) name(r *journal.Record) {
	if t.title != 0 {
		return
	}
	for k := range int(r.Parts) {
		p := t.in.Part(r, k)
		if p.Kind == journal.Item && p.Category == journal.Prompts && p.Detail != 0 {
			if s := t.in.Strings.Get(p.Detail); s[0] != '<' && s[0] != '/' {
				t.title = p.Detail
				return
			}
		}
	}
}

// cut replays a compaction: everything leaves but what the harness says it kept.
func (t *thread) cut(r *journal.Record, i int) {
	trigger := ""
	switch {
	case r.Flags&journal.Automatic != 0:
		trigger = "auto"
	case r.Flags&journal.Manual != 0:
		trigger = "manual"
	}
	b := t.mark("compaction", r, trigger)
	b.Recorded = true
	if p := t.in.Attribute(r, journal.PreTokens); p != nil {
		b.HarnessFrom = int64(p.Units)
	}
	if p := t.in.Attribute(r, journal.PostTokens); p != nil {
		b.HarnessTo = int64(p.Units)
	}
	t.empty(r)
	t.compacted = int32(len(t.s.Boundaries))
	t.after = int32(i)
	t.marks = append(t.marks[:0], int32(i))
}

// empty takes everything out of the context but what stands outside of the conversation and what the record preserves.
func (t *thread) empty(r *journal.Record) {
	kept := t.kept(r)
	t.s.Retain(func(it *composition.Item) bool { return it.ID.Prefix == composition.Named || kept(it.Record) })
	t.s.Rebase()
	t.boundary = len(t.live) - 1
}

// kept tells which records a boundary says were preserved.
func (t *thread) kept(r *journal.Record) func(int32) bool {
	var single map[int32]bool
	from, to := int32(-1), int32(-1)
	for k := range int(r.Parts) {
		p := t.in.Part(r, k)
		w, ok := t.file.where(p.Hash)
		if !ok || w.thread != t {
			continue
		}
		switch p.Kind {
		case journal.Kept:
			if single == nil {
				single = map[int32]bool{}
			}
			single[w.index] = true
		case journal.KeptFrom:
			from = w.index
		case journal.KeptTo:
			to = w.index
		}
	}
	return func(i int32) bool { return single[i] || from >= 0 && i >= from && i <= to }
}

// mark adds a boundary at this point of the session.
func (t *thread) mark(kind string, r *journal.Record, trigger string) *analysis.Boundary {
	t.s.Boundaries = append(t.s.Boundaries, analysis.Boundary{
		Kind: kind, Trigger: trigger, At: r.At, Requests: int32(len(t.s.Requests)), Snapshots: int32(len(t.s.Snapshots)),
		HarnessFrom: analysis.Unknown, HarnessTo: analysis.Unknown, Source: r.Place(t.in.Index),
	})
	return &t.s.Boundaries[len(t.s.Boundaries)-1]
}

// trim replays a clearing of old results: they stay in the file and leave the prompt.
func (t *thread) trim(r *journal.Record) {
	trigger := "auto"
	if r.Flags&journal.Manual != 0 {
		trigger = "manual"
	}
	t.mark("context-edit", r, trigger).Recorded = true
	t.clear(r)
}

// clear takes out what a clearing of old results names.
func (t *thread) clear(r *journal.Record) {
	for k := range int(r.Parts) {
		p := t.in.Part(r, k)
		if p.Kind != journal.Gone {
			continue
		}
		if p.ID != 0 {
			t.s.Remove(composition.ID{Prefix: composition.ToolResult, Name: p.ID})
			continue
		}
		if w, ok := t.file.where(p.Hash); ok && w.thread == t {
			if t.gone == nil {
				t.gone = map[int32]bool{}
			}
			t.gone[w.index] = true
		}
	}
	if t.gone != nil {
		t.s.Retain(func(it *composition.Item) bool { return !t.gone[it.Record] })
		t.gone = nil
	}
}

// settleCompaction takes the snapshot of what a compaction left, when all that came back with it is there.
func (t *thread) settleCompaction() {
	if t.compacted == 0 {
		return
	}
	b := &t.s.Boundaries[t.compacted-1]
	r := t.in.Records.At(int(t.after))
	m := t.moment(r, composition.PostCompaction)
	n := t.s.Observe(m, analysis.OnCompaction, int(t.compacted-1), b.Source)
	t.s.Snapshots[n].Offset = max(0, m.At-b.At)
	t.compacted = 0
	t.began = true
}

// end completes the session and lets go of what its replay needed.
func (t *thread) end() {
	t.settleCompaction()
	s, strings := t.s, t.in.Strings
	s.ID = strings.Get(t.session)
	if s.ID == "" {
		s.ID = t.in.Name
	}
	s.Title = strings.Get(t.title)
	if n, ok := t.file.names[t.session]; ok && !t.side && n.title != 0 {
		s.Title = strings.Get(n.title)
	}
	s.Rest()
	t.file, t.live, t.marks, t.responses, t.gone = nil, nil, nil, nil, nil
}
