package agentprof

import (
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
	"contextscope/core/perfetto"
)

// moment is a point in time: unix nanoseconds, or only an order where the clock cannot be converted.
type moment struct {
	ns    int64
	known bool
}

// before puts moments in order. Those that are not known stand behind the others: what they show is of another clock.
func (m moment) before(o moment) bool {
	return m.known && !o.known || m.known == o.known && m.ns < o.ns
}

// since is how much later m is than o, 0 where nobody can tell.
func (m moment) since(o moment) int64 {
	if m.known != o.known {
		return 0
	}
	return m.ns - o.ns
}

// at is the moment for documents, 0 when it is not known.
func (m moment) at() int64 {
	if !m.known {
		return 0
	}
	return m.ns
}

func (rec *recording) moment(s perfetto.Stamp) moment {
	ns, ok := rec.trace.Time(s)
	if !ok {
		return moment{s.Raw, false}
	}
	return moment{ns, true}
}

func (rec *recording) begin(slice int32) moment {
	return rec.moment(rec.trace.Slices.At(int(slice)).Begin)
}

// capture is one recording of one session inside a trace.
type capture struct {
	rec       *recording
	id        journal.Ref // capture_id of its marker
	session   string
	harness   string
	markers   []int32
	slices    []int32 // all of it, in the order of the file
	totals    []int32 // samples of the size of the context
	windows   []int32 // … and of the window
	agent     bool    // something in it was done by an agent
	begin     moment
	end       moment
	open      bool // its end was not recorded
	untimed   bool // something in it has no time
	process   int32
	parent    *capture
	elsewhere string      // the parent that it names and no trace here holds: another input may
	call      journal.Ref // of the parent, that started this one
	inputs    []int
	into      *capture // the fuller copy of the same capture
	s         *analysis.Session
}

// captureKey is what holds a capture together: a root track, else a process, else a track; or only an id.
type captureKey struct {
	kind byte
	n    int64
}

// sorting sorts what a trace holds into captures.
type sorting struct {
	rec      *recording
	captures map[captureKey]*capture
	order    []*capture
	keys     []captureKey    // of each track, kind 0 while unknown
	pids     map[int64]int32 // process track of a pid
	owner    []*capture      // of each slice
	marked   []bool          // the slice lies under a marker of its own track
}

const rootName = "agentprof.capture"

// captures finds the captures of a trace.
func (rec *recording) captures() []*capture {
	t := rec.trace
	st := &sorting{rec: rec, captures: map[captureKey]*capture{}, keys: make([]captureKey, len(t.Tracks)), pids: map[int64]int32{},
		owner: make([]*capture, t.Slices.Len()), marked: make([]bool, t.Slices.Len())}
	for i := range t.Tracks {
		if tr := &t.Tracks[i]; tr.Process && tr.PID != 0 {
			st.pids[tr.PID] = int32(i)
		}
	}
	for i := range t.Tracks {
		st.resolve(int32(i))
	}
	for i := range t.Slices.Len() {
		st.slice(int32(i))
	}
	for i := range t.Samples.Len() {
		s := t.Samples.At(i)
		c := st.capture(st.keys[s.Track], s.Track)
		switch name := rec.in.Strings.Get(t.Tracks[s.Track].Name); {
		case isWindow(name):
			c.windows = append(c.windows, int32(i))
		case isTotal(name):
			c.totals = append(c.totals, int32(i))
		}
	}
	var out []*capture
	for _, c := range st.order {
		if c.agent {
			c.finish()
			out = append(out, c)
		}
	}
	return out
}

// isTotal tells the counters that are wanted: the size of the context under all its names, and the window.
func isTotal(name string) bool {
	switch name {
	case "Context size", "Context size (est.)", "llm.context.estimated_tokens":
		return true
	}
	return isWindow(name)
}

func isWindow(name string) bool {
	return name == "Context window" || name == "llm.context.window_tokens"
}

// resolve finds what holds the capture of a track together, going up only where nobody went before.
func (st *sorting) resolve(track int32) captureKey {
	t := st.rec.trace
	var path []int32
	k := captureKey{}
	process := int32(-1)
	for i := track; ; {
		if st.keys[i].kind != 0 {
			k = st.keys[i]
			break
		}
		path = append(path, i)
		st.keys[i] = captureKey{'t', int64(track)} // also where a circle of parents ends
		tr := &t.Tracks[i]
		if st.rec.in.Strings.Is(tr.Name, rootName) {
			k = captureKey{'r', int64(i)}
			break
		}
		switch p, ok := st.pids[tr.PID]; {
		case tr.Process:
			process = i
		case tr.Thread && ok:
			process = p
		}
		up := int32(-1)
		if tr.Parent != 0 {
			up = t.Track(tr.Parent)
		}
		if process >= 0 || up < 0 {
			k = captureKey{'t', int64(i)}
			if process >= 0 {
				k = captureKey{'p', int64(process)}
			}
			break
		}
		i = up
	}
	for _, i := range path {
		st.keys[i] = k
	}
	if k.kind == 't' {
		st.keys[track] = captureKey{'t', int64(track)} // nothing holds it together with others
	}
	return st.keys[track]
}

func (st *sorting) capture(k captureKey, track int32) *capture {
	c := st.captures[k]
	if c == nil {
		c = &capture{rec: st.rec, process: -1, inputs: []int{st.rec.in.Index}}
		if k.kind == 'p' {
			c.process = int32(k.n)
		} else {
			c.process = st.processOf(track)
		}
		st.captures[k] = c
		st.order = append(st.order, c)
	}
	return c
}

// processOf is the process that a track belongs to, -1 where nothing tells: the one that it names, or one above it.
func (st *sorting) processOf(track int32) int32 {
	t := st.rec.trace
	for range maxDepth {
		tr := &t.Tracks[track]
		if i, ok := st.pids[tr.PID]; ok {
			return i
		}
		if track = t.Track(tr.Parent); track < 0 || tr.Parent == 0 {
			break
		}
	}
	return -1
}

// maxDepth is how far above a track its process is looked for; parents can go in a circle.
const maxDepth = 16

// slice gives a slice to its capture: that of the nearest marker around it, else that of its track.
func (st *sorting) slice(i int32) {
	rec := st.rec
	s := rec.trace.Slices.At(int(i))
	c := st.capture(st.keys[s.Track], s.Track)
	category := rec.in.Strings.Get(s.Category)
	marker := isMarker(rec.in.Strings.Get(s.Name), category)
	switch {
	case marker:
		c = st.marker(i, c)
		c.markers = append(c.markers, i)
		st.marked[i] = true
	case s.Parent >= 0 && st.marked[s.Parent]:
		c, st.marked[i] = st.owner[s.Parent], true
	}
	st.owner[i] = c
	c.slices = append(c.slices, i)
	if area, _, _ := strings.Cut(category, "."); agentAreas[area] && (marker || rec.kind(i) != noKind) {
		c.agent = true
		if c.harness == "" && area != "agentprof" {
			c.harness = harness(area)
		}
	}
}

// agentAreas are the first words of the categories that the recorders write.
var agentAreas = map[string]bool{"pi": true, "claude": true, "codex": true, "muse": true, "agentprof": true}

// isMarker tells the slice that stands for a whole capture.
func isMarker(name, category string) bool {
	area, what, _ := strings.Cut(category, ".")
	if !agentAreas[area] || what != "metadata" {
		return false
	}
	if n, ok := strings.CutPrefix(name, "profile ("); ok {
		digits, ok := strings.CutSuffix(n, ")")
		return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
	}
	return name == "tracing" || name == "tracing-start"
}

// marker is the capture that a marker belongs to. On the track of an operating system's thread, which captures share, its
// id names the root: the root's uuid in hexadecimal.
func (st *sorting) marker(i int32, c *capture) *capture {
	rec := st.rec
	id := rec.text(i, captureIDKey)
	track := rec.trace.Slices.At(int(i)).Track
	if st.keys[track].kind != 'r' && id != 0 {
		if uuid, err := strconv.ParseUint(rec.in.Strings.Get(id), 16, 64); err == nil {
			if root := rec.trace.Track(uuid); root >= 0 && st.keys[root] == (captureKey{'r', int64(root)}) {
				c = st.capture(st.keys[root], root)
			}
		}
	}
	if c.id != 0 && id != 0 && c.id != id {
		c = st.capture(captureKey{'i', int64(id)}, track) // another capture in the same place, without a root
	}
	if c.id == 0 {
		c.id = id
	}
	return c
}

// finish gathers what the markers say, and from when to when the capture goes.
func (c *capture) finish() {
	rec := c.rec
	first := true
	var last moment
	for _, i := range c.slices {
		s := rec.trace.Slices.At(int(i))
		b := rec.moment(s.Begin)
		if c.untimed = c.untimed || !b.known; first || b.before(c.begin) {
			c.begin, first = b, false
		}
		if s.State == perfetto.Open {
			c.open = c.open || len(c.markers) == 0
		} else if e := rec.moment(s.End); last == (moment{}) || e.known && !last.known || e.known == last.known && e.ns > last.ns {
			last = e
		}
	}
	c.end = last
	for _, i := range c.markers {
		c.open = c.open || rec.trace.Slices.At(int(i)).State == perfetto.Open
		if v := rec.text(i, sessionKey); v != 0 && c.session == "" {
			c.session = rec.in.Strings.Get(v)
		}
		if v := rec.text(i, harnessKey); v != 0 {
			c.harness = harness(rec.in.Strings.Get(v))
		}
	}
	if c.session == "" {
		c.session = c.placeholder()
	}
	if c.harness == "" {
		c.harness = "claude-code" // whose first recorder wrote categories without its name
	}
}

// placeholder names a session that no marker names: by the label of its process, else by the process itself.
func (c *capture) placeholder() string {
	if c.process >= 0 {
		tr := &c.rec.trace.Tracks[c.process]
		for _, l := range tr.Labels {
			if id, ok := strings.CutPrefix(c.rec.in.Strings.Get(l), "session:"); ok && id != "" {
				return id
			}
		}
		return "process " + strconv.FormatInt(tr.PID, 10)
	}
	return "recording"
}

// fact is a text that a marker of the capture has, 0 for none.
func (c *capture) fact(k key) journal.Ref {
	for _, i := range c.markers {
		if v := c.rec.text(i, k); v != 0 {
			return v
		}
	}
	return 0
}

// sum adds up a number over the markers, 0 when none has it.
func (c *capture) sum(k key) int64 {
	n := int64(0)
	for _, i := range c.markers {
		n += max(0, c.rec.number(i, k))
	}
	return n
}
