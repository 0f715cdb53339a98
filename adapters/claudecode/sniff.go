package claudecode

import (
	"fmt"

	"contextscope/adapters/shape"
)

// Sniff recognises Claude Code by the members of its lines.
func Sniff(h *shape.Head) (float64, string) {
	chain, state := 0, 0
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Has("projectHash"), r.Has("payload"), r.Inside("parts"): // others with the same names
		case r.Has("uuid", "parentUuid"), r.Has("uuid", "sessionId"), r.Has("uuid", "message") && r.Type != "":
			chain++
		case r.Has("sessionId", "message") && r.Inside("role"), r.Has("requestId", "message"), r.Has("message", "costUSD"):
			chain++
		case knownState[r.Type] && (r.Has("sessionId") || r.Has("leafUuid") || r.Has("snapshot") || r.Has("messageId") || r.Has("agentId")):
			state++
		case (r.Type == "custom-title" || r.Type == "ai-title") && r.Has("sessionId"):
			state++
		case r.Type == "" && r.Has("agentType") && len(h.Records) == 1:
			return 0.9, "one object with agentType: what Claude Code keeps beside a subagent's transcript"
		}
	}
	if chain+state == 0 {
		return 0, ""
	}
	return float64(chain+state) / float64(len(h.Records)),
		fmt.Sprintf("%d of the first %d records have Claude Code's uuid, parentUuid, sessionId or message", chain+state, len(h.Records))
}
