package codex_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func chars(n int) string { return strings.Repeat("x", n) }

// clock numbers the lines: each is a second later than the one before, unless at says otherwise.
type script struct {
	lines []string
	now   int
}

func (s *script) add(kind, payload string) *script {
	s.now++
	return s.at(s.now, kind, payload)
}

func (s *script) at(second int, kind, payload string) *script {
	s.now = second
	s.lines = append(s.lines, fmt.Sprintf(`{"timestamp":"2026-06-01T10:%02d:%02d.000Z","type":"%s","payload":%s}`, second/60, second%60, kind, payload))
	return s
}

func (s *script) meta(id, more string) *script {
	return s.add("session_meta", fmt.Sprintf(`{"id":"%s","cwd":"/w","cli_version":"0.142.5","source":"cli"%s}`, id, more))
}

func (s *script) turn(model string) *script {
	return s.add("turn_context", `{"cwd":"/w","model":"`+model+`"}`)
}

func (s *script) message(role, text string) *script {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return s.add("response_item", fmt.Sprintf(`{"type":"message","role":"%s","content":[{"type":"%s","text":"%s"}]}`, role, kind, text))
}

func (s *script) call(id string) *script {
	return s.add("response_item", fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":"{\"cmd\":\"%s\"}","call_id":"%s"}`, chars(30), id)) // 40 characters
}

func (s *script) output(id string, n int) *script {
	return s.add("response_item", fmt.Sprintf(`{"type":"function_call_output","call_id":"%s","output":"%s"}`, id, chars(n)))
}

func (s *script) count(input, total int) *script {
	return s.add("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":10,"total_tokens":%d},"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":10,"total_tokens":%d},"model_context_window":258400},"rate_limits":null}`, total, total+10, input, input/2, input+10))
}

func (s *script) one(t *testing.T) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	return trial.One(t, s.lines...)
}

func begin() *script { return new(script).meta("t1", "").turn("gpt-5.5").message("user", chars(40)) }

// The same conversation as three generations of Codex wrote it must give the same samples.
func TestACountIsSampledBeforeItsResponsesOwnItems(t *testing.T) {
	early := begin().count(1000, 1000).call("c1").output("c1", 400).turn("gpt-5.5").count(1000, 1000).count(1200, 2200).message("assistant", chars(8)).
		message("user", chars(4)).count(1300, 3500).message("assistant", chars(8))
	middle := begin().call("c1").count(1000, 1000).output("c1", 400).count(1000, 1000).message("assistant", chars(8)).count(1200, 2200).
		message("user", chars(4)).message("assistant", chars(8)).count(1300, 3500)
	late := begin().call("c1").output("c1", 400).count(1000, 1000).message("assistant", chars(8)).count(1200, 2200).
		message("user", chars(4)).message("assistant", chars(8)).count(1300, 3500)
	for name, s := range map[string]*script{"early": early, "middle": middle, "late": late} {
		a, got := s.one(t)
		t.Run(name, func(t *testing.T) {
			trial.Expect(t, got,
				"request transcript-observed baseline prompts=10 reported=1000",
				"request transcript-observed prompts=10 assistant=10 results=100 reported=1200",
				"request transcript-observed prompts=11 assistant=12 results=100 reported=1300")
			if c := trial.Changes(a, got, 1); c != "added result:c1 +100, added call:c1 +10" {
				t.Errorf("changes: %s", c)
			}
			if q := got.Requests[1]; q.CacheRead != 600 || q.Output != 10 || q.Window != 258400 {
				t.Errorf("request: %+v", q)
			}
		})
	}
}

func TestRepeatedCountsCountOnce(t *testing.T) {
	_, s := begin().message("assistant", chars(8)).count(1000, 1000).count(1000, 1000).count(1000, 1000).
		message("user", chars(4)).message("assistant", chars(8)).count(1000, 2000).one(t)
	if len(s.Requests) != 2 {
		t.Errorf("%d requests, want 2: the same prompt size with a new total is a new request", len(s.Requests))
	}
}

func TestACountOfRateLimitsIsNoRequest(t *testing.T) {
	_, s := begin().add("event_msg", `{"type":"token_count","info":null,"rate_limits":{}}`).message("assistant", "ok").one(t)
	if len(s.Requests) != 0 {
		t.Errorf("%d requests", len(s.Requests))
	}
}

func TestFragmentsThatNobodyTyped(t *testing.T) {
	for _, c := range []struct{ role, text, category string }{
		{"user", "# AGENTS.md instructions for /w", "rules"},
		{"user", "<user_instructions>", "rules"},
		{"user", "<environment_context>", "environment"},
		{"developer", "<permissions instructions>", "system"},
		{"developer", "<collaboration_mode># Mode", "system"},
		{"developer", "anything else", "system"},
		{"developer", "<skills_instructions>", "skills"},
		{"user", "<skill>", "skills"},
		{"developer", "<apps_instructions>", "tools"},
		{"user", "<turn_aborted>", "overhead"},
		{"user", "what a person typed", "prompts"},
		{"assistant", "# AGENTS.md instructions for /w", "assistant"},
	} {
		text := c.text + chars(400-len(c.text))
		_, s := new(script).meta("t1", "").turn("gpt-5.5").message("user", "abcd").message(c.role, text).message("user", "abcd").message("assistant", "ok").count(1000, 1000).one(t)
		want := map[string]string{"prompts": "prompts=102", "assistant": "prompts=2 assistant=100"}[c.category]
		if want == "" {
			want = c.category + "=100 prompts=2"
			if c.category == "overhead" {
				want = "prompts=2 overhead=100"
			}
		}
		if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed baseline "+want+" reported=1000" {
			t.Errorf("%s %q: %s, want %s", c.role, c.text, got, want)
		}
	}
}

func TestInstructionsAndToolDefinitionsStandInTheHeader(t *testing.T) {
	_, s := new(script).meta("t1", `,"base_instructions":{"text":"`+chars(400)+`","provenance":"builtin"},"dynamic_tools":[{"name":"a"},{"name":"b"}]`).
		turn("gpt-5.5").message("user", chars(4)).message("assistant", "ok").count(1000, 1000).one(t)
	trial.Expect(t, s, "request transcript-observed baseline system=100 tools=7 prompts=1 reported=1000")
}

func TestACompactionReplacesTheHistory(t *testing.T) {
	s := new(script).meta("t1", `,"base_instructions":{"text":"`+chars(40)+`"}`).turn("gpt-5.5").message("user", chars(40)).
		call("c1").output("c1", 4000).count(200000, 200000)
	s.add("compacted", `{"message":"`+chars(80)+`","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"`+chars(40)+`"}]},{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>`+chars(14)+`"}]},{"type":"compaction","encrypted_content":"`+chars(9000)+`"}],"window_id":"w2"}`)
	s.turn("gpt-5.5").add("event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":200000,"output_tokens":10,"total_tokens":200010},"last_token_usage":{"input_tokens":0,"cached_input_tokens":0,"output_tokens":0,"total_tokens":19845},"model_context_window":258400}}`)
	s.add("event_msg", `{"type":"context_compacted"}`)
	s.message("assistant", chars(8)).count(23000, 223000)
	a, got := s.one(t)
	trial.Expect(t, got,
		"request transcript-observed baseline system=10 prompts=10 reported=200000",
		"request transcript-observed system=20 summaries=20 prompts=10 reported=23000")
	if b := trial.Boundaries(a, 0); b != "compaction  200000→23000 (-1→19845)" {
		t.Errorf("boundaries: %s", b)
	}
	if c := trial.Changes(a, got, 1); !strings.Contains(c, "added summary:") || !strings.Contains(c, "removed message:") || !strings.Contains(c, "added compact:") {
		t.Errorf("changes: %s", c)
	}
	if len(got.Unmeasured) != 1 || got.Unmeasured[0].What != "encrypted summaries" {
		t.Errorf("unmeasured: %+v", got.Unmeasured)
	}
}

func TestACompactionWithoutAHistoryKeepsWhatTheUserSaid(t *testing.T) {
	_, s := begin().message("user", "<environment_context>"+chars(19)).call("c1").output("c1", 4000).count(9000, 9000).
		add("compacted", `{"message":"`+chars(80)+`"}`).message("assistant", chars(8)).count(1000, 10000).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline environment=10 prompts=10 reported=9000",
		"request transcript-observed environment=10 summaries=20 prompts=10 reported=1000")
}

func TestAForksCopiedHistoryIsSkipped(t *testing.T) {
	s := new(script)
	s.at(100, "session_meta", `{"id":"child","forked_from_id":"parent","cwd":"/w","cli_version":"0.142.5","source":"cli"}`)
	s.at(100, "session_meta", `{"id":"parent","cwd":"/w","cli_version":"0.142.5","source":"cli"}`)
	for _, l := range []string{
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"` + chars(400) + `"}]}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + chars(400) + `"}]}`,
	} {
		s.at(100, "response_item", l)
	}
	s.at(99, "", "{}") // room for the count, which the clock puts at second 100
	s.lines = s.lines[:len(s.lines)-1]
	s.count(5000, 5000)
	s.at(130, "turn_context", `{"cwd":"/w","model":"gpt-5.5"}`)
	s.message("user", chars(40)).message("assistant", chars(8)).count(6000, 11000)
	_, got := s.one(t)
	trial.Expect(t, got, "request transcript-observed baseline prompts=10 reported=6000")
	if got.ID != "child" || got.Copied != 4 {
		t.Errorf("session %s with %d copied records, want child with 4", got.ID, got.Copied)
	}
}

// A fork and the thread it comes from, open together in either order, stay two sessions; so does a fork of the fork, which
// brings both headers along, and a file that stands in itself twice.
func TestAForkOpenedWithItsParentStaysApart(t *testing.T) {
	parent := new(script).meta("parent", "").turn("gpt-5.5").message("user", chars(400)).message("assistant", chars(400)).count(5000, 5000)
	child := new(script)
	child.at(100, "session_meta", `{"id":"child","forked_from_id":"parent","cwd":"/w","cli_version":"0.142.5","source":"cli"}`)
	child.at(100, "session_meta", `{"id":"parent","cwd":"/w","cli_version":"0.142.5","source":"cli"}`)
	copied := `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + chars(400) + `"}]}`
	child.at(100, "response_item", copied)
	child.at(130, "turn_context", `{"cwd":"/w","model":"gpt-5.5"}`)
	child.message("user", chars(40)).message("assistant", chars(8)).count(6000, 11000)
	grandchild := new(script)
	for _, meta := range []string{`{"id":"grandchild","forked_from_id":"child"}`, `{"id":"child","forked_from_id":"parent"}`, `{"id":"parent"}`} {
		grandchild.at(200, "session_meta", meta)
	}
	grandchild.at(200, "response_item", copied)
	grandchild.at(230, "turn_context", `{"cwd":"/w","model":"gpt-5.5"}`)
	grandchild.message("user", chars(80)).message("assistant", chars(8)).count(7000, 18000)

	file := func(name string, s *script, times int) trial.File {
		return trial.File{Path: name, Text: strings.Repeat(strings.Join(s.lines, "\n")+"\n", times)}
	}
	p, c, g := file("p.jsonl", parent, 1), file("c.jsonl", child, 1), file("g.jsonl", grandchild, 1)
	for _, files := range [][]trial.File{{p, c, g}, {g, c, p}, {p, file("c.jsonl", child, 2), file("g.jsonl", grandchild, 2)}} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != "parent: 1 requests; child: 1 requests; grandchild: 1 requests" {
			t.Fatalf("sessions: %s", got)
		}
		trial.Expect(t, a.Sessions[0], "request transcript-observed baseline prompts=100 reported=5000")
		trial.Expect(t, a.Sessions[1], "request transcript-observed baseline prompts=10 reported=6000")
		trial.Expect(t, a.Sessions[2], "request transcript-observed baseline prompts=20 reported=7000")
	}
}

// What a later version adds to the history must not be without a category: the categories add up to the estimate.
func TestTextOfUnknownItemsHasACategoryOrIsDroppedAndCounted(t *testing.T) {
	a, s := begin().message("assistant", chars(8)).count(9000, 9000).
		add("compacted", `{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"`+chars(40)+
			`"}]},{"type":"thing_of_tomorrow","content":[{"type":"text","text":"`+chars(400)+`"}]},{"type":"compaction","message":"`+chars(80)+`"}]}`).
		add("response_item", `{"type":"web_search_call","content":[{"type":"text","text":"`+chars(4)+`"}]}`).
		message("user", chars(4)).message("assistant", chars(8)).count(1000, 10000).one(t)
	n := &s.Snapshots[len(s.Snapshots)-1]
	if got := trial.Snapshot(n); got != "request transcript-observed prompts=11 unattributed=21 reported=1000" {
		t.Errorf("after the compaction: %s", got)
	}
	if n.Sum() != 32 {
		t.Errorf("the estimate is %d, want 32", n.Sum())
	}
	if k := a.Inputs[0].Kinds; len(k) != 1 || k[0].Kind != "response_item/thing_of_tomorrow" {
		t.Errorf("unknown kinds: %v", k)
	}
}

func TestATurnTakenBackAfterACompactionLeavesItsHistory(t *testing.T) {
	user := func(text string) string {
		return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}`
	}
	_, s := begin().message("assistant", chars(8)).count(9000, 9000).message("user", chars(80)).
		add("compacted", `{"message":"","replacement_history":[`+user("<environment_context>"+chars(19))+`,`+user(chars(40))+`,`+user(chars(80))+`]}`).
		message("assistant", chars(400)).count(1000, 10000).
		add("event_msg", `{"type":"thread_rolled_back","num_turns":1}`).
		message("user", chars(4)).message("assistant", chars(8)).count(900, 10900).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=9000",
		"request transcript-observed environment=10 prompts=30 reported=1000",
		"request transcript-observed environment=10 prompts=11 reported=900")
}

func TestASpawnedSubagentHasItsParent(t *testing.T) {
	parent := new(script).meta("parent", "").turn("gpt-5.5").message("user", chars(40)).message("assistant", "ok").count(1000, 1000)
	child := new(script)
	child.at(200, "session_meta", `{"id":"child","cwd":"/w","cli_version":"0.142.5","source":{"subagent":{"thread_spawn":{"parent_thread_id":"parent","depth":1,"agent_role":"auditor"}}}}`)
	child.message("user", chars(8)).message("assistant", "ok").count(500, 500)
	a := trial.Open(t, trial.File{Path: "b.jsonl", Text: strings.Join(child.lines, "\n")}, trial.File{Path: "a.jsonl", Text: strings.Join(parent.lines, "\n")})
	if got := trial.Sessions(a); got != "parent: 1 requests; child (auditor) of parent: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
}

func TestTurnsThatWereTakenBackLeaveTheContext(t *testing.T) {
	a, s := begin().message("assistant", chars(8)).count(1000, 1000).message("user", chars(400)).message("assistant", chars(400)).count(1200, 2200).
		add("event_msg", `{"type":"thread_rolled_back","num_turns":1}`).message("user", chars(4)).message("assistant", chars(8)).count(1010, 3210).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=110 assistant=2 reported=1200",
		"request transcript-observed prompts=11 assistant=2 reported=1010")
	if b := trial.Boundaries(a, 0); b != "rewind  1200→1010 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestEventsAreCopiesForTheInterface(t *testing.T) {
	a, s := begin().add("event_msg", `{"type":"user_message","message":"`+chars(4000)+`"}`).
		add("event_msg", `{"type":"exec_command_end","call_id":"n1","stdout":"`+chars(4000)+`"}`).
		add("event_msg", `{"type":"never_seen_before","message":"`+chars(4000)+`"}`).
		message("assistant", chars(8)).count(1000, 1000).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")
	if k := a.Inputs[0].Kinds; len(k) != 1 || k[0].Kind != "event_msg/never_seen_before" {
		t.Errorf("unknown kinds: %v", k)
	}
}

// Calls that a script makes in code mode leave events and no items; what the script returned is the only result.
func TestResultsOfCallsInsideAScriptMakeNoItem(t *testing.T) {
	s := begin()
	s.add("response_item", `{"type":"custom_tool_call","name":"exec","input":"`+chars(40)+`","call_id":"x1"}`)
	s.add("event_msg", `{"type":"mcp_tool_call_end","call_id":"n1","result":{"content":[{"type":"text","text":"`+chars(4000)+`"}]}}`)
	s.add("event_msg", `{"type":"exec_command_end","call_id":"n2","stdout":"`+chars(4000)+`"}`)
	s.add("response_item", `{"type":"custom_tool_call_output","call_id":"x1","output":"`+chars(40)+`"}`)
	_, got := s.count(1000, 1000).message("assistant", "ok").count(1100, 2100).one(t)
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=10 results=10 reported=1100")
}

func TestReasoningAndImagesAreUnmeasured(t *testing.T) {
	s := begin()
	s.add("response_item", `{"type":"reasoning","summary":[{"type":"summary_text","text":"`+chars(400)+`"}],"encrypted_content":"`+chars(4000)+`"}`)
	s.call("c1")
	s.add("response_item", `{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"`+chars(40)+`"},{"type":"input_image","image_url":"data:image/png;base64,`+chars(4000)+`"}]}`)
	_, got := s.count(1000, 1000).message("assistant", "ok").count(1100, 2100).one(t)
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=10 results=10 reported=1100")
	want := []analysis.Unmeasured{{What: "encrypted reasoning", Count: 1}, {What: "images and documents", Count: 1}}
	if !slices.Equal(got.Unmeasured, want) {
		t.Errorf("unmeasured: %+v, want %+v", got.Unmeasured, want)
	}
}

func TestAModelSwitchIsABaselineWithItsOwnWindow(t *testing.T) {
	s := begin().message("assistant", "ok").count(1000, 1000).turn("gpt-5.3-codex-spark").message("user", chars(4)).message("assistant", "ok")
	s.add("event_msg", `{"type":"token_count","info":{"total_token_usage":{"input_tokens":2100,"output_tokens":20,"total_tokens":2120},"last_token_usage":{"input_tokens":1100,"cached_input_tokens":0,"output_tokens":10,"total_tokens":1110},"model_context_window":121600}}`)
	_, got := s.one(t)
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed baseline prompts=11 assistant=1 reported=1100")
	if got.Snapshots[0].Window != 258400 || got.Snapshots[1].Window != 121600 {
		t.Errorf("windows %d and %d", got.Snapshots[0].Window, got.Snapshots[1].Window)
	}
}

func TestAPromptBeyondTheWindowIsNotBelieved(t *testing.T) {
	_, s := begin().message("assistant", "ok").count(4280000, 4280000).one(t)
	if s.Requests[0].Input != analysis.Unknown {
		t.Errorf("reported %d", s.Requests[0].Input)
	}
}

func TestTheBareFormatHasNoUsage(t *testing.T) {
	_, s := trial.One(t,
		`{"id":"t0","timestamp":"2025-09-01T10:00:00.000Z","instructions":null,"git":{}}`,
		`{"record_type":"state"}`,
		`{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"`+chars(40)+`"}]}`,
		`{"type":"message","id":null,"role":"user","content":[{"type":"input_text","text":"`+chars(40)+`"}]}`,
		`{"type":"function_call","id":"f","name":"shell","arguments":"`+chars(40)+`","call_id":"c1"}`,
		`{"type":"function_call_output","call_id":"c1","output":"`+chars(400)+`"}`,
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"`+chars(40)+`"}]}`)
	trial.Expect(t, s,
		"capture transcript-observed baseline prompts=20",
		"capture transcript-observed prompts=20 assistant=10 results=100")
	if s.ID != "t0" || len(s.Requests) != 0 {
		t.Errorf("session %s with %d requests", s.ID, len(s.Requests))
	}
}

func TestAnEditorsContextIsNoTitle(t *testing.T) {
	_, s := new(script).meta("t1", "").message("user", "<environment_context>x").
		message("user", `# Context from my IDE setup:\n\n## Active file: a.go\n\n## My request for Codex:\nfix the parser\n`).one(t)
	if s.Title != "fix the parser" {
		t.Errorf("title %q", s.Title)
	}
}

func TestAPersonWhoSaysTheSameTwiceIsCountedTwice(t *testing.T) {
	_, s := begin().message("user", chars(40)).message("assistant", "ok").count(1000, 1000).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=20 reported=1000")
}

func TestAHeaderThatComesAgainBeginsAReplay(t *testing.T) {
	s := begin().message("assistant", "ok").count(1000, 1000)
	lines := append(append([]string{}, s.lines...), s.lines...)
	more := &script{now: 300}
	more.message("user", chars(4)).message("assistant", "ok").count(1100, 2100)
	a, got := trial.One(t, append(lines, more.lines...)...)
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=11 assistant=1 reported=1100")
	if a.Duplicate[0] != 5 {
		t.Errorf("%d duplicates, want 5", a.Duplicate[0])
	}
}
