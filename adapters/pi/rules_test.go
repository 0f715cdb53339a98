package pi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func chars(n int) string { return strings.Repeat("x", n) }

// script writes a session file: each entry is a second later than the one before and continues it, unless at says otherwise.
type script struct {
	lines []string
	now   int
	last  string // id of the newest entry, "" for none
	list  bool   // the first version, without ids
}

// tree begins a session of the third version, list one of the first.
func tree(id, more string) *script {
	return &script{lines: []string{fmt.Sprintf(`{"type":"session","version":3,"id":"%s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w"%s}`, id, more)}}
}

func list(id, more string) *script {
	return &script{list: true, lines: []string{fmt.Sprintf(`{"type":"session","id":"%s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/w"%s}`, id, more)}}
}

// at makes the next entry continue another one than the newest.
func (s *script) at(parent string) *script {
	s.last = parent
	return s
}

func (s *script) line(text string) *script {
	s.lines = append(s.lines, text)
	return s
}

func (s *script) entry(kind, id, rest string) *script {
	s.now++
	ids := ""
	if !s.list {
		parent := "null"
		if s.last != "" {
			parent = `"` + s.last + `"`
		}
		ids = fmt.Sprintf(`"id":"%s","parentId":%s,`, id, parent)
		s.last = id
	}
	return s.line(fmt.Sprintf(`{"type":"%s",%s"timestamp":"2026-03-01T10:%02d:%02d.000Z",%s}`, kind, ids, s.now/60, s.now%60, rest))
}

func (s *script) message(id, rest string) *script {
	return s.entry("message", id, `"message":{`+rest+`}`)
}

func (s *script) user(id string, n int) *script {
	return s.message(id, fmt.Sprintf(`"role":"user","content":[{"type":"text","text":"%s"}]`, chars(n)))
}

func text(n int) string { return fmt.Sprintf(`{"type":"text","text":"%s"}`, chars(n)) }

// call has 40 characters: 4 of the name and {"path":"…"} of 36.
func call(id string) string {
	return fmt.Sprintf(`{"type":"toolCall","id":"%s","name":"read","arguments":{"path":"%s"}}`, id, chars(25))
}

// answer is a response to a prompt of so many tokens, most of them read from the cache.
func (s *script) answer(id string, prompt int, blocks ...string) *script {
	return s.stopped(id, "stop", "m-1", prompt, 10, blocks...)
}

func (s *script) stopped(id, stop, model string, prompt, output int, blocks ...string) *script {
	usage := fmt.Sprintf(`{"input":%d,"output":%d,"cacheRead":%d,"cacheWrite":%d}`, prompt-prompt/10-prompt/2, output, prompt/2, prompt/10)
	return s.message(id, fmt.Sprintf(`"role":"assistant","content":[%s],"provider":"p","model":"%s","usage":%s,"stopReason":"%s"`,
		strings.Join(blocks, ","), model, usage, stop))
}

func (s *script) result(id, use string, n int) *script {
	return s.message(id, fmt.Sprintf(`"role":"toolResult","toolCallId":"%s","toolName":"read","content":[%s],"isError":false`, use, text(n)))
}

func (s *script) compaction(id, rest string) *script {
	return s.entry("compaction", id, fmt.Sprintf(`"summary":"%s","tokensBefore":1210%s`, chars(80), rest))
}

func (s *script) one(t *testing.T) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	return trial.One(t, s.lines...)
}

func (s *script) file(path string) trial.File {
	return trial.File{Path: path, Text: strings.Join(s.lines, "\n") + "\n"}
}

func TestASampleHoldsWhatWasThereBeforeItsResponse(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000, text(8), call("c1")).result("a3", "c1", 400).answer("a4", 1200, text(8)).
		user("a5", 4).answer("a6", 1300, text(8)).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=12 results=100 reported=1200",
		"request transcript-observed prompts=11 assistant=14 results=100 reported=1300")
	if c := trial.Changes(a, s, 1); !strings.HasPrefix(c, "added result:c1 +100, added call:c1 +10, added message:") {
		t.Errorf("changes: %s", c)
	}
	q := s.Requests[0]
	if q.Input != 1000 || q.Output != 10 || q.CacheRead != 500 || q.CacheWrite != 100 || a.Strings.Get(q.Model) != "m-1" || q.Window != -1 {
		t.Errorf("request: %+v", q)
	}
}

// TestTheTrackersGoldenVector is the vector of schema version 1: a prompt, a result that comes and goes, another model.
func TestTheTrackersGoldenVector(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).answer("a2", 100).
		message("a3", `"role":"toolResult","toolCallId":"read-1","toolName":"read","content":"`+chars(40)+`"`).answer("a4", 200).
		entry("context_edit", "a5", `"targetId":"a3","replacement":null`).answer("a6", 100).
		stopped("a7", "stop", "m-2", 100, 1).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=1 reported=100",
		"request transcript-observed prompts=1 results=10 reported=200",
		"request transcript-observed prompts=1 reported=100",
		"request transcript-observed baseline prompts=1 reported=100")
	for i, want := range map[int]string{1: "added result:read-1 +10", 2: "removed result:read-1 -10"} {
		if c := trial.Changes(a, s, i); c != want {
			t.Errorf("changes of %d: %s, want %s", i, c, want)
		}
	}
	if c := s.Changes.At(int(s.Snapshots[1].First)); a.Strings.Get(c.Call) != "read-1" || a.Strings.Get(c.Label) != "read" || c.Source.String() != "tool" {
		t.Errorf("source of the result: %+v", c)
	}
}

// TestTheSectionsGoldenVector is the vector of schema version 1 for sections and tool definitions.
func TestTheSectionsGoldenVector(t *testing.T) {
	read := `{"name":"read","description":"` + chars(60) + `"}` // 92 characters
	a, s := tree("s", "").
		message("a1", `"role":"system","content":"","sections":{"rules":"`+chars(40)+`","skill":"xxxx"},"toolsAdded":[`+read+`]`).answer("a2", 100).
		message("a3", `"role":"system","content":"","sections":{"rules":"xxxx","skill":null},"toolsAdded":[`+read+`,{"name":"edit"}]`).answer("a4", 100).
		message("a5", `"role":"system","content":"","toolsRemoved":[{"name":"read"}]`).answer("a6", 100).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline tools=23 rules=10 skills=1 reported=100",
		"request transcript-observed tools=27 rules=1 reported=100",
		"request transcript-observed tools=4 rules=1 reported=100")
	for i, want := range []string{"baseline tool:read +23, baseline section:rules +10, baseline section:skill +1",
		"replaced section:rules -9, added tool:edit +4, removed section:skill -1", "removed tool:read -23"} {
		if c := trial.Changes(a, s, i); c != want {
			t.Errorf("changes of %d: %s, want %s", i, c, want)
		}
	}
}

func TestSectionsAreNamedByTheWordsInTheirNames(t *testing.T) {
	for name, category := range map[string]string{"preamble": "system", "last_update": "environment", "AGENTS.md": "rules", "custom agents": "tools",
		"reminders": "overhead", "project_rules": "rules", "project": "environment", "skills": "skills"} {
		_, s := tree("s", "").message("a1", `"role":"user","content":"","sections":{"`+name+`":"xxxxx"}`).answer("a2", 100).one(t)
		trial.Expect(t, s, "request transcript-observed baseline "+category+"=2 reported=100")
	}
}

// TestASectionIsCalledByItsOwnPath, whichever of several it is.
func TestASectionIsCalledByItsOwnPath(t *testing.T) {
	a, _ := tree("s", "").message("a1", `"role":"system","content":"","sections":{"/p/CLAUDE.md":"`+chars(8)+`","preamble":"`+chars(4)+`","/q/AGENTS.md":"`+chars(12)+`"}`).
		answer("a2", 100).one(t)
	got := ""
	for _, r := range a.Changes(0, analysis.ChangeFilter{Sample: -1, All: true}).Rows {
		got += fmt.Sprintf("%d %q; ", r.Tokens, r.Detail)
	}
	if want := `3 "/q/AGENTS.md"; 2 "/p/CLAUDE.md"; 1 ""; `; got != want {
		t.Errorf("sections are called %s, want %s", got, want)
	}
}

func TestWhatHasNoNameOrNoTextStillHasAPlace(t *testing.T) {
	a, s := tree("s", "").message("a1", `"role":"system","content":"xxxx","sections":{"empty":"","odd":7},"toolsAdded":[{"a":1},"read",{"name":"big","x":["<>&"]}]`).
		answer("a2", 100).message("a3", `"role":"system","toolsRemoved":["read","0",7]`).answer("a4", 100).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline system=1 tools=11 reported=100", // 7, 6 and 26 characters
		"request transcript-observed system=1 tools=7 reported=100")
	if c := trial.Changes(a, s, 1); c != "removed tool:0 -2, removed tool:read -2" {
		t.Errorf("changes: %s", c)
	}
}

func TestEachRoleHasItsCategory(t *testing.T) {
	for _, c := range []struct{ message, category string }{
		{`"role":"user","content":"xxxxx"`, "prompts=2"},
		{`"role":"assistant","content":[{"type":"thinking","thinking":"xxx"},{"type":"text","text":"xx"}],"stopReason":"aborted"`, "assistant=2"},
		{`"role":"assistant","content":[{"type":"thinking","text":"","thinking":"xxxx"},{"type":"text","text":"xx"}],"stopReason":"error"`, "assistant=1"},
		{`"role":"assistant","content":[{"type":"thinking","text":null,"thinking":"xxxx"}],"stopReason":"error"`, "assistant=1"},
		{`"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ab","input":{"a":1.0}}],"stopReason":"error"`, "assistant=3"}, // {"a":1}
		{`"role":"assistant","content":[{"type":"toolCall","id":"c","name":"abc"}],"stopReason":"error"`, "assistant=2"},                  // {}
		{`"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"xxxxx"}]`, "results=2"},
		{`"role":"tool","tool_use_id":"c","content":"xxxxx"`, "results=2"},
		{`"role":"bashExecution","command":"ls","output":"xxx"`, "results=2"},
		{`"role":"branchSummary","summary":"xxxxx"`, "summaries=2"},
		{`"role":"compactionSummary","summary":"xxxxx"`, "summaries=2"},
		{`"role":"system","content":"xxxxx"`, "system=2"},
		{`"role":"custom","customType":"ext","content":"xxxxx"`, "unattributed=2"},
		{`"role":"hookMessage","customType":"ext","content":[{"type":"text","text":"xxxxx"}]`, "unattributed=2"},
		{`"role":"developer","content":"xxxxx"`, "unattributed=2"},
		{`"role":"user","text":"xxxxx","summary":"x"`, "prompts=2"},
		{`"role":"user","content":null,"text":"xxxxx"`, "prompts=2"},
		{`"content":"xxxxx"`, "unattributed=2"},
	} {
		_, s := tree("s", "").message("a1", c.message).answer("a2", 100).one(t)
		trial.Expect(t, s, "request transcript-observed baseline "+c.category+" reported=100")
	}
}

func TestSizesAreUTF16RoundedUpForEachItem(t *testing.T) {
	_, s := tree("s", "").message("a1", `"role":"user","content":"x"`).message("a2", `"role":"user","content":"x"`).
		message("a3", `"role":"custom","content":"😀😀😀"`).answer("a4", 100).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=2 unattributed=2 reported=100")
}

func TestParallelResultsOfOneMomentDoNotCollide(t *testing.T) {
	same := `"role":"toolResult","toolCallId":"%s","toolName":"read","content":"xxxx","timestamp":1772359203000`
	_, s := tree("s", "").user("a1", 4).answer("a2", 100, call("c1"), call("c2")).
		message("a3", fmt.Sprintf(same, "c1")).message("a4", fmt.Sprintf(same, "c2")).answer("a5", 200).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=1 reported=100",
		"request transcript-observed prompts=1 assistant=20 results=2 reported=200")
	if len(s.Calls) != 2 {
		t.Errorf("%d calls", len(s.Calls))
	}
}

func TestACallIdThatComesAgainIsAnotherCall(t *testing.T) {
	_, s := tree("s", "").user("a1", 4).answer("a2", 100, call("call_0")).result("a3", "call_0", 40).answer("a4", 200, call("call_0")).
		result("a5", "call_0", 40).answer("a6", 300, call(""), call("")).answer("a7", 400).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=1 reported=100",
		"request transcript-observed prompts=1 assistant=10 results=10 reported=200",
		"request transcript-observed prompts=1 assistant=20 results=20 reported=300",
		"request transcript-observed prompts=1 assistant=40 results=20 reported=400")
}

// TestWhatIsExcludedHasNoPartInTheContext: not its text, not its calls, wherever the member stands.
func TestWhatIsExcludedHasNoPartInTheContext(t *testing.T) {
	blocks := `"content":[` + text(400) + `,` + call("c1") + `]`
	for _, m := range []string{`"role":"assistant","excludeFromContext":true,` + blocks, `"role":"assistant",` + blocks + `,"excludeFromContext":true`} {
		_, s := tree("s", "").user("a1", 40).message("a2", m).answer("a3", 100).one(t)
		trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=100")
		if len(s.Calls) != 0 {
			t.Errorf("%d calls", len(s.Calls))
		}
	}
}

func TestCustomMessagesAreContextAndCustomEntriesAreNot(t *testing.T) {
	_, s := tree("s", "").user("a1", 4).entry("custom", "a2", `"customType":"e","data":{"content":"`+chars(400)+`"}`).
		entry("custom_message", "a3", `"customType":"e","content":"`+chars(20)+`","display":false`).
		entry("custom_message", "a4", `"customType":"e","content":"`+chars(20)+`","excludeFromContext":true`).
		entry("label", "a5", `"targetId":"a1","label":"here"`).entry("thinking_level_change", "a6", `"thinkingLevel":"high"`).
		entry("usage", "a7", `"kind":"cache_warm","usage":{"input":900,"output":1}`).
		entry("active_tools_change", "a8", `"activeToolNames":["read"]`).
		message("a9", `"role":"bashExecution","command":"ls","output":"`+chars(400)+`","excludeFromContext":true`).answer("a10", 100).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 unattributed=5 reported=100")
}

func TestImagesAndHiddenReasoningAreUnmeasured(t *testing.T) {
	image := `{"type":"image","data":"` + chars(4000) + `","mimeType":"image/png"}`
	_, s := tree("s", "").message("a1", `"role":"user","content":[`+text(4)+`,`+image+`]`).
		answer("a2", 100, `{"type":"thinking","thinking":"","thinkingSignature":"x","redacted":true}`, call("c")).
		message("a3", `"role":"toolResult","toolCallId":"c","content":[`+image+`,`+image+`]`).answer("a4", 200).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100", "request transcript-observed prompts=1 assistant=10 reported=200")
	if want := []analysis.Unmeasured{{What: "images and documents", Count: 3}, {What: "encrypted reasoning", Count: 1}}; !slices.Equal(s.Unmeasured, want) {
		t.Errorf("unmeasured: %+v", s.Unmeasured)
	}
}

func TestWhatBrokeOffOrReportedNothingIsNoRequest(t *testing.T) {
	_, s := tree("s", "").user("a1", 4).stopped("a2", "error", "m-1", 900, 3).stopped("a3", "aborted", "m-2", 900, 3).stopped("a4", "stop", "m-1", 0, 0).
		stopped("a5", "toolUse", "m-1", 0, 7).stopped("a6", "length", "m-1", 500, 0).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1", "request transcript-observed prompts=1 reported=500")
	if q := s.Requests[0]; q.Input != analysis.Unknown || q.Output != 7 {
		t.Errorf("a prompt of zero is no data: %+v", q)
	}
}

func TestWithoutAnyUsageEachResponseIsACapture(t *testing.T) {
	none := `"role":"assistant","model":"local","content":[` + text(8) + `],"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"stopReason":"stop"`
	_, s := tree("s", "").user("a1", 40).message("a2", none).user("a3", 4).message("a4", none).message("a5", `"role":"assistant","content":[],"stopReason":"error"`).one(t)
	trial.Expect(t, s, "capture transcript-observed baseline prompts=10", "capture transcript-observed prompts=11 assistant=2")
	_, s = tree("s", "").user("a1", 40).user("a2", 40).one(t)
	trial.Expect(t, s, "capture transcript-observed baseline prompts=20")
}

func TestUsageOfWrongTypesIsUnknown(t *testing.T) {
	_, s := tree("s", "").user("a1", 4).message("a2", `"role":"assistant","content":{},"model":7,"usage":{"input":100,"output":"x","cacheRead":-5,"cacheWrite":1.5}`).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100")
	if q := s.Requests[0]; q.Output != analysis.Unknown || q.CacheRead != analysis.Unknown || q.CacheWrite != analysis.Unknown || q.Model != 0 {
		t.Errorf("request: %+v", q)
	}
}

func TestARequestIsDatedByTheStartOfItsCall(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).message("a2", `"role":"assistant","content":[],"model":"m","responseId":"r-1","timestamp":1772359200250,"usage":{"input":5,"output":1},"stopReason":"pending"`).one(t)
	if q := s.Requests[0]; q.At != 1772359200250*1e6 || a.Strings.Get(q.ID) != "r-1" || !q.OutputLower {
		t.Errorf("request: %+v", q)
	}
}

func TestAnotherModelIsABaselineAndASwitch(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).answer("a2", 100).entry("model_change", "a3", `"provider":"q","modelId":"m-2"`).
		stopped("a4", "stop", "m-2", 50, 1).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100", "request transcript-observed baseline prompts=1 reported=50")
	if b := trial.Boundaries(a, 0); b != "model-switch  100→50 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestATitleIsTheNameElseTheFirstPrompt(t *testing.T) {
	_, s := tree("s", "").message("a1", `"role":"user","content":"# Fix the limiter\nplease"`).one(t)
	if s.Title != "Fix the limiter" {
		t.Errorf("title %q", s.Title)
	}
	_, s = tree("s", "").user("a1", 4).entry("session_info", "a2", `"name":"First name"`).user("a3", 4).at("a1").entry("session_info", "a4", `"name":"Last name"`).at("a3").user("a5", 4).one(t)
	if s.Title != "Last name" {
		t.Errorf("title %q", s.Title)
	}
}

func TestUnknownEntriesAreCountedAndHoldTheirPlace(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).entry("brand_new", "a2", `"content":"`+chars(400)+`","sections":{"rules":"xxxx"}`).line(`[1]`).line(`7`).
		user("a3", 4).answer("a4", 100).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=2 reported=100")
	if k := a.Inputs[0].Kinds; len(k) != 2 || k[0].Kind != "brand_new" || k[1].Count != 2 || s.Abandoned != 0 {
		t.Errorf("unknown: %+v, %d abandoned", k, s.Abandoned)
	}
}

func TestAJournalWithoutItsHeaderIsRecognised(t *testing.T) {
	for name, s := range map[string]*script{"tree": tree("s", ""), "list": list("s", "")} {
		s = s.user("a1", 4).answer("a2", 100, text(8)).user("a3", 4).answer("a4", 200)
		s.lines = s.lines[1:]
		a, got := s.one(t)
		if got.ID != "journal.jsonl" || len(got.Requests) != 2 || a.Inputs[0].Format != "pi" {
			t.Errorf("%s: %q %q, %d requests", name, got.ID, a.Inputs[0].Reason, len(got.Requests))
		}
	}
}

func TestWrongTypesAtAnyMemberCostNothingElse(t *testing.T) {
	s := tree("s", `,"parentSession":7,"branchedFrom":{}`)
	for i, rest := range []string{
		`"role":"assistant","usage":7,"content":7`,
		`"role":"user","sections":[],"toolsAdded":{},"toolsRemoved":"read","timestamp":"never"`,
		`"role":7,"content":{},"isError":"no","excludeFromContext":3,"timestamp":-4`,
		`"role":"assistant","stopReason":[],"content":["x",{"type":"toolCall","id":{},"name":7,"arguments":"xx"},{"type":"toolCall","arguments":null,"input":null}]`, // "xx" and {}
	} {
		s.message(fmt.Sprintf("a%d", i), rest)
	}
	s.entry("compaction", "b1", `"summary":7,"firstKeptEntryId":"a0","firstKeptEntryIndex":-3,"tokensBefore":"x","retainedTail":7,"systemMessage":[]`)
	s.entry("context_edit", "b2", `"targetId":"a0","replacement":[7]`).entry("message", "b3", `"message":7`)
	a, got := s.line(`{"type":"leaf","timestamp":1772359300000}`).at("b3").answer("b4", 100).one(t)
	trial.Expect(t, got, "compaction post-compaction baseline assistant=2", "request transcript-observed assistant=2 reported=100")
	if b := trial.Boundaries(a, 0); b != "compaction  -1→100 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestACallIsCalledByItsBestArgument(t *testing.T) {
	long := strings.Repeat("é", 100)
	for arguments, want := range map[string]string{
		`{"description":"d","command":"first\nsecond","timeout":3}`: "first",
		`{"path":"p.go","command":"c"}`:                             "p.go",
		`{"path":7,"command":"c"}`:                                  "c",
		`{"command":"` + long + `"}`:                                strings.Repeat("é", 80),
		`{"other":"x"}`:                                             "",
	} {
		a, s := tree("s", "").answer("a1", 100, `{"type":"toolCall","id":"c","name":"bash","arguments":`+arguments+`}`).one(t)
		if got := a.Strings.Get(s.Calls[0].Detail); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestALabelHasNoMoreThan96Units(t *testing.T) {
	for name, want := range map[string]string{chars(97): chars(96), chars(95) + "😀": chars(95), chars(94) + "😀x": chars(94) + "😀"} {
		a, s := tree("s", "").message("a1", `"role":"system","toolsAdded":[{"name":"`+name+`"}]`).answer("a2", 100).one(t)
		c := s.Changes.At(0)
		if got := a.Strings.Get(c.Label); got != want {
			t.Errorf("label %q, want %q", got, want)
		}
		if id := string(c.ID.Append(nil, a.Strings)); id != "tool:"+name {
			t.Errorf("id %q", id)
		}
	}
}

func TestAFailedResultMarksItsCall(t *testing.T) {
	_, s := tree("s", "").answer("a1", 100, call("c1"), call("c2")).message("a2", `"role":"toolResult","toolCallId":"c2","content":"no","isError":true`).one(t)
	if s.Calls[0].Failed || !s.Calls[1].Failed {
		t.Errorf("calls: %+v", s.Calls)
	}
}
