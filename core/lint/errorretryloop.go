package lint

import (
	"contextscope/core/action"
	"contextscope/core/journal"
)

// error-retry-loop: the same thing fails again and again. The same thing is a call with the same arguments, or for reading and
// writing the same file, because an edit that fails is tried with other words. When it works, or when a file was changed
// before a command is tried again, counting begins anew: to run the tests after each edit is no loop.
var errorRetryLoop = Rule{
	Name:     "error-retry-loop",
	Means:    "The agent tried the same thing again and again although it failed, and changed nothing in between.",
	Settings: Settings{Enabled: true, Level: Warning, Threshold: 3},
}

type goal struct {
	name journal.Ref
	args uint64
	path journal.Ref
}

func checkErrorRetryLoop(j *judging) {
	type state struct {
		readings
		writes int
	}
	failing := map[goal]*state{}
	writes := 0
	for i := range j.Steps {
		s := &j.Steps[i]
		if !s.IsCall() || s.Kind == action.Wait {
			continue
		}
		k := goal{name: s.Name, args: s.Args}
		if s.Path != 0 && (s.Kind == action.Read || s.Kind == action.Write) {
			k.args, k.path = 0, s.Path
		} else if s.Args == 0 {
			continue // nobody knows whether it is the same
		}
		if !s.Failed {
			if s.Kind == action.Write {
				writes++
			}
			delete(failing, k)
			continue
		}
		f := failing[k]
		if f == nil || f.writes != writes && k.path == 0 {
			f = &state{readings: readings{first: i}, writes: writes}
			failing[k] = f
		}
		f.n, f.last = f.n+1, i
		if float64(f.n) < j.settings.Threshold {
			continue
		}
		if f.reported == 0 {
			j.report(f.first, i, k.path, "")
			f.reported = len(j.found)
		}
		out := &j.found[f.reported-1]
		out.To, out.Text = i, j.Text(s.Name)+" failed "+count(f.n)+" times in a row with the same arguments"
		if k.path != 0 {
			out.Text = j.Text(s.Name) + " failed " + count(f.n) + " times in a row on " + PathMark
		}
	}
}
