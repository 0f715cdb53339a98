package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/invented"
)

// host is a Host of a few lines: it answers at once from invented sessions and remembers what it was asked.
type host struct {
	calls   []string
	series  map[int]*analysis.Series
	total   int // changes there are
	asked   analysis.ChangeFilter
	exports []ExportQuestion
	review  func(ReviewQuestion) *analysis.Review
	reviews []ReviewQuestion
	window  int64   // as last asked for
	lists   []int64 // windows that lists were asked for
	width   float64
	drawn   map[string]*chart.Scene
	draws   int
	later   []func() // answers that are held back, when hold is set
	hold    bool
	said    []string
	record  Record
	written string
	onClose func()
	kept    map[string]string
}

func newHost() *host {
	return &host{
		series: map[int]*analysis.Series{0: invented.Rich(), 1: invented.Plain(14), 2: invented.Sparse(), 3: invented.Mixed()},
		total:  312, width: 904, drawn: map[string]*chart.Scene{}, kept: map[string]string{},
	}
}

func (h *host) call(words ...string)       { h.calls = append(h.calls, strings.Join(words, " ")) }
func (h *host) PickFiles(folder bool)      { h.call("pick", yes(folder)) }
func (h *host) OpenExample()               { h.call("example") }
func (h *host) Cancel()                    { h.call("cancel") }
func (h *host) CloseAll()                  { h.call("close all") }
func (h *host) Reread(input int)           { h.call("reread", number(input)) }
func (h *host) Width(string) float64       { return h.width }
func (h *host) Copy(text string)           { h.call("copy", text) }
func (h *host) Remember(key, value string) { h.kept[key] = value }
func (h *host) Recall(key string) string   { return h.kept[key] }
func (h *host) Record(input int, offset, length int64, done func(Record)) {
	h.call("record", number(input), number(int(offset)), number(int(length)))
	h.answer(func() { done(h.record) })
}
func (h *host) Write(id, text, find string, hit int) int {
	h.written = text
	if find == "" {
		return 0
	}
	return strings.Count(text, find)
}
func (h *host) Modal(id string, open bool, shown, closed func()) {
	h.call("modal", id, yes(open))
	if !open {
		h.onClose()
		return
	}
	h.onClose = closed
	shown()
}
func (h *host) Save(name, text string)       { h.call("save", name, text) }
func (h *host) SavePicture(name, svg string) { h.call("picture", name) }
func (h *host) Announce(text string)         { h.said = append(h.said, text) }
func (h *host) Focus(id string)              { h.call("focus", id) }
func (h *host) Land(id string)               { h.call("land", id) }
func (h *host) Notes(key string) string {
	if key != "codex" {
		return ""
	}
	return "# Codex rollouts\n\nChecked with `0.40`.\n"
}
func (h *host) Render() { h.call("render") }
func (h *host) answer(f func()) {
	if h.hold {
		h.later = append(h.later, f)
		return
	}
	f()
}

func (h *host) List(window int64, done func(*analysis.List)) { h.lists = append(h.lists, window) }

func (h *host) Series(session int, window int64, done func(*analysis.Series)) {
	h.window = window
	h.answer(func() { done(h.series[session]) })
}

func (h *host) Changes(_ int, f analysis.ChangeFilter, done func(*analysis.ChangePage)) {
	h.asked = f
	h.answer(func() { done(invented.Changes(f, h.total)) })
}

func (h *host) Pair(first, second int, _ int64, done func(*analysis.Pair)) {
	h.answer(func() { done(&analysis.Pair{First: h.series[first], Second: h.series[second]}) })
}

func (h *host) Spread(_ int, q analysis.SpreadQuestion, done func(*analysis.Spread)) {
	h.answer(func() { done(invented.Spread(q)) })
}

func (h *host) Between(_ int, q analysis.BetweenQuestion, done func(*analysis.Between)) {
	h.answer(func() { done(invented.Between(q)) })
}

func (h *host) Review(_ int, q ReviewQuestion, done func(*analysis.Review)) {
	h.reviews = append(h.reviews, q)
	h.answer(func() {
		if h.review != nil {
			done(h.review(q))
		}
	})
}

func (h *host) Export(q ExportQuestion, done func(string)) {
	h.exports = append(h.exports, q)
	h.answer(func() { done("what was asked for, [masked: home]") })
}

func (h *host) Note(_, boundary int, done func(string)) {
	h.answer(func() { done("note of " + number(boundary)) })
}

func (h *host) Draw(id string, s *chart.Scene) {
	h.draws++
	h.drawn[id] = s
}

// count tells how often the host was asked for something.
func (h *host) count(call string) int {
	n := 0
	for _, c := range h.calls {
		if c == call {
			n++
		}
	}
	return n
}

// opened is a page with the invented list on it.
func opened() (*State, *host) {
	h := newHost()
	s := New(h)
	s.Begun()
	s.Done(invented.List())
	s.Rendered()
	return s, h
}
