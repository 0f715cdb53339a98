package adapters_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// called says the calls of a session: name, number of the request that made it, whether it failed; a letter for each
// distinct set of arguments.
func called(a *analysis.Analysis, s *analysis.Session) string {
	var out []string
	letters := map[uint64]string{}
	for i := range s.Calls {
		c := &s.Calls[i]
		if letters[c.Args] == "" {
			letters[c.Args] = string(rune('a' + len(letters)))
		}
		text := fmt.Sprintf("%s %s %d", a.Strings.Get(c.Name), letters[c.Args], c.Request)
		if c.Args == 0 {
			text += " unknown"
		}
		if c.Failed {
			text += " failed"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestCallsOfCodexAreToldApart(t *testing.T) {
	n := 0
	item := func(kind, payload string) string {
		n++
		return fmt.Sprintf(`{"timestamp":"2026-06-01T10:00:%02d.000Z","type":"%s","payload":%s}`, n, kind, payload)
	}
	call := func(id, args string) string {
		return item("response_item", `{"type":"function_call","name":"exec_command","call_id":"`+id+`","arguments":"`+args+`"}`)
	}
	output := func(id, text string) string {
		return item("response_item", `{"type":"function_call_output","call_id":"`+id+`","output":"`+text+`"}`)
	}
	count := func(tokens int) string {
		return item("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":5},"total_token_usage":{"input_tokens":%d}}}`, tokens, tokens))
	}
	a, s := trial.One(t, item("session_meta", `{"id":"t","cwd":"/w","cli_version":"0.150.0"}`),
		item("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":"Make it."}]}`),
		call("c1", `{\"cmd\":\"make\",\"n\":1}`), count(100), output("c1", `Chunk ID: x\nWall time: 1\nProcess exited with code 2\nOutput:\nno`),
		call("c2", `{ \"n\": 1, \"cmd\": \"make\" }`), count(200), output("c2", `Chunk ID: x\nProcess exited with code 0\nOutput:\nProcess exited with code 1`),
		call("c3", `{\"cmd\":\"ls\"}`), count(300), output("c3", `{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}`),
		call("c4", `{\"cmd\":\"ls\"}`), count(400), output("c4", `{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}`),
		call("c5", `{\"cmd\":\"ls\"}`), count(500), output("c5", `apply_patch verification failed: x`))
	same(t, "calls", called(a, s), "exec_command a 0 failed, exec_command a 1, exec_command b 2 failed, exec_command b 3, exec_command b 4 failed")
	if got := a.Strings.Get(s.Folder); got != "/w" {
		t.Errorf("folder %q", got)
	}
}

func TestCallsOfPiAreToldApart(t *testing.T) {
	entry := func(id, parent, message string) string {
		return fmt.Sprintf(`{"type":"message","id":"%s","parentId":"%s","timestamp":"2026-06-01T10:00:01.000Z","message":%s}`, id, parent, message)
	}
	asked := func(call, args string) string {
		return `{"role":"assistant","content":[{"type":"toolCall","id":"` + call + `","name":"bash","arguments":` + args + `}],"usage":{"input":10,"output":1,"cacheRead":0,"cacheWrite":0,"totalTokens":11}}`
	}
	a, s := trial.One(t, `{"type":"session","version":3,"id":"p","timestamp":"2026-06-01T10:00:00.000Z","cwd":"/w"}`,
		entry("1", "", asked("c1", `{"command":"make","timeout":5}`)),
		entry("2", "1", `{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"no"}],"isError":true}`),
		entry("3", "2", asked("c2", `{"timeout":5, "command":"make"}`)),
		entry("4", "3", asked("c3", `{"command":"make all"}`)))
	same(t, "calls", called(a, s), "bash a 0 failed, bash a 1, bash b 2")
	if got := a.Strings.Get(s.Folder); got != "/w" {
		t.Errorf("folder %q", got)
	}
}

func TestCallsOfClaudeCodeAreToldApart(t *testing.T) {
	say := func(id, block string) string {
		return fmt.Sprintf(`{"role":"assistant","id":"%s","model":"claude-opus-4-6","content":[%s],"usage":{"input_tokens":%d,"output_tokens":5}}`, id, block, 1000)
	}
	edit := func(id, text string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"Edit","input":{"file_path":"a.go","old_string":"` + text + `","new_string":"y"}}`
	}
	long := strings.Repeat(`x\n`, 40000)
	lines := strings.Join([]string{
		line("user", "a1", "", `{"role":"user","content":"go"}`), line("assistant", "a2", "a1", say("m1", edit("t1", "x"))),
		line("assistant", "a3", "a2", say("m1", edit("t2", "z"))),
		line("user", "a4", "a3", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"no","is_error":true}]}`),
		line("assistant", "a5", "a4", say("m2", edit("t3", "x"))), line("assistant", "a6", "a5", say("m3", edit("t4", long+"1"))),
		line("assistant", "a7", "a6", say("m4", edit("t5", long+"2"))), line("assistant", "a8", "a7", say("m5", edit("t6", long+"2"))),
	}, "\n")
	a := trial.Open(t, trial.File{Path: "j.jsonl", Text: lines})
	s := a.Sessions[0]
	same(t, "calls", called(a, s), "Edit a 0 failed, Edit b 0, Edit a 1, Edit c 2, Edit d 3, Edit d 4")
	if got := a.Strings.Get(s.Folder); got != "/w" {
		t.Errorf("folder %q", got)
	}
}

func TestCallsOfMuseAreToldApart(t *testing.T) {
	n := 0
	event := func(inner string) string {
		n++
		return fmt.Sprintf(`{"id":"e%d","stream":{"id":"m","kind":"session"},"sequence":%d,"recorded_at":%d,"payload_type":"run.event","payload":{"kind":"run","run_id":"r","event":{%s}}}`, n, n, n*1000000, inner)
	}
	call := func(id, args string) string {
		return event(`"kind":"assistant_tool_calls_committed","tool_calls":[{"id":"t` + id + `","call_id":"` + id + `","name":"bash","args":"` + args + `"}]`)
	}
	result := func(id string, code int) string {
		return event(fmt.Sprintf(`"kind":"tool_result_batch_committed","results":[{"tool_call_id":"%s","text":"{\"exit_code\":%d}"}]`, id, code))
	}
	a, s := trial.One(t, call("c1", `{\"command\": \"make\"}`), result("c1", 2), call("c2", `{\"command\":\"make\"}`), result("c2", 0), call("c3", `{\"command\":\"ls\"}`))
	same(t, "calls", called(a, s), "bash a -1 failed, bash a -1, bash b -1")
}

// W35: the paths of one session meet, with the folder that it began in and without.
func TestW35AFileHasOnePathInASession(t *testing.T) {
	for name, first := range map[string]string{"folder": `"cwd":"/w"`, "no folder": `"provider":"x"`} {
		e := new(trace).add("session_start", first).R("/w/src/a.py").R("src/a.py").call("Bash", `{"command":"cat ./src/a.py"}`).U(150000).U(10000).
			call("Bash", `{"command":"cd src && cat a.py"}`)
		a := e.open(t)
		d := diffs(t, a, analysis.Options{})[0]
		if d.Before.FilesRead != 1 || d.After.FilesRead != 1 || len(d.Reread) != 1 || a.Strings.Get(d.Reread[0].Path) != "/w/src/a.py" {
			t.Errorf("%s: %d files before, %d after, %v", name, d.Before.FilesRead, d.After.FilesRead, d.Reread)
		}
	}
}
