package agentprof_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/journal"
	. "contextscope/core/perfetto/byhand"
)

func TestAnEventWithoutATimeTakesNoneFromTheOthers(t *testing.T) {
	r, lost := Realtime, Clock{ID: 64, Sequence: 9}
	prompt := func(c Clock, at uint64, text uint64) []byte {
		return Join(c.Begin(at, session, "claude.activity", "prompt", Text("kind", "prompt"),
			context("transcript-observed", false, Dict("categories", Uint("prompts", text)), Uint("sample_offset_ns", 5))), c.End(at, session))
	}
	a, s := one(t, Join(tracks(0), profile(0, "claude", "s"), prompt(lost, 7, 1), prompt(r, ms(10), 2),
		r.Sample(ms(11), size, 70), lost.Sample(8, size, 60), r.Sample(ms(20), size, 0), r.End(ms(20), session)))
	if s.StartedAt != epoch || s.EndedAt != int64(ms(20)) || codes(a, 0) != journal.WarnClock {
		t.Errorf("from %d to %d, warnings %s", s.StartedAt, s.EndedAt, codes(a, 0))
	}
	trial.Expect(t, s, "capture transcript-observed prompts=2", "capture transcript-observed prompts=1")
	if n := s.Snapshots[0]; n.At != int64(ms(10))+5 || n.Offset != 10e6+5 {
		t.Errorf("at %d, offset %d", n.At, n.Offset)
	}
	if n := s.Snapshots[1]; n.At != 0 || n.Offset != 0 {
		t.Errorf("without a time: at %d, offset %d", n.At, n.Offset)
	}
	// The same without snapshots: the size without a time is kept, the zero that closes the counter is left out.
	_, s = one(t, Join(tracks(0), profile(0, "claude", "s"), r.Sample(ms(11), size, 70), lost.Sample(8, size, 60), r.Sample(ms(20), size, 0), r.End(ms(20), session)))
	if len(s.Totals) != 2 || s.Totals[0].Tokens != 70 || s.Totals[1] != (analysis.Total{Tokens: 60, Window: -1}) {
		t.Errorf("totals: %+v", s.Totals)
	}
}

func TestAClockThatCountsOtherwiseGivesNoTimes(t *testing.T) {
	c := Clock{ID: 64, Sequence: 5}
	body := Join(tracks(0), c.Begin(1000, session, "pi.metadata", "profile (1)", Text("session_id", "s")), c.End(9000, session))
	for what, member := range map[string][]byte{"from packet to packet": Num(3, 1), "microseconds": Num(4, 1000), "nanoseconds": Num(4, 1)} {
		related := Packet(Num(10, 5), Msg(6, Msg(1, Num(1, 64), Num(2, 500), member), Msg(1, Num(1, 1), Num(2, epoch))))
		a, s := one(t, Join(related, body))
		if what == "nanoseconds" {
			if s.StartedAt != epoch+500 {
				t.Errorf("%s: %d", what, s.StartedAt-epoch)
			}
		} else if s.StartedAt != 0 || codes(a, 0) != journal.WarnClock {
			t.Errorf("%s: at %d, warnings %s", what, s.StartedAt, codes(a, 0))
		}
	}
}

func TestChangesBeyondTheLimitAreOmittedOnes(t *testing.T) {
	var listed []Annotation
	var rows []string
	for i := range 66 {
		listed = append(listed, change("added", fmt.Sprint("i", i), "prompts", 1, 1))
		rows = append(rows, fmt.Sprintf(`{"id":"i%d","category":"prompts","tokens":1,"change":"added","delta_tokens":1}`, i))
	}
	trace := Join(tracks(0), profile(0, "pi", "s"), Realtime.Begin(ms(1), requests, "pi.llm", "request", context("request-input", false,
		Dict("categories", Uint("prompts", 66)), List("changes", listed...), Uint("omitted_changes", 3))), Realtime.End(ms(9), session))
	for what, file := range map[string]trial.File{
		"trace":             {Path: "x.pftrace", Text: string(trace)},
		"journal":           {Path: "a/x.jsonl", Text: record(1, 1, "s", "context_snapshot", `{"version":1,"categories":{"prompts":66},"changes":[`+strings.Join(rows, ",")+`],"omitted_changes":3}`) + "\n"},
		"journal, reversed": {Path: "a/x.jsonl", Text: record(1, 1, "s", "context_snapshot", `{"omitted_changes":3,"changes":[`+strings.Join(rows, ",")+`],"version":1,"categories":{"prompts":66}}`) + "\n"},
	} {
		s := trial.Open(t, file).Sessions[0]
		if n := s.Snapshots[0]; n.N != 64 || n.Omitted != 5 {
			t.Errorf("%s: %d listed and %d omitted, want 64 and 2 more than the 3 that it says", what, n.N, n.Omitted)
		}
	}
}

func TestANumberThatNoContextHasIsNoData(t *testing.T) {
	const much = 1 << 40
	r := Realtime
	_, s := one(t, Join(tracks(0), profile(0, "codex", "s", Uint("context_window_tokens", much)),
		r.Begin(ms(1), responses, "codex.activity", "response", Text("kind", "assistant-message"), Uint("input_tokens", much), Uint("output_tokens", much),
			Uint("cache_read_tokens", much), Uint("context_window_tokens", much)), r.End(ms(2), responses),
		r.Sample(ms(3), size, 5), r.Sample(ms(3), window, much), r.Sample(ms(4), size, much), r.Sample(ms(5), size, 6), r.End(ms(9), session)))
	if q := s.Requests[0]; q.Input != -1 || q.Output != -1 || q.CacheRead != -1 || q.Window != -1 {
		t.Errorf("request: %+v", q)
	}
	if got := totals(s); got != "3:5/-1 4:-1/-1 5:6/-1" {
		t.Errorf("totals: %s", got)
	}
	row := `{"name":"Messages","kind":"used","tokens":2000000000}`
	a := trial.Open(t, rows(mod(0, "session", "begin", "s", `"context":{"breakdown":{"categories":[`+row+","+row+","+row+`]}}`)))
	if n := a.Sessions[0].Snapshots[0]; n.Sum() != 2e9 || a.Inputs[0].Malformed != 2 {
		t.Errorf("a breakdown of %d, %d malformed", n.Sum(), a.Inputs[0].Malformed)
	}
}

func TestTheOffsetCountsFromTheRequestOfTheDocument(t *testing.T) {
	r := Realtime
	_, s := one(t, Join(tracks(0), profile(0, "pi", "s"), r.Begin(ms(1), requests, "pi.llm", "request", Text("kind", "provider-request")), r.End(ms(2), requests),
		r.Begin(ms(3), responses, "pi.llm", "response", Text("kind", "assistant-message"), context("request-input", true, Dict("categories", Uint("prompts", 1)),
			Uint("sample_offset_ns", 7))), r.End(ms(4), responses), r.End(ms(9), session)))
	if n := s.Snapshots[0]; n.At != int64(ms(3))+7 || s.Requests[n.Index].At+n.Offset != n.At {
		t.Errorf("request at %d, snapshot at %d with offset %d", s.Requests[n.Index].At, n.At, n.Offset)
	}
}

func TestACaptureWithoutAnIDFromTwoFilesIsOneSession(t *testing.T) {
	b := Join(Track(1, 0, "", Process(55, "pi", "session:old")), Track(2, 1, "agentprof.capture"), Track(3, 2, "Session"),
		Realtime.Begin(ms(0), 3, "pi.metadata", "tracing"), Realtime.Begin(ms(1), 3, "pi.llm", "request"), Realtime.End(ms(2), 3), Realtime.End(ms(3), 3))
	a := open(t, b, b)
	if got := trial.Sessions(a); len(a.Sessions) != 1 || a.Sessions[0].ID != "old" || len(a.Sessions[0].Inputs) != 2 || a.Duplicate[0]+a.Duplicate[1] != 2 {
		t.Errorf("%s from %v, duplicates %v", got, a.Sessions[0].Inputs, a.Duplicate)
	}
}

// TestNoTextOfARecordingIsInADocument plants a text wherever a recording can hold one that is no name.
func TestNoTextOfARecordingIsInADocument(t *testing.T) {
	const secret = "PLANTED/secret words.go"
	r := Realtime
	planted := Join(tracks(0), Track(77, root, secret), Packet(Num(10, 77), Msg(60, Num(1, 78), Str(14, secret))), Packet(Str(999, secret)),
		profile(0, "pi", "s", Text("label", secret), Text("stop_reason", secret), Text("session_labels", secret)),
		r.Begin(ms(1), session, "pi.prompt-data", "prompt", Text("text", "PLANTED prompt\nmore"), Text("turn_id", secret)), r.End(ms(1), session, Text("PLANTED", secret)),
		r.Begin(ms(2), tools, "pi.tools", "read", Text("kind", "tool-execution"), Text("call_id", "c1"), Dict("args", Text("path", secret), Text("PLANTED", secret)), Text("intent", secret)), r.End(ms(3), tools),
		r.Begin(ms(4), requests, "pi.llm", "request", Text("kind", "provider-request"), context("request-input", true, Dict("categories", Uint("prompts", 3)), Text("PLANTED", secret),
			List("changes", change("baseline", "memory:"+secret, "rules", 3, 3, Text("label", secret), Text("PLANTED", secret)),
				change("baseline", "m", "rules", 3, 3, Text("label", strings.Repeat("PLANTED text, ", 20)))))), r.End(ms(5), requests),
		r.Begin(ms(6), compact, "pi.session", "compact", Text("kind", "compaction"), Text("reason", secret), Text("status", secret)), r.End(ms(7), compact),
		Clock{ID: 99, Sequence: 4}.Begin(1, 77, secret, secret, Text("kind", secret)), r.End(ms(9), session))
	text := `"PLANTED` + " words/of a person\\nmore\""
	journal := strings.Join([]string{start,
		mod(0, "session", "begin", "s", `"model":"m-1",`+reading(10, `,"items":[{"id":"memory:`+secret+`","category":"rules","tokens":5,"label":`+text+`}]`)),
		mod(1, "prompt", "begin", "p", `"prompt":`+text), mod(2, "tool", "begin", "c", `"tool":"Bash","arguments":{"command":`+text+`}`),
		mod(3, "tool", "end", "c", `"is_error":true,"result":`+text), mod(4, "response", "begin", "p:0", `"text":`+text),
		mod(5, "compaction", "begin", "k", `"trigger":`+text), mod(6, "compaction", "end", "k", `"success":true,"summary":`+text), mod(7, "session", "end", "s", `"reason":`+text),
		`{"source":"recovery","timestamp":"1790000000000000000","data":{"error":` + text + `}}`, `{"broken ` + secret}, "\n") + "\n"
	a := trial.Open(t, trial.File{Path: "PLANTED/a.pftrace", Text: string(planted)}, trial.File{Path: "PLANTED/a.jsonl", Text: journal})
	if len(a.Sessions) != 2 || len(a.Sessions[0].Snapshots) == 0 || len(a.Sessions[1].Snapshots) == 0 {
		t.Fatalf("not all was read: %s; %+v; %+v", trial.Sessions(a), a.Warnings(0), a.Warnings(1))
	}
	doc := string(a.AppendJSON(nil, analysis.Options{}))
	for from := 0; ; {
		i := strings.Index(doc[from:], "PLANTED")
		if i < 0 {
			break
		}
		from += i + 7
		t.Errorf("text got into the document: …%s…", doc[max(0, from-100):min(len(doc), from+20)])
	}
	if doc = string(a.AppendJSON(nil, analysis.Options{Include: analysis.Include{Paths: true}})); !strings.Contains(doc, `"label":"`+secret) {
		t.Error("a path that was asked for is missing")
	}
}
