package agentstrace

import (
	"fmt"

	"contextscope/adapters/shape"
)

// kind is what an event is about, by its type.
type kind uint8

const (
	unknown kind = iota
	prompt
	request
	response // of the API
	answer   // what the assistant said
	call
	result
	failure
	start
	side // known, and not in the context: decisions noted
	fileRead
	fileWrite
	ending
)

// types are the event types that are known.
var types = map[string]kind{
	"user_prompt": prompt, "llm_request": request, "llm_response": response, "assistant_response": answer, "tool_call": call,
	"tool_result": result, "error": failure, "session_start": start, "session_end": ending, "file_read": fileRead,
	"file_write": fileWrite, "decision": side,
}

// Sniff recognises events by their type and what stands beside it, and a meta.json by its members.
func Sniff(h *shape.Head) (float64, string) {
	events := 0
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Has("event_type", "event_id"), r.Has("event_type", "data") && types[r.EventType] != unknown:
			events++
		case len(h.Records) == 1 && isMeta(r):
			return 0.9, "one object with session_id, started_at and agent_name or counters: agent-strace's meta.json"
		}
	}
	if events == 0 {
		return 0, ""
	}
	return float64(events) / float64(len(h.Records)),
		fmt.Sprintf("%d of the first %d records have agent-strace's event_type with event_id or data", events, len(h.Records))
}

// isMeta tells agent-strace's meta.json from that of Claude Code, which has an agentType, and from other objects.
func isMeta(r *shape.Record) bool {
	if !r.Has("session_id", "started_at") || r.Has("agentType") || r.Type != "" || r.EventType != "" {
		return false
	}
	for _, k := range []string{"agent_name", "command", "tool_calls", "llm_requests", "total_tokens", "total_duration_ms", "attribution", "parent_session_id"} {
		if r.Has(k) {
			return true
		}
	}
	return false
}
