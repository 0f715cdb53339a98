package pi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"contextscope/adapters/trial"
)

func TestTheLivingBranchEndsAtTheLastEntry(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000, text(8)).user("a3", 4000).answer("a4", 2000, text(8)).
		at("a2").user("a5", 4).answer("a6", 1010, text(8)).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=11 assistant=2 reported=1010")
	if s.Abandoned != 2 {
		t.Errorf("%d abandoned entries, want 2", s.Abandoned)
	}
	if b := trial.Boundaries(a, 0); b != "rewind  1000→1010 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
	if n := a.Series(0, options).Notes; len(n) != 1 || !strings.HasPrefix(n[0], "2 records stand on branches that were left") {
		t.Errorf("notes: %q", n)
	}
}

func TestALeafRecordNamesTheEndOfTheBranch(t *testing.T) {
	s := tree("s", "").user("a1", 40).answer("a2", 1000, text(8)).user("a3", 4000).answer("a4", 2000, text(8))
	_, back := s.entry("leaf", "a5", `"targetId":"a2"`).one(t)
	trial.Expect(t, back, "request transcript-observed baseline prompts=10 reported=1000")
	if back.Abandoned != 2 {
		t.Errorf("%d abandoned entries, want 2", back.Abandoned)
	}
	_, on := s.at("a2").user("a6", 4).answer("a7", 1010).one(t)
	trial.Expect(t, on, "request transcript-observed baseline prompts=10 reported=1000", "request transcript-observed prompts=11 assistant=2 reported=1010")
	_, none := s.entry("leaf", "a8", `"targetId":null`).one(t)
	if len(none.Requests) != 0 || none.Abandoned != 6 {
		t.Errorf("before the first entry: %d requests, %d abandoned", len(none.Requests), none.Abandoned)
	}
}

func TestALeafThatGoesNowhereIsNoRewind(t *testing.T) {
	a, _ := tree("s", "").user("a1", 40).answer("a2", 1000).entry("leaf", "a3", `"targetId":"a2"`).at("a2").user("a4", 4).answer("a5", 1010).one(t)
	if b := trial.Boundaries(a, 0); b != "" {
		t.Errorf("boundaries: %s", b)
	}
}

// TestALeafThatIsNotThereLeavesTheBranchItStandsOn: a cut file has lost the entry, not the conversation.
func TestALeafThatIsNotThereLeavesTheBranchItStandsOn(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000).entry("leaf", "a3", `"targetId":"lost"`).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=10 reported=1000")
	if w := a.Warnings(0); len(w) != 1 || w[0].Code != "missing-parent" || w[0].Line != 4 {
		t.Errorf("warnings: %+v", w)
	}
}

// TestWhatIsNoEntryIsNoBranch: values that are no entries, and entries without an id, stand beside the tree.
func TestWhatIsNoEntryIsNoBranch(t *testing.T) {
	for _, line := range []string{"null", "[1]", `{"type":"brand_new"}`, `{"type":"usage","kind":"warmup"}`, `{"type":"message","message":{"role":"user","content":"a"}}`} {
		a, s := tree("s", "").user("a1", 40).line(line).answer("a2", 1000).line(line).user("a3", 4).answer("a4", 1010).one(t)
		if b := trial.Boundaries(a, 0); b != "" || len(s.Requests) != 2 {
			t.Errorf("with %s there are boundaries: %s", line, b)
		}
	}
}

func TestAMissingParentIsARoot(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000).at("lost").user("a3", 4).answer("a4", 500).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=500")
	if w := a.Warnings(0); len(w) != 1 || w[0].Code != "missing-parent" || w[0].Line != 4 {
		t.Errorf("warnings: %+v", w)
	}
}

// TestWarningsOfManySessionsAreCounted, and only the first of them listed.
func TestWarningsOfManySessionsAreCounted(t *testing.T) {
	var lines []string
	for i := range 50 {
		lines = append(lines, tree(fmt.Sprint("s", i), "").at("lost").user("a1", 4+i).lines...)
	}
	a := trial.Open(t, trial.File{Path: "a.jsonl", Text: strings.Join(lines, "\n") + "\n"})
	if w := a.Warnings(0); len(a.Sessions) != 50 || len(w) != 21 || w[20].Message != "30 more of these are counted and not listed" {
		t.Errorf("%d sessions, %d warnings", len(a.Sessions), len(w))
	}
}

func TestACircleOfParentsEnds(t *testing.T) {
	_, s := tree("s", "").at("a2").user("a1", 4).answer("a2", 100).at("a3").user("a3", 4).at("a2").user("a4", 4).answer("a5", 200).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100", "request transcript-observed prompts=2 reported=200")
}

func TestBranchSummariesAreSummaries(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 2000).user("a3", 4).answer("a4", 2100).at("a1").
		entry("branch_summary", "a5", `"fromId":"a4","summary":"`+chars(20)+`"`).user("a6", 4).answer("a7", 900).one(t)
	trial.Expect(t, s, "request transcript-observed baseline summaries=5 prompts=11 reported=900")
	if b := trial.Boundaries(a, 0); b != "rewind  -1→900 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestACompactionKeepsFromTheEntryItNames(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000, text(8), call("c1")).result("a3", "c1", 400).answer("a4", 1200, text(8)).
		user("a5", 4).compaction("a6", `,"firstKeptEntryId":"a3","usage":{"input":900,"output":9}`).user("a7", 8).answer("a8", 900).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=12 results=100 reported=1200",
		"compaction post-compaction summaries=20 prompts=1 assistant=2 results=100",
		"request transcript-observed summaries=20 prompts=3 assistant=2 results=100 reported=900")
	if b := trial.Boundaries(a, 0); b != "compaction  1200→900 (1210→-1)" {
		t.Errorf("boundaries: %s", b)
	}
	if c := trial.Changes(a, s, 2); !strings.HasPrefix(c, "added summary:") || !strings.Contains(c, " +20, removed message:") || !strings.Contains(c, "removed call:c1 -10") {
		t.Errorf("changes: %s", c)
	}
}

// TestAPositionCountsAllRecords: the header is record 0, two objects glued on one line are two, a broken line is none, and one that
// is no object is one as it is for Pi.
func TestAPositionCountsAllRecords(t *testing.T) {
	for kept, want := range map[int]string{
		0: "prompts=4 assistant=2", 1: "prompts=4 assistant=2", 2: "prompts=3 assistant=2", 3: "prompts=3", 4: "prompts=2", 5: "prompts=2", 6: "prompts=1", 7: "", 1000: "",
	} {
		s := list("s", "").user("", 4).answer("", 100, text(8)).user("", 4)
		s.line(`{"type":"message","broken`).line(`true`)
		s.user("", 4)
		n := len(s.lines) - 1
		s.user("", 4)
		s.lines[n] += s.lines[n+1]
		s.lines = s.lines[:n+1]
		_, got := s.compaction("", fmt.Sprintf(`,"firstKeptEntryIndex":%d`, kept)).answer("", 100).one(t)
		trial.Expect(t, got,
			"request transcript-observed baseline prompts=1 reported=100",
			strings.TrimSpace("compaction post-compaction summaries=20 "+want),
			strings.Replace("request transcript-observed summaries=20 "+want+" reported=100", "  ", " ", 1))
	}
}

func TestACompactionThatNamesNothingKeepsNothing(t *testing.T) {
	for _, rest := range []string{``, `,"firstKeptEntryId":"lost"`, `,"firstKeptEntryId":"a3"`, `,"firstKeptEntryId":7`, `,"retainedTail":[]`} {
		_, s := tree("s", "").user("a1", 4).answer("a2", 100, text(8)).compaction("a3", rest).one(t)
		trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100", "compaction post-compaction summaries=20")
	}
}

func TestOnlyTheLatestSummaryIsInTheContext(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).answer("a2", 100, text(8)).compaction("a3", `,"firstKeptEntryId":"a2"`).user("a4", 4).answer("a5", 100, text(8)).
		compaction("a6", `,"firstKeptEntryId":"a1"`).answer("a7", 100).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=1 reported=100",
		"compaction post-compaction summaries=20 assistant=2",
		"request transcript-observed summaries=20 prompts=1 assistant=2 reported=100",
		"compaction post-compaction summaries=20 prompts=2 assistant=4", // it reaches back behind the one before
		"request transcript-observed summaries=20 prompts=2 assistant=4 reported=100")
	if b := trial.Boundaries(a, 0); b != "compaction  100→100 (1210→-1); compaction  100→100 (1210→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestARetainedTailIsWhatWasKept(t *testing.T) {
	tail := `,"firstKeptEntryId":"a1","retainedTail":[{"role":"assistant","content":[` + text(8) + `,` + call("c1") + `]},{"role":"toolResult","toolCallId":"c1","content":[` + text(40) +
		`]},{"role":"user","content":"xxxx"},{"role":"bashExecution","command":"ls","output":"","excludeFromContext":true},7]`
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000, text(80), call("c1")).result("a3", "c1", 40).
		compaction("a4", tail).answer("a5", 900).compaction("a6", `,"firstKeptEntryId":"a5"`).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"compaction post-compaction summaries=20 prompts=1 assistant=12 results=10",
		"request transcript-observed summaries=20 prompts=1 assistant=12 results=10 reported=900",
		"compaction post-compaction summaries=20")
	if c := trial.Changes(a, s, 1); !strings.Contains(c, "added result:c1 +10") || !strings.Contains(c, "added compact:") {
		t.Errorf("changes: %s", c)
	}
}

func TestWhatStandsOutsideOfTheConversationStaysThroughACompaction(t *testing.T) {
	_, s := tree("s", "").message("a1", `"role":"system","content":"xxxx","sections":{"rules":"xxxx"},"toolsAdded":[{"name":"a"}]`).
		user("a2", 4).answer("a3", 100, text(8)).compaction("a4", "").answer("a5", 100).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline system=1 tools=3 rules=1 prompts=1 reported=100",
		"compaction post-compaction system=1 tools=3 rules=1 summaries=20",
		"request transcript-observed system=1 tools=3 rules=1 summaries=20 reported=100")
}

func TestASystemMessageOfACompactionReplacesAllBefore(t *testing.T) {
	a, s := tree("s", "").message("a1", `"role":"system","content":"xxxx","sections":{"rules":"xxxx","preamble":"xxxx"},"toolsAdded":[{"name":"a"}]`).
		user("a2", 4).answer("a3", 100, text(8)).
		compaction("a4", `,"firstKeptEntryId":"a1","systemMessage":{"role":"system","content":"xxxxxxxx","sections":{"preamble":"xxxxx"},"toolsAdded":[]}`).
		answer("a5", 100).entry("context_edit", "a6", `"targetId":"a1","replacement":{"content":"`+chars(400)+`"}`).answer("a7", 100).
		compaction("a8", "").one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline system=2 tools=3 rules=1 prompts=1 reported=100",
		"compaction post-compaction system=4 summaries=20 prompts=1 assistant=2",
		"request transcript-observed system=4 summaries=20 prompts=1 assistant=2 reported=100",
		"request transcript-observed system=4 summaries=20 prompts=1 assistant=2 reported=100",
		"compaction post-compaction system=4 summaries=20")
	if c := trial.Changes(a, s, 1); !strings.Contains(c, "replaced section:preamble +1") || !strings.Contains(c, "removed tool:a -3") {
		t.Errorf("changes: %s", c)
	}
}

func TestTheLatestEditOnTheBranchHoldsFromThereOn(t *testing.T) {
	a, s := tree("s", "").user("a1", 40).answer("a2", 1000, text(8), call("c1")).result("a3", "c1", 400).answer("a4", 1200).
		entry("context_edit", "a5", `"targetId":"a3","replacement":{"content":[`+text(40)+`]}`).answer("a6", 1100).
		entry("context_edit", "a7", `"targetId":"a3","replacement":null`).
		entry("context_edit", "a8", `"targetId":"a2","replacement":{"content":"xxxx"}`).answer("a9", 1000).
		entry("context_edit", "a10", `"targetId":"a3","replacement":{"content":"xxxx"}`).answer("a11", 1010).one(t)
	trial.Expect(t, s,
		"request transcript-observed baseline prompts=10 reported=1000",
		"request transcript-observed prompts=10 assistant=12 results=100 reported=1200",
		"request transcript-observed prompts=10 assistant=12 results=10 reported=1100",
		"request transcript-observed prompts=10 assistant=1 reported=1000",
		"request transcript-observed prompts=10 assistant=1 results=1 reported=1010")
	if c := trial.Changes(a, s, 2); c != "replaced result:c1 -90" {
		t.Errorf("changes: %s", c)
	}
	if b := trial.Boundaries(a, 0); b != "context-edit  1200→1100 (-1→-1); context-edit  1100→1000 (-1→-1); context-edit  1100→1000 (-1→-1); context-edit  1000→1010 (-1→-1)" {
		t.Errorf("boundaries: %s", b)
	}
}

func TestAnEditHoldsThroughACompactionAndNotOnAnotherBranch(t *testing.T) {
	s := tree("s", "").user("a1", 40).user("a2", 400).answer("a3", 1000).entry("context_edit", "a4", `"targetId":"a2","replacement":{"content":"xxxx"}`)
	_, kept := s.compaction("a5", `,"firstKeptEntryId":"a2"`).one(t)
	trial.Expect(t, kept, "request transcript-observed baseline prompts=110 reported=1000", "compaction post-compaction summaries=20 prompts=1")
	_, other := s.at("a3").answer("a6", 1000).one(t)
	trial.Expect(t, other, "request transcript-observed baseline prompts=110 reported=1000", "request transcript-observed prompts=110 reported=1000")
}

func TestAnEditWithoutATargetChangesNothing(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).compaction("a2", `,"firstKeptEntryId":"a1"`).entry("context_edit", "a3", `"targetId":"lost","replacement":null`).
		entry("context_edit", "a4", `"targetId":"a2","replacement":null`).entry("context_edit", "a5", `"targetId":"a6","replacement":null`).
		entry("context_edit", "a6", `"targetId":"a1"`).answer("a7", 100).one(t)
	trial.Expect(t, s, "compaction post-compaction baseline summaries=20 prompts=1", "request transcript-observed summaries=20 prompts=1 reported=100")
	if k := a.Inputs[0].Kinds; len(k) != 1 || k[0].Kind != "context_edit" || k[0].Count != 1 {
		t.Errorf("unknown: %+v", k)
	}
}

// TestGoingBackAgainAndAgainTakesLinearTime: compactions that keep all or nothing in turn, and edits of one large message.
func TestGoingBackAgainAndAgainTakesLinearTime(t *testing.T) {
	began := time.Now()
	s := tree("s", "")
	for i := range 20000 {
		s.user(fmt.Sprintf("u%d", i), 4)
	}
	for i := range 20000 {
		s.compaction(fmt.Sprintf("c%d", i), []string{`,"firstKeptEntryId":"u0"`, ""}[i%2])
	}
	calls := make([]string, 2000)
	for i := range calls {
		calls[i] = call(fmt.Sprintf("c%d", i))
	}
	s.answer("big", 100, calls...)
	for i := range 20000 {
		s.entry("context_edit", fmt.Sprintf("e%d", i), fmt.Sprintf(`"targetId":"big","replacement":{"content":"%s"}`, chars(4+i%2*4)))
	}
	s.one(t)
	if d := time.Since(began); d > time.Minute { // a second on an idle machine
		t.Errorf("it took %v", d)
	}
}
