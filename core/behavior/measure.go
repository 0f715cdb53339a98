package behavior

import (
	"contextscope/core/action"
	"contextscope/core/journal"
)

// Measures are what one window holds.
type Measures struct {
	Steps, Requests, Calls int
	FilesRead              int // distinct
	RedundantReads         int // files that were read the same way three times or more
	Rereads                int // files that were read again although nothing asked for it
	Exploration            int
	RepeatedExploration    int // looking for the same again
	Failures               int
	RepeatedFailures       int // the same call that failed before
	ToEdit                 int // calls until the first edit, -1 for none
	Lint                   []int
}

// redundant is how many reads of a file are too many.
const redundant = 3

// same tells calls with the same arguments apart from others.
type same struct {
	name journal.Ref
	args uint64
}

func sameAs(s *Step) same { return same{s.Name, s.Args} }

// measure counts what stands in a window.
func (c *comparison) measure(from, to int) Measures {
	m := Measures{Steps: to - from, ToEdit: -1}
	reads, times, failed, looked := map[journal.Ref]bool{}, map[reading]int{}, map[same]bool{}, map[same]bool{}
	for i := from; i < to; i++ {
		s := &c.st.Steps[i]
		if !s.IsCall() {
			m.Requests++
			continue
		}
		m.Calls++
		switch s.Kind {
		case action.Read:
			if s.Path == 0 || s.Failed {
				break
			}
			reads[s.Path] = true
			k := reading{s.Path, s.Args}
			if times[k]++; times[k] == redundant {
				m.RedundantReads++
			}
		case action.Write:
			if m.ToEdit < 0 && !s.Failed {
				m.ToEdit = m.Calls - 1
			}
		case action.Explore:
			m.Exploration++
			if s.Args != 0 && (looked[sameAs(s)] || c.looked[sameAs(s)]) {
				m.RepeatedExploration++
			}
			looked[sameAs(s)] = true
		}
		if s.Failed {
			m.Failures++
			if s.Args != 0 && failed[sameAs(s)] {
				m.RepeatedFailures++
			}
			failed[sameAs(s)] = true
		}
	}
	m.FilesRead = len(reads)
	return m
}

// reading is a part of a file.
type reading struct {
	path journal.Ref
	args uint64
}

// again finds the files that are read in a window although they were read before it, in three classes: read once before an
// edit, read because they had changed since, and read for nothing that shows. With own, files that were read before in the
// window itself count too: that is the rate at which the agent reads again anyway.
func (c *comparison) again(from, to int, own bool) (files []Reread) {
	edited := map[journal.Ref]int{} // the last write in the window
	for i := from; i < to; i++ {
		if s := &c.st.Steps[i]; s.IsCall() && s.Kind == action.Write && s.Path != 0 && !s.Failed {
			edited[s.Path] = i
		}
	}
	here := map[journal.Ref]touch{}
	place := map[journal.Ref]int{}
	writes, done := map[journal.Ref]int{}, map[reading]int{}
	for i := from; i < to; i++ {
		s := &c.st.Steps[i]
		if !s.IsCall() || s.Path == 0 || s.Failed || s.Kind != action.Read && s.Kind != action.Write {
			continue
		}
		before, known := here[s.Path]
		if !known {
			before = c.touched[s.Path]
		}
		if own {
			here[s.Path] = before.then(s.Kind)
		}
		if s.Kind == action.Write {
			writes[s.Path]++
			continue
		}
		if !before.read {
			continue
		}
		k := reading{s.Path, s.Args}
		n, seen := place[s.Path]
		if !seen {
			n = len(files)
			place[s.Path] = n
			why := ForNothing
			if edited[s.Path] > i {
				why = BeforeEdit
			} else if before.changed {
				why = Changed
			}
			files = append(files, Reread{Path: s.Path, Why: why})
		} else if at, ok := done[k]; ok && at == writes[s.Path] {
			files[n].Why = ForNothing // the same once more
		}
		done[k] = writes[s.Path]
		files[n].Times++
	}
	return files
}

// Reread is a file that was read before a cut and again after it.
type Reread struct {
	Path  journal.Ref
	Times int
	Why   Why
}

// Why a file was read again.
type Why uint8

// The reasons.
const (
	BeforeEdit Why = iota // once, and then edited: harnesses ask for that
	Changed               // it had been written since it was read
	ForNothing            // nothing that shows asked for it
)

// touch is what happened to a file before a cut.
type touch struct{ read, changed bool }

// then is what it comes to with another call.
func (t touch) then(k action.Kind) touch {
	switch k {
	case action.Read:
		return touch{read: true}
	case action.Write:
		t.changed = true
	}
	return t
}

// pass notes what a step says about files, for what comes after it.
func (c *comparison) pass(s *Step) {
	if !s.IsCall() || s.Failed {
		return
	}
	if s.Kind == action.Explore && s.Args != 0 {
		c.looked[sameAs(s)] = true
	}
	if s.Path == 0 {
		return
	}
	c.touched[s.Path] = c.touched[s.Path].then(s.Kind)
}
