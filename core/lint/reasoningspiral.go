package lint

// reasoning-spiral: requests of one stream that follow each other without a call, without a prompt and without a cut between
// them. A request counts once, whatever a journal wrote of it, and a conversation in which a person answers is none.
var reasoningSpiral = Rule{
	Name:     "reasoning-spiral",
	Means:    "The agent asked the model several times in a row and did nothing: no call came of it and nobody had said anything new.",
	Settings: Settings{Enabled: true, Level: Warning, Threshold: 3},
}

func checkReasoningSpiral(j *judging) {
	first, last, before, n := -1, -1, -1, 0
	end := func() {
		if n > 0 && float64(n) >= j.settings.Threshold {
			j.report(first, last, 0, "%d requests in a row without a tool call or a prompt between them", n)
		}
		n = 0
	}
	cut := 0
	for i := range j.Steps {
		s := &j.Steps[i]
		for cut < len(j.Cuts) && j.Cuts[cut].At <= i {
			if j.Cuts[cut].At == i {
				end()
			}
			cut++
		}
		if s.IsCall() {
			if n > 0 && s.Request == j.Steps[last].Request {
				n, last = n-1, before // the last request did something after all
			}
			end()
			continue
		}
		if s.Prompt {
			end()
		}
		if n == 0 {
			first = i
		}
		n, last, before = n+1, i, last
	}
	end()
}
