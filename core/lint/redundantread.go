package lint

import (
	"contextscope/core/action"
	"contextscope/core/journal"
)

// redundant-read: the same part of a file is read although it is still in the context. What was written to the file since, or
// a cut that took it out of the context, makes reading it worth while; another part of it is another reading.
var redundantRead = Rule{
	Name:     "redundant-read",
	Means:    "The same part of a file was read again and again while it was in the context and nobody had changed it.",
	Settings: Settings{Enabled: true, Level: Info, Threshold: 3},
}

type readings struct {
	n, first, last int
	reported       int // place of its finding, + 1
}

func checkRedundantRead(j *judging) {
	type part struct {
		path   journal.Ref
		args   uint64
		writes int
	}
	read, writes := map[part]*readings{}, map[journal.Ref]int{}
	cut := 0
	for i := range j.Steps {
		for cut < len(j.Cuts) && j.Cuts[cut].At <= i {
			clear(read)
			cut++
		}
		s := &j.Steps[i]
		if !s.IsCall() || s.Path == 0 || s.Failed {
			continue
		}
		if s.Kind == action.Write {
			writes[s.Path]++
		}
		if s.Kind != action.Read {
			continue
		}
		k := part{s.Path, s.Args, writes[s.Path]}
		r := read[k]
		if r == nil {
			r = &readings{first: i}
			read[k] = r
		}
		r.n, r.last = r.n+1, i
		if float64(r.n) < j.settings.Threshold {
			continue
		}
		if r.reported == 0 {
			j.report(r.first, i, s.Path, "")
			r.reported = len(j.found)
		}
		f := &j.found[r.reported-1]
		f.To, f.Text = i, PathMark+" was read "+count(r.n)+" times and had not changed"
	}
}
