package pi_test

import (
	"regexp"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

var options analysis.Options

func TestASessionOfTheFirstVersionTwiceInAFileIsOne(t *testing.T) {
	s := list("s", "").user("", 4).answer("", 100, text(8)).user("", 4).answer("", 200)
	s.lines = append(s.lines, s.lines...)
	a, got := s.user("", 4).user("", 4).answer("", 300).one(t)
	trial.Expect(t, got,
		"request transcript-observed baseline prompts=1 reported=100",
		"request transcript-observed prompts=2 assistant=2 reported=200",
		"request transcript-observed prompts=4 assistant=2 reported=300")
	if a.Duplicate[0] != 5 {
		t.Errorf("%d duplicates, want 5", a.Duplicate[0])
	}
}

func TestAPromptSentTwiceCountsTwice(t *testing.T) {
	s := list("s", "").user("", 4)
	_, got := s.line(s.lines[1]).answer("", 100).one(t)
	trial.Expect(t, got, "request transcript-observed baseline prompts=2 reported=100")
}

func TestAnEntryWithAnIdStandsOnce(t *testing.T) {
	s := tree("s", "").user("a1", 4).answer("a2", 100, text(8)).user("a3", 4)
	a, got := s.line(s.lines[2]).answer("a4", 200).one(t)
	trial.Expect(t, got, "request transcript-observed baseline prompts=1 reported=100", "request transcript-observed prompts=2 assistant=2 reported=200")
	if a.Duplicate[0] != 1 {
		t.Errorf("%d duplicates, want 1", a.Duplicate[0])
	}
}

func TestTheSameSessionInTwoFilesIsOneWithTwoSources(t *testing.T) {
	for name, s := range map[string]*script{"tree": tree("s", ""), "list": list("s", "")} {
		s.user("a1", 4).answer("a2", 100, text(8)).user("a3", 4)
		short := s.file("old/copy.jsonl")
		long := s.answer("a4", 200).file("new.jsonl")
		a := trial.Open(t, short, long)
		if len(a.Sessions) != 1 || len(a.Sessions[0].Inputs) != 2 || len(a.Sessions[0].Requests) != 2 {
			t.Errorf("%s: %s", name, trial.Sessions(a))
			continue
		}
		if n := a.Duplicate[0]; n != 4 {
			t.Errorf("%s: %d duplicates in the shorter file, want 4", name, n)
		}
	}
}

// TestAForksCopiesAreItsContextAndNotItsRequests: for entries with ids and without.
func TestAForksCopiesAreItsContextAndNotItsRequests(t *testing.T) {
	for name, begin := range map[string]func(id, more string) *script{"tree": tree, "list": list} {
		parent := begin("p", "").user("a1", 4).answer("a2", 100, text(8)).user("a3", 4).answer("a4", 200, text(8)).compaction("a5", `,"firstKeptEntryId":"a4","firstKeptEntryIndex":4`)
		member := map[string]string{"tree": "parentSession", "list": "branchedFrom"}[name]
		fork := begin("f", `,"`+member+`":"/home/x/--w--/2026-03-01T10-00-00-000Z_p.jsonl"`)
		fork.lines[0] = strings.Replace(fork.lines[0], "10:00:00", "10:30:00", 1)
		fork.lines = append(fork.lines, parent.lines[1:]...)
		fork.now, fork.last = parent.now, "a5"
		fork.user("a6", 8).answer("a7", 300)
		a := trial.Open(t, fork.file("2.jsonl"), parent.file("1.jsonl"))
		if got := trial.Sessions(a); got != "p: 2 requests; f (fork): 1 requests" {
			t.Fatalf("%s: sessions: %s", name, got)
		}
		f := a.Sessions[1]
		trial.Expect(t, f, "request transcript-observed baseline summaries=20 prompts=2 assistant=2 reported=300")
		if f.Copied != 5 || a.Duplicate[0] != 5 || a.Duplicate[1] != 0 || len(f.Boundaries) != 0 {
			t.Errorf("%s: %d copied, duplicates %v, %d boundaries", name, f.Copied, a.Duplicate, len(f.Boundaries))
		}
		alone := trial.Open(t, fork.file("2.jsonl"))
		if got := trial.Sessions(alone); got != "f"+map[string]string{"tree": "", "list": " (fork)"}[name]+": 3 requests" {
			t.Errorf("%s alone: %s", name, got)
		}
	}
}

func TestACopyWithNothingOfItsOwnIsNoSession(t *testing.T) {
	parent := tree("p", "").user("a1", 4).answer("a2", 100)
	clone := tree("c", `,"parentSession":"p"`)
	clone.lines = append(clone.lines, parent.lines[1:]...)
	a := trial.Open(t, parent.file("1.jsonl"), clone.file("2.jsonl"))
	if got := trial.Sessions(a); got != "p: 1 requests" {
		t.Errorf("sessions: %s", got)
	}
	if w := a.Warnings(1); len(w) != 1 || w[0].Code != "copied-input" {
		t.Errorf("warnings: %+v", w)
	}
}

func TestShortIdsOfUnrelatedSessionsAreNotTheSame(t *testing.T) {
	one := tree("one", "").user("a1", 4).answer("a2", 100)
	two := tree("two", "").user("a1", 8).answer("a2", 200)
	a := trial.Open(t, one.file("1.jsonl"), two.file("2.jsonl"))
	if got := trial.Sessions(a); got != "one: 1 requests; two: 1 requests" || a.Sessions[0].Copied+a.Sessions[1].Copied != 0 {
		t.Errorf("sessions: %s", got)
	}
}

// TestTheSameWordsAtAnUnknownTimeAreNoCopy: only a moment tells a copy from what somebody else said too.
func TestTheSameWordsAtAnUnknownTimeAreNoCopy(t *testing.T) {
	timeless := func(s *script) trial.File {
		f := s.file("a.jsonl")
		f.Text = regexp.MustCompile(`"timestamp":"[^"]*",?`).ReplaceAllString(f.Text, `"timestamp":null,`)
		return f
	}
	for name, files := range map[string][]trial.File{
		"tree": {timeless(tree("one", "").user("a1", 8).answer("a2", 100)), timeless(tree("two", "").user("b1", 8).answer("b2", 100))},
		"list": {timeless(list("one", "").user("", 8).answer("", 100)), timeless(list("two", "").user("", 8).answer("", 100))},
	} {
		if got := trial.Sessions(trial.Open(t, files...)); got != "one: 1 requests; two: 1 requests" {
			t.Errorf("%s: sessions: %s", name, got)
		}
	}
}

func TestAParentIsFoundByIdByPathAndByFileName(t *testing.T) {
	for _, parent := range []string{"p", `C:\\x\\2026-03-01T10-00-00-000Z_p.jsonl`, "/x/2026-03-01T10-00-00-000Z_p.jsonl", "/x/mine.jsonl"} {
		a := trial.Open(t, tree("c", `,"parentSession":"`+parent+`"`).user("b1", 8).answer("b2", 101).file("child.jsonl"),
			tree("p", "").user("a1", 4).answer("a2", 100).file("mine.jsonl"))
		if got := trial.Sessions(a); got != "p: 1 requests; c of p: 1 requests" {
			t.Errorf("%s: %s", parent, got)
		}
	}
	circle := trial.Open(t, tree("x", `,"parentSession":"y"`).user("a1", 4).file("1.jsonl"), tree("y", `,"parentSession":"x"`).user("b1", 8).file("2.jsonl"))
	if len(circle.Sessions) != 2 {
		t.Errorf("a circle: %s", trial.Sessions(circle))
	}
}

func TestSessionsGluedIntoOneFileAreTold(t *testing.T) {
	one := tree("one", "").user("a1", 4).answer("a2", 100)
	two := list("two", "").user("", 8).answer("", 200).compaction("", `,"firstKeptEntryIndex":1`)
	a := trial.Open(t, trial.File{Path: "both.jsonl", Text: one.file("").Text + two.file("").Text})
	if got := trial.Sessions(a); got != "one: 1 requests; two: 1 requests" {
		t.Fatalf("sessions: %s", got)
	}
	trial.Expect(t, a.Sessions[1], "request transcript-observed baseline prompts=2 reported=200", "compaction post-compaction summaries=20 prompts=2")
}

func TestWithoutAnIdOrAHeaderAReplayIsKnownByItsBeginning(t *testing.T) {
	nameless := list("s", "")
	nameless.lines[0] = strings.Replace(nameless.lines[0], `"id":"s",`, `"version":1,`, 1)
	headless := list("s", "")
	for name, s := range map[string]*script{"without an id": nameless, "without a header": headless} {
		s.user("", 4).answer("", 100, text(8)).user("", 4).answer("", 200)
		if s == headless {
			s.lines = s.lines[1:]
		}
		s.lines = append(s.lines, s.lines...)
		a, got := s.one(t)
		if len(got.Requests) != 2 || got.ID != "journal.jsonl" || a.Duplicate[0] != int64(len(s.lines)/2) {
			t.Errorf("%s: %s, %d duplicates", name, trial.Sessions(a), a.Duplicate[0])
		}
	}
}

// TestOfTwoCopiesTheOneWrittenToLastDecides: both went on from a3.
func TestOfTwoCopiesTheOneWrittenToLastDecides(t *testing.T) {
	begin := func() *script { return tree("s", "").user("a1", 4).answer("a2", 100, text(8)).user("a3", 4) }
	early := begin().answer("b1", 200, text(400)).user("b2", 400).answer("b3", 300)
	late := begin()
	late.now = 50
	late.answer("c1", 210, text(8))
	for _, files := range [][]trial.File{{early.file("1.jsonl"), late.file("2.jsonl")}, {late.file("1.jsonl"), early.file("2.jsonl")}} {
		a := trial.Open(t, files...)
		s := a.Sessions[0]
		if len(a.Sessions) != 1 || len(s.Requests) != 2 || s.Requests[1].Input != 210 || s.Abandoned != 3 {
			t.Errorf("%s; %d abandoned", trial.Sessions(a), s.Abandoned)
		}
	}
}

// TestACopyThatStoppedEarlierDoesNotDecide, though it is read behind the longer one.
func TestACopyThatStoppedEarlierDoesNotDecide(t *testing.T) {
	begin := func() *script { return tree("s", "").user("a1", 4).answer("a2", 100, text(8)).user("a3", 4) }
	early, late := begin().answer("b1", 200, text(400)), begin()
	late.now = 50
	late.answer("c1", 210, text(8)).user("c2", 4).answer("c3", 220)
	for _, files := range [][]trial.File{{early.file("1.jsonl"), late.file("2.jsonl")}, {late.file("1.jsonl"), early.file("2.jsonl")}} {
		a := trial.Open(t, files...)
		s := a.Sessions[0]
		if len(a.Sessions) != 1 || len(s.Requests) != 3 || s.Requests[2].Input != 220 || s.Abandoned != 1 {
			t.Errorf("%s; %d abandoned", trial.Sessions(a), s.Abandoned)
		}
	}
}

// TestACompactionIsKnownAgainWhenTheVersionChanged: a fork of a list is a tree, and names by id what the list named by position.
func TestACompactionIsKnownAgainWhenTheVersionChanged(t *testing.T) {
	old := list("p", "").user("", 4).answer("", 100, text(8)).compaction("", `,"firstKeptEntryIndex":2`)
	fork := tree("f", `,"parentSession":"p"`).user("a1", 4).answer("a2", 100, text(8)).compaction("a3", `,"firstKeptEntryId":"a2"`).user("a4", 8).answer("a5", 90)
	fork.lines[0] = strings.Replace(fork.lines[0], "10:00:00", "10:30:00", 1)
	a := trial.Open(t, old.file("1.jsonl"), fork.file("2.jsonl"))
	if got := trial.Sessions(a); got != "p: 1 requests; f (fork): 1 requests" || len(a.Sessions[0].Boundaries) != 1 || len(a.Sessions[1].Boundaries) != 0 {
		t.Errorf("%s", got)
	}
	trial.Expect(t, a.Sessions[1], "request transcript-observed baseline summaries=20 prompts=2 assistant=2 reported=90")
}

func TestPiIsToldFromItsNeighbours(t *testing.T) {
	for _, foreign := range []string{
		`{"type":"session.start","data":{},"id":"a","timestamp":"2026-03-01T10:00:00.000Z","parentId":null}`,
		`{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"},"timestamp":"2026-03-01T10:00:00.000Z"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}`,
	} {
		if a := trial.Open(t, trial.File{Path: "a.jsonl", Text: foreign + "\n"}); a.Inputs[0].Format == "pi" {
			t.Errorf("%s is taken for Pi", foreign)
		}
	}
}

// TestNothingThatAPersonWroteIsInADocument plants text everywhere; a section that is named by a path has a token in its place.
func TestNothingThatAPersonWroteIsInADocument(t *testing.T) {
	a, s := tree("s", `,"parentSession":"/home/PLANTED/2026_PLANTED.jsonl"`).
		message("a1", `"role":"system","content":"PLANTED","sections":{"/home/PLANTED/AGENTS.md":"PLANTED","/home/PLANTED/agents.md":"PLANTED","rules":"PLANTED"},"toolsAdded":[{"name":"read","description":"PLANTED"}]`).
		message("a2", `"role":"user","content":"PLANTED prompt"`).entry("session_info", "a3", `"name":"PLANTED"`).
		answer("a4", 100, `{"type":"text","text":"PLANTED"}`, `{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"/PLANTED"}}`).
		message("a5", `"role":"toolResult","toolCallId":"c1","toolName":"read","content":"PLANTED"`).
		message("a6", `"role":"bashExecution","command":"PLANTED","output":"PLANTED"`).
		entry("custom_message", "a7", `"customType":"ext","content":"PLANTED"`).
		entry("context_edit", "a8", `"targetId":"a5","replacement":{"content":"PLANTED"}`).
		entry("compaction", "a9", `"summary":"PLANTED","firstKeptEntryId":"a2","details":{"readFiles":["PLANTED"]}`).answer("a10", 100).one(t)
	doc := string(a.AppendJSON(nil, options))
	if i := strings.Index(doc, "PLANTED"); i >= 0 {
		t.Errorf("text got into the document: …%s…", doc[max(0, i-80):i+20])
	}
	if s.Title != "PLANTED" || !strings.Contains(doc, `"id":"section:path-`) || !strings.Contains(doc, `"id":"section:rules"`) {
		t.Errorf("title %q, document %s", s.Title, doc)
	}
	trial.Expect(t, s,
		"request transcript-observed baseline system=2 tools=10 rules=6 prompts=4 reported=100",
		"compaction post-compaction system=2 tools=10 rules=6 summaries=2 prompts=4 assistant=8 results=6 unattributed=2",
		"request transcript-observed system=2 tools=10 rules=6 summaries=2 prompts=4 assistant=8 results=6 unattributed=2 reported=100")
}

func TestSectionsThatComeLaterAreAddedAndNoBaseline(t *testing.T) {
	a, s := tree("s", "").user("a1", 4).answer("a2", 100).message("a3", `"role":"system","sections":{"preamble":"`+chars(400)+`"}`).answer("a4", 200).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=1 reported=100", "request transcript-observed system=100 prompts=1 reported=200")
	if c := trial.Changes(a, s, 1); c != "added section:preamble +100" {
		t.Errorf("changes: %s", c)
	}
}
