package muse_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// TestLanesAreTheRequest is the golden vector of the schema: 80 + 40 bytes make 30 tokens, 80 + 200 make 70; a result of 400
// characters between them is added as an item, whatever the lanes say.
func TestLanesAreTheRequest(t *testing.T) {
	system := group("system_base", "provider_default", "option:meta.instructions", 80)
	a, s := session("s").prompt(chars(40)).
		event(trace(0, system, group("history", "current_user", "message.role:user", 40))).completed(1000).
		result("r", chars(400)).
		event(trace(0, system, group("tool_result", "run_history", "message.role:tool", 200))).completed(2000).one(t)
	trial.Expect(t, s,
		"request request-input native-bytes/4 baseline system=20 prompts=10 reported=1000",
		"request request-input native-bytes/4 system=20 results=50 reported=2000")
	if first, second := s.Snapshots[0].Sum(), s.Snapshots[1].Sum(); first != 30 || second != 70 {
		t.Errorf("estimates %d and %d, want 30 and 70", first, second)
	}
	expect(t, "changes", trial.Changes(a, s, 1), "added result:r +100")
	for i := range s.Snapshots {
		if got := s.Snapshots[i].ItemStage.String(); got != "transcript-observed" {
			t.Errorf("items of sample %d are %q", i, got)
		}
	}
}

func TestEachLaneHasItsCategory(t *testing.T) {
	_, s := session("s").prompt(chars(4)).event(trace(5,
		group("system_base", "provider_default", "option:meta.instructions", 41), // 11
		group("tool_specs", "default", "request.tools", 9),                       // 3
		group("tool_result", "current_user", "message.role:tool", 1),             // 1, by its lane
		group("history", "current_user", "message.role:user", 4),                 // 1
		group("history", "run_history", "message.role:assistant", 5),             // 2
		group("history", "run_history", "message.role:user", 6),                  // 2
		group("history", "run_history", "message.role:assistant", 5),             // 2: each group rounds up on its own
		group("provider_options", "default", "option:x", 2),                      // 1
		group("history", "run_history", "message.role:assistant", 0),
		group("history", "run_history", "message.role:assistant", -7),
		`{"logical_lane":{"value":"tool_specs"}}`, `{"logical_lane":"tool_specs","byte_count":"9"}`, `7`,
		group("context", "run_context", "message.role:developer", 10), // 3
	)).completed(100).one(t)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=11 tools=3 prompts=1 assistant=4 results=1 messages=2 unattributed=6 reported=100")
}

func TestLanesOfAnotherSchemaOrScopeAreNotRead(t *testing.T) {
	lanes := trace(0, group("system_base", "x", "y", 80))
	for what, l := range map[string]string{
		"version 1":      strings.Replace(lanes, `"schema_version":2`, `"schema_version":1`, 1),
		"another scope":  strings.Replace(lanes, "full_request", "delta", 1),
		"nothing in it":  trace(0, group("system_base", "x", "y", 0)),
		"no bounded":     `"kind":"model_input_trace_recorded","schema_version":2,"scope":"full_request","bounded":null`,
		"no trace":       `"kind":"model_response_created","response_id":"r1"`,
		"no byte counts": trace(0, `{"logical_lane":{"value":"system_base"}}`),
	} {
		_, s := session("s").prompt(chars(40)).event(l).answer(4).completed(1000).one(t)
		if got := trial.Snapshot(&s.Snapshots[0]); got != "request transcript-observed baseline prompts=10 reported=1000" {
			t.Errorf("%s: %s", what, got)
		}
	}
}

// TestLanesDoNotLeak: the lanes of a call that failed belong to nobody, in the same run, in another, in a child.
func TestLanesDoNotLeak(t *testing.T) {
	lanes := trace(0, group("system_base", "x", "y", 80))
	_, s := session("s").prompt(chars(40)).event(lanes).event(`"kind":"terminal","terminal":"failed"`).
		in("n2", `"kind":"started","prompt":"`+chars(4)+`"`).in("n2", completed(1000, 10)).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=11 reported=1000")

	_, s = session("s").prompt(chars(40)).event(lanes).event(`"kind":"terminal","terminal":"failed"`).completed(1000).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")

	// A response that was begun again has no lanes of its own.
	created := `"kind":"model_response_created","response_id":"r"`
	_, s = session("s").prompt(chars(40)).event(lanes).event(created).event(created).completed(1000).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")

	_, s = session("s").prompt(chars(40)).event(lanes).
		event(trace(0, group("system_base", "x", "y", 120))).completed(1000).completed(1100).one(t)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=30 reported=1000",
		"request transcript-observed prompts=10 reported=1100")
}

func TestASampleStandsBeforeItsResponse(t *testing.T) {
	created := `"kind":"model_response_created","response_id":"resp"`
	want := "request transcript-observed baseline prompts=10 reported=1000\nrequest transcript-observed prompts=10 assistant=14 results=25 reported=1200"
	for how, s := range map[string]*script{
		"content first": session("s").prompt(chars(40)).event(created).answer(40).calls("c", "bash").completed(1000).
			result("c", chars(100)).event(created).answer(8).completed(1200),
		"usage first": session("s").prompt(chars(40)).completed(1000).answer(40).calls("c", "bash").
			result("c", chars(100)).completed(1200).answer(8),
		"without a beginning": session("s").prompt(chars(40)).answer(40).calls("c", "bash").completed(1000).
			result("c", chars(100)).answer(8).completed(1200),
		"usage between": session("s").prompt(chars(40)).event(created).answer(40).completed(1000).calls("c", "bash").
			result("c", chars(100)).event(created).answer(8).completed(1200),
	} {
		_, v := s.one(t)
		var got []string
		for i := range v.Snapshots {
			got = append(got, trial.Snapshot(&v.Snapshots[i]))
		}
		expect(t, how, strings.Join(got, "\n"), want)
	}
}

func TestUsageIsReadOnce(t *testing.T) {
	a, s := session("s").metadata().prompt("Do it").
		event(`"kind":"model_response_created","response_id":"resp-1"`).
		event(`"kind":"goal_usage_attribution","record":{"quantity":{"input_tokens":5000},"owner":{"requester_kind":"main"}},` + usage(5000, 31, 4096)).
		event(`"kind":"model_completed","model":"muse-y","duration_ms":900,` + usage(5000, 31, 4096)).
		event(`"kind":"resource_usage_sampled","usage":{"rss_self_bytes":1,"input_tokens":77}`).one(t)
	if len(s.Requests) != 1 {
		t.Fatalf("%d requests, want 1", len(s.Requests))
	}
	q := s.Requests[0]
	if q.Input != 5000 || q.CacheRead != 4096 || q.CacheWrite != 0 || q.Output != 31 || a.Strings.Get(q.Model) != "muse-y" || a.Strings.Get(q.ID) != "resp-1" {
		t.Errorf("request %+v", q)
	}
	// It was sent 0.9 s before the fifth record.
	if want := int64(start+5_000_000)*1000 - 900e6; q.At != want || s.Snapshots[0].At != want {
		t.Errorf("sent at %d, sampled at %d, want %d", q.At, s.Snapshots[0].At, want)
	}
	if s.Version != "1.4.2" || s.Title != "Do it" {
		t.Errorf("version %q, title %q", s.Version, s.Title)
	}
}

func TestCachedTokensAloneAreTheCache(t *testing.T) {
	for _, u := range []string{`"cached_tokens":70`, `"cached_tokens":70,"cache_read_tokens":70`, `"cache_read_tokens":70,"cached_tokens":70`} {
		_, s := session("s").prompt("a").event(`"kind":"model_completed","usage":{"input_tokens":100,` + u + `}`).one(t)
		if q := s.Requests[0]; q.Input != 100 || q.CacheRead != 70 || q.CacheWrite != -1 || q.Output != -1 {
			t.Errorf("%s: %+v", u, q)
		}
	}
}

func TestZeroUsageIsNoRequest(t *testing.T) {
	_, s := session("s").prompt(chars(40)).event(completed(0, 0)).answer(4).event(`"kind":"model_completed","usage":null`).
		event(`"kind":"model_completed","usage":{"input_tokens":-5,"output_tokens":"9"}`).one(t)
	if len(s.Requests) != 0 {
		t.Errorf("requests %+v", s.Requests)
	}
	trial.Expect(t, s, "capture transcript-observed baseline prompts=10", "capture transcript-observed prompts=10", "capture transcript-observed prompts=10 assistant=1")
}

// TestASampleIsNoEarlierThanItsTrace: a duration that reaches back beyond the trace is cut there.
func TestASampleIsNoEarlierThanItsTrace(t *testing.T) {
	_, s := session("s").prompt("a").event(trace(0, group("system_base", "x", "y", 80))).
		event(`"kind":"model_completed","duration_ms":60000,` + usage(100, 1, 0)).one(t)
	if want := int64(start+2_000_000) * 1000; s.Requests[0].At != want || s.Snapshots[0].At != want {
		t.Errorf("at %d and %d, want %d", s.Requests[0].At, s.Snapshots[0].At, want)
	}
}

// TestRequestsAreInTheOrderOfTime, whatever their durations say.
func TestRequestsAreInTheOrderOfTime(t *testing.T) {
	_, s := session("s").prompt("a").completed(100).event(`"kind":"model_completed","duration_ms":60000,` + usage(200, 1, 0)).one(t)
	if want := int64(start+2_000_000)*1000 - 500e6; s.Requests[0].At != want || s.Requests[1].At != want {
		t.Errorf("at %d and %d, want %d", s.Requests[0].At, s.Requests[1].At, want)
	}
}

func TestACommandToTheRecorderIsNoPrompt(t *testing.T) {
	for prompt, tokens := range map[string]int{
		"tracing start": 0, "/tracing start": 0, " /tracing start --content off ": 0, "tracing stop": 0,
		`tracing start\nand then fix the bug`: 9, "tracing starts late": 5, "/tracing": 2, "start tracing": 4,
	} {
		_, s := session("s").prompt(prompt).answer(4).completed(100).one(t)
		want := "request transcript-observed baseline"
		if tokens > 0 {
			want += fmt.Sprintf(" prompts=%d", tokens)
		}
		expect(t, prompt, trial.Snapshot(&s.Snapshots[0]), want+" reported=100")
	}
}

func TestAnExitCodeSaysSomethingAboutCommandsOnly(t *testing.T) {
	for what, want := range map[string]bool{`{\"exit_code\":1}`: true, `{\"exit_code\":-9,\"output\":\"`: true, `{\"exit_code\":0}`: false, `exit_code 1`: false} {
		for tool, speaks := range map[string]bool{"bash": true, "bash_input": true, "read_file": false} {
			_, s := session("s").prompt("a").calls("c", tool).result("c", what).completed(100).one(t)
			if got := s.Calls[0].Failed; got != (want && speaks) {
				t.Errorf("%s of %s: failed is %v", what, tool, got)
			}
		}
	}
	_, s := session("s").prompt("a").calls("c", "web_fetch").
		add("tool_batch.effect.terminal", `{"kind":"tool_batch_effect","run_id":"n1","record":{"kind":"terminal","call_id":"c","outcome":{"kind":"failed"}}}`).completed(100).one(t)
	if !s.Calls[0].Failed {
		t.Error("a call whose effect failed did not fail")
	}
}

func TestCallsAreNamed(t *testing.T) {
	a, s := session("s").prompt("a").calls("c", "bash").
		event(`"kind":"assistant_tool_calls_committed","tool_calls":[{"call_id":"d","name":"read_file","args":{"path":"a.go"}},{"name":"bash","args":"no json"},3,{"name":"bash","args":""}]`).
		completed(100).event(`"kind":"tool_result","call_id":"d","output":"` + chars(12) + `"`).completed(200).one(t)
	if len(s.Calls) != 4 || a.Strings.Get(s.Calls[0].Detail) != "ls" || a.Strings.Get(s.Calls[1].Name) != "read_file" {
		t.Errorf("calls %+v", s.Calls)
	}
	// 16 characters of arguments, 15 of JSON, 7 of text; the empty one is no item
	expect(t, "the last sample", trial.Snapshot(&s.Snapshots[1]), "request transcript-observed prompts=1 assistant=10 results=3 reported=200")
	if row := a.Changes(0, analysis.ChangeFilter{Sample: 1, Category: "results"}).Rows[0]; row.Tool != "read_file" || row.CallID != "d" {
		t.Errorf("the result is that of %q, call %q", row.Tool, row.CallID)
	}
}

func TestUnmeasuredContentIsCounted(t *testing.T) {
	_, s := session("s").prompt("a").
		event(`"kind":"model_request_configured","toolset":{"active_tools":["bash","search"]}`).
		event(`"kind":"reasoning_committed","text":"","encrypted_content":"AAAA"`).
		event(`"kind":"reasoning_summary_committed","text":"shown, not sent"`).
		event(`"kind":"tool_result_model_visible_content","call_id":"c","content":[{"kind":"text","text":"again"},{"kind":"image","base64_data":"AAAA"}]`).
		completed(100).one(t)
	got := map[string]int64{}
	for _, u := range s.Unmeasured {
		got[u.What] = u.Count
	}
	if got["encrypted reasoning"] != 1 || got["images and documents"] != 1 || got["tool definitions of which only the names are recorded"] != 2 || len(got) != 3 {
		t.Errorf("unmeasured: %v", got)
	}
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100")
}

func TestModelsAndNames(t *testing.T) {
	a, s := session("s").metadata().prompt("first prompt").event(`"kind":"model_completed",`+usage(100, 1, 0)).
		add("runtime.model_reconfigure.completed", `{"kind":"model_reconfigure","record":{"effective":{"model_id":"muse-y"},"previous":{"model_id":"muse-x"}}}`).
		event(`"kind":"model_completed",`+usage(200, 1, 0)).
		add("run.model.configured", `{"kind":"run_model","record":{"model_id":"muse-z"}}`).
		event(`"kind":"model_completed",`+usage(300, 1, 0)).
		add("session.name.changed", `{"session_id":"s","previous_name":null,"new_name":"A name"}`).one(t)
	var models []string
	for _, q := range s.Requests {
		models = append(models, a.Strings.Get(q.Model))
	}
	expect(t, "models", strings.Join(models, " "), "muse-x muse-y muse-z")
	expect(t, "boundaries", trial.Boundaries(a, 0), "model-switch  100→200 (-1→-1); model-switch  200→300 (-1→-1)")
	expect(t, "title", s.Title, "A name")
}

func TestUnknownKindsAreCounted(t *testing.T) {
	a, s := session("s").prompt("a").event(`"kind":"brand_new"`).event(`"kind":"brand_new","text":"with text"`).
		add("runtime.session", `{"kind":"task","task_id":"t","event":{"kind":"newer"}}`).
		add("runtime.session", `{"kind":"task","task_id":"t","event":{"kind":"proposed"}}`).
		add("session.newest", `{"kind":"newest"}`).add("session.worktree.created", `{}`).add("runtime.session", `{"kind":"approval","event":{"kind":"requested"}}`).
		line(`{"other":1}`).line(`[1]`).completed(100).one(t)
	var got []string
	for _, k := range a.Inputs[0].Kinds {
		got = append(got, fmt.Sprintf("%s %d", k.Kind, k.Count))
	}
	expect(t, "unknown", strings.Join(got, ", "), "run/brand_new 2, task/newer 1, session.newest 1, (no type) 1, (not an object) 1")
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100")
}

// TestTheOrderOfMembersMeansNothing: the kind may stand behind what it is the kind of, and the payload before its type.
func TestTheOrderOfMembersMeansNothing(t *testing.T) {
	turned := []string{
		`{"payload":{"event":{"prompt":"` + chars(40) + `","kind":"started"},"run_id":"n1","kind":"run"},"payload_type":"runtime.session","recorded_at":1791000001000000,"sequence":1,"stream":{"id":"s","kind":"session"},"id":"s-1"}`,
		`{"payload":{"event":{"bounded":{"aggregates":[{"byte_count":80,"source":{"value":"x"},"logical_lane":{"value":"system_base"}}]},"scope":"full_request","schema_version":2,"kind":"model_input_trace_recorded"},"run_id":"n1","kind":"run"},"payload_type":"runtime.session","recorded_at":1791000002000000,"sequence":2,"stream":{"id":"s"},"id":"s-2"}`,
		`{"payload":{"event":{"usage":{"output_tokens":1,"input_tokens":100},"kind":"model_completed"},"run_id":"n1","kind":"run"},"payload_type":"runtime.session","recorded_at":1791000003000000,"sequence":3,"stream":{"id":"s"},"id":"s-3"}`,
	}
	_, s := trial.One(t, turned...)
	trial.Expect(t, s, "request request-input native-bytes/4 baseline system=20 reported=100")
	if s.Title == "" || s.Items() != 0 { // the tracker is let go
		t.Errorf("title %q", s.Title)
	}
}
