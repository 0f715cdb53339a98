package agentprof

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// Settle makes sessions of the captures of all traces.
func Settle(a *analysis.Analysis, inputs []*journal.Input) {
	var all []*capture
	for _, in := range inputs {
		rec, ok := in.Kept.(*recording)
		if !ok {
			continue
		}
		a.Duplicate[in.Index] += rec.trace.Repeated
		found := rec.captures()
		rec.warn(a, found)
		all = append(all, found...)
	}
	all = distinct(a, all)
	parents(all)
	sort.SliceStable(all, func(i, j int) bool { return all[i].begin.at() < all[j].begin.at() })
	for _, c := range all {
		c.s = a.NewSession(c.harness, c.session, c.rec.in.Index)
	}
	for _, c := range all {
		(&player{a: a, c: c, rec: c.rec, s: c.s}).play()
		a.Keep(c.s)
	}
}

// warn says what of a recording cannot be read, or not be placed in time.
func (rec *recording) warn(a *analysis.Analysis, found []*capture) {
	versions := map[int64]int{}
	stated := 0
	for i := range rec.samples {
		s := &rec.samples[i]
		if s.version != 1 {
			versions[s.version]++
		} else if s.stated >= 0 && s.stated != s.Sum() {
			stated++
		}
	}
	var all []int64
	for v := range versions {
		all = append(all, v)
	}
	slices.Sort(all)
	for k, v := range all {
		if k == journal.MaxWarnings {
			break
		}
		name := "of schema version " + strconv.FormatInt(v, 10)
		if v < 0 {
			name = "without a schema version"
		}
		a.Warn(rec.in.Index, journal.Warning{Code: journal.WarnVersion,
			Message: fmt.Sprintf("%d snapshots %s were left out: version 1 is what is known here", versions[v], name),
			Hint:    "what else the recording holds was read"})
	}
	if stated > 0 {
		a.Warn(rec.in.Index, journal.Warning{Code: journal.WarnMalformed,
			Message: fmt.Sprintf("%d snapshots state another estimate than their categories add up to; the sum of the categories is shown", stated)})
	}
	lost := 0
	for _, c := range found {
		if c.untimed {
			lost++
		}
	}
	if lost > 0 {
		a.Warn(rec.in.Index, journal.Warning{Code: journal.WarnClock,
			Message: fmt.Sprintf("%d captures have events on a clock that no snapshot relates to the time of day: their order is known, their times are not", lost)})
	}
}

// distinct puts copies of one capture together: the fullest is read, what the others hold stood there before.
func distinct(a *analysis.Analysis, all []*capture) []*capture {
	type same struct {
		id      string
		session string
		begin   moment
	}
	seen := map[same]*capture{}
	for _, c := range all {
		if c.id == 0 && !c.begin.known {
			continue // without an id, the session and the nanosecond in which it begins tell
		}
		k := same{c.rec.in.Strings.Get(c.id), c.session, c.begin}
		old := seen[k]
		if old == nil {
			seen[k] = c
			continue
		}
		if old.rec == c.rec {
			continue
		}
		fuller, other := old, c
		if len(c.slices) > len(old.slices) {
			fuller, other = c, old
		}
		other.into, seen[k] = fuller, fuller
		a.Duplicate[other.rec.in.Index] += int64(len(other.slices))
		for _, in := range other.inputs {
			if !slices.Contains(fuller.inputs, in) {
				fuller.inputs = append(fuller.inputs, in)
			}
		}
	}
	return slices.DeleteFunc(all, func(c *capture) bool { return c.into != nil })
}

// player makes the session of one capture.
type player struct {
	a   *analysis.Analysis
	c   *capture
	rec *recording
	s   *analysis.Session

	requests map[int32]int32 // slice -> request
	cuts     map[int32]int32 // slice of a compaction -> its place among those that count
	starts   []moment        // when the requests began
	window   int64           // the only one that the configuration names, -1 for none or several
	widest   int64           // the largest of them
	asides   int             // requests for summaries
	failed   int             // compactions that cut nothing
}

func (p *player) play() {
	c, s := p.c, p.s
	s.Inputs = c.inputs
	text := func(k key) string { return p.a.Strings.Get(c.fact(k)) }
	s.Version, s.Role = text(versionKey), text(roleKey)
	if c.parent != nil {
		s.Parent, s.Of, s.ParentCall = c.parent.session, c.parent.s, c.call
	} else {
		s.Parent = c.elsewhere
	}
	if s.Role == "" && (c.parent != nil || c.fact(parentSessionKey) != 0) {
		s.Role = "subagent"
	}
	s.Saw(c.begin.at())
	s.Saw(c.end.at())
	p.configuration()
	order := p.events()
	p.calls(order)
	p.responses(order)
	compactions := p.compactions(order)
	snapshots := p.samples(compactions)
	p.boundaries(compactions, snapshots)
	if len(s.Snapshots) == 0 {
		p.totals()
	}
	p.notes()
}

// event is a slice with its kind.
type event struct {
	slice int32
	kind  kind
	at    moment
}

// events are the slices that matter, in order of time.
func (p *player) events() []event {
	var out []event
	for _, i := range p.c.slices {
		switch k := p.rec.kind(i); k {
		case noKind, known, configuration:
		case prompt:
			if v := p.rec.text(i, titleKey); v != 0 && p.s.Title == "" {
				p.s.Title = p.a.Strings.Get(v)
			}
		default:
			out = append(out, event{i, k, p.rec.begin(i)})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].at.before(out[j].at) })
	return out
}

func (p *player) source(i int32) journal.Source {
	s := p.rec.trace.Slices.At(int(i))
	return journal.Source{Input: p.rec.in.Index, Offset: s.Offset, Length: int64(s.Length)}
}

// configuration gathers the windows that the capture was configured with.
func (p *player) configuration() {
	p.window, p.widest = -1, -1
	several := false
	for _, i := range p.c.slices {
		category := p.a.Strings.Get(p.rec.trace.Slices.At(int(i)).Category)
		if n := p.rec.number(i, windowKey); n > 0 && (strings.HasSuffix(category, ".metadata") || p.rec.kind(i) == configuration) {
			several = several || p.window >= 0 && p.window != n
			p.window, p.widest = n, max(p.widest, n)
		}
	}
	if several {
		p.window = -1
	}
}

func (p *player) calls(order []event) {
	for _, e := range order {
		if e.kind != tool && e.kind != script {
			continue
		}
		i, rec := e.slice, p.rec
		p.s.AddCall(analysis.Call{ID: rec.text(i, callKey), Name: rec.trace.Slices.At(int(i)).Name, Detail: rec.text(i, detailKey), At: e.at.at(),
			Parent: rec.text(i, parentCallKey), Agent: rec.text(i, childSessionKey), Failed: rec.is(i, errorKey, true),
			Script: rec.text(i, parentCallKey) != 0, Source: p.source(i)})
	}
}

// responses makes a request of each response of the API. Pi records the request apart, as far as the response's headers: it
// belongs to the response that follows it, and stands alone when none does.
func (p *player) responses(order []event) {
	p.requests = map[int32]int32{}
	waiting := int32(-1)
	for _, e := range order {
		switch e.kind {
		case request:
			waiting = p.ask(e)
		case response:
			n := waiting
			if n < 0 {
				n = p.ask(e)
			}
			waiting = -1
			p.requests[e.slice] = n
			p.answer(&p.s.Requests[n], e.slice)
		case compactionResponse:
			p.asides++
		}
	}
}

func (p *player) ask(e event) int32 {
	n := int32(len(p.s.Requests))
	p.requests[e.slice] = n
	p.starts = append(p.starts, e.at)
	p.s.Requests = append(p.s.Requests, analysis.Request{At: e.at.at(), Model: p.rec.text(e.slice, modelKey), Input: analysis.Unknown,
		Output: analysis.Unknown, CacheRead: analysis.Unknown, CacheWrite: analysis.Unknown, Window: p.window, Source: p.source(e.slice), Snapshot: -1})
	p.s.Saw(e.at.at())
	return n
}

// answer fills in what the provider reported.
func (p *player) answer(q *analysis.Request, i int32) {
	rec := p.rec
	q.Source = p.source(i)
	if m := rec.text(i, modelKey); m != 0 {
		q.Model = m
	} else if q.Model == 0 {
		q.Model = p.c.fact(modelKey)
	}
	q.Output, q.CacheRead, q.CacheWrite = rec.number(i, outputKey), rec.number(i, cacheReadKey), rec.number(i, cacheWriteKey)
	if n := rec.number(i, windowKey); n > 0 {
		q.Window = n
	}
	q.Input = p.input(q, i)
	q.OutputLower = q.Output >= 0 && rec.incomplete(i)
	p.s.Saw(rec.moment(rec.trace.Slices.At(int(i)).End).at())
}

// input is the whole prompt with its cached parts counted once. Codex and Muse report it so; Claude and Pi report what was
// not cached, and the cached parts beside it. A prompt of nothing is no data.
func (p *player) input(q *analysis.Request, i int32) int64 {
	in := p.rec.number(i, inputKey)
	n := analysis.Unknown
	switch p.c.harness {
	case "pi":
		cached := max(0, q.CacheRead) + max(0, q.CacheWrite)
		if total := p.rec.number(i, totalKey); in >= 0 && cached > 0 && total >= 0 && total == in+max(0, q.Output) {
			cached = 0 // the total tells that they are in it
		}
		if n = in; in >= 0 {
			n += cached
		}
	case "claude-code":
		if n = p.rec.number(i, contextKey); n < 0 && in >= 0 && q.CacheRead >= 0 && q.CacheWrite >= 0 {
			n = in + q.CacheRead + q.CacheWrite
		}
	default:
		if n = in; n < 0 {
			n = p.rec.number(i, contextKey)
		}
	}
	if n <= 0 || n > 1<<31-1 {
		return analysis.Unknown
	}
	return n
}
