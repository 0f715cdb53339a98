package adapters_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// The tests named D are the rows of agent-strace's own conformance table, those named W the weaknesses that were found in it:
// what it does is told where ours differs.

func TestD1_ADropOfReportedTokensIsACompaction(t *testing.T) {
	s := &strace{now: 99}
	s.asks("main", 180000)
	s.now = 141
	a := s.asks("main", 12000).open(t)
	expectCuts(t, a, "compaction 180000→12000 usage-drop $0.5040")
	c := cuts(t, a, 0, analysis.Options{})[0]
	if *c.Dropped != 168000 || math.Abs(*c.Ratio-168.0/180) > 1e-5 || *c.Rate != 3 || !*c.Above || c.Model != "claude-sonnet-4" {
		t.Errorf("%+v", c)
	}
	if c.Source["before"].Line != 1 || c.Source["after"].Line != 2 {
		t.Errorf("it stands at %v", c.Source)
	}
	if b := a.Boundaries(0, analysis.Options{})[0]; b.NextAt-a.Sessions[0].StartedAt/1e6 != 42_000 {
		t.Errorf("it came at %d", b.NextAt)
	}
}

func TestD2_ExactlyTheThresholdIsNone(t *testing.T) {
	a := new(strace).asks("main", 1000).asks("main", 500).open(t)
	expectCuts(t, a, "")
	expectCutsAt(t, a, 0, analysis.Options{Threshold: 0.49}, "compaction 1000→500 usage-drop $0.0015")
}

func TestD4_FiguresOfAResponseBelongToItsRequest(t *testing.T) {
	s := new(strace)
	for _, n := range []int{120000, 10000} {
		s.event("llm_request", `"model":"gpt-4o","message_count":3`).event("llm_response", fmt.Sprintf(`"model":"gpt-4o","usage":{"prompt_tokens":%d,"completion_tokens":5}`, n))
	}
	expectCuts(t, s.open(t), "compaction 120000→10000 usage-drop $0.2750")
}

func TestD5_CachedTokensArePartOfThePrompt(t *testing.T) {
	a := new(strace).event("assistant_response", `"text":"a","model":"claude-sonnet-4","usage":{"input_tokens":1000,"cache_creation_input_tokens":20000,"cache_read_input_tokens":160000}`).
		event("user_prompt", `"prompt":"go on"`).event("assistant_response", `"text":"b","model":"claude-sonnet-4","usage":{"input_tokens":12000}`).open(t)
	expectCuts(t, a, "compaction 181000→12000 usage-drop $0.5070")
}

func TestD6_EstimatesAreNeverCompared(t *testing.T) {
	a := new(strace).event("llm_request", `"model":"m","messages":[{"role":"user","content":"`+strings.Repeat("word ", 8000)+`"}]`).
		event("llm_request", `"model":"m","messages":[{"role":"user","content":"short"}]`).open(t)
	expectCuts(t, a, "")
	if n := len(a.Sessions[0].Requests); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestD7_StreamsAreNeverCompared(t *testing.T) {
	a := new(strace).asks("main", 180000).asks("sidechain:research", 10000).asks("review", 180000).asks("main", 185000).
		event("user_prompt", `"prompt":"Summary of the review","is_compaction_summary":true,"context_stream":"review"`).asks("review", 12000).open(t)
	expectCuts(t, a, "compaction in review 180000→12000 boundary-record+usage-drop $0.5040")
}

func TestD8_ADropWithoutASummaryIsOneAllTheSame(t *testing.T) {
	a := new(strace).event("assistant_response", `"text":"a","model":"claude-sonnet-4","usage":{"input_tokens":180000}`).event("user_prompt", `"prompt":"go on"`).
		event("assistant_response", `"text":"I go on.","model":"claude-sonnet-4","usage":{"input_tokens":12000}`).open(t)
	expectCuts(t, a, "compaction 180000→12000 usage-drop $0.5040")
}

func TestW1_AJournalThatHoldsUsageNeedsNoRecorder(t *testing.T) {
	// What its hooks record has no figures, so that there is nothing to find; the harness's own journal has them.
	hooks := new(strace).event("session_start", `"mode":"claude-code-hooks"`).event("user_prompt", `"prompt":"Do it."`).event("tool_call", `"tool_name":"Read","arguments":{"file_path":"a.go"}`).open(t)
	expectCuts(t, hooks, "")
	a := trial.Open(t, newClaude("w1").prompt("Do it.").answers(160003, 1).compacts("auto", 160003).answers(20003, 1).file())
	expectCuts(t, a, "compaction auto 160003→20003 (160003→?) boundary-record+usage-drop $0.7000")
}

func TestW2_ExplicitBoundariesAreReportedWhateverTheDrop(t *testing.T) {
	c := newClaude("w2").prompt("Refactor.").answers(160003, 1)
	a := trial.Open(t, c.compacts("manual", 161000).answers(90903, 1).file())
	expectCuts(t, a, "compaction manual 160003→90903 (161000→?) boundary-record $0.3455")
	if got := cuts(t, a, 0, analysis.Options{})[0]; *got.Above || math.Abs(*got.Ratio-69100.0/160003) > 1e-5 {
		t.Errorf("%+v", got)
	}
	// The boundary stands ten seconds before the next request.
	if b := a.Boundaries(0, analysis.Options{})[0]; b.Wait != 10_000 || b.Next != 2 || b.Above {
		t.Errorf("%+v", b)
	}
	expectCutsAt(t, a, 0, analysis.Options{Threshold: 0.4}, "compaction manual 160003→90903 (161000→?) boundary-record+usage-drop $0.3455")
	// One that has not been asked for anything since is a boundary, too.
	b := trial.Open(t, newClaude("w2b").prompt("Refactor.").answers(160003, 1).compacts("auto", 160003).file())
	expectCuts(t, b, "compaction auto 160003→? (160003→?) boundary-record")
}

func TestW2_NewerNamesOfTheMetadata(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "s.jsonl", Text: strings.Join([]string{
		`{"type":"user","session_id":"s16","uuid":"a","message":{"role":"user","content":"Do it."}}`,
		`{"type":"assistant","session_id":"s16","uuid":"b","message":{"id":"m1","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":5,"cache_read_input_tokens":150000,"output_tokens":3}}}`,
		`{"type":"system","subtype":"compact_boundary","session_id":"s16","uuid":"c","compact_metadata":{"trigger":"auto","pre_tokens":150100,"post_tokens":6000,"cumulative_dropped_tokens":9,"duration_ms":7,"messages_summarized":2,"preserved_messages":{"uuids":["a"]}}}`,
		`{"type":"assistant","session_id":"s16","uuid":"d","message":{"id":"m2","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"text","text":"go"}],"usage":{"input_tokens":5,"cache_read_input_tokens":30000,"output_tokens":3}}}`,
	}, "\n")})
	expectCuts(t, a, "compaction auto 150005→30005 (150100→6000) boundary-record+usage-drop $0.3600")
	if s := a.Sessions[0]; s.ID != "s16" {
		t.Errorf("the session is called %q", s.ID)
	}
	if n := trial.Snapshot(&a.Sessions[0].Snapshots[2]); !strings.Contains(n, "prompts=2") {
		t.Errorf("the preserved message left: %s", n)
	}
	if b := a.Boundaries(0, analysis.Options{})[0]; b.Wait != analysis.Unknown || b.At != 0 {
		t.Errorf("a journal without times has %+v", b)
	}
}

func TestW3_ClearIsNoCompaction(t *testing.T) {
	a := trial.Open(t, newClaude("w3").prompt("Write docs.").answers(140003, 1).prompt("<command-name>/clear</command-name>").prompt("New task.").answers(15903, 1).file())
	expectCuts(t, a, "clear manual 140003→15903 boundary-record+usage-drop")
	if l := a.List(analysis.Options{}).Sessions[0].Losses; l.Compactions != 0 || l.Dropped != 0 || l.USD != 0 {
		t.Errorf("a clear counts as %+v", l)
	}
}

func TestW3_ARewindIsNoCompaction(t *testing.T) {
	c := newClaude("w3b").prompt("First.").answers(20003, 1)
	first := c.parent
	c.prompt("Second.").answers(140003, 1)
	c.parent = first
	expectCuts(t, trial.Open(t, c.prompt("Second, in another way.").answers(21003, 1).file()), "rewind 140003→21003 usage-drop")
}

// The second compaction of some versions writes earlier lines again, with their ids, behind itself.
func TestW4_LinesThatComeAgainCountOnce(t *testing.T) {
	c := twice("w4")
	expectCuts(t, trial.Open(t, c.file()), twiceCut)
	replayed := append([]string(nil), c.lines...)
	at := len(replayed) - 2 // behind the second boundary's summary
	replayed = append(replayed[:at:at], append(append([]string(nil), c.lines[:7]...), c.lines[at:]...)...)
	a := trial.Open(t, trial.File{Path: "w4.jsonl", Text: strings.Join(replayed, "\n")})
	expectCuts(t, a, twiceCut)
	if a.Duplicate[0] != 7 || len(a.Sessions[0].Requests) != 4 {
		t.Errorf("%d duplicates, %d requests", a.Duplicate[0], len(a.Sessions[0].Requests))
	}
}

func TestW5_OpeningAFileTwiceChangesNothing(t *testing.T) {
	f := twice("w5").file()
	a := trial.Open(t, f, f)
	if len(a.Sessions) != 1 {
		t.Fatalf("sessions: %s", trial.Sessions(a))
	}
	expectCuts(t, a, twiceCut)
	if l := a.List(analysis.Options{}).Sessions[0].Losses; l.Compactions != 2 || l.Dropped != 139100+143100 || math.Abs(l.USD-1.411) > 1e-9 || l.Date == "" {
		t.Errorf("lost %+v", l)
	}
}

func TestW6_ASubagentFileIsASessionOfItsOwn(t *testing.T) {
	child := newClaude("w6")
	child.agent, child.model = "zzz", "claude-haiku-4-5"
	child.prompt("Explore.").answers(150003, 1).answers(8003, 1).answers(9003, 1)
	for _, files := range [][]trial.File{{twice("w6").file(), child.file()}, {child.file(), twice("w6").file()}} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != "w6: 4 requests; w6/zzz (subagent) of w6: 3 requests" {
			t.Fatalf("sessions: %s", got)
		}
		expectCuts(t, a, twiceCut)
		expectCutsAt(t, a, 1, analysis.Options{}, "compaction 150003→8003 usage-drop $0.1420")
	}
}

func TestW7_LinesOfAResponseAreOneRequest(t *testing.T) {
	for _, id := range []string{"requestId", "gatewayHasNone"} {
		f := newClaude("w7").prompt("Do it.").answers(100003, 4).prompt("More.").answers(120003, 14).compacts("auto", 120003).answers(30003, 2).file()
		f.Text = strings.ReplaceAll(f.Text, `"requestId"`, `"`+id+`"`)
		a := trial.Open(t, f)
		expectCuts(t, a, "compaction auto 120003→30003 (120003→?) boundary-record+usage-drop $0.4500")
		if q := a.Sessions[0].Requests; len(q) != 3 || q[1].Output != 14 {
			t.Errorf("with %s: %d requests, %+v", id, len(q), q)
		}
	}
}

func TestW8_WhatIsCachedIsCountedOnce(t *testing.T) {
	openai := func(n, cached int) string {
		return fmt.Sprintf(`"model":"gpt-5.5","usage":{"input_tokens":%d,"cached_input_tokens":%d}`, n, cached)
	}
	a := new(strace).event("llm_request", openai(100000, 95000)).event("llm_request", openai(96000, 0)).open(t)
	expectCuts(t, a, "")
	if q := a.Sessions[0].Requests; q[0].Input != 100000 || q[0].CacheRead != 95000 || q[1].Input != 96000 {
		t.Errorf("%+v", q)
	}
	bedrock := new(strace).event("llm_request", `"model":"us.anthropic.claude-sonnet-4-6","usage":{"inputTokens":1000,"cacheReadInputTokens":99000}`).
		event("llm_request", `"model":"us.anthropic.claude-sonnet-4-6","usage":{"inputTokens":10000}`).open(t)
	expectCuts(t, bedrock, "compaction 100000→10000 usage-drop $0.2700")
}

func TestW9_UnreportedRequestsAreSkipped(t *testing.T) {
	a := new(strace).asks("main", 180000).event("llm_request", `"model":"claude-sonnet-4","messages":[{"role":"user","content":"x"}]`).asks("main", 10000).open(t)
	expectCuts(t, a, "compaction 180000→10000 usage-drop $0.5100")
}

func TestW10_AResponseAnswersTheRequestItNames(t *testing.T) {
	ask := `"model":"claude-sonnet-4"`
	answer := func(n int) string {
		return fmt.Sprintf(`"model":"claude-sonnet-4","usage":{"input_tokens":%d,"output_tokens":1}`, n)
	}
	// Two requests in parallel, answered the other way round.
	a := new(strace).event("llm_request", ask).event("llm_request", ask).event("llm_response", answer(110000), `,"parent_id":"e2"`).event("llm_response", answer(100000), `,"parent_id":"e1"`).open(t)
	expectCuts(t, a, "")
	if q := a.Sessions[0].Requests; len(q) != 2 || q[0].Input != 100000 || q[1].Input != 110000 {
		t.Errorf("%+v", q)
	}
	// A second response to a request that has one is no request.
	a = new(strace).event("llm_request", ask).event("llm_response", answer(100000), `,"parent_id":"e1"`).event("llm_response", answer(1000), `,"parent_id":"e1"`).open(t)
	expectCuts(t, a, "")
	if q := a.Sessions[0].Requests; len(q) != 1 || q[0].Input != 100000 {
		t.Errorf("%+v", q)
	}
}
