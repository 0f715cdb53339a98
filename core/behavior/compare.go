package behavior

import (
	"slices"
	"strconv"
	"strings"

	"contextscope/core/journal"
)

// Diff is what changed with one compaction.
type Diff struct {
	Cut           Cut
	Before, After Measures
	Reread        []Reread // of files that were read before it, in order of the path
	Clipped       bool     // the window after it ends at the next cut
	Regressions   []string // what got worse, in words
}

// Regressed tells whether anything got worse.
func (d *Diff) Regressed() bool { return len(d.Regressions) > 0 }

// Wasted are the files that were read again for nothing that shows.
func (d *Diff) Wasted() []journal.Ref {
	var out []journal.Ref
	for _, r := range d.Reread {
		if r.Why == ForNothing {
			out = append(out, r.Path)
		}
	}
	return out
}

// Counter counts the findings of each lint rule in a stretch of a stream. A rule that speaks of whole sessions has -1: how much
// of one is in a window says nothing about it.
type Counter struct {
	Rules []string
	Count func(*Stream) []int
	// Growth is the rule that fires when the context is full. Before the next cut it always is: that is charged to the next one.
	Growth string
}

type comparison struct {
	st      *Stream
	touched map[journal.Ref]touch
	looked  map[same]bool
}

// Compare makes the Diff of every compaction of a stream, in time in proportion to its length.
func Compare(st *Stream, w Window, rules Counter) []Diff {
	if w.N <= 0 {
		w = DefaultWindow
	}
	c := &comparison{st: st, touched: map[journal.Ref]touch{}, looked: map[same]bool{}}
	var out []Diff
	passed := 0
	advance := func(to int) {
		for ; passed < to; passed++ {
			c.pass(&st.Steps[passed])
		}
	}
	for i, cut := range st.Cuts {
		from, to := c.windows(i, w)
		advance(from)
		if !cut.Compaction {
			continue
		}
		d := Diff{Cut: cut, Clipped: i+1 < len(st.Cuts) && to == st.Cuts[i+1].At}
		d.Before = c.measure(from, cut.At)
		d.Before.Rereads = wasted(c.again(from, cut.At, true))
		advance(cut.At)
		d.After = c.measure(cut.At, to)
		d.Reread = c.again(cut.At, to, false)
		d.After.Rereads = wasted(d.Reread)
		slices.SortFunc(d.Reread, func(a, b Reread) int { return strings.Compare(st.Text(a.Path), st.Text(b.Path)) })
		if rules.Count != nil {
			d.Before.Lint, d.After.Lint = rules.Count(st.Part(from, cut.At)), rules.Count(st.Part(cut.At, to))
			if g := slices.Index(rules.Rules, rules.Growth); g >= 0 && d.Clipped {
				d.After.Lint[g] = 0
			}
		}
		d.judge(rules.Rules)
		out = append(out, d)
	}
	return out
}

func wasted(files []Reread) (n int) {
	for _, r := range files {
		if r.Why == ForNothing {
			n++
		}
	}
	return n
}

// windows are the steps around a cut, as far as the neighbouring cuts.
func (c *comparison) windows(i int, w Window) (from, to int) {
	st, at := c.st, c.st.Cuts[i].At
	first, last := 0, len(st.Steps)
	if i > 0 {
		first = st.Cuts[i-1].At
	}
	if i+1 < len(st.Cuts) {
		last = st.Cuts[i+1].At
	}
	from, to = at, at
	for n := 0; from > first && n < w.N; from-- {
		if s := &st.Steps[from-1]; !w.Requests || !s.IsCall() {
			n++
		}
	}
	for n := 0; to < last; to++ {
		if s := &st.Steps[to]; !w.Requests || !s.IsCall() {
			if n == w.N {
				break
			}
			n++
		}
	}
	return from, to
}

// Rose tells whether a count rose: by one at least beyond what the rate before lets expect of a window of that size.
func (d *Diff) Rose(before, after int) bool {
	if after <= 0 {
		return false
	}
	sizeBefore, sizeAfter := d.Before.Requests, d.After.Requests
	if sizeBefore == 0 || sizeAfter == 0 {
		sizeBefore, sizeAfter = d.Before.Steps, d.After.Steps
	}
	if sizeBefore == 0 || sizeAfter == 0 {
		return false // nothing to compare with
	}
	return int64(after-1)*int64(sizeBefore) >= int64(before)*int64(sizeAfter)
}

func (d *Diff) judge(rules []string) {
	rose := func(what string, before, after int) {
		if d.Rose(before, after) {
			d.Regressions = append(d.Regressions, what+" increased "+strconv.Itoa(before)+" -> "+strconv.Itoa(after)+d.sizes())
		}
	}
	if n := d.After.Rereads; d.Rose(d.Before.Rereads, n) {
		d.Regressions = append(d.Regressions, "re-read "+strconv.Itoa(n)+" pre-compaction file(s) without an edit or a change that asks for it")
	}
	rose("repository exploration calls", d.Before.Exploration, d.After.Exploration)
	order := make([]int, len(rules))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(rules[a], rules[b]) })
	for _, i := range order {
		if i < len(d.After.Lint) && d.Before.Lint[i] >= 0 {
			rose(rules[i]+" lint violations", d.Before.Lint[i], d.After.Lint[i])
		}
	}
}

// sizes says how many requests the windows hold, where they differ.
func (d *Diff) sizes() string {
	if d.Before.Requests == d.After.Requests {
		return ""
	}
	return " in " + strconv.Itoa(d.Before.Requests) + " and " + strconv.Itoa(d.After.Requests) + " requests"
}
