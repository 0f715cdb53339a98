package muse_test

import (
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/journal"
)

func message(id, source string, n int) string {
	return `{"id":"` + id + `","role":"developer","source":"` + source + `","order":1,"text":"` + chars(n) + `"}`
}

func configured(base int, messages ...string) string {
	return `"kind":"model_request_configured","base_instructions":"` + chars(base) + `","run_context_messages":[` + strings.Join(messages, ",") + `]`
}

func block(id, source, bytes string) string {
	return `"kind":"context_block_diagnostic","block_id":"` + id + `","source":"` + source + `","text_bytes":` + bytes
}

func contextOf(n int) string { return group("context", "run_context", "message.role:developer", n) }

var base = group("system_base", "provider_default", "option:meta.instructions", 400)

// TestTheContextLaneIsSplit by what the journal tells of it; what it does not tell stays unattributed.
func TestTheContextLaneIsSplit(t *testing.T) {
	_, s := session("s").prompt(chars(40)).
		event(configured(400, message("skills_catalog", "skills", 80), message("session_identity", "harness", 40),
			message("workflow_choice", "harness", 20), message("subagent_delegation", "harness", 8), message("mystery", "harness", 100))).
		event(block("rules_file", "workspace", "120")).event(block("skills_catalog", "skills", "80")).
		event(block("mem", "memory snapshot", "12")).event(block("hook:stop:continuation-cap", "runtime_hook", "null")).
		event(trace(0, base, contextOf(400))).completed(1000).one(t)
	// 20 skills, 10 environment, 5 overhead, 2 tools, 30 and 3 rules of 100; the base instructions have a lane of their own
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=100 tools=2 rules=33 skills=20 environment=10 overhead=5 unattributed=30 reported=1000")
}

func TestTheSplitNeverExceedsTheLane(t *testing.T) {
	for bytes, want := range map[int]string{
		1:   "skills=1",
		81:  "skills=20 environment=1",
		100: "skills=20 environment=5",
		121: "skills=20 environment=10 unattributed=1",
	} {
		_, s := session("s").prompt("a").event(configured(4000, message("skills_catalog", "", 80), message("session_identity", "", 40))).
			event(trace(0, base, contextOf(bytes))).completed(100).one(t)
		if got := trial.Snapshot(&s.Snapshots[0]); got != "request request-input native-bytes/4 baseline system=100 "+want+" reported=100" {
			t.Errorf("a lane of %d bytes: %s, want %s", bytes, got, want)
		}
		if sum := s.Snapshots[0].Sum(); sum != int64(100+(bytes+3)/4) {
			t.Errorf("a lane of %d bytes: %d tokens in all", bytes, sum)
		}
	}
	// Without a lane of their own the base instructions are in the context lane.
	_, s := session("s").prompt("a").event(configured(40)).event(trace(0, contextOf(60))).completed(100).one(t)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=10 unattributed=5 reported=100")
}

// TestABlockThatIsAMessageCountsOnce, whether it has the message's id or only its category and size.
func TestABlockThatIsAMessageCountsOnce(t *testing.T) {
	_, s := session("s").prompt("a").event(configured(4, message("rules_file", "workspace", 80))).
		event(block("rules_file", "workspace", "84")).event(block("AGENTS.md", "workspace", "80")).event(block("CLAUDE.md", "workspace", "40")).
		event(trace(0, base, contextOf(400))).completed(100).one(t)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=100 rules=30 unattributed=70 reported=100")
}

// TestEachRunMeasuresItsBlocks: those of an earlier run say nothing about a later one.
func TestEachRunMeasuresItsBlocks(t *testing.T) {
	_, s := session("s").prompt("a").event(block("rules_file", "w", "80")).event(block("rules_file", "w", "120")).
		event(trace(0, contextOf(400))).completed(100).
		in("n2", block("skills_catalog", "w", "40")).in("n2", trace(0, contextOf(400))).in("n2", completed(200, 1)).one(t)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline rules=30 unattributed=70 reported=100",
		"request request-input native-bytes/4 skills=10 unattributed=90 reported=200")
}

// TestContextIsReplacedWhenConfiguredAgain: the items have ids of their own, and what is no longer there leaves.
func TestContextIsReplacedWhenConfiguredAgain(t *testing.T) {
	a, s := session("s").prompt(chars(4)).
		event(configured(400, message("skills_catalog", "", 80), message("session_identity", "", 40), message("note_rules", "", 4), message("note_rules", "", 8))).completed(100).
		event(configured(404, message("skills_catalog", "", 80), message("note_rules", "", 12))).completed(200).
		event(`"kind":"model_request_configured","toolset":{"active_tools":["bash"]}`).completed(300).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline system=100 rules=3 skills=20 environment=10 prompts=1 reported=100",
		"request transcript-observed system=101 rules=3 skills=20 prompts=1 reported=200",
		"request transcript-observed system=101 rules=3 skills=20 prompts=1 reported=300")
	expect(t, "changes", trial.Changes(a, s, 1), "removed section:session_identity -10, replaced section:note_rules +2, removed section:note_rules:1 -2, replaced base_instructions +1")
}

func candidate(id, status, trigger, more string) string {
	return `"kind":"context_compaction_candidate","candidate_id":"` + id + `","trigger":"` + trigger + `","timing":"pre_turn","status":"` + status + `"` + more
}

const strategy = `,"strategy":{"config_fingerprint":"soft=0.0500,hard=0.0800","soft_threshold_tokens":25600,"hard_threshold_tokens":40960}`

func installed(trigger, more string) string {
	return `"kind":"context_compaction_installed","candidate_id":"k1","trigger":"` + trigger + `","timing":"pre_turn","replacement":{"kind":"summary_text","text":"` +
		chars(80) + `"},"budget_before":{"estimated_prompt_tokens":91110},"budget_after":{"estimated_prompt_tokens":24957},` +
		`"replay_model_messages":[{"role":"user","content":[{"kind":"text","text":"` + chars(100) + `"}]}]` + more
}

// TestACompactionLeavesItsSummaryAndWhatItPreserved: records 3 and 4 stay; the rest of the conversation goes; what stands
// outside of it stays.
func TestACompactionLeavesItsSummaryAndWhatItPreserved(t *testing.T) {
	a, s := session("s").event(configured(40, message("skills_catalog", "", 40))).prompt(chars(40)).
		prompt(chars(4)).answer(8).calls("c", "bash").completed(81000).result("c", chars(4000)).
		event(installed("hard_threshold_blocking", `,"preserved_segment":{"head_sequence":3,"tail_sequence":4}`+strategy)).
		prompt(chars(12)).answer(16).completed(25400).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline system=10 skills=10 prompts=11 reported=81000",
		"compaction post-compaction system=10 skills=10 summaries=20 prompts=1 assistant=2",
		"request transcript-observed baseline system=10 skills=10 summaries=20 prompts=4 assistant=2 reported=25400")
	expect(t, "boundaries", trial.Boundaries(a, 0), "compaction auto 81000→25400 (91110→24957)")
	if b := s.Boundaries[0]; b.SummaryUnits != 80 || !b.Recorded || a.Strings.Get(s.Snapshots[1].Model) != "muse-x" {
		t.Errorf("boundary %+v", b)
	}
	for i, want := range []int64{-1, 25600, 25600} {
		if n := s.Snapshots[i]; n.Threshold != want || n.Effective != want*20 && want > 0 || n.Window != -1 {
			t.Errorf("sample %d: threshold %d of %d, window %d", i, n.Threshold, n.Effective, n.Window)
		}
	}
}

func TestTriggersAreAutoOrManual(t *testing.T) {
	for trigger, want := range map[string]string{"hard_threshold_blocking": "auto", "soft_threshold_async": "auto", "manual": "manual", "standalone_manual": "manual", "brand_new": ""} {
		_, s := session("s").prompt("a").completed(100).event(installed(trigger, "")).one(t)
		expect(t, trigger, s.Boundaries[0].Trigger, want)
	}
	_, s := session("s").prompt("a").completed(100).event(strings.Replace(installed("", ""), "pre_turn", "standalone_manual", 1)).one(t)
	expect(t, "by its timing", s.Boundaries[0].Trigger, "manual")
}

func TestTheThresholdIsTheSoftOneAndTheWindowWhatItIsAShareOf(t *testing.T) {
	for s, want := range map[string][2]int64{
		`"config_fingerprint":"soft=0.0500,hard=0.0800","soft_threshold_tokens":25600,"hard_threshold_tokens":40960`: {25600, 512000},
		`"config_fingerprint":"soft=0.0500,hard=0.0800","hard_threshold_tokens":40960`:                               {40960, 512000},
		`"config_fingerprint":"hard=0.8,soft=0.3","soft_threshold_tokens":60000`:                                     {60000, 200000},
		`"config_fingerprint":"soft=1,hard=1","soft_threshold_tokens":1000`:                                          {1000, 1000},
		`"config_fingerprint":"soft=5","soft_threshold_tokens":1000`:                                                 {1000, -1},
		`"config_fingerprint":"soft=0.000","soft_threshold_tokens":1000`:                                             {1000, -1},
		`"config_fingerprint":7,"soft_threshold_tokens":1000`:                                                        {1000, -1},
		`"config_fingerprint":"soft=0.5"`:                                                                            {-1, -1},
	} {
		_, v := session("s").prompt("a").event(candidate("k", "rejected", "soft_threshold_async", `,"strategy":{`+s+`}`)).completed(100).one(t)
		if n := v.Snapshots[0]; n.Threshold != want[0] || n.Effective != want[1] {
			t.Errorf("%s: threshold %d of %d, want %v", s, n.Threshold, n.Effective, want)
		}
	}
	// Another model has other thresholds.
	_, v := session("s").prompt("a").completed(100).event(candidate("k", "rejected", "soft_threshold_async", strategy)).completed(200).
		event(`"kind":"model_completed","model":"muse-y",` + usage(300, 1, 0)).one(t)
	for i, want := range []int64{-1, 25600, -1} {
		if got := v.Snapshots[i].Threshold; got != want {
			t.Errorf("sample %d: threshold %d, want %d", i, got, want)
		}
	}
}

// TestOnlyAnInstalledCompactionCounts: attempts and fallbacks are told in words.
func TestOnlyAnInstalledCompactionCounts(t *testing.T) {
	a, s := session("s").prompt("a").completed(50000).
		event(candidate("k0", "running", "soft_threshold_async", "")).event(candidate("k0", "superseded", "soft_threshold_async", "")).
		event(candidate("k1", "running", "soft_threshold_async", "")).event(candidate("k1", "succeeded", "soft_threshold_async", "")).event(installed("soft_threshold_async", "")).
		completed(40000).event(candidate("k2", "rejected", "hard_threshold_blocking", "")).
		event(`"kind":"context_compaction_fallback","reason":"hard_threshold_failed","related_candidate_id":"k2","can_continue":false`).
		event(candidate("k3", "rejected", "manual", "")).event(candidate("k4", "running", "manual", "")).completed(39000).one(t)
	expect(t, "boundaries", trial.Boundaries(a, 0), "compaction auto 50000→40000 (91110→24957)")
	expect(t, "notes", strings.Join(a.Series(0, analysis.Options{}).Notes, "\n"),
		"Compactions that were tried and not installed: 4 (1 superseded, 2 rejected, 1 running). They are not counted.\n"+
			"Times that the harness gave a compaction up: 1 (1 hard_threshold_failed).")
	if n := s.Attempts.Sum(); n != 4 || s.Fallbacks.Sum() != 1 {
		t.Errorf("%d attempts", n)
	}
}

// TestTheCallThatWritesASummaryIsNoRequest of the main context.
func TestTheCallThatWritesASummaryIsNoRequest(t *testing.T) {
	summarizer := `,"summarizer_usage":{"input_tokens":900,"output_tokens":30,"duration_ms":500}`
	lanes := trace(0, group("system_base", "x", "y", 80))
	for what, s := range map[string]*script{
		"while one is running": session("s").prompt("a").completed(1000).
			event(candidate("k1", "running", "hard_threshold_blocking", "")).event(completed(950, 30)).
			event(candidate("k1", "succeeded", "hard_threshold_blocking", "")).event(installed("hard_threshold_blocking", "")).completed(300),
		"by its figures": session("s").prompt("a").completed(1000).event(completed(900, 30)).
			event(installed("hard_threshold_blocking", summarizer)).completed(300),
		"of one that failed": session("s").prompt("a").completed(1000).event(completed(900, 30)).
			event(`"kind":"context_compaction_fallback","reason":"hard_threshold_failed"` + summarizer).completed(300),
		"beside the conversation": session("s").prompt("a").event(lanes).completed(1000).
			event(candidate("k1", "running", "soft_threshold_async", "")).event(completed(950, 30)).
			event(lanes).completed(300).event(candidate("k1", "succeeded", "soft_threshold_async", "")),
	} {
		_, v := s.one(t)
		var got []int64
		for _, q := range v.Requests {
			got = append(got, q.Input)
		}
		if len(got) != 2 || got[0] != 1000 || got[1] != 300 {
			t.Errorf("%s: requests of %v tokens, want 1000 and 300", what, got)
		}
	}
	// Beside a compaction the conversation goes on; where no request has lanes nothing tells its calls apart. And a call that
	// began before the attempt is none of it.
	_, v := session("s").prompt("a").event(candidate("k1", "running", "soft_threshold_async", "")).completed(1000).
		event(candidate("k1", "superseded", "soft_threshold_async", "")).
		event(candidate("k2", "running", "hard_threshold_blocking", "")).
		event(`"kind":"model_completed","duration_ms":60000,` + usage(1100, 5, 0)).one(t)
	if len(v.Requests) != 2 {
		t.Errorf("%d requests, want 2", len(v.Requests))
	}
	// Nor is a call of another run.
	_, v = session("s").prompt("a").in("n2", candidate("k1", "running", "hard_threshold_blocking", "")).completed(1000).one(t)
	if len(v.Requests) != 1 {
		t.Errorf("%d requests, want 1", len(v.Requests))
	}
}

// TestAnAttemptThatIsGivenUpIsNotRunning: the record of it may name no candidate, and what its run asks for then is a request.
func TestAnAttemptThatIsGivenUpIsNotRunning(t *testing.T) {
	for what, end := range map[string]string{"named": `,"candidate_id":"k1"`, "not named": ""} {
		_, s := session("s").prompt("a").event(candidate("k1", "running", "hard_threshold_blocking", "")).event(completed(950, 30)).
			event(`"kind":"context_compaction_fallback","reason":"no_progress_exhausted","can_continue":true` + end).completed(1000).one(t)
		if len(s.Requests) != 1 || s.Requests[0].Input != 1000 {
			t.Errorf("%s: requests %+v, want the one of 1000 tokens", what, s.Requests)
		}
	}
}

func TestClearedResultsAreAContextEdit(t *testing.T) {
	a, s := session("s").prompt("a").calls("c", "bash").completed(1000).result("c", chars(40)).
		event(`"kind":"tool_results_cleared","cleared_count":2,"estimated_tokens_freed":5000`).completed(400).one(t)
	expect(t, "boundaries", trial.Boundaries(a, 0), "context-edit  1000→400 (-1→-1)")
	if !s.Boundaries[0].Recorded {
		t.Error("it is not recorded")
	}
}

func TestSplitCategoriesAreThoseOfTheSchema(t *testing.T) {
	for id, want := range map[string]journal.Category{
		"skills_catalog": journal.Skills, "session_identity": journal.Environment, "workspace_identity": journal.Environment, "sandbox_policy": journal.Environment,
		"rules_file": journal.Rules, "memory_snapshot": journal.Rules, "workflow_choice": journal.Overhead, "workflow_availability_off": journal.Overhead,
		"subagent_delegation": journal.Tools, "AGENTS.md": journal.Rules, "system-reminder": journal.Overhead, "anything": journal.Unattributed,
	} {
		_, s := session("s").prompt("a").event(configured(4, message(id, "", 40))).event(trace(0, base, contextOf(40))).completed(100).one(t)
		if n := s.Snapshots[0]; n.Tokens[want] != 10 {
			t.Errorf("%s: %s, want 10 in %s", id, trial.Snapshot(&n), want.Key())
		}
	}
}

// TestAPathInTheNameOfAContextMessageIsNotInADocument: it stands there as a token, and the same path as the same one.
func TestAPathInTheNameOfAContextMessageIsNotInADocument(t *testing.T) {
	for _, message := range []string{`"id":"rules_file:/home/secret/AGENTS.md"`, `"source":"C:\\\\secret\\\\AGENTS.md"`} {
		configured := strings.ReplaceAll(`"kind":"model_request_configured","run_context_messages":[{`+message+`,"text":"`+chars(40)+`"}]`, `\\\\`, `\\`)
		a, s := session("s").event(configured).prompt("aaaa").completed(100).one(t)
		trial.Expect(t, s, "request transcript-observed baseline rules=10 prompts=1 reported=100")
		doc := string(a.AppendJSON(nil, analysis.Options{}))
		if strings.Contains(doc, "secret") || strings.Contains(doc, "AGENTS") || !strings.Contains(doc, `"id":"section:path-`) {
			t.Errorf("%s: %s", message, doc)
		}
	}
}
