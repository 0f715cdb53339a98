package claudecode

import (
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// moment is a snapshot's circumstances at a record.
func (t *thread) moment(r *journal.Record, stage composition.Stage) composition.Moment {
	m := composition.Moment{At: r.At, Stage: stage, Model: t.model,
		Reported: composition.Unknown, Window: composition.Unknown, Threshold: composition.Unknown, Effective: composition.Unknown}
	t.applyWindow(&m)
	return m
}

// applyWindow fills in the window of the last /context report, as long as it speaks of the same model.
func (t *thread) applyWindow(m *composition.Moment) {
	if w := t.window; w.tokens > 0 && w.model == m.Model {
		m.Window = w.tokens
		if w.effective > 0 {
			m.Effective = w.effective
		}
	}
}

// response replays one line of an API response. The request was complete before its first line, so that is where the
// sample is taken; the lines that follow may only correct the figures.
func (t *thread) response(r *journal.Record, i int, inherited bool) {
	u := t.in.Usages.At(int(r.Usage))
	counts := r.Flags&journal.HasUsage != 0 && r.Flags&journal.Synthetic == 0 && !inherited && !t.copied(i)
	switch {
	case counts:
		if n, ok := t.responses[u.Key]; ok && u.Key != 0 {
			t.correct(n, r, u)
			break
		}
		t.request(r, i, u)
	case r.Flags&(journal.HasUsage|journal.Synthetic) == 0 && !t.answering:
		// Without usage it is no request, but what it answered to can be seen all the same.
		t.settleCompaction()
		t.marks = append(t.marks, int32(i))
		if t.s.Items() > 0 {
			t.observe(r, composition.TranscriptObserved, analysis.OnCapture, 0)
		}
	}
	t.apply(r, i)
	t.answering = true
}

// copied tells a line that a hidden request brought along from the conversation it is about: only what comes after its
// last prompt is its own.
func (t *thread) copied(i int) bool { return t.hidden != "" && i < t.file.lastAsk[t.agent] }

func (t *thread) request(r *journal.Record, i int, u *journal.Usage) {
	t.settleCompaction()
	t.marks = append(t.marks, int32(i))
	if t.model == 0 && u.Model != 0 && len(t.s.Requests) == 0 {
		t.s.Adopt(u.Model)
		if t.window.model == 0 {
			t.window.model = u.Model // a report came before the first request
		}
	}
	if u.Model != 0 { // a line that names no model is no switch
		if t.model != 0 && u.Model != t.model && len(t.s.Requests) > 0 {
			t.mark("model-switch", r, "")
		}
		t.model = u.Model
	}
	n := len(t.s.Requests)
	if u.Key != 0 {
		t.responses[u.Key] = int32(n)
	}
	t.s.Requests = append(t.s.Requests, analysis.Request{
		ID: u.ID, At: r.At, Model: u.Model, Input: reported(u.Input), Output: int64(u.Output),
		OutputLower: r.Flags&journal.OpenEnded != 0 && u.Output >= 0, CacheRead: int64(u.CacheRead), CacheWrite: int64(u.CacheWrite),
		Window: analysis.Unknown, Source: r.Place(t.in.Index),
	})
	snap := t.observe(r, composition.TranscriptObserved, analysis.OnRequest, n)
	t.s.Requests[n].Snapshot = int32(snap)
	t.s.Snapshots[snap].Reported = reported(u.Input)
}

// observe takes a snapshot; the first one of a session is where the capture starts.
func (t *thread) observe(r *journal.Record, stage composition.Stage, on analysis.EventKind, index int) int {
	if !t.began {
		t.began, stage = true, composition.CaptureStart
	}
	return t.s.Observe(t.moment(r, stage), on, index, r.Place(t.in.Index))
}

// reported is a prompt size as the provider gave it: zero is no data, which gateways write on all lines but the last.
func reported(n journal.Count32) int64 {
	if n <= 0 {
		return analysis.Unknown
	}
	return int64(n)
}

// correct takes over what a later line of the same response says: the last prompt figures that are not zero, the largest
// output.
func (t *thread) correct(n int32, r *journal.Record, u *journal.Usage) {
	q := &t.s.Requests[n]
	if u.Input > 0 {
		q.Input, q.CacheRead, q.CacheWrite = int64(u.Input), int64(u.CacheRead), int64(u.CacheWrite)
		t.s.Snapshots[q.Snapshot].Reported = int64(u.Input)
	}
	q.Output = max(q.Output, int64(u.Output))
	if r.Flags&journal.OpenEnded == 0 {
		q.OutputLower = false
	}
}

// observeReport takes a snapshot of the harness's own breakdown. It speaks of the context before itself.
func (t *thread) observeReport(r *journal.Record, i int) {
	t.settleCompaction()
	var c composition.Counts
	for k := range int(r.Parts) {
		p := t.in.Part(r, k)
		switch {
		case p.Kind == journal.Measured:
			c.Add(p.Category, p.Units)
		case p.Attr == journal.Window:
			t.window.tokens, t.window.effective = int64(p.Units), 0
			t.window.model = t.model
		}
	}
	if p := t.in.Attribute(r, journal.Effective); p != nil {
		t.window.effective = int64(p.Units)
	}
	m := t.moment(r, composition.TranscriptObserved)
	m.Basis, m.Override = composition.NativeSummary, &c
	t.began = true
	t.s.Observe(m, analysis.OnCapture, 0, r.Place(t.in.Index))
}

// apply puts the content of a record into the context.
func (t *thread) apply(r *journal.Record, i int) {
	n := 0
	for k := range int(r.Parts) {
		p := t.in.Part(r, k)
		switch p.Kind {
		case journal.Item:
			n++
			t.item(r, i, p, n)
		case journal.Call:
			t.call(r, i, p, k)
		case journal.Result:
			t.result(i, p, k)
		case journal.Spawned:
			if c := t.s.CallNamed(p.ID); c != nil {
				c.Agent = p.Label
			}
		}
	}
}

// tally counts the content of a record that has no size, when the record comes for the first time.
func (t *thread) tally(r *journal.Record) {
	for k := range int(r.Parts) {
		if p := t.in.Part(r, k); p.Kind == journal.Unmeasured {
			t.s.AddUnmeasured(t.in.Strings.Get(p.Label), int64(p.Units))
		}
	}
}

// identity of the n-th item of a record: by the hash of the record's id, or by its place when it has none.
func identity(r *journal.Record, n int) composition.ID {
	h := r.ID
	if h == 0 {
		h = uint64(r.Offset)<<1 | 1
	}
	return composition.Nth(h, n-1)
}

func (t *thread) item(r *journal.Record, i int, p *journal.Part, n int) {
	it := composition.Item{ID: identity(r, n), Tokens: composition.Tokens(p.Units), Chars: p.Units, Category: p.Category,
		Label: p.Label, Input: int32(t.in.Index), Record: int32(i)}
	switch p.Category {
	case journal.Summaries:
		it.ID.Prefix = composition.Summary
	case journal.Prompts:
		it.Source = composition.FromPrompt
	case journal.Assistant:
		it.Source = composition.FromResponse
	}
	if r.Kind == journal.Response && p.Category == journal.Prompts {
		it.Category, it.Source = journal.Assistant, composition.FromResponse
	}
	if p.Flags&journal.Fixed != 0 {
		it.ID = composition.ID{Prefix: composition.Named, Name: p.ID}
	}
	t.s.Put(it)
}

func (t *thread) call(r *journal.Record, i int, p *journal.Part, k int) {
	scripted := p.Flags&journal.Scripted != 0
	t.s.AddCall(analysis.Call{ID: p.ID, Name: p.Label, Detail: p.Detail, Args: p.Hash, At: r.At, Script: scripted, Source: r.Place(t.in.Index)})
	if scripted {
		return
	}
	it := composition.Item{ID: composition.ID{Prefix: composition.ToolCall, Name: p.ID}, Tokens: composition.Tokens(p.Units),
		Chars: p.Units, Category: journal.Assistant, Call: p.ID, Label: p.Label, Source: composition.FromResponse,
		Input: int32(t.in.Index), Record: int32(i)}
	if p.ID == 0 {
		id := identity(r, k+1)
		it.ID.Hash, it.ID.Part = id.Hash, id.Part
	}
	t.s.Put(it)
}

func (t *thread) result(i int, p *journal.Part, k int) {
	it := composition.Item{ID: composition.ID{Prefix: composition.ToolResult, Name: p.ID}, Tokens: composition.Tokens(p.Units),
		Chars: p.Units, Category: journal.Results, Call: p.ID, Source: composition.FromTool,
		Input: int32(t.in.Index), Record: int32(i)}
	if p.ID == 0 {
		id := identity(t.in.Records.At(i), k+1)
		it.ID.Hash, it.ID.Part = id.Hash, id.Part
	}
	if c := t.s.CallNamed(p.ID); c != nil {
		c.Failed = c.Failed || p.Flags&journal.Failed != 0
		if c.Script {
			return
		}
		it.Label = c.Name
	}
	t.s.Put(it)
}
