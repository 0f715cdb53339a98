package muse

import (
	"strings"

	"contextscope/core/journal"
)

// event is what one envelope says. Members of all kinds of payload are read the same way, because the kind may stand after
// them; finish takes what belongs to the kind.
type event struct {
	review bool // the stream is an approval review's

	units   int64 // of the text, prompt or replacement
	title   journal.Ref
	control bool // the prompt is a command to the recorder
	hidden  bool // encrypted content is there

	usage      journal.Usage
	hasUsage   bool
	model      journal.Ref
	modelID    journal.Ref
	duration   int64
	response   journal.Ref
	version    journal.Ref
	schema     int64
	full       bool
	lanes      lanes
	tools      int64
	messages   int64
	configured bool // context messages are there

	block, source journal.Ref
	bytes         int64

	candidate, status, reason journal.Ref
	trigger                   journal.Flags
	before, after             int64
	head, tail                int64
	preserved                 bool
	threshold, effective      int64
	summarizer                uint64

	child, reminder, agent, task, parentTask, call journal.Ref
	failed                                         bool
	newName                                        journal.Ref
	images                                         uint32
}

// begin makes ready for another envelope.
func (d *decoder) begin(r *journal.Record) {
	d.r = r
	d.facts.Begin()
	d.event = event{before: -1, after: -1, duration: -1}
	d.payloadType.clear()
	d.family.clear()
	d.kind.clear()
}

// envelopeField reads a member of an envelope.
func (d *decoder) envelopeField(k []byte) {
	s := d.s
	switch string(k) {
	case "id":
		v, _ := s.Str(256)
		d.r.ID = journal.Hash(v)
	case "stream":
		d.stream()
	case "sequence":
		if n, ok := s.Int(); ok && n > 0 {
			d.r.Parent = uint64(n)
		}
	case "recorded_at":
		if n, ok := s.Int(); ok && n > 0 && n < 1<<53 { // microseconds
			d.r.At = n * 1000
		}
	case "payload_type":
		v, _ := s.Str(96)
		d.payloadType.set(v)
	case "payload":
		d.payload()
	}
}

func (d *decoder) stream() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "id":
			d.r.Session = d.ref()
		case "kind":
			v, _ := s.Str(64)
			d.review = strings.HasPrefix(string(v), "approval")
		}
	}
}

// payload has a kind of its own, and what it is about in an event, in a record, or beside the kind.
func (d *decoder) payload() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "kind":
			v, _ := s.Str(96)
			d.family.set(v)
		case "run_id":
			d.r.Agent = d.ref()
		case "event", "record":
			if !s.Object() {
				continue
			}
			for k := s.Key(); k != nil; k = s.Key() {
				if string(k) == "kind" {
					v, _ := s.Str(96)
					d.kind.set(v)
				} else {
					d.field(k)
				}
			}
		default:
			d.field(k)
		}
	}
}

func (d *decoder) ref() journal.Ref {
	v, _ := d.s.Str(256)
	return d.in.Strings.Put(v)
}

func (d *decoder) part(p journal.Part) { d.in.Parts.Append(p) }

func (d *decoder) label(s string) journal.Ref { return d.in.Strings.Put([]byte(s)) }

func (d *decoder) attribute(a journal.Attr, text journal.Ref, n int64) {
	if text != 0 || n > 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: a, Label: text, Units: journal.Units(n)})
	}
}

// number reads a number that cannot be negative; what is none keeps the value that was there.
func (d *decoder) number(to *int64) {
	if n, ok := d.s.Int(); ok && n >= 0 {
		*to = n
	}
}

// field reads a member of a payload.
func (d *decoder) field(k []byte) {
	s, e := d.s, &d.event
	switch string(k) {
	case "prompt", "text", "output", "result":
		d.wording(string(k) == "prompt")
	case "tool_calls":
		for s.Array(); s.Elem(); {
			d.toolCall()
		}
	case "results":
		for s.Array(); s.Elem(); {
			d.toolResult()
		}
	case "content":
		d.content()
	case "encrypted_content":
		v, _ := s.Str(1)
		e.hidden = len(v) > 0
	case "usage":
		d.tokens(&e.usage)
		e.hasUsage = true
	case "model":
		e.model = d.ref()
	case "model_id":
		e.modelID = d.ref()
	case "effective":
		d.effectiveModel()
	case "build":
		d.build()
	case "duration_ms":
		d.number(&e.duration)
	case "response_id":
		e.response = d.ref()
	case "schema_version":
		d.number(&e.schema)
	case "scope":
		v, _ := s.Str(16)
		e.full = string(v) == "full_request"
	case "bounded":
		d.bounded()
	case "base_instructions":
		d.context(baseInstructions, journal.System)
	case "toolset":
		d.toolset()
	case "run_context_messages":
		d.contextMessages()
	case "block_id":
		e.block = d.ref()
	case "source":
		e.source = d.ref()
	case "text_bytes":
		d.number(&e.bytes)
	case "new_name":
		v, _ := s.Str(1 << 10)
		e.newName = d.in.Strings.Put(journal.TitleOf(v))
	default:
		d.compactionField(k)
	}
}

// compactionField reads a member of a record about a compaction.
func (d *decoder) compactionField(k []byte) {
	s, e := d.s, &d.event
	switch string(k) {
	case "candidate_id", "related_candidate_id":
		e.candidate = d.ref()
	case "status":
		e.status = d.short()
	case "reason":
		e.reason = d.short()
	case "trigger", "timing":
		v, _ := s.Str(64)
		switch {
		case strings.Contains(string(v), "manual"):
			e.trigger |= journal.Manual
		case strings.Contains(string(v), "threshold"):
			e.trigger |= journal.Automatic
		}
		if strings.Contains(string(v), "async") {
			e.trigger |= journal.OpenEnded
		}
	case "strategy":
		d.strategy()
	case "replacement":
		d.replacement()
	case "budget_before":
		d.budget(&e.before)
	case "budget_after":
		d.budget(&e.after)
	case "preserved_segment":
		d.segment()
	case "summarizer_usage":
		var u journal.Usage
		d.tokens(&u)
		if u.Input > 0 {
			e.summarizer = modelCall(u.Input, u.Output)
		}
	default:
		d.linkField(k)
	}
}

// linkField reads a member that ties tasks, calls and child sessions together.
func (d *decoder) linkField(k []byte) {
	s, e := d.s, &d.event
	switch string(k) {
	case "child_session_id":
		e.child = d.ref()
	case "reminder_agent_id":
		e.reminder = d.ref()
	case "agent_type":
		e.agent = d.ref()
	case "task_id":
		e.task = d.ref()
	case "parent_task_id":
		e.parentTask = d.ref()
	case "call_id", "tool_call_id":
		e.call = d.ref()
	case "idempotency_key":
		v, _ := s.Str(256)
		if id, ok := strings.CutPrefix(string(v), "tool:"); ok {
			e.call = d.in.Strings.Put([]byte(id))
		}
	case "outcome":
		d.outcome()
	}
}

// short reads a word that a person may see.
func (d *decoder) short() journal.Ref {
	v, _ := d.s.Str(48)
	return d.in.Strings.Put(v)
}

func (d *decoder) effectiveModel() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "model_id" {
			d.event.modelID = d.ref()
		}
	}
}

func (d *decoder) build() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "semver" {
			d.event.version = d.ref()
		}
	}
}

func (d *decoder) outcome() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "kind" {
			v, _ := s.Str(16)
			d.event.failed = string(v) == "failed"
		}
	}
}

// tokens reads what the provider reported, or what a compaction's own model call took.
func (d *decoder) tokens(u *journal.Usage) {
	s := d.s
	u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Total, u.Window = -1, -1, -1, -1, -1, -1
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		var to *journal.Count32
		switch string(k) {
		case "input_tokens":
			to = &u.Input
		case "output_tokens":
			to = &u.Output
		case "cache_read_tokens":
			to = &u.CacheRead
		case "cached_tokens": // the same number again
			if u.CacheRead < 0 {
				to = &u.CacheRead
			}
		case "cache_write_tokens":
			to = &u.CacheWrite
		}
		if to == nil {
			continue
		}
		if n, ok := s.Int(); ok {
			*to = journal.Tokens(n)
		}
	}
}

// modelCall folds the figures of a model call, by which a compaction's own call is known again.
func modelCall(input, output journal.Count32) uint64 {
	return journal.Fold(2, int64(input), int64(output))
}
