package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/core/analysis"
)

// run carries out a command on journals by their names.
func run(t *testing.T, files map[string]string, args ...string) (out, complaints string, code int) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	code = Run(Process{Args: append(args, dir), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Terminal: true})
	return stdout.String(), stderr.String(), code
}

// trace is a trace of requests, each "at stream model tokens".
func trace(id string, requests ...string) string {
	var b strings.Builder
	for i, r := range requests {
		var at, tokens int
		var stream, model string
		fmt.Sscan(r, &at, &stream, &model, &tokens)
		fmt.Fprintf(&b, `{"event_type":"llm_request","timestamp":%d,"event_id":"%s-%d","session_id":"%s","data":{"model":"%s","input_tokens":%d,"context_stream":"%s"}}`+"\n", at, id, i, id, model, tokens, stream)
	}
	return b.String()
}

// journalText is a Claude Code transcript: a compaction from 160,003 tokens to after, recorded 10 seconds after the first request,
// with the next request 5 seconds later, and with a subagent that was compacted, too.
func journalText(after int) map[string]string {
	line := func(second int, agent, rest string) string {
		side := `"isSidechain":false`
		if agent != "" {
			side = `"isSidechain":true,"agentId":"` + agent + `"`
		}
		return fmt.Sprintf(`{"sessionId":"made-session","uuid":"%s-uuid-of-line-%04d","timestamp":"2026-01-01T00:01:%02d.000Z",%s,%s}`+"\n", agent, second, second, side, rest)
	}
	answer := func(second int, agent, model string, tokens int) string {
		return line(second, agent, fmt.Sprintf(`"type":"assistant","requestId":"r%s%d","message":{"id":"m%s%d","role":"assistant","model":"%s","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":2}}`, agent, second, agent, second, model, tokens-3))
	}
	return map[string]string{
		"made-session.jsonl": line(0, "", `"type":"user","message":{"role":"user","content":"Go."}`) + answer(5, "", "claude-opus-4-6", 160003) +
			line(15, "", `"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":161000}`) + answer(20, "", "claude-opus-4-6", after),
		"made-session/subagents/agent-abc.jsonl": line(1, "abc", `"type":"user","message":{"role":"user","content":"Look."}`) + answer(2, "abc", "claude-haiku-4-5", 120003) + answer(3, "abc", "claude-haiku-4-5", 20003),
	}
}

func expectLines(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in\n%s", w, text)
		}
	}
}

func TestTheReportHasTheColumnsOfAgentStrace(t *testing.T) {
	out, _, code := run(t, map[string]string{"events.ndjson": trace("session-1-with-a-long-name", "100 main claude-sonnet-4 180000", "142 main claude-sonnet-4 12000")}, "compaction")
	if code != exitDone {
		t.Errorf("exit %d", code)
	}
	expectLines(t, out, "Compaction events - session session-1-with-a-long-name\n"+rule,
		"Event  Timestamp  Tokens before  Tokens after           Dropped  Stream  Trigger  Model            Evidence\n",
		"#1     0m 42s           180,000        12,000     168,000 (93%)  main    -        claude-sonnet-4  usage drop\n"+rule,
		"1 compaction event(s). 168,000 tokens dropped total.\nEstimated cost of dropped context: $0.5040\n",
		"  #1  $0.5040 at $3 per million input tokens (claude-sonnet-4, Anthropic, list price of ")
	if strings.Contains(out, "next request") || strings.Contains(out, "harness says") {
		t.Errorf("something is told that no journal has:\n%s", out)
	}
}

func TestTheReportTellsWhatTheHarnessSaysApart(t *testing.T) {
	out, _, _ := run(t, journalText(90003), "compaction")
	expectLines(t, out, "#1     0m 20s           160,003        90,003      70,000 (44%)  main    auto     claude-opus-4-6  recorded, below the threshold\n",
		"70,000 tokens dropped total.\nEstimated cost of dropped context: $0.3500\n",
		"; $0.0350 with the 100% that the request before read from the cache\n", "  #1  the harness says 161,000 before\n", "  #1  next request after 0m 05s\n",
		"Compactions of its subagents: 1 (100,000 tokens dropped). See them with --session: made-session/abc\n",
		"\nAll 2 sessions that were opened: 2 compaction event(s), 170,000 tokens dropped, $0.4500 at list prices.\n")
	out, _, _ = run(t, journalText(90003), "compaction", "--compaction-threshold", "0.4")
	expectLines(t, out, "claude-opus-4-6  recorded, usage drop\n")
	out, _, _ = run(t, journalText(90003), "compaction", "--session", "made-session/a")
	expectLines(t, out, "Compaction events - session made-session/abc\n", "120,003        20,003     100,000 (83%)  main    -        claude-haiku-4-5  usage drop\n")
}

func TestStreamsAndOtherBoundariesAreTold(t *testing.T) {
	out, _, _ := run(t, map[string]string{"events.ndjson": trace("s", "100 main mystery-9 180000", "110 review claude-sonnet-4 180000", "125 review claude-sonnet-4 12000",
		"130 main mystery-9 20000", "135 main mystery-9 60000", "140 main mystery-9 150000", "150 main mystery-9 500", "160 main mystery-9 151000")}, "compaction")
	expectLines(t, out,
		"#1     0m 25s           180,000        12,000     168,000 (93%)  review  -        claude-sonnet-4  usage drop\n",
		"#2     0m 30s           180,000        20,000     160,000 (89%)  main    -        mystery-9        usage drop\n",
		"2 compaction event(s). 328,000 tokens dropped total.\nEstimated cost of dropped context: $0.5040\nNot priced, because the model is not in the table of prices: 1\n",
		"\nOther places where the context changed; they are not priced\n",
		"unexplained drop  0m 50s           150,000           500    149,500 (100%)  main    -        mystery-9  usage drop\n")
}

func TestRowB5ASessionWithoutACompactionSaysHowCloseItCame(t *testing.T) {
	out, _, code := run(t, map[string]string{"events.ndjson": trace("s", "100 main claude-sonnet-4 80000", "142 main claude-sonnet-4 60000")}, "compaction")
	if code != exitDone {
		t.Errorf("exit %d", code)
	}
	if want := "No compaction events detected in session s.\nIt came closest with 80,000 of 200,000 tokens (40%), request 1.\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
	out, _, _ = run(t, map[string]string{"events.ndjson": trace("s", "100 main mystery-9 80000")}, "compaction")
	if want := "No compaction events detected in session s.\nIts largest context held 80,000 tokens; its window is not known, request 1.\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestTheNewestMainSessionIsReported(t *testing.T) {
	files := map[string]string{"a/events.ndjson": trace("old", "100 main claude-sonnet-4 80000"), "b/events.ndjson": trace("new", "200 main claude-sonnet-4 60000")}
	for name, text := range journalText(20003) {
		files[name] = text // of 2026
	}
	out, _, _ := run(t, files, "compaction")
	expectLines(t, out, "session made-session\n")
	out, _, _ = run(t, files, "compaction", "--session", "ne")
	expectLines(t, out, "session new.\n")
	rows := []analysis.SessionRow{{ID: "sub", Parent: 1, StartedAt: 9}, {ID: "a", Parent: -1, StartedAt: 3}, {ID: "hidden", Parent: -1, Role: "compaction request", StartedAt: 8}, {ID: "b", Parent: -1, StartedAt: 5}}
	if got := newest(rows).ID; got != "b" {
		t.Errorf("the newest is %s", got)
	}
}

func TestTheDocumentOfACompactionReportIsThatOfTheSession(t *testing.T) {
	files := journalText(20003)
	files["other/events.ndjson"] = trace("old", "100 main claude-sonnet-4 80000")
	out, _, code := run(t, files, "compaction", "--json")
	var doc struct {
		Schema   string
		Sessions []struct {
			ID          string
			Compactions []struct {
				Trigger string
				USD     float64 `json:"estimated_cost_usd"`
				Rate    float64 `json:"price_per_million_usd"`
				Above   bool    `json:"above_threshold"`
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != exitDone {
		t.Fatal(err, code)
	}
	if len(doc.Sessions) != 1 || doc.Sessions[0].ID != "made-session" || len(doc.Sessions[0].Compactions) != 1 {
		t.Fatalf("%+v", doc)
	}
	if c := doc.Sessions[0].Compactions[0]; c.Trigger != "auto" || c.USD != 0.7 || c.Rate != 5 || !c.Above {
		t.Errorf("%+v", c)
	}
}

// W16: agent-strace cuts ids off and takes the first session that a prefix fits.
func TestW16_WhatIsMeantIsNeverGuessed(t *testing.T) {
	two := map[string]string{"a/events.ndjson": trace("f1", "100 main m 80000"), "b/events.ndjson": trace("f12", "200 main m 60000"), "c/events.ndjson": trace("f13", "300 main m 60000")}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"compaction --compaction-threshold 1.0", "between 0 and 1", exitMisuse},
		{"compaction --compaction-threshold 0", "between 0 and 1", exitMisuse},
		{"compaction --compaction-threshold NaN", "between 0 and 1", exitMisuse},
		{"compaction --frobnicate", "it takes --json", exitMisuse},
		{"compaction --session f2", "there are f1, f12, f13", exitMisuse},
		{"compaction --session f", "3 sessions have an id", exitMisuse},
		{"compaction --session f1", "", exitDone}, // exactly one has this id, though others begin so
	} {
		_, complaints, code := run(t, two, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(complaints, c.want) {
			t.Errorf("%s: exit %d, %q", c.args, code, complaints)
		}
	}
	if _, complaints, code := run(t, map[string]string{"a.jsonl": "{}\n"}, "compaction"); code != exitNothing || complaints == "" {
		t.Errorf("nothing to analyse: exit %d, %q", code, complaints)
	}
}

func TestTheHelpTellsOfTheCompactionReport(t *testing.T) {
	out, _, code := run(t, nil, "--help")
	if code != exitDone {
		t.Errorf("exit %d", code)
	}
	expectLines(t, out, "contextscope.mjs compaction [FLAGS] PATH...", "above 0 and below 1", "newest main session", "0 something was analysed, also when no compaction was found")
}

func TestNothingInAReportSteersATerminal(t *testing.T) {
	out, _, _ := run(t, map[string]string{"events.ndjson": trace(`s\u001b[31m`, `100 x\u001b]0;y claude\u001b[2J 180000`, `110 x\u001b]0;y claude\u001b[2J 1000`)}, "compaction")
	if strings.ContainsAny(out, "\x1b\x07") || !strings.Contains(out, "#1") {
		t.Errorf("got %q", out)
	}
}

// TestTheReportTellsWhatSurvivedAndWhatItDid: only when it is asked for, and of the compaction that it is about.
func TestTheReportTellsWhatSurvivedAndWhatItDid(t *testing.T) {
	out, _, code := run(t, journalText(40003), "compaction", "--diff", "--behavior-window", "20r")
	if code != exitDone {
		t.Fatalf("exit code %d", code)
	}
	// The boundary brought no summary: nothing can be judged, and nothing is listed.
	expectLines(t, out, "Compaction #1 - context diff", "was not captured, so that what survived cannot be judged",
		"Behavior change after compaction #1", "1 requests, 0 calls", "Verdict: behavior no measurable regression after compaction #1")
	if out, _, _ := run(t, journalText(40003), "compaction"); strings.Contains(out, "context diff") || strings.Contains(out, "Behavior change") {
		t.Errorf("nobody asked for it:\n%s", out)
	}
	if _, complaints, code := run(t, journalText(40003), "compaction", "--behavior-window", "none"); code != exitMisuse || !strings.Contains(complaints, "20r") {
		t.Errorf("code %d: %s", code, complaints)
	}
}
