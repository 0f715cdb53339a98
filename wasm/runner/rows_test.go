package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The rows of agent-strace's conformance table that are about commands.

// b1 is the session of the row of that name: a task with two constraints, two files and a decision, a compaction that keeps the task, the
// decision and a file, and an agent that reads that file three times and looks around.
func b1(id string, more ...string) string {
	var b strings.Builder
	n := 0
	add := func(kind, data string) {
		n++
		fmt.Fprintf(&b, `{"event_type":"%s","timestamp":%d,"event_id":"e%d","session_id":"%s","data":{%s}}`+"\n", kind, 100+n, n, id, data)
	}
	call := func(tool, arguments string) {
		add("tool_call", fmt.Sprintf(`"tool_name":"%s","request_id":"c%d","arguments":%s`, tool, n, arguments))
	}
	read := func(path string) { call("Read", `{"file_path":"`+path+`"}`) }
	add("user_prompt", `"prompt":"Implement rate limiting middleware.\nIt must be Redis-compatible.\nDo not modify src/auth.py."`)
	read("src/middleware.py")
	read("src/config.py")
	add("decision", `"decision":"Token bucket chosen over fixed window"`)
	add("llm_request", `"model":"claude-sonnet-4","input_tokens":190000`)
	add("llm_request", `"model":"claude-sonnet-4","input_tokens":12000,"messages":[{"role":"system","content":"Continue to implement the rate limiting middleware with a token bucket. In progress: middleware.py"}]`)
	for range 3 {
		read("src/middleware.py")
	}
	call("Bash", `{"command":"ls src"}`)
	return b.String() + strings.Join(more, "")
}

func TestB4_TheReportHasBothSections(t *testing.T) {
	out, _, code := run(t, map[string]string{"events.ndjson": b1("session-1")}, "compaction", "--diff", "--behavior-diff")
	if code != exitDone {
		t.Errorf("exit %d", code)
	}
	// 178,000 tokens at 3 dollars a million.
	expectLines(t, out, "1 compaction event(s). 178,000 tokens dropped total.\n", "Estimated cost of dropped context: $0.5340\n",
		"Compaction #1 - context diff\n", "Survived in summary:\n  ✅ Task goal: Implement rate limiting middleware. (in-summary)\n", "Decision: Token bucket chosen over fixed window",
		"File read: src/middleware.py", "Likely dropped:\n  ❌ Constraint at line 1: It must be Redis-compatible.\n", "❌ Constraint at line 1: Do not modify src/auth.py.\n", "❌ File read at line 3: src/config.py\n",
		"⚠️  High-risk drop: constraint 'It must be Redis-compatible.'\n⚠️  High-risk drop: constraint 'Do not modify src/auth.py.'\n",
		"Behavior change after compaction #1\n", "  redundant-read: 0 -> 1\n", "  - re-read 1 pre-compaction file(s)", "  - repository exploration calls increased 0 -> 1\n",
		"Verdict: behavior regressed after compaction #1\n")
	if n := strings.Count(out, "High-risk drop"); n != 2 {
		t.Errorf("%d high-risk drops, want 2", n)
	}
}

func TestB5_WithoutEventsThereIsNoCompaction(t *testing.T) {
	// A session without a request; and one without a single event is nothing that could be analysed.
	only := `{"event_type":"session_start","timestamp":1,"event_id":"e1","session_id":"session-1","data":{}}` + "\n"
	out, _, code := run(t, map[string]string{"events.ndjson": only}, "compaction")
	if code != exitDone || !strings.HasPrefix(out, "No compaction events detected in session session-1.\n") {
		t.Errorf("exit %d, %q", code, out)
	}
	if out, complaints, code := run(t, map[string]string{"events.ndjson": ""}, "compaction"); code != exitNothing || out != "" || complaints == "" {
		t.Errorf("exit %d, %q, %q", code, out, complaints)
	}
}

func TestL4_TheBeginningOfAnIdIsEnough(t *testing.T) {
	files := map[string]string{"a/events.ndjson": b1("session-1"), "b/events.ndjson": trace("other-2", "900 main claude-sonnet-4 5000")}
	out, _, code := run(t, files, "compaction", "--session", "session")
	if code != exitDone || !strings.HasPrefix(out, "Compaction events - session session-1\n") {
		t.Errorf("exit %d, %q", code, out)
	}
}

func TestM7_AMissingFileIsTold(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nowhere.jsonl")
	for _, command := range []string{"analyze", "compaction", "lint", "checkpoint"} {
		out, complaints, code := carryOut(t, command, missing)
		if code != exitNothing || out != "" || !strings.Contains(complaints, "nowhere.jsonl") || !strings.Contains(strings.ToLower(complaints), "no such file") {
			t.Errorf("%s: exit %d, %q, %q", command, code, out, complaints)
		}
	}
	// What is there is reported all the same.
	there := file(t, "events.ndjson", b1("session-1"))
	if out, complaints, code := carryOut(t, "compaction", missing, there); code != exitDone || !strings.Contains(out, "session session-1") || !strings.Contains(complaints, "nowhere.jsonl") {
		t.Errorf("exit %d, %q, %q", code, out, complaints)
	}
}

func TestL13_TheJSONOfLint(t *testing.T) {
	out, _, code := carryOut(t, "lint", "--format", "json", file(t, "events.ndjson", b1("session-1")))
	var doc map[string]any
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != exitDone {
		t.Fatal(err, code)
	}
	rules := ""
	for _, f := range doc["findings"].([]any) {
		rules += f.(map[string]any)["rule"].(string) + " " + f.(map[string]any)["level"].(string) + "; "
	}
	if doc["session_id"] != "session-1" || doc["errors"] != 0.0 || doc["warnings"] != 1.0 || doc["infos"] != 2.0 ||
		rules != "context-saturation info; post-compaction-regression warning; redundant-read info; " {
		t.Errorf("%v", doc)
	}
	out, _, _ = carryOut(t, "lint", "--format", "json", file(t, "events.ndjson", events("quiet", 1, "Read", "Write", "end")))
	if err := json.Unmarshal([]byte(out), &doc); err != nil || doc["session_id"] != "quiet" || doc["errors"] != 0.0 || len(doc["findings"].([]any)) != 0 {
		t.Errorf("clean: %s", out)
	}
}

// A regression can stop a build: with --strict, or as an error; and what is known can be left out, so that only new ones do.
func TestW46_ARegressionCanStopABuild(t *testing.T) {
	journal := file(t, "events.ndjson", b1("session-1"))
	config := file(t, "lint.json", `{"post-compaction-regression":{"level":"error"}}`)
	known, _, code := carryOut(t, "lint", "--format", "json", journal)
	if code != 0 {
		t.Errorf("a warning gives exit %d", code)
	}
	baseline := file(t, "known.json", known)
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"--strict"}, 1}, {[]string{"--config", config}, 1}, {[]string{"--strict", "--baseline", baseline}, 0}, {[]string{"--config", config, "--baseline", baseline}, 0},
		{[]string{"--strict", "--format", "sarif"}, 1}, {[]string{"--strict", "--format", "junit"}, 1},
	} {
		out, complaints, code := carryOut(t, append(append([]string{"lint"}, c.args...), journal)...)
		if code != c.code {
			t.Errorf("%v: exit %d, want %d: %s%s", c.args, code, c.code, out, complaints)
		}
	}
	// Another failure in the session that goes on is new.
	more := ""
	for i := range 3 {
		more += fmt.Sprintf(`{"event_type":"tool_call","timestamp":%d,"event_id":"n%d","session_id":"session-1","data":{"tool_name":"Grep","request_id":"n%d","arguments":{"pattern":"x"}}}`+"\n"+
			`{"event_type":"error","timestamp":%d,"event_id":"m%d","session_id":"session-1","data":{"tool_use_id":"n%d","error":"no"}}`+"\n", 200+i, i, i, 200+i, i, i)
	}
	if out, _, code := carryOut(t, "lint", "--strict", "--baseline", baseline, file(t, "events.ndjson", b1("session-1", more))); code != 1 || !strings.Contains(out, "Grep failed 3 times") || strings.Contains(out, "post-compaction-regression") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Nothing that is printed cuts an id off, and a document has what a table has.
func TestW16_IdsAreWhole(t *testing.T) {
	id := "0b5a0f3e-7f1f-4c0e-9f6a-1d2c3b4a5f60"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "events.ndjson"), []byte(b1(id)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"compaction"}, {"compaction", "--json"}, {"lint"}, {"lint", "--format", "json"}, {"checkpoint"}, {"checkpoint", "--brief"}} {
		out, _, code := carryOut(t, append(args, dir)...)
		if code != exitDone || args[0] != "lint" && !strings.Contains(out, id) || args[0] == "lint" && len(args) > 1 && !strings.Contains(out, id) {
			t.Errorf("%v: exit %d: %s", args, code, out)
		}
	}
}
