package adapters_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// The rows named M of agent-strace's conformance table: what an import of a transcript of Claude Code keeps. It makes events of a
// transcript, ours are requests, calls and samples.

// call writes a response that makes one call.
func (c *claude) call(tokens int, name, input string) *claude {
	return c.line("assistant", fmt.Sprintf(`"requestId":"r%d","message":{"id":"m%d","role":"assistant","model":"%s","content":[{"type":"tool_use","id":"t%d","name":"%s","input":%s}],"usage":{"input_tokens":%d,"output_tokens":9}}`,
		c.n, c.n, c.model, c.n, name, input, tokens))
}

// calls says the calls of a session: name and what it is called by.
func calls(a *analysis.Analysis, s *analysis.Session) string {
	var out []string
	for _, c := range s.Calls {
		out = append(out, a.Strings.Get(c.Name)+" "+a.Strings.Get(c.Detail))
	}
	return strings.Join(out, "; ")
}

func TestM1_APromptAndAResponseAreOneRequestWithItsUsage(t *testing.T) {
	c := newClaude("m1").prompt("Hello").line("assistant",
		`"requestId":"r1","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Hi there"}],"usage":{"input_tokens":100,"output_tokens":50}}`)
	a := trial.Open(t, c.file())
	if got := trial.Sessions(a); got != "m1: 1 requests" || a.Sessions[0].Harness != "claude-code" || a.Sessions[0].Role != "" || a.Sessions[0].Stream != "" {
		t.Fatalf("sessions: %s, %+v", got, a.Sessions[0])
	}
	if q := a.Sessions[0].Requests[0]; q.Input != 100 || q.Output != 50 || a.Strings.Get(q.Model) != "claude-opus-4-6" {
		t.Errorf("%+v", q)
	}
	// "Hello" has 5 characters: 2 tokens. The response joins the next request, so that it is in no sample.
	trial.Expect(t, a.Sessions[0], "capture capture-start baseline prompts=2", "request transcript-observed prompts=2 reported=100")
	expectCuts(t, a, "")
}

func TestM2_ACallKeepsItsNameAndCommand(t *testing.T) {
	a := trial.Open(t, newClaude("m2").prompt("Look.").call(100, "Bash", `{"command":"ls -la"}`).file())
	if got := calls(a, a.Sessions[0]); got != "Bash ls -la" {
		t.Errorf("calls: %s", got)
	}
}

// Ours: the type that was asked for names the session of the subagent, whose file lies beside the transcript.
func TestM3_ASubagentIsCalledByItsType(t *testing.T) {
	parent := newClaude("m3").prompt("Look.").call(100, "Agent", `{"description":"find the limits","prompt":"Find them.","subagent_type":"Explore"}`)
	parent.line("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"found"}]},"toolUseResult":{"status":"completed","agentId":"ab12"}`)
	child := newClaude("m3")
	child.agent = "ab12"
	child.prompt("Find them.").answers(500, 1)
	meta := trial.File{Path: "m3/subagents/agent-ab12.meta.json", Text: `{"agentType":"Explore","toolUseId":"t2"}` + "\n"}
	a := trial.Open(t, parent.file(), child.file(), meta)
	if got := trial.Sessions(a); got != "m3: 1 requests; m3/ab12 (Explore) of m3 by t2: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	if got := calls(a, a.Sessions[0]); got != "Agent find the limits" {
		t.Errorf("calls: %s", got)
	}
}

// Rows of subagents inside the transcript, as old versions wrote them: one session for each agent, none is the main one.
func TestM4_RowsOfASidechainBelongToTheirAgent(t *testing.T) {
	c := newClaude("m4").prompt("Look.").answers(1000, 1)
	for _, agent := range []string{"research", "research", "review"} {
		c.agent, c.parent = agent, ""
		c.answers(500, 1)
	}
	c.agent = ""
	a := trial.Open(t, c.file())
	if got := trial.Sessions(a); got != "m4: 1 requests; m4/research (subagent) of m4: 2 requests; m4/review (subagent) of m4: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
}

func TestM6_AQueueOperationIsNoEvent(t *testing.T) {
	with := newClaude("m6").prompt("Do it.").answers(1000, 1)
	want := trial.Snapshot(&trial.Open(t, with.file()).Sessions[0].Snapshots[1])
	parent := with.parent
	with.line("queue-operation", `"operation":"enqueue","content":"Never do that."`)
	with.parent = parent
	a := trial.Open(t, with.answers(1100, 1).file())
	s := a.Sessions[0]
	if len(s.Requests) != 2 || len(s.Calls) != 0 || trial.Snapshot(&s.Snapshots[1]) != want || strings.Contains(trial.Snapshot(&s.Snapshots[2]), "prompts=4") {
		t.Errorf("%d requests, %d calls, %s", len(s.Requests), len(s.Calls), trial.Snapshot(&s.Snapshots[2]))
	}
	if told := a.Told(s); len(told) != 1 || told[0].Text != "Do it." {
		t.Errorf("facts: %+v", told)
	}
	if in := a.Inputs[0]; len(in.Warnings.List) != 0 {
		t.Errorf("warnings: %+v", in.Warnings)
	}
}

// fixtureFacts says all diffs of a session of a fixture, one below the other.
func allFacts(a *analysis.Analysis, session int) string {
	var out []string
	for _, d := range survivals(a, a.Sessions[session]) {
		out = append(out, facts(d))
	}
	return strings.Join(out, "\n--\n")
}

// f13 makes the shape of the fixture of that name, which lies nowhere: two compactions, where the first summary forgets a constraint and
// the second one a file as well.
func f13(session string) *claude {
	c := newClaude(session).prompt(`Implement rate limiting.\nIt must be Redis-compatible.`).call(90000, "Read", `{"file_path":"x.py"}`)
	c.line("user", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"code"}]}`)
	c.answers(160003, 2).compacts("auto", 160003)
	c.summary("Implement rate limiting. x.py was read.")
	c.answers(20903, 2).prompt("Go on.").answers(165003, 3).compacts("manual", 165003)
	return c.summary("Implement rate limiting.").answers(21903, 1)
}

// summary replaces the summary that was written last.
func (c *claude) summary(text string) *claude {
	last := len(c.lines) - 1
	c.lines[last] = strings.Replace(c.lines[last], `previous conversation."`, `previous conversation. Summary: `+text+`"`, 1)
	return c
}

// The costs at 5 dollars a million: 139,100 tokens and 143,100 tokens.
const f13Cuts = "compaction auto 160003→20903 (160003→?) boundary-record+usage-drop $0.6955; compaction manual 165003→21903 (165003→?) boundary-record+usage-drop $0.7155"

const f13Facts = "in-summary task-goal Implement rate limiting.\nin-summary file-read x.py\nnot-found constraint It must be Redis-compatible.\n--\n" +
	"in-summary task-goal Implement rate limiting.\nnot-found constraint It must be Redis-compatible.\nnot-found file-read x.py"

func expectF13(t *testing.T, a *analysis.Analysis, session int) {
	t.Helper()
	expectCutsAt(t, a, session, analysis.Options{}, f13Cuts)
	if got := allFacts(a, session); got != f13Facts {
		t.Errorf("the diffs are\n%s\nwant\n%s", got, f13Facts)
	}
	if all := survivals(a, a.Sessions[session]); len(all) == 2 {
		missing := "not found after an earlier compaction either"
		if e := all[1].Dropped[0].Evidence.String(); !strings.Contains(e, missing) {
			t.Errorf("the constraint is not marked as still missing: %q", e)
		}
		if e := all[1].Dropped[1].Evidence.String() + all[0].Dropped[0].Evidence.String(); strings.Contains(e, missing) {
			t.Errorf("marked as still missing: %q", e)
		}
	}
}

func TestFixtureF13FollowsWhatWasDropped(t *testing.T) {
	a := trial.Open(t, f13("f13").file())
	expectF13(t, a, 0)
	if l := a.List(analysis.Options{}).Sessions[0].Losses; l.Compactions != 2 || l.Dropped != 139100+143100 || fmt.Sprintf("%.4f", l.USD) != "1.4110" {
		t.Errorf("lost %+v", l)
	}
}

// f14: the second compaction writes the earlier rows again, with their own ids and times, before it goes on.
func TestFixtureF14ReplayedRowsAreNoCompaction(t *testing.T) {
	whole := f13("f14")
	at := len(whole.lines) - 1 // the second boundary and its summary stand before
	for _, replayed := range []int{3, 6, at - 2} {
		lines := append(append(append([]string{}, whole.lines[:at]...), whole.lines[:replayed]...), whole.lines[at:]...)
		a := trial.Open(t, trial.File{Path: "f14.jsonl", Text: strings.Join(lines, "\n") + "\n"})
		expectF13(t, a, 0)
		if a.Duplicate[0] != int64(replayed) {
			t.Errorf("%d duplicates, want %d", a.Duplicate[0], replayed)
		}
	}
}

// f15: the file of a subagent has its parent's session id. It changes nothing about the parent and has a compaction of its own.
func TestFixtureF15ASubagentsFileIsNoPartOfItsParent(t *testing.T) {
	child := newClaude("f13")
	child.agent = "zzz"
	child.prompt("Explore.").answers(150003, 1).answers(8003, 1).answers(9003, 1)
	alone := trial.Open(t, f13("f13").file()).List(analysis.Options{}).Sessions[0]
	for _, files := range [][]trial.File{{f13("f13").file(), child.file()}, {child.file(), f13("f13").file()}} {
		a := trial.Open(t, files...)
		if got := trial.Sessions(a); got != "f13: 5 requests; f13/zzz (subagent) of f13: 3 requests" {
			t.Fatalf("sessions: %s", got)
		}
		expectF13(t, a, 0)
		expectCutsAt(t, a, 1, analysis.Options{}, "compaction 150003→8003 usage-drop $0.7100")
		if row := a.List(analysis.Options{}).Sessions[0]; row.StartedAt != alone.StartedAt || row.EndedAt != alone.EndedAt || row.Requests != alone.Requests || row.Losses != alone.Losses {
			t.Errorf("%+v, alone %+v", row, alone)
		}
	}
}

// TestFixturesTellTheirFacts: what each of the fixtures says of its facts and its windows. The summary of a made session is one
// stock sentence, so that its task is not in it; f16 and f3 captured none.
func TestFixturesTellTheirFacts(t *testing.T) {
	for name, want := range map[string]string{
		"f3.jsonl": "cannot be judged", "f4.jsonl": "not-found task-goal Refactor.", "f5.jsonl": "", "f12.jsonl": "not-found task-goal Long job.", "f16.jsonl": "cannot be judged",
	} {
		a := fixture(t, name)
		if a == nil {
			return
		}
		if got := allFacts(a, 0); got != want {
			t.Errorf("%s: the diffs are\n%s\nwant\n%s", name, got, want)
		}
		for _, d := range a.Behavior(a.Sessions[0], analysis.Options{}) {
			if d.Regressed() { // by the end of the session alone, where another program says so (W38)
				t.Errorf("%s: %v", name, d.Regressions)
			}
		}
		if got := found(t, a, 0, analysis.Options{}); strings.Contains(got, "no-output") || strings.Contains(got, "post-compaction-regression") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// f1 has nine messages in more than twice as many rows. src/middleware.py was edited before it is read again, src/config.py was not.
func TestFixtureF1ReadsAgainForNothingOnce(t *testing.T) {
	a := fixture(t, "f1.jsonl")
	if a == nil {
		return
	}
	if n := len(a.Sessions[0].Requests); n != 9 {
		t.Errorf("%d requests, want 9", n)
	}
	same(t, "f1", words(t, a, diffs(t, a, analysis.Options{})[0]), "re-read 1 pre-compaction file(s) without an edit or a change that asks for it\n"+
		"repository exploration calls increased 0 -> 2 in 4 and 5 requests\nreread /w/src/config.py\nredundant 0 -> 0")
}

// f5 begins with a row of the harness and a command: neither is the task, and DO NOT is no constraint (W28). What was said before the
// /clear is another conversation.
func TestFixtureF5HasThePersonsTaskOnly(t *testing.T) {
	a := fixture(t, "f5.jsonl")
	if a == nil {
		return
	}
	var got []string
	for _, f := range a.Told(a.Sessions[0]) {
		got = append(got, f.Kind.Key()+" "+f.Text)
	}
	same(t, "f5", strings.Join(got, "\n"), "task-goal New task: rename the logger.")
}

// TestW17OddFilesKeepWhatIsRight: in each of these files the prompt "hi" stands beside something odd. It counts, and what is odd
// is counted, too.
func TestW17OddFilesKeepWhatIsRight(t *testing.T) {
	for _, c := range []struct{ name, session, odd string }{
		{"odd_array", "odd1: 0 requests", "(not an object)"}, {"odd_null", "odd2: 0 requests", "(not an object)"}, {"odd_utf8", "odd3: 0 requests", ""},
		{"odd_nullusage", "odd4: 1 requests", ""}, {"odd_caller", "odd5: 0 requests", ""}, {"odd_bom", "odd6: 0 requests", ""},
		{"odd_trunc", "odd7: 0 requests", "cut-record"}, {"odd_sid", "../../evil: 0 requests", ""},
	} {
		a := fixture(t, c.name+".jsonl")
		if a == nil {
			return
		}
		odd := ""
		for _, k := range a.Inputs[0].Kinds {
			odd += k.Kind
		}
		for _, w := range a.Inputs[0].Warnings.List {
			odd += string(w.Code)
		}
		s := a.Sessions[0]
		if got := trial.Sessions(a); got != c.session || odd != c.odd || !strings.HasPrefix(trial.Snapshot(&s.Snapshots[0]), "capture capture-start baseline prompts=1") {
			t.Errorf("%s: sessions %q, odd %q, %s", c.name, got, odd, trial.Snapshot(&s.Snapshots[0]))
		}
		if c.name == "odd_nullusage" && (s.Requests[0].Input != analysis.Unknown || s.Requests[0].Output != 3) {
			t.Errorf("%+v", s.Requests[0])
		}
		if c.name == "odd_caller" && calls(a, s) != "Read " {
			t.Errorf("calls: %s", calls(a, s))
		}
	}
}
