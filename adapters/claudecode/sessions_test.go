package claudecode_test

import (
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// side makes a line of the main conversation one of a subagent.
func side(agent string, l string) string {
	return strings.Replace(l, `"isSidechain":false`, `"isSidechain":true,"agentId":"`+agent+`"`, 1)
}

func task(id string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Task","input":{"description":"find the limits","prompt":"go","subagent_type":"Explore"}}`
}

func TestASubagentsFileIsASessionOfItsOwn(t *testing.T) {
	main := strings.Join([]string{
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", task("t1"), 1000, 2),
		strings.Replace(result("u2", "a1", "t1", 40), `"message"`, `"toolUseResult":{"status":"completed","agentId":"ab12","totalTokens":99999},"message"`, 1),
		answer("a2", "u2", "m2", text(8), 1100, 2),
	}, "\n")
	sub := strings.Join([]string{
		side("ab12", prompt("x1", "", 40)),
		side("ab12", answer("x2", "x1", "n1", text(8), 500, 2)),
		side("ab12", answer("x3", "x2", "n2", text(8), 600, 2)),
	}, "\n")
	const want = "s: 2 requests; s/ab12 (Explore) of s by t1: 2 requests"
	meta := trial.File{Path: "p/s/subagents/agent-ab12.meta.json", Text: "{\n  \"agentType\": \"Explore\",\n  \"toolUseId\": \"t1\"\n}\n"}
	mainFile, subFile := trial.File{Path: "p/s.jsonl", Text: main}, trial.File{Path: "p/s/subagents/agent-ab12.jsonl", Text: sub}
	for _, files := range [][]trial.File{{mainFile, subFile, meta}, {meta, subFile, mainFile}} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != want {
			t.Errorf("sessions: %s, want %s", got, want)
		}
		trial.Expect(t, a.Sessions[1], "capture capture-start baseline prompts=10", "request transcript-observed prompts=10 reported=500",
			"request transcript-observed prompts=10 assistant=2 reported=600")
	}
	// Without the file beside it the parent's result still tells which call started it.
	if got := trial.Sessions(trial.Open(t, mainFile, subFile)); got != "s: 2 requests; s/ab12 (subagent) of s by t1: 2 requests" {
		t.Errorf("without meta: %s", got)
	}
	// Alone it has no parent to show.
	if got := trial.Sessions(trial.Open(t, subFile)); got != "s/ab12 (subagent): 2 requests" {
		t.Errorf("alone: %s", got)
	}
}

// TestTheWholeOfALargeResultIsFoundBesideItsTranscript: the model saw the preview, and only that counts; what the file holds
// is never read, not even when it looks like a journal itself.
func TestTheWholeOfALargeResultIsFoundBesideItsTranscript(t *testing.T) {
	stub := `<persisted-output>\nOutput too large (3 MB). Full output saved to: /home/ada/.claude/projects/p/s/tool-results/t1.txt\n\nPreview (first 2KB):\nline 1\n</persisted-output>`
	main := strings.Join([]string{
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", call("t1"), 1000, 2),
		line("user", "u2", "a1", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"`+stub+`"}]}`),
		answer("a2", "u2", "m2", text(8), 1100, 2),
	}, "\n")
	kept := trial.File{Path: "p/s/tool-results/t1.txt", Text: prompt("x1", "", 400) + "\n"}
	a := trial.Open(t, trial.File{Path: "p/s.jsonl", Text: main}, kept)
	if got := trial.Sessions(a); got != "s: 2 requests" || len(a.Sessions[0].Inputs) != 2 {
		t.Errorf("sessions: %s from %v", got, a.Sessions[0].Inputs)
	}
	row := a.Changes(0, analysis.ChangeFilter{Sample: -1, Category: "results"}).Rows[0]
	want := int64(len(strings.ReplaceAll(stub, `\n`, "n"))+3) / 4
	if row.Kept != "t1.txt" || row.KeptIn != 1 || row.Tokens != want {
		t.Errorf("the result: %d tokens, all of it in %q, input %d; want %d tokens", row.Tokens, row.Kept, row.KeptIn, want)
	}
	if in := a.Inputs[1]; in.Format != "claude-code" || in.Refused || in.Values != 0 || in.Bytes != int64(len(kept.Text)) {
		t.Errorf("the kept output: %+v", in)
	}
	alone := trial.Open(t, kept)
	if w := alone.Warnings(0); len(alone.Sessions) != 0 || len(w) != 1 || w[0].Code != "missing-parent" {
		t.Errorf("alone: %s, %v", trial.Sessions(alone), w)
	}
	row = trial.Open(t, trial.File{Path: "s.jsonl", Text: main}).Changes(0, analysis.ChangeFilter{Sample: -1, Category: "results"}).Rows[0]
	if row.Kept != "t1.txt" || row.KeptIn != -1 {
		t.Errorf("without the file: %q, input %d", row.Kept, row.KeptIn)
	}
}

// A folder above a subagent's file may be called anything, and is not for documents.
func TestAFolderIsNoSession(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "acme-merger/subagents/agent-ab12.jsonl", Text: side("ab12", prompt("x1", "", 40)) + "\n" +
		side("ab12", answer("x2", "x1", "n1", text(8), 500, 2))})
	if got := trial.Sessions(a); got != "s/ab12 (subagent): 1 requests" {
		t.Errorf("sessions: %s", got)
	}
}

func TestAnInlineSidechainIsASessionOfItsOwn(t *testing.T) {
	inline := func(l string) string { return strings.Replace(l, `"isSidechain":false`, `"isSidechain":true`, 1) }
	a := trial.Open(t, trial.File{Path: "s.jsonl", Text: strings.Join([]string{
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", task("t1")+","+task("t2"), 1000, 2),
		inline(prompt("x1", "", 40)),
		inline(prompt("y1", "", 80)),
		inline(answer("x2", "x1", "n1", text(8), 500, 2)),
		inline(answer("y2", "y1", "n2", text(8), 600, 2)),
		result("u2", "a1", "t1", 40),
		result("u3", "a1", "t2", 40),
		answer("a2", "u2", "m2", text(8), 1100, 2),
	}, "\n")})
	if got := trial.Sessions(a); got != "s: 2 requests; s/sidechain-1 (subagent) of s by t2: 1 requests; s/sidechain-2 (subagent) of s by t1: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	if got := trial.Snapshot(&a.Sessions[0].Snapshots[2]); got != "request transcript-observed prompts=1 assistant=40 results=20 reported=1100" {
		t.Errorf("the main session: %s", got)
	}
}

func TestAHiddenCompactionRequestCopiesAndAddsOneRequest(t *testing.T) {
	lines := []string{
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		prompt("u2", "a1", 40),
		answer("a2", "u2", "m2", text(80), 1100, 2),
	}
	var hidden []string
	for _, l := range lines {
		hidden = append(hidden, side("acompact-12ab", l))
	}
	hidden = append(hidden,
		side("acompact-12ab", prompt("c1", "a2", 400)),
		side("acompact-12ab", answer("c2", "c1", "m9", text(80), 1200, 300)))
	main := trial.File{Path: "p/s.jsonl", Text: strings.Join(lines, "\n")}
	file := trial.File{Path: "p/s/subagents/agent-acompact-12ab.jsonl", Text: strings.Join(hidden, "\n")}
	for _, files := range [][]trial.File{{main, file}, {file, main}} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != "s: 2 requests; s/acompact-12ab (compaction request) of s: 1 requests" {
			t.Errorf("sessions: %s", got)
		}
		n := a.Sessions[1].Snapshots
		if got := trial.Snapshot(&n[len(n)-1]); got != "request transcript-observed prompts=120 assistant=40 reported=1200" {
			t.Errorf("its request: %s", got)
		}
		if a.Sessions[1].Copied != 4 {
			t.Errorf("%d copied records, want 4", a.Sessions[1].Copied)
		}
	}
	// Without the main transcript only its last answer is known to be its own.
	if got := trial.Sessions(trial.Open(t, file)); got != "s/acompact-12ab (compaction request): 1 requests" {
		t.Errorf("alone: %s", got)
	}
}

func TestAForkInheritsTheContextAndNotTheRequests(t *testing.T) {
	lines := []string{prompt("u1", "", 40), answer("a1", "u1", "m1", text(80), 1000, 2)}
	fork := append([]string{}, lines...)
	for _, l := range []string{prompt("f1", "a1", 8), answer("f2", "f1", "m8", text(8), 1010, 2)} {
		fork = append(fork, strings.Replace(l, `"sessionId":"s"`, `"sessionId":"fork"`, 1))
	}
	a := trial.Open(t, trial.File{Path: "fork.jsonl", Text: strings.Join(fork, "\n")}, trial.File{Path: "s.jsonl", Text: strings.Join(lines, "\n")})
	if got := trial.Sessions(a); got != "s: 1 requests; fork: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	n := a.Sessions[1].Snapshots
	if got := trial.Snapshot(&n[len(n)-1]); got != "request transcript-observed prompts=12 assistant=20 reported=1010" {
		t.Errorf("the fork's request: %s", got)
	}
	if a.Duplicate[0] != 2 || a.Duplicate[1] != 0 {
		t.Errorf("duplicates %v, want 2 in the fork", a.Duplicate)
	}
}

func TestACopyOfAFileIsNoSecondSession(t *testing.T) {
	text := strings.Join([]string{prompt("u1", "", 40), answer("a1", "u1", "m1", text(80), 1000, 2)}, "\n")
	a := trial.Open(t, trial.File{Path: "s.jsonl", Text: text}, trial.File{Path: "copy of s.jsonl", Text: text})
	if got := trial.Sessions(a); got != "s: 1 requests" || len(a.Sessions[0].Inputs) != 2 {
		t.Errorf("sessions: %s with inputs %v", got, a.Sessions[0].Inputs)
	}
	if a.Duplicate[0]+a.Duplicate[1] != 2 {
		t.Errorf("duplicates %v, want 2 in all", a.Duplicate)
	}
	if w := append(a.Warnings(0), a.Warnings(1)...); len(w) != 1 || w[0].Code != "copied-input" {
		t.Errorf("warnings: %+v", w)
	}
}

// TestTwoStatesOfOneTranscriptAreOneSession: a copy that was made earlier adds nothing, whatever the files are called.
func TestTwoStatesOfOneTranscriptAreOneSession(t *testing.T) {
	lines := []string{prompt("u1", "", 40), answer("a1", "u1", "m1", text(80), 1000, 2), prompt("u2", "a1", 8), answer("a2", "u2", "m2", text(8), 1010, 2)}
	all, early := strings.Join(lines, "\n"), strings.Join(lines[:2], "\n")
	for _, files := range [][]trial.File{
		{{Path: "s.jsonl", Text: all}, {Path: "a backup of s.jsonl", Text: early}},
		{{Path: "early.jsonl", Text: early}, {Path: "late.jsonl", Text: all}},
	} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != "s: 2 requests" || len(a.Sessions[0].Inputs) != 2 {
			t.Errorf("sessions: %s with inputs %v", got, a.Sessions[0].Inputs)
		}
		if a.Duplicate[0]+a.Duplicate[1] != 2 {
			t.Errorf("duplicates %v, want the 2 of the earlier state", a.Duplicate)
		}
	}
}

// TestAForkThatSaysSoOwnsNothingItCopied, even where its copies have its own session and its name comes first.
func TestAForkThatSaysSoOwnsNothingItCopied(t *testing.T) {
	const u1, a1 = "a0000000-0000-4000-8000-000000000001", "a0000000-0000-4000-8000-000000000002" // short ids tell nothing apart
	lines := []string{prompt(u1, "", 40), answer(a1, u1, "m1", text(80), 1000, 2)}
	var fork []string
	for _, l := range lines {
		l = strings.Replace(l, `"sessionId":"s"`, `"sessionId":"a-fork"`, 1)
		fork = append(fork, strings.Replace(l, `"isSidechain"`, `"forkedFrom":{"sessionId":"s","messageUuid":"a1"},"isSidechain"`, 1))
	}
	fork = append(fork, strings.Replace(prompt("f1", a1, 8), `"sessionId":"s"`, `"sessionId":"a-fork"`, 1),
		strings.Replace(answer("f2", "f1", "m8", text(8), 1010, 2), `"sessionId":"s"`, `"sessionId":"a-fork"`, 1))
	a := trial.Open(t, trial.File{Path: "a-fork.jsonl", Text: strings.Join(fork, "\n")}, trial.File{Path: "s.jsonl", Text: strings.Join(lines, "\n")})
	if got := trial.Sessions(a); got != "s: 1 requests; a-fork: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
}

func TestShortIDsCountForTheirSessionOnly(t *testing.T) {
	one := strings.Join([]string{prompt("u1", "", 40), answer("a1", "u1", "m1", text(80), 1000, 2)}, "\n")
	a := trial.Open(t, trial.File{Path: "s.jsonl", Text: one}, trial.File{Path: "t.jsonl", Text: strings.ReplaceAll(one, `"sessionId":"s"`, `"sessionId":"t"`)})
	if got := trial.Sessions(a); got != "s: 1 requests; t: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
}

func TestTwoSessionsInOneFile(t *testing.T) {
	other := func(l string) string { return strings.Replace(l, `"sessionId":"s"`, `"sessionId":"t"`, 1) }
	a := trial.Open(t, trial.File{Path: "x.jsonl", Text: strings.Join([]string{
		prompt("u1", "", 4), answer("a1", "u1", "m1", text(8), 1000, 2),
		other(prompt("v1", "", 8)), other(answer("b1", "v1", "m2", text(8), 500, 2)),
	}, "\n")})
	if got := trial.Sessions(a); got != "s: 1 requests; t: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	// A new id on a line that continues the conversation is a resumption of it.
	a = trial.Open(t, trial.File{Path: "x.jsonl", Text: strings.Join([]string{
		prompt("u1", "", 4), answer("a1", "u1", "m1", text(8), 1000, 2),
		other(prompt("v1", "a1", 8)), other(answer("b1", "v1", "m2", text(8), 1100, 2)),
	}, "\n")})
	if got := trial.Sessions(a); got != "t: 2 requests" {
		t.Errorf("resumed: %s", got)
	}
}

const markdownReport = `<local-command-stdout>## Context Usage\n\n**Model:** claude-opus-4-6\n**Tokens:** 41.8k / 200k (21%)\n\n### Estimated usage by category\n\n| Category | Tokens | Percentage |\n|---|---|---|\n| System prompt | 3.1k | 1.6% |\n| System tools | 15,400 | 7.7% |\n| MCP tools (deferred) | 9k | 4.5% |\n| Custom agents | 345 | 0.2% |\n| Memory files | 4.2k | 2.1% |\n| Skills | 1.4k | 0.7% |\n| Messages | 17.4k | 8.7% |\n| Free space | 125.2k | 62.6% |\n| Autocompact buffer | 33k | 16.5% |\n\n### MCP Tools\n\n| Tool | Server | Tokens |\n|---|---|---|\n| search | docs | 1.2k |\n</local-command-stdout>`

const gridReport = `<local-command-stdout>\u001b[1mContext Usage\u001b[22m\n \u001b[38;5;12m⛁ ⛁ ⛀\u001b[0m  claude-opus-4-6 · 41.8k/200k tokens (21%)\n ⛶ ⛶ ⛶  ⛁ System prompt: 3.1k tokens (1.6%)\n ⛶ ⛶ ⛶  ⛁ System tools: 15.4k tokens (7.7%)\n ⛶ ⛶ ⛶  ⛁ Custom agents: 345 tokens (0.2%)\n ⛶ ⛶ ⛶  ⛁ Memory files: 4.2k tokens (2.1%)\n ⛶ ⛶ ⛶  ⛁ Skills: 1.4k tokens (0.7%)\n ⛶ ⛶ ⛶  ⛁ Messages: 17.4k tokens (8.7%)\n ⛶ ⛶ ⛶  ⛶ Free space: 125k (62.6%)\n ⛝ ⛝ ⛝  ⛝ Autocompact buffer: 33.0k tokens (16.5%)\n\nMCP tools · /mcp\n└ search (docs): 1.2k tokens\n</local-command-stdout>`

func TestTheHarnesssOwnReportIsASample(t *testing.T) {
	for name, report := range map[string]string{"markdown": markdownReport, "grid": gridReport} {
		_, s := trial.One(t,
			prompt("u1", "", 40),
			answer("a1", "u1", "m1", text(80), 41000, 2),
			line("user", "u2", "a1", `"message":{"role":"user","content":"`+report+`"}`),
			line("system", "u2", "a1", `"subtype":"local_command","content":"`+report+`"`),
			prompt("u3", "u2", 4),
			answer("a2", "u3", "m2", text(8), 43000, 2))
		if len(s.Snapshots) != 4 {
			t.Fatalf("%s: %d snapshots, want 4", name, len(s.Snapshots))
		}
		n := &s.Snapshots[2]
		if got := trial.Snapshot(n); got != "capture transcript-observed native-summary system=3100 tools=15745 rules=4200 skills=1400 messages=17400" {
			t.Errorf("%s: %s", name, got)
		}
		if n.Sum() != 41845 || n.Window != 200000 || n.Effective != 167000 {
			t.Errorf("%s: sum %d, window %d, effective %d; want 41845, 200000, 167000", name, n.Sum(), n.Window, n.Effective)
		}
		if last := &s.Snapshots[3]; last.Window != 200000 || last.Basis.String() != "chars/4" || last.Baseline {
			t.Errorf("%s: the request after it: window %d, %s, baseline %v", name, last.Window, last.Basis, last.Baseline)
		}
	}
}

func TestAReportBeforeTheFirstRequestTellsItsWindow(t *testing.T) {
	_, s := trial.One(t,
		line("user", "u1", "", `"message":{"role":"user","content":"`+markdownReport+`"}`),
		prompt("u2", "u1", 4),
		answer("a1", "u2", "m1", text(8), 43000, 2))
	if last := &s.Snapshots[len(s.Snapshots)-1]; last.Reported != 43000 || last.Window != 200000 || last.Effective != 167000 {
		t.Errorf("the first request: %+v", last)
	}
}

func TestAReportThatCannotBeReadIsAnOrdinaryItem(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 40),
		line("user", "u2", "u1", `"message":{"role":"user","content":"<local-command-stdout>## Context Usage\nall new</local-command-stdout>"}`),
		answer("a1", "u2", "m1", text(80), 41000, 2))
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed prompts=28 reported=41000" {
		t.Errorf("%s", got)
	}
	if w := a.Inputs[0].Warnings.All(); len(w) != 1 || w[0].Line != 2 || w[0].Code != "unread-context-report" {
		t.Errorf("warnings: %+v", w)
	}
}

func TestAttachmentsHaveTheirCategories(t *testing.T) {
	for kind, want := range map[string]string{
		`"type":"prompt_snapshot","systemPrompt":[{"type":"text","text":"@"}]`:                   "system",
		`"type":"instructions","files":[{"path":"/w/CLAUDE.md","type":"Project","content":"@"}]`: "rules",
		`"type":"hook_additional_context","hookName":"h","content":["@"]`:                        "rules",
		`"type":"deferred_tools_delta","addedNames":["one","two"],"addedLines":["@"]`:            "tools",
		`"type":"mcp_instructions_delta","addedNames":["one"],"addedBlocks":["@"]`:               "tools",
		`"type":"skill_listing","isInitial":true,"names":["one"],"skillCount":1,"content":"@"`:   "skills",
		`"type":"date_change","newDate":"@"`:                                                     "environment",
		`"type":"total_tokens_reminder","text":"@"`:                                              "overhead",
		`"type":"task_reminder","content":[{"id":"1","subject":"@"}],"itemCount":1`:              "overhead",
		`"type":"file","filename":"/w/a.go","content":{"type":"text","file":{"content":"@"}}`:    "results",
		`"type":"edited_text_file","filename":"/w/a.go","snippet":"@"`:                           "results",
		`"type":"queued_command","prompt":"@","commandMode":"prompt"`:                            "prompts",
		`"type":"brand_new_kind","content":"@"`:                                                  "unattributed",
	} {
		a, s := trial.One(t,
			line("attachment", "x1", "", `"attachment":{`+strings.Replace(kind, "@", chars(400), 1)+`}`),
			answer("a1", "x1", "m1", text(8), 1000, 2))
		if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed "+want+"=100 reported=1000" {
			t.Errorf("%.40s: %s, want 100 of %s", kind, got, want)
		}
		if unknown := len(a.Inputs[0].Kinds) > 0; unknown != (want == "unattributed") {
			t.Errorf("%.40s: unknown kinds %v", kind, a.Inputs[0].Kinds)
		}
	}
	_, s := trial.One(t,
		prompt("u1", "", 4),
		line("attachment", "x1", "u1", `"attachment":{"type":"hook_success","content":"`+chars(400)+`","stdout":"`+chars(400)+`"}`),
		answer("a1", "x1", "m1", text(8), 1000, 2))
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed prompts=1 reported=1000" {
		t.Errorf("a hook's output is not context: %s", got)
	}
}

func TestTitles(t *testing.T) {
	first := line("user", "u1", "", `"message":{"role":"user","content":"<command-name>/clear</command-name>"}`)
	ask := line("user", "u2", "u1", `"message":{"role":"user","content":"# Task\n\nMake it survive a restart. And more."}`)
	made := `{"type":"ai-title","aiTitle":"A made title","sessionId":"s"}`
	given := `{"type":"custom-title","customTitle":"My own title","sessionId":"s"}`
	for want, lines := range map[string][]string{
		"Make it survive a restart.": {first, ask},
		"A made title":               {first, ask, made},
		"My own title":               {first, given, ask, made},
	} {
		if _, s := trial.One(t, lines...); s.Title != want {
			t.Errorf("title %q, want %q", s.Title, want)
		}
	}
}
