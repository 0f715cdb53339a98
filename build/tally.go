package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strings"
	"time"
)

// event is a line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string
	Test        string
	Output      string
	FailedBuild string
}

// tally is what a run of go test came to. Tests with subtests count as one more.
type tally struct {
	passed, failed, skipped int
	broken                  bool                // a package failed outside of its tests
	output                  map[string][]string // by package and test, until it is known whether it failed
}

// runTests runs go test, prints what failed in full and of the rest the count. With the label wasm the tests are built
// for WebAssembly; with the label browser they are those of browsertests, a module of its own.
func runTests(label string, args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Env = os.Environ()
	switch label {
	case "wasm":
		cmd.Env = append(cmd.Env, "GOOS=js", "GOARCH=wasm")
	case "browser":
		cmd.Dir = "browsertests"
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	t := tally{output: map[string][]string{}}
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			t.take(line)
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	fmt.Printf("%s tests took %.0f s\n", label, time.Since(begun).Seconds())
	skipped := ""
	if t.skipped > 0 {
		skipped = fmt.Sprintf(", %d skipped", t.skipped)
	}
	fmt.Printf("%s: %d passed, %d failed%s\n", label, t.passed, t.failed, skipped)
	switch {
	case t.failed > 0 || t.broken || err != nil:
		return fmt.Errorf("the %s tests failed", label)
	case t.passed == 0:
		return errors.New("no test ran")
	}
	return nil
}

func (t *tally) take(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Print(line)
		return
	}
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		t.output[key] = append(t.output[key], e.Output)
	case "pass":
		if e.Test != "" {
			t.passed++
		}
		delete(t.output, key)
	case "skip":
		if e.Test != "" {
			t.skipped++
			fmt.Printf("skipped: %s %s\n", e.Package, e.Test)
		}
		delete(t.output, key)
	case "fail", "build-fail":
		if e.Test != "" {
			t.failed++
		} else {
			t.broken = true
		}
		t.tell(key)
	}
}

// tell prints what a failed test, package or build wrote, and what tests wrote that never came to an end.
func (t *tally) tell(key string) {
	keys := []string{key}
	if strings.HasSuffix(key, " ") {
		for other := range t.output {
			if other != key && strings.HasPrefix(other, key) {
				keys = append(keys, other)
			}
		}
		sort.Strings(keys[1:])
	}
	for _, k := range keys {
		fmt.Print(strings.Join(t.output[k], ""))
		delete(t.output, k)
	}
}
