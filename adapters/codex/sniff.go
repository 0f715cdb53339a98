package codex

import (
	"fmt"

	"contextscope/adapters/shape"
)

// envelope are the types of line that have a payload.
var envelope = map[string]bool{
	"session_meta": true, "turn_context": true, "response_item": true, "event_msg": true, "compacted": true,
	"token_usage_record": true, "world_state": true, "inter_agent_communication": true,
	"inter_agent_communication_metadata": true, "retained_context": true, "security_risk_score": true, "realtime_item": true,
}

// Sniff recognises Codex by its envelope, or by the state records and bare items of older versions.
func Sniff(h *shape.Head) (float64, string) {
	wrapped, bare := 0, 0
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Has("payload") && envelope[r.Type]:
			wrapped++
		case r.RecordType == "state":
			bare++
		case r.Has("id", "timestamp", "instructions") && r.Type == "":
			bare++
		case bareItems[r.Type] && !r.Has("uuid") && !r.Has("sessionId") && !r.Has("parentId") && (r.Role != "" || r.Has("call_id") || r.Has("summary") || r.Has("function") || r.Has("name")):
			bare++
		case r.Type == "" && r.Has("role") && (r.Has("content") || r.Has("message")) && (r.Has("timestamp") || r.Has("created_at")):
			bare++
		}
	}
	switch {
	case wrapped > 0:
		return float64(wrapped+bare) / float64(len(h.Records)),
			fmt.Sprintf("%d of the first %d records have Codex's type and payload", wrapped, len(h.Records))
	case bare > 0:
		return 0.9 * float64(bare) / float64(len(h.Records)),
			fmt.Sprintf("%d of the first %d records are the bare items that Codex wrote before it had an envelope", bare, len(h.Records))
	}
	return 0, ""
}

var bareItems = map[string]bool{
	"message": true, "reasoning": true, "function_call": true, "function_call_output": true, "local_shell_call": true,
	"custom_tool_call": true, "custom_tool_call_output": true, "tool_call": true, "tool_result": true, "function_result": true,
}
