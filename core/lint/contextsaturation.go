package lint

// context-saturation: a prompt fills a share of the window. Prompts are those that the provider reported; a session without
// any is judged by the estimates, and the finding says so. One finding for each time that the context grew full: only after
// it fell below half of that share, a compaction as a rule, it can be full again. Without a known window nothing is judged.
var contextSaturation = Rule{
	Name:     "context-saturation",
	Means:    "A request filled most of the model's window: answers get worse there, and a compaction is near.",
	Settings: Settings{Enabled: true, Level: Info, Threshold: 0.80},
}

func checkContextSaturation(j *judging) {
	full := false
	for i := range j.Steps {
		s := &j.Steps[i]
		if s.IsCall() || s.Tokens < 0 || s.Window <= 0 {
			continue
		}
		share := float64(s.Tokens) / float64(s.Window)
		switch {
		case share >= j.settings.Threshold && !full:
			full = true
			how := "reported"
			if s.Guessed {
				how = "estimated"
			}
			j.report(i, i, 0, "the context is at %.0f%% of the window: %d of %d tokens, %s", share*100, s.Tokens, s.Window, how)
		case share < j.settings.Threshold/2:
			full = false
		}
	}
}
