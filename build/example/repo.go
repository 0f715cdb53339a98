package main

import (
	"embed"
	"fmt"
	"sort"
	"strings"
)

//go:embed parts
var parts embed.FS

// part is a text that was written by hand.
func part(name string) string {
	b, err := parts.ReadFile("parts/" + name)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// root is where the invented repository lies.
const root = "/src/tollgate/"

// repo is the invented repository. The session reads it, searches it and changes it.
type repo map[string]string

func newRepo() repo {
	m := newMaker(1)
	return repo{
		"CLAUDE.md":                           part("CLAUDE.md"),
		"docs/limits.md":                      part("limits.md"),
		"internal/limiter/bucket.go":          part("bucket.txt"),
		"internal/limiter/limiter.go":         part("limiter.txt"),
		"internal/limiter/limiter_test.go":    m.tests("limiter", 21000),
		"internal/limiter/registry.go":        m.source("limiter", 9000),
		"internal/gateway/middleware.go":      part("middleware.txt"),
		"internal/gateway/middleware_test.go": m.tests("gateway", 40000),
		"internal/gateway/server.go":          m.source("gateway", 12500),
		"internal/gateway/admin.go":           m.source("gateway", 10500),
		"internal/gateway/export.go":          m.source("gateway", 8500),
		"internal/config/config.go":           m.source("config", 13000),
		"internal/config/validate.go":         m.source("config", 7500),
		"internal/store/ember.go":             m.source("store", 11000),
		"internal/store/ember_test.go":        m.tests("store", 9000),
		"internal/batch/worker.go":            m.source("batch", 9500),
		"cmd/tollgate/main.go":                m.source("main", 6500),
	}
}

func (r repo) paths() []string {
	out := make([]string, 0, len(r))
	for p := range r {
		out = append(out, p)
	}
	sort.Strings(out)
	return out
}

// lines is a range of a file, all of it when count is 0.
func (r repo) lines(path string, from, count int) string {
	lines := strings.SplitAfter(r.text(path), "\n")
	if count == 0 {
		count = len(lines)
	}
	return strings.TrimSuffix(strings.Join(lines[from:min(from+count, len(lines))], ""), "\n")
}

func (r repo) text(path string) string {
	t, ok := r[path]
	if !ok {
		panic("the repository has no " + path)
	}
	return t
}

// grep finds a text in all files below a folder, at most limit lines.
func (r repo) grep(text, folder string, limit int) string {
	var b strings.Builder
	found := 0
	for _, p := range r.paths() {
		if !strings.HasPrefix(p, folder) {
			continue
		}
		for i, l := range strings.Split(r[p], "\n") {
			if found < limit && strings.Contains(l, text) {
				fmt.Fprintf(&b, "%s:%d:%s\n", p, i+1, l)
				found++
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// replace changes the one place in a file where old stands.
func (r repo) replace(path, old, with string) {
	if strings.Count(r.text(path), old) != 1 {
		panic(fmt.Sprintf("%s has %d places with %q", path, strings.Count(r[path], old), old))
	}
	r[path] = strings.Replace(r[path], old, with, 1)
}
