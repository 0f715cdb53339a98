// Command example writes the built-in example: two sessions of invented work on an invented repository, in the formats of
// two harnesses. Nothing in it happened, and equal programs write equal bytes.
//
//	go run ./build/example [DIR]    writes DIR, assets/example when it is left out
//
// The long session is a story with a moral. A person gives rules on the way; an automatic compaction keeps most of them
// and loses one, files are read again, and the lost rule is broken.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := filepath.Join("assets", "example")
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := write(dir); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	for path, text := range files() {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files are the files of the example by their path, as they are handed over.
func files() map[string][]byte {
	main, helper := story()
	beside := session + "/subagents/agent-" + agentID
	return map[string][]byte{
		session + ".jsonl":           main.out.Bytes(),
		beside + ".jsonl":            helper.out.Bytes(),
		beside + ".meta.json":        encode(object{{"agentType", "Explore"}, {"description", taskTitle}, {"spawnDepth", 1}}),
		"codex-fix-flaky-test.jsonl": codex(),
	}
}
