package agentprof_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// mod is a row of Claude Code's recorder.
func mod(at int, event, phase, id, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"source":"claude.mod","timestamp":"%d","data":{"event":"%s","phase":"%s","id":"%s","session_id":"s"%s}}`, ms(uint64(at)), event, phase, id, more)
}

func usage(in, out int) string {
	return fmt.Sprintf(`"usage":{"model":"m-1","input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":50,"cache_creation_input_tokens":2}`, in, out)
}

// reading is a reading of the context with the harness's own breakdown: conversation and system prompt, and what is none.
func reading(messages int, more string) string {
	return fmt.Sprintf(`"context":{"tokens":%d,"window":200000,"breakdown":{"categories":[{"name":"Messages","kind":"used","tokens":%d},{"name":"System prompt","kind":"used","tokens":20},`+
		`{"name":"Free space","kind":"free","tokens":199800},{"name":"MCP tools","kind":"deferred","tokens":50}],"raw_max_tokens":190000,"auto_compact_threshold":167000}%s}`, messages+20, messages, more)
}

func rows(lines ...string) trial.File {
	return trial.File{Path: "x.pftrace.capture/events-000000.jsonl", Text: strings.Join(lines, "\n") + "\n"}
}

const start = `{"source":"process_start","timestamp":"1790000000000000000","data":{"pid":7,"machineId":1,"captureId":"cap","output":"/tmp/x.pftrace"}}`

// spoken is a session of Claude Code with all that its recorder writes.
func spoken() []string {
	return []string{
		mod(0, "session", "begin", "s", `"model":"m-1","provider":"anthropic","version":"2.1.289",`+reading(10, `,"items_reset":true,"item_changes":[{"id":"message:0","category":"prompts","tokens":10,"chars":40}],"removed_items":[]`)),
		mod(10, "prompt", "begin", "p", `"prompt":"Check these numbers","prompt_length":19`),
		mod(20, "response", "begin", "p:0", `"turn_id":"p","model":"m-1",`+reading(10, `,"item_changes":[],"removed_items":[]`)),
		mod(100, "response", "end", "p:0", usage(5, 10)),
		mod(110, "tool", "begin", "bash", `"tool":"Bash","arguments":{"command":"exit 7\nfoo","timeout":1000}`),
		mod(330, "execution", "end", "bash", `"duration_ms":20,"is_error":true`),
		mod(350, "tool", "end", "bash", `"is_error":true`),
		mod(400, "response", "begin", "p:1", `"turn_id":"p","model":"m-1",`+reading(100, `,"item_changes":[{"id":"result:bash","category":"results","tokens":90,"source_id":"bash","source_kind":"tool"}],"removed_items":[]`)),
		mod(500, "response", "end", "p:1", usage(60, 3)),
		mod(505, "compaction", "begin", "c", `"trigger":"manual"`),
		mod(550, "compaction", "end", "c", `"success":true,"pre_tokens":80,"post_tokens":20,"model":"m-1",`+usage(6, 4)+","+reading(5, `,"item_changes":[{"id":"summary","category":"summaries","tokens":5}],"removed_items":["message:0","result:bash"]`)),
		mod(900, "prompt", "end", "p", ""),
		mod(1000, "session", "end", "s", `"reason":"exit","dropped":0`),
	}
}

func TestClaudesReadingsBecomeSnapshots(t *testing.T) {
	a := trial.Open(t, rows(append([]string{start}, spoken()...)...))
	quiet(t, a)
	if len(a.Sessions) != 1 {
		t.Fatal(trial.Sessions(a))
	}
	s := a.Sessions[0]
	trial.Expect(t, s,
		"capture capture-start native-summary baseline system=20 messages=10",
		"request request-input native-summary system=20 messages=10 reported=57",
		"request request-input native-summary system=20 messages=100 reported=112",
		"compaction post-compaction native-summary system=20 messages=5")
	for i, want := range []string{"baseline message:0 +10", "", "added result:bash +90", "removed result:bash -90, removed message:0 -10, added summary +5"} {
		if got := trial.Changes(a, s, i); got != want {
			t.Errorf("changes of %d: %s, want %s", i, got, want)
		}
	}
	if n := s.Snapshots[3]; n.Window != 200000 || n.Threshold != 167000 || n.Effective != 190000 || n.At != epoch+550e6 || n.Offset != 45e6 || a.Strings.Get(n.Model) != "m-1" {
		t.Errorf("the last snapshot: %+v", n)
	}
	if got := trial.Boundaries(a, 0); got != "compaction manual 112→-1 (80→20)" {
		t.Errorf("boundaries: %s", got)
	}
	if page := a.Changes(0, analysis.ChangeFilter{Sample: -1}); page.Total != 2 || page.Rows[0].Tool != "Bash" || page.Rows[0].Detail != "exit 7" || page.Rows[0].Line != 9 {
		t.Errorf("growth: %+v", page.Rows)
	}
	if s.ID != "s" || s.Harness != "claude-code" || s.Version != "2.1.289" || s.Title != "Check these numbers" || !s.Calls[0].Failed || len(s.Notes) != 0 || s.Requests[0].Window != 200000 {
		t.Errorf("session: %s %s %s %q, notes %v, requests %+v", s.ID, s.Harness, s.Version, s.Title, s.Notes, s.Requests)
	}
}

func TestATurnsReadingComesInTwoHalves(t *testing.T) {
	a := trial.Open(t, rows(start, mod(0, "session", "begin", "s", `"model":"m-1","context":{"tokens":12,"window":200000}`), mod(1, "prompt", "begin", "p", ""),
		mod(2, "response", "begin", "p:0", `"turn_id":"p"`), mod(3, "response", "end", "p:0", usage(5, 1)),
		mod(5, "context", "summary", "p", reading(30, "")),
		mod(6, "context", "sample", "p", `"context":{"item_changes":[{"id":"turn:p","category":"prompts","tokens":3}],"removed_items":[]}`),
		mod(7, "prompt", "begin", "q", ""), mod(8, "context", "summary", "q", reading(40, "")), // the items are not told: they are where they were
		mod(9, "prompt", "begin", "r", ""), mod(10, "context", "sample", "r", `"context":{"item_changes":[{"id":"turn:r","category":"prompts","tokens":4}],"removed_items":[]}`), // no breakdown
		mod(11, "context", "sample", "nobody", `"context":{"tokens":77,"window":200000}`),
		mod(12, "session", "end", "s", `"dropped":0`)))
	s := a.Sessions[0]
	trial.Expect(t, s, "capture transcript-observed native-summary baseline system=20 messages=30", "capture transcript-observed native-summary system=20 messages=40", "capture transcript-observed prompts=7")
	for i, want := range []string{"baseline turn:p +3", "", "added turn:r +4"} {
		if got := trial.Changes(a, s, i); got != want {
			t.Errorf("changes of %d: %s, want %s", i, got, want)
		}
	}
	if n := s.Snapshots[0]; n.At != epoch+6e6 || n.Window != 200000 || n.Offset != 6e6 {
		t.Errorf("the first: %+v", n)
	}
}

func TestWithoutABreakdownTheTotalsRemain(t *testing.T) {
	a := trial.Open(t, rows(start, mod(0, "session", "begin", "s", `"model":"m-1","context":{"window":200000}`), mod(2, "response", "begin", "p:0", `"model":"m-1"`), mod(3, "response", "end", "p:0", usage(5, 1)),
		mod(4, "context", "sample", "p:0", `"model":"m-1","context":{"tokens":60,"window":200000}`),
		mod(5, "compaction", "begin", "c", `"trigger":"auto"`), mod(6, "compaction", "end", "c", `"success":true,"pre_tokens":80,"post_tokens":20`), mod(7, "session", "end", "s", `"dropped":0`)))
	s := a.Sessions[0]
	if got, want := totals(s), "2:57/200000 4:60/200000 5:80/-1 6:20/-1"; got != want || len(s.Snapshots) != 0 {
		t.Errorf("totals %s, want %s", got, want)
	}
}

func TestSubagentsAndVisitsAreSessionsOfTheirOwn(t *testing.T) {
	a := trial.Open(t, rows(start, mod(0, "session", "begin", "s", `"model":"m-1"`), mod(1, "prompt", "begin", "p", ""), mod(2, "tool", "begin", "launch", `"tool":"Agent"`),
		mod(3, "agent", "begin", "worker", `"agent_id":"worker","call_id":"launch","model":"m-2","role":"auditor","prompt":"Verify the sums"`),
		mod(4, "response", "begin", "w:0", `"agent_id":"worker",`+reading(5, "")), mod(5, "response", "end", "w:0", `"agent_id":"worker",`+usage(4, 7)),
		mod(6, "tool", "begin", "launch", `"agent_id":"worker","tool":"Read","arguments":{"file_path":"n.txt"}`),
		mod(7, "session", "end", "s", `"dropped":0`),
		mod(9, "session", "begin", "s", `"segment":1,"model":"m-1"`), mod(10, "response", "begin", "x", `"segment":1,"model":"m-1"`), mod(11, "session", "end", "s", `"segment":1,"dropped":2`)))
	want := "s: 0 requests; s/worker (auditor) of s by launch: 1 requests; s:1: 1 requests"
	if got := trial.Sessions(a); got != want {
		t.Fatalf("sessions: %s, want %s", got, want)
	}
	w, again := a.Sessions[1], a.Sessions[2]
	if len(w.Snapshots) != 0 || w.Requests[0].Input != 56 || w.Requests[0].Window != analysis.Unknown || a.Strings.Get(w.Requests[0].Model) != "m-1" || a.Strings.Get(w.Calls[0].Detail) != "n.txt" || w.Title != "Verify the sums" {
		t.Errorf("subagent: %d snapshots, %+v, %q", len(w.Snapshots), w.Requests, w.Title)
	}
	if len(a.Sessions[0].Notes) != 0 || len(w.Notes) != 0 || len(again.Notes) != 1 || again.Requests[0].Input != analysis.Unknown {
		t.Errorf("notes: %v, %v, %v", a.Sessions[0].Notes, w.Notes, again.Notes)
	}
}

func TestAFailedCompactionLeavesNoMark(t *testing.T) {
	a := trial.Open(t, rows(start, mod(0, "session", "begin", "s", ""), mod(1, "compaction", "begin", "a", ""), mod(2, "compaction", "end", "a", `"success":true,"skipped":true`),
		mod(3, "compaction", "begin", "b", ""), mod(4, "compaction", "end", "b", `"success":false,`+reading(5, "")), mod(5, "compaction", "begin", "c", ""), mod(6, "session", "end", "s", `"dropped":0`)))
	s := a.Sessions[0]
	if trial.Boundaries(a, 0) != "" || len(s.Snapshots) != 0 || len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0], "3 compactions") {
		t.Errorf("boundaries %s, %d snapshots, notes %v", trial.Boundaries(a, 0), len(s.Snapshots), s.Notes)
	}
}

func TestContentOffIsSaidAndNothingIsZero(t *testing.T) {
	a := trial.Open(t, rows(start, mod(0, "session", "begin", "s", `"capture_contents":false,`+reading(10, `,"item_changes":[{"id":"message:0","category":"prompts","tokens":10}]`)),
		mod(1, "prompt", "begin", "p", `"prompt_length":19,"content_omitted":true`), mod(2, "session", "end", "s", `"dropped":0`)))
	s := a.Sessions[0]
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "without content") || s.Title != "" {
		t.Errorf("notes %v, title %q", s.Notes, s.Title)
	}
	trial.Expect(t, s, "capture capture-start native-summary baseline system=20 messages=10")
}

func TestARowWithoutALineEndIsNotAccepted(t *testing.T) {
	f := rows(append([]string{start}, spoken()...)...)
	f.Text = strings.TrimSuffix(f.Text, "\n")
	a := trial.Open(t, f)
	if codes(a, 0) != journal.WarnCut || len(a.Sessions[0].Notes) != 1 {
		t.Errorf("warnings %q, notes %v", codes(a, 0), a.Sessions[0].Notes)
	}
	f.Text = strings.TrimSuffix(f.Text, mod(1000, "session", "end", "s", `"reason":"exit","dropped":0`)) + `{"partial":`
	if a = trial.Open(t, f); codes(a, 0) != journal.WarnCut || len(a.Sessions[0].Notes) != 1 || len(a.Sessions[0].Snapshots) != 4 {
		t.Errorf("warnings %q, notes %v", codes(a, 0), a.Sessions[0].Notes)
	}
}

func TestRowsThatAreNoneAreCounted(t *testing.T) {
	whole := append([]string{start}, spoken()...)
	bad := []string{`{"source":"","timestamp":"5","data":{}}`, `{"source":"claude.mod","timestamp":5,"data":{}}`, `{"source":"claude.mod","timestamp":"5x","data":{}}`,
		`{"source":"claude.mod","timestamp":"99999999999999999999","data":{}}`, `{"source":"claude.mod","timestamp":"5","data":[]}`, `7`,
		`{"source":"claude.mod","timestamp":"123456789012345678901","data":{}}`}
	a := trial.Open(t, rows(append(whole, bad...)...))
	if in := a.Inputs[0]; in.Malformed != int64(len(bad)) || len(a.Sessions) != 1 || len(a.Sessions[0].Notes) != 1 {
		t.Errorf("%d malformed, want %d; %s", in.Malformed, len(bad), trial.Sessions(a))
	}
	a = trial.Open(t, rows(append(whole, `{"source":"later","timestamp":"5","data":{}}`, mod(5, "dream", "begin", "x", ""))...))
	if in := a.Inputs[0]; in.Malformed != 0 || fmt.Sprint(in.Kinds) != "[{later 1} {claude.mod of another event 1}]" {
		t.Errorf("%d malformed, unknown %v", in.Malformed, in.Kinds)
	}
}

func TestTheFilesOfARecordingBelongTogether(t *testing.T) {
	all := spoken()
	a := trial.Open(t,
		trial.File{Path: "r/x.pftrace.capture/metadata.json", Text: "[" + start + `,{"source":"clock_snapshot","timestamp":"1790000000000000000","data":{"realtimeNs":"1790000000000000000","boottimeNs":"1"}}]`},
		trial.File{Path: "r/x.pftrace.capture/events-000001.jsonl", Text: strings.Join(all[6:], "\n") + "\n"},
		trial.File{Path: "r/x.pftrace.capture/events-000000.jsonl", Text: strings.Join(all[:6], "\n") + "\n"})
	quiet(t, a)
	if len(a.Sessions) != 1 || len(a.Sessions[0].Snapshots) != 4 || fmt.Sprint(a.Sessions[0].Inputs) != "[2 1]" || len(a.Sessions[0].Notes) != 0 {
		t.Errorf("%s, inputs %v", trial.Sessions(a), a.Sessions[0].Inputs)
	}
	// Rows in any order are the same session, and so is a folder that is open twice in parts.
	b := trial.Open(t, rows(append([]string{start, all[12], all[3], all[8]}, all...)...))
	if got := b.Sessions[0]; len(got.Snapshots) != 4 || b.Duplicate[0] != 3 {
		t.Errorf("%d snapshots, %d duplicates", len(got.Snapshots), b.Duplicate[0])
	}
}

// record is a row with a record of a rollout.
func record(row, at int, session, kind, payload string) string {
	return fmt.Sprintf(`{"source":"session_metadata","timestamp":"%d","data":{"session_id":"%s","record":{"type":"%s","timestamp":"2026-09-21T14:13:20.%03dZ","payload":%s}}}`, ms(uint64(row)), session, kind, at, payload)
}

func hook(at int, name, more string) string {
	return fmt.Sprintf(`{"source":"codex.hook","timestamp":"%d","data":{"hook_event_name":"%s","session_id":"t"%s}}`, ms(uint64(at)), name, more)
}

func count(in, cached, total int) string {
	return fmt.Sprintf(`{"type":"token_count","info":{"model_context_window":258400,"last_token_usage":{"input_tokens":%d,"cached_input_tokens":%d,"output_tokens":7},"total_token_usage":{"input_tokens":%d}}}`, in, cached, total)
}

func ready(baseline bool, categories, changes, more string) string {
	return fmt.Sprintf(`{"version":1,"stage":"transcript-observed","basis":"chars/4","coverage":"partial","baseline":%v,"categories":{%s},"window_tokens":258400,"model":"gpt-x","changes":[%s],"omitted_changes":0%s}`, baseline, categories, changes, more)
}

// observed is a journal of Codex's recorder.
func observed() []string {
	return []string{
		fmt.Sprintf(`{"source":"process_start","timestamp":"%d","data":{"pid":7,"captureId":"cap","sessionId":"t","recorder":"codex-plugin-1"}}`, ms(0)),
		hook(1, "UserPromptSubmit", `,"turn_id":"1","prompt":"Fix the limiter"`),
		hook(5, "PreToolUse", `,"tool_name":"Bash","tool_use_id":"c1","tool_input":{"command":"go test"}`), hook(8, "PostToolUse", `,"tool_name":"Bash","tool_use_id":"c1","tool_response":{"exit_code":1}`),
		hook(12, "SubagentStart", `,"agent_id":"child","agent_type":"reviewer"`),
		hook(20, "PreCompact", `,"trigger":"auto"`), hook(22, "PostCompact", ``),
		record(90, 0, "t", "session_meta", `{"id":"t","model_provider":"openai","cli_version":"0.160.0","source":{"subagent":{"thread_spawn":{"parent_thread_id":"","agent_role":""}}}}`),
		record(90, 1, "t", "turn_context", `{"model":"gpt-x","effort":"high","turn_id":"1"}`),
		record(90, 3, "t", "context_snapshot", ready(true, `"prompts":4`, `{"id":"message:0","category":"prompts","tokens":4,"chars":15,"source_id":"","source_kind":"prompt","label":"User prompts","change":"baseline","delta_tokens":4}`, "")),
		record(90, 3, "t", "event_msg", count(1000, 0, 1000)),
		record(90, 10, "t", "context_snapshot", ready(false, `"prompts":4,"assistant":2,"results":100`, `{"id":"result:c1","category":"results","tokens":100,"chars":400,"source_id":"c1","source_kind":"tool","label":"Tool result","change":"added","delta_tokens":100},{"id":"call:c1","category":"assistant","tokens":2,"chars":7,"source_id":"c1","source_kind":"tool","label":"Tool arguments","change":"added","delta_tokens":2}`, "")),
		record(90, 10, "t", "event_msg", count(1200, 900, 2200)),
		record(90, 11, "t", "event_msg", count(1200, 900, 2200)), // written again
		record(90, 25, "t", "context_snapshot", ready(false, `"summaries":5`, `{"id":"result:c1","category":"results","tokens":100,"change":"removed","delta_tokens":-100},{"id":"summary","category":"summaries","tokens":5,"change":"added","delta_tokens":5},{"id":"message:0","category":"prompts","tokens":4,"change":"removed","delta_tokens":-4},{"id":"call:c1","category":"assistant","tokens":2,"change":"removed","delta_tokens":-2}`, "")),
		record(90, 25, "t", "event_msg", count(300, 0, 2500)),
		fmt.Sprintf(`{"source":"process_end","timestamp":"%d","data":{"dropped":0}}`, ms(99)),
	}
}

func TestCodexsReadyMadeSnapshotsAreTakenAsTheyAre(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "y.pftrace.capture/observations.jsonl", Text: strings.Join(observed(), "\n") + "\n"})
	quiet(t, a)
	if got, want := trial.Sessions(a), "t: 3 requests; child (reviewer) of t: 0 requests"; got != want {
		t.Fatalf("sessions: %s, want %s", got, want)
	}
	s := a.Sessions[0]
	trial.Expect(t, s, "request transcript-observed baseline prompts=4", "request transcript-observed prompts=4 assistant=2 results=100", "request transcript-observed summaries=5")
	if got := trial.Changes(a, s, 1); got != "added result:c1 +100, added call:c1 +2" {
		t.Errorf("changes: %s", got)
	}
	for i, want := range []int64{1000, 1200, 300} {
		q := s.Requests[i]
		if q.Input != want || q.Window != 258400 || a.Strings.Get(q.Model) != "gpt-x" || int(q.Snapshot) != i || s.Snapshots[i].Index != int32(i) || s.Snapshots[i].At != q.At {
			t.Errorf("request %d: %+v", i, q)
		}
	}
	if got := trial.Boundaries(a, 0); got != "compaction auto 1200→300 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
	if s.Title != "Fix the limiter" || s.Version != "0.160.0" || s.Harness != "codex" || s.Snapshots[1].Window != 258400 || !s.Calls[0].Failed || a.Strings.Get(s.Calls[0].Detail) != "go test" {
		t.Errorf("%q %s %s, calls %+v", s.Title, s.Version, s.Harness, s.Calls)
	}
	if page := a.Changes(0, analysis.ChangeFilter{Sample: 1}); page.Rows[0].Tool != "Bash" || page.Rows[0].Chars != 400 || page.Rows[0].Line != 12 {
		t.Errorf("changes: %+v", page.Rows)
	}
}

func TestAReadyMadeSnapshotOfAnotherVersionIsNamed(t *testing.T) {
	lines := observed()
	for i := range lines {
		lines[i] = strings.Replace(lines[i], `{"version":1,`, `{"version":3,`, 1)
	}
	a := trial.Open(t, rows(lines...))
	if len(a.Sessions[0].Snapshots) != 0 || codes(a, 0) != journal.WarnVersion {
		t.Errorf("%d snapshots, %v", len(a.Sessions[0].Snapshots), a.Warnings(0))
	}
}

func TestTelemetryAloneSaysThatItHoldsNoContext(t *testing.T) {
	a := trial.Open(t, rows(start, `{"source":"/v1/logs","timestamp":"5","data":{"resourceLogs":[]}}`))
	if len(a.Sessions) != 0 || codes(a, 0) != journal.WarnIncomplete || a.Inputs[0].Refused {
		t.Errorf("%s, %v", trial.Sessions(a), a.Warnings(0))
	}
}

func TestASessionFromItsTraceAndItsJournalIsTwo(t *testing.T) {
	trace := trial.File{Path: "v.pftrace", Text: string(relatives())}
	lines := observed()
	for i := range lines {
		lines[i] = strings.NewReplacer(`"session_id":"t"`, `"session_id":"parent"`, `"agent_id":"child"`, `"agent_id":"child-a"`).Replace(lines[i])
	}
	a := trial.Open(t, trace, trial.File{Path: "v.pftrace.capture/observations.jsonl", Text: strings.Join(lines, "\n") + "\n"})
	want := "parent: 0 requests; child-a (auditor) of parent by call-a: 0 requests; child-b (subagent) of parent by call-b: 0 requests; grandchild (subagent) of child-b: 0 requests; " +
		"parent:2: 3 requests; child-a:2 (reviewer) of parent:2: 0 requests"
	if got := trial.Sessions(a); got != want {
		t.Errorf("sessions: %s\nwant %s", got, want)
	}
}

func TestRecordingsWithoutAFolderAreKeptApart(t *testing.T) {
	journal := func(name, capture, session, contents string) trial.File {
		return trial.File{Path: name, Text: fmt.Sprintf(`{"source":"process_start","timestamp":"%d","data":{"captureId":"%s","capture_contents":%s}}`, ms(0), capture, contents) + "\n" +
			strings.ReplaceAll(strings.Join(spoken(), "\n"), `"session_id":"s"`, `"session_id":"`+session+`"`) + "\n"}
	}
	a := trial.Open(t, journal("a.jsonl", "c1", "s1", "false"), journal("b.jsonl", "c2", "s2", "true"))
	for _, s := range a.Sessions {
		if want := s.ID == "s1"; want != (len(s.Notes) == 1) {
			t.Errorf("%s: notes %v; only s1 was recorded without content", s.ID, s.Notes)
		}
	}
	// Copies of one recording in two folders are one.
	a = trial.Open(t, journal("x/a.jsonl", "c1", "s1", "true"), journal("y/a.jsonl", "c1", "s1", "true"))
	if len(a.Sessions) != 1 || len(a.Sessions[0].Requests) != 2 || a.Duplicate[1] != int64(len(spoken())) {
		t.Errorf("%s; duplicates %v", trial.Sessions(a), a.Duplicate)
	}
}
