package adapters_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	store "contextscope/core/journal"
)

// Further halves of the rows and weaknesses whose other half stands in the files beside this one.

// The prompt behind a boundary that holds its summary is a person's, and no summary.
func TestM5_TheNextPromptIsNoSummary(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser to Go.").says(150000, "ok").boundary("The parser is ported to Go; the lexer is open.", "").
		user("Now the lexer. It must be small.").says(20000, "go")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	// The prompt has 32 characters: 8 tokens.
	if n := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1]); n != "request transcript-observed prompts=8 reported=20000" {
		t.Errorf("the sample behind it is %s", n)
	}
	found := false
	for _, f := range a.Told(s) {
		found = found || f.Kind == store.Constraint && f.Text == "It must be small."
	}
	if !found {
		t.Error("the constraint of the prompt was not read")
	}
}

// A row of a recorder has the budget under one of two names; at half a cent for a thousand tokens a hundred requests cost it many times.
func TestL7_TheBudgetOfARecordingIsJudgedByItsUsage(t *testing.T) {
	with := func(budget string) string {
		e := new(trace)
		e.add("session_start", budget)
		for i := range 100 {
			e.U(1000+i).call("Bash", fmt.Sprintf(`{"command":"make %d"}`, i))
		}
		return e.findings(t)
	}
	same(t, "none", with(`"mode":"x"`), "")
	same(t, "large", with(`"budget_dollars":1000`), "")
	// 100 × 1,000 tokens and the sum of 0 … 99 = 4,950: 104,950 tokens at 3 dollars a million are $0.3149.
	for _, budget := range []string{`"budget_dollars":0.000001`, `"max_cost_dollars":0.000001`} {
		same(t, budget, with(budget), "error budget-proximity: 31485000% of the budget of $0.0000 is spent: $0.3149 by reported usage")
	}
	same(t, "nine tenths", with(`"budget_dollars":0.3498`), "error budget-proximity: 90% of the budget of $0.3498 is spent: $0.3149 by reported usage")
	same(t, "just below", with(`"budget_dollars":0.3499`), "")
}

// TestW5_TheSameFileAgainIsTheSameDocument: whatever the order and the number of times.
func TestW5_TheSameFileAgainIsTheSameDocument(t *testing.T) {
	text, ok := fixtureOf(t, "f1.jsonl")
	if !ok {
		text = f13("w5").file().Text
	}
	o := analysis.Options{Diff: true, Behavior: true, Sessions: []int{0}, Include: analysis.Include{Facts: true, Paths: true}}
	once := trial.Open(t, trial.File{Path: "f.jsonl", Text: text})
	twice := trial.Open(t, trial.File{Path: "f.jsonl", Text: text}, trial.File{Path: "copy.jsonl", Text: text})
	say := func(a *analysis.Analysis) string {
		return brief(cuts(t, a, 0, o)) + "\n" + allFacts(a, 0) + "\n" + found(t, a, 0, o) + "\n" + string(a.Checkpoint(a.Sessions[0])) + string(a.Brief(a.Sessions[0], 0)) +
			fmt.Sprint(a.List(o).Sessions[0].Losses, len(a.Sessions[0].Requests), len(a.Sessions[0].Calls), len(a.Sessions[0].Snapshots))
	}
	if len(twice.Sessions) != 1 || say(twice) != say(once) || !strings.Contains(say(once), "not-found") {
		t.Errorf("opened twice:\n%s\nonce:\n%s", say(twice), say(once))
	}
}

// A request that was never answered takes no answer from another one, and hides no drop.
func TestW10_AnUnansweredRequestTakesNoAnswer(t *testing.T) {
	ask := `"model":"claude-sonnet-4"`
	answer := func(n int) string {
		return fmt.Sprintf(`"model":"claude-sonnet-4","usage":{"input_tokens":%d,"output_tokens":1}`, n)
	}
	a := new(strace).event("llm_request", ask).event("llm_response", answer(180000), `,"parent_id":"e1"`).event("llm_request", ask).event("llm_request", ask).
		event("llm_response", answer(12000), `,"parent_id":"e4"`).open(t)
	expectCuts(t, a, "compaction 180000→12000 usage-drop $0.5040")
	if q := a.Sessions[0].Requests; len(q) != 3 || q[0].Input != 180000 || q[1].Input != analysis.Unknown || q[2].Input != 12000 {
		t.Errorf("%+v", q)
	}
}

// W18 for transcripts: reading and everything that is made of it, with as many boundaries as the length brings along.
func TestW18_TheWholeAnalysisGrowsWithTheLength(t *testing.T) {
	took := func(rounds int) time.Duration {
		var c claudeTold
		c.user("Port the parser. Never log addresses.")
		for i := range rounds {
			c.call(20000+i%50*3000, "Read", fmt.Sprintf(`{"file_path":"src/f%d.go"}`, i%300), "text")
			if c.says(20000+i%50*3000, fmt.Sprintf("I decided on table %d.", i)); i%5 == 0 {
				c.user(fmt.Sprintf("You must keep flag %d working.", i))
			}
			if i%50 == 49 {
				c.boundary("", "").user("Summary: port the parser.", isSummary)
			}
		}
		text := c.b.String()
		best := time.Hour
		for range 3 {
			from := time.Now()
			a := trial.Open(t, trial.File{Path: "s.jsonl", Text: text})
			s := a.Sessions[0]
			// The facts that are followed are bounded, so that a boundary has a bounded cost.
			if n := len(survivals(a, s)); n != rounds/50 {
				t.Fatalf("%d compactions, want %d", n, rounds/50)
			}
			a.Findings(s, analysis.Options{})
			a.Behavior(s, analysis.Options{})
			a.Checkpoint(s)
			best = min(best, time.Since(from))
		}
		return best
	}
	if a, b := took(1_000), took(8_000); b > 40*a && b > 2*time.Second { // eight times the length; were it quadratic, 64 times
		t.Errorf("1,000 rounds take %v, 8,000 take %v", a, b)
	}
}

// What the harness writes into a transcript as if the person had is no constraint and no task.
func TestW28_RowsOfTheHarnessAskForNothing(t *testing.T) {
	c := newClaude("w28").line("user", `"isMeta":true,"message":{"role":"user","content":"Caveat: DO NOT respond to these messages unless you must."}`).
		prompt("<command-name>/model</command-name>").prompt("<local-command-stdout>You must restart.</local-command-stdout>").
		prompt(`Port the parser.\nError: value must be positive\nonly 3 retries left`).answers(150000, 1).compacts("auto", 150000).answers(9000, 1)
	a := trial.Open(t, c.file())
	if got := allFacts(a, 0); got != "not-found task-goal Port the parser." {
		t.Errorf("the diff is\n%s", got)
	}
}

func TestW30_TheEndOfALongAnswerIsRead(t *testing.T) {
	long := strings.Repeat("This sentence only fills the answer. ", 4000)
	c := (&claudeTold{}).user("Port the parser.").says(150000, long+"I decided on a table.").boundary("", "").user("Summary: port the parser.", isSummary).says(9000, "go")
	expectDiff(t, c.b.String(), "in-summary task-goal Port the parser.", "not-found decision I decided on a table.")
}

// What a summary repeats in the person's words is listed once, as the person's.
func TestW34_AFactOfTwoOriginsIsListedOnce(t *testing.T) {
	c := (&claudeTold{}).user("Port the parser.\nIt must be fast.").says(150000, "ok").boundary("", "").user("Summary: port the parser. It must be fast. You must not stop.", isSummary).
		says(20000, "on").says(165000, "on").boundary("", "").user("Summary: port the parser.", isSummary).says(21000, "on")
	a, s := trial.One(t, strings.TrimSpace(c.b.String()))
	all := survivals(a, s)
	same(t, "the second", facts(all[1]), "in-summary task-goal Port the parser.\nnot-found constraint It must be fast.")
	if all[1].Dropped[0].Source.Line != 1 {
		t.Errorf("it stands on line %d, want 1", all[1].Dropped[0].Source.Line)
	}
}

// A healthy turn in three rows (thinking, text, call) is one request that makes a call.
func TestW39_ATurnInThreeRowsIsNoSpiral(t *testing.T) {
	c := newClaude("w39").prompt("Work.")
	for i := range 7 {
		c.line("assistant", fmt.Sprintf(`"requestId":"q%d","message":{"id":"h%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"thinking","thinking":"Let me think.","signature":"x"}],"usage":{"input_tokens":%d}}`, i, i, 20000+i))
		c.line("assistant", fmt.Sprintf(`"requestId":"q%d","message":{"id":"h%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"Step."}],"usage":{"input_tokens":%d}}`, i, i, 20000+i))
		c.line("assistant", fmt.Sprintf(`"requestId":"q%d","message":{"id":"h%d","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"w%d","name":"Read","input":{"file_path":"f%d"}}],"usage":{"input_tokens":%d}}`, i, i, i, i, 20000+i))
		c.line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"w%d","content":"x"}]}`, i))
	}
	a := trial.Open(t, c.file())
	same(t, "seven turns", found(t, a, 0, analysis.Options{}), "")
	if n := len(a.Sessions[0].Requests); n != 7 {
		t.Errorf("%d requests, want 7", n)
	}
}

// One definition of saturation, that of reported usage against the window that holds: lint and the comparison say the same.
func TestW41_LintAndTheComparisonMeanTheSameSaturation(t *testing.T) {
	act := func(e *trace, n int) { e.call("Bash", fmt.Sprintf(`{"command":"make %d"}`, n)) }
	e := new(trace)
	levels := []int{100000, 150000, 20000, 60000, 120000, 165000}
	for i, tokens := range levels {
		e.U(tokens)
		act(e, i)
	}
	// 165,000 of 200,000 are 82.5 percent; 150,000 are 75.
	same(t, "lint", strings.Split(e.findings(t), "\n")[0], "info context-saturation: the context is at 82% of the window: 165000 of 200000 tokens, reported (11-11)")
	d := diffs(t, e.open(t), analysis.Options{})[0]
	if got := strings.Join(d.Regressions, "\n"); got != "context-saturation lint violations increased 0 -> 1 in 2 and 4 requests" {
		t.Errorf("the comparison says %q", got)
	}
	// The length of what was typed says nothing where the provider counted: this is 3.2 MB in a request of 1,000 tokens.
	same(t, "typed", new(trace).add("user_prompt", `"prompt":"`+strings.Repeat("x", 3200000)+`"`).U(1000).findings(t), "")
	// A window of a million is not full with what fills the usual one.
	c := newClaude("w41")
	c.model = "claude-opus-4-6[1m]"
	c.prompt("Work.").answers(300003, 1)
	same(t, "a million", found(t, trial.Open(t, c.file()), 0, analysis.Options{}), "")
	// A journal of Claude Code is judged by usage as well, and the window of the person's choice holds.
	small := trial.Open(t, newClaude("w41b").prompt("Work.").answers(100000, 1).file())
	same(t, "half full", found(t, small, 0, analysis.Options{}), "")
	same(t, "chosen", found(t, small, 0, analysis.Options{Window: 110000}), "info context-saturation: the context is at 91% of the window: 100000 of 110000 tokens, reported (2-2)")
}
