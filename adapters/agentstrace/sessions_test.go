package agentstrace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// in puts events into a stream.
func in(stream, data string) string { return `"context_stream":"` + stream + `",` + data }

func usage(n int) string { return fmt.Sprintf(`"usage":{"input_tokens":%d}`, n) }

func TestAStreamIsAContextOfItsOwn(t *testing.T) {
	s := new(script).add("user_prompt", in("main", `"prompt":"`+chars(40)+`"`)).add("assistant_response", in("main", usage(180000))).
		add("user_prompt", in("sidechain:x", `"prompt":"`+chars(20)+`"`)).add("assistant_response", in("sidechain:x", usage(10000))).
		add("user_prompt", in("review", `"prompt":"`+chars(4)+`"`)).add("assistant_response", in("review", usage(180000))).
		add("assistant_response", in("main", usage(185000))).
		add("user_prompt", in("review", `"prompt":"`+chars(80)+`","is_compaction_summary":true`)).add("assistant_response", in("review", usage(12000)))
	a := trial.Open(t, trial.File{Path: "events.ndjson", Text: s.text()})
	if got := trial.Sessions(a); got != "s: 2 requests; s/sidechain:x (sidechain:x) of s: 1 requests; s/review (review) of s: 2 requests" {
		t.Fatalf("sessions: %s", got)
	}
	trial.Expect(t, a.Sessions[0],
		"request transcript-observed baseline prompts=10 reported=180000",
		"request transcript-observed prompts=10 reported=185000")
	trial.Expect(t, a.Sessions[2],
		"request transcript-observed baseline prompts=1 reported=180000",
		"request transcript-observed summaries=20 reported=12000")
	for i, want := range []string{"", "", "compaction  180000→12000 (-1→-1)"} {
		if got := trial.Boundaries(a, i); got != want {
			t.Errorf("boundaries of %s: %s", a.Sessions[i].ID, got)
		}
	}
	doc := string(a.AppendJSON(nil, analysis.Options{}))
	if n := strings.Count(doc, `"stream":"review"`); n != 3 || strings.Count(doc, `"harness":`) != 1 {
		t.Errorf("the document has review %d times: %s", n, doc)
	}
}

// Without a main stream the first one stands for the session.
func TestOnlySideStreams(t *testing.T) {
	s := new(script).add("session_start", `"provider":"claude"`).add("user_prompt", in("a", `"prompt":"first"`)).add("assistant_response", in("b", usage(10))).
		add("assistant_response", in("a", usage(20)))
	a := trial.Open(t, trial.File{Path: "events.ndjson", Text: s.text()})
	if got := trial.Sessions(a); got != "s: 1 requests; s/b (b) of s: 1 requests" || a.Sessions[0].Stream != "a" || a.Sessions[0].StartedAt != 1001_500000000 {
		t.Errorf("sessions: %s, %+v", got, a.Sessions[0])
	}
}

func TestAResponseInAnotherStreamAnswersTheRequestThatItNames(t *testing.T) {
	s := new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_response", in("x", usage(1000)), `,"parent_id":"e2"`)
	a := trial.Open(t, trial.File{Path: "events.ndjson", Text: s.text()})
	if got := trial.Sessions(a); got != "s: 1 requests; s/x (x) of s: 0 requests" || a.Sessions[0].Requests[0].Input != 1000 {
		t.Errorf("sessions: %s", got)
	}
}

func TestAnEventCountsOnce(t *testing.T) {
	s := new(script).prompt(40).answer("a", 990).prompt(40).answer("b", 1990)
	a, got := trial.One(t, append(append(s.lines, s.lines...), s.lines[1])...)
	if figures(got) != "1000(990 0)5 2000(1990 0)5" || a.Duplicate[0] != 5 {
		t.Errorf("%s, %d duplicates", figures(got), a.Duplicate[0])
	}
	// Without ids the time and what was said tell; the same words at another time are said again.
	var bare []string
	for _, l := range s.lines {
		bare = append(bare, strings.Replace(l, `"event_id":"e`, `"unknown":"e`, 1))
	}
	a, got = trial.One(t, append(bare, bare...)...)
	if figures(got) != "1000(990 0)5 2000(1990 0)5" || a.Duplicate[0] != 4 {
		t.Errorf("without ids: %s, %d duplicates", figures(got), a.Duplicate[0])
	}
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=20 assistant=1 reported=2000")
}

// A second import of the same file writes its rows again under new ids, with what has come since.
func TestAnImportMadeAgainCountsOnce(t *testing.T) {
	rows := func(s *script) *script {
		return s.row("user_prompt", "u1", `"prompt":"`+chars(40)+`"`).row("tool_call", "u2", callOf("t1")).row("tool_call", "u2", callOf("t2")).rowAnswer("u2", "", 160000, 1).
			row("tool_result", "u3", `"tool_use_id":"t1","content_preview":"abcd"`).row("tool_result", "u3", `"tool_use_id":"t2","content_preview":"abcd"`).
			rowAnswer("u4", "", 170000, 1).row("user_prompt", "u5", `"prompt":"sum","is_compaction_summary":true`).rowAnswer("u6", "a", 20000, 1)
	}
	s := rows(rows(new(script)))
	s.rowAnswer("u7", "b", 30000, 1)
	a, got := s.one(t)
	if figures(got) != "160010(160000 0)1 170010(170000 0)1 20010(20000 0)1 30010(30000 0)1" || a.Duplicate[0] != 9 {
		t.Errorf("%s, %d duplicates", figures(got), a.Duplicate[0])
	}
	if b := trial.Boundaries(a, 0); b != "compaction  170010→20010 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
	if n := trial.Snapshot(&got.Snapshots[1]); n != "request transcript-observed prompts=10 assistant=20 results=2 reported=170010" {
		t.Error(n)
	}
}

func TestASessionFromTwoFilesIsOne(t *testing.T) {
	s := new(script).prompt(40).answer("a", 990).prompt(40).answer("b", 1990)
	text := func(from, to int) string { return strings.Join(s.lines[from:to], "\n") }
	a := trial.Open(t, trial.File{Path: "w2/s/events.ndjson", Text: text(1, 4)}, trial.File{Path: "w1/s/events.ndjson", Text: text(0, 3)})
	if got := trial.Sessions(a); got != "s: 2 requests" || fmt.Sprint(a.Sessions[0].Inputs) != "[1 0]" {
		t.Fatalf("%s from %v", got, a.Sessions[0].Inputs)
	}
	if a.Duplicate[0] != 2 || a.Duplicate[1] != 0 {
		t.Errorf("duplicates: %v", a.Duplicate)
	}
	trial.Expect(t, a.Sessions[0],
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=20 assistant=1 reported=2000")
}

func TestSessionsInOneFile(t *testing.T) {
	other := func(l string) string {
		return strings.Replace(l, `"session_id":"s"`, `"session_id":"../../o\u0000<b>"`, 1)
	}
	bare := func(l string) string { return strings.Replace(l, `"session_id":"s",`, ``, 1) }
	s := new(script).prompt(40).answer("a", 990).prompt(4).answer("b", 1990)
	a := trial.Open(t, trial.File{Path: "mixed.jsonl", Text: strings.Join([]string{bare(s.lines[0]), s.lines[1], other(s.lines[2]), bare(s.lines[3])}, "\n")})
	if got := trial.Sessions(a); got != "s: 1 requests; ../../o\x00<b>: 1 requests" {
		t.Errorf("sessions: %q", got)
	}
	a = trial.Open(t, trial.File{Path: "some/where/mine.ndjson", Text: bare(s.lines[0]) + "\n" + bare(s.lines[1])},
		trial.File{Path: "other.ndjson", Text: bare(s.lines[2]) + "\n" + bare(s.lines[3])})
	if got := trial.Sessions(a); got != "mine.ndjson: 1 requests; other.ndjson: 1 requests" {
		t.Errorf("without ids: %q", got)
	}
}

const metaOf = `{
  "session_id": "s",
  "started_at": 1000.0,
  "agent_name": "reviewer",
  "command": "imported from a.jsonl (branch: main, v2.1.90)",
  "parent_session_id": "p",
  "parent_event_id": "e2",
  "attribution": {}
}
`

func TestAMetaTellsWhatASessionIs(t *testing.T) {
	child := new(script).prompt(40).answer("a", 990)
	parent := strings.ReplaceAll(new(script).prompt(4).add("tool_call", callOf("t9")).answer("b", 5).text(), `"session_id":"s"`, `"session_id":"p"`)
	files := []trial.File{{Path: ".agent-traces/s/meta.json", Text: metaOf}, {Path: ".agent-traces/s/events.ndjson", Text: child.text()}, {Path: ".agent-traces/p/events.ndjson", Text: parent}}
	a := trial.Open(t, files...)
	if got := trial.Sessions(a); got != "p: 1 requests; s (reviewer) of p by t9: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	if s := a.Sessions[1]; s.Version != "2.1.90" || s.Title != chars(40) || fmt.Sprint(s.Inputs) != "[1]" {
		t.Errorf("%+v", s)
	}
	for command, version := range map[string]string{"imported from a.jsonl (v2.0)": "2.0", "imported from a.jsonl": "", "run (v2.0)": "", "imported from a.jsonl (branch: v9)": ""} {
		files[0].Text = strings.Replace(metaOf, "imported from a.jsonl (branch: main, v2.1.90)", command, 1)
		if got := trial.Open(t, files...).Sessions[1].Version; got != version {
			t.Errorf("%s: version %q", command, got)
		}
	}
	if in := a.Inputs[0]; in.Format != "agent-strace" || len(a.Warnings(0)) != 0 || in.Values != 1 {
		t.Errorf("its input: %+v", in)
	}
	// Without an id in it, the folder tells.
	files[0].Text = strings.Replace(metaOf, `"session_id": "s"`, `"session_id": "renamed"`, 1)
	if a = trial.Open(t, files...); a.Sessions[1].Version != "2.1.90" {
		t.Errorf("by its folder: %+v", a.Sessions[1])
	}
}

func TestAMetaAloneIsNoSession(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "x/meta.json", Text: metaOf})
	if w := a.Warnings(0); len(a.Sessions) != 0 || len(w) != 1 || !strings.Contains(w[0].Hint, "events.ndjson") {
		t.Errorf("%d sessions, %+v", len(a.Sessions), w)
	}
}

// A session without a prompt is called by what was run, one that was recorded without a parent has no role.
func TestTheCommandIsTheTitleWhereNobodyTyped(t *testing.T) {
	meta := `{"session_id":"s","started_at":1,"agent_name":"bot","command":"python run.py"}`
	a := trial.Open(t, trial.File{Path: "s/meta.json", Text: meta}, trial.File{Path: "s/events.ndjson", Text: new(script).answer("a", 5).text()})
	if s := a.Sessions[0]; s.Title != "python run.py" || s.Role != "" || s.Version != "" {
		t.Errorf("%+v", s)
	}
}

func TestAMetaIsToldFromThatOfClaudeCode(t *testing.T) {
	for text, want := range map[string]string{
		metaOf: "agent-strace",
		`{"agentType":"Explore","session_id":"s","started_at":1,"command":"x"}`: "claude-code",
		`{"session_id":"s","started_at":1}`:                                     "",
		`{"session_id":"s","ts":1,"text":"x"}`:                                  "",
		`{"session_id":"s","note":"x","event_id":"e"}`:                          "", // an annotation
	} {
		a := trial.Open(t, trial.File{Path: "meta.json", Text: text})
		if got := a.Inputs[0].Format; got != want {
			t.Errorf("%.60s is %q, want %q", text, got, want)
		}
	}
}

func TestWrongTypesCostNothingElse(t *testing.T) {
	for _, line := range []string{`null`, `[]`, `7`, `"x"`, `{"event_type":7}`, `{"event_type":"user_prompt","data":[]}`,
		`{"event_type":"user_prompt","timestamp":"soon","event_id":[],"session_id":{},"data":{"prompt":{"a":1},"context_stream":[1]}}`,
		`{"event_type":"llm_request","event_id":"z","data":{"messages":[1,[],{"role":{},"content":{"a":1}},{"content":[null,[[]],{"type":7,"text":{},"content":[[[[[["deep"]]]]]]}],"tool_calls":{"a":1}}]}}`,
		`{"event_type":"tool_call","event_id":"y","data":{"arguments":[1,"x"],"tool_name":{}}}`,
		`{"event_type":"tool_result","event_id":"w","data":{"tool_use_id":5,"result":["x"],"is_error":[]}}`} {
		s := new(script).prompt(40)
		s.lines = append(s.lines, line)
		s.answer("a", 990)
		a := trial.Open(t, trial.File{Path: "events.ndjson", Text: s.text()})
		found := false
		for _, s := range a.Sessions {
			for _, q := range s.Requests {
				found = found || q.Input == 1000
			}
		}
		if !found || a.Inputs[0].Malformed != 0 {
			t.Errorf("%s: %s", line, trial.Sessions(a))
		}
	}
}

// TestCorpus compares with what is known of the imports that lie beside the project, when they do.
func TestCorpus(t *testing.T) {
	for name, want := range map[string]string{
		"f1-realistic-compaction": "f1-realistic-compaction 9: compaction 167003→32003 [boundary-record usage-drop]; ",
		"f11-subagents":           "f11-subagents 3: ; f11-subagents/sidechain:aaa 3: compaction 160003→20003 [usage-drop]; ",
	} {
		var files []trial.File
		for _, f := range []string{"events.ndjson", "meta.json"} {
			b, err := os.ReadFile(filepath.Join("../../../shared/corpus/agent-strace", name, f))
			if os.IsNotExist(err) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, trial.File{Path: name + "/" + f, Text: string(b)})
		}
		a, got := trial.Open(t, files...), ""
		for i, s := range a.Sessions {
			got += fmt.Sprintf("%s %d: ", s.ID, len(s.Requests))
			for _, b := range a.Series(i, analysis.Options{}).Boundaries {
				got += fmt.Sprintf("%s %d→%d %v", b.Kind, b.Before, b.After, b.Evidence)
			}
			got += "; "
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if a.Sessions[0].Version != "2.1.90" {
			t.Errorf("%s: version %q", name, a.Sessions[0].Version)
		}
	}
}
