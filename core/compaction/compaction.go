// Package compaction finds the places of a session where its context was cut.
//
// In come the provider-reported prompt sizes of one stream of requests, and the marks that the journal itself left between
// them. Out come boundaries with the reported sizes on both sides. A recorded compaction is one whatever the drop; without
// a record it takes a drop strictly above the threshold, on reported figures alone, that nothing else explains. What the
// person or the harness caused otherwise (a rewind, another model, cleared results) keeps its own name.
package compaction

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
// in order of Requests.
func Find(prompts []int64, marks []Mark, threshold float64) []Boundary {
	var out []Boundary
	next, prev := 0, -1
	for i := 0; i <= len(prompts); i++ {
		for next < len(marks) && (marks[next].Requests <= i || i == len(prompts)) {
			out = append(out, marked(prompts, marks, next, threshold))
			next++
		}
		if i == len(prompts) || prompts[i] == Unknown {
			continue
		}
		if prev >= 0 && (next == 0 || marks[next-1].Requests <= prev) {
			b := Boundary{Kind: Compaction, Mark: -1, Before: prev, After: i, From: prompts[prev], To: prompts[i], Above: true, Evidence: []string{UsageDrop}}
			if b.Ratio() > threshold {
				if back := following(prompts, i); (back-b.To)*5 >= b.Dropped()*4 {
					b.Kind = UnexplainedDrop // a side request: four fifths of the level are back at once
				}
				out = append(out, b)
			}
		}
		prev = i
	}
	return out
}

// marked is the boundary of a mark. A size from beyond a neighbouring compaction says nothing about this one.
func marked(prompts []int64, marks []Mark, m int, threshold float64) Boundary {
	k := marks[m]
	b := Boundary{Kind: k.Kind, Mark: m, Before: -1, After: -1, From: Unknown, To: Unknown}
	for i := min(k.Requests, len(prompts)) - 1; i >= 0; i-- {
		if prompts[i] != Unknown {
			if !compactedBetween(marks[:m], i) {
				b.Before, b.From = i, prompts[i]
			}
			break
		}
	}
	for i := k.Requests; i < len(prompts); i++ {
		if compactedBefore(marks[m+1:], i) {
			break
		}
		if prompts[i] != Unknown {
			b.After, b.To = i, prompts[i]
			break
		}
	}
	b.Above = b.Ratio() > threshold
	if k.Recorded {
		b.Evidence = append(b.Evidence, BoundaryRecord)
	}
	if b.Above {
		b.Evidence = append(b.Evidence, UsageDrop)
	}
	return b
}

// compactedBetween reports whether one of the earlier marks is a compaction after request i.
func compactedBetween(earlier []Mark, i int) bool {
	for j := len(earlier) - 1; j >= 0 && earlier[j].Requests > i; j-- {
		if earlier[j].Kind == Compaction {
			return true
		}
	}
	return false
}

// compactedBefore reports whether one of the later marks is a compaction before request i.
func compactedBefore(later []Mark, i int) bool {
	for _, k := range later {
		if k.Requests > i {
			return false
		}
		if k.Kind == Compaction {
			return true
		}
	}
	return false
}

// following is the next reported size after request i.
func following(prompts []int64, i int) int64 {
	for _, p := range prompts[i+1:] {
		if p != Unknown {
			return p
		}
	}
	return Unknown
}
