package adapters_test

import (
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// Rows M1 to M6: what an import of a Claude Code journal brings. Ours keeps no events, so each row is asked of the session.

// claudeLine is a line of such a journal.
func claudeLine(n int, members string) string {
	return fmt.Sprintf(`{"sessionId":"s1","uuid":"u%d","timestamp":"2026-01-01T00:00:%02dZ","version":"2.1.0","cwd":"/w",%s}`+"\n", n, n, members)
}

func claudeAnswer(n int, content, usage string) string {
	return claudeLine(n, fmt.Sprintf(`"type":"assistant","requestId":"r%[1]d","message":{"id":"m%[1]d","role":"assistant","model":"claude-opus-4-6","content":[%[2]s],"usage":{%[3]s}}`, n, content, usage))
}

func importOne(t *testing.T, lines ...string) (*analysis.Analysis, *analysis.Session) {
	t.Helper()
	a := trial.Open(t, trial.File{Path: "s1.jsonl", Text: strings.Join(lines, "")})
	return a, a.Sessions[0]
}

func TestRowM1APromptAndItsAnswer(t *testing.T) {
	a, s := importOne(t, claudeLine(1, `"type":"user","message":{"role":"user","content":"Hello"}`),
		claudeAnswer(2, `{"type":"text","text":"Hi there"}`, `"input_tokens":100,"output_tokens":50`))
	if len(a.Sessions) != 1 || s.Harness != "claude-code" || len(s.Requests) != 1 || len(s.Calls) != 0 || s.Stream != "" {
		t.Fatalf("%d sessions, of %s, %d requests, %d calls", len(a.Sessions), s.Harness, len(s.Requests), len(s.Calls))
	}
	if q := s.Requests[0]; q.Input != 100 || q.Output != 50 || a.Strings.Get(q.Model) != "claude-opus-4-6" || q.Source.Line != 2 {
		t.Errorf("the request is %+v", q)
	}
	if title := a.List(analysis.Options{}).Sessions[0].Title; title != "Hello" {
		t.Errorf("the prompt gives the title %q", title)
	}
}

func TestRowM2ACommandIsKept(t *testing.T) {
	a, s := importOne(t, claudeAnswer(1, `{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls -la"}}`, `"input_tokens":9,"output_tokens":5`))
	if len(s.Calls) != 1 || a.Strings.Get(s.Calls[0].Name) != "Bash" || a.Strings.Get(s.Calls[0].Detail) != "ls -la" {
		t.Errorf("%+v", s.Calls)
	}
}

// Ours tells it of the session that the call started, and of the call itself where that session is not open.
func TestRowM3TheKindOfASubagentIsKept(t *testing.T) {
	call := claudeAnswer(1, `{"type":"tool_use","id":"t1","name":"Agent","input":{"description":"look around","prompt":"Look.","subagent_type":"Explore"}}`, `"input_tokens":9,"output_tokens":5`)
	a, s := importOne(t, call)
	if len(s.Calls) != 1 || a.Strings.Get(s.Calls[0].Name) != "Agent" || !strings.Contains(a.Strings.Get(s.Calls[0].Detail), "look around") {
		t.Errorf("%+v", s.Calls)
	}
	a = trial.Open(t, trial.File{Path: "p/s1.jsonl", Text: call},
		trial.File{Path: "p/s1/subagents/agent-ab1.meta.json", Text: `{"agentType":"Explore","toolUseId":"t1"}` + "\n"},
		trial.File{Path: "p/s1/subagents/agent-ab1.jsonl", Text: claudeLine(2, `"isSidechain":true,"agentId":"ab1","type":"user","message":{"role":"user","content":"Look."}`)})
	if rows := a.List(analysis.Options{}).Sessions; len(rows) != 2 || rows[1].Role != "Explore" || rows[1].Parent != 0 {
		t.Errorf("%+v", rows)
	}
}

func TestRowM4SidechainsAreToldApart(t *testing.T) {
	side := func(n int, agent string) string {
		return strings.Replace(claudeAnswer(n, `{"type":"text","text":"ok"}`, fmt.Sprintf(`"input_tokens":%d,"output_tokens":5`, n*100)), `"type":"assistant"`, `"isSidechain":true,"agentId":"`+agent+`","type":"assistant"`, 1)
	}
	a, _ := importOne(t, claudeLine(1, `"type":"user","message":{"role":"user","content":"Go"}`), side(2, "research"), side(3, "research"), side(4, "review"))
	got := ""
	for _, s := range a.Sessions {
		for _, q := range s.Requests {
			got += fmt.Sprint(s.ID, " ", q.Input, "\n")
		}
	}
	same(t, "sidechains", got, "s1/research 200\ns1/research 300\ns1/review 400\n")
}

func TestRowM6AQueueOperationIsNothing(t *testing.T) {
	a, s := importOne(t, claudeLine(1, `"type":"user","message":{"role":"user","content":"Port the parser."}`),
		`{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-01T00:00:09Z","content":"Never do that.","sessionId":"s1"}`+"\n")
	if len(s.Requests) != 0 || len(s.Calls) != 0 || len(a.Told(s)) != 1 {
		t.Errorf("%d requests, %d calls, %+v", len(s.Requests), len(s.Calls), a.Told(s))
	}
	if in := a.List(analysis.Options{}).Inputs[0]; len(in.Unknown) != 0 || in.Malformed != 0 {
		t.Errorf("it is counted as %+v", in)
	}
}
