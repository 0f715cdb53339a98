package codex

import (
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Scan returns the function that reads the values of one input: it fills the record and reports whether to keep it.
func Scan(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &decoder{in: in}
	return d.read
}

type decoder struct {
	in   *journal.Input
	s    *jsonl.Scanner
	r    *journal.Record
	line line
	item item

	facts facts.Collector
}

// line is what one line says outside of an item. Members of all kinds of payload are read the same way, because the type
// may stand after them.
type line struct {
	kind        string
	wrapped     bool // has a payload
	state       bool // a bare record_type
	id          journal.Ref
	forkedFrom  journal.Ref
	parent      journal.Ref
	role        journal.Ref
	version     journal.Ref
	dir         journal.Ref
	model       journal.Ref
	threadName  journal.Ref
	window      int64
	startedAt   int64
	turns       int64
	hasTurns    bool
	instruction bool
	info        bool
	usage       journal.Usage
	replaced    bool
	unknown     []byte
}

func (d *decoder) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s, d.r = s, r
	d.facts.Begin()
	d.line = line{unknown: d.line.unknown[:0]}
	d.item = item{}
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return false
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "timestamp", "created_at":
			v, _ := s.Str(40)
			r.At, _ = journal.ParseTime(v)
		case "type":
			d.line.kind = d.name()
		case "record_type":
			d.line.state = true
			s.Skip()
		case "payload":
			d.payload()
		default:
			d.field(k, false)
		}
	}
	if s.Failed() || !d.finish() {
		return false
	}
	d.facts.Finish(d.in, r)
	return true
}

// names are the types that are told apart; a type that is none of them is kept to be counted.
var names = func() map[string]string {
	m := map[string]string{}
	for k := range envelope {
		m[k] = k
	}
	for k := range items {
		m[k] = k
	}
	for k := range events {
		m[k] = k
	}
	return m
}()

// name reads a type without allocating for those that are known.
func (d *decoder) name() string {
	v, _ := d.s.Str(64)
	if n, ok := names[string(v)]; ok {
		return n
	}
	d.line.unknown = append(d.line.unknown[:0], v...)
	return "?"
}

func (d *decoder) payload() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	d.line.wrapped = true
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "type" {
			d.item.kind = d.name()
			continue
		}
		d.field(k, true)
	}
}

// field reads a member of a payload, or of a line without one.
func (d *decoder) field(k []byte, wrapped bool) {
	s, l := d.s, &d.line
	switch string(k) {
	case "id":
		if s.Kind() == jsonl.String {
			l.id = d.ref()
		} else {
			s.Skip()
		}
	case "forked_from_id":
		l.forkedFrom = d.ref()
	case "parent_thread_id":
		l.parent = d.ref()
	case "agent_role":
		l.role = d.ref()
	case "source":
		d.source()
	case "cwd":
		l.dir = d.ref()
	case "cli_version":
		l.version = d.ref()
	case "model":
		l.model = d.ref()
	case "thread_name":
		l.threadName = d.ref()
	case "model_context_window":
		l.window, _ = s.Int()
	case "started_at":
		l.startedAt, _ = s.Int()
	case "num_turns":
		l.turns, l.hasTurns = s.Int()
	case "info":
		d.info()
	case "base_instructions", "instructions":
		d.instructions()
	case "dynamic_tools":
		if n := s.JSONUnits(); n > 2 {
			d.fixed("dynamic_tools", journal.Tools, n)
		}
	case "replacement_history":
		d.replacement()
	default:
		d.itemField(&d.item, k)
	}
}

func (d *decoder) ref() journal.Ref {
	v, _ := d.s.Str(256)
	return d.in.Strings.Put(v)
}

func (d *decoder) part(p journal.Part) { d.in.Parts.Append(p) }

func (d *decoder) label(s string) journal.Ref { return d.in.Strings.Put([]byte(s)) }

// fixed adds an item that stands outside of the history and stays through compactions.
func (d *decoder) fixed(name string, c journal.Category, n int64) {
	ref := d.label(name)
	d.part(journal.Part{Kind: journal.Item, Category: c, ID: ref, Label: ref, Units: journal.Units(n), Flags: journal.Fixed})
}

// instructions are the system prompt: a string in older versions, an object with a text in newer ones.
func (d *decoder) instructions() {
	s := d.s
	d.line.instruction = true
	var n int64
	switch s.Kind() {
	case jsonl.String:
		n = s.Text().Units
	case jsonl.Object:
		s.Object()
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "text" {
				n = s.Text().Units
			} else {
				s.Skip()
			}
		}
	default:
		s.Skip()
	}
	if n > 0 {
		d.fixed("base_instructions", journal.System, n)
	}
}

// source says who started the thread: a name, or an object that names a subagent and its parent.
func (d *decoder) source() {
	s, l := d.s, &d.line
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) != "subagent" {
			s.Skip()
			continue
		}
		if s.Kind() == jsonl.String {
			l.role = d.ref()
			continue
		}
		if !s.Object() {
			s.Skip()
			continue
		}
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) != "thread_spawn" || !s.Object() {
				if l.role == 0 {
					l.role = d.in.Strings.Put(k)
				}
				s.Skip()
				continue
			}
			l.role = d.label("subagent")
			for k := s.Key(); k != nil; k = s.Key() {
				switch string(k) {
				case "parent_thread_id":
					l.parent = d.ref()
				case "agent_role":
					if ref := d.ref(); ref != 0 {
						l.role = ref
					}
				default:
					s.Skip()
				}
			}
		}
	}
}

// info reads the figures of a token count.
func (d *decoder) info() {
	s, l := d.s, &d.line
	if !s.Object() {
		s.Skip()
		return
	}
	l.info = true
	u := &l.usage
	u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Total = -1, -1, -1, -1, -1
	var totals, last [figureCount]int64
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "last_token_usage":
			d.figures(&last)
		case "total_token_usage":
			d.figures(&totals)
		case "model_context_window":
			n, _ := s.Int()
			u.Window = journal.Tokens(n)
		default:
			s.Skip()
		}
	}
	for i, to := range []*journal.Count32{&u.Input, &u.CacheRead, &u.CacheWrite, &u.Output, &u.Total} {
		*to = journal.Tokens(last[i] - 1)
	}
	u.Totals = journal.Fold(journal.Fold(0, last[:]...), totals[:]...)
}

// figureNames are the figures of a usage in the order in which they are kept.
var figureNames = [figureCount]string{"input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "total_tokens"}

const figureCount = 5

// figures reads a usage: each figure plus one, so that 0 is one that is not there. Life-time sums do not fit in 32 bits.
func (d *decoder) figures(to *[figureCount]int64) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		i := 0
		for i < figureCount && string(k) != figureNames[i] {
			i++
		}
		if i == figureCount {
			s.Skip()
		} else if n, ok := s.Int(); ok && n >= 0 {
			to[i] = n + 1
		}
	}
}
