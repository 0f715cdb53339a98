package agentprof

import (
	"bytes"
	"fmt"

	"contextscope/adapters/shape"
	"contextscope/core/perfetto"
)

// marks are what only Agent Profiler's traces have in them.
var marks = [][]byte{[]byte("agentprof.capture"), []byte("claude.metadata"), []byte("codex.metadata"), []byte("muse.metadata"),
	[]byte("agentprof.metadata"), []byte("pi.metadata"), []byte("pi.llm"), []byte("pi.agent"), []byte("pi.tools")}

// Sniff recognises a trace by its packets. One that shows no agent in its beginning is a trace all the same.
func Sniff(h *shape.Head) (float64, string) {
	n := perfetto.Sniff(h.Bytes)
	if n == 0 {
		return 0, ""
	}
	for _, m := range marks {
		if bytes.Contains(h.Bytes, m) {
			return 0.95, fmt.Sprintf("a Perfetto trace with Agent Profiler's %s among its first %d packets", m, n)
		}
	}
	return 0.6, fmt.Sprintf("a Perfetto trace: its first %d packets have events, tracks or clocks", n)
}
