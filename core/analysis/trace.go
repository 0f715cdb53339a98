package analysis

import (
	"cmp"
	"slices"
	"strconv"

	"contextscope/core/composition"
	"contextscope/core/journal"
	"contextscope/core/perfetto"
)

// AppendTrace appends a Perfetto trace: of each session a capture with what was asked, answered, called and compacted, the snapshots
// as typed annotations of schema version 1, and counters. Names and ids are those of the document, masked like it.
func (a *Analysis) AppendTrace(dst []byte, o Options) []byte {
	t := &tracer{document: &document{a: a, o: o, started: a.started()}, mask: a.Masker(o).Text, pids: map[string]uint64{}}
	t.w.Sequence = traceID("contextscope", "sequence") & 0xffffffff
	first := int64(0)
	chosen := o.Sessions
	if chosen == nil {
		for i := range a.Sessions {
			chosen = append(chosen, i)
		}
	}
	for _, i := range chosen {
		if at := a.Sessions[i].StartedAt; at > 0 && (first == 0 || at < first) {
			first = at
		}
	}
	t.w.Clocks(first)
	for _, i := range chosen {
		t.capture(a.Sessions[i], o)
	}
	return append(dst, t.w.B...)
}

// tracer writes a trace.
type tracer struct {
	*document
	w    perfetto.Writer
	mask func(string) string
	pids map[string]uint64 // uuid of the process of each harness

	s      *Session
	root   string // of the ids of the capture
	began  int64
	ended  int64
	events []traceEvent
	rows   map[string]uint64
}

// traceEvent is one or two packets that belong at a moment. Of one moment the profile begins first, and the closing zeros and its
// end come last.
type traceEvent struct {
	at    int64
	order int
	write func()
}

const (
	profileBegins = iota
	initialZero
	happens
	sampled
	closingZero
	profileEnds
)

// traceID makes the id of a track: 64-bit FNV-1a of its name, never 0.
func traceID(root, key string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range []byte(root + ":" + key) {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return max(h, 1)
}

// traceNames are the names of processes and of categories by harness; others have the recorder's.
var traceNames = map[string]string{"claude-code": "claude", "codex": "codex", "muse": "muse"}

func (t *tracer) capture(s *Session, o Options) {
	t.s, t.events, t.rows = s, nil, map[string]uint64{}
	t.root = s.Harness + "/" + s.ID
	t.began, t.ended = s.StartedAt, max(s.EndedAt, s.StartedAt)
	for i := range s.Snapshots { // what was observed lies inside
		if at := s.Snapshots[i].At; at > 0 {
			if t.began == 0 || at < t.began {
				t.began = at
			}
			t.ended = max(t.ended, at)
		}
	}
	t.ended++
	family := cmp.Or(traceNames[s.Harness], "agentprof")
	process := t.process(s, family)
	root := traceID(t.root, "capture")
	t.w.Row(root, process, "agentprof.capture", perfetto.MergeNone)
	t.profile(root, family, o)
	hung := t.requests(family)
	t.calls(family, hung)
	t.boundaries(family, hung)
	t.rest(family, hung)
	t.counters(root, o)
	slices.SortStableFunc(t.events, func(a, b traceEvent) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	for _, e := range t.events {
		e.write()
	}
}

func (t *tracer) process(s *Session, family string) uint64 {
	uuid, ok := t.pids[s.Harness]
	if !ok {
		uuid = traceID("process", s.Harness)
		t.pids[s.Harness] = uuid
		t.w.Process(uuid, int64(len(t.pids)), family, cmp.Or(t.a.names[s.Harness], s.Harness))
	}
	return uuid
}

// row is a track of the capture by its name.
func (t *tracer) row(name string) uint64 {
	uuid, ok := t.rows[name]
	if !ok {
		uuid = traceID(t.root, name)
		t.rows[name] = uuid
		t.w.Row(uuid, traceID(t.root, "capture"), name, perfetto.MergeByName)
	}
	return uuid
}

// moment is when something happened, as far as it is known; else the beginning.
func (t *tracer) momentOf(at int64) int64 {
	if at <= 0 {
		return t.began
	}
	return min(max(at, t.began), t.ended-1)
}

func (t *tracer) text(args *perfetto.Args, key, v string) {
	if v != "" {
		perfetto.PutText(args, key, t.mask(v))
	}
}

func figureArg(args *perfetto.Args, key string, n int64) {
	if n >= 0 {
		perfetto.PutInt(args, key, n)
	}
}

// at adds a slice that takes no time: journals tell when something was written, not how long it took.
func (t *tracer) at(at int64, row uint64, category, name string, args *perfetto.Args, flows ...uint64) {
	at = t.momentOf(at)
	t.events = append(t.events, traceEvent{at, happens, func() {
		t.w.Event(at, perfetto.EventBegin, row, category, name, args, flows...)
		t.w.Event(at, perfetto.EventEnd, row, "", "", nil)
	}})
}

// profile is the capture itself, from the first moment to the last.
func (t *tracer) profile(root uint64, family string, o Options) {
	s, row := t.s, t.row("Session")
	args := &perfetto.Args{}
	t.text(args, "kind", "capture")
	perfetto.PutInt(args, "schema_version", 1)
	t.text(args, "session_id", s.ID)
	t.text(args, "capture_id", strconv.FormatUint(root, 16))
	t.text(args, "harness", s.Harness)
	t.text(args, "harness_version", s.Version)
	t.text(args, "parent_session", s.Parent)
	t.text(args, "child_role", s.Role)
	r := t.a.row(0, s, o)
	if len(r.Models) == 1 {
		t.text(args, "model", r.Models[0])
	}
	figureArg(args, "context_window_tokens", r.WindowTokens)
	figureArg(args, "peak_context_tokens", r.PeakTokens)
	if o.Include.Titles && s.Title != "" { // it is how the first prompt begins
		prompt := &perfetto.Args{}
		t.text(prompt, "kind", "prompt")
		t.text(prompt, "text", s.Title)
		t.at(t.began, row, family+".activity", "prompt", prompt)
	}
	for i := range s.Snapshots {
		if n := &s.Snapshots[i]; n.Event == OnCapture {
			t.context(args, n, t.began)
			break
		}
	}
	t.events = append(t.events,
		traceEvent{t.began, profileBegins, func() { t.w.Event(t.began, perfetto.EventBegin, row, family+".metadata", "profile (1)", args) }},
		traceEvent{t.ended, profileEnds, func() { t.w.Event(t.ended, perfetto.EventEnd, row, "", "", nil) }})
}

// requests adds the responses, each with the snapshot of its request. It tells which snapshots have their slice.
func (t *tracer) requests(family string) map[int]bool {
	hung := map[int]bool{}
	for i := range t.s.Snapshots {
		if t.s.Snapshots[i].Event == OnCapture {
			hung[i] = true // on the profile
			break
		}
	}
	windows := t.a.windows(t.s, t.o.Window)
	for i := range t.s.Requests {
		q := &t.s.Requests[i]
		args := &perfetto.Args{}
		t.text(args, "kind", "assistant-message")
		t.text(args, "model", t.a.Strings.Get(q.Model))
		input := q.Input
		if t.s.Harness == "claude-code" && input >= 0 && q.CacheRead >= 0 && q.CacheWrite >= 0 { // its own word for what is neither read nor written
			input -= q.CacheRead + q.CacheWrite
		}
		figureArg(args, "input_tokens", input)
		figureArg(args, "output_tokens", q.Output)
		figureArg(args, "cache_read_tokens", q.CacheRead)
		figureArg(args, "cache_write_tokens", q.CacheWrite)
		window, _ := windows.of(q.Model, q.Window)
		figureArg(args, "context_window_tokens", window)
		flows := []uint64{t.flow("request", i)}
		if k := int(q.Snapshot); k >= 0 && k < len(t.s.Snapshots) && t.s.Snapshots[k].Event == OnRequest && !hung[k] {
			t.context(args, &t.s.Snapshots[k], t.momentOf(q.At))
			hung[k] = true
			flows = t.additions(flows, &t.s.Snapshots[k])
		}
		t.at(q.At, t.row("Responses"), family+".activity", "response", args, flows...)
	}
	return hung
}

// additions adds the flows from the calls whose results a snapshot lists as added.
func (t *tracer) additions(flows []uint64, n *Snapshot) []uint64 {
	for i := range int(n.N) {
		if c := t.s.Changes.At(int(n.First) + i); c.Kind == composition.Added && c.Source == composition.FromTool && c.Call != 0 {
			flows = append(flows, t.flow("added", int(c.Call)))
		}
	}
	return flows
}

// flow ties a request to the calls that it made, and a call to the request that carried its result first.
func (t *tracer) flow(what string, i int) uint64 { return traceID(t.root, what+strconv.Itoa(i)) }

func (t *tracer) calls(family string, hung map[int]bool) {
	of := map[int32]int{} // call -> its snapshot
	for k := range t.s.Snapshots {
		if n := &t.s.Snapshots[k]; n.Event == OnCall && !hung[k] {
			if _, ok := of[n.Index]; !ok {
				of[n.Index] = k
			}
		}
	}
	children := t.started[t.s.whole().ID]
	for i := range t.s.Calls {
		c := &t.s.Calls[i]
		args := &perfetto.Args{}
		kind := "tool-execution"
		if c.Script {
			kind = "script"
		}
		t.text(args, "kind", kind)
		t.text(args, "call_id", t.name(t.a.Strings.Get(c.ID)))
		t.text(args, "parent_call_id", t.name(t.a.Strings.Get(c.Parent)))
		if c.Failed {
			perfetto.PutBool(args, "is_error", true)
		}
		if k, ok := children[c.ID]; ok && c.ID != 0 {
			t.text(args, "child_session", t.a.Sessions[k].ID)
		}
		if t.o.Include.Paths {
			t.text(args, "args", t.a.Strings.Get(c.Detail))
		}
		if k, ok := of[int32(i)]; ok {
			t.context(args, &t.s.Snapshots[k], t.momentOf(c.At))
			hung[k] = true
		}
		var flows []uint64
		if c.Request >= 0 {
			flows = append(flows, t.flow("request", int(c.Request)))
		}
		if c.ID != 0 {
			flows = append(flows, t.flow("added", int(c.ID)))
		}
		t.at(c.At, t.row("Tools"), family+".activity", cmp.Or(t.mask(t.name(t.a.Strings.Get(c.Name))), "tool"), args, flows...)
	}
}

func (t *tracer) boundaries(family string, hung map[int]bool) {
	for i := range t.s.Boundaries {
		b := &t.s.Boundaries[i]
		if b.Kind != "compaction" {
			continue
		}
		args := &perfetto.Args{}
		t.text(args, "kind", "compaction")
		t.text(args, "trigger", b.Trigger)
		figureArg(args, "pre_tokens", b.HarnessFrom)
		figureArg(args, "post_tokens", b.HarnessTo)
		perfetto.PutBool(args, "success", true)
		for k := range t.s.Snapshots {
			if n := &t.s.Snapshots[k]; n.Event == OnCompaction && int(n.Index) == i && !hung[k] {
				t.context(args, n, t.momentOf(b.At))
				hung[k] = true
				break
			}
		}
		t.at(b.At, t.row("Compaction"), family+".activity", "compact", args)
	}
}

// rest hangs what is left on what the person did then: a report of the harness, say, was asked for.
func (t *tracer) rest(family string, hung map[int]bool) {
	for k := range t.s.Snapshots {
		if hung[k] {
			continue
		}
		n := &t.s.Snapshots[k]
		args := &perfetto.Args{}
		t.text(args, "kind", "prompt")
		t.context(args, n, t.momentOf(n.At))
		t.at(n.At, t.row("Session"), family+".activity", "prompt", args)
	}
}

// context is the annotation of a snapshot: schema version 1, its fields in their order. from is when its slice begins.
func (t *tracer) context(args *perfetto.Args, n *Snapshot, from int64) {
	perfetto.PutDict(args, "context", func(e *perfetto.Entries) {
		word := func(key, v string) {
			if v != "" {
				perfetto.PutText(e, key, t.mask(v))
			}
		}
		number := func(key string, v int64) {
			if v >= 0 {
				perfetto.PutInt(e, key, v)
			}
		}
		perfetto.PutInt(e, "version", 1)
		word("stage", n.Stage.String())
		word("basis", n.Basis.String())
		word("coverage", n.coverage())
		perfetto.PutBool(e, "baseline", n.Baseline)
		word("item_stage", n.ItemStage.String())
		perfetto.PutDict(e, "categories", func(c *perfetto.Entries) {
			for k := journal.System; int(k) < journal.NumCategories; k++ {
				if n.Observed(k) {
					perfetto.PutInt(c, k.Key(), int64(n.Tokens[k]))
				}
			}
			for _, o := range n.Others {
				perfetto.PutInt(c, t.a.Strings.Get(o.Key), int64(o.Tokens))
			}
		})
		number("estimated_tokens", n.Sum())
		number("reported_tokens", n.Reported)
		window, _ := t.a.windows(t.s, t.o.Window).of(n.Model, n.Window)
		number("window_tokens", window)
		number("compact_threshold_tokens", n.Threshold)
		number("effective_window_tokens", n.Effective)
		word("model", t.a.Strings.Get(n.Model))
		perfetto.PutList(e, "changes", func(l *perfetto.Entries) {
			for i := range int(n.N) {
				t.changed(l, t.s.Changes.At(int(n.First)+i))
			}
		})
		number("omitted_changes", int64(n.Omitted))
		at := n.At
		if at <= 0 {
			at = from
		}
		perfetto.PutInt(e, "sample_offset_ns", at-from)
	})
}

func (t *tracer) changed(l *perfetto.Entries, c *composition.Change) {
	perfetto.PutDict(l, "", func(e *perfetto.Entries) {
		word := func(key, v string) {
			if v != "" {
				perfetto.PutText(e, key, t.mask(v))
			}
		}
		word("id", t.name(string(c.ID.Append(nil, t.a.Strings))))
		word("category", t.a.category(c))
		perfetto.PutInt(e, "tokens", int64(c.Tokens))
		if c.Chars != composition.Uncounted {
			perfetto.PutInt(e, "chars", int64(c.Chars))
		}
		word("source_id", t.name(t.a.Strings.Get(c.Call)))
		word("source_kind", c.Source.String())
		label := t.a.Strings.Get(c.Label)
		if label == "" {
			label = journal.CategoryName(t.a.category(c))
		}
		word("label", t.name(label))
		word("change", c.Kind.String())
		perfetto.PutInt(e, "delta_tokens", int64(c.Delta))
	})
}

// counters sample every category, the size and the window at each snapshot: absolute values, 0 for a category that is not there any
// more. A zero at the end of the recording closes each; it is no compaction.
func (t *tracer) counters(root uint64, o Options) {
	const unit, share = "tokens", "llm.context.tokens"
	sample := func(at int64, order int, track uint64, v int64) {
		t.events = append(t.events, traceEvent{at, order, func() { t.w.Sample(at, track, max(v, 0)) }})
	}
	size, window := traceID(t.root, "Context size"), traceID(t.root, "Context window")
	t.w.Counter(size, root, "Context size", unit, share)
	t.w.Counter(window, root, "Context window", unit, share)
	sample(t.began, initialZero, size, 0)
	sample(t.began, initialZero, window, 0)
	group := uint64(0)
	tracks := map[journal.Category]uint64{}
	windows := t.a.windows(t.s, o.Window)
	for i := range t.s.Snapshots {
		n := &t.s.Snapshots[i]
		at := t.momentOf(n.At)
		for c := journal.System; int(c) < journal.NumCategories; c++ {
			track, known := tracks[c]
			if n.Observed(c) && !known {
				if group == 0 {
					group = traceID(t.root, "Context")
					t.w.Row(group, root, "Context", 0)
				}
				track, known = traceID(t.root, "Context: "+c.Name()), true
				tracks[c] = track
				t.w.Counter(track, group, "Context: "+c.Name(), unit, share)
			}
			if known {
				sample(at, sampled, track, int64(n.Tokens[c]))
			}
		}
		total := n.Reported
		if total < 0 {
			total = n.Sum()
		}
		if total >= 0 {
			sample(at, sampled, size, total)
		}
		if v, _ := windows.of(n.Model, n.Window); v >= 0 {
			sample(at, sampled, window, v)
		}
	}
	for _, total := range t.s.Totals {
		if total.Tokens >= 0 {
			sample(t.momentOf(total.At), sampled, size, total.Tokens)
		}
	}
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if track, ok := tracks[c]; ok {
			sample(t.ended, closingZero, track, 0)
		}
	}
	sample(t.ended, closingZero, size, 0)
	sample(t.ended, closingZero, window, 0)
}
