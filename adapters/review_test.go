package adapters_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// reviewed is a session with two compactions: a goal, two constraints, four files read and a decision before the first.
func reviewed(t *testing.T) *analysis.Analysis {
	t.Helper()
	c := (&claudeTold{}).user("Port the parser to Rust. Never log client addresses. Must keep the flags.").
		call(140000, "Read", `{"file_path":"src/a.c"}`, "int a;").call(145000, "Read", `{"file_path":"src/b.c"}`, "int b;").says(150000, "I decided on a table instead of a switch.").
		boundary("Conversation compacted", "").user("This session is being continued from a previous conversation that ran out of context. Primary request: port the parser to Rust. Must keep the flags.").
		says(20000, "Going on.").call(22000, "Read", `{"file_path":"src/a.c"}`, "int a;").says(25000, "Read.")
	return trial.Open(t, trial.File{Path: "s.jsonl", Text: c.b.String()})
}

func TestAReviewCountsAndPagesWhatWasLost(t *testing.T) {
	a := reviewed(t)
	r := a.Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 10}, analysis.Options{})
	if len(r.Boundaries) != 1 || r.Detail == nil {
		t.Fatalf("%+v", r)
	}
	row := r.Boundaries[0]
	same(t, "row", fmt.Sprint(row.Compared, row.Judged, row.Dropped, row.HighRisk, row.Survived), "true true 4 2 2")
	list := func(p analysis.FactPage) string {
		var b strings.Builder
		for _, f := range p.Rows {
			fmt.Fprintf(&b, "%s %v %s %d\n", f.Kind, f.HighRisk, f.Text, f.Line)
		}
		return b.String()
	}
	// What is of high risk comes first.
	same(t, "dropped", list(r.Detail.Dropped), "constraint true Never log client addresses. 1\ndecision true I decided on a table instead of a switch. 6\n"+
		"file-read false src/a.c 2\nfile-read false src/b.c 4\n")
	same(t, "survived", list(r.Detail.Survived), "constraint true Must keep the flags. 1\ntask-goal false Port the parser to Rust. 1\n")
	same(t, "kinds", fmt.Sprint(r.Detail.Kinds), "[{constraint 1 1} {decision 1 0} {task-goal 0 1} {file-read 2 0}]")

	r = a.Review(0, analysis.ReviewFilter{Boundary: 0, Kind: "file-read", Dropped: 1, Limit: 10}, analysis.Options{})
	same(t, "second page of files", list(r.Detail.Dropped), "file-read false src/b.c 4\n")
	if r.Detail.Dropped.Total != 2 || r.Detail.Survived.Total != 0 {
		t.Errorf("%d and %d files in all, want 2 and 0", r.Detail.Dropped.Total, r.Detail.Survived.Total)
	}
	if r = a.Review(0, analysis.ReviewFilter{Boundary: -1}, analysis.Options{}); r.Detail != nil {
		t.Error("a detail without a boundary")
	}
	// With a threshold that the drop exceeds still more, the recorded boundary stays one; a session that is not there has none.
	if r = a.Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 1}, analysis.Options{Threshold: 0.99}); len(r.Detail.Dropped.Rows) != 1 {
		t.Error("the limit does not hold")
	}
	if a.Review(7, analysis.ReviewFilter{}, analysis.Options{}) != nil {
		t.Error("a review of no session")
	}
}

func TestAReviewComparesBehavior(t *testing.T) {
	b := reviewed(t).Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 10}, analysis.Options{}).Detail.Behavior
	same(t, "windows", fmt.Sprint(b.Before, b.After), "{3 2} {3 1}")
	same(t, "reread", fmt.Sprint(b.Reread), "[{src/a.c 1 for-nothing}]")
	got := ""
	for _, m := range b.Rows {
		if m.Before != m.After {
			got += fmt.Sprint(m.Key, " ", m.Before, " ", m.After, " ", m.Worse, "\n")
		}
	}
	same(t, "measures", got, "rereads 0 1 true\n")
}

func TestABriefOfOneCompaction(t *testing.T) {
	a := reviewed(t)
	s := a.Sessions[0]
	if got, last := string(a.BriefOf(s, 0, 0.5)), string(a.Brief(s, 0.5)); got != last || !strings.Contains(got, "- Never log client addresses.\n") || strings.Contains(got, "flags") {
		t.Errorf("the brief of the only compaction is not that of the last: %s", got)
	}
	two := (&claudeTold{}).user("Port the parser. Never log client addresses.").says(150000, "ok").
		boundary("Conversation compacted", "").user("This session is being continued from a previous conversation. Primary request: port the parser.").says(20000, "ok").
		user("Keep the public API stable.").says(150000, "ok").
		boundary("Conversation compacted", "").user("This session is being continued from a previous conversation. Primary request: port the parser. Keep the public API stable. Never log client addresses.").says(20000, "ok")
	a = trial.Open(t, trial.File{Path: "s.jsonl", Text: two.b.String()})
	s = a.Sessions[0]
	first, last := string(a.BriefOf(s, 0, 0.5)), string(a.BriefOf(s, 1, 0.5))
	if !strings.Contains(first, "Compaction 1 likely dropped what stands here") || !strings.Contains(first, "- Never log client addresses.") {
		t.Errorf("the brief of the first: %s", first)
	}
	if !strings.Contains(last, "The last compaction likely dropped no constraint and no decision.") {
		t.Errorf("the brief of the last: %s", last)
	}
}

func TestACodexSummaryThatIsNotThereCannotBeJudged(t *testing.T) {
	user := func(text string) string {
		return `{"type":"message","role":"user","content":[{"type":"input_text","text":"` + text + `"}]}`
	}
	count := func(n int) string {
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d}}}}`, n)
	}
	lines := []string{
		`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c1","cwd":"/p","cli_version":"0.140.0"}}`,
		`{"type":"response_item","payload":` + user("Port the parser. Never log client addresses.") + `}`, count(150000),
		`{"type":"compacted","payload":{"message":"","replacement_history":[` + user("Port the parser. Never log client addresses.") + `]}}`, count(20000),
	}
	d := trial.Open(t, trial.File{Path: "rollout-c1.jsonl", Text: strings.Join(lines, "\n") + "\n"}).Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 9}, analysis.Options{})
	if len(d.Boundaries) != 1 || !d.Boundaries[0].Compared || d.Boundaries[0].Judged || d.Detail.Dropped.Total+d.Detail.Survived.Total != 0 {
		t.Errorf("%+v", d)
	}
	lines[3] = strings.Replace(lines[3], `"message":""`, `"message":"Port the parser."`, 1)
	d = trial.Open(t, trial.File{Path: "rollout-c1.jsonl", Text: strings.Join(lines, "\n") + "\n"}).Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 9}, analysis.Options{})
	if !d.Boundaries[0].Judged || d.Boundaries[0].Survived != 2 {
		t.Errorf("with a summary: %+v", d.Boundaries)
	}
}
