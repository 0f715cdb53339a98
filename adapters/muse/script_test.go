package muse_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func chars(n int) string { return strings.Repeat("x", n) }

// script is a journal that is being written: each record a second after the one before.
type script struct {
	id    string
	lines []string
	n     int
}

const start = 1791000000000000 // microseconds

func session(id string) *script { return &script{id: id} }

func (s *script) envelope(kind, payload string) string {
	s.n++
	return fmt.Sprintf(`{"schema_version":1,"id":"%s-%d","stream":{"kind":"session","id":"%s"},"sequence":%d,"recorded_at":%d,"record_type":"event","payload_type":"%s","payload":%s}`,
		s.id, s.n, s.id, s.n, start+s.n*1_000_000, kind, payload)
}

func (s *script) add(kind, payload string) *script {
	s.lines = append(s.lines, s.envelope(kind, payload))
	return s
}

func (s *script) line(text string) *script {
	s.lines = append(s.lines, text)
	return s
}

// event adds an event of run n1, or of the run before an @.
func (s *script) event(event string) *script { return s.in("n1", event) }

func (s *script) in(run, event string) *script {
	return s.add("runtime.session", `{"kind":"run","run_id":"`+run+`","event":{`+event+`}}`)
}

func (s *script) metadata() *script {
	return s.add("runtime.session.metadata", `{"kind":"metadata","record":{"model_id":"muse-x","provider_id":"meta","build":{"semver":"1.4.2"}}}`)
}

func (s *script) prompt(text string) *script {
	return s.event(`"kind":"started","prompt":"` + text + `"`)
}

func (s *script) answer(n int) *script {
	return s.event(`"kind":"assistant_message_committed","message_id":"m","text":"` + chars(n) + `"`)
}

func (s *script) calls(id, tool string) *script { // arguments of 16 characters
	return s.event(`"kind":"assistant_tool_calls_committed","tool_calls":[{"id":"fc","call_id":"` + id + `","name":"` + tool + `","args":"{\"command\":\"ls\"}"}]`)
}

func (s *script) result(id, text string) *script {
	return s.event(`"kind":"tool_result_batch_committed","results":[{"tool_call_id":"` + id + `","text":"` + text + `"}]`)
}

func usage(input, output, cached int) string {
	return fmt.Sprintf(`"usage":{"input_tokens":%d,"output_tokens":%d,"cached_tokens":%d,"cache_read_tokens":%d,"cache_write_tokens":0,"reasoning_tokens":1}`, input, output, cached, cached)
}

func completed(input, output int) string {
	return `"kind":"model_completed","model":"muse-x","duration_ms":500,` + usage(input, output, 0)
}

func (s *script) completed(input int) *script { return s.event(completed(input, 10)) }

// group is one group of lanes.
func group(lane, source, destination string, bytes int) string {
	return fmt.Sprintf(`{"logical_lane":{"value":"%s"},"source":{"value":"%s"},"provider_wire_destination":{"value":"%s"},"lane_count":1,"byte_count":%d}`, lane, source, destination, bytes)
}

func trace(omitted int, groups ...string) string {
	return fmt.Sprintf(`"kind":"model_input_trace_recorded","schema_version":2,"scope":"full_request","bounded":{"aggregates":[%s],"omitted_aggregate_lane_bytes":%d}`, strings.Join(groups, ","), omitted)
}

func (s *script) text() string { return strings.Join(s.lines, "\n") + "\n" }

func (s *script) one(t *testing.T) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	return trial.One(t, s.lines...)
}

// export is the document that muse export makes of the same records.
func (s *script) export() string { return exportOf(1, `{"session_id":"`+s.id+`"}`, s.lines...) }

func exportOf(version int, sessions string, envelopes ...string) string {
	events := make([]string, len(envelopes))
	for i, e := range envelopes {
		events[i] = `{"kind":"record","recorded_at":1,"envelope":` + e + `}`
	}
	return fmt.Sprintf("{\n\"export_schema_version\": %d,\n\"sessions\": [%s],\n\"events\": [\n%s\n]}\n", version, sessions, strings.Join(events, ",\n"))
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}

// warnings says the warnings of an input: code and line.
func warnings(a *analysis.Analysis, input int) string {
	var out []string
	for _, w := range a.Warnings(input) {
		out = append(out, fmt.Sprintf("%s %d", w.Code, w.Line))
	}
	return strings.Join(out, ", ")
}
