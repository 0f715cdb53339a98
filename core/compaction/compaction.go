// Package compaction finds the places of a session where its context was cut.
//
// In come the provider-reported prompt sizes of one stream of requests, and the marks that the journal itself left between
// them. Out come boundaries with the reported sizes on both sides. A recorded compaction is one whatever the drop; without
// a record it takes a drop strictly above the threshold, on reported figures alone, that nothing else explains. What the
// person or the harness caused otherwise (a rewind, another model, cleared results) keeps its own name.
package compaction

import "math"

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
)

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
	for i := 0; i <= len(prompts); i++ {
		for next < len(marks) && (marks[next].Requests <= i || i == len(prompts)) {
			out = append(out, f.marked(marks, next))
			next++
		}
		if i == len(prompts) || prompts[i] == Unknown {
			continue
		}
		if prev >= 0 && (next == 0 || marks[next-1].Requests <= prev) {
			b := Boundary{Kind: Compaction, Mark: -1, Before: prev, After: i, From: prompts[prev], To: prompts[i], Above: true, Evidence: []string{UsageDrop}}
			if b.Ratio() > threshold {
				if back := f.following(i); (back-b.To)*5 >= b.Dropped()*4 {
					b.Kind = UnexplainedDrop // a side request: four fifths of the level are back at once
				}
				out = append(out, b)
			}
		}
		prev = i
	}
	return out
}

// finder knows, for each place of a stream, the reported sizes and the compactions around it.
type finder struct {
	prompts   []int64
	threshold float64
	before    []int32 // of n requests: the last reported one among the first n, -1 for none
	after     []int32 // … the first reported one behind the first n, len(prompts) for none
	nextCut   []int   // of each mark: how many requests precede the next compaction among the later marks
	lastCut   int     // how many precede the last compaction among the marks seen, -1 for none
}

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
	cut := math.MaxInt
	for m := len(marks) - 1; m >= 0; m-- {
		f.nextCut[m] = cut
		if marks[m].Kind == Compaction {
			cut = marks[m].Requests
		}
	}
}

// marked is the boundary of mark m; called for one after the other. A size from beyond a neighbouring compaction says
// nothing about this one.
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
	if k.Kind == Compaction {
		f.lastCut = k.Requests
	}
	b.Above = b.Ratio() > f.threshold
	if k.Recorded {
		b.Evidence = append(b.Evidence, BoundaryRecord)
	}
	if b.Above {
		b.Evidence = append(b.Evidence, UsageDrop)
	}
	return b
}

// following is the next reported size after request i.
func (f *finder) following(i int) int64 {
	if next := int(f.after[i+1]); next < len(f.prompts) {
		return f.prompts[next]
	}
	return Unknown
}
