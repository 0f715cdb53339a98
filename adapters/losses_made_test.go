package adapters_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// strace writes a trace as agent-strace does, an event a second.
type strace struct {
	lines []string
	now   float64
}

func (s *strace) event(kind, data string, more ...string) *strace {
	s.now++
	s.lines = append(s.lines, fmt.Sprintf(`{"event_type":"%s","timestamp":%v,"event_id":"e%d","session_id":"s1","data":{%s}%s}`,
		kind, s.now, len(s.lines)+1, data, strings.Join(more, "")))
	return s
}

// asks writes a request of claude-sonnet-4 with so many tokens.
func (s *strace) asks(stream string, tokens int) *strace {
	return s.event("llm_request", fmt.Sprintf(`"model":"claude-sonnet-4","input_tokens":%d,"context_stream":"%s"`, tokens, stream))
}

func (s *strace) open(t *testing.T) *analysis.Analysis {
	t.Helper()
	return trial.Open(t, trial.File{Path: "events.ndjson", Text: strings.Join(s.lines, "\n") + "\n"})
}

// claude writes a transcript as Claude Code does, each line five seconds after the one before.
type claude struct {
	session, agent, model string
	lines                 []string
	parent                string
	n                     int
}

func newClaude(session string) *claude { return &claude{session: session, model: "claude-opus-4-6"} }

func (c *claude) line(kind, rest string) *claude {
	c.n++
	id := fmt.Sprintf("%s%s-%04d-0123456789ab", c.session, c.agent, c.n)
	parent, side := "null", ""
	if c.parent != "" {
		parent = `"` + c.parent + `"`
	}
	if c.agent != "" {
		side = `,"agentId":"` + c.agent + `"`
	}
	c.lines = append(c.lines, fmt.Sprintf(`{"type":"%s","sessionId":"%s","uuid":"%s","parentUuid":%s,"timestamp":"2026-01-01T%02d:%02d:%02d.000Z","isSidechain":%v,"version":"2.1.90"%s,%s}`,
		kind, c.session, id, parent, c.n*5/3600, c.n*5/60%60, c.n*5%60, c.agent != "", side, rest))
	c.parent = id
	return c
}

func (c *claude) prompt(text string) *claude {
	return c.line("user", `"message":{"role":"user","content":"`+text+`"}`)
}

// answers writes a response in so many lines; all of the prompt but three tokens was read from the cache.
func (c *claude) answers(tokens, lines int) *claude {
	id := fmt.Sprintf("m%s%d", c.agent, c.n+1)
	for i := range lines {
		c.line("assistant", fmt.Sprintf(`"requestId":"r-%s","message":{"id":"%s","role":"assistant","model":"%s","content":[{"type":"text","text":"part %d"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":0,"cache_read_input_tokens":%d,"output_tokens":%d}}`,
			id, id, c.model, i, tokens-3, i+1))
	}
	return c
}

// compacts writes the boundary and the summary behind it.
func (c *claude) compacts(trigger string, told int) *claude {
	logical := c.parent
	c.parent = ""
	c.line("system", fmt.Sprintf(`"subtype":"compact_boundary","content":"Conversation compacted","logicalParentUuid":"%s","compactMetadata":{"trigger":"%s","preTokens":%d}`, logical, trigger, told))
	return c.line("user", `"isCompactSummary":true,"message":{"role":"user","content":"This session is being continued from a previous conversation."}`)
}

func (c *claude) file() trial.File {
	name := c.session + ".jsonl"
	if c.agent != "" {
		name = c.session + "/subagents/agent-" + c.agent + ".jsonl"
	}
	return trial.File{Path: name, Text: strings.Join(c.lines, "\n") + "\n"}
}

// cut is a boundary as a document has it.
type cut struct {
	Kind, Trigger, Stream, Model string
	Evidence                     []string
	Before                       *int64   `json:"tokens_before"`
	After                        *int64   `json:"tokens_after"`
	Dropped                      *int64   `json:"tokens_dropped"`
	Ratio                        *float64 `json:"drop_ratio"`
	Told                         *int64   `json:"harness_before"`
	Left                         *int64   `json:"harness_after"`
	Above                        *bool    `json:"above_threshold"`
	USD                          *float64 `json:"estimated_cost_usd"`
	Rate                         *float64 `json:"price_per_million_usd"`
	Source                       map[string]struct{ Line int }
}

// cuts are the boundaries in the document of a session.
func cuts(t *testing.T, a *analysis.Analysis, session int, o analysis.Options) []cut {
	t.Helper()
	var doc struct{ Sessions []struct{ Compactions []cut } }
	o.Sessions = []int{session}
	if err := json.Unmarshal(a.AppendJSON(nil, o), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Sessions[0].Compactions
}

// brief says boundaries in a line: kind, trigger, sizes, evidence, cost.
func brief(all []cut) string {
	var out []string
	for _, c := range all {
		text := strings.TrimSpace(c.Kind + " " + c.Trigger)
		if c.Stream != "main" {
			text += " in " + c.Stream
		}
		text += " " + whole(c.Before) + "→" + whole(c.After)
		if c.Told != nil || c.Left != nil {
			text += " (" + whole(c.Told) + "→" + whole(c.Left) + ")"
		}
		text += " " + strings.Join(c.Evidence, "+")
		if c.USD != nil {
			text += fmt.Sprintf(" $%.4f", *c.USD)
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func whole(n *int64) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

func expectCuts(t *testing.T, a *analysis.Analysis, want string) {
	t.Helper()
	expectCutsAt(t, a, 0, analysis.Options{}, want)
}

func expectCutsAt(t *testing.T, a *analysis.Analysis, session int, o analysis.Options, want string) {
	t.Helper()
	if got := brief(cuts(t, a, session, o)); got != want {
		t.Errorf("boundaries of %s: %q, want %q", a.Sessions[session].ID, got, want)
	}
}

// twice is a session that was compacted two times.
func twice(session string) *claude {
	return newClaude(session).prompt("Fix x.py.").answers(160003, 2).compacts("auto", 160003).answers(20903, 2).
		prompt("Go on.").answers(165003, 3).compacts("manual", 165003).answers(21903, 1)
}

const twiceCut = "compaction auto 160003→20903 (160003→?) boundary-record+usage-drop $0.6955; compaction manual 165003→21903 (165003→?) boundary-record+usage-drop $0.7155"
