package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker makes the long texts of the example: sources, logs and tables out of a small stock of words. What it makes
// depends on its seed alone, and it repeats itself, so that it packs well.
type maker struct{ pcg *rand.PCG }

func newMaker(seed uint64) *maker { return &maker{rand.NewPCG(2026, seed)} }

// n is a number from 0 to limit-1.
func (m *maker) n(limit int) int { return int(m.pcg.Uint64() % uint64(limit)) }

func (m *maker) pick(words []string) string { return words[m.n(len(words))] }

var (
	verbs = []string{"Load", "Merge", "Apply", "Check", "Resolve", "Prune", "Refill", "Collect", "Drain", "Sync"}
	nouns = []string{"Bucket", "Client", "Quota", "Route", "Window", "Lease", "Shard", "Policy", "Budget", "Header"}
	whens = []string{"WhenFull", "WhenEmpty", "AfterRestart", "WithStaleClock", "AcrossShards", "UnderLoad", "WithUnknownPlan", "AtTheLimit"}
	plans = []string{"trial", "team", "business", "partner"}
	codes = []string{"http.StatusOK", "http.StatusOK", "http.StatusOK", "http.StatusTooManyRequests"}
	pkgs  = []string{"internal/config", "internal/gateway", "internal/limiter", "internal/store", "cmd/tollgate"}
)

// functions are the shapes of which the sources of a package are made. %[1]s is a verb and a noun.
var functions = map[string][]string{
	"config": {check}, "main": {check}, "gateway": {answer, take}, "limiter": {take, walk}, "store": {take, walk}, "batch": {walk, take},
}

const (
	take = `// %[1]s takes over what a client has used and reports whether anything changed.
func (s *Service) %[1]s(ctx context.Context, key string, n float64) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.state[key]
	if !ok {
		return false, fmt.Errorf("nothing is known about client %%s", limiter.HashKey(key))
	}
	before := current.level
	current.fill(s.clock.Now())
	if current.level < n {
		s.metrics.denied.Add(1)
		return false, nil
	}
	current.level -= n
	return current.level != before, nil
}
`
	walk = `// %[1]s walks over all shards and keeps what is young enough. It holds one lock at a time.
func (s *Service) %[1]s(now time.Time) (kept, dropped int) {
	for i := range s.shards {
		shard := &s.shards[i]
		shard.mu.Lock()
		for key, entry := range shard.entries {
			if now.Sub(entry.at) > s.maxAge {
				delete(shard.entries, key)
				dropped++
				continue
			}
			kept++
		}
		shard.mu.Unlock()
	}
	s.log.Debug("walked over all shards", "kept", kept, "dropped", dropped)
	return kept, dropped
}
`
	answer = `// %[1]s answers an operator's question about one client. It is not on the path of requests.
func (s *Service) %[1]s(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if id == "" || len(id) > maxID {
		http.Error(w, "the id is missing or too long", http.StatusBadRequest)
		return
	}
	found, err := s.registry.Find(r.Context(), id)
	switch {
	case errors.Is(err, ErrNotFound):
		http.Error(w, "no such client", http.StatusNotFound)
	case err != nil:
		s.log.Error("a question of an operator failed", "id", id, "err", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(found)
	}
}
`
	check = `// %[1]s checks a section of the configuration. An error names the key, what was found and what is accepted.
func %[1]s(section map[string]any, path string) error {
	for _, field := range []struct {
		name     string
		min, max float64
	}{
		{"rate", 0.1, 10000}, {"burst", 1, 100000}, {"weight", 0, 100}, {"grace_seconds", 0, 600},
	} {
		raw, ok := section[field.name]
		if !ok {
			continue
		}
		v, ok := raw.(float64)
		if !ok {
			return fmt.Errorf("%%s.%%s: want a number, found %%T", path, field.name, raw)
		}
		if v < field.min || v > field.max {
			return fmt.Errorf("%%s.%%s: %%v is not between %%v and %%v", path, field.name, v, field.min, field.max)
		}
	}
	return nil
}
`
)

// source makes a Go file of about so many characters.
func (m *maker) source(pkg string, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"context\"\n\t\"encoding/json\"\n\t\"errors\"\n\t\"fmt\"\n\t\"net/http\"\n\t\"time\"\n\n\t\"example.org/tollgate/internal/limiter\"\n)\n", pkg)
	for b.Len() < size {
		fmt.Fprintf(&b, "\n"+m.pick(functions[pkg]), m.pick(verbs)+m.pick(nouns))
	}
	return b.String()
}

// tests makes a Go test file of about so many characters. Its tables are those of a small stock.
func (m *maker) tests(pkg string, size int) string {
	stock := newMaker(3)
	tables := make([]string, 6)
	for i := range tables {
		for range 5 {
			tables[i] += fmt.Sprintf("\t\t{after: %d * time.Millisecond, client: \"client-%d\", plan: %q, method: http.MethodPost, path: \"/v1/export\", want: %s, left: %d0},\n",
				50*stock.n(40), 1+stock.n(9), stock.pick(plans), stock.pick(codes), stock.n(60))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"net/http\"\n\t\"testing\"\n\t\"time\"\n)\n", pkg)
	for b.Len() < size {
		fmt.Fprintf(&b, `
func Test%s%s%s(t *testing.T) {
	clock, l := newTestLimiter(t, Limit{Rate: %d, Burst: 600})
	for i, step := range []exchange{
`, m.pick(verbs), m.pick(nouns), m.pick(whens), 2+2*m.n(60))
		for range 1 + m.n(3) {
			b.WriteString(m.pick(tables))
		}
		b.WriteString(`	} {
		clock.Advance(step.after)
		if got := serve(t, l, step); got.status != step.want || got.left != step.left {
			t.Errorf("step %d: client %s got %d with %d left, want %d with %d", i, step.client, got.status, got.left, step.want, step.left)
		}
	}
}
`)
	}
	return b.String()
}

// testLog makes the output of go test -v of about so many characters. The tests are the same ones every time, as they are
// in a repository.
func (m *maker) testLog(size int) string {
	stock := newMaker(4)
	var b strings.Builder
	for range 34 {
		name := "Test" + stock.pick(verbs) + stock.pick(nouns) + stock.pick(whens)
		fmt.Fprintf(&b, "=== RUN   %s\n", name)
		for _, plan := range plans[:1+stock.n(4)] {
			fmt.Fprintf(&b, "=== RUN   %s/%s\n", name, plan)
		}
		fmt.Fprintf(&b, "--- PASS: %s (0.00s)\n", name)
	}
	run := b.String()
	b.Reset()
	for b.Len() < size {
		b.WriteString(run[:min(len(run), size-b.Len())])
		fmt.Fprintf(&b, "PASS\nok  \texample.org/tollgate/%s\t%d.%ds\n", m.pick(pkgs), m.n(4), m.n(10))
	}
	return b.String()
}

// loadLog makes the output of the load test, a line a second.
func (m *maker) loadLog(seconds int) string {
	var b strings.Builder
	for i := range seconds {
		limited := 9 + 4*(i*i%7)
		fmt.Fprintf(&b, "t=%ds gateway=%d rps=1200 ok=%d limited=%d p50=0.4ms p99=1.4ms buckets=%d store=up snapshot=%ds\n", i, 1+i%3, 1200-limited, limited, 41200+i/60*40, i%5)
	}
	return b.String()
}

// accessLog makes lines of the gateway's own log.
func (m *maker) accessLog(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "time=2026-07-03T10:3%d:%02d.000Z level=INFO msg=request gateway=%d plan=%s method=POST path=/v1/export status=%d left=%d\n",
			i/60%6, i%60, 1+i%3, plans[i*i%4], []int{200, 200, 429}[i%3], 10*(i%7))
	}
	return b.String()
}

// benchLog makes the output of go test -bench.
func (m *maker) benchLog(rows int) string {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\npkg: example.org/tollgate/internal/gateway\n")
	for range rows {
		fmt.Fprintf(&b, "Benchmark%s%s-8 \t 4%d00000\t       %d%d.0 ns/op\t       0 B/op\t       0 allocs/op\n", m.pick(nouns), m.pick(whens), m.n(10), 20+m.n(9), m.n(10))
	}
	return b.String() + "PASS\nok  \texample.org/tollgate/internal/gateway\t41.2s\n"
}

// race makes a report of the race detector: two accesses, each a function and a place, and the test that met them.
func race(test, inCase string, accesses ...string) string {
	var b strings.Builder
	b.WriteString("==================\nWARNING: DATA RACE\n")
	for i, a := range accesses {
		fmt.Fprintf(&b, "%s at 0x00c00012e0d8 by goroutine %d:\n  example.org/tollgate/internal/limiter.%s\n\n", []string{"Read", "Previous write"}[i%2], 41-3*i, a)
	}
	fmt.Fprintf(&b, "==================\n--- FAIL: %[1]s (0.31s)\n    --- FAIL: %[1]s/%[2]s (0.04s)\n        testing.go:1490: race detected during execution of test\nFAIL\nFAIL\texample.org/tollgate/internal/limiter\t0.927s\nFAIL\n",
		test, strings.ReplaceAll(inCase, " ", "_"))
	return b.String()
}

// reference makes pages of a manual of about so many characters.
func (m *maker) reference(size int) string {
	var b strings.Builder
	for b.Len() < size {
		verb, noun := strings.ToUpper(m.pick(verbs)), strings.ToLower(m.pick(nouns))
		fmt.Fprintf(&b, `
## %[1]s %[2]s

%[1]s %[2]s key [IF version=N] [EXPIRE s] works on one %[2]s and answers with its new version. It is one round trip and
holds the shard for less than %[3]d microseconds. A %[2]s that is being moved answers BUSY; try again after retry_ms.

| option | default | meaning |
|---|---|---|
| IF version=N | none | work only when the stored version equals N, else answer CONFLICT |
| EXPIRE s | none | let the %[2]s disappear s seconds after the last write |
| QUIET | off | answer with the version alone |

Example: %[1]s %[2]s tollgate/%[2]s/1 IF version=%[4]d EXPIRE %[5]d
`, verb, noun, 10*(1+m.n(9)), 1+m.n(40), 60*(1+m.n(20)))
	}
	return b.String()
}

// tree makes a listing of the repository.
func tree(r repo) string {
	var b strings.Builder
	for _, p := range r.paths() {
		fmt.Fprintf(&b, "%7d %s\n", len(r[p]), p)
	}
	return b.String()
}
