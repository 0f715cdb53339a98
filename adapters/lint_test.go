package adapters_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/behavior"
	"contextscope/core/lint"
)

// trace writes events of agent-strace, one a second.
type trace struct {
	lines []string
	calls int
}

func (e *trace) add(kind, data string) *trace {
	n := len(e.lines)
	e.lines = append(e.lines, fmt.Sprintf(`{"event_type":"%s","timestamp":%d,"event_id":"e%d","session_id":"s1","data":{%s}}`, kind, n+1, n, data))
	return e
}

// U is a request of so many tokens.
func (e *trace) U(tokens int) *trace {
	return e.add("llm_request", fmt.Sprintf(`"model":"claude-sonnet-4","input_tokens":%d`, tokens))
}

// R reads a path.
func (e *trace) R(path string) *trace { return e.call("Read", `{"file_path":"`+path+`"}`) }

func (e *trace) call(tool, arguments string) *trace {
	e.calls++
	return e.add("tool_call", fmt.Sprintf(`"tool_name":"%s","arguments":%s,"request_id":"c%d"`, tool, arguments, e.calls))
}

// fails says that the last call failed.
func (e *trace) fails() *trace {
	return e.add("error", fmt.Sprintf(`"tool_use_id":"c%d","error":"exit 1"`, e.calls))
}

func (e *trace) times(n int, f func(*trace)) *trace {
	for range n {
		f(e)
	}
	return e
}

// findings says in lines what lint finds in the first session: rule, level, lines, message.
func (e *trace) findings(t *testing.T) string { return found(t, e.open(t), 0, analysis.Options{}) }

func (e *trace) open(t testing.TB) *analysis.Analysis {
	t.Helper()
	return trial.Open(t, trial.File{Path: "events.ndjson", Text: strings.Join(e.lines, "\n") + "\n"})
}

func found(t *testing.T, a *analysis.Analysis, session int, o analysis.Options) string {
	t.Helper()
	list, failures := a.Findings(a.Sessions[session], o)
	for _, f := range failures {
		t.Error(f)
	}
	var out []string
	for _, f := range list {
		line := fmt.Sprintf("%s %s: %s", f.Level, f.Rule, f.Message(a.Strings.Get(f.Path)))
		if f.HasPlace {
			line += fmt.Sprintf(" (%d-%d)", f.Start.Line, f.End.Line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

func TestRowsL1AndL2APostCompactionRegression(t *testing.T) {
	same(t, "L1", new(trace).R("a").U(180000).U(10000).R("a").findings(t),
		"info context-saturation: the context is at 90% of the window: 180000 of 200000 tokens, reported (2-2)\n"+
			"warning post-compaction-regression: worse after compaction 1 (94% dropped; re-read 1 pre-compaction file(s) without an edit or a change that asks for it) (3-3)")
	same(t, "L2", new(trace).U(150000).U(10000).findings(t), "")
}

func TestRowL5AToolLoop(t *testing.T) {
	bash := func(e *trace) { e.call("Bash", `{}`) }
	read := func(e *trace) { e.call("Read", `{}`) }
	one := func(tool string, n, from, to int) string {
		return fmt.Sprintf("warning tool-loop: %s was called %d times with the same arguments and nothing new was tried in between (%d-%d)", tool, n, from, to)
	}
	same(t, "six", new(trace).times(6, bash).findings(t), one("Bash", 6, 1, 6))
	same(t, "five", new(trace).times(5, bash).findings(t), one("Bash", 5, 1, 5))
	same(t, "four", new(trace).times(4, bash).findings(t), "")
	same(t, "four, another, four", new(trace).times(4, bash).times(1, read).times(4, bash).findings(t), "")
	same(t, "two loops", new(trace).times(6, bash).add("assistant_response", `"text":"hm"`).times(6, read).findings(t),
		one("Bash", 6, 1, 6)+"\n"+one("Read", 6, 8, 13))
	// Ours: a result or an answer between two calls makes them no other calls. Real loops look like that (W40).
	same(t, "three, an answer, three", new(trace).times(3, bash).add("assistant_response", `"text":"hm"`).times(3, bash).findings(t), one("Bash", 6, 1, 7))
	// Ours: other arguments are another call.
	e := new(trace)
	for i := range 6 {
		e.call("Bash", fmt.Sprintf(`{"command":"go test ./p%d"}`, i))
	}
	same(t, "six commands", e.findings(t), "")
	// White space and the order of the arguments make no difference.
	e = new(trace)
	for i := range 6 {
		e.call("Bash", []string{`{"command":"make","timeout":5}`, `{ "timeout" : 5, "command" : "make" }`}[i%2])
	}
	same(t, "spelled in two ways", e.findings(t), one("Bash", 6, 1, 6))
}

func TestRowL6AReasoningSpiral(t *testing.T) {
	ask := func(e *trace) {
		e.add("llm_request", `"model":"claude-sonnet-4"`).add("llm_response", `"usage":{"input_tokens":100,"output_tokens":4}`)
	}
	// Ours: a request and its response are one, so that it takes as many requests as the threshold says (W39).
	same(t, "two", new(trace).times(2, ask).findings(t), "")
	same(t, "a call between", new(trace).times(1, ask).call("Bash", `{}`).times(2, ask).findings(t), "")
	same(t, "four", new(trace).times(4, func(e *trace) { e.add("llm_request", `"model":"m"`) }).findings(t),
		"warning reasoning-spiral: 4 requests in a row without a tool call or a prompt between them (1-4)")
	// A conversation is no spiral.
	same(t, "four answers", new(trace).times(4, func(e *trace) { ask(e.add("user_prompt", fmt.Sprintf(`"prompt":"question %d"`, len(e.lines)))) }).findings(t), "")
}

func TestRowL8Saturation(t *testing.T) {
	same(t, "five small", new(trace).times(5, func(e *trace) { e.call("Bash", `{}`); e.U(1000) }).findings(t)[:17], "warning tool-loop")
	big := `"model":"claude-sonnet-4","messages":[{"role":"user","content":"` + strings.Repeat("x", 3200000) + `"}]`
	want := "info context-saturation: the context is at 400% of the window: 800000 of 200000 tokens, estimated (1-1)"
	same(t, "one big", new(trace).add("llm_request", big).findings(t), want)
	same(t, "two big", new(trace).add("llm_request", big).add("llm_request", big).findings(t), want)
}

// W41: one definition for lint and for windows: by what the provider reported, and anew after each compaction.
func TestW41SaturationIsOfReportedTokensAndResets(t *testing.T) {
	same(t, "twice", new(trace).U(100000).call("Bash", `{"a":1}`).U(170000).call("Bash", `{"a":2}`).U(180000).call("Bash", `{"a":3}`).U(20000).call("Bash", `{"a":4}`).U(161000).findings(t),
		"info context-saturation: the context is at 85% of the window: 170000 of 200000 tokens, reported (3-3)\n"+
			"info context-saturation: the context is at 80% of the window: 161000 of 200000 tokens, reported (9-9)")
}

func TestRowL9ARedundantRead(t *testing.T) {
	want := func(path string, from, to int) string {
		return fmt.Sprintf("info redundant-read: %s was read 3 times and had not changed (%d-%d)", path, from, to)
	}
	same(t, "three", new(trace).R("a").R("a").R("a").findings(t), want("a", 1, 3))
	same(t, "two", new(trace).R("a").R("a").findings(t), "")
	same(t, "three files", new(trace).R("a").R("b").R("c").findings(t), "")
	same(t, "two files", new(trace).R("a").R("a").R("a").R("b").R("b").R("b").findings(t), want("a", 1, 3)+"\n"+want("b", 4, 6))
	// Ours: three parts of a file, or reading it again after an edit, are no waste.
	e := new(trace)
	for i := range 4 {
		e.call("Read", fmt.Sprintf(`{"file_path":"a","offset":%d}`, i*100))
	}
	same(t, "four parts", e.findings(t), "")
	same(t, "after edits", new(trace).R("a").R("a").call("Edit", `{"file_path":"a"}`).R("a").R("./a").findings(t), "")
}

func TestRowL10AnErrorRetryLoop(t *testing.T) {
	bash := func(e *trace) { e.call("Bash", `{}`).fails() }
	same(t, "three", new(trace).times(3, bash).findings(t), "warning error-retry-loop: Bash failed 3 times in a row with the same arguments (1-5)")
	same(t, "two", new(trace).times(2, bash).findings(t), "")
	same(t, "three writes", new(trace).times(3, func(e *trace) {
		e.call("Write", `{"file_path":"a"}`).add("tool_result", fmt.Sprintf(`"tool_use_id":"c%d","is_error":true`, e.calls))
	}).findings(t), "warning error-retry-loop: Write failed 3 times in a row on a (1-5)")
	same(t, "three tools", new(trace).call("Bash", `{}`).fails().call("Read", `{}`).fails().call("Grep", `{}`).fails().findings(t), "")
	// Ours: an edit before each try is work, and it may work in between.
	e := new(trace)
	for i := range 4 {
		bash(e)
		e.call("Edit", fmt.Sprintf(`{"file_path":"a","old_string":"%d"}`, i))
	}
	same(t, "edits between", e.findings(t), "")
}

func TestRowL11NoOutput(t *testing.T) {
	const want = "warning no-output: the session ended without a file having been written"
	end := func(e *trace) *trace { return e.add("session_end", `"tool_calls":1`) }
	same(t, "read", end(new(trace).R("a")).findings(t), want)
	same(t, "write", end(new(trace).call("Write", `{"file_path":"a"}`)).findings(t), "")
	same(t, "edit", end(new(trace).call("edit", `{"path":"a"}`)).findings(t), "")
	same(t, "no end", new(trace).R("a").findings(t), "")
	same(t, "file_write", end(new(trace).R("a").add("file_write", `"path":"b"`)).findings(t), "")
	same(t, "no-edit tools", end(new(trace).R("a").add("file_read", `"uri":"file:///a"`)).findings(t), want)
}

// B1 and B2: what got worse is named.
func TestRowsB1AndB2TheBehaviorAfterACompaction(t *testing.T) {
	e := new(trace).add("user_prompt", `"prompt":"Implement rate limiting."`).R("src/middleware.py").R("src/config.py").
		add("decision", `"choice":"Token bucket chosen over fixed window"`).U(190000).U(12000).
		R("src/middleware.py").R("src/middleware.py").R("src/middleware.py").call("Bash", `{"command":"ls src"}`)
	d := diffs(t, e.open(t), analysis.Options{})[0]
	same(t, "B1", words(t, e.open(t), d), "re-read 1 pre-compaction file(s) without an edit or a change that asks for it\n"+
		"repository exploration calls increased 0 -> 1\nredundant-read lint violations increased 0 -> 1\nreread src/middleware.py\nredundant 0 -> 1")
	// Ours: a level that jumps straight back is a side request, so that it stays low for some requests.
	e = new(trace).U(100000).U(10000).U(11000).R("x").U(12000).R("y").U(13000).U(180000).times(3, func(e *trace) { e.call("Bash", `{"command":"make"}`).fails() })
	d = diffs(t, e.open(t), analysis.Options{})[0]
	same(t, "B2", words(t, e.open(t), d), "context-saturation lint violations increased 0 -> 1 in 1 and 5 requests\n"+
		"error-retry-loop lint violations increased 0 -> 1 in 1 and 5 requests\nreread \nredundant 0 -> 0")
}

func diffs(t testing.TB, a *analysis.Analysis, o analysis.Options) []behavior.Diff {
	t.Helper()
	d := a.Behavior(a.Sessions[0], o)
	if len(d) == 0 {
		t.Fatal("no compaction was found")
	}
	return d
}

func words(t *testing.T, a *analysis.Analysis, d behavior.Diff) string {
	t.Helper()
	var files []string
	for _, f := range d.Wasted() {
		files = append(files, a.Strings.Get(f))
	}
	return strings.Join(append(d.Regressions, "reread "+strings.Join(files, ","), fmt.Sprintf("redundant %d -> %d", d.Before.RedundantReads, d.After.RedundantReads)), "\n")
}

// B3: what another stream does takes no room in the window.
func TestRowB3ASidechainTakesNoRoom(t *testing.T) {
	e := new(trace).R("a").U(180000).U(10000)
	for range 3 {
		e.R("a").call("Read", `{"file_path":"b"}`)
		e.lines[len(e.lines)-1] = strings.Replace(e.lines[len(e.lines)-1], `"data":{`, `"data":{"context_stream":"sidechain:x",`, 1)
	}
	d := diffs(t, e.open(t), analysis.Options{BehaviorWindow: behavior.Window{N: 4}})[0]
	if d.After.RedundantReads != 1 || d.After.Steps != 4 {
		t.Errorf("%d redundant reads in %d records, want 1 in 4", d.After.RedundantReads, d.After.Steps)
	}
}

// W37: a file that is read once before it is edited, or that had changed, is no regression; neither is a rate that was there.
func TestW37ARereadBeforeAnEditIsNoWaste(t *testing.T) {
	edit := func(e *trace, path string) *trace { return e.call("Edit", `{"file_path":"`+path+`"}`) }
	e := edit(new(trace).R("a").U(150000).U(10000).R("a"), "a")
	d := diffs(t, e.open(t), analysis.Options{})[0]
	if d.Regressed() || len(d.Reread) != 1 || d.Reread[0].Why != behavior.BeforeEdit {
		t.Errorf("%v %v", d.Regressions, d.Reread)
	}
	d = diffs(t, edit(new(trace).R("a"), "a").U(150000).U(10000).R("a").open(t), analysis.Options{})[0]
	if d.Regressed() || len(d.Reread) != 1 || d.Reread[0].Why != behavior.Changed {
		t.Errorf("%v %v", d.Regressions, d.Reread)
	}
	// The same read once more before the edit is waste.
	d = diffs(t, edit(new(trace).R("a").U(150000).U(10000).R("a").R("a"), "a").open(t), analysis.Options{})[0]
	if !d.Regressed() || d.Reread[0].Why != behavior.ForNothing {
		t.Errorf("%v %v", d.Regressions, d.Reread)
	}
	// An agent that reads again all the time does so after a compaction, too.
	d = diffs(t, new(trace).R("a").R("b").R("a").R("b").U(150000).U(10000).R("a").R("b").open(t), analysis.Options{})[0]
	if d.Regressed() || d.Before.Rereads != 2 || d.After.Rereads != 2 {
		t.Errorf("%v, %d and %d re-reads", d.Regressions, d.Before.Rereads, d.After.Rereads)
	}
}

// W38: the end of a session says nothing about a compaction.
func TestW38SessionRulesAreNotComparedInWindows(t *testing.T) {
	e := new(trace).call("Write", `{"file_path":"a"}`).U(150000).U(10000).R("b").add("session_end", `"tool_calls":2`)
	d := diffs(t, e.open(t), analysis.Options{})[0]
	if d.Regressed() || d.After.Lint[lint.Find("no-output")] != -1 || d.After.Lint[lint.Find("budget-proximity")] != -1 {
		t.Errorf("%v %v", d.Regressions, d.After.Lint)
	}
}

// W42: windows end at the next cut, and what fills the context before that is the next one's.
func TestW42WindowsAreClippedAndRatesCompared(t *testing.T) {
	e := new(trace).U(100000).call("Bash", `{"a":1}`).U(10000).call("Bash", `{"a":2}`).U(11000).U(12000).U(13000).call("Bash", `{"a":4}`).U(180000).call("Bash", `{"a":3}`).U(10000).call("Bash", `{"command":"make"}`)
	all := diffs(t, e.open(t), analysis.Options{})
	if len(all) != 2 || all[0].Regressed() || all[0].After.Steps != 8 || all[1].Before.Steps != 8 {
		t.Fatalf("%+v", all)
	}
	// Five searches in twenty requests before, one in four after: the same rate.
	e = new(trace)
	for i := range 20 {
		e.U(100000+i).call("Bash", fmt.Sprintf(`{"command":"%s %d"}`, []string{"make", "make", "make", "ls"}[i%4], i))
	}
	for i := range 4 {
		e.U(10000+i).call("Bash", fmt.Sprintf(`{"command":"%s %d"}`, []string{"make", "make", "make", "ls"}[i%4], 100+i))
	}
	if d := diffs(t, e.open(t), analysis.Options{})[0]; d.Before.Exploration != 5 || d.After.Exploration != 1 || d.Regressed() {
		t.Errorf("%d and %d, %v", d.Before.Exploration, d.After.Exploration, d.Regressions)
	}
	// More than twice that rate is more, although the count is less.
	e.U(10010).call("Bash", `{"command":"ls a"}`).call("Bash", `{"command":"ls b"}`)
	if d := diffs(t, e.open(t), analysis.Options{})[0]; !d.Regressed() || d.After.Exploration != 3 {
		t.Errorf("%d, %v", d.After.Exploration, d.Regressions)
	}
	// The person can count requests.
	d := diffs(t, e.open(t), analysis.Options{BehaviorWindow: behavior.Window{N: 3, Requests: true}})[0]
	if d.Before.Requests != 3 || d.After.Requests != 3 || d.After.Steps != 6 {
		t.Errorf("%+v", d.After)
	}
}

// line writes a line of Claude Code.
func line(kind, uuid, parent, message string) string {
	p := `"` + parent + `"`
	if parent == "" {
		p = "null"
	}
	return fmt.Sprintf(`{"type":"%s","uuid":"00000000-0000-0000-0000-%s","parentUuid":%s,"sessionId":"s","cwd":"/w","timestamp":"2026-01-01T00:00:00Z","message":%s}`, kind, uuid, strings.Replace(p, `"`+parent, `"00000000-0000-0000-0000-`+parent, 1), message)
}

// W43: a call belongs to the request that made it, whatever comes first in the journal.
func TestW43TheFirstCallAfterACompactionIsAfterIt(t *testing.T) {
	say := func(id string, tokens int, block string) string {
		return fmt.Sprintf(`{"role":"assistant","id":"%s","model":"claude-opus-4-6","content":[%s],"usage":{"input_tokens":%d,"output_tokens":5}}`, id, block, tokens)
	}
	read := func(id, path string) string {
		return fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"Read","input":{"file_path":"%s"}}`, id, path)
	}
	a := trial.Open(t, trial.File{Path: "j.jsonl", Text: strings.Join([]string{
		line("user", "a1", "", `{"role":"user","content":"go"}`), line("assistant", "a2", "a1", say("m1", 160000, read("t1", "/w/src/a.py"))),
		line("user", "a3", "a2", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}`),
		line("assistant", "a4", "a3", say("m2", 20000, read("t2", "src/a.py"))),
	}, "\n")})
	d := diffs(t, a, analysis.Options{})[0]
	if d.Before.Calls != 1 || d.After.Calls != 1 || len(d.Wasted()) != 1 || a.Strings.Get(d.Wasted()[0]) != "/w/src/a.py" {
		t.Errorf("%d and %d calls, %v", d.Before.Calls, d.After.Calls, d.Reread)
	}
}

// W45: what a person set holds for windows, too.
func TestW45TheConfigurationHoldsInWindows(t *testing.T) {
	e := new(trace).R("z").U(150000).U(10000).R("a").R("a").R("a")
	c, notes := lint.Read([]byte(`{"redundant-read":{"enabled":false}}`))
	if len(notes) > 0 {
		t.Error(notes)
	}
	if d := diffs(t, e.open(t), analysis.Options{})[0]; !d.Regressed() {
		t.Error("three reads are no regression by default")
	}
	if d := diffs(t, e.open(t), analysis.Options{Lint: c})[0]; d.Regressed() {
		t.Errorf("%v although the rule is off", d.Regressions)
	}
	c, _ = lint.Read([]byte(`{"redundant-read":{"threshold":4}}`))
	if d := diffs(t, e.open(t), analysis.Options{Lint: c})[0]; d.Regressed() {
		t.Errorf("%v although four are allowed", d.Regressions)
	}
}

// W47: the range of a spiral is that of its requests, whatever stands between.
func TestW47TheRangeOfASpiralIsThatOfItsRequests(t *testing.T) {
	e := new(trace).U(100).add("decision", `"choice":"x"`).U(200).add("decision", `"choice":"y"`).U(300)
	same(t, "range", e.findings(t), "warning reasoning-spiral: 3 requests in a row without a tool call or a prompt between them (1-5)")
}

// fixture opens one of the journals that show a weakness of another program; nil where they are not there.
func fixture(t *testing.T, name string) *analysis.Analysis {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../shared/fixtures/compaction", name))
	if err != nil {
		return nil
	}
	return trial.Open(t, trial.File{Path: name, Text: string(text)})
}

// W39: a healthy session is silent: thinking, text and call are one request, and a sidechain is another stream.
func TestW39AHealthySessionIsSilent(t *testing.T) {
	for _, name := range []string{"f7.jsonl", "f11.jsonl"} {
		a := fixture(t, name)
		if a == nil {
			return
		}
		for i := range a.Sessions {
			got := found(t, a, i, analysis.Options{})
			if strings.Contains(got, "reasoning-spiral") || name == "f7.jsonl" && got != "" {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// W40: a real loop is found in a journal of Claude Code.
func TestW40ARealLoopIsFound(t *testing.T) {
	if a := fixture(t, "f8.jsonl"); a != nil {
		same(t, "f8", found(t, a, 0, analysis.Options{}),
			"warning tool-loop: Bash was called 8 times with the same arguments and nothing new was tried in between (2-16)\n"+
				"warning error-retry-loop: Bash failed 8 times in a row with the same arguments (2-16)")
	}
	e := new(trace).times(8, func(e *trace) { e.U(1000*(len(e.lines)+1)).call("Bash", `{"command":"make build"}`).fails() })
	same(t, "the same made anew", e.findings(t),
		"warning tool-loop: Bash was called 8 times with the same arguments and nothing new was tried in between (2-23)\n"+
			"warning error-retry-loop: Bash failed 8 times in a row with the same arguments (2-23)")
	// Two calls that take turns are a loop as well.
	e = new(trace).times(5, func(e *trace) { e.R("a").call("Bash", `{"command":"make"}`) })
	if got := e.findings(t); !strings.Contains(got, "tool-loop: Read was called 5 times") {
		t.Error(got)
	}
}

// Doubling a file changes nothing, and time grows with the length.
func TestFindingsOfAHundredThousandCalls(t *testing.T) {
	long := func(n int) (*analysis.Analysis, string) {
		e := new(trace)
		for i := range n {
			if i%10 == 0 {
				e.U(20000 + i%2000*80)
			}
			e.call([]string{"Read", "Bash", "Edit", "Grep"}[i%4], fmt.Sprintf(`{"file_path":"/w/f%d","command":"cat /w/f%d"}`, i%700, i%900))
			if i%5 == 0 {
				e.fails()
			}
		}
		text := strings.Join(e.lines, "\n") + "\n"
		return trial.Open(t, trial.File{Path: "events.ndjson", Text: text}), text
	}
	measure := func(n int) time.Duration {
		a, _ := long(n)
		best := time.Hour
		for range 3 { // the machine does other things as well
			begin := time.Now()
			a.Findings(a.Sessions[0], analysis.Options{})
			a.Behavior(a.Sessions[0], analysis.Options{BehaviorWindow: behavior.Window{N: 1 << 30}})
			best = min(best, time.Since(begin))
		}
		return best
	}
	small, large := max(measure(12500), time.Millisecond), measure(100000)
	if large > 32*small {
		t.Errorf("8 times the calls take %v after %v", large, small)
	}
	a, text := long(2000)
	want := found(t, a, 0, analysis.Options{})
	twice := trial.Open(t, trial.File{Path: "events.ndjson", Text: text + text}, trial.File{Path: "copy.ndjson", Text: text})
	if got := found(t, twice, 0, analysis.Options{}); got != want {
		t.Errorf("doubled:\n%s\nwant:\n%s", got, want)
	}
}
