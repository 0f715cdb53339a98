// Package compaction finds the places of a session where its context was cut.
//
// In come the provider-reported prompt sizes of one stream of requests, and the marks that the journal itself left between
// them. Out come boundaries with the reported sizes on both sides. A recorded compaction is one whatever the drop; without
// a record it takes a drop strictly above the threshold, on reported figures alone, that nothing else explains. What the
// person or the harness caused otherwise (a rewind, another model, cleared results) keeps its own name, and only a
// compaction is priced.
//
// Two shapes of a drop are no compaction. A level that jumps straight back was a small side request: an unexplained drop. A
// level that falls in steps, none of which exceeds the threshold while all together do, is what clearing old content piece by
// piece looks like: a compaction happens at once.
package compaction

import (
	"fmt"
	"math"
)

// DefaultThreshold is the share of a prompt that must be gone to call a drop without a record a compaction.
const DefaultThreshold = 0.50

// Kinds of boundary, as documents name them.
const (
	Compaction      = "compaction"
	Clear           = "clear"
	Rewind          = "rewind"
	ModelSwitch     = "model-switch"
	ContextEdit     = "context-edit"
	UnexplainedDrop = "unexplained-drop"
)

// Evidence for a boundary.
const (
	UsageDrop      = "usage-drop"
	BoundaryRecord = "boundary-record"
	Stepwise       = "stepwise" // the drop took several requests
)

// CheckThreshold refuses what is no threshold, in words: 0 and 1 themselves are none.
func CheckThreshold(r float64) error {
	if r > 0 && r < 1 {
		return nil
	}
	return fmt.Errorf("a compaction threshold is a share between 0 and 1 such as 0.5, not %v", r)
}

// Unknown is a size that the provider did not report.
const Unknown int64 = -1

// Mark is a boundary that the journal recorded or that a replay of it showed.
type Mark struct {
	Kind     string
	Recorded bool // the journal has a record that says so
	Requests int  // how many requests came before it
}

// Boundary is a place where the context was cut or changed.
type Boundary struct {
	Kind     string
	Mark     int // index of its mark, -1 for a drop without one
	Before   int // index of the last reported request before it, -1 for none
	After    int // index of the first reported request after it, -1 for none
	From, To int64
	Evidence []string
	Above    bool // the drop is strictly above the threshold
}

// Dropped is how many tokens are gone; Unknown unless both sides were reported and there was a drop.
func (b *Boundary) Dropped() int64 {
	if b.From == Unknown || b.To == Unknown || b.To >= b.From {
		return Unknown
	}
	return b.From - b.To
}

// Ratio is the share that is gone, 0 when that is unknown.
func (b *Boundary) Ratio() float64 {
	if d := b.Dropped(); d > 0 {
		return float64(d) / float64(b.From)
	}
	return 0
}

// Find returns the boundaries of a stream in order. prompts are the reported sizes, Unknown where there is none; marks are
// in order of Requests. It takes time in proportion to both, whatever is unknown.
func Find(prompts []int64, marks []Mark, threshold float64) []Boundary {
	f := finder{prompts: prompts, threshold: threshold, lastCut: -1}
	f.look(marks)
	var out []Boundary
	next, prev := 0, -1
	run := fall{-1, -1}
	end := func() {
		if b := f.drop(run.from, run.to); b.Ratio() > threshold {
			b.Kind, b.Evidence = ContextEdit, []string{UsageDrop, Stepwise}
			if f.back(b.Before, b.After) > 0 {
				b.Kind = UnexplainedDrop
			}
			out = append(out, b)
		}
		run = fall{-1, -1}
	}
	for i := 0; i <= len(prompts); i++ {
		for next < len(marks) && (marks[next].Requests <= i || i == len(prompts)) {
			end()
			out = append(out, f.marked(marks, next))
			next++
		}
		if i == len(prompts) || prompts[i] == Unknown || i < f.aside {
			continue
		}
		b := f.drop(prev, i)
		switch {
		case b.Dropped() == Unknown || next > 0 && marks[next-1].Requests > prev:
			end()
		case b.Ratio() > threshold:
			end()
			if f.aside = f.back(prev, i); f.aside > 0 {
				b.Kind = UnexplainedDrop
			}
			out = append(out, b)
		case run.from < 0:
			run = fall{prev, i}
		default:
			run.to = i
		}
		if i >= f.aside {
			prev = i
		}
	}
	end()
	return out
}

// fall is a run of requests each of which has a smaller prompt than the one before, -1 and -1 for none.
type fall struct{ from, to int }

// finder knows, for each place of a stream, the reported sizes and the cuts around it.
type finder struct {
	prompts   []int64
	threshold float64
	before    []int32 // of n requests: the last reported one among the first n, -1 for none
	after     []int32 // … the first reported one behind the first n, len(prompts) for none
	others    []int32 // … how many marks that are no model switch stand before request n
	nextCut   []int   // of each mark: how many requests precede the next cut among the later marks
	lastCut   int     // how many precede the last cut among the marks seen, -1 for none
	aside     int     // the requests before this one are side requests
}

// cuts tells of the marks after which nothing of the context is left but what replaces it.
func (m *Mark) cuts() bool { return m.Kind == Compaction || m.Kind == Clear }

func (f *finder) look(marks []Mark) {
	n := len(f.prompts)
	f.before, f.after = make([]int32, n+1), make([]int32, n+1)
	f.before[0], f.after[n] = -1, int32(n)
	for i := range n {
		f.before[i+1] = f.before[i]
		if f.prompts[i] != Unknown {
			f.before[i+1] = int32(i)
		}
	}
	for i := n - 1; i >= 0; i-- {
		f.after[i] = f.after[i+1]
		if f.prompts[i] != Unknown {
			f.after[i] = int32(i)
		}
	}
	f.nextCut = make([]int, len(marks))
	f.others = make([]int32, n+1)
	cut := math.MaxInt
	for m := len(marks) - 1; m >= 0; m-- {
		f.nextCut[m] = cut
		if marks[m].cuts() {
			cut = marks[m].Requests
		}
		if marks[m].Kind != ModelSwitch {
			f.others[min(marks[m].Requests, n)]++
		}
	}
	for i := range n {
		f.others[i+1] += f.others[i]
	}
}

// drop is the drop from one reported request to another; nothing where either is missing.
func (f *finder) drop(from, to int) Boundary {
	b := Boundary{Kind: Compaction, Mark: -1, Before: from, After: to, From: Unknown, To: Unknown, Above: true, Evidence: []string{UsageDrop}}
	if from >= 0 && to >= 0 {
		b.From, b.To = f.prompts[from], f.prompts[to]
	}
	return b
}

// sides is how many small side requests may follow each other: a title, a probe of the quota, a summary for the list.
const sides = 3

// back is the request with which the level jumps straight back after a drop, 0 where it doesn't: one step within the next
// few requests brings four fifths of it back. A context that was cut grows again in many steps.
func (f *finder) back(before, after int) int {
	lost := f.prompts[before] - f.prompts[after]
	at := after
	for range sides {
		next := int(f.after[at+1])
		if next == len(f.prompts) || f.others[next] > f.others[after] {
			return 0
		}
		if (f.prompts[next]-f.prompts[at])*5 >= lost*4 {
			return next
		}
		at = next
	}
	return 0
}

// marked is the boundary of mark m; called for one after the other. A size from beyond a neighbouring cut says nothing about
// this one, and another model explains no drop that something else does.
func (f *finder) marked(marks []Mark, m int) Boundary {
	k := marks[m]
	b := Boundary{Kind: k.Kind, Mark: m, Before: -1, After: -1, From: Unknown, To: Unknown}
	at := min(k.Requests, len(f.prompts))
	if i := int(f.before[at]); i >= 0 && f.lastCut <= i {
		b.Before, b.From = i, f.prompts[i]
	}
	if i := int(f.after[at]); i < len(f.prompts) && f.nextCut[m] > i {
		b.After, b.To = i, f.prompts[i]
	}
	if k.cuts() {
		f.lastCut = k.Requests
	}
	b.Above = b.Ratio() > f.threshold
	if k.Kind == ModelSwitch && b.Above {
		switch back := f.back(b.Before, b.After); {
		case f.shared(marks, m):
			b.Above = false
		case back > 0:
			b.Kind, f.aside = UnexplainedDrop, back
		}
	}
	if k.Recorded {
		b.Evidence = append(b.Evidence, BoundaryRecord)
	}
	if b.Above {
		b.Evidence = append(b.Evidence, UsageDrop)
	}
	return b
}

// shared reports whether a neighbour that is no model switch stands between the same two reported requests as mark m.
func (f *finder) shared(marks []Mark, m int) bool {
	gap := func(k Mark) int32 { return f.before[min(k.Requests, len(f.prompts))] }
	for _, o := range []int{m - 1, m + 1} {
		if o >= 0 && o < len(marks) && marks[o].Kind != ModelSwitch && gap(marks[o]) == gap(marks[m]) {
			return true
		}
	}
	return false
}
