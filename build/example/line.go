package main

import (
	"bytes"
	"encoding/json"
	"time"
)

// line is a line of a Claude Code transcript. Members that a kind of line doesn't have are left out.
type line struct {
	Parent    *string  `json:"parentUuid"`
	Logical   string   `json:"logicalParentUuid,omitempty"`
	Sidechain bool     `json:"isSidechain"`
	Agent     string   `json:"agentId,omitempty"`
	CWD       string   `json:"cwd,omitempty"`
	Session   string   `json:"sessionId"`
	Version   string   `json:"version"`
	Branch    string   `json:"gitBranch,omitempty"`
	Type      string   `json:"type"`
	Subtype   string   `json:"subtype,omitempty"`
	Content   string   `json:"content,omitempty"`
	Level     string   `json:"level,omitempty"`
	Meta      bool     `json:"isMeta,omitempty"`
	Summary   bool     `json:"isCompactSummary,omitempty"`
	Visible   bool     `json:"isVisibleInTranscriptOnly,omitempty"`
	Mode      string   `json:"permissionMode,omitempty"`
	Data      any      `json:"data,omitempty"`
	ToolUse   string   `json:"parentToolUseID,omitempty"`
	Compact   any      `json:"compactMetadata,omitempty"`
	Micro     any      `json:"microcompactMetadata,omitempty"`
	Attached  any      `json:"attachment,omitempty"`
	Duration  int64    `json:"durationMs,omitempty"`
	Request   string   `json:"requestId,omitempty"`
	Message   *message `json:"message,omitempty"`
	Result    any      `json:"toolUseResult,omitempty"`
	UUID      string   `json:"uuid"`
	Time      string   `json:"timestamp"`
}

type message struct {
	ID      string  `json:"id,omitempty"`
	Role    string  `json:"role"`
	Model   string  `json:"model,omitempty"`
	Stop    any     `json:"stop_reason,omitempty"`
	Content any     `json:"content"`
	Usage   *usages `json:"usage,omitempty"`
}

type usages struct {
	Input    int    `json:"input_tokens"`
	Creation int    `json:"cache_creation_input_tokens"`
	Read     int    `json:"cache_read_input_tokens"`
	Output   int    `json:"output_tokens"`
	Tier     string `json:"service_tier,omitempty"`
}

// block is a part of a message's content.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	Thinking  *string         `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	Use       string          `json:"tool_use_id,omitempty"`
	Content   any             `json:"content,omitempty"`
	Failed    bool            `json:"is_error,omitempty"`
	Image     any             `json:"source,omitempty"`
}

// encode writes a value as one compact line, without the escapes that only HTML needs.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// field is a member of an object whose members keep their order.
type field struct {
	name  string
	value any
}

type object []field

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, bytes.TrimSpace(encode(f.name))...)
		b = append(b, ':')
		b = append(b, bytes.TrimSpace(encode(f.value))...)
	}
	return append(b, '}'), nil
}

// args makes the arguments of a call out of names and values.
func args(pairs ...any) json.RawMessage {
	var o object
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, field{pairs[i].(string), pairs[i+1]})
	}
	return bytes.TrimSpace(encode(o))
}

func stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
