package lint

import (
	"contextscope/core/action"
	"contextscope/core/behavior"
	"contextscope/core/journal"
)

// tool-loop: the same call again and again. A run is a stretch in which nothing is tried that was not tried in it before: a
// call with new arguments, as every edit is, begins another one, and so does a prompt. In a run the call that was made most
// is judged, whether the others stand between or not, and however many requests it took. Calls that wait for something are
// made again by nature and don't count, and neither do calls whose arguments nobody recorded.
var toolLoop = Rule{
	Name:     "tool-loop",
	Means:    "The agent made the same call, with the same arguments, again and again, and tried nothing new in between.",
	Settings: Settings{Enabled: true, Level: Warning, Threshold: 5},
}

// same tells calls with the same arguments apart from others.
type same struct {
	name journal.Ref
	args uint64
}

func sameAs(s *behavior.Step) same { return same{s.Name, s.Args} }

// tries is how often one call was made in a run, and where.
type tries struct{ n, first, last int }

func checkToolLoop(j *judging) {
	run := map[same]*tries{}
	end := func() {
		var most *tries
		for _, t := range run {
			if most == nil || t.n > most.n || t.n == most.n && t.first < most.first {
				most = t
			}
		}
		if most != nil && float64(most.n) >= j.settings.Threshold {
			j.report(most.first, most.last, 0, "%s was called %d times with the same arguments and nothing new was tried in between",
				j.Text(j.Steps[most.first].Name), most.n)
		}
		clear(run)
	}
	for i := range j.Steps {
		s := &j.Steps[i]
		switch {
		case !s.IsCall():
			if s.Prompt {
				end()
			}
			continue
		case s.Kind == action.Wait || s.Args == 0:
			continue
		}
		t := run[sameAs(s)]
		if t == nil {
			if repeated(run) {
				end() // something new
			}
			t = &tries{first: i}
			run[sameAs(s)] = t
			if len(run) > maxCycle {
				end()
				run[sameAs(s)] = t
			}
		}
		t.n, t.last = t.n+1, i
	}
	end()
}

// maxCycle is how many different calls may take turns in a loop.
const maxCycle = 8

// repeated tells whether a call of a run was made twice: only then something new ends it. Before, its calls may be the first
// round of a loop.
func repeated(run map[same]*tries) bool {
	for _, t := range run {
		if t.n > 1 {
			return true
		}
	}
	return false
}
