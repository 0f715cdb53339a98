package browsertests

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// node runs the headless runner, from a folder that is not the project's.
func node(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command("node", append([]string{filepath.Join(dist, "contextscope.mjs")}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(stdin)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), complaints.String(), cmd.ProcessState.ExitCode()
}

func analyzed(t *testing.T, out string) document {
	t.Helper()
	var doc document
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v in %.200s", err, out)
	}
	return doc
}

func TestRunnerAnalyzes(t *testing.T) {
	path := claudeSession(t, "session.jsonl")
	out, complaints, code := node(t, "", "analyze", path)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, complaints)
	}
	doc := analyzed(t, out)
	if len(doc.Inputs) != 1 || doc.Inputs[0].Name != "session.jsonl" || len(doc.Sessions) != 1 {
		t.Errorf("got %+v", doc)
	}
	if pretty, _, _ := node(t, "", "analyze", "--pretty", path); !strings.Contains(pretty, "\n  \"schema\": ") {
		t.Errorf("--pretty gives %.100s", pretty)
	}

	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, complaints, code = node(t, string(text), "analyze", "-")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, complaints)
	}
	if piped := analyzed(t, out); len(piped.Sessions) != 1 || piped.Inputs[0].Bytes != doc.Inputs[0].Bytes {
		t.Errorf("from standard input: %+v", piped)
	}
}

func TestRunnerWalksFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b/two.jsonl", "a.jsonl", "notes.txt", "node_modules/c.jsonl"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(claudeLines(name, "x", 2), "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, complaints, code := node(t, "", "analyze", folder)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, complaints)
	}
	if doc := analyzed(t, out); len(doc.Inputs) != 2 {
		t.Errorf("got %+v", doc.Inputs)
	}
	if !strings.Contains(complaints, "left out: 1") {
		t.Errorf("what was left out is not told: %s", complaints)
	}
}

func TestRunnerRefusesByName(t *testing.T) {
	path := write(t, "shopping.txt", "milk", "bread")
	out, complaints, code := node(t, "", "analyze", path)
	if code != 1 || out != "" {
		t.Errorf("exit %d, printed %q", code, out)
	}
	for _, want := range []string{"shopping.txt", "Claude Code", "Codex"} {
		if !strings.Contains(complaints, want) {
			t.Errorf("%q is missing in: %s", want, complaints)
		}
	}
}

func TestRowM7AMissingFileIsNamed(t *testing.T) {
	for _, command := range []string{"analyze", "compaction", "lint", "checkpoint"} {
		out, complaints, code := node(t, "", command, "/no/such/file")
		if code != 1 || out != "" || !strings.Contains(complaints, "/no/such/file") {
			t.Errorf("%s: exit %d, %q: %s", command, code, out, complaints)
		}
	}
}

func TestRunnerExplainsItself(t *testing.T) {
	if out, _, code := node(t, "", "--help"); code != 0 || !strings.Contains(out, "analyze") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, _, code := node(t, "", "--version"); code != 0 || !strings.HasPrefix(out, "contextscope ") {
		t.Errorf("exit %d: %s", code, out)
	}
	for _, args := range [][]string{{}, {"analyze"}, {"analyze", "--nope", "x"}, {"watch", "x"}, {"frobnicate"}} {
		if out, complaints, code := node(t, "", args...); code != 2 || out != "" || !strings.Contains(complaints, "--help") {
			t.Errorf("%q: exit %d, %s%s", args, code, out, complaints)
		}
	}
}

// A document larger than a pipe's buffer has to come through whole, also to a reader that takes its time.
func TestRunnerWritesLargeDocumentsWhole(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.jsonl", "c.jsonl"} {
		lines := strings.Join(claudeLines(name, "x", 1500), "\n")
		if err := os.WriteFile(filepath.Join(folder, name), []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sh := exec.Command("sh", "-c", `node "$0" analyze "$1" | { sleep 1; cat; }`, filepath.Join(dist, "contextscope.mjs"), folder)
	out, err := sh.Output()
	if err != nil {
		t.Fatal(err)
	}
	if doc := analyzed(t, string(out)); len(doc.Inputs) != 3 || len(out) < 1<<17 {
		t.Errorf("%d bytes, %d inputs", len(out), len(doc.Inputs))
	}
}
