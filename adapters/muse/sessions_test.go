package muse_test

import (
	"strings"
	"testing"

	"contextscope/adapters/trial"
)

// TestRecordsAreInTheOrderOfTheirSequence, wherever they stand.
func TestRecordsAreInTheOrderOfTheirSequence(t *testing.T) {
	s := session("s").prompt(chars(4)).completed(100).answer(8).prompt(chars(12)).completed(200)
	want := []string{"request transcript-observed baseline prompts=1 reported=100", "request transcript-observed prompts=4 assistant=2 reported=200"}
	_, v := trial.One(t, s.lines...)
	trial.Expect(t, v, want...)
	l := s.lines
	_, v = trial.One(t, l[3], l[4], l[0], l[2], l[1])
	trial.Expect(t, v, want...)
	a := trial.Open(t, trial.File{Path: "b.jsonl", Text: strings.Join(l[2:], "\n")}, trial.File{Path: "a.jsonl", Text: strings.Join(l[:4], "\n")})
	trial.Expect(t, a.Sessions[0], want...)
	if a.Duplicate[0]+a.Duplicate[1] != 2 || len(a.Sessions) != 1 {
		t.Errorf("duplicates %v, sessions %s", a.Duplicate, trial.Sessions(a))
	}
}

func TestRecordsWithoutAnIdCountOnceByTheirPlace(t *testing.T) {
	s := session("s").prompt("a").completed(100)
	for i := range s.lines {
		s.lines[i] = strings.Replace(s.lines[i], `"id":"s-`, `"no":"s-`, 1)
	}
	_, v := trial.One(t, append(s.lines, s.lines...)...)
	if len(v.Requests) != 1 {
		t.Errorf("%d requests, want 1", len(v.Requests))
	}
}

// TestAPromptThatIsSentTwiceCountsTwice: a message id may come again in another run.
func TestAPromptThatIsSentTwiceCountsTwice(t *testing.T) {
	_, s := session("s").prompt("continue").answer(8).prompt("continue").answer(8).completed(100).one(t)
	trial.Expect(t, s, "request transcript-observed baseline prompts=4 assistant=2 reported=100") // the last answer is the response's own
	_, s = session("s").prompt("continue").completed(50).answer(8).prompt("continue").completed(60).answer(8).prompt("continue").completed(100).one(t)
	if got := trial.Snapshot(&s.Snapshots[2]); got != "request transcript-observed prompts=6 assistant=4 reported=100" {
		t.Error(got)
	}
}

// TestEachStreamIsASession: what stands between has no influence.
func TestEachStreamIsASession(t *testing.T) {
	a, b := session("a").prompt("aaaa").completed(100), session("b").prompt(chars(40)).completed(200)
	v := trial.Open(t, trial.File{Path: "x.jsonl", Text: strings.Join([]string{a.lines[0], b.lines[0], b.lines[1], a.lines[1]}, "\n")})
	expect(t, "sessions", trial.Sessions(v), "a: 1 requests; b: 1 requests")
	trial.Expect(t, v.Sessions[0], "request transcript-observed baseline prompts=1 reported=100")
	// A stream with nothing but settings is none.
	v = trial.Open(t, trial.File{Path: "x.jsonl", Text: session("c").add("run.model.configured", `{"kind":"run_model","record":{"model_id":"m"}}`).text() + a.text()})
	expect(t, "sessions", trial.Sessions(v), "a: 1 requests")
}

// TestARecordOfTwoSessionsIsARequestOfOne: a fork may copy records with their ids.
func TestARecordOfTwoSessionsIsARequestOfOne(t *testing.T) {
	old := session("old").prompt(chars(40)).completed(100)
	fork := session("new")
	for _, l := range old.lines {
		fork.line(strings.Replace(l, `"kind":"session","id":"old"`, `"kind":"session","id":"new"`, 1))
	}
	fork.n = 2
	fork.completed(150)
	for _, text := range []string{old.text() + fork.text(), old.text() + fork.text() + old.text() + fork.text()} {
		a := trial.Open(t, trial.File{Path: "x.jsonl", Text: text})
		expect(t, "sessions", trial.Sessions(a), "old: 1 requests; new: 1 requests")
		trial.Expect(t, a.Sessions[1], "capture transcript-observed baseline prompts=10", "request transcript-observed prompts=10 reported=150")
		if a.Sessions[1].Copied != 2 {
			t.Errorf("%d copied", a.Sessions[1].Copied)
		}
	}
}

const (
	main  = "2026/10/04/7a000000-0000-7000-8000-0000000000aa/session.jsonl"
	below = "2026/10/04/7a000000-0000-7000-8000-0000000000aa/subagent/"
)

// TestChildrenAreLinkedByTheRecordsThatNameThem, with the call that their task carries out.
func TestChildrenAreLinkedByTheRecordsThatNameThem(t *testing.T) {
	parent := session("p").prompt("a").calls("c1", "subagent_spawn").completed(100).
		add("runtime.session", `{"kind":"task","task_id":"T1","event":{"kind":"side_effect_intent","idempotency_key":"tool:c1"}}`).
		add("runtime.session", `{"kind":"task","task_id":"T2","event":{"kind":"side_effect_intent","parent_task_id":"T1","operation":"spawn"}}`).
		event(`"kind":"task_stream_linked","child_session_id":"k1","agent_type":"explorer","task_id":"T2"`).
		event(`"kind":"memory_reminder_child_session_linked","child_session_id":"k2","reminder_agent_id":"verify-reminder","agent_type":"x","task_id":"T9"`).
		add("subagent.control.child_session_bound", `{"kind":"bound","record":{"child_session_id":"k3"}}`).
		event(`"kind":"task_stream_linked","child_session_id":"lost"`).completed(200)
	files := []trial.File{{Path: "k1.jsonl", Text: session("k1").prompt("b").completed(10).text()}, {Path: "p.jsonl", Text: parent.text()},
		{Path: "k2.jsonl", Text: session("k2").prompt("b").completed(20).text()}, {Path: "k3.jsonl", Text: session("k3").prompt("b").text()}}
	a := trial.Open(t, files...)
	expect(t, "sessions", trial.Sessions(a), "p: 2 requests; k1 (explorer) of p by c1: 1 requests; k2 (verify-reminder) of p: 1 requests; k3 (subagent) of p: 0 requests")
	if c := a.Sessions[0].Calls[0]; a.Strings.Get(c.Agent) != "k1" {
		t.Errorf("the call started %q", a.Strings.Get(c.Agent))
	}
}

// TestChildrenAreLinkedByTheirFolder where no record names them; children may have children.
func TestChildrenAreLinkedByTheirFolder(t *testing.T) {
	file := func(path, id string) trial.File {
		return trial.File{Path: path, Text: session(id).prompt("b").completed(10).text()}
	}
	a := trial.Open(t, file(below+"k1/subagent/k2/session.jsonl", "k2"), file(below+"k1/session.jsonl", "k1"), file(main, "p"),
		file("other/session.jsonl", "o"), file("elsewhere/o/subagent/k3/session.jsonl", "k3"), file("elsewhere/q/subagent/k4/session.jsonl", "k4"))
	expect(t, "sessions", trial.Sessions(a), "p: 1 requests; k1 (subagent) of p: 1 requests; k2 (subagent) of k1: 1 requests; "+
		"o: 1 requests; k3 (subagent) of o: 1 requests; k4: 1 requests")
}

func TestAnExportTellsWhoseChildASessionIs(t *testing.T) {
	p, k := session("p").prompt("a").completed(10), session("k").prompt("b").completed(20)
	a := trial.Open(t, trial.File{Path: "e.json", Text: exportOf(1, `{"session_id":"p"},{"session_id":"k","parent":{"session_id":"p","link":"subagent"}}`, append(p.lines, k.lines...)...)})
	expect(t, "sessions", trial.Sessions(a), "p: 1 requests; k (subagent) of p: 1 requests")
}

func TestCirclesOfParentsEnd(t *testing.T) {
	link := func(id string) string {
		return `"kind":"task_stream_linked","child_session_id":"` + id + `","task_id":"T1"`
	}
	loop := `{"kind":"task","task_id":"T1","event":{"kind":"side_effect_intent","parent_task_id":"T1"}}`
	a := trial.Open(t, trial.File{Path: "a", Text: session("a").prompt("a").add("runtime.session", loop).event(link("b")).event(link("a")).text()},
		trial.File{Path: "b", Text: session("b").prompt("a").event(link("a")).text()})
	if len(a.Sessions) != 2 {
		t.Errorf("sessions %s", trial.Sessions(a))
	}
}

// TestAnApprovalReviewIsLeftOut, known by its stream or by its folder, and counted.
func TestAnApprovalReviewIsLeftOut(t *testing.T) {
	review := session("v").prompt("may it?").event(`"kind":"brand_new"`).completed(100)
	file := trial.File{Path: "s/approval-review/v.jsonl", Text: review.text()}
	a := trial.Open(t, file, trial.File{Path: "s/session.jsonl", Text: session("s").prompt("a").completed(100).text()})
	expect(t, "by its folder", trial.Sessions(a), "s: 1 requests")
	expect(t, "by its folder", warnings(a, 0), "left-out 0")
	if !strings.HasPrefix(a.Warnings(0)[0].Message, "3 records ") {
		t.Error(a.Warnings(0)[0].Message)
	}
	a = trial.Open(t, trial.File{Path: "v.jsonl", Text: strings.ReplaceAll(review.text(), `"kind":"session"`, `"kind":"approval.review.runtime"`)})
	if len(a.Sessions) != 0 || warnings(a, 0) != "left-out 0" || !strings.HasPrefix(a.Warnings(0)[0].Message, "3 records ") {
		t.Errorf("by its stream: %s, %v", trial.Sessions(a), a.Warnings(0))
	}
}

// TestAJournalWithoutAnAnswerShowsWhatIsThere.
func TestAJournalWithoutAnAnswerShowsWhatIsThere(t *testing.T) {
	_, s := session("s").prompt(chars(40)).one(t)
	trial.Expect(t, s, "capture transcript-observed baseline prompts=10")
}

// TestRecordsWithoutAStreamBelongToTheirOwnFile: to the stream that is named there, else to none but the file itself.
func TestRecordsWithoutAStreamBelongToTheirOwnFile(t *testing.T) {
	bare := func(s *script, n int) *script {
		for i := range n {
			s.lines[i] = strings.Replace(s.lines[i], `"stream":{"kind":"session","id":"`+s.id+`"},`, "", 1)
			s.lines[i] = strings.Replace(s.lines[i], `"id":"`+s.id+`-`, `"no":"`, 1)
		}
		return s
	}
	file := func(name string, s *script) trial.File { return trial.File{Path: name, Text: s.text()} }
	a := trial.Open(t, file("1.jsonl", bare(session("a").prompt("aaaa").completed(100), 2)), file("2.jsonl", bare(session("b").prompt(chars(40)).completed(200), 2)))
	expect(t, "two files", trial.Sessions(a), "1.jsonl: 1 requests; 2.jsonl: 1 requests")
	trial.Expect(t, a.Sessions[0], "request transcript-observed baseline prompts=1 reported=100")
	trial.Expect(t, a.Sessions[1], "request transcript-observed baseline prompts=10 reported=200")

	twice := bare(session("a").prompt("aaaa").completed(100), 2)
	twice.lines = append(twice.lines, twice.lines...)
	a = trial.Open(t, file("1.jsonl", twice))
	expect(t, "one file twice", trial.Sessions(a), "1.jsonl: 1 requests")

	a = trial.Open(t, file("1.jsonl", bare(session("a").prompt("aaaa").completed(100), 1)))
	expect(t, "only the first without", trial.Sessions(a), "a: 1 requests")
	trial.Expect(t, a.Sessions[0], "request transcript-observed baseline prompts=1 reported=100")
}
