package main

import (
	"fmt"
	"strings"
)

// finish is the last stretch: documentation, the second rule that was lost, and a last look at everything.
func (t *transcript) finish(m *maker) {
	t.wait(400)
	t.ask(`Good. Now the batch worker: leave it as it is, but write down in docs/limits.md that it is not restored. Then the decision record and the changelog. Every page must say what a client can observe, nothing else.`)
	t.step(t.todo("x Take a snapshot of all shards", "x Write it with a conditional write and a deadline", "x Read it and fill the buckets", "x Wire it before the listener opens", "x Tests with the fake clock and the fake store", "> Documentation, decision, changelog"))
	t.step(t.read("docs/limits.md"))
	t.step(think(500), t.edit("docs/limits.md", "The new gateway starts with full buckets. A partner that had used up its 4,000 has 4,000 again. Three deploys within\nten minutes have been seen to let 36,000 requests through where 12,000 were allowed, and the export workers behind the\ngateway fell over twice because of it (incidents 41 and 44).\n", "The new gateway takes over what the old one wrote down at most five seconds before. A client notices nothing, or has five\nseconds more of its budget than it should. When the store is down, or slower than three seconds, the new gateway starts\nwith full buckets. Jobs of the batch worker are counted by the worker itself and are not part of this.\n"))
	t.step(t.create("docs/decisions/0019-snapshots.md", decision))
	t.step(t.bash("head -30 CHANGELOG.md", "See how entries look", 0.1, "# Changelog\n\n## Unreleased\n\n- Retry-After is rounded up, so that a client that obeys it succeeds.\n- Errors in the configuration name the key.\n"))
	t.step(t.bash("sed -i '/^## Unreleased/a\\\\n- A restart keeps the budgets of clients; at most five seconds of use are forgiven.' CHANGELOG.md", "Add the entry", 0.1, ""))
	t.wait(30)
	t.state(object{{"type", "queue-operation"}, {"operation", "enqueue"}, {"content", "also check that the old version ignores the snapshot"}, {"sessionId", session}, {"timestamp", stamp(t.now)}})
	queued := "also check that the old version ignores the snapshot"
	t.step(t.bash("make lint", "Check the style", 8, ""))
	t.attach("queued_command", units(queued), field{"prompt", queued}, field{"commandMode", "prompt"})
	t.step(think(700), t.bash("git stash -q && git checkout -q v2.14.0 && go build -o bin/tollgate-old ./cmd/tollgate; git checkout -q - && git stash pop -q", "Build the old version", 22, ""))
	t.step(t.bash("./bin/tollgate-old -store fake -snapshot testdata/v1.json -check && echo started", "Start it beside a snapshot of the new one", 4, "level=INFO msg=config clients=0\nlevel=INFO msg=ready listener=:8080\nstarted\n"))
	t.step(think(500), t.grep("SnapshotVersion", "", 12))
	for i, path := range []string{"internal/limiter/snapshot.go", "internal/limiter/restore.go", "internal/gateway/snapshots.go", "internal/store/snapshot.go"} {
		t.step(t.read(path))
		if i%2 == 0 {
			t.step(t.bash("git diff --stat -- "+path, "See how much has changed", 0.1, fmt.Sprintf(" %s | %d +\n 1 file changed, %d insertions(+)\n", path, 40+7*i, 40+7*i)))
		}
	}
	t.step(think(900), t.bash("git diff main -- internal/gateway internal/store cmd | head -400", "Read the whole change once more", 0.3, diff(t.repo, "internal/gateway/snapshots.go", "internal/store/snapshot.go", "internal/limiter/restore.go", "internal/limiter/snapshot.go")))
	t.step(t.read("internal/gateway/server.go", 1, 90))
	t.step(say("One thing I don't like: the export handlers take the key from the query when the header is missing, so one client can have two buckets. That was so before."), t.read("internal/gateway/export.go"))
	t.step(t.grep("r.URL.Query", "internal/", 12))
	t.step(t.bash("go test -v -race ./... 2>&1", "Run everything, full output", 74, m.testLog(14500)))
	t.step(think(800), t.bash("go test -run '^$' -bench Snapshot -benchmem ./internal/limiter/", "What does a snapshot cost with 40,000 clients", 18, m.benchLog(8)))
	t.step(say("A snapshot of 40,000 clients takes 3.1 ms, spread over 64 shards: no request waits longer than 0.1 ms for one."))

	t.wait(520)
	t.ask(`Do not mention incident numbers in the decision record, it is public. And one question: what happens when two gateways have the same name?`)
	t.step(think(1000), t.edit("docs/decisions/0019-snapshots.md", " (incidents 41 and 44)", ""))
	t.step(t.bash("grep -n incident docs/decisions/0019-snapshots.md", "Check that none is left", 0.1, ""))
	t.step(think(700), t.grep("ErrConflict", "", 10))
	t.step(t.read("internal/gateway/snapshots.go"))
	t.step(t.read("internal/store/ember.go", 1, 140))
	t.step(t.bash("go test -race -run Conflict -v ./internal/store/... 2>&1", "Run the tests of a conflict", 9, m.testLog(5000)))
	t.step(think(900), say("The slower of the two gets `CONFLICT`, logs one warning and keeps its old version number, so it never writes again until it restarts. I would rather let it read the newer version and go on. Shall I?"))
	t.wait(230)
	t.ask(`Yes, but it must not merge: the newer snapshot wins, without looking at what is in it.`)
	t.step(think(900), t.edit("internal/gateway/snapshots.go", "\tif err != nil {\n\t\ts.log.Warn(\"snapshot was not saved\", \"err\", err)\n\t\treturn\n\t}\n", "\tif errors.Is(err, store.ErrConflict) {\n\t\ts.log.Warn(\"another gateway has this name; its snapshot wins this time\", \"name\", s.name)\n\t}\n\tif err != nil {\n\t\ts.log.Warn(\"snapshot was not saved\", \"err\", err)\n\t}\n"))
	t.step(t.edit("internal/store/snapshot.go", "\t\treturn version, ErrConflict\n", "\t\treturn next, ErrConflict // the version that won, so that the next write has a chance\n"))
	t.step(t.edit("internal/gateway/snapshots.go", "\t\"context\"\n\t\"log/slog\"", "\t\"context\"\n\t\"errors\"\n\t\"log/slog\""))
	t.step(t.bash("go vet ./...", "Check that it compiles", 5, ""))
	t.step(t.create("internal/store/conflict_test.go", m.tests("store", 1500)))
	t.step(t.bash("make lint && go test -race ./internal/store/... ./internal/gateway/...", "Check and test", 31, "ok  \texample.org/tollgate/internal/store\t2.2s\nok  \texample.org/tollgate/internal/gateway\t9.9s\n"))
	t.step(t.bash("make load RESTART=60", "Play the recorded hour a last time", 244, m.loadLog(60)))
	t.step(think(600), say("Done. Two gateways of one name no longer lock each other out; the load test forgives 4.2 seconds of use over a restart, and p99 is 1.4 ms."))
	t.wait(190)
	t.ask("Good. Commit it.")
	t.step(t.bash("git add -A && git commit -q -m 'limiter: keep budgets over a restart' && git log --oneline -1", "Commit", 0.6, "b80f2c4 limiter: keep budgets over a restart\n"))
	t.step(say("Committed as b80f2c4 on limiter-restart. Open: the batch worker counts on its own, and export handlers still accept the key in the query."))
}

const decision = `# 19. Snapshots keep budgets over a restart

Status: accepted, 6 July 2026

A restart used to give every client a full budget, and the services behind the gateway paid for it (incidents 41 and 44).

We looked at three ways. Writing every request through to the store costs 2.6 ms at p99 and puts the store on the path
of requests. Handing over from the old gateway to the new one does not help after a crash. Snapshots every five seconds
cost nothing on the path and forgive at most five seconds of use.

We chose snapshots. A client can observe that its budget survives a restart, give or take five seconds.

A snapshot holds no client keys, only hashes of them. It has a version; a gateway that does not know it starts with full
budgets, as before.
`

// diff makes a change that adds files as they are.
func diff(r repo, paths ...string) string {
	out := ""
	for _, p := range paths {
		out += "diff --git a/" + p + " b/" + p + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + p + "\n"
		for line := range strings.Lines(r.text(p)) {
			out += "+" + line
		}
	}
	return out
}
