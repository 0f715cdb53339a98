package agentprof

import (
	"fmt"
	"math"
	"strings"

	"contextscope/adapters/shape"
	"contextscope/core/composition"
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
		case "id":
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

// record reads the record of a rollout that a row carries.
func (d *scribe) record() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type":
			v, _ := s.Str(32)
			d.row.event = events[string(v)]
		case "timestamp":
			v, _ := s.Str(40)
			d.at, _ = journal.ParseTime(v)
		case "payload":
			if s.Object() {
				d.content()
			}
		}
	}
}

// content reads a record's payload: a header, settings, a token count, or a snapshot.
func (d *scribe) content() {
	s, r := d.s, &d.row
	sm := newSample()
	snapshot := false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "cli_version":
			r.version = d.text()
		case "model":
			r.model = d.text()
		case "source":
			d.spawn("subagent", "thread_spawn")
		case "info":
			d.info()
		default:
			snapshot = d.snapshotMember(&sm, k) || snapshot
		}
	}
	if snapshot {
		sm.Model = r.model
		r.sample = int32(len(d.samples))
		d.samples = append(d.samples, sm)
	}
}

// spawn reads who started a thread: source, in it subagent, in it thread_spawn.
func (d *scribe) spawn(path ...string) {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch {
		case len(path) > 0 && string(k) == path[0]:
			d.spawn(path[1:]...)
		case len(path) > 0:
		case string(k) == "parent_thread_id":
			d.row.parent = d.text()
		case string(k) == "agent_role":
			d.row.role = d.text()
		}
	}
}

func (d *scribe) info() {
	s, r := d.s, &d.row
	if !s.Object() {
		s.Skip()
		return
	}
	r.counted = true
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "last_token_usage":
			d.usage(codexUsage, nil)
		case "total_token_usage":
			if s.Object() {
				for k := s.Key(); k != nil; k = s.Key() {
					h := journal.Hash(k)
					n, _ := s.Int()
					r.totals = fingerprint(r.totals, int64(h), n)
				}
			}
		case "model_context_window":
			r.window = d.size()
		}
	}
}

// snapshotMember reads a member of a ready-made snapshot; reports whether it is one.
func (d *scribe) snapshotMember(sm *sample, k []byte) bool {
	s := d.s
	switch string(k) {
	case "version":
		if n, ok := s.Int(); ok {
			sm.version = n
		}
	case "stage":
		v, _ := s.Str(32)
		sm.Stage = stage(v)
	case "item_stage":
		v, _ := s.Str(32)
		sm.ItemStage = stage(v)
	case "basis":
		v, _ := s.Str(32)
		sm.Basis = basis(v)
	case "coverage":
		v, _ := s.Str(16)
		sm.Complete = string(v) == "complete"
	case "baseline":
		sm.Baseline, _ = s.Bool()
	case "categories":
		d.categories(sm)
	case "estimated_tokens":
		sm.stated = d.size()
	case "reported_tokens":
		sm.Reported = d.size()
	case "window_tokens":
		sm.Window = d.size()
	case "compact_threshold_tokens":
		sm.Threshold = d.size()
	case "effective_window_tokens":
		sm.Effective = d.size()
	case "omitted_changes":
		sm.Omitted += uint32(max(0, d.size()))
	case "changes":
		sm.first = int32(d.changes.Len())
		if s.Array() {
			for s.Elem() {
				d.change(sm)
			}
		}
	default:
		return false
	}
	return true
}

func (d *scribe) categories(sm *sample) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		var b [64]byte
		key := b[:copy(b[:], k)]
		if n, ok := s.Int(); ok {
			d.category(sm, key, n)
		}
	}
}

func (d *scribe) change(sm *sample) {
	s, c := d.s, &d.c
	*c = entry{chars: -1, category: c.category[:0], change: c.change[:0]}
	if !s.Object() {
		s.Skip()
		d.in.Malformed++
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "id":
			c.id = d.text()
		case "category":
			v, _ := s.Str(64)
			c.category = append(c.category, v...)
		case "tokens":
			c.tokens, c.hasTokens = s.Int()
		case "chars":
			c.chars = d.size()
		case "source_id":
			c.call = d.text()
		case "source_kind":
			v, _ := s.Str(16)
			c.source = source(v)
		case "label":
			v, _ := s.Str(256)
			c.label = d.in.Strings.Put(firstLine(v))
		case "change":
			v, _ := s.Str(16)
			c.change = append(c.change, v...)
		case "delta_tokens":
			c.delta, _ = s.Int()
		}
	}
	d.add(sm, c)
}

// context reads a reading of Claude Code's context.
func (d *scribe) context() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	c := &context{tokens: -1, window: -1, effective: -1, threshold: -1}
	d.row.context = c
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "tokens":
			c.tokens = d.size()
		case "window":
			c.window = d.size()
		case "breakdown":
			d.breakdown(c)
		case "items_reset":
			c.reset, _ = s.Bool()
		case "items":
			c.whole = d.items(c)
		case "item_changes":
			d.items(c)
		case "removed_items":
			if s.Array() {
				for s.Elem() {
					c.gone = append(c.gone, d.text())
				}
			}
		}
	}
}

func (d *scribe) breakdown(c *context) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	c.broken = true
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "raw_max_tokens":
			c.effective = d.size()
		case "auto_compact_threshold":
			c.threshold = d.size()
		case "categories":
			if s.Array() {
				for s.Elem() {
					d.measured(c)
				}
			}
		}
	}
}

// measured reads a row of the harness's own breakdown. Free space and what is deferred are not in the context.
func (d *scribe) measured(c *context) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	used, n, category := false, int64(-1), journal.Unattributed
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "name":
			v, _ := s.Str(96)
			category = native(string(v))
		case "kind":
			v, _ := s.Str(16)
			used = string(v) == "used"
		case "tokens":
			n = d.size()
		}
	}
	if used && n >= 0 {
		c.native.Add(category, uint32(n))
	}
}

// native puts a row of the breakdown into a category by the words in its name.
func native(name string) journal.Category {
	name = strings.ToLower(name)
	if strings.Contains(name, "message") || strings.Contains(name, "conversation") {
		return journal.Messages
	}
	for _, w := range []string{"system", "tool", "memory", "rule", "skill", "agent", "command", "environment", "reminder"} {
		if strings.Contains(name, w) {
			return journal.SectionCategory(name)
		}
	}
	return journal.Unattributed
}

// items reads what is in the context, or what changed in it; reports whether there was a list.
func (d *scribe) items(c *context) bool {
	s := d.s
	if !s.Array() {
		s.Skip()
		return false
	}
	for s.Elem() {
		if !s.Object() {
			s.Skip()
			continue
		}
		it := composition.Item{Chars: composition.Uncounted, Category: journal.Unattributed, ID: composition.ID{Prefix: composition.Named}}
		n := int64(-1)
		for k := s.Key(); k != nil; k = s.Key() {
			switch string(k) {
			case "id":
				it.ID.Name = d.text()
			case "category":
				v, _ := s.Str(32)
				if k := journal.CategoryNamed(string(v)); k != journal.NoCategory {
					it.Category = k
				}
			case "tokens":
				n = d.size()
			case "chars":
				if v := d.size(); v >= 0 {
					it.Chars = uint32(v)
				}
			case "source_id":
				it.Call = d.text()
			case "source_kind":
				v, _ := s.Str(16)
				it.Source = source(v)
			case "label":
				v, _ := s.Str(256)
				it.Label = d.in.Strings.Put(firstLine(v))
			}
		}
		if it.ID.Name != 0 && n >= 0 {
			it.Tokens = uint32(n)
			c.items = append(c.items, it)
		}
	}
	return true
}
