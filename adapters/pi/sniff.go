package pi

import (
	"fmt"
	"strings"

	"contextscope/adapters/shape"
)

// Sniff recognises Pi by the header of a session, or by entries that a header would stand in front of.
func Sniff(h *shape.Head) (float64, string) {
	n := 0
	header := false
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Has("uuid") || r.Has("sessionId"):
		case r.Type == "session" && r.Has("id", "timestamp") && (r.Has("cwd") || r.Has("version")):
			header = true
			n++
		case r.Type != "" && !strings.Contains(r.Type, ".") && r.Has("id", "parentId"), // an entry of the tree, whatever its type
			r.Type == "message" && r.Inside("role"), // one of the list of old
			r.Type == "model_change" && r.Has("modelId"),
			r.Type == "thinking_level_change" && r.Has("thinkingLevel"),
			r.Type == "compaction" && r.Has("summary", "tokensBefore"):
			n++
		}
	}
	switch {
	case n == 0:
		return 0, ""
	case header:
		return float64(n) / float64(len(h.Records)),
			fmt.Sprintf("%d of the first %d records are the header and entries of a Pi session", n, len(h.Records))
	}
	return 0.95 * float64(n) / float64(len(h.Records)),
		fmt.Sprintf("%d of the first %d records are entries of a Pi session", n, len(h.Records))
}
