package main

// resume is the time after the compaction: files are read again, a command fails as it did before, and a rule that the
// summary does not have is broken.
func (t *transcript) resume(m *maker) {
	t.compact(part("summary.md"), 9)
	t.tools()
	t.skills()
	t.memory()
	for _, path := range []string{"internal/limiter/restore.go", "internal/limiter/snapshot.go", "internal/store/snapshot.go", "internal/limiter/bucket.go", "docs/limits.md"} {
		text := t.repo.text(path)
		t.attach("file", units(text), field{"filename", root + path}, field{"displayPath", path},
			field{"content", object{{"type", "text"}, {"file", object{{"filePath", root + path}, {"content", text}}}}})
	}
	t.attach("compact_file_reference", 0, field{"filename", root + "internal/gateway/middleware_test.go"}, field{"displayPath", "internal/gateway/middleware_test.go"})
	reminder := "The todo list was last changed a while ago. Go on with the item in work: Read it and fill the buckets."
	t.attach("todo_reminder", units(reminder), field{"content", reminder}, field{"itemCount", 6})

	failing := race("TestRestoreWhileServing", "a request arrives while the shard is being restored", "(*Limiter).Allow() limiter.go:71", "(*Limiter).Restore() restore.go:37")
	t.step(think(900), say("I go on with the flaky test. First the code that it is about."), t.read("internal/limiter/restore.go"))
	t.step(t.read("internal/limiter/limiter.go"))
	t.step(think(700), t.grep("restored", "internal/", 20))
	t.step(t.fails("go test -race -count=10 -run TestRestoreWhileServing ./internal/limiter/...", "See it fail", 33, failing))
	t.step(think(1200), t.read("internal/limiter/restore.go"))
	t.step(t.fails("go test -race -count=10 -run TestRestoreWhileServing ./internal/limiter/...", "Once more", 33, failing))
	t.step(thought("Restore writes level and at of a bucket that Allow has taken out of restored and put into buckets: the same pointer is in both maps. Restore has the lock of the hashed shard, Allow that of the plain one; they are the same shard now, but the bucket that the test restores was made before. So a second Restore in the test writes into a bucket that is in use. Moving it has to delete it from restored."), t.edit("internal/limiter/limiter.go", "b == nil || b.plan != plan {\n\t\t\tb = NewBucket(limit, plan, now)\n\t\t}\n", "b == nil || b.plan != plan {\n\t\t\tb = NewBucket(limit, plan, now)\n\t\t}\n\t\tdelete(s.restored, HashKey(key))\n"))
	t.step(t.bash("go test -race -count=20 -run TestRestoreWhileServing ./internal/limiter/...", "Twenty runs", 64, "ok  \texample.org/tollgate/internal/limiter\t11.9s\n"))
	t.step(think(500), say("A bucket stayed in `restored` after it had moved to `buckets`, so a second restore wrote into a bucket in use. It is deleted now; twenty runs are clean."), t.read("internal/gateway/middleware_test.go", 1, 190))
	t.step(t.bash("git ls-files | head -40", "See which files there are", 0.2, tree(t.repo)))
	t.step(think(600), t.read("cmd/tollgate/main.go"))
	t.step(t.read("internal/config/config.go", 1, 190))
	t.step(t.edit("internal/gateway/server.go", "package gateway\n", "// Package gateway answers the requests of clients, and refuses those that are over their limit.\npackage gateway\n"))
	t.step(think(1100), t.create("internal/gateway/snapshots.go", snapshots("context.Background()")))
	t.step(t.edit("cmd/tollgate/main.go", "package main\n", "// Command tollgate runs a gateway.\npackage main\n"))
	t.step(t.bash("go vet ./... && go test ./internal/gateway/... ./cmd/...", "Check and test", 9, "ok  \texample.org/tollgate/internal/gateway\t3.1s\nok  \texample.org/tollgate/cmd/tollgate\t0.1s\n"))
	t.step(t.read("internal/store/ember_test.go"))
	t.step(t.create("internal/gateway/snapshots_test.go", m.tests("gateway", 3000)))
	t.step(t.bash("go test -v ./internal/gateway/... 2>&1", "Run the gateway's tests, full output", 12, m.testLog(20000)))
	t.step(think(600), t.read("internal/gateway/snapshots.go"))
	t.step(say("Wired: `main.go` restores before the listener opens and takes a snapshot every five seconds. The tests pass. Next I would run the load test with a restart in the middle."))

	t.wait(440)
	t.ask(`Stop. In snapshots.go you wait for the store with context.Background(). I said: never let the restore delay the listener by more than three seconds. With the store down this gateway does not come up at all.

Fix that, and show me with a test that the listener is open after three seconds when the store hangs. Don't use sleep in the test.`)
	t.step(think(900), say("You are right, and I am sorry: that rule was not in my notes any more. The restore gets a deadline of three seconds, after which the gateway starts empty and says so."), t.edit("internal/gateway/snapshots.go", "\tsnap, version, err := s.store.LoadSnapshot(context.Background(), s.name)\n", "\tctx, cancel := context.WithTimeout(ctx, restoreDeadline)\n\tdefer cancel()\n\tsnap, version, err := s.store.LoadSnapshot(ctx, s.name)\n"))
	t.step(t.edit("internal/gateway/snapshots.go", "const every = 5 * time.Second\n", "const every = 5 * time.Second\n\n// restoreDeadline is how long the listener may wait for the store. A gateway that comes up empty is better than none.\nconst restoreDeadline = 3 * time.Second\n"))
	t.step(t.fails("go vet ./internal/gateway/", "Check that it compiles", 4, "# example.org/tollgate/internal/gateway\ninternal/gateway/snapshots.go:38:38: undefined: ctx\n"))
	t.step(t.edit("internal/gateway/snapshots.go", "func (s *Snapshots) Restore() error {", "func (s *Snapshots) Restore(ctx context.Context) error {"))
	t.step(t.bash("go vet ./internal/gateway/", "Check again", 4, ""))
	t.step(think(700), t.create("internal/gateway/hang_test.go", m.tests("gateway", 1900)))
	t.step(t.bash("go test -race -run 'Hang|Restore' -v ./internal/gateway/... 2>&1", "Run the new tests", 14, m.testLog(9000)))
	t.step(think(600), t.grep("context.Background()", "", 30))
	t.step(t.bash("go test -race -count=20 -run Hang ./internal/gateway/...", "Twenty runs of the new test", 33, "ok  \texample.org/tollgate/internal/gateway\t4.4s\n"))
	t.step(t.edit("internal/gateway/snapshots.go", "// Restore fills the limiter from the last snapshot. It runs before the listener opens.\n", "// Restore fills the limiter from the last snapshot. It runs before the listener opens, and gives up after three seconds.\n"))
	t.step(t.read("internal/limiter/restore.go"))
	t.step(t.read("internal/gateway/middleware.go"))
	t.step(t.read("internal/gateway/server.go", 1, 150))
	t.step(t.bash("make bench", "Measure the middleware again", 45, m.benchLog(16)))
	t.step(think(800), say("p99 is 1.4 ms, as before. Now the load test, with a restart after a minute."), t.bash("make load RESTART=60", "Play the recorded hour with a restart", 246, m.loadLog(80)))
	t.step(t.bash("go test -race ./...", "Run everything with the race detector", 71, "ok  \texample.org/tollgate/cmd/tollgate\t1.1s\nok  \texample.org/tollgate/internal/batch\t1.4s\nok  \texample.org/tollgate/internal/config\t1.2s\nok  \texample.org/tollgate/internal/gateway\t9.8s\nok  \texample.org/tollgate/internal/limiter\t7.7s\nok  \texample.org/tollgate/internal/store\t2.1s\n"))
	t.step(say("The test holds the store open with a channel and moves the fake clock by three seconds; the listener is open then, and the log has one line that says why the gateway starts empty. In the load test the restart forgives 4.1 seconds of use."))
}

// snapshots is the file that wires snapshots into a gateway. The context is where the rule is broken.
func snapshots(ctx string) string {
	return `package gateway

import (
	"context"
	"log/slog"
	"time"

	"example.org/tollgate/internal/limiter"
	"example.org/tollgate/internal/store"
)

const every = 5 * time.Second

// Snapshots keeps the state of a limiter over a restart.
type Snapshots struct {
	name    string
	limiter *limiter.Limiter
	store   *store.Ember
	clock   limiter.Clock
	log     *slog.Logger
	version uint64
}

// Restore fills the limiter from the last snapshot. It runs before the listener opens.
func (s *Snapshots) Restore() error {
	snap, version, err := s.store.LoadSnapshot(` + ctx + `, s.name)
	if err != nil {
		return err
	}
	s.version = version
	_, err = s.limiter.Restore(snap, s.log)
	return err
}

// Run takes a snapshot every five seconds until ctx is done, and a last one then.
func (s *Snapshots) Run(ctx context.Context) {
	ticker := s.clock.Ticker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.save(ctx)
		case <-ctx.Done():
			s.save(context.WithoutCancel(ctx))
			return
		}
	}
}

func (s *Snapshots) save(ctx context.Context) {
	next, err := s.store.SaveSnapshot(ctx, s.name, s.limiter.Snapshot(), s.version)
	if err != nil {
		s.log.Warn("snapshot was not saved", "err", err)
		return
	}
	s.version = next
}
`
}
