package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// chars is text of so many characters.
func chars(n int) string { return strings.Repeat("x", n) }

// line is a line of the main conversation. parent "" is null.
func line(kind, id, parent, rest string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"s","version":"2.1.49","type":"%s",%s,"uuid":"%s","timestamp":"2026-02-01T10:00:00.000Z"}`, p, kind, rest, id)
}

func prompt(id, parent string, n int) string {
	return line("user", id, parent, fmt.Sprintf(`"message":{"role":"user","content":"%s"}`, chars(n)))
}

// answer is one line of response msg with a block and a prompt size.
func answer(id, parent, msg, block string, size, out int) string {
	return line("assistant", id, parent, fmt.Sprintf(`"requestId":"r-%s","message":{"id":"%s","role":"assistant","model":"claude-opus-4-6","stop_reason":null,"content":[%s],"usage":{"input_tokens":3,"cache_creation_input_tokens":7,"cache_read_input_tokens":%d,"output_tokens":%d}}`, msg, msg, block, size-10, out))
}

func text(n int) string { return fmt.Sprintf(`{"type":"text","text":"%s"}`, chars(n)) }

// call is a tool use whose name and arguments have 40 characters together: 4 and {"command":"…"}.
func call(id string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"Bash","input":{"command":"%s"}}`, id, chars(22))
}

func result(id, parent, use string, n int) string {
	return line("user", id, parent, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":"%s"}]}`, use, chars(n)))
}

func TestLinesOfOneResponseAreOneRequest(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		line("progress", "p1", "a1", `"data":{"type":"bash_progress","output":"xxxxxxxxxxxxxxxxxxxx"}`),
		answer("a2", "p1", "m1", call("t1"), 1000, 95),
		result("u2", "a2", "t1", 400),
		answer("a3", "u2", "m2", text(8), 1200, 7))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=10",
		"request transcript-observed prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=30 results=100 reported=1200")
	if q := s.Requests[0]; q.Output != 95 || !q.OutputLower || q.Input != 1000 || q.CacheRead != 990 || q.CacheWrite != 7 {
		t.Errorf("first request %+v", q)
	}
}

func TestASampleHoldsWhatWasKnownBeforeItsFirstLine(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", call("t1"), 1000, 2),
		result("u2", "a1", "t1", 400), // between the lines of the response
		answer("a2", "a1", "m1", call("t2"), 1000, 95),
		result("u3", "a2", "t2", 40),
		answer("a3", "u3", "m2", text(8), 1200, 7))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=10",
		"request transcript-observed prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=20 results=110 reported=1200")
	if got := trial.Changes(a, s, 2); got != "added result:t1 +100, added call:t1 +10, added call:t2 +10, added result:t2 +10" {
		t.Errorf("changes: %s", got)
	}
}

func TestRepeatedUuidsCountOnce(t *testing.T) {
	lines := []string{prompt("u1", "", 40), answer("a1", "u1", "m1", text(80), 1000, 2), prompt("u2", "a1", 4), answer("a2", "u2", "m2", text(8), 1100, 2)}
	a, s := trial.One(t, append(lines, lines[1:]...)...)
	if len(s.Requests) != 2 || a.Duplicate[0] != 3 {
		t.Errorf("%d requests, %d duplicates; want 2, 3", len(s.Requests), a.Duplicate[0])
	}
}

func TestTheInterfacesCopyOfAResultIsNotCounted(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", call("t1"), 1000, 2),
		strings.Replace(result("u2", "a1", "t1", 40), `"message"`, `"toolUseResult":{"stdout":"`+chars(4000)+`","nested":[{"content":"y"}]},"message"`, 1),
		answer("a2", "u2", "m2", text(8), 1100, 2))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=10",
		"request transcript-observed prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=10 results=10 reported=1100")
}

func TestImagesAreUnmeasured(t *testing.T) {
	image := fmt.Sprintf(`{"type":"image","source":{"data":"%s","media_type":"image/png","type":"base64"}}`, chars(4000))
	_, s := trial.One(t,
		line("user", "u1", "", `"message":{"role":"user","content":[{"type":"text","text":"look here"},`+image+`]}`),
		answer("a1", "u1", "m1", call("t1"), 1000, 2),
		line("user", "u2", "a1", `"message":{"role":"user","content":[{"tool_use_id":"t1","type":"tool_result","content":[`+image+`,{"type":"text","text":"ok"}]}]}`),
		answer("a2", "u2", "m2", `{"type":"redacted_thinking","data":"`+chars(900)+`"}`, 1100, 2),
		prompt("u3", "a2", 4),
		answer("a3", "u3", "m3", text(8), 1200, 2))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=3",
		"request transcript-observed prompts=3 reported=1000",
		"request transcript-observed prompts=3 assistant=10 results=1 reported=1100",
		"request transcript-observed prompts=4 assistant=10 results=1 reported=1200")
	if len(s.Unmeasured) != 2 || s.Unmeasured[0] != (analysis.Unmeasured{What: "images and documents", Count: 2}) || s.Unmeasured[1].Count != 1 {
		t.Errorf("unmeasured: %+v", s.Unmeasured)
	}
}

func TestACompactionEmptiesTheContext(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 400),
		answer("a1", "u1", "m1", text(4000), 160000, 2),
		line("system", "b1", "", `"logicalParentUuid":"a1","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":167000,"postTokens":9000}`),
		line("user", "u2", "b1", `"isCompactSummary":true,"message":{"role":"user","content":"`+chars(800)+`"}`),
		line("attachment", "x1", "u2", `"attachment":{"type":"nested_memory","path":"/w/CLAUDE.md","content":{"path":"/w/CLAUDE.md","type":"Project","content":"`+chars(100)+`"}}`),
		answer("a2", "x1", "m2", text(8), 44000, 2))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=100",
		"request transcript-observed prompts=100 reported=160000",
		"compaction post-compaction baseline rules=25 summaries=200",
		"request transcript-observed rules=25 summaries=200 reported=44000")
	if got := trial.Boundaries(a, 0); got != "compaction auto 160000→44000 (167000→9000)" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestASummaryWithoutABoundaryIsACompaction(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 400),
		answer("a1", "u1", "m1", text(4000), 1600, 2),
		line("user", "u2", "", `"isCompactSummary":true,"message":{"role":"user","content":"`+chars(800)+`"}`),
		answer("a2", "u2", "m2", text(8), 440, 2))
	if got := trial.Boundaries(a, 0); got != "compaction  1600→440 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
	if got := trial.Snapshot(&s.Snapshots[3]); got != "request transcript-observed summaries=200 reported=440" {
		t.Errorf("after it: %s", got)
	}
}

func TestPreservedMessagesSurviveACompaction(t *testing.T) {
	for name, meta := range map[string]string{
		"a list":    `"preservedMessages":{"anchorUuid":"u2","uuids":["u2","a2"]}`,
		"a segment": `"preservedSegment":{"headUuid":"u2","anchorUuid":"b1","tailUuid":"a2"}`,
	} {
		_, s := trial.One(t,
			prompt("u1", "", 400),
			answer("a1", "u1", "m1", text(400), 1600, 2),
			prompt("u2", "a1", 40),
			answer("a2", "u2", "m2", text(80), 1700, 2),
			line("system", "b1", "", `"logicalParentUuid":"a2","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":1700,`+meta+`}`),
			line("user", "c1", "b1", `"isCompactSummary":true,"message":{"role":"user","content":"`+chars(8)+`"}`),
			prompt("u2", "c1", 40), // written again behind the boundary
			answer("a3", "c1", "m3", text(8), 440, 2))
		if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed summaries=2 prompts=10 assistant=20 reported=440" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAMicrocompactionRemovesItsResults(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", call("t1")+","+call("t2"), 1000, 2),
		result("u2", "a1", "t1", 400),
		result("u3", "a1", "t2", 40),
		line("system", "b1", "u3", `"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","preTokens":78000,"tokensSaved":100,"compactedToolIds":["t1"],"clearedAttachmentUUIDs":[]}`),
		answer("a2", "b1", "m2", text(8), 950, 2))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=1",
		"request transcript-observed prompts=1 reported=1000",
		"request transcript-observed prompts=1 assistant=20 results=10 reported=950")
	if got := trial.Boundaries(a, 0); got != "context-edit auto 1000→950 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestABranchThatWasLeftLeavesTheContext(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		prompt("u2", "a1", 400),
		answer("a2", "u2", "m2", text(800), 1300, 2),
		prompt("u3", "a1", 8), // back to behind a1
		answer("a3", "u3", "m3", text(8), 1010, 2))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=10",
		"request transcript-observed prompts=10 reported=1000",
		"request transcript-observed prompts=110 assistant=20 reported=1300",
		"request transcript-observed prompts=12 assistant=20 reported=1010")
	if s.Abandoned != 2 || trial.Boundaries(a, 0) != "rewind  1300→1010 (-1→-1)" {
		t.Errorf("%d abandoned, boundaries %s", s.Abandoned, trial.Boundaries(a, 0))
	}
}

func TestARewindToBeforeACompactionBringsTheContextBack(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		line("system", "b1", "", `"logicalParentUuid":"a1","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":1002}`),
		line("user", "c1", "b1", `"isCompactSummary":true,"message":{"role":"user","content":"`+chars(8)+`"}`),
		answer("a2", "c1", "m2", text(8), 300, 2),
		prompt("u3", "a1", 8),
		answer("a3", "u3", "m3", text(8), 1010, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed prompts=12 assistant=20 reported=1010" {
		t.Errorf("after going back: %s", got)
	}
}

// What comes back with the branch is what was there: without what had been cleared, with what a boundary on it preserved,
// with the instructions, and with what has no size counted once.
func TestARewindToBeforeACompactionBringsBackWhatWasThere(t *testing.T) {
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`
	summary := func(id, parent string, n int) string {
		return line("user", id, parent, `"isCompactSummary":true,"message":{"role":"user","content":"`+chars(n)+`"}`)
	}
	_, s := trial.One(t,
		prompt("u1", "", 40),
		line("user", "u2", "u1", `"message":{"role":"user","content":[`+image+`]}`),
		answer("a1", "u2", "m1", call("t1"), 1000, 2),
		result("u3", "a1", "t1", 400),
		line("system", "b0", "u3", `"subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","compactedToolIds":["t1"],"clearedAttachmentUUIDs":[]}`),
		answer("a2", "b0", "m2", text(8), 950, 2),
		line("system", "b1", "", `"logicalParentUuid":"a2","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":1002}`),
		summary("c1", "b1", 8),
		answer("a3", "c1", "m3", text(8), 300, 2),
		prompt("u4", "a2", 8), // back to before the boundary
		answer("a4", "u4", "m4", text(8), 960, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed prompts=12 assistant=12 reported=960" {
		t.Errorf("after going back: %s", got)
	}
	if len(s.Unmeasured) != 1 || s.Unmeasured[0].Count != 1 {
		t.Errorf("unmeasured: %+v", s.Unmeasured)
	}

	_, s = trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		line("system", "b1", "", `"logicalParentUuid":"a1","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":1002,"preservedMessages":{"anchorUuid":"c1","uuids":["u1"]}}`),
		summary("c1", "b1", 8),
		answer("a2", "c1", "m2", text(16), 300, 2),
		line("system", "b2", "", `"logicalParentUuid":"a2","subtype":"compact_boundary","compactMetadata":{"trigger":"manual","preTokens":1002}`),
		summary("c2", "b2", 12),
		answer("a3", "c2", "m3", text(8), 200, 2),
		prompt("u4", "a2", 8), // back to between the two
		answer("a4", "u4", "m4", text(8), 310, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed summaries=2 prompts=12 assistant=4 reported=310" {
		t.Errorf("between two boundaries: %s", got)
	}

	_, s = trial.One(t, // old versions wrote no boundary
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(80), 1000, 2),
		summary("c1", "a1", 8),
		answer("a2", "c1", "m2", text(16), 300, 2),
		summary("c2", "a2", 12),
		answer("a3", "c2", "m3", text(8), 200, 2),
		prompt("u4", "a2", 8),
		answer("a4", "u4", "m4", text(8), 310, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed summaries=2 prompts=2 assistant=4 reported=310" {
		t.Errorf("between two summaries: %s", got)
	}
}

func TestCallsWithoutAnIDAreItemsOfTheirOwn(t *testing.T) {
	bare := strings.Replace(call("t1"), `"id":"t1",`, "", 1)
	_, s := trial.One(t, prompt("u1", "", 40), answer("a1", "u1", "m1", bare+","+bare, 1000, 2), prompt("u2", "a1", 4), answer("a2", "u2", "m2", text(8), 1100, 2))
	if got := trial.Snapshot(&s.Snapshots[2]); got != "request transcript-observed prompts=11 assistant=20 reported=1100" {
		t.Errorf("two calls of 10 tokens: %s", got)
	}
}

// No part of a record is lost for being one of many.
func TestAPromptOfSeventyThousandTexts(t *testing.T) {
	_, s := trial.One(t,
		line("user", "u1", "", `"message":{"role":"user","content":[`+strings.Repeat(text(4)+",", 69_999)+text(4)+`]}`),
		answer("a1", "u1", "m1", text(8), 90_000, 2))
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed prompts=70000 reported=90000" {
		t.Errorf("70,000 texts of a token: %s", got)
	}
}

func TestAClearIsNamedForWhatItIs(t *testing.T) {
	a, s := trial.One(t,
		line("user", "u0", "", `"message":{"role":"user","content":"<command-name>/clear</command-name>"}`), // at the top of a file it ends another one
		prompt("u1", "u0", 400),
		answer("a1", "u1", "m1", text(4000), 140000, 2),
		line("user", "u2", "a1", `"message":{"role":"user","content":"<command-name>/clear</command-name>"}`),
		prompt("u3", "u2", 4),
		answer("a2", "u3", "m2", text(8), 15900, 2))
	if got := trial.Boundaries(a, 0); got != "clear manual 140000→15900 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
	if got := trial.Snapshot(&s.Snapshots[2]); got != "request transcript-observed baseline prompts=10 reported=15900" {
		t.Errorf("after it: %s", got)
	}
}

func TestParallelResultsAreNoRewind(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", call("t1"), 1000, 2),
		answer("a2", "a1", "m1", call("t2"), 1000, 3),
		result("r1", "a1", "t1", 40),
		result("r2", "a2", "t2", 40),
		prompt("u2", "r1", 4), // continues the first of the two results
		answer("a3", "u2", "m2", text(8), 1100, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed prompts=2 assistant=20 results=20 reported=1100" || s.Abandoned != 0 {
		t.Errorf("%s, %d abandoned", got, s.Abandoned)
	}
}

func TestResultsOfCallsInsideAScriptMakeNoItem(t *testing.T) {
	script := `{"type":"server_tool_use","id":"sv","name":"code_execution","input":{"code":"` + chars(15) + `"}}` // 14 + 26 characters
	inner := strings.Replace(call("in"), `"name"`, `"caller":{"type":"code_execution_20250825","tool_id":"sv"},"name"`, 1)
	_, s := trial.One(t,
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", script+","+inner, 1000, 2),
		result("r1", "a1", "in", 4000),
		answer("a2", "r1", "m2", `{"type":"code_execution_tool_result","tool_use_id":"sv","content":{"type":"code_execution_result","stdout":"`+chars(40)+`"}}`, 1010, 2),
		prompt("u2", "a2", 4),
		answer("a3", "u2", "m3", text(8), 1100, 2))
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed prompts=2 assistant=10 results=10 reported=1100" {
		t.Errorf("with a script: %s", got)
	}
	if len(s.Calls) != 2 || !s.Calls[1].Script {
		t.Errorf("calls: %+v", s.Calls)
	}
}

func TestADirectOrUnknownCallerIsNoScript(t *testing.T) {
	for _, caller := range []string{`null`, `{"type":"direct"}`, `"x"`} {
		_, s := trial.One(t,
			prompt("u1", "", 4),
			answer("a1", "u1", "m1", strings.Replace(call("t1"), `"name"`, `"caller":`+caller+`,"name"`, 1), 1000, 2),
			result("r1", "a1", "t1", 40),
			answer("a2", "r1", "m2", text(8), 1100, 2))
		if got := trial.Snapshot(&s.Snapshots[2]); got != "request transcript-observed prompts=1 assistant=10 results=10 reported=1100" {
			t.Errorf("caller %s: %s", caller, got)
		}
	}
}

func TestAnotherModelBeginsABaselineAndTheFirstOneDoesNot(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", text(40), 1000, 2),
		prompt("u2", "a1", 4),
		strings.Replace(answer("a2", "u2", "m2", text(8), 1100, 2), "claude-opus-4-6", "claude-haiku-4-5", 1))
	trial.Expect(t, s,
		"capture capture-start baseline prompts=1",
		"request transcript-observed prompts=1 reported=1000",
		"request transcript-observed baseline prompts=2 assistant=10 reported=1100")
}

func TestAResponseThatNamesNoModelIsNoSwitch(t *testing.T) {
	a, s := trial.One(t,
		prompt("u1", "", 40),
		answer("a1", "u1", "m1", text(8), 1000, 2),
		prompt("u2", "a1", 4),
		strings.Replace(answer("a2", "u2", "m2", text(8), 1100, 2), `"model":"claude-opus-4-6",`, "", 1),
		prompt("u3", "a2", 4),
		answer("a3", "u3", "m3", text(8), 1200, 2))
	if b := trial.Boundaries(a, 0); b != "" || s.Snapshots[2].Baseline || s.Snapshots[3].Baseline || s.Requests[1].Model != 0 {
		t.Errorf("boundaries %q, baselines %v %v, model %d", b, s.Snapshots[2].Baseline, s.Snapshots[3].Baseline, s.Requests[1].Model)
	}
}

func TestSyntheticLinesAreNoRequests(t *testing.T) {
	_, s := trial.One(t,
		prompt("u1", "", 4),
		line("assistant", "a1", "u1", `"isApiErrorMessage":true,"message":{"id":"x","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 529"}],"usage":{"input_tokens":0,"output_tokens":0}}`),
		answer("a2", "a1", "m2", text(8), 1100, 2))
	trial.Expect(t, s, "capture capture-start baseline prompts=1", "request transcript-observed prompts=1 reported=1100")
}

func TestAGatewaysLastLineHasTheFigures(t *testing.T) {
	bare := func(s string) string { return strings.Replace(s, `"requestId":"r-m1",`, "", 1) }
	zero := strings.NewReplacer(`"input_tokens":3`, `"input_tokens":0`, `"cache_creation_input_tokens":7`, `"cache_creation_input_tokens":0`, `"cache_read_input_tokens":990`, `"cache_read_input_tokens":0`)
	_, s := trial.One(t,
		prompt("u1", "", 4),
		bare(zero.Replace(answer("a1", "u1", "m1", text(40), 1000, 0))),
		bare(answer("a2", "a1", "m1", text(40), 1000, 20)))
	trial.Expect(t, s, "capture capture-start baseline prompts=1", "request transcript-observed prompts=1 reported=1000")
}

func TestHarnessMadeTextIsNoPrompt(t *testing.T) {
	_, s := trial.One(t,
		line("user", "u1", "", `"message":{"role":"user","content":[{"type":"text","text":"<system-reminder>xx"},{"type":"text","text":"abcd"}]}`),
		line("user", "u2", "u1", `"isMeta":true,"message":{"role":"user","content":"`+chars(40)+`"}`),
		answer("a1", "u2", "m1", text(8), 1100, 2))
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed prompts=1 overhead=15 reported=1100" {
		t.Errorf("%s", got)
	}
}

// TestTwoToDoListsAreNotTheSameArguments: an agent that ticks off its list again and again is in no loop.
func TestTwoToDoListsAreNotTheSameArguments(t *testing.T) {
	list := func(id, input string) string {
		return `{"type":"tool_use","id":"` + id + `","name":"TodoWrite","input":` + input + `}`
	}
	_, s := trial.One(t,
		prompt("u1", "", 4),
		answer("a1", "u1", "m1", list("t1", `{"todos":[{"content":"port it","status":"pending"}]}`), 1000, 2),
		answer("a2", "a1", "m2", list("t2", `{"todos":[{"content":"test it","status":"pending"}]}`), 1010, 2),
		answer("a3", "a2", "m3", list("t3", `{ "todos": [ {"status":"pending", "content":"port it"} ] }`), 1020, 2),
		answer("a4", "a3", "m4", list("t4", `{"todos":[{"content":"port it","status":"pending"},{"content":"test it","status":"pending"}]}`), 1030, 2),
		answer("a5", "a4", "m5", list("t5", `{"todos":[{"content":"test it","status":"pending"},{"content":"port it","status":"pending"}]}`), 1040, 2),
	)
	of := func(i int) uint64 { return s.Calls[i].Args }
	if len(s.Calls) != 5 || of(0) == of(1) || of(0) != of(2) || of(0) == of(3) || of(3) == of(4) {
		t.Errorf("the arguments of %d calls: %x %x %x %x %x", len(s.Calls), of(0), of(1), of(2), of(3), of(4))
	}
}
