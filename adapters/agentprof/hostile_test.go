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
