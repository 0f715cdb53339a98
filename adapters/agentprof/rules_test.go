package agentprof_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
	. "contextscope/core/perfetto/byhand"
)

func TestAnnotationsOfTheEndAreMergedWithThoseOfTheBeginning(t *testing.T) {
	r := Realtime
	end := r.End(ms(30), compact, Text("status", "completed"), Uint("tokens_after", 900),
		context("post-compaction", false, Dict("categories", Uint("summaries", 100), Uint("prompts", 3)),
			List("changes", change("added", "summary", "summaries", 100, 100), change("removed", "message:user:1", "prompts", 7, -7))))
	b := Join(tracks(0), profile(0, "pi", "s"),
		r.Begin(ms(10), requests, "pi.llm", "request", Text("kind", "provider-request"), context("request-input", true, Dict("categories", Uint("prompts", 10)))),
		r.End(ms(11), requests),
		r.Begin(ms(20), compact, "pi.session", "compact", Text("kind", "compaction"), Text("reason", "threshold"), Uint("tokens_before", 5000)))
	at := len(b)
	b = Join(b, end, r.End(ms(40), session, Text("stop_reason", "exit")))
	a, s := one(t, b)
	quiet(t, a)
	trial.Expect(t, s, "request request-input baseline prompts=10", "compaction post-compaction summaries=100 prompts=3")
	if got := trial.Boundaries(a, 0); got != "compaction auto -1→-1 (5000→900)" {
		t.Errorf("boundaries: %s", got)
	}
	n := s.Snapshots[1]
	if n.Source != (journal.Source{Offset: int64(at), Length: int64(len(end))}) {
		t.Errorf("the snapshot stands at %+v, want the packet of the end at %d, %d bytes", n.Source, at, len(end))
	}
	if n.At != epoch+20e6 { // the offset counts from the beginning, and there is none
		t.Errorf("the snapshot was at %d", n.At-epoch)
	}
	if got := trial.Changes(a, s, 1); got != "added summary +100, removed message:user:1 -7" {
		t.Errorf("changes: %s", got)
	}
	// A dictionary in both events: what the end says stands above what the beginning said, and the rest stays.
	b = Join(tracks(0), profile(0, "claude", "s"),
		r.Begin(ms(10), responses, "claude.activity", "response", Text("kind", "assistant-message"),
			context("request-input", true, Dict("categories", Uint("system", 5), Uint("prompts", 1)))),
		r.End(ms(11), responses, Dict("context", Dict("categories", Uint("prompts", 2)), Uint("reported_tokens", 77))),
		r.End(ms(40), session))
	_, s = one(t, b)
	trial.Expect(t, s, "request request-input baseline system=5 prompts=2 reported=77")
}

// counted is a recording with totals alone.
func counted(more ...[]byte) []byte {
	r := Realtime
	return Join(tracks(0), profile(0, "codex", "s", Uint("context_window_tokens", 200000)),
		r.Sample(ms(0), size, 0), r.Sample(ms(10), size, 100), r.Sample(ms(20), size, 260), r.Sample(ms(30), size, 400),
		r.Sample(ms(40), size, 0), r.Sample(ms(50), size, 120), Join(more...), r.Sample(ms(60), size, 0), r.End(ms(60), session))
}

func totals(s *analysis.Session) string {
	var out []string
	for _, v := range s.Totals {
		out = append(out, fmt.Sprintf("%d:%d/%d", (v.At-epoch)/1e6, v.Tokens, v.Window))
	}
	return strings.Join(out, " ")
}

func TestClosingZerosAreNoSizes(t *testing.T) {
	a, s := one(t, counted())
	// The zero at 0 begins the counter and the one at 60 closes it; that at 40 says that the size is not known.
	if got, want := totals(s), "10:100/200000 20:260/200000 30:400/200000 40:-1/200000 50:120/200000"; got != want {
		t.Errorf("totals %s, want %s", got, want)
	}
	row := a.List(analysis.Options{}).Sessions[0]
	if row.PeakTokens != 400 || row.LastTokens != 120 || row.PeakReported || row.HasBreakdown || row.WindowTokens != 200000 || row.WindowSource != "journal" || row.Compactions != 0 {
		t.Errorf("row: %+v", row)
	}
	// A sample exactly at the end of the capture is part of the closing, whatever its value; so is one behind it.
	_, s = one(t, Join(counted(), Realtime.Sample(ms(60), size, 7), Realtime.Sample(ms(70), size, 8)))
	if got := totals(s); !strings.HasSuffix(got, "50:120/200000") {
		t.Errorf("with samples at the end: %s", got)
	}
	// A recording that broke off has no end, so that its last sample counts.
	whole := counted()
	_, s = one(t, whole[:len(whole)-len(Realtime.Sample(ms(60), size, 0))-len(Realtime.End(ms(60), session))])
	if got := totals(s); !strings.HasSuffix(got, "50:120/200000") {
		t.Errorf("without an end: %s", got)
	}
}

func TestARecordingWithoutSnapshotsHasItsTotals(t *testing.T) {
	a, s := one(t, counted())
	v := a.Series(0, analysis.Options{})
	if len(v.Totals) != 5 || len(v.At) != 0 || v.Totals[1] != (analysis.TotalPoint{At: epoch/1e6 + 20, Tokens: 260, Window: 200000}) {
		t.Errorf("totals of the view: %+v, %d samples", v.Totals, len(v.At))
	}
	if len(s.Snapshots) > 0 || trial.Boundaries(a, 0) != "" {
		t.Errorf("%d snapshots, boundaries %s", len(s.Snapshots), trial.Boundaries(a, 0))
	}
	doc := string(a.AppendJSON(nil, analysis.Options{}))
	if want := `"totals":[{"at":"2026-09-21T14:13:20.01Z","tokens":100,"window_tokens":200000},`; !strings.Contains(doc, want) {
		t.Errorf("the document has no %s: %s", want, doc)
	}
	if strings.Contains(doc, `"tokens":-1`) || strings.Contains(doc, `"tokens":0`) {
		t.Errorf("what is not known is in the document: %s", doc)
	}
	// With a snapshot in it, the totals are not wanted.
	_, s = one(t, counted(Realtime.Instant(ms(55), compact, "codex.activity", "compaction", Text("kind", "compaction"),
		context("post-compaction", true, Dict("categories", Uint("prompts", 3))))))
	if len(s.Totals) != 0 || len(s.Snapshots) != 1 {
		t.Errorf("%d totals, %d snapshots", len(s.Totals), len(s.Snapshots))
	}
}

func TestCountersOfTheSameNameAreThoseOfTheirCapture(t *testing.T) {
	r := Realtime
	other := Join(Track(901, 0, "", Process(9, "other")), Track(902, 901, "Context size", Counter()), Track(903, contexts, "Skills", Counter()),
		r.Sample(ms(15), 902, 9999), r.Sample(ms(15), 903, 7))
	_, s := one(t, counted(other))
	if got := totals(s); strings.Contains(got, "9999") || strings.Contains(got, ":7/") || len(s.Totals) != 5 {
		t.Errorf("totals: %s", got)
	}
}

func TestTheWindowOfATotalIsTheConfiguredOneElseTheCounters(t *testing.T) {
	r := Realtime
	_, s := one(t, Join(tracks(0), profile(0, "codex", "s"), r.Sample(ms(0), window, 0), r.Sample(ms(1), size, 5),
		r.Sample(ms(2), window, 1000), r.Sample(ms(3), size, 6), r.Sample(ms(4), window, 0), r.Sample(ms(5), size, 7), r.End(ms(9), session)))
	if got, want := totals(s), "1:5/-1 3:6/1000 5:7/-1"; got != want {
		t.Errorf("totals %s, want %s", got, want)
	}
}

func TestLegacyNamesAndSpellingsAreRead(t *testing.T) {
	r := Realtime
	b := Join(
		Track(1, 0, "", Process(55, "pi", "session:old-session", "role:worker")), Track(2, 1, "agent.lifecycle"),
		Track(3, 1, "provider.activity"), Track(4, 1, "llm.responses"), Track(5, 1, "tools.lane.3"), Track(6, 1, "llm.context.estimated_tokens", Counter()),
		r.Instant(ms(0), 2, "pi.metadata", "tracing-start", Text("agentprof_harness", "pi"), Text("agentprof_llm_model", "m-old")),
		r.Begin(ms(1), 3, "pi.llm", "provider-request"), r.End(ms(2), 3),
		r.Instant(ms(3), 4, "pi.llm", "assistant ttft=20ms", Uint("agentprof_usage_input", 10), Uint("agentprof_usage_output", 4),
			Uint("agentprof_usage_cacheRead", 80), Uint("agentprof_usage_cacheWrite", 9)),
		r.Begin(ms(4), 5, "pi.tools", "bash", Text("agentprof_tool_call_id", "c1"), Text("childSession", "other")), r.End(ms(5), 5, Bool("agentprof_is_error", true)),
		r.Begin(ms(5), 5, "pi.tools", "codemode"), r.End(ms(6), 5),
		r.Sample(ms(1), 6, 50),
		r.Begin(ms(7), 4, "pi.llm", "response", Bool("pi_tracing_incomplete", true), Uint("agentprof_usage_output", 2)), r.End(ms(8), 4),
	)
	a, s := one(t, b)
	quiet(t, a)
	if s.ID != "old-session" || s.Harness != "pi" || len(s.Requests) != 2 || len(s.Calls) != 2 {
		t.Fatalf("%s of %s: %d requests, %d calls", s.ID, s.Harness, len(s.Requests), len(s.Calls))
	}
	q := s.Requests[0]
	if q.Input != 99 || q.Output != 4 || q.CacheRead != 80 || q.CacheWrite != 9 || a.Strings.Get(q.Model) != "m-old" || q.At != epoch+1e6 || q.OutputLower {
		t.Errorf("request: %+v", q)
	}
	if q = s.Requests[1]; q.Input != analysis.Unknown || !q.OutputLower {
		t.Errorf("a response that broke off: %+v", q)
	}
	if c := s.Calls[0]; a.Strings.Get(c.ID) != "c1" || a.Strings.Get(c.Name) != "bash" || !c.Failed || a.Strings.Get(c.Agent) != "other" {
		t.Errorf("call: %+v", c)
	}
	if got := totals(s); got != "1:50/-1" {
		t.Errorf("totals: %s", got)
	}
}

func TestTwoProfilesOnAThreadKeepTheirSlicesApart(t *testing.T) {
	r := Realtime
	at := func(id uint64, from uint64, name string, in int) []byte {
		return Join(r.Begin(ms(from), 3, "pi.metadata", name, Text("kind", "capture"), Text("harness", "pi"), Text("capture_id", fmt.Sprintf("%x", id)),
			Text("session_id", fmt.Sprint("s", id))),
			r.Begin(ms(from+1), 3, "pi.agent", "prompt", Text("text", fmt.Sprint("Prompt number ", id))),
			r.Begin(ms(from+2), id+1, "pi.llm", "response", Text("kind", "assistant-message")),
			r.End(ms(from+3), id+1, Uint("input_tokens", uint64(in)), Uint("output_tokens", 1)),
			r.Begin(ms(from+3), 3, "pi.llm", "response", Text("kind", "assistant-message")), r.End(ms(from+4), 3, Uint("input_tokens", uint64(in+1))),
			r.End(ms(from+5), 3), r.Sample(ms(from+2), id+2, uint64(in)), r.Sample(ms(from+9), id+2, 0), r.End(ms(from+9), 3))
	}
	b := Join(Track(1, 0, "", Process(55, "pi", "session:s")), Track(3, 0, "pi", Thread(55, 55)),
		Track(0x100, 1, "agentprof.capture"), Track(0x101, 0x100, "Responses"), Track(0x102, 0x100, "Context size", Counter()),
		Track(0x200, 1, "agentprof.capture"), Track(0x201, 0x200, "Responses"), Track(0x202, 0x200, "Context size", Counter()),
		at(0x100, 0, "profile (1)", 10), at(0x200, 100, "profile (2)", 20))
	a := open(t, b)
	quiet(t, a)
	if got := trial.Sessions(a); got != "s256: 2 requests; s512: 2 requests" {
		t.Fatalf("sessions: %s", got)
	}
	for i, want := range []string{"2:10/-1", "102:20/-1"} {
		s := a.Sessions[i]
		if got := totals(s); got != want || s.Requests[0].Input != int64(10*(i+1)) || s.Requests[1].Input != int64(10*(i+1)+1) || s.Title != fmt.Sprint("Prompt number ", 256*(i+1)) {
			t.Errorf("session %d: totals %s, requests %+v, title %s", i, got, s.Requests, s.Title)
		}
	}
}

func TestAClockThatNothingRelatesLeavesTheOrder(t *testing.T) {
	c := Clock{ID: 64, Sequence: 5}
	body := Join(Track(1, 0, "", Process(55, "pi")), Track(root, 1, "agentprof.capture"), Track(session, root, "Session"), Track(requests, root, "Requests"),
		c.Begin(1000, session, "pi.metadata", "profile (1)", Text("kind", "capture"), Text("harness", "pi"), Text("session_id", "s")),
		c.Begin(3000, requests, "pi.llm", "request", Text("kind", "provider-request"), context("request-input", false, Dict("categories", Uint("prompts", 2)))), c.End(3100, requests),
		c.Begin(2000, requests, "pi.llm", "request", Text("kind", "provider-request"), context("request-input", true, Dict("categories", Uint("prompts", 1)))), c.End(2100, requests),
		c.End(9000, session))
	a, s := one(t, body)
	trial.Expect(t, s, "request request-input baseline prompts=1", "request request-input prompts=2")
	if codes(a, 0) != journal.WarnClock || s.Snapshots[0].At != 0 || s.Requests[0].At != 0 || s.StartedAt != 0 {
		t.Errorf("warnings %q, at %d, request at %d", codes(a, 0), s.Snapshots[0].At, s.Requests[0].At)
	}
	if doc := string(a.AppendJSON(nil, analysis.Options{})); strings.Contains(doc, `"at":`) {
		t.Errorf("a time is in the document: %s", doc)
	}
	// The same events with a snapshot of that sequence, and with one of another sequence, which says nothing of this one.
	a, s = one(t, Join(body, Clocks(5, 1, 64, 500, 1, epoch)))
	if codes(a, 0) != "" || s.Snapshots[0].At != epoch+1500 {
		t.Errorf("warnings %q, at %d", codes(a, 0), s.Snapshots[0].At-epoch)
	}
	if a, _ = one(t, Join(body, Clocks(6, 1, 64, 500, 1, epoch))); codes(a, 0) != journal.WarnClock {
		t.Errorf("warnings %q", codes(a, 0))
	}
}

func TestACutTraceKeepsWhatCameBefore(t *testing.T) {
	whole := vector()
	_, all := one(t, whole)
	for i := range 100 {
		cut := whole[:len(whole)*(i+1)/101]
		a := open(t, cut)
		requests, snapshots := 0, 0
		for _, s := range a.Sessions {
			requests, snapshots = requests+len(s.Requests), snapshots+len(s.Snapshots)
		}
		// A request and its snapshot are whole as soon as the packet is that begins them.
		want := 0
		for _, n := range all.Snapshots {
			if n.Source.Offset+n.Source.Length <= int64(len(cut)) {
				want++
			}
		}
		if requests != want || snapshots != want {
			t.Errorf("cut at %d: %d requests and %d snapshots, want %d", len(cut), requests, snapshots, want)
		}
		if a.Inputs[0].Malformed > 0 {
			t.Errorf("cut at %d: %d malformed", len(cut), a.Inputs[0].Malformed)
		}
	}
	a, s := one(t, whole[:len(whole)-1])
	if codes(a, 0) != journal.WarnCut || len(s.Notes) != 1 {
		t.Errorf("warnings %q, notes %v", codes(a, 0), s.Notes)
	}
}

func TestAWrongWireTypeCostsOnlyItsField(t *testing.T) {
	r := Realtime
	b := Join(tracks(0), profile(0, "codex", "s"))
	at := len(b)
	b = Join(b, r.Begin(ms(1), responses, "codex.activity", "response", Text("kind", "assistant-message"),
		Annotation(Join(Str(10, "input_tokens"), Str(3, "no number"))), Uint("output_tokens", 5)), r.End(ms(2), responses), r.End(ms(9), session))
	a, s := one(t, b)
	if len(s.Requests) != 1 || s.Requests[0].Input != analysis.Unknown || s.Requests[0].Output != 5 {
		t.Errorf("requests: %+v", s.Requests)
	}
	if a.Inputs[0].Malformed != 1 || !strings.Contains(a.Warnings(0)[0].Message, fmt.Sprintf("byte %d ", at)) {
		t.Errorf("%d malformed, %v; want one at byte %d", a.Inputs[0].Malformed, a.Warnings(0), at)
	}
}

func TestAnUnknownSchemaVersionIsNamedAndLeftAlone(t *testing.T) {
	r := Realtime
	two := Dict("context", Uint("version", 2), Text("stage", "request-input"), Dict("categories", Uint("prompts", 3)))
	a, s := one(t, counted(r.Begin(ms(51), responses, "codex.activity", "response", Text("kind", "assistant-message"), two), r.End(ms(52), responses, Uint("input_tokens", 130))))
	if len(s.Snapshots) != 0 || len(s.Requests) != 1 || len(s.Totals) != 5 {
		t.Errorf("%d snapshots, %d requests, %d totals", len(s.Snapshots), len(s.Requests), len(s.Totals))
	}
	if codes(a, 0) != journal.WarnVersion || !strings.Contains(a.Warnings(0)[0].Message, "1 snapshots of schema version 2") {
		t.Errorf("warnings: %v", a.Warnings(0))
	}
}

func TestAnUnknownCategoryStandsUnderItsOwnKey(t *testing.T) {
	r := Realtime
	a, s := one(t, Join(tracks(0), profile(0, "codex", "s"),
		r.Begin(ms(1), responses, "codex.activity", "response", Text("kind", "assistant-message"),
			context("transcript-observed", true, Dict("categories", Uint("prompts", 3), Uint("mystery", 40)), Uint("estimated_tokens", 43),
				List("changes", change("added", "x", "mystery", 40, 40), change("added", "y", "enigma", 1, 1)))),
		r.End(ms(2), responses, Uint("input_tokens", 100)), r.End(ms(9), session)))
	quiet(t, a)
	if s.Snapshots[0].Sum() != 43 {
		t.Errorf("sum %d, want 43", s.Snapshots[0].Sum())
	}
	v := a.Series(0, analysis.Options{})
	if fmt.Sprint(v.Categories, v.Values, v.Estimated) != "[prompts mystery] [[3] [40]] [43]" {
		t.Errorf("series: %v %v %v", v.Categories, v.Values, v.Estimated)
	}
	if ov := a.List(analysis.Options{}).Overview; fmt.Sprint(ov.Categories) != "[{mystery 40} {prompts 3}]" {
		t.Errorf("overview: %v", ov.Categories)
	}
	page := a.Changes(0, analysis.ChangeFilter{Sample: -1, All: true, Category: "mystery"})
	if page.Total != 1 || page.Rows[0].Category != "mystery" || page.Rows[0].ItemID != "x" {
		t.Errorf("changes: %+v", page.Rows)
	}
	if doc := string(a.AppendJSON(nil, analysis.Options{})); !strings.Contains(doc, `"categories":{"prompts":3,"mystery":40},"estimated_tokens":43`) || !strings.Contains(doc, `"category":"enigma"`) {
		t.Errorf("document: %s", doc)
	}
}

func TestManyUnknownCategoriesShareOnePlace(t *testing.T) {
	r := Realtime
	var all []Annotation
	for i := range 100 {
		all = append(all, Uint(fmt.Sprint("c", i), 2))
	}
	a, s := one(t, Join(tracks(0), profile(0, "codex", "s"),
		r.Begin(ms(1), responses, "codex.activity", "response", Text("kind", "assistant-message"), context("transcript-observed", true, Dict("categories", all...))),
		r.End(ms(2), responses), r.End(ms(9), session)))
	if v := a.Series(0, analysis.Options{}); len(v.Categories) != 17 || v.Categories[16] != "(other categories)" || v.Values[16][0] != 2*84 || s.Snapshots[0].Sum() != 200 {
		t.Errorf("%d categories: %v, sum %d", len(v.Categories), v.Values, s.Snapshots[0].Sum())
	}
}

// TestASnapshotIsExactlyWhatWasRecorded compares the document's snapshot with the annotation, member by member.
func TestASnapshotIsExactlyWhatWasRecorded(t *testing.T) {
	r := Realtime
	packet := r.Begin(ms(5), responses, "muse.activity", "response", Text("kind", "assistant-message"), Text("model", "m-1"), Dict("context",
		Uint("version", 1), Text("stage", "request-input"), Text("item_stage", "transcript-observed"), Text("basis", "native-bytes/4"), Text("coverage", "complete"), Bool("baseline", false),
		Dict("categories", Uint("system", 900), Uint("messages", 0), Uint("unattributed", 25)), Uint("estimated_tokens", 925), Uint("reported_tokens", 1000),
		Uint("window_tokens", 12000), Uint("compact_threshold_tokens", 10000), Uint("effective_window_tokens", 11000), Text("model", "m-1"),
		List("changes", Dict("", Text("id", "result:c1"), Text("category", "results"), Uint("tokens", 0), Uint("chars", 0), Text("source_id", "c1"), Text("source_kind", "tool"),
			Text("label", "read"), Text("change", "replaced"), Int("delta_tokens", -310)),
			Dict("", Text("id", "message:1"), Text("category", "assistant"), Uint("tokens", 9), Text("source_id", ""), Text("change", "added"), Uint("delta_tokens", 9))),
		Uint("omitted_changes", 3), Int("sample_offset_ns", -7)))
	b := Join(tracks(0), profile(0, "muse", "s"))
	at := len(b)
	a, _ := one(t, Join(b, packet, r.End(ms(6), responses, Uint("input_tokens", 1000), Uint("cache_read_tokens", 800)), r.End(ms(9), session)))
	quiet(t, a)
	var doc struct {
		Sessions []struct {
			Harness   string
			Snapshots []json.RawMessage
			Requests  []json.RawMessage
		}
	}
	if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	place := fmt.Sprintf(`"source":{"input":0,"offset":%d,"length":%d}}`, at, len(packet))
	want := `{"version":1,"stage":"request-input","basis":"native-bytes/4","coverage":"complete","baseline":false,"item_stage":"transcript-observed",` +
		`"categories":{"system":900,"messages":0,"unattributed":25},"estimated_tokens":925,"reported_tokens":1000,"window_tokens":12000,` +
		`"compact_threshold_tokens":10000,"effective_window_tokens":11000,"model":"m-1","changes":[` +
		`{"id":"result:c1","category":"results","tokens":0,"chars":0,"source_id":"c1","source_kind":"tool","label":"read","change":"replaced","delta_tokens":-310},` +
		`{"id":"message:1","category":"assistant","tokens":9,"label":"Assistant history","change":"added","delta_tokens":9}],` +
		`"omitted_changes":3,"sample_offset_ns":-7,"at":"2026-09-21T14:13:20.004999993Z","event":{"kind":"request","index":0},"window_source":"journal",` + place
	if got := string(doc.Sessions[0].Snapshots[0]); got != want {
		t.Errorf("the snapshot is\n%s\nwant\n%s", got, want)
	}
	if got := string(doc.Sessions[0].Requests[0]); !strings.Contains(got, `"reported_tokens":1000,"cache_read_tokens":800`) {
		t.Errorf("Muse's input has its cached part in it: %s", got)
	}
	if v := a.Series(0, analysis.Options{}); v.Coverage[0] != "complete" || v.ItemStage[0] != "transcript-observed" || v.Breakdown[0] != true {
		t.Errorf("series: %v %v", v.Coverage, v.ItemStage)
	}
}

func TestASnapshotWithoutCategoriesHasNoEstimate(t *testing.T) {
	r := Realtime
	a, s := one(t, Join(tracks(0), profile(0, "codex", "s"), r.Begin(ms(1), responses, "codex.activity", "response", Text("kind", "assistant-message"),
		context("transcript-observed", true, Text("categories", ""))), r.End(ms(2), responses), r.End(ms(9), session)))
	if v := a.Series(0, analysis.Options{}); s.Snapshots[0].Sum() != composition.Unknown || v.Breakdown[0] || v.Estimated[0] != analysis.Unknown {
		t.Errorf("sum %d, breakdown %v", s.Snapshots[0].Sum(), v.Breakdown)
	}
}

func TestCachedInputCountsOnce(t *testing.T) {
	r := Realtime
	for _, c := range []struct {
		harness string
		usage   []any
		want    int64
	}{
		{"claude", []any{Uint("input_tokens", 5), Uint("cache_read_tokens", 50), Uint("cache_write_tokens", 2)}, 57},
		{"claude", []any{Uint("input_tokens", 5), Uint("cache_read_tokens", 50), Uint("cache_write_tokens", 2), Uint("context_tokens", 57)}, 57},
		{"claude", []any{Uint("input_tokens", 5)}, -1}, // a part of the prompt is no prompt
		{"codex", []any{Uint("input_tokens", 1000), Uint("cache_read_tokens", 900)}, 1000},
		{"muse", []any{Uint("input_tokens", 1000), Uint("cache_read_tokens", 900), Uint("cache_write_tokens", 50)}, 1000},
		{"pi", []any{Uint("input_tokens", 5), Uint("output_tokens", 3), Uint("cache_read_tokens", 50), Uint("cache_write_tokens", 2), Uint("total_tokens", 60)}, 57},
		{"pi", []any{Uint("input_tokens", 55), Uint("output_tokens", 3), Uint("cache_read_tokens", 50), Uint("total_tokens", 58)}, 55}, // its total tells
		{"codex", []any{Uint("input_tokens", 0)}, -1},
		{"codex", []any{Uint("input_tokens", 1<<40)}, -1},
		{"codex", []any{Double("input_tokens", 5)}, -1},
		{"codex", nil, -1},
	} {
		_, s := one(t, Join(tracks(0), profile(0, c.harness, "s"), r.Begin(ms(1), responses, c.harness+".activity", "response", Text("kind", "assistant-message")),
			r.End(ms(2), responses, c.usage...), r.End(ms(9), session)))
		if got := s.Requests[0].Input; got != c.want {
			t.Errorf("%s with %d figures: %d, want %d", c.harness, len(c.usage), got, c.want)
		}
	}
}

func TestOnlyReportedUsageTellsADrop(t *testing.T) {
	r := Realtime
	answer := func(at, in uint64, model string) []byte {
		return Join(r.Begin(ms(at), responses, "codex.activity", "response", Text("kind", "assistant-message"), Text("model", model)), r.End(ms(at+1), responses, Uint("input_tokens", in)))
	}
	a, _ := one(t, Join(tracks(0), profile(0, "codex", "s"), answer(1, 100, "m"), answer(3, 20, "m"), answer(5, 25, "m"), answer(7, 5, "other"), r.End(ms(9), session)))
	if got := trial.Boundaries(a, 0); got != "compaction  100→20 (-1→-1); model-switch  25→5 (-1→-1)" {
		t.Errorf("boundaries: %s", got)
	}
}

func TestACompactionThatCutNothingIsNone(t *testing.T) {
	r := Realtime
	try := func(at uint64, attrs ...any) []byte {
		return Join(r.Begin(ms(at), compact, "claude.activity", "compact", append([]any{Text("kind", "compaction"), Text("trigger", "manual"), Uint("pre_tokens", 80)}, attrs...)...), r.End(ms(at+1), compact))
	}
	b := Join(tracks(0), profile(0, "claude", "s"), try(1, Bool("success", false)), try(3, Bool("skipped", true), Bool("success", true)), try(5, Bool("incomplete", true)), try(7, Text("status", "aborted")),
		Join(r.Begin(ms(9), responses, "claude.activity", "response", Text("kind", "compaction-response")), r.End(ms(10), responses, Uint("input_tokens", 90))),
		try(11, Bool("success", true), Uint("post_tokens", 20)), r.Begin(ms(13), compact, "claude.activity", "compact", Text("kind", "compaction")), r.End(ms(20), session))
	a, s := one(t, b)
	if got := trial.Boundaries(a, 0); got != "compaction manual -1→-1 (80→20)" || len(s.Requests) != 0 {
		t.Errorf("boundaries: %s, %d requests", got, len(s.Requests))
	}
	if got := strings.Join(s.Notes, " "); !strings.Contains(got, "5 compactions") || !strings.Contains(got, "1 requests were made to write summaries") {
		t.Errorf("notes: %s", got)
	}
}

func TestWhatBelongsToAPromptHangsOnTheCapture(t *testing.T) {
	r := Realtime
	_, s := one(t, Join(tracks(0), r.Begin(ms(0), session, "claude.metadata", "profile (1)", Text("kind", "capture"), Text("harness", "claude-code"), Text("session_id", "s"),
		context("capture-start", true, Dict("categories", Uint("messages", 10)), Text("basis", "native-summary"), Uint("sample_offset_ns", 0))),
		r.Begin(ms(3), session, "claude.activity", "prompt", Text("kind", "prompt"), Text("text", "# Task\n\nMake it work. Soon."),
			context("transcript-observed", false, Dict("categories", Uint("messages", 12)), Uint("sample_offset_ns", 4_000_000))), r.End(ms(7), session),
		r.End(ms(9), session)))
	trial.Expect(t, s, "capture capture-start native-summary baseline messages=10", "capture transcript-observed messages=12")
	// The offset counts from the event that the document names: the beginning of the capture.
	if n := s.Snapshots[1]; n.At != epoch+7e6 || n.Offset != 7e6 || s.Snapshots[0].Offset != 0 {
		t.Errorf("at %d, offset %d", n.At-epoch, n.Offset)
	}
	if s.Title != "Make it work." || s.Harness != "claude-code" {
		t.Errorf("title %q, harness %s", s.Title, s.Harness)
	}
}

func TestARecordingWithoutContentSaysSo(t *testing.T) {
	r := Realtime
	_, s := one(t, Join(tracks(0), profile(0, "claude", "s", Bool("capture_contents", false), Uint("unavailable_child_sessions", 2), Bool("incomplete", true)),
		r.Begin(ms(1), tools, "claude.activity", "Bash", Text("kind", "tool-execution"), Text("call_id", "c")), r.End(ms(2), tools), r.End(ms(9), session)))
	if got := strings.Join(s.Notes, " "); !strings.Contains(got, "without content") || !strings.Contains(got, "not complete") || !strings.Contains(got, "2 sessions of subagents") {
		t.Errorf("notes: %s", got)
	}
	if s.Calls[0].Detail != 0 || s.Title != "" {
		t.Errorf("a detail %d, a title %q", s.Calls[0].Detail, s.Title)
	}
}

func TestTracesBehindThemselvesCountOnce(t *testing.T) {
	for name, b := range map[string][]byte{"vector": vector(), "totals": counted(), "family": relatives()} {
		a, twice, thrice := open(t, b), open(t, Join(b, b)), open(t, Join(b, b, b))
		for _, again := range []*analysis.Analysis{twice, thrice} {
			if figures(again) != figures(a) {
				t.Errorf("%s behind itself gives other figures:\n%s\nwant\n%s", name, figures(again), figures(a))
			}
		}
		if twice.Duplicate[0] != a.Inputs[0].Values || thrice.Duplicate[0] != 2*a.Inputs[0].Values {
			t.Errorf("%s: %d packets, duplicates %d and %d", name, a.Inputs[0].Values, twice.Duplicate[0], thrice.Duplicate[0])
		}
	}
	// Two traces behind one another are two traces.
	if a := open(t, Join(vector(), relatives(), vector())); len(a.Sessions) != 1+len(open(t, relatives()).Sessions) {
		t.Errorf("sessions: %s", trial.Sessions(a))
	}
}

func figures(a *analysis.Analysis) string {
	doc := string(a.AppendJSON(nil, analysis.Options{}))
	return doc[strings.Index(doc, `"sessions":`):]
}

func TestACaptureFromTwoFilesIsOneSession(t *testing.T) {
	whole := vector()
	a := open(t, whole[:len(whole)*2/3], whole)
	if len(a.Sessions) != 1 || len(a.Sessions[0].Requests) != 3 || fmt.Sprint(a.Sessions[0].Inputs) != "[1 0]" || a.Duplicate[0] == 0 {
		t.Errorf("%s, inputs %v, duplicates %v", trial.Sessions(a), a.Sessions[0].Inputs, a.Duplicate)
	}
}

func TestOtherTracesAndBinariesAreRefused(t *testing.T) {
	r := Realtime
	a := open(t, Join(Track(1, 0, "", Process(3, "chrome")), r.Begin(ms(1), 1, "cat", "work"), r.End(ms(2), 1), r.Sample(ms(3), 1, 5)))
	if in := a.Inputs[0]; !in.Refused || codes(a, 0) != journal.WarnForeign || in.Format != "" || len(a.Sessions) != 0 {
		t.Errorf("a trace of another program: refused %v, %v", in.Refused, a.Warnings(0))
	}
	for name, b := range map[string]string{
		"a message": string(Join(Str(1, "hello"), Str(1, "world"))), "blank line and JSON": "\n{\"type\":\"x\"}\n", "text": "\nsome words here\n",
		"zeros": strings.Repeat("\x00", 300), "one byte": "\n", "only a tag": "\n\x05",
	} {
		a := open(t, []byte(b))
		if in := a.Inputs[0]; !in.Refused || in.Format != "" {
			t.Errorf("%s was taken for %s: %s", name, in.Format, in.Reason)
		}
	}
	// Any bytes: a generator of no quality, seeded.
	x := uint32(1)
	for i := range 3000 {
		b := make([]byte, 2+i%300)
		for k := range b {
			x = x*1664525 + 1013904223
			b[k] = byte(x >> 24)
		}
		b[0] = 0x0a
		if a := open(t, b); a.Inputs[0].Format != "" {
			t.Fatalf("%x was taken for %s", b, a.Inputs[0].Reason)
		}
	}
}
