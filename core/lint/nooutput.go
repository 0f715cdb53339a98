package lint

import "contextscope/core/action"

// no-output: a session that has ended wrote no file. Only a journal that says that its session ended can tell; a subagent and
// a side stream are asked for words, not for files.
var noOutput = Rule{
	Name:     "no-output",
	Means:    "The session ended and no file was written in it.",
	Settings: Settings{Enabled: true, Level: Warning},
	Session:  true,
}

func checkNoOutput(j *judging) {
	if !j.Ended || j.Side {
		return
	}
	for i := range j.Steps {
		if s := &j.Steps[i]; s.IsCall() && s.Kind == action.Write && !s.Failed {
			return
		}
	}
	j.report(-1, -1, 0, "the session ended without a file having been written")
}
