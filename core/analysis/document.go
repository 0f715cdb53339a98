package analysis

import (
	"contextscope/core/compaction"
	"contextscope/core/composition"
	"contextscope/core/journal"
	"contextscope/core/redact"
)

// Schema names the document that AppendJSON writes.
const Schema = "contextscope.analysis/1"

// AppendJSON appends the Analysis document. Arrays are never null, tokens are integers, times are RFC 3339 in UTC, and what
// is unknown is left out. Unless a person included it, no prompt, path or title is in it: they stand as stable tokens.
func (a *Analysis) AppendJSON(dst []byte, o Options) []byte {
	e := &encoder{b: make([]byte, 0, 1<<16), mask: a.Masker(o).Text}
	d := &document{encoder: e, a: a, o: o, started: a.started()}
	e.open('{')
	e.keyString("schema", Schema)
	e.list("inputs", len(a.Inputs), d.input)
	groups := a.groups(o.Sessions)
	e.list("sessions", len(groups), func(i int) { d.session(groups[i]) })
	e.close('}')
	if o.Pretty {
		return append(append(dst, indent(e.b)...), '\n')
	}
	return append(append(dst, e.b...), '\n')
}

// Masker masks what is passed on of this analysis: secrets, and who and where a person is unless they keep it.
func (a *Analysis) Masker(o Options) *redact.Masker {
	m := redact.New(o.Keep)
	for _, s := range a.Sessions {
		m.Learn(a.Strings.Get(s.Folder))
	}
	for _, in := range a.Inputs {
		m.Learn(in.Path)
	}
	return m
}

type document struct {
	*encoder
	a *Analysis
	o Options

	started map[string]map[journal.Ref]int // of each session: call -> the session that it started
	diffsOf map[*Session][]*Diff
}

func (d *document) text(r journal.Ref) string { return d.a.Strings.Get(r) }

func (d *document) input(i int) {
	in := d.a.Inputs[i]
	d.open('{')
	d.keyString("name", in.Name)
	d.keyStringIf("format", in.Format)
	d.keyString("reason", in.Reason)
	d.keyStringIf("compression", in.Compression)
	d.keyInt("bytes", in.Bytes)
	d.keyInt("lines", in.Lines)
	d.keyInt("records", in.Values)
	d.object("skipped", func() {
		d.keyInt("malformed", in.Malformed)
		d.keyInt("duplicate", d.a.Duplicate[i])
		d.object("unknown", func() {
			for _, k := range in.Kinds {
				d.sep()
				d.b = appendQuoted(d.b, d.mask(k.Kind))
				d.b = append(d.b, ':')
				d.comma = false
				d.int(k.Count)
			}
		})
	})
	warnings := d.a.Warnings(i)
	d.list("warnings", len(warnings), func(k int) {
		w := &warnings[k]
		d.open('{')
		d.keyString("code", w.Code)
		if w.Line > 0 {
			d.keyInt("line", w.Line)
		}
		d.keyString("message", w.Message)
		d.keyStringIf("hint", w.Hint)
		d.close('}')
	})
	d.close('}')
}

// token stands for a text that is not passed on: the same text has the same token.
func token(kind, text string) string {
	if text == "" {
		return ""
	}
	const hex = "0123456789abcdef"
	h := journal.Hash([]byte(text))
	b := append([]byte(kind), '-')
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hex[h>>shift&15])
	}
	return string(b)
}

// name is the name of an item as it is passed on. A recording can have anything in its place: a path, or text, stands as a
// token unless it was included.
func (d *document) name(text string) string {
	if d.o.Include.Paths {
		return text
	}
	return nameOnly(text)
}

// What is longer is no name: ids of calls have up to a hundred characters, names of sections a few words.
const (
	maxName  = 128
	maxWords = 8
)

func (d *document) session(streams []*Session) {
	s, j := streams[0], d.join(streams)
	d.open('{')
	d.keyString("id", s.ID)
	d.keyString("harness", s.Harness)
	d.keyStringIf("harness_version", s.Version)
	d.keyStringIf("parent", s.Parent)
	d.keyStringIf("parent_call", d.text(s.ParentCall))
	d.keyStringIf("role", s.Role)
	if d.o.Include.Titles {
		d.keyStringIf("title", s.Title)
	} else {
		d.keyStringIf("title", token("title", s.Title))
	}
	names := d.a.models(streams...)
	d.list("models", len(names), func(i int) { d.string(names[i]) })
	started, ended := span(streams)
	d.keyTimeIf("started_at", started)
	d.keyTimeIf("ended_at", ended)
	inputs := sources(streams)
	d.list("inputs", len(inputs), func(i int) { d.int(int64(inputs[i])) })
	d.list("requests", len(j.requests), func(i int) { d.request(j, j.requests[i]) })
	d.list("calls", len(j.calls), func(i int) { d.call(j, j.calls[i]) })
	d.list("snapshots", len(j.snapshots), func(i int) { d.snapshot(j, j.snapshots[i]) })
	d.totals(s, j.windows[s])
	d.list("compactions", len(j.cuts), func(i int) { d.compaction(j, i) })
	found := j.findings(d)
	d.list("findings", len(found), func(i int) { d.finding(&found[i]) })
	d.close('}')
}

// totals are the recorded sizes of a session without snapshots, as far as they are known.
func (d *document) totals(s *Session, w *windows) {
	var known []*Total
	for i := range s.Totals {
		if t := &s.Totals[i]; t.Tokens != Unknown {
			known = append(known, t)
		}
	}
	d.list("totals", len(known), func(i int) {
		d.open('{')
		d.keyTimeIf("at", known[i].At)
		d.keyInt("tokens", known[i].Tokens)
		tokens, _ := w.of(0, known[i].Window)
		d.keyIntIf("window_tokens", tokens)
		d.close('}')
	})
}

// listed are the boundaries of the document: a model switch without a drop is none.
func (s *Session) listed(threshold float64) []compaction.Boundary {
	var out []compaction.Boundary
	for _, c := range s.cuts(threshold) {
		if c.Kind != compaction.ModelSwitch || c.Above {
			out = append(out, c)
		}
	}
	return out
}

func (d *document) source(k string, src journal.Source) {
	d.object(k, func() {
		d.keyInt("input", int64(src.Input))
		if src.Line > 0 {
			d.keyInt("line", int64(src.Line))
		}
		d.keyInt("offset", src.Offset)
		d.keyInt("length", src.Length)
	})
}

func (d *document) request(j *joined, e entry) {
	q := &e.of.Requests[e.i]
	d.open('{')
	d.keyStringIf("id", d.text(q.ID))
	d.keyTimeIf("at", q.At)
	d.keyStringIf("model", d.text(q.Model))
	d.keyString("stream", e.of.streamName())
	d.keyIntIf("reported_tokens", q.Input)
	d.keyIntIf("output_tokens", q.Output)
	if q.OutputLower {
		d.keyBool("output_is_lower_bound", true)
	}
	d.keyIntIf("cache_read_tokens", q.CacheRead)
	d.keyIntIf("cache_write_tokens", q.CacheWrite)
	tokens, from := j.windows[e.of].of(q.Model, q.Window)
	d.keyIntIf("window_tokens", tokens)
	d.keyStringIf("window_source", from)
	d.source("source", q.Source)
	d.close('}')
}

func (d *document) call(j *joined, e entry) {
	c := &e.of.Calls[e.i]
	d.open('{')
	d.keyString("id", d.text(c.ID))
	d.keyString("name", d.text(c.Name))
	d.keyTimeIf("at", c.At)
	if c.Failed {
		d.keyBool("is_error", true)
	}
	if i, ok := j.children[c.ID]; ok && c.ID != 0 {
		d.keyString("child_session", d.a.Sessions[i].ID)
	}
	d.keyStringIf("parent_call", d.text(c.Parent))
	d.source("source", c.Source)
	d.close('}')
}

// snapshot writes the fields of the context annotation, schema version 1, in their order.
func (d *document) snapshot(j *joined, e entry) {
	s, n := e.of, &e.of.Snapshots[e.i]
	d.open('{')
	d.keyInt("version", 1)
	d.keyStringIf("stage", n.Stage.String())
	d.keyStringIf("basis", n.Basis.String())
	d.keyString("coverage", n.coverage())
	d.keyBool("baseline", n.Baseline)
	d.keyStringIf("item_stage", n.ItemStage.String())
	d.object("categories", func() {
		for c := journal.System; int(c) < journal.NumCategories; c++ {
			if n.Observed(c) {
				d.keyInt(c.Key(), int64(n.Tokens[c]))
			}
		}
		for _, o := range n.Others {
			d.sep()
			d.b = appendQuoted(d.b, d.text(o.Key))
			d.b = append(d.b, ':')
			d.comma = false
			d.int(int64(o.Tokens))
		}
	})
	d.keyIntIf("estimated_tokens", n.Sum())
	d.keyIntIf("reported_tokens", n.Reported)
	tokens, from := j.windows[s].of(n.Model, n.Window)
	d.keyIntIf("window_tokens", tokens)
	d.keyIntIf("compact_threshold_tokens", n.Threshold)
	d.keyIntIf("effective_window_tokens", n.Effective)
	d.keyStringIf("model", d.text(n.Model))
	d.list("changes", int(n.N), func(i int) { d.change(s.Changes.At(int(n.First) + i)) })
	d.keyInt("omitted_changes", int64(n.Omitted))
	d.keyInt("sample_offset_ns", n.Offset)
	d.keyTimeIf("at", n.At)
	d.object("event", func() {
		d.keyString("kind", n.Event.String())
		if n.Event != OnCapture {
			d.keyInt("index", int64(j.numberOf(s, n.Event, int(n.Index))))
		}
	})
	d.keyStringIf("window_source", from)
	d.source("source", n.Source)
	d.close('}')
}

func (d *document) change(c *composition.Change) {
	d.open('{')
	d.key("id")
	d.string(d.name(string(c.ID.Append(nil, d.a.Strings))))
	d.keyString("category", d.a.category(c))
	d.keyInt("tokens", int64(c.Tokens))
	if c.Chars != composition.Uncounted {
		d.keyInt("chars", int64(c.Chars))
	}
	d.keyStringIf("source_id", d.text(c.Call))
	d.keyStringIf("source_kind", c.Source.String())
	label := d.text(c.Label)
	if label == "" {
		label = journal.CategoryName(d.a.category(c))
	}
	d.keyString("label", d.name(label))
	d.keyString("change", c.Kind.String())
	d.keyInt("delta_tokens", int64(c.Delta))
	d.close('}')
}

func (d *document) compaction(j *joined, i int) {
	s := j.cuts[i].of
	c := &j.cutsOf[s][j.cuts[i].i]
	d.open('{')
	d.keyInt("sequence", int64(i)+1)
	d.keyString("kind", c.Kind)
	at, _ := s.moment(c)
	trigger, before, after := "", Unknown, Unknown
	if c.Mark >= 0 {
		b := &s.Boundaries[c.Mark]
		trigger, before, after = b.Trigger, b.HarnessFrom, b.HarnessTo
	}
	d.keyStringIf("trigger", trigger)
	d.list("evidence", len(c.Evidence), func(k int) { d.string(c.Evidence[k]) })
	d.keyString("stream", s.streamName())
	d.keyTimeIf("at", at)
	d.keyStringIf("model", d.text(s.modelOf(c)))
	d.keyIntIf("tokens_before", c.From)
	d.keyIntIf("tokens_after", c.To)
	if dropped := c.Dropped(); dropped != Unknown {
		d.keyInt("tokens_dropped", dropped)
		d.keyFloat("drop_ratio", c.Ratio())
	}
	d.keyIntIf("harness_before", before)
	d.keyIntIf("harness_after", after)
	if c.From != Unknown && c.To != Unknown {
		d.keyBool("above_threshold", c.Above)
	}
	if cost, ok := s.cost(c); ok {
		d.keyFloat("estimated_cost_usd", cost.USD)
		d.keyFloat("price_per_million_usd", cost.Price.Input)
	}
	d.object("source", func() {
		if c.Before >= 0 {
			d.source("before", s.Requests[c.Before].Source)
		}
		if c.Mark >= 0 {
			d.source("boundary", s.Boundaries[c.Mark].Source)
		}
		if c.After >= 0 {
			d.source("after", s.Requests[c.After].Source)
		}
	})
	if d.o.Diff {
		d.diff(d.diffs(s, j)[j.cuts[i].i])
	}
	if diff := j.diffs[s][j.cuts[i].i]; diff != nil {
		d.behavior(diff)
	}
	d.close('}')
}
