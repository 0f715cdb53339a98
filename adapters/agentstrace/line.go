package agentstrace

import (
	"math"

	"contextscope/adapters/argument"
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Scan returns the function that reads the values of one input: it fills the record and reports whether to keep it.
func Scan(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &decoder{in: in, calls: argument.Reader{Strings: in.Strings, Names: details}}
	return d.read
}

type decoder struct {
	calls argument.Reader
	in    *journal.Input
	s     *jsonl.Scanner
	r     *journal.Record
	line  line

	facts facts.Collector
}

// line is what one event says. The type may stand behind the data, so that all members are read the same way.
type line struct {
	kind    kind
	typed   bool // there is an event_type
	name    []byte
	eventID journal.Ref
	meta    meta

	stream   journal.Ref
	summary  bool // is_compaction_summary
	texts    [numTexts]text
	source   uint64 // hash of source_uuid, the row that an import made the event of
	sourceUp uint64 // … and of the row that it continued
	model    journal.Ref
	figures  [numPlaces]figures

	tool      journal.Ref
	toolUnits int64
	callID    journal.Ref
	resultOf  journal.Ref
	arguments int64
	args      uint64 // hash of the arguments
	dir       journal.Ref
	budget    float64 // in dollars
	detail    journal.Ref
	script    bool
	failed    bool
	messages  messages
	provider  journal.Ref
	from      byte // first letter of what a session was started from: 'c'ompact, 'C'lear

	choice, reason []byte // of a decision
	path           []byte // of a file that was read or written
}

// meta are the members of a meta.json that matter.
type meta struct {
	seen    int
	agent   journal.Ref
	command journal.Ref
	version journal.Ref
	parent  journal.Ref
	event   uint64
}

func (d *decoder) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s, d.r = s, r
	d.facts.Begin()
	d.line = line{name: d.line.name[:0], choice: d.line.choice[:0], reason: d.line.reason[:0], path: d.line.path[:0]}
	for i := range d.line.figures {
		d.line.figures[i].clear()
	}
	l := &d.line
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return false
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "event_type":
			v, _ := s.Str(64)
			l.typed, l.kind = true, types[string(v)]
			l.name = append(l.name[:0], v...)
		case "timestamp":
			r.At = d.time()
		case "event_id":
			v, _ := s.Str(maxID)
			r.ID, l.eventID = journal.Hash(v), d.in.Strings.Put(v)
		case "session_id":
			r.Session = d.ref()
		case "parent_id":
			v, _ := s.Str(maxID)
			r.Parent = journal.Hash(v)
		case "data":
			d.data()
		default:
			d.metaField(k)
		}
	}
	if s.Failed() || !d.finish() {
		return false
	}
	d.finishFacts()
	return true
}

// maxID is where an id is cut.
const maxID = 256

func (d *decoder) ref() journal.Ref {
	v, _ := d.s.Str(maxID)
	return d.in.Strings.Put(v)
}

func (d *decoder) label(s string) journal.Ref { return d.in.Strings.Put([]byte(s)) }

func (d *decoder) part(p journal.Part) { d.in.Parts.Append(p) }

// time reads unix seconds with a fraction, of which a float64 holds microseconds, or a written time.
func (d *decoder) time() int64 {
	if d.s.Kind() == jsonl.String {
		v, _ := d.s.Str(40)
		at, _ := journal.ParseTime(v)
		return at
	}
	f, ok := d.s.Float()
	if !ok || f <= 0 || f >= 9e9 {
		return 0
	}
	seconds := math.Floor(f)
	return int64(seconds)*1e9 + int64(math.Round((f-seconds)*1e6))*1e3
}

func (d *decoder) metaField(k []byte) {
	s, m := d.s, &d.line.meta
	switch string(k) {
	case "started_at", "ended_at", "tool_calls", "llm_requests", "total_tokens", "total_duration_ms", "attribution":
		m.seen++
		s.Skip()
	case "agent_name":
		m.seen++
		m.agent = d.ref()
	case "command":
		m.seen++
		v, _ := s.Str(maxText)
		m.version = d.in.Strings.Put(versionIn(v))
		m.command = d.in.Strings.Put(journal.TitleOf(v))
	case "parent_session_id":
		m.seen++
		m.parent = d.ref()
	case "parent_event_id":
		v, _ := s.Str(maxID)
		m.event = journal.Hash(v)
	default:
		s.Skip()
	}
}

// data reads what the event is about.
func (d *decoder) data() {
	s, l := d.s, &d.line
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if d.countField(k) {
			continue
		}
		switch string(k) {
		case "context_stream":
			if v, _ := s.Str(maxID); string(v) != "main" {
				l.stream = d.in.Strings.Put(v)
			}
		case "is_compaction_summary":
			l.summary = d.truthy()
		case "source_uuid":
			l.source = d.uuid()
		case "source_parent_uuid":
			l.sourceUp = d.uuid()
		case "model", "model_id", "modelId":
			if v := d.ref(); l.model == 0 {
				l.model = v
			}
		case "messages":
			d.readMessages()
		case "message_count":
			l.messages.told, _ = s.Int()
		case "provider":
			l.provider = d.ref()
		case "source":
			d.startedFrom()
		case "cwd":
			l.dir = d.ref()
		case "budget_dollars", "max_cost_dollars":
			if f, ok := s.Float(); ok && l.budget == 0 {
				l.budget = f
			}
		case "choice", "decision":
			l.choice = d.note(l.choice)
		case "reason":
			l.reason = d.note(l.reason)
		case "path", "file_path", "uri":
			l.path = d.note(l.path)
		default:
			if !d.callField(k) && !d.textField(k) {
				s.Skip()
			}
		}
	}
}

// uuid reads the id of a row. An import writes a null as the text None.
func (d *decoder) uuid() uint64 {
	v, _ := d.s.Str(maxID)
	if string(v) == "None" {
		return 0
	}
	return journal.Hash(v)
}

// truthy reads a value as Python does.
func (d *decoder) truthy() bool {
	s := d.s
	switch s.Kind() {
	case jsonl.String:
		return s.Text().Units > 0
	case jsonl.Number:
		f, ok := s.Float()
		return ok && f != 0
	case jsonl.Object, jsonl.Array:
		return s.JSONUnits() > 2
	}
	v, _ := s.Bool()
	return v
}

// startedFrom reads why a session was started: hooks pass on Claude Code's startup, resume, clear or compact.
func (d *decoder) startedFrom() {
	switch v, _ := d.s.Str(16); string(v) {
	case "compact":
		d.line.from = 'c'
	case "clear":
		d.line.from = 'C'
	}
}

// callField reads a member that tells about a tool call or its result.
func (d *decoder) callField(k []byte) bool {
	s, l := d.s, &d.line
	switch string(k) {
	case "tool_name", "tool":
		v, t := s.Str(maxID)
		l.tool, l.toolUnits = d.in.Strings.Put(v), t.Units
	case "request_id":
		l.callID = d.ref()
	case "tool_use_id", "tool_call_id":
		l.resultOf = d.ref()
	case "arguments", "tool_input":
		l.arguments, l.args, l.detail = d.calls.Read(s)
	case "caller_type":
		v, _ := s.Str(16)
		l.script = len(v) > 0 && string(v) != "direct"
	case "is_error":
		l.failed = d.truthy()
	default:
		return false
	}
	return true
}

// details are the arguments that tell a person which call it was, best first.
var details = []string{"file_path", "notebook_path", "path", "uri", "command", "pattern", "url", "query", "description", "prompt"}
