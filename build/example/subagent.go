package main

// explore is the subagent's own transcript: it has a context of its own, of which the main session sees the answer alone.
func explore(main *transcript, started int64) *transcript {
	t := &transcript{repo: main.repo, id: session, agent: agentID, prologue: 11800, now: started + 2600, scale: 1}
	t.add(t.write(line{Type: "user", CWD: "/src/tollgate", Branch: "limiter-restart", Message: &message{Role: "user", Content: taskPrompt}}), "", units(taskPrompt), 0)
	t.step(say("Looking for the places."), t.grep("TooManyRequests", "", 12))
	for _, word := range []string{"limiter.Allow", "Rate", "denied", "weight", "BUSY", "time.Sleep", "semaphore"} {
		t.step(t.grep(word, "internal/", 6))
	}
	t.step(think(400), t.read("internal/gateway/middleware.go"))
	for _, at := range []int{1, 90, 180} {
		t.step(t.read("internal/gateway/export.go", at, 18))
		t.step(t.read("internal/batch/worker.go", at, 14))
	}
	t.step(t.grep("s.metrics.denied", "", 12))
	t.step(say("The handlers of exports take the key from two places."), t.grep("X-Client-Key", "", 10))
	for _, at := range []int{1, 120} {
		t.step(t.read("internal/gateway/admin.go", at, 20))
	}
	t.step(t.read("internal/limiter/limiter.go", 40, 24))
	t.step(t.bash("git grep -n 'Burst' -- internal | head -20", "Find other users of a limit", 0.2, t.repo.grep("Burst", "internal/gateway/middleware", 20)))
	t.step(t.grep("ErrNotFound", "internal/batch/", 12))
	t.step(t.read("docs/limits.md"))
	t.step(think(500), t.read("cmd/tollgate/main.go", 1, 40))
	t.step(think(900), say(taskAnswer))
	return t
}
