package main

// understand is the first half hour: the task with its rules, and a look at everything that has to do with it.
func (t *transcript) understand(m *maker) {
	t.ask(`Make the rate limiter survive a restart. Today every deploy resets the buckets, so the big clients get a free burst, and the export workers have fallen over twice because of it (incidents 41 and 44).

After a restart a client must have about what it had before. At most five seconds of use may be forgiven.

Some ground rules:
- Never call the store on the request path without asking me first.
- The p99 of the middleware must stay under 2 ms, with the store up and with it down.
- Do not rename public config keys; partners generate their files from them.
- Two versions run side by side during a deploy, so ensure that the old one ignores what the new one writes.

Look around first and tell me which options you see. Don't write code yet.`)
	t.step(think(900), say("I'll start with how the limiter keeps its state and who uses it, then look at the store and at what a deploy does."), t.bash("git ls-files -s | awk '{print $4}' | xargs wc -c", "List the files with their sizes", 0.3, tree(t.repo)))
	t.step(together(t.read("internal/limiter/limiter.go")), together(t.read("internal/limiter/bucket.go")))
	t.step(t.read("internal/gateway/middleware.go"))
	t.step(t.grep("limiter.", "", 90))
	t.step(think(500), say("The state is a map per shard, in memory alone. Next: who builds the limiter, and when the listener opens."), t.read("cmd/tollgate/main.go"))
	t.step(t.read("internal/gateway/server.go"))
	t.step(t.grep("Clock", "internal/", 40))
	t.step(t.read("internal/config/config.go"))
	t.step(t.read("internal/config/validate.go"))
	t.step(t.read("docs/limits.md"))
	t.step(say("The document promises five seconds already. Now the store."), t.read("internal/store/ember.go"))
	t.step(t.read("internal/store/ember_test.go"))
	t.step(think(700), t.fetch("https://docs.example.org/embercache/conditional-writes", "How do conditional writes work, what do they cost, and how large may a value be?", part("embercache.md")+m.reference(9000)))
	t.step(t.bash("go test ./...", "Run all tests once", 21, "ok  \texample.org/tollgate/cmd/tollgate\t0.1s\nok  \texample.org/tollgate/internal/batch\t0.4s\nok  \texample.org/tollgate/internal/config\t0.2s\nok  \texample.org/tollgate/internal/gateway\t2.9s\nok  \texample.org/tollgate/internal/limiter\t1.3s\nok  \texample.org/tollgate/internal/store\t0.8s\n"))
	t.step(t.bash("make bench", "Measure the middleware as it is", 44, m.benchLog(16)))
	t.step(t.bash("git log --oneline -40 -- internal/limiter deploy", "See how the limiter got here", 0.2, log(40)))
	t.step(t.bash("git show --stat 51d7be4", "See how the shards came in", 0.2, "commit 51d7be4\n\n    limiter: shard the buckets\n\n    One lock made every request wait for every other one.\n\n internal/limiter/limiter.go      | 61 ++++++++++++++-------\n internal/limiter/limiter_test.go | 88 +++++++++++++++++++++++++++++++\n"))
	t.step(think(600), t.grep("Retry-After", "", 20))
	t.step(t.bash("cat Makefile", "See what the targets do", 0.1, "test:\n\tgo test -race ./...\nbench:\n\tgo test -run '^$$' -bench . ./internal/gateway\nlint:\n\tgo vet ./... && revive ./...\nload:\n\tgo run ./tools/load -hour testdata/hour.bin -restart $(RESTART)\n"))
	t.step(t.bash("ls docs/decisions | tail -5", "See how decisions are written down", 0.1, "0014-plans.md\n0015-shards.md\n0016-retry-after.md\n0017-hashed-keys.md\n0018-batch.md\n"))
	t.step(t.read("internal/limiter/limiter_test.go"))
	t.step(t.bash("kubectl logs deploy/tollgate --since-time=2026-07-03T10:00:00Z | head -90", "Look at the log of the last deploy", 4, m.accessLog(90)))
	t.step(t.bash("cat deploy/gateway.yaml", "See how gateways are replaced", 0.1, "strategy:\n  rollingUpdate:\n    maxSurge: 1\n    maxUnavailable: 0\nterminationGracePeriodSeconds: 20\nreadinessProbe:\n  httpGet: {path: /ready, port: 8081}\n  periodSeconds: 2\n"))
	t.step(t.read("internal/limiter/registry.go"))
	t.step(think(2100), say(`Here is what I found, and the options.

**Where the state is.** 64 shards, each a map from the client's key to its bucket. Nothing leaves the process. `+"`server.go`"+` opens the listener as soon as the configuration is valid.

**What a deploy does.** Gateways are replaced one after another within about forty seconds. The new one starts with full buckets; a partner that had used up its 4,000 has 4,000 again.

| option | forgives after a crash | cost on the request path | risk |
|---|---|---|---|
| A. write-through: every request writes to the store | nothing | 0.7 ms p50, 2.6 ms p99 | breaks your 2 ms, and the store is on the path |
| B. snapshots every few seconds, restored at the start | up to the interval | one lock of a shard, as today | a snapshot from a moment ago may be missing |
| C. handing over from the old gateway to the new one | nothing in a deploy, all in a crash | none | does not help after a crash; needs a port between gateways |

Sizes: 40,000 clients at about 60 bytes are 2.4 MB, which is above the limit of 1 MiB for a value. Idle clients need not be written, and about one in nine is not idle, so 270 KB is realistic.

I would take B with an interval of five seconds and a conditional write, so that of two gateways with the same name only one wins. Which one do you want?`))
}

// log makes lines of a history.
func log(n int) string {
	m := newMaker(9)
	out := ""
	for range n {
		out += m.pick([]string{"9c1e", "51d7", "e0aa", "77b2"}) + m.pick([]string{"02a", "be4", "913", "f60"}) + " " + m.pick([]string{"limiter", "gateway", "store", "config"}) + ": " +
			m.pick([]string{"round", "shard", "name", "check", "count", "drop", "test"}) + " the " + m.pick([]string{"buckets", "limits", "headers", "answers of the store", "idle clients", "plans"}) + m.pick([]string{"", " once", " after a restart", " under load"}) + "\n"
	}
	return out
}
