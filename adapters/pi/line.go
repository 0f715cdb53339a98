package pi

import (
	"contextscope/adapters/argument"
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Scan returns the function that reads the values of one input: it fills the record and reports whether to keep it. All are
// kept, because entries of the first version are named by their position.
func Scan(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &decoder{in: in, calls: argument.Reader{Strings: in.Strings, Names: details}}
	return d.read
}

type decoder struct {
	calls argument.Reader
	in    *journal.Input
	s     *jsonl.Scanner
	r     *journal.Record
	e     entry
	name  []byte // of an item while it is put together

	facts facts.Collector
}

// entry is what one value says. Members of all types are read the same way, because the type may stand after them.
type entry struct {
	kind    string
	unknown []byte
	id      []byte
	parent  uint64

	message message // or the content of an entry that is a message itself

	summary   int64
	kept      uint64 // id of the first entry that a compaction kept
	keptIndex int64  // … or its position plus one
	before    int64
	tail      bool // what was kept stands in the compaction itself

	target      uint64
	replacement byte // 'n'ull, 'o'bject, 0 for none
	title       journal.Ref
	copiedFrom  journal.Ref
	dir         journal.Ref
	parentOf    journal.Ref
}

// kinds are the types of entry that are told apart; a type that is none of them is kept to be counted.
var kinds = func() map[string]string {
	m := map[string]string{}
	for _, k := range []string{"session", "message", "compaction", "branch_summary", "custom_message", "context_edit", "leaf",
		"session_info", "model_change", "thinking_level_change", "active_tools_change", "custom", "label", "usage"} {
		m[k] = k
	}
	return m
}()

func (d *decoder) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s, d.r = s, r
	d.facts.Begin()
	d.e = entry{unknown: d.e.unknown[:0], id: d.e.id[:0]}
	if !s.Object() {
		if s.Skip(); !s.Failed() {
			d.in.Unknown([]byte("(not an object)"))
		}
		return true
	}
	for k := s.Key(); k != nil; k = s.Key() {
		d.member(k)
	}
	if !s.Failed() {
		d.finish()
		d.facts.Finish(d.in, r)
	}
	return true
}

func (d *decoder) member(k []byte) {
	s, e := d.s, &d.e
	switch string(k) {
	case "type":
		v, _ := s.Str(64)
		e.kind = kinds[string(v)]
		e.unknown = append(e.unknown[:0], v...)
	case "id":
		v, _ := s.Str(256)
		e.id = append(e.id[:0], v...)
	case "parentId":
		e.parent = d.hash()
	case "timestamp":
		d.r.At = d.time()
	case "message", "systemMessage":
		d.message(&e.message)
	case "retainedTail":
		d.tail()
	case "summary":
		head, t := s.Str(facts.Room())
		e.summary = t.Units
		d.facts.Add(facts.Nobody, -1, head, t.Units)
	case "firstKeptEntryId":
		e.kept = d.hash()
	case "firstKeptEntryIndex":
		if n, ok := s.Int(); ok && n >= 0 {
			e.keptIndex = n + 1
		}
	case "tokensBefore":
		e.before, _ = s.Int()
	case "targetId":
		e.target = d.hash()
	case "replacement":
		d.replacement()
	case "name":
		v, _ := s.Str(4 * journal.MaxTitle)
		e.title = d.in.Strings.Put(journal.TitleOf(v))
	case "parentSession":
		e.parentOf = d.ref(1024)
	case "cwd":
		e.dir = d.ref(1024)
	case "branchedFrom":
		e.copiedFrom = d.ref(1024)
	case "content", "customType", "excludeFromContext":
		d.field(&e.message, k)
	default:
		s.Skip()
	}
}

func (d *decoder) hash() uint64 {
	v, _ := d.s.Str(256)
	return journal.Hash(v)
}

func (d *decoder) ref(limit int) journal.Ref {
	v, _ := d.s.Str(limit)
	return d.in.Strings.Put(v)
}

// time reads a moment: a string, or milliseconds as messages have them.
func (d *decoder) time() int64 {
	s := d.s
	if s.Kind() == jsonl.String {
		v, _ := s.Str(40)
		at, _ := journal.ParseTime(v)
		return at
	}
	const last = 253402300800_000 // the year 10,000 in milliseconds
	if n, ok := s.Int(); ok && n > 0 && n < last {
		if at := n * 1e6; at/1e6 == n {
			return at
		}
	}
	return 0
}

func (d *decoder) part(p journal.Part) { d.in.Parts.Append(p) }

func (d *decoder) label(s string) journal.Ref { return d.in.Strings.Put([]byte(s)) }

// tail reads the messages that a compaction kept, where they stand in itself.
func (d *decoder) tail() {
	s := d.s
	if !s.Array() {
		s.Skip()
		return
	}
	d.e.tail = true
	for s.Elem() {
		var m message
		if d.message(&m) {
			d.close(&m)
		}
	}
}

// replacement reads what a context edit puts in the place of an entry's content: nothing, or other content.
func (d *decoder) replacement() {
	s, e := d.s, &d.e
	if s.Kind() == jsonl.Null {
		e.replacement = 'n'
	}
	if !s.Object() {
		s.Skip()
		return
	}
	e.replacement = 'o'
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "content" {
			d.field(&e.message, k)
		} else {
			s.Skip()
		}
	}
}

// finish decides what the entry is, when all of it is known.
func (d *decoder) finish() {
	r, e := d.r, &d.e
	if len(e.id) > 0 && e.kind != "session" {
		r.ID, r.Parent = journal.Hash(e.id), e.parent
		r.Flags |= journal.LocalID
	}
	switch e.kind {
	case "session":
		d.header()
	case "message":
		d.finishMessage()
	case "compaction":
		d.compaction()
	case "branch_summary":
		d.drop()
		r.Kind = journal.Injected
		d.facts.Claim(facts.Summary)
		d.part(journal.Part{Kind: journal.Item, Category: journal.Summaries, Units: journal.Units(e.summary)})
	case "custom_message":
		r.Kind = journal.Injected
		e.message.role = custom
		d.close(&e.message)
	case "context_edit":
		d.edit()
	case "leaf":
		d.drop()
		r.Kind = journal.Rollback
		d.part(journal.Part{Kind: journal.KeptTo, Hash: e.target, Flags: journal.Hashed})
	case "session_info":
		d.drop()
		r.Kind = journal.Name
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Title, Label: e.title})
	case "":
		d.drop()
		d.in.Unknown(e.unknown)
	default:
		d.drop() // known, and not in the context
	}
}

// drop takes back what looked like content.
func (d *decoder) drop() { d.in.Parts.Truncate(int(d.r.First)) }

func (d *decoder) header() {
	d.drop()
	r, e := d.r, &d.e
	r.Kind, r.Session = journal.Header, d.in.Strings.Put(e.id)
	for _, a := range []struct {
		attr journal.Attr
		text journal.Ref
	}{{journal.ParentSession, e.parentOf}, {journal.ForkedFrom, e.copiedFrom}, {journal.WorkingDir, e.dir}} {
		if a.text != 0 {
			d.part(journal.Part{Kind: journal.Attribute, Attr: a.attr, Label: a.text})
		}
	}
}

// compaction closes a compaction entry. Its last item is the summary, whatever messages stand in it besides.
func (d *decoder) compaction() {
	r, e := d.r, &d.e
	r.Kind = journal.Boundary
	d.facts.Claim(facts.Summary)
	if e.message.seen {
		e.message.role = system
		d.close(&e.message)
	}
	if e.kept != 0 && !e.tail {
		d.part(journal.Part{Kind: journal.KeptFrom, Hash: e.kept, Flags: journal.Hashed})
	}
	if e.keptIndex > 0 && !e.tail {
		d.part(journal.Part{Kind: journal.KeptFrom, Units: journal.Units(e.keptIndex - 1)})
	}
	if e.before > 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.PreTokens, Units: journal.Units(e.before)})
	}
	d.part(journal.Part{Kind: journal.Item, Category: journal.Summaries, Units: journal.Units(e.summary)})
}

// edit closes a context edit. Its content takes the category of what it replaces, which only Settle knows.
func (d *decoder) edit() {
	r, e := d.r, &d.e
	if e.target == 0 || e.replacement == 0 {
		d.drop()
		d.in.Unknown([]byte("context_edit"))
		return
	}
	r.Kind = journal.Trim
	if e.replacement == 'n' {
		d.drop()
	} else {
		d.part(journal.Part{Kind: journal.Item, Units: journal.Units(e.message.text()), Detail: e.message.title})
		d.unmeasured(&e.message)
	}
	d.part(journal.Part{Kind: journal.Gone, Hash: e.target, Flags: journal.Hashed})
}
