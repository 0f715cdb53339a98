package agentprof

import (
	"fmt"
	"math"
	"strings"

	"contextscope/adapters/shape"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// SniffJournal recognises the recorder's rows, and the list of rows that it keeps beside them.
func SniffJournal(h *shape.Head) (float64, string) {
	n := h.Share(func(r *shape.Record) bool { return r.Has("source", "timestamp", "data") })
	if n > 0 {
		return n, fmt.Sprintf("%d of the first %d records have the source, timestamp and data of Agent Profiler's private journals",
			int(n*float64(len(h.Records))+0.5), len(h.Records))
	}
	if text := strings.TrimLeft(string(h.Bytes[:min(len(h.Bytes), 4<<10)]), "\ufeff \t\r\n"); strings.HasPrefix(text, "[") &&
		strings.Contains(text, `"process_start"`) && strings.Contains(text, `"captureId"`) {
		return 0.9, "a list with the process_start of an Agent Profiler recording"
	}
	return 0, ""
}

// rows are what is kept of a private journal.
type rows struct {
	recording
	all journal.Column[row]
}

// Fit is that of a recording, and of the rows.
func (r *rows) Fit() {
	r.recording.Fit()
	r.all.Fit()
}

// ScanJournal returns the function that reads the values of a private journal. A record's Usage is its row.
func ScanJournal(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &scribe{rows: &rows{recording: recording{in: in}}}
	in.Kept = d.rows
	return d.read
}

// scribe reads rows.
type scribe struct {
	*rows
	s       *jsonl.Scanner
	row     row
	at      int64 // of the record inside, where there is one
	payload bool
	c       entry
}

func (d *scribe) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s = s
	if !s.Array() {
		return d.one(r)
	}
	for s.Elem() {
		e := d.in.Open()
		e.Offset, e.Line = r.Offset, r.Line
		if keep := d.one(&e); keep && !s.Failed() {
			e.Flags |= journal.Synthetic // it stands in a list and needs no line end
			d.in.Close(e)
			d.in.Values++
		}
	}
	return false
}

// one reads a row. What is none, because a member is missing or of the wrong kind, is counted as malformed.
func (d *scribe) one(r *journal.Record) bool {
	s := d.s
	d.row, d.at = newRow(), 0
	var source []byte
	at, data := int64(-1), false
	if !s.Object() {
		s.Skip()
		d.malformed(r)
		return false
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "source":
			v, _ := s.Str(64)
			source = append([]byte(nil), v...)
		case "timestamp":
			v, _ := s.Str(24)
			at = nanoseconds(v)
		case "data":
			if data = s.Object(); data {
				d.data()
			}
		}
	}
	if s.Failed() {
		return false
	}
	if len(source) == 0 || at < 0 || !data {
		d.malformed(r)
		return false
	}
	o, ok := origins[string(source)]
	if !ok {
		d.in.Unknown(source)
		return false
	}
	d.row.source = o
	r.At = at
	if d.at != 0 {
		r.At = d.at
	}
	if o == claudeMod && (d.row.event == noEvent || d.row.event > contextEvent) {
		d.in.Unknown([]byte("claude.mod of another event"))
		return false
	}
	r.Kind = journal.Link
	d.row.identify(r.At)
	r.Usage = uint32(d.all.Append(d.row))
	return true
}

func (d *scribe) malformed(r *journal.Record) {
	d.in.Malformed++
	d.in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed, Line: int64(r.Line),
		Message: "this is no row of the recorder (source, timestamp and data) and was left out", Hint: "everything else was read"})
}

// nanoseconds reads a decimal time, -1 for anything else.
func nanoseconds(b []byte) int64 {
	n := int64(0)
	if len(b) == 0 || len(b) > 20 {
		return -1
	}
	for _, c := range b {
		if c < '0' || c > '9' || n > (math.MaxInt64-9)/10 {
			return -1
		}
		n = n*10 + int64(c-'0')
	}
	return n
}

func (d *scribe) text() journal.Ref {
	v, _ := d.s.Str(256)
	return d.in.Strings.Put(v)
}

func (d *scribe) flag() flag {
	switch v, ok := d.s.Bool(); {
	case !ok:
		return unsaid
	case v:
		return yes
	}
	return no
}

// size reads a number of tokens, -1 for anything else.
func (d *scribe) size() int64 {
	n, ok := d.s.Int()
	if !ok || n < 0 || n > math.MaxInt32 {
		return -1
	}
	return n
}

func (d *scribe) data() {
	s, r := d.s, &d.row
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "event", "hook_event_name":
			v, _ := s.Str(32)
			r.event = events[string(v)]
		case "phase":
			v, _ := s.Str(16)
			r.phase = phases[string(v)]
		case "id", "captureId":
			r.id = d.text()
		case "session_id":
			r.session = d.text()
		case "segment":
			r.segment, _ = s.Int()
		case "agent_id":
			r.agent = d.text()
		case "parent_agent_id":
			r.parentAgent = d.text()
		case "turn_id":
			r.turn = d.text()
		case "call_id", "tool_use_id":
			r.call = d.text()
		case "tool", "tool_name":
			r.name = d.text()
		case "model":
			r.model = d.text()
		case "version":
			r.version = d.text()
		case "trigger":
			r.trigger = d.text()
		case "role", "agent_type":
			r.role = d.text()
		case "parent_session":
			r.parent = d.text()
		case "prompt":
			v, _ := s.Str(4 << 10)
			r.title = d.in.Strings.Put(journal.TitleOf(v))
		case "arguments", "tool_input":
			d.arguments()
		case "usage":
			d.usage(claudeUsage, &r.usageModel)
		case "is_error":
			r.failed = d.flag()
		case "incomplete":
			r.incomplete = d.flag()
		case "success":
			r.success = d.flag()
		case "skipped":
			r.skipped = d.flag()
		case "capture_contents":
			r.contents = d.flag()
		case "dropped":
			r.dropped, _ = s.Int()
		case "pre_tokens":
			r.before = d.size()
		case "post_tokens":
			r.after = d.size()
		case "context":
			d.context()
		case "tool_response":
			d.response()
		case "record":
			d.record()
		}
	}
}

// arguments finds what to call a call by.
func (d *scribe) arguments() {
	s := d.s
	best := len(telling)
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		for i, name := range telling[:best] {
			if string(k) == name {
				if v, _ := s.Str(512); len(v) > 0 {
					d.row.detail, best = d.in.Strings.Put(firstLine(v)), i
				}
				break
			}
		}
	}
}

// response tells from a tool's result whether it failed.
func (d *scribe) response() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "exit_code":
			if n, ok := s.Int(); ok {
				d.row.failed = no
				if n != 0 {
					d.row.failed = yes
				}
			}
		case "isError":
			d.row.failed = d.flag()
		}
	}
}

// The members of a usage: input, cache read, cache write, output.
var (
	claudeUsage = [4]string{"input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"}
	codexUsage  = [4]string{"input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens"}
)

func (d *scribe) usage(names [4]string, model *journal.Ref) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "model" && model != nil {
			*model = d.text()
			continue
		}
		for i, name := range names {
			if string(k) == name {
				d.row.usage[i] = d.size()
				break
			}
		}
	}
}
