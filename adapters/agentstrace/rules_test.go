package agentstrace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func chars(n int) string { return strings.Repeat("x", n) }

// script writes events, each a second after the one before and with an id of its own.
type script struct {
	lines []string
	now   int
}

// add writes an event; more are top-level members, each with a comma before it.
func (s *script) add(kind, data string, more ...string) *script {
	s.now++
	s.lines = append(s.lines, fmt.Sprintf(`{"event_type":"%s","timestamp":%d.5,"event_id":"e%d","session_id":"s","data":{%s}%s}`,
		kind, 1000+s.now, s.now, data, strings.Join(more, "")))
	return s
}

func (s *script) prompt(n int) *script { return s.add("user_prompt", `"prompt":"`+chars(n)+`"`) }

// answer writes what the assistant said with the usage of an Anthropic model.
func (s *script) answer(text string, cached int) *script {
	return s.add("assistant_response", fmt.Sprintf(`"text":"%s","model":"claude-a","usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":5}`, text, cached))
}

// row writes an event of an import, which says what row it was made of.
func (s *script) row(kind, uuid, data string) *script {
	return s.add(kind, data+`,"source_uuid":"`+uuid+`","source_parent_uuid":"None"`)
}

// rowAnswer writes the figures that an import writes for every block of a response.
func (s *script) rowAnswer(uuid, text string, cached, output int) *script {
	if text != "" {
		text = `"text":"` + text + `",`
	}
	return s.row("assistant_response", uuid, fmt.Sprintf(`%s"model":"claude-a","usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":%d}`, text, cached, output))
}

// call of 10 tokens: "Bash" and {"command":"…"} are 40 characters.
func callOf(id string) string {
	return `"tool_name":"Bash","arguments":{"command":"` + chars(22) + `"},"request_id":"` + id + `"`
}

func (s *script) one(t *testing.T) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	return trial.One(t, s.lines...)
}

func (s *script) text() string { return strings.Join(s.lines, "\n") + "\n" }

// figures says the requests of a session: input, cache read, cache write, output.
func figures(s *analysis.Session) string {
	var out []string
	for _, q := range s.Requests {
		out = append(out, fmt.Sprintf("%d(%d %d)%d", q.Input, q.CacheRead, q.CacheWrite, q.Output))
	}
	return strings.Join(out, " ")
}

func TestUsageInAllSpellings(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`"input_tokens":1000`, "1000(-1 -1)-1"},
		{`"usage":{"prompt_tokens":1000,"completion_tokens":7}`, "1000(-1 -1)7"},
		{`"usage_metadata":{"prompt_token_count":1000,"cached_content_token_count":900,"candidates_token_count":7}`, "1000(900 -1)7"},
		{`"usageMetadata":{"promptTokenCount":1000,"cachedContentTokenCount":900,"candidatesTokenCount":7}`, "1000(900 -1)7"},
		{`"token_usage":{"inputTokens":1000,"outputTokens":7}`, "1000(-1 -1)7"},
		{`"response_metadata":{"finish":"stop","token_usage":{"prompt_tokens":1000}}`, "1000(-1 -1)-1"},
		{`"input_tokens":1000,"usage":{"input_tokens":5}`, "1000(-1 -1)-1"}, // data itself is asked first
		{`"usage":{"input_tokens":5},"input_tokens":1000`, "1000(-1 -1)-1"}, // wherever it stands
		{`"usage":{"input_tokens":0,"cache_read_input_tokens":0},"token_usage":{"input_tokens":1000}`, "1000(-1 -1)-1"},
		{`"usage":{"prompt_tokens":5,"input_tokens":1000}`, "1000(-1 -1)-1"}, // the first spelling, not the first member
		{`"usage":{"input_tokens":null,"prompt_tokens":true,"inputTokens":"many","promptTokenCount":-3,"prompt_token_count":"1000"}`, "1000(-1 -1)-1"},
		{`"usage":{"input_tokens":1000.9}`, "1000(-1 -1)-1"},
		{`"usage":{"input_tokens":" 1000.9 "}`, "1000(-1 -1)-1"},
		{`"usage":{"input_tokens":1e3}`, "1000(-1 -1)-1"},
		{`"usage":[1],"usage_metadata":"x","token_usage":{"input_tokens":1000}`, "1000(-1 -1)-1"},
		{`"usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":"790"}`, "1000(790 200)-1"},
		{`"usage":{"input_tokens":0,"cache_read_input_tokens":1000}`, "1000(1000 -1)-1"}, // a prompt that was all cached
		{`"usage":{"inputTokens":10,"cacheReadInputTokens":790,"cacheWriteInputTokens":200}`, "1000(790 200)-1"},
		{`"usage":{"prompt_tokens":1000,"prompt_tokens_details":{"cached_tokens":900}}`, "1000(900 -1)-1"},
		{`"usage":{"input_tokens":1000,"input_tokens_details":{"cached_tokens":900}}`, "1000(900 -1)-1"},
		{`"usage":{"input_tokens":1000,"input_token_details":{"cache_read":900,"audio":1}}`, "1000(900 -1)-1"},
		{`"usage":{"input_tokens":1000,"input_tokens_details":[900]}`, "1000(-1 -1)-1"},
		{`"response_metadata":[],"token_usage":{"inputTokens":1000}`, "1000(-1 -1)-1"},
		{`"usage":{"input_tokens":1000,"cached_input_tokens":950}`, "1000(950 -1)-1"},
		{`"usage":{"input_tokens":50,"cached_input_tokens":950}`, "1000(950 -1)-1"},                                 // too many to be a part
		{`"usage":{"prompt_tokens":1000,"cache_read_input_tokens":900}`, "1000(900 -1)-1"},                          // a gateway's sum
		{`"usage":{"prompt_tokens":100,"cache_read_input_tokens":900}`, "1000(900 -1)-1"},                           // … which this can't be
		{`"model":"claude-a","usage":{"input_tokens":50,"cached_input_tokens":40}`, "90(40 -1)-1"},                  // Anthropic's leaves them out
		{`"model":"gpt-a","provider":"claude","usage":{"input_tokens":50,"cached_input_tokens":40}`, "50(40 -1)-1"}, // the model tells best
	} {
		_, s := new(script).prompt(4).add("assistant_response", c.data).one(t)
		if got := figures(s); got != c.want {
			t.Errorf("%s: %s, want %s", c.data, got, c.want)
		}
	}
}

func TestNoFiguresAreNoRequest(t *testing.T) {
	for _, data := range []string{`"text":"a"`, `"usage":{"input_tokens":0,"output_tokens":0}`, `"usage":{"input_tokens":false}`, `"usage":{"input_tokens":"0x10"}`,
		`"usage":{"input_tokens":"inf"}`, `"usage":{"input_tokens":1e300}`, `"usage":{"output_tokens":5}`, `"usage":null`, `"usage":{"prompt_tokens_details":{"cached_tokens":5}}`} {
		_, s := new(script).prompt(4).add("assistant_response", data).one(t)
		if len(s.Requests) != 0 {
			t.Errorf("%s makes a request of %s", data, figures(s))
		}
	}
}

// Where neither the spelling nor the model tells, the provider that the session was started with does.
func TestTheProviderOfTheSessionTellsWhatIsCached(t *testing.T) {
	for provider, want := range map[string]string{"claude": "90(40 -1)-1", "anthropic": "90(40 -1)-1", "openai": "50(40 -1)-1"} {
		_, s := new(script).add("session_start", `"provider":"`+provider+`"`).prompt(4).
			add("llm_response", `"usage":{"input_tokens":50,"cached_input_tokens":40}`).one(t)
		if got := figures(s); got != want {
			t.Errorf("%s: %s, want %s", provider, got, want)
		}
	}
}

func TestACachedSubsetMakesNoCompaction(t *testing.T) {
	s := new(script).prompt(4).add("llm_response", `"model":"gpt-a","usage":{"input_tokens":100000,"cached_input_tokens":95000}`).
		prompt(4).add("llm_response", `"model":"gpt-a","usage":{"input_tokens":96000,"cached_input_tokens":0}`)
	a, _ := s.one(t)
	if got := trial.Boundaries(a, 0); got != "" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestAResponseIsSampledBeforeItsOwnBlocks(t *testing.T) {
	_, s := new(script).prompt(40).answer(chars(8), 90).add("tool_call", callOf("t1")).
		add("tool_result", `"tool_use_id":"t1","content_preview":"`+chars(400)+`"`).answer(chars(4), 190).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=100",
		"request transcript-observed prompts=10 assistant=12 results=100 reported=200")
}

// An import writes the figures of a response with each of its blocks, and a call before the figures of its own block.
func TestTheRowsOfAResponseAreOneRequest(t *testing.T) {
	a, s := new(script).row("user_prompt", "u1", `"prompt":"`+chars(40)+`"`).
		rowAnswer("u2", "", 990, 1).rowAnswer("u3", chars(8), 990, 1).row("tool_call", "u4", callOf("t1")).rowAnswer("u4", "", 990, 70).
		row("tool_result", "u5", `"tool_use_id":"t1","content_preview":"`+chars(4)+`"`).
		row("tool_call", "u6", callOf("t2")).rowAnswer("u6", "", 990, 70). // the same response goes on behind a result
		row("tool_result", "u7", `"tool_use_id":"t2","content_preview":"`+chars(4)+`"`).
		row("tool_call", "u8", callOf("t3")).rowAnswer("u8", "", 1990, 3).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=22 results=2 reported=2000")
	if got := figures(s); got != "1000(990 0)70 2000(1990 0)3" {
		t.Errorf("requests: %s", got)
	}
	if q := s.Requests[1]; s.Snapshots[1].At != 1010_500000000 || a.Strings.Get(q.ID) != "e11" || q.Source.Line != 11 {
		t.Errorf("the second request: sampled at %d, %+v", s.Snapshots[1].At, q)
	}
}

// Two responses without anything between them: the calls of the second one's own row are its own.
func TestTheCallsOfARowBelongToItsResponse(t *testing.T) {
	_, s := new(script).row("user_prompt", "u1", `"prompt":"`+chars(40)+`"`).rowAnswer("u2", chars(8), 990, 1).row("tool_call", "u2", callOf("t1")).
		row("tool_call", "u3", callOf("t2")).row("tool_call", "u3", callOf("t3")).rowAnswer("u3", "", 1990, 1).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=12 reported=2000")
}

// The same figures behind a new prompt, or of another recorder, are a new request.
func TestTheSameFiguresAgainMayBeAnotherRequest(t *testing.T) {
	for name, s := range map[string]*script{
		"a prompt between": new(script).rowAnswer("u1", "a", 990, 1).row("user_prompt", "u2", `"prompt":"x"`).rowAnswer("u3", "a", 990, 1),
		"no rows":          new(script).prompt(4).answer("a", 990).answer("b", 990),
		"other figures":    new(script).rowAnswer("u1", "a", 990, 1).rowAnswer("u2", "a", 991, 1),
	} {
		if _, got := s.one(t); len(got.Requests) != 2 {
			t.Errorf("%s: %s", name, figures(got))
		}
	}
}

func TestAResponseAnswersTheRequestThatItNames(t *testing.T) {
	u := func(n int) string { return fmt.Sprintf(`"usage":{"input_tokens":%d,"output_tokens":%d}`, n, n/10) }
	for name, c := range map[string]struct {
		s    *script
		want string
	}{
		"by id": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_request", `"model":"a"`).
			add("llm_response", u(2000), `,"parent_id":"e3"`).add("llm_response", u(1000), `,"parent_id":"e2"`), "1000(-1 -1)100 2000(-1 -1)200"},
		"by order": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(1000)).
			prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(2000)), "1000(-1 -1)100 2000(-1 -1)200"},
		"an unanswered one": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_request", `"model":"a"`).add("llm_response", u(1000)).
			prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(2000)), "-1(-1 -1)-1 1000(-1 -1)100 2000(-1 -1)200"},
		"its own figures": {new(script).prompt(4).add("llm_request", u(1000)).prompt(4).add("llm_request", u(2000)).add("llm_response", u(2100)),
			"1000(-1 -1)100 2100(-1 -1)210"},
		"answered twice": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(100000)).add("llm_response", u(1000)),
			"100000(-1 -1)10000"},
		"answered twice by id": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(100000), `,"parent_id":"e2"`).
			prompt(4).add("llm_response", u(1000), `,"parent_id":"e2"`), "100000(-1 -1)10000"},
		"a result between": {new(script).prompt(4).add("llm_request", `"model":"a"`).add("llm_response", u(1000)).add("tool_call", callOf("t1")).
			add("tool_result", `"tool_use_id":"t1"`).add("llm_response", u(2000)), "1000(-1 -1)100 2000(-1 -1)200"},
		"said again": {new(script).prompt(4).add("llm_response", u(1000)).add("assistant_response", `"text":"a",`+u(1000)), "1000(-1 -1)100"},
	} {
		if _, got := c.s.one(t); figures(got) != c.want {
			t.Errorf("%s: %s, want %s", name, figures(got), c.want)
		}
	}
}

func TestARequestKeepsItsModel(t *testing.T) {
	a, s := new(script).prompt(4).add("llm_request", `"model":"","model_id":"gpt-a"`).add("llm_response", `"model":"gpt-a-2026","usage":{"prompt_tokens":10}`).
		prompt(4).add("llm_request", `"message_count":3`).add("llm_response", `"modelId":"gpt-b","usage":{"prompt_tokens":12}`).one(t)
	if x, y := a.Strings.Get(s.Requests[0].Model), a.Strings.Get(s.Requests[1].Model); x != "gpt-a" || y != "gpt-b" {
		t.Errorf("models %q and %q", x, y)
	}
	if got := trial.Boundaries(a, 0); got != "model-switch  10→12 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

// Only sizes that a provider reported make a drop; a request without them is passed over.
func TestExactIsComparedWithExact(t *testing.T) {
	a, _ := new(script).prompt(4).add("llm_request", `"model":"a","input_tokens":180000`).add("llm_request", `"model":"a","message_count":9`).
		add("llm_request", `"model":"a","input_tokens":10000`).one(t)
	if got := trial.Boundaries(a, 0); got != "compaction  180000→10000 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestTheThresholdIsStrict(t *testing.T) {
	a, _ := new(script).add("llm_request", `"input_tokens":1000`).add("llm_request", `"input_tokens":500`).one(t)
	if got := trial.Boundaries(a, 0); got != "" {
		t.Errorf("boundaries: %s", got)
	}
	if n := len(a.Series(0, analysis.Options{Threshold: 0.49}).Boundaries); n != 1 {
		t.Errorf("%d boundaries at 0.49", n)
	}
}

func TestASummaryIsARecordedCompaction(t *testing.T) {
	// The prompt of an import is cut, the summary beside it is whole; the response tells it once more.
	a, s := new(script).prompt(40).answer(chars(8), 99990).
		add("user_prompt", `"prompt":"`+chars(40)+`","is_compaction_summary":true,"context_summary":"`+chars(80)+`"`).
		add("assistant_response", `"text":"`+chars(4)+`","model":"claude-a","context_summary":"`+chars(80)+`","usage":{"input_tokens":10,"cache_read_input_tokens":19990}`).
		answer("", 24990).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=100000",
		"request transcript-observed summaries=20 reported=20000",
		"request transcript-observed summaries=20 assistant=1 reported=25000")
	if got := trial.Boundaries(a, 0); got != "compaction  100000→20000 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
	if got := a.Series(0, analysis.Options{}).Boundaries[0].Evidence; !slices.Equal(got, []string{"boundary-record", "usage-drop"}) {
		t.Errorf("evidence: %v", got)
	}
	if s.Title != chars(40) {
		t.Errorf("title %q", s.Title)
	}
}

// A recorded compaction is one whatever the drop, on an event of any type, however its flag is written.
func TestAMarkOnAnyEventCounts(t *testing.T) {
	for _, c := range []struct{ kind, data string }{
		{"user_prompt", `"prompt":"sum","is_compaction_summary":1`},
		{"user_prompt", `"prompt":"sum","is_compaction_summary":"yes"`},
		{"decision", `"choice":"x","context_summary":"sum","is_compaction_summary":true`},
		{"session_start", `"source":"compact","context_summary":"sum"`},
		{"assistant_response", `"context_summary":"sum","is_compaction_summary":true`},
	} {
		a, s := new(script).prompt(40).answer(chars(8), 160000).add(c.kind, c.data).answer("", 90000).one(t)
		if got := trial.Boundaries(a, 0); got != "compaction  160010→90010 (-1→-1)" {
			t.Errorf("%s %s: %s", c.kind, c.data, got)
		}
		if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed summaries=1 reported=90010" {
			t.Errorf("%s %s: %s", c.kind, c.data, got)
		}
	}
	for _, flag := range []string{`false`, `0`, `""`, `null`, `{}`} {
		a, _ := new(script).prompt(40).answer(chars(8), 160000).add("user_prompt", `"prompt":"p","is_compaction_summary":`+flag).answer("", 90000).one(t)
		if got := trial.Boundaries(a, 0); got != "" {
			t.Errorf("%s: %s", flag, got)
		}
	}
}

// A boundary with a text of its own leaves no event: its summary stands with the next response, behind the person's prompt.
func TestASummaryThatOnlyTheResponseTells(t *testing.T) {
	a, s := new(script).prompt(40).answer(chars(8), 160000).prompt(20).
		add("assistant_response", `"text":"a","context_summary":"`+chars(80)+`","model":"claude-a","usage":{"input_tokens":12000}`).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=160010",
		"request transcript-observed summaries=20 prompts=5 reported=12000")
	if got := trial.Boundaries(a, 0); got != "compaction  160010→12000 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

// A mark without a text and the summary that comes with the response are one compaction, and so are two marks in a row.
func TestMarksOfOneCompaction(t *testing.T) {
	for name, s := range map[string]*script{
		"told later": new(script).prompt(40).answer(chars(8), 160000).add("session_start", `"source":"compact"`).
			add("assistant_response", `"context_summary":"`+chars(80)+`","usage":{"input_tokens":12000}`),
		"marked twice": new(script).prompt(40).answer(chars(8), 160000).add("session_start", `"source":"compact"`).
			add("user_prompt", `"prompt":"`+chars(80)+`","is_compaction_summary":true`).add("llm_request", `"is_compaction_summary":true,"input_tokens":12000`),
		"told without figures": new(script).prompt(40).answer(chars(8), 160000).add("assistant_response", `"context_summary":"`+chars(80)+`"`).
			add("assistant_response", `"context_summary":"`+chars(80)+`","usage":{"input_tokens":12000}`),
	} {
		a, got := s.one(t)
		if b := trial.Boundaries(a, 0); b != "compaction  160010→12000 (-1→-1)" {
			t.Errorf("%s: %s", name, b)
		}
		if n := trial.Snapshot(&got.Snapshots[1]); !strings.HasSuffix(n, " summaries=20 reported=12000") {
			t.Errorf("%s: %s", name, n)
		}
	}
}

func TestMarksInARecordingWithoutFigures(t *testing.T) {
	sum := `"prompt":"` + chars(80) + `","is_compaction_summary":true`
	a, s := new(script).prompt(40).add("assistant_response", `"text":"`+chars(8)+`"`).add("user_prompt", sum).add("assistant_response", `"text":"`+chars(4)+`"`).
		add("user_prompt", sum).add("assistant_response", `"text":"b"`).prompt(20).add("assistant_response", `"text":"c","context_summary":"`+chars(40)+`"`).one(t)
	trial.Expect(t, s,
		"capture transcript-observed baseline prompts=10",
		"capture transcript-observed summaries=20",
		"capture transcript-observed summaries=20",
		"capture transcript-observed summaries=10 prompts=5")
	if got := trial.Boundaries(a, 0); got != "compaction  -1→-1 (-1→-1); compaction  -1→-1 (-1→-1); compaction  -1→-1 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestARequestThatIsMarkedHasTheSummaryAmongItsMessages(t *testing.T) {
	a, s := new(script).prompt(40).answer(chars(8), 160000).add("llm_request", `"is_compaction_summary":true,"input_tokens":12000,"messages":[{"role":"developer","content":"`+chars(8)+`"},`+
		`{"role":"user","content":"This session is being continued from a previous conversation that ran out of context. `+chars(2)+`"}]`).one(t)
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request request-input system=2 summaries=22 reported=12000" { // 88 characters
		t.Error(got)
	}
	if got := trial.Boundaries(a, 0); !strings.HasPrefix(got, "compaction  160010→12000 (-1→-1)") {
		t.Errorf("boundaries: %s", got)
	}
}

func TestWhatIsSaidTwiceIsOneText(t *testing.T) {
	_, s := new(script).prompt(40).add("llm_request", `"input_tokens":10`).add("llm_response", `"text":"`+chars(8)+`"`).add("assistant_response", `"text":"`+chars(8)+`"`).
		prompt(4).add("llm_request", `"input_tokens":20`).add("llm_response", `"text":"`+chars(8)+`"`).add("llm_request", `"input_tokens":30`).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=10",
		"request transcript-observed prompts=11 assistant=2 reported=20",
		"request transcript-observed prompts=11 assistant=4 reported=30")
}

func TestATextInSeveralBlocksOfAToolsMessageIsOneResult(t *testing.T) {
	_, s := new(script).add("llm_request", `"input_tokens":10,"messages":[{"role":"tool","tool_call_id":"t1","content":[{"type":"text","text":"`+chars(6)+`"},{"type":"text","text":"`+chars(6)+`"}]},{"role":"critic","content":"abcd"}]`).one(t)
	trial.Expect(t, s, "request request-input baseline results=3 unattributed=1 reported=10")
}

func TestClearIsNoCompaction(t *testing.T) {
	a, s := new(script).prompt(40).answer(chars(8), 140000).add("user_prompt", `"prompt":"<command-name>/clear</command-name>"`).prompt(4).answer("", 15000).one(t)
	if got := trial.Boundaries(a, 0); got != "clear manual 140010→15010 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
	b, _ := new(script).prompt(40).answer(chars(8), 140000).add("session_start", `"source":"clear"`).answer("", 15000).one(t)
	if got := trial.Boundaries(b, 0); got != "clear manual 140010→15010 (-1→-1)" {
		t.Errorf("boundaries of a start: %s", got)
	}
	// The command has 35 characters.
	if got := trial.Snapshot(&s.Snapshots[1]); got != "request transcript-observed prompts=10 reported=15010" {
		t.Error(got)
	}
}

func TestRecordedMessagesAreTheInput(t *testing.T) {
	system := `{"role":"system","content":"` + chars(40) + `"}`
	user := `{"role":"user","content":[{"type":"text","text":"` + chars(20) + `"},{"type":"image_url","image_url":{"url":"data:"}}]}`
	// OpenAI: "Bash" and the text of the arguments. Anthropic: "Bash" and {"command":"…"}.
	asked := `{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"Bash","arguments":"` + chars(36) + `"}}]}`
	used := `{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"` + chars(22) + `"}}]}`
	results := `{"content":"` + chars(400) + `","role":"tool","tool_call_id":"t1"},{"role":"user","content":[{"content":[{"type":"text","text":"` + chars(4) + `"}],"tool_use_id":"t2","type":"tool_result"}]}`
	a, s := new(script).prompt(8).add("llm_request", `"messages":[`+system+`,`+user+`],"message_count":2`).
		add("llm_response", `"text":"`+chars(8)+`","usage":{"prompt_tokens":1000}`).add("tool_call", callOf("t1")).
		add("llm_request", `"messages":[`+system+`,`+user+`,`+asked+`,`+used+`,`+results+`]`).add("llm_response", `"usage":{"prompt_tokens":2000}`).one(t)
	trial.Expect(t, s,
		"request request-input baseline system=10 prompts=5 reported=1000",
		"request request-input system=10 prompts=5 assistant=20 results=101 reported=2000")
	if got := trial.Changes(a, s, 1); got != "added result:t1 +100, added call:t1 +10, added call:t2 +10, added result:t2 +1" {
		t.Errorf("changes: %s", got)
	}
	if len(s.Unmeasured) != 1 || s.Unmeasured[0].Count != 1 {
		t.Errorf("one image, said twice: %+v", s.Unmeasured)
	}
}

// TestACallIdThatComesAgainIsAnotherCall: some providers number the calls of each response anew.
func TestACallIdThatComesAgainIsAnotherCall(t *testing.T) {
	round := func(n int) string {
		return `{"role":"assistant","tool_calls":[{"id":"call_0","type":"function","function":{"name":"Bash","arguments":"` + chars(36) + `"}}]},` +
			`{"role":"tool","tool_call_id":"call_0","content":"` + chars(n) + `"}`
	}
	a, s := new(script).add("llm_request", `"messages":[`+round(400)+`],"input_tokens":100`).
		add("llm_request", `"messages":[`+round(400)+`,`+round(40)+`],"input_tokens":200`).one(t)
	trial.Expect(t, s, "request request-input baseline assistant=10 results=100 reported=100", "request request-input assistant=20 results=110 reported=200")
	if got := trial.Changes(a, s, 1); got != "added call:call_0:1 +10, added result:call_0:1 +10" {
		t.Errorf("changes: %s", got)
	}
}

func TestTheSameMessageTwiceIsTwoItems(t *testing.T) {
	m := `{"role":"user","content":"` + chars(40) + `"}`
	_, s := new(script).add("llm_request", `"messages":[`+m+`,`+m+`],"input_tokens":100`).one(t)
	trial.Expect(t, s, "request request-input baseline prompts=20 reported=100")
	if s.Title != chars(40) {
		t.Errorf("title %q", s.Title)
	}
}

// TestInstructionsStayThroughAClear: they stand outside of the conversation.
func TestInstructionsStayThroughAClear(t *testing.T) {
	_, s := new(script).add("llm_request", `"messages":[{"role":"system","content":"`+chars(40)+`"},{"role":"user","content":"`+chars(80)+`"}],"input_tokens":100`).
		add("user_prompt", `"prompt":"<command-name>/clear</command-name>"`).add("llm_request", `"input_tokens":60`).one(t)
	trial.Expect(t, s, "request request-input baseline system=10 prompts=20 reported=100",
		"request transcript-observed system=10 prompts=9 reported=60") // the command has 35 characters
}

// Of messages that are not all there the events before tell more; a text that was cut is not what was sent.
func TestMessagesThatAreNotWholeAreNoRequestInput(t *testing.T) {
	_, s := new(script).prompt(40).add("llm_request", `"messages":[{"role":"user","content":"x"}],"message_count":7,"input_tokens":100`).
		add("llm_request", `"messages":[{"role":"user","content":"`+chars(2000)+`"}],"input_tokens":600`).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=100",
		"request transcript-observed prompts=500 reported=600")
}

func TestTextThatTheRecorderCutIsNamed(t *testing.T) {
	for _, c := range []struct {
		kind, data string
		want       int
	}{
		{"user_prompt", `"prompt":"` + chars(2000) + `"`, 1},
		{"user_prompt", `"prompt":"` + strings.Repeat("é", 2000) + `"`, 1},
		{"user_prompt", `"prompt":"` + chars(1999) + `"`, 0},
		{"tool_result", `"tool_use_id":"t1","content_preview":"` + chars(2000) + `..."`, 1},
		{"tool_result", `"tool_use_id":"t1","content_preview":"` + chars(2000) + `"`, 0},
		{"tool_result", `"tool_use_id":"t1","result":"` + chars(1000) + `[cut]"`, 1},
		{"tool_result", `"tool_use_id":"t1","result":"` + chars(999) + `"`, 0},
		{"llm_response", `"preview":"` + chars(200) + `"`, 1},
	} {
		_, s := new(script).prompt(4).add(c.kind, c.data).one(t)
		if len(s.Unmeasured) != c.want {
			t.Errorf("%.60s: %+v", c.data, s.Unmeasured)
		}
	}
}

func TestARecordingWithoutUsageIsSampledWhereTheModelBegins(t *testing.T) {
	a, s := new(script).add("session_start", `"source":"startup","model":"claude-a"`).prompt(40).add("tool_call", `"tool_name":"Bash","arguments":{"command":"`+chars(22)+`"}`).
		add("tool_result", `"result":"`+chars(400)+`"`, `,"parent_id":"e3"`).add("assistant_response", `"text":"`+chars(8)+`"`).prompt(4).one(t)
	trial.Expect(t, s,
		"capture transcript-observed baseline prompts=10",
		"capture transcript-observed prompts=10 assistant=10 results=100")
	if len(s.Requests) != 0 || len(s.Calls) != 1 || a.Strings.Get(s.Calls[0].ID) != "e3" || a.Strings.Get(s.Snapshots[0].Model) != "claude-a" {
		t.Errorf("%d requests, calls %+v", len(s.Requests), s.Calls)
	}
	if got := trial.Changes(a, s, 1); got != "added result:e3 +100, added call:e3 +10" {
		t.Errorf("changes: %s", got)
	}
}

func TestAModelThatOnlyAnAnswerNamesBeginsNoBaseline(t *testing.T) {
	a, s := new(script).prompt(40).add("tool_call", callOf("t1")).add("tool_result", `"tool_use_id":"t1","result":"abcd"`).
		add("assistant_response", `"text":"`+chars(8)+`","model":"claude-a"`).prompt(4).add("assistant_response", `"text":"b"`).one(t)
	trial.Expect(t, s,
		"capture transcript-observed baseline prompts=10",
		"capture transcript-observed prompts=10 assistant=10 results=1",
		"capture transcript-observed prompts=11 assistant=12 results=1")
	if got := a.Strings.Get(s.Snapshots[0].Model); got != "claude-a" {
		t.Errorf("model %q", got)
	}
}

func TestAnErrorOfACallIsItsResult(t *testing.T) {
	_, s := new(script).prompt(40).add("tool_call", callOf("t1")).add("error", `"tool_name":"Bash","error":"`+chars(20)+`"`, `,"parent_id":"e2"`).
		add("error", `"error":"`+chars(4000)+`"`). // of no call
		add("tool_call", callOf("t2")).add("tool_result", `"tool_use_id":"t2","content_preview":"`+chars(40)+`","is_error":true`).
		add("error", `"error":"`+chars(4)+`"`, `,"parent_id":"e5"`). // told again
		answer("", 990).one(t)
	if got := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); got != "request transcript-observed baseline prompts=10 assistant=20 results=15 reported=1000" {
		t.Error(got)
	}
	if !s.Calls[0].Failed || !s.Calls[1].Failed {
		t.Errorf("calls: %+v", s.Calls)
	}
}

func TestResultsInsideAScriptMakeNoItem(t *testing.T) {
	_, s := new(script).prompt(40).add("tool_call", callOf("t1")+`,"caller_type":"direct"`).add("tool_call", callOf("t2")+`,"caller_type":"code_execution"`).
		add("tool_result", `"tool_use_id":"t2","content_preview":"`+chars(400)+`"`).add("tool_result", `"tool_use_id":"t1","content_preview":"`+chars(40)+`"`).
		answer("", 990).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 assistant=10 results=10 reported=1000")
	if !s.Calls[1].Script {
		t.Errorf("calls: %+v", s.Calls)
	}
}

func TestFilesAndDecisionsAreNoContext(t *testing.T) {
	a, s := new(script).prompt(40).add("file_read", `"uri":"file:///a.go"`).add("file_write", `"path":"a.go","diff":"`+chars(400)+`"`).
		add("decision", `"choice":"x","reason":"y"`).answer("", 990).add("session_end", `"total_tokens":5`).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")
	if len(a.Inputs[0].Kinds) != 0 || s.EndedAt != 1006_500000000 {
		t.Errorf("unknown %v, ended %d", a.Inputs[0].Kinds, s.EndedAt)
	}
}

func TestAnUnknownTypeIsCountedByItsName(t *testing.T) {
	a, _ := new(script).prompt(4).add("telepathy", `"text":"x"`).add("telepathy", ``).answer("", 990).one(t)
	if k := a.Inputs[0].Kinds; len(k) != 1 || k[0].Kind != "telepathy" || k[0].Count != 2 {
		t.Errorf("unknown: %v", k)
	}
}

func TestTheTypeMayStandLast(t *testing.T) {
	_, s := trial.One(t, `{"data":{"usage":{"input_tokens":1000},"text":"a"},"session_id":"s","event_id":"a","timestamp":2,"event_type":"assistant_response"}`)
	if figures(s) != "1000(-1 -1)-1" {
		t.Errorf("requests: %s", figures(s))
	}
}

func TestEventsStandInTheOrderOfTheFile(t *testing.T) {
	_, s := trial.One(t,
		`{"event_type":"user_prompt","timestamp":20,"event_id":"a","session_id":"s","data":{"prompt":"`+chars(40)+`"}}`,
		`{"event_type":"assistant_response","timestamp":10.25,"event_id":"b","session_id":"s","data":{"usage":{"input_tokens":1000}}}`)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")
	if s.StartedAt != 10_250000000 || s.EndedAt != 20_000000000 {
		t.Errorf("from %d to %d", s.StartedAt, s.EndedAt)
	}
}
