package main

// restore is the rest until the compaction: the restore, a subagent, a picture, and more output than the context can hold.
func (t *transcript) restore(m *maker) (helper *transcript) {
	t.wait(420)
	t.ask(`One more thing before you write the restore: never let it delay the listener by more than three seconds. A gateway that does not come up is worse than one that forgives a burst. And do not restore a client whose plan has changed.

Use a subagent to find every place where a limit is enforced; I believe there are more than the middleware.`)
	call := t.task("Explore", taskTitle, taskPrompt, agentID, taskAnswer, 148, 18300)
	started := t.now
	t.step(think(700), call)
	helper = explore(t, started)
	t.step(think(500), say("Three places; only two of them use `limiter.Allow`. The batch worker counts on its own and is not part of this. I read the tests of the middleware, because the restore changes what they see first."), t.read("internal/gateway/middleware_test.go"))
	t.step(t.read("internal/gateway/export.go"))
	t.step(t.grep("serve(t, l,", "internal/gateway/", 80))
	t.step(think(1100), t.create("internal/limiter/restore.go", part("restore.txt")))
	t.step(t.edit("internal/limiter/limiter.go", "\tbuckets map[string]*Bucket\n}", "\tbuckets map[string]*Bucket\n\t// restored is what a snapshot knew, by hashed key. A bucket moves from here to buckets with the client's first request.\n\trestored map[string]*Bucket\n}"))
	t.step(t.edit("internal/limiter/limiter.go", "\t\tb = NewBucket(limit, plan, now)\n", "\t\tif b = s.restored[HashKey(key)]; b == nil || b.plan != plan {\n\t\t\tb = NewBucket(limit, plan, now)\n\t\t}\n"))
	t.step(t.edit("internal/limiter/limiter.go", "\t\tl.shards[i].buckets = map[string]*Bucket{}\n", "\t\tl.shards[i].buckets, l.shards[i].restored = map[string]*Bucket{}, map[string]*Bucket{}\n"))
	t.step(t.bash("go vet ./... && go test ./internal/limiter/...", "Check and test", 6, "ok  \texample.org/tollgate/internal/limiter\t1.7s\n"))
	t.step(t.create("internal/limiter/restore_test.go", m.tests("limiter", 4200)))
	t.step(t.bash("go test -v ./internal/limiter/... ./internal/gateway/... 2>&1", "Run both packages, full output", 11, m.testLog(7000)))
	t.step(think(700), say("Green without the race detector. A hash of the shard key is not the shard of the key, though: `Restore` puts an entry into the shard of the *hashed* key and `Allow` looks in the shard of the plain one."), t.edit("internal/limiter/limiter.go", "\treturn &l.shards[maphash.String(l.seed, key)%shardCount]", "\treturn l.hashed(HashKey(key))\n}\n\n// hashed is the shard of a key that is hashed already, as it stands in a snapshot.\nfunc (l *Limiter) hashed(hash string) *shard {\n\treturn &l.shards[maphash.String(l.seed, hash)%shardCount]"))
	t.step(t.edit("internal/limiter/restore.go", "\t\ts := l.shard(e.Key)\n", "\t\ts := l.hashed(e.Key)\n"))
	t.step(t.bash("make bench", "Hashing costs something; measure it", 46, m.benchLog(16)))
	t.step(think(900), say("140 ns more a request: p99 stays at 1.4 ms. Now with load."), t.bash("make load", "Play the recorded hour", 242, m.loadLog(140)))
	t.wait(330)
	t.ask(`Here is what the dashboard showed during the last deploy: ~/shots/deploy.png. The spike after 10:31 is what must go away.`)
	t.step(t.look("~/shots/deploy.png"))
	t.step(think(600), say("The spike is three times the allowed rate for eleven seconds, once a gateway. With the restore each gateway starts with what it had at most five seconds before. I check what the log says about that minute."), t.bash("kubectl logs deploy/tollgate --since-time=2026-07-03T10:31:00Z | head -110", "Read the log of the spike", 5, m.accessLog(110)))
	t.step(t.grep("Limit(", "internal/", 60))
	t.clear(6, 1500, 4000)
	for range 2 {
		t.step(t.bash("go test -race ./internal/gateway/...", "Run the gateway's tests with the race detector", 24, "ok  \texample.org/tollgate/internal/gateway\t9.8s\n"))
		t.step(think(500), t.read("internal/limiter/restore.go", 14, 32))
	}
	t.step(think(600), t.read("internal/batch/worker.go"))
	t.step(t.bash("git diff --stat", "See how much has changed so far", 0.1, " internal/limiter/bucket.go  |  6 +++---\n internal/limiter/limiter.go | 22 +++++++++++++++-----\n 2 files changed, 20 insertions(+), 8 deletions(-)\n"))
	for _, c := range []struct{ old, with, why string }{
		{"// MaxAge is how old a snapshot may be.", "// MaxAge is how old a snapshot may be to be restored.", "Say what it is for"},
		{"\t\tlimit, ok := l.limits.Limit(e.Plan)\n", "\t\tlimit, ok := l.limits.Limit(e.Plan) // that of today, not that of the snapshot\n", "And whose limit counts"},
		{"\trestored := 0\n", "\trestored, skipped := 0, 0\n", "Count what is skipped"},
		{"\t\t\tlog.Warn(\"restore: plan is gone\", \"plan\", e.Plan)\n\t\t\tcontinue\n", "\t\t\tlog.Warn(\"restore: plan is gone\", \"plan\", e.Plan)\n\t\t\tskipped++\n\t\t\tcontinue\n", "And say so"},
		{"\treturn restored, nil\n", "\tlog.Info(\"restored\", \"clients\", restored, \"skipped\", skipped)\n\treturn restored, nil\n", "Log one line in the end"},
	} {
		t.step(t.edit("internal/limiter/restore.go", c.old, c.with))
		t.step(t.bash("go build ./... && go test ./internal/limiter/...", c.why, 5, "ok  \texample.org/tollgate/internal/limiter\t1.7s\n"))
	}
	t.step(think(900), t.read("internal/gateway/admin.go"))
	t.step(t.read("internal/gateway/server.go", 1, 120))
	t.step(t.grep("ListenAndServe", "", 10))
	failing := race("TestRestoreWhileServing", "a request arrives while the shard is being restored", "(*Limiter).Allow() limiter.go:71", "(*Limiter).Restore() restore.go:37")
	t.step(t.fails("go test -race -count=10 ./internal/limiter/...", "Ten runs with the race detector", 61, failing))
	t.step(think(800), t.fails("go test -race -count=10 -run TestRestoreWhileServing ./internal/limiter/...", "Only the one that failed", 33, failing))
	t.step(t.bash("go test -race -count=1 -v ./internal/limiter/... 2>&1", "The same with full output", 20, m.testLog(22000)))
	t.step(t.bash("go test -race -count=1 -v ./internal/gateway/... 2>&1", "See whether the gateway's tests meet it too", 22, m.testLog(20000)))
	t.step(t.read("internal/limiter/limiter_test.go", 1, 420))
	t.step(think(300), t.read("internal/limiter/limiter.go"))
	return helper
}

const taskPrompt = `Find every place in this repository where a request is refused or delayed because a client has used up a limit. For each place say: file and line, which limit it uses, where it keeps its state, and whether that state is lost in a restart. Look beyond internal/limiter: counters that somebody wrote by hand count too. Report a table; do not change anything.`

const taskAnswer = `I read all packages below internal/ and cmd/. A request is refused or delayed in three places:

| place | limit | state | lost in a restart |
|---|---|---|---|
| internal/gateway/middleware.go, Limit | the client's plan, through limiter.Allow | buckets of the limiter | yes |
| internal/gateway/export.go, the handlers of exports | the client's plan, through limiter.Allow with a weight of ten | the same buckets | yes |
| internal/batch/worker.go, the loop over shards | a number of its own, 50 jobs at a time | a counter in the worker | yes, and harmless: jobs in flight are lost with it |

internal/gateway/admin.go reads levels to show them and refuses nothing. internal/store has a limit for connections, which concerns no client.

Two remarks. The batch worker compares with the rate of a plan by hand in one place; that is the only user of Limit.Rate outside of internal/limiter. And internal/gateway/export.go takes the key from the query when the header is missing, so a restored bucket has to be found under both.`
