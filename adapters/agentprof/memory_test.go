package agentprof_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"contextscope/adapters"
	. "contextscope/core/perfetto/byhand"
)

// TestShortRecordingsTakeLittleMemory opens many of them: what is kept of each must not be the tables that it was read with.
func TestShortRecordingsTakeLittleMemory(t *testing.T) {
	const files = 200
	for what, text := range map[string]func(i int) string{
		"trace": func(i int) string {
			return string(Join(tracks(0), profile(0, "pi", fmt.Sprint("s", i)), Realtime.Sample(ms(1), size, 7),
				Realtime.Begin(ms(1), requests, "pi.llm", "request", context("request-input", true, Dict("categories", Uint("prompts", 3)),
					List("changes", change("baseline", "a", "prompts", 3, 3)))), Realtime.End(ms(9), session)))
		},
		"journal": func(i int) string { return start + "\n" + spoken()[0] + "\n" },
	} {
		l := adapters.NewLibrary()
		var before, after runtime.MemStats
		for i := range files + 1 {
			if i == 1 { // the buffers that all share are there
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			in := adapters.Input{Name: what, Path: fmt.Sprintf("%d/%s", i, what), Size: -1}
			if err := l.Read(in, bytes.NewReader([]byte(text(i)))); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if each := int64(after.HeapAlloc-before.HeapAlloc) / files; each > 16<<10 {
			t.Errorf("a %s takes %d KB", what, each>>10)
		}
		if n := len(l.Settle().Sessions); n == 0 {
			t.Errorf("no session in %d of a %s", files, what)
		}
	}
}
