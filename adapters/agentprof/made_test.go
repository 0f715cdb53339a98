package agentprof_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	. "contextscope/core/perfetto/byhand"
)

// epoch is a second of 2026; ms counts milliseconds from it.
const epoch = 1_790_000_000_000_000_000

func ms(n uint64) uint64 { return epoch + n*1_000_000 }

// The tracks of a recording made by hand. Its root's uuid is the capture id in hexadecimal.
const (
	process   = 1
	root      = 0xc0ffee
	session   = 11
	responses = 12
	requests  = 13
	tools     = 14
	compact   = 15
	contexts  = 16
	size      = 17
	window    = 18
	inputs    = 19
)

// tracks describes one capture of a harness under an own process.
func tracks(base uint64) []byte {
	return Join(
		Track(base+process, 0, "", Process(4242+base, "agent")),
		Track(base+root, base+process, "agentprof.capture", Num(15, 2)),
		Track(base+session, base+root, "Session"), Track(base+responses, base+root, "Responses", Num(15, 1)),
		Track(base+requests, base+root, "Requests"), Track(base+tools, base+root, "Tools", Num(15, 1)),
		Track(base+compact, base+root, "Compaction"), Track(base+inputs, base+root, "Inputs"),
		Track(base+contexts, base+root, "Context"),
		Track(base+size, base+root, "Context size", Counter()), Track(base+window, base+root, "Context window", Counter()),
	)
}

// profile is the marker of a capture.
func profile(base uint64, harness, id string, more ...any) []byte {
	return Realtime.Begin(ms(0), base+session, harness+".metadata", "profile (1)", append([]any{
		Text("kind", "capture"), Uint("schema_version", 1), Text("harness", harness), Text("session_id", id),
		Text("capture_id", fmt.Sprintf("%x", base+root))}, more...)...)
}

// context is a snapshot of version 1 with the members given, and the usual ones.
func context(stage string, baseline bool, categories Annotation, more ...Annotation) Annotation {
	return Dict("context", append([]Annotation{Uint("version", 1), Text("stage", stage), Text("basis", "chars/4"),
		Text("coverage", "partial"), Bool("baseline", baseline), categories, Uint("omitted_changes", 0)}, more...)...)
}

func change(kind, id, category string, tokens uint64, delta int64, more ...Annotation) Annotation {
	d := Uint("delta_tokens", uint64(delta))
	if delta < 0 {
		d = Int("delta_tokens", delta)
	}
	return Dict("", append([]Annotation{Text("id", id), Text("category", category), Uint("tokens", tokens), Text("change", kind), d}, more...)...)
}

// open opens traces together.
func open(t testing.TB, traces ...[]byte) *analysis.Analysis {
	t.Helper()
	var files []trial.File
	for i, b := range traces {
		files = append(files, trial.File{Path: fmt.Sprintf("%d.pftrace", i), Text: string(b)})
	}
	return trial.Open(t, files...)
}

// one opens a trace of one session.
func one(t testing.TB, b []byte) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	a := open(t, b)
	if len(a.Sessions) != 1 {
		t.Fatalf("%d sessions, want 1: %s; %v", len(a.Sessions), trial.Sessions(a), a.Warnings(0))
	}
	return a, a.Sessions[0]
}

// quiet fails when there is anything to warn of.
func quiet(t testing.TB, a *analysis.Analysis) {
	t.Helper()
	for i, in := range a.Inputs {
		if w := a.Warnings(i); len(w) > 0 || in.Malformed > 0 || len(in.Kinds) > 0 || in.Refused {
			t.Errorf("input %d: refused %v, %d malformed, unknown %v, warnings %v", i, in.Refused, in.Malformed, in.Kinds, w)
		}
	}
}

func codes(a *analysis.Analysis, input int) string {
	var out []string
	for _, w := range a.Warnings(input) {
		out = append(out, w.Code)
	}
	return strings.Join(out, " ")
}

// vector is the recording with three requests at +0, +10 and +20 ns: a prompt, with a result, and without it again.
func vector() []byte {
	r := Realtime
	prompts := Uint("prompts", 3)
	return Join(tracks(0), Track(21, contexts, "User prompts", Counter()), Track(22, contexts, "Tool results", Counter()),
		profile(0, "pi", "vector"),
		r.Sample(ms(0), 21, 3), r.Sample(ms(0), 22, 0),
		r.Begin(ms(0), requests, "pi.llm", "request", Text("kind", "provider-request"),
			context("request-input", true, Dict("categories", prompts), Uint("estimated_tokens", 3), Text("model", "m-1"),
				List("changes", change("baseline", "message:user:1", "prompts", 3, 3, Uint("chars", 12), Text("source_id", ""), Text("source_kind", "prompt"))))),
		r.End(ms(0)+5, requests),
		r.Begin(ms(0)+6, tools, "pi.tools", "read", Text("kind", "tool-execution"), Text("call_id", "read"), Dict("args", Text("path", "a/b.go"))),
		r.End(ms(0)+8, tools, Bool("is_error", false)),
		r.Sample(ms(0)+10, 22, 40),
		r.Begin(ms(0)+10, requests, "pi.llm", "request", Text("kind", "provider-request"),
			context("request-input", false, Dict("categories", prompts, Uint("results", 40)), Uint("estimated_tokens", 43), Uint("reported_tokens", 60),
				Text("model", "m-1"), List("changes", change("added", "message:toolResult:2", "results", 40, 40, Uint("chars", 160), Text("source_id", "read"),
					Text("source_kind", "tool"), Text("label", "read"))))),
		r.End(ms(0)+15, requests),
		r.Sample(ms(0)+20, 22, 0),
		r.Begin(ms(0)+20, requests, "pi.llm", "request", Text("kind", "provider-request"),
			context("request-input", false, Dict("categories", prompts), Uint("estimated_tokens", 3), Text("model", "m-1"),
				List("changes", change("removed", "message:toolResult:2", "results", 40, -40, Text("source_id", "read"), Text("source_kind", "tool"))))),
		r.End(ms(0)+25, requests),
		r.Sample(ms(1), 21, 0), r.Sample(ms(1), 22, 0),
		r.End(ms(1), session, Text("stop_reason", "manual")),
	)
}
