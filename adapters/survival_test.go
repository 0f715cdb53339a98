package adapters_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	store "contextscope/core/journal"
)

const compactions = "../../shared/fixtures/compaction"

// facts says the facts of a diff in lines: status, kind, text.
func facts(d *analysis.Diff) string {
	if d == nil {
		return "no compaction"
	}
	if !d.Available {
		return "cannot be judged"
	}
	var out []string
	for _, f := range append(d.Survived[:len(d.Survived):len(d.Survived)], d.Dropped...) {
		out = append(out, fmt.Sprintf("%s %s %s", f.Status, f.Kind.Key(), f.Text))
	}
	return strings.Join(out, "\n")
}

// survivals are those of the compactions of a session.
func survivals(a *analysis.Analysis, s *analysis.Session) (out []*analysis.Diff) {
	for _, d := range a.Survival(s, analysis.Options{}) {
		if d != nil {
			out = append(out, d)
		}
	}
	return out
}

// expectDiff compares the last compaction of a journal's only session.
func expectDiff(t *testing.T, text string, want ...string) *analysis.Diff {
	t.Helper()
	a, s := trial.One(t, strings.TrimSuffix(text, "\n"))
	all := survivals(a, s)
	if len(all) == 0 {
		t.Fatal("no compaction")
	}
	d := all[len(all)-1]
	if got := facts(d); got != strings.Join(want, "\n") {
		t.Errorf("the diff is\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	return d
}

// told makes an agent-strace store.
type told struct {
	b  strings.Builder
	at int
}

func (tr *told) event(kind, data string) *told {
	tr.at++
	fmt.Fprintf(&tr.b, `{"event_type":%q,"timestamp":%d.0,"event_id":"e%d","session_id":"session-1","data":%s}`+"\n", kind, 99+tr.at, tr.at, data)
	return tr
}

func (tr *told) moment(second int) *told { tr.at = second - 100; return tr }

func (tr *told) prompt(text string) *told {
	return tr.event("user_prompt", fmt.Sprintf(`{"prompt":%q}`, text))
}

func (tr *told) read(path string) *told {
	return tr.event("tool_call", fmt.Sprintf(`{"tool_name":"Read","arguments":{"file_path":%q},"request_id":"r%d"}`, path, tr.at))
}

func (tr *told) request(tokens int, rest string) *told {
	return tr.event("llm_request", fmt.Sprintf(`{"model":"claude-sonnet-4","input_tokens":%d%s}`, tokens, rest))
}

// claude makes a transcript of Claude Code, each line continuing the one before.
type claudeTold struct {
	b strings.Builder
	n int
}

func (c *claudeTold) line(members string) *claudeTold {
	parent := "null"
	if c.n > 0 {
		parent = fmt.Sprintf(`"00000000-0000-4000-8000-%012d"`, c.n)
	}
	c.n++
	fmt.Fprintf(&c.b, `{%s,"sessionId":"s1","uuid":"00000000-0000-4000-8000-%012d","parentUuid":%s,"timestamp":"2026-01-01T%02d:%02d:%02d.000Z"}`+"\n",
		members, c.n, parent, c.n/3600, c.n/60%60, c.n%60)
	return c
}

func (c *claudeTold) user(text string, more ...string) *claudeTold {
	return c.line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, text) + strings.Join(more, ""))
}

func (c *claudeTold) answer(tokens int, content string) *claudeTold {
	return c.line(fmt.Sprintf(`"type":"assistant","requestId":"q%d","message":{"id":"m%d","role":"assistant","model":"claude-opus-4-6","content":[%s],"usage":{"input_tokens":%d,"output_tokens":5}}`,
		c.n, c.n, content, tokens))
}

func (c *claudeTold) says(tokens int, text string) *claudeTold {
	return c.answer(tokens, fmt.Sprintf(`{"type":"text","text":%q}`, text))
}

func (c *claudeTold) call(tokens int, name, arguments, result string) *claudeTold {
	id := fmt.Sprintf("toolu_%d", c.n)
	c.answer(tokens, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, name, arguments))
	return c.line(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}`, id, result))
}

func (c *claudeTold) boundary(content, metadata string) *claudeTold {
	return c.line(fmt.Sprintf(`"type":"system","subtype":"compact_boundary","content":%q,"compactMetadata":{"trigger":"auto","preTokens":160000%s}`, content, metadata))
}

const isSummary = `,"isCompactSummary":true`

func fixtureOf(t *testing.T, name string) (string, bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(compactions, name))
	return string(b), err == nil
}

func TestFixtureF1SaysWhatWasDropped(t *testing.T) {
	text, ok := fixtureOf(t, "f1.jsonl")
	if !ok {
		return
	}
	d := expectDiff(t, text,
		"in-summary task-goal Implement rate limiting middleware for the gateway.",
		"in-summary constraint Do not modify src/auth.py.",
		"in-summary decision I decided on a token bucket instead of a fixed window.",
		"in-summary file-read src/middleware.py",
		"in-summary file-modified src/middleware.py",
		"not-found constraint It must be Redis-compatible.",
		"not-found constraint Never log client IP addresses.",
		"not-found file-read src/config.py",
		"not-found file-read src/auth.py")
	if line := d.Dropped[0].Source.Line; line != 1 {
		t.Errorf("the constraint stands on line %d, want 1", line)
	}
}

func TestW25APlaceholderIsNoSummary(t *testing.T) {
	if text, ok := fixtureOf(t, "f3.jsonl"); ok {
		expectDiff(t, text, "cannot be judged")
	}
	c := (&claudeTold{}).user("Port the parser. Must keep the flags.").says(150000, "ok").boundary("Conversation compacted", "").user("Please go on.").says(20000, "go")
	expectDiff(t, c.b.String(), "cannot be judged")
}

func TestC1ARequestsMessagesAreWhatTheModelHas(t *testing.T) {
	tr := (&told{}).prompt("Implement rate limiting middleware.\nIt must be Redis-compatible.\nDo not modify src/auth.py.").
		read("src/middleware.py").read("src/config.py").event("decision", `{"decision":"Token bucket chosen over fixed window"}`).
		request(190000, "").
		request(12000, `,"messages":[{"role":"system","content":"Continue to implement the rate limiting middleware with a token bucket. In progress: middleware.py"}]`)
	d := expectDiff(t, tr.b.String(),
		"in-summary task-goal Implement rate limiting middleware.",
		"in-summary decision Token bucket chosen over fixed window",
		"in-summary file-read src/middleware.py",
		"not-found constraint It must be Redis-compatible.",
		"not-found constraint Do not modify src/auth.py.",
		"not-found file-read src/config.py")
	high := 0
	for _, f := range d.Dropped {
		if f.Kind.HighRisk() {
			high++
		}
	}
	if high != 2 {
		t.Errorf("%d high-risk drops, want 2", high)
	}
}

func TestC2AFileThatTheSummaryDoesNotNameIsLikelyDropped(t *testing.T) {
	tr := (&told{}).prompt("Implement rate limiting.").event("file_write", `{"path":"src/middleware.py"}`).request(180000, "").
		request(10000, `,"context_summary":"Implement rate limiting."`)
	expectDiff(t, tr.b.String(), "in-summary task-goal Implement rate limiting.", "not-found file-modified src/middleware.py")
}

func TestD8TextOfAResponseIsNoContext(t *testing.T) {
	tr := (&told{}).prompt("Implement it. It must be fast.").event("assistant_response", `{"text":"on it","usage":{"input_tokens":180000}}`).
		event("assistant_response", `{"text":"Implement it. It must be fast.","usage":{"input_tokens":12000}}`)
	expectDiff(t, tr.b.String(), "cannot be judged")
}

func TestW26ARequestWithoutMessagesCannotBeJudged(t *testing.T) {
	tr := (&told{}).prompt("Implement it. It must be fast.").request(180000, `,"message_count":80`).request(12000, `,"message_count":3`)
	expectDiff(t, tr.b.String(), "cannot be judged")
}

func TestM5ABoundaryMayHoldTheSummary(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser to Go. Must keep the flags.").says(150000, "ok").
		boundary("The parser is ported to Go; the lexer is open.", "").user("Now the lexer. It must be small.").says(20000, "go")
	expectDiff(t, c.b.String(), "in-summary task-goal Port the parser to Go.", "not-found constraint Must keep the flags.")
}

func TestM8AStockSentenceBeginsASummary(t *testing.T) {
	c := (&claudeTold{}).user("Implement rate limiting.\nDo not modify src/auth.py.").says(180000, "ok").boundary("", "").
		user("This session is being continued from a previous conversation that ran out of context. Implement rate limiting.").says(12000, "go")
	expectDiff(t, c.b.String(), "in-summary task-goal Implement rate limiting.", "not-found constraint Do not modify src/auth.py.")
}

// TestW27WhatIsStillThereSurvives: preserved messages, files and rules that the harness puts in again, to-do lists.
func TestW27WhatIsStillThereSurvives(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser. Never log addresses. Keep the flags.").call(90000, "Read", `{"file_path":"a.go"}`, "x").
		call(100000, "Read", `{"file_path":"b.go"}`, "y").
		call(110000, "TodoWrite", `{"todos":[{"content":"write the lexer","status":"pending"},{"content":"old","status":"completed"}]}`, "ok")
	c.user("You must not touch main.go.").says(150000, "fine")
	kept := fmt.Sprintf(`,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-%012d","tailUuid":"00000000-0000-4000-8000-%012d"}`, c.n-1, c.n)
	c.boundary("Conversation compacted", kept).user("Summary: the parser is being ported.", isSummary)
	c.line(`"type":"attachment","attachment":{"type":"file","displayPath":"b.go","content":"y"}`)
	c.line(`"type":"attachment","attachment":{"type":"nested_memory","path":"CLAUDE.md","content":{"content":"Rules:\n- never log addresses\n"}}`)
	c.line(`"type":"attachment","attachment":{"type":"todo_reminder","content":[{"content":"write the lexer","status":"pending"}]}`)
	c.says(30000, "go")
	expectDiff(t, c.b.String(),
		"in-summary task-goal Port the parser.",
		"re-injected constraint Never log addresses.",
		"kept-verbatim constraint You must not touch main.go.",
		"re-injected file-read b.go",
		"re-injected todo write the lexer",
		"not-found constraint Keep the flags.",
		"not-found file-read a.go")
}

// TestW29ALaterTaskIsTheGoal: the first real request, and what the person says is another one.
func TestW29ALaterTaskIsTheGoal(t *testing.T) {
	c := (&claudeTold{}).user("Hi.").says(1000, "hello").user("Port the parser to Go.").says(2000, "ok").user("faster").says(3000, "ok").
		boundary("Conversation compacted", "").user("This session is being continued from a previous conversation. Porting the parser to Go.", isSummary).says(900, "go")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	if d := survivals(a, s)[0]; facts(d) != "in-summary task-goal Port the parser to Go." {
		t.Errorf("the diff is %s", facts(d))
	}
	c.user("New task: write the release notes.").says(2000, "ok")
	a, s = trial.One(t, strings.TrimSpace(c.b.String()))
	if got := string(a.Checkpoint(s)); !strings.Contains(got, "## Task\nNew task: write the release notes.\n") {
		t.Errorf("the checkpoint has another task:\n%s", got)
	}
}

func TestW30TheEndOfALongPromptIsRead(t *testing.T) {
	long := strings.Repeat("This line only fills the prompt with words.\n", 4000)
	c := (&claudeTold{}).user("Port the parser.\n"+long+"Do not touch main.go.").says(150000, "ok").boundary("", "").user("Summary: port the parser.", isSummary).says(9000, "go")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	found := false
	for _, f := range a.Told(s) {
		found = found || f.Kind == store.Constraint && f.Text == "Do not touch main.go."
	}
	if !found {
		t.Error("a constraint behind 170 KB of prompt was not read")
	}
}

// TestW34WhatWasLostIsFollowed has the shape of fixture f13: a fact that the first compaction dropped is looked for after the second one, too, and what a
// summary says is no fact of its own.
func TestW34WhatWasLostIsFollowed(t *testing.T) {
	c := (&claudeTold{}).user("Implement rate limiting.\nIt must be Redis-compatible.").call(100000, "Read", `{"file_path":"x.py"}`, "x").says(160000, "ok").
		boundary("", "").user("Summary: implement rate limiting. x.py was read. The tests must pass.", isSummary).says(20000, "on").says(165000, "on").
		boundary("", "").user("Summary: implement rate limiting.", isSummary).says(21000, "on")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	all := survivals(a, s)
	if len(all) != 2 {
		t.Fatalf("%d compactions, want 2", len(all))
	}
	if got, want := facts(all[0]), "in-summary task-goal Implement rate limiting.\nin-summary file-read x.py\nnot-found constraint It must be Redis-compatible."; got != want {
		t.Errorf("the first diff is\n%s\nwant\n%s", got, want)
	}
	if got, want := facts(all[1]), "in-summary task-goal Implement rate limiting.\nnot-found constraint It must be Redis-compatible.\nnot-found file-read x.py"; got != want {
		t.Errorf("the second diff is\n%s\nwant\n%s", got, want)
	}
	if e := all[1].Dropped[0].Evidence.String(); !strings.Contains(e, "not found after an earlier compaction either") {
		t.Errorf("evidence %q", e)
	}
	if e := all[1].Dropped[1].Evidence.String(); strings.Contains(e, "earlier") {
		t.Errorf("evidence %q", e)
	}
}

func TestW36AFactSaysWhereItStands(t *testing.T) {
	c := (&claudeTold{}).user("Hi.").says(1000, "hello").user("Port it.\nNever log addresses.").says(150000, "ok").boundary("", "").user("Summary: port it.", isSummary).says(9000, "go")
	text := c.b.String()
	a, s := trial.One(t, strings.TrimSpace(text))
	f := survivals(a, s)[0].Dropped[0]
	lines := strings.SplitAfter(text, "\n")
	if f.Source.Line != 3 || f.Source.Offset != int64(len(lines[0])+len(lines[1])) || f.Source.Length != int64(len(lines[2])-1) || f.At != 1767225603e9 {
		t.Errorf("the fact stands at %+v, %d", f.Source, f.At)
	}
}

func TestWhatAPersonTookBackIsNotFollowed(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser.").says(1000, "ok").user("Never log addresses.").says(2000, "ok")
	c.line(`"type":"user","message":{"role":"user","content":"You must keep the flags."}`)
	text := strings.Replace(c.b.String(), `"parentUuid":"00000000-0000-4000-8000-000000000004"`, `"parentUuid":"00000000-0000-4000-8000-000000000002"`, 1)
	d := (&claudeTold{n: 5}).says(150000, "ok").boundary("", "").user("Summary: port the parser.", isSummary).says(9000, "go")
	expectDiff(t, text+d.b.String(), "in-summary task-goal Port the parser.", "not-found constraint You must keep the flags.")
}

func TestADocumentHasDiffsOnlyWhenAskedFor(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser.\nNever log addresses.").call(9000, "Read", `{"file_path":"src/secret.go"}`, "x").says(150000, "ok").boundary("", "").
		user("Summary: port the parser.", isSummary).says(9000, "go")
	a, _ := trial.One(t, strings.TrimSpace(c.b.String()))
	if doc := string(a.AppendJSON(nil, analysis.Options{})); strings.Contains(doc, `"diff"`) {
		t.Error("a diff that nobody asked for")
	}
	doc := string(a.AppendJSON(nil, analysis.Options{Diff: true}))
	for _, secret := range []string{"addresses", "secret", "parser"} {
		if strings.Contains(doc, secret) {
			t.Errorf("%q is in the document", secret)
		}
	}
	for _, want := range []string{`"context_available":true`, `{"kind":"constraint","high_risk":true,"status":"not-found","source":{"input":0,"line":1,`, `"text":"path-`, `.go","high_risk":false`} {
		if !strings.Contains(doc, want) {
			t.Errorf("%s is missing in %s", want, doc)
		}
	}
	doc = string(a.AppendJSON(nil, analysis.Options{Diff: true, Include: analysis.Include{Facts: true, Paths: true}}))
	for _, want := range []string{`"text":"Never log addresses."`, `"text":"src/secret.go"`, `"evidence":"no sentence of what the model has afterwards shares a word with it"`} {
		if !strings.Contains(doc, want) {
			t.Errorf("%s is missing in %s", want, doc)
		}
	}
}

// base is the session of the checkpoint's rows.
func base() *told {
	return (&told{}).prompt("Implement rate limiting. Must use Redis. Do not modify auth.py.").moment(112).
		event("tool_call", `{"tool_name":"Read","arguments":{"file_path":"src/middleware.py"},"request_id":"r1"}`)
}

func TestK1ACheckpointHoldsTheState(t *testing.T) {
	tr := base()
	tr.at = 18
	tr.event("decision", `{"choice":"token bucket","reason":"bursts"}`)
	tr.at = 24
	tr.event("file_write", `{"path":"src/middleware.py"}`)
	tr.at = 30
	tr.event("assistant_response", `{"text":"The  middleware\nis written."}`)
	tr.at = 38
	tr.request(170000, `,"context_window":200000`)
	a, s := trial.One(t, strings.TrimSpace(tr.b.String()))
	want := `# Session checkpoint - session-1 - 0m 38s

## Task
Implement rate limiting.

## Constraints
- Must use Redis.
- Do not modify auth.py.

## Files read
- src/middleware.py (read at 0m 12s)

## Decisions made
- token bucket — because bursts

## Current state
- Modified files: src/middleware.py
- Latest agent state: The middleware is written.
`
	if got := string(a.Checkpoint(s)); got != want {
		t.Errorf("the checkpoint is\n%s\nwant\n%s", got, want)
	}
}

// TestW48ACheckpointIsOfOneStreamWithoutJunkAndBounded.
func TestW48ACheckpointIsOfOneStreamWithoutJunkAndBounded(t *testing.T) {
	tr := (&told{}).prompt("Implement it.").event("user_prompt", `{"prompt":"You must read every file.","context_stream":"sidechain:x"}`).
		event("assistant_response", `{"usage":{"input_tokens":100},"model":"claude-sonnet-4"}`)
	for i := range 2000 {
		tr.prompt(fmt.Sprintf("You must keep flag number %d working.", i))
	}
	a := trial.Open(t, trial.File{Path: "events.ndjson", Text: tr.b.String()})
	got := string(a.Checkpoint(a.Sessions[0]))
	if strings.Contains(got, "every file") || strings.Contains(got, "claude-sonnet-4") || !strings.Contains(got, "more\n") || len(got) > 8000 {
		t.Errorf("the checkpoint has %d bytes:\n%.600s", len(got), got)
	}
	if again := string(a.Checkpoint(a.Sessions[0])); again != got {
		t.Error("the checkpoint is another one the second time")
	}
}

func TestABriefHoldsWhatWasLikelyDropped(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser. Never log addresses. Keep the flags.").says(150000, "I decided on a table.").boundary("", "").
		user("Summary: port the parser, keep the flags.", isSummary).says(9000, "go")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	want := "# Re-injection brief - s1\n\nThe last compaction likely dropped what stands here. It was said earlier in this session and still holds:\n\n" +
		"## Constraints\n- Never log addresses.\n\n## Decisions made\n- I decided on a table.\n"
	if got := string(a.Brief(s, 0)); got != want {
		t.Errorf("the brief is\n%s\nwant\n%s", got, want)
	}
}

// TestAllHarnessesTellFacts: the same conversation in every format that has texts.
func TestAllHarnessesTellFacts(t *testing.T) {
	at := func(n int) string { return fmt.Sprintf(`"timestamp":"2026-01-01T10:00:%02d.000Z"`, n) }
	codex := strings.Join([]string{
		`{` + at(0) + `,"type":"session_meta","payload":{"id":"c1","cli_version":"0.40.0"}}`,
		`{` + at(1) + `,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Port the parser. Never log addresses."}]}}`,
		`{` + at(2) + `,"type":"response_item","payload":{"type":"function_call","name":"update_plan","arguments":"{\"plan\":[{\"step\":\"write the lexer\",\"status\":\"in_progress\"}]}","call_id":"k1"}}`,
		`{` + at(3) + `,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I decided on a table."}]}}`,
		`{` + at(3) + `,"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: src/a.c\n@@\n-a\n+b\n*** Add File: src/b.c\n+x\n*** End Patch","call_id":"k2"}}`,
		`{` + at(4) + `,"type":"compacted","payload":{"message":"Porting the parser.","replacement_history":[]}}`,
		`{` + at(5) + `,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Going on."}]}}`,
	}, "\n")
	pi := strings.Join([]string{
		`{"type":"session","version":3,"id":"p1",` + at(0) + `,"cwd":"/w"}`,
		`{"type":"message","id":"a1","parentId":null,` + at(1) + `,"message":{"role":"user","content":[{"type":"text","text":"Port the parser."},{"type":"text","text":"Never log addresses."}]}}`,
		`{"type":"message","id":"a2","parentId":"a1",` + at(2) + `,"message":{"role":"assistant","content":[{"type":"text","text":"I decided on a table."}],"usage":{"input":100000,"output":5}}}`,
		`{"type":"compaction","id":"a3","parentId":"a2",` + at(3) + `,"summary":"Porting the parser.","firstKeptEntryId":"a9","tokensBefore":100000}`,
		`{"type":"message","id":"a4","parentId":"a3",` + at(4) + `,"message":{"role":"assistant","content":[{"type":"text","text":"Going on."}],"usage":{"input":9000,"output":5}}}`,
	}, "\n")
	for name, text := range map[string]string{"codex": codex, "pi": pi} {
		a, s := trial.One(t, text)
		all := survivals(a, s)
		if len(all) != 1 {
			t.Errorf("%s: %d compactions", name, len(all))
			continue
		}
		want := "in-summary task-goal Port the parser.\nnot-found constraint Never log addresses.\nnot-found decision I decided on a table."
		if name == "codex" {
			want += "\nnot-found file-modified src/a.c\nnot-found file-modified src/b.c\nnot-found todo write the lexer"
		}
		if got := facts(all[0]); got != want {
			t.Errorf("%s: the diff is\n%s\nwant\n%s", name, got, want)
		}
		if got := string(a.Checkpoint(s)); !strings.Contains(got, "Latest agent state: Going on.") {
			t.Errorf("%s: the checkpoint is\n%s", name, got)
		}
	}
}

// TestMuseTellsFacts: the committed sample with words in place of its filler. Its compaction keeps what came from record 4 on.
func TestMuseTellsFacts(t *testing.T) {
	b, err := os.ReadFile("muse/testdata/1.4.2-compaction.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	put := func(line int, member, text string) {
		t.Helper()
		at := strings.Index(lines[line], member+`:"x`)
		if at < 0 {
			t.Fatalf("line %d has no %s: %s", line+1, member, lines[line])
		}
		at += len(member) + 2
		end := at + strings.IndexByte(lines[line][at:], '"')
		lines[line] = lines[line][:at] + text + lines[line][end:]
	}
	put(1, `"prompt"`, "Port the parser. Never log addresses.")
	put(3, `"text"`, "I decided on a table.")
	put(11, `"text"`, "Porting the parser.")
	call := strings.Replace(lines[3], `"id":"0b-r4"`, `"id":"0b-r4b"`, 1)
	call = call[:strings.Index(call, `"event":`)] + `"event":{"kind":"assistant_tool_calls_committed","response_id":"resp1","tool_calls":[` +
		`{"id":"i1","call_id":"k1","name":"read_file","args":"{\"path\":\"src/a.c\"}"},{"id":"i2","call_id":"k2","name":"shell","args":"{\"command\":\"make test\"}"}]}}}`
	lines = append(lines[:4], append([]string{call}, lines[4:]...)...)
	a, s := trial.One(t, strings.TrimSpace(strings.Join(lines, "\n")))
	all := survivals(a, s)
	if len(all) != 1 {
		t.Fatalf("%d compactions", len(all))
	}
	want := "in-summary task-goal Port the parser.\nkept-verbatim decision I decided on a table.\nnot-found constraint Never log addresses.\nnot-found file-read src/a.c\nnot-found command make test"
	if got := facts(all[0]); got != want {
		t.Errorf("the diff is\n%s\nwant\n%s", got, want)
	}
}

// What calls did on a way that the person left is as little followed as what was said there.
func TestCallsThatWereTakenBackAreNotFollowed(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser.").says(1000, "ok")
	c.user("Read b.").call(2000, "Read", `{"file_path":"src/b.c"}`, "b").says(2500, "read")
	c.line(`"type":"user","message":{"role":"user","content":"Read c."}`) // 7: goes on from the answer before
	text := strings.Replace(c.b.String(), `"uuid":"00000000-0000-4000-8000-000000000007","parentUuid":"00000000-0000-4000-8000-000000000006"`,
		`"uuid":"00000000-0000-4000-8000-000000000007","parentUuid":"00000000-0000-4000-8000-000000000002"`, 1)
	d := (&claudeTold{n: 7}).call(3000, "Read", `{"file_path":"src/c.c"}`, "c").says(150000, "ok").boundary("", "").user("Summary: port the parser.", isSummary).says(9000, "go")
	expectDiff(t, text+d.b.String(), "in-summary task-goal Port the parser.", "not-found file-read src/c.c")
	a, s := trial.One(t, strings.TrimSpace(text+d.b.String()))
	if got := string(a.Checkpoint(s)); strings.Contains(got, "src/b.c") || !strings.Contains(got, "src/c.c") {
		t.Errorf("the checkpoint is\n%s", got)
	}
}

// TestFactsOfALargeJournalAreSmallAndTakeLinearTime: 100 MB of a session with 20 compactions.
func TestFactsOfALargeJournalAreSmallAndTakeLinearTime(t *testing.T) {
	size := 100 << 20
	if runtime.GOARCH == "wasm" {
		size = 20 << 20
	}
	result := strings.Repeat("output of a tool, nothing that was asked for; ", 400)
	answer := strings.Repeat("Now the next step of the work is done, and the tests pass. ", 12) + "I decided to use a table instead of a list for step %d."
	var c claudeTold
	c.user("Port the parser. Never log addresses.")
	for i := 0; c.b.Len() < size; i++ {
		c.call(20000+i%200*700, "Read", fmt.Sprintf(`{"file_path":"src/f%d.go"}`, i%300), result)
		c.says(20000+i%200*700, fmt.Sprintf(answer, i))
		if i%20 == 0 {
			c.user(fmt.Sprintf("You must keep flag %d working.", i))
		}
		if i%250 == 249 {
			c.boundary("", "").user("Summary: port the parser. "+strings.Repeat("A sentence about the work. ", 300), isSummary)
		}
	}
	text := c.b.String()
	began := time.Now()
	a, s := trial.One(t, strings.TrimSpace(text))
	read := time.Since(began)
	began = time.Now()
	n := len(survivals(a, s))
	took := time.Since(began)
	facts, bytes := 0, 0
	for _, in := range a.Inputs {
		seen := map[store.Ref]bool{}
		for i := range in.Facts.Len() {
			f := in.Facts.At(i)
			facts++
			if !seen[f.Text] {
				seen[f.Text] = true
				bytes += len(a.Strings.Get(f.Text))
			}
		}
	}
	t.Logf("%d facts, %d bytes, %d compactions, read in %v, compared in %v", facts, bytes, n, read, took)
	if bytes+12*facts > 4<<20 {
		t.Errorf("%d facts take %d bytes", facts, bytes)
	}
	if n < size>>22 || took > time.Minute {
		t.Errorf("%d compactions were compared in %v", n, took)
	}
}
