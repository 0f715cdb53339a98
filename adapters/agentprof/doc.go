// Package agentprof reads the recordings of Agent Profiler: Perfetto traces (.pftrace), and the recorder's private journals
// that lie beside them while a recording runs.
//
// In comes a trace, which package perfetto takes apart into tracks and slices. Known here is what the recorder means by
// them: which slices are captures and whose session each is, which are requests, calls and compactions, and the snapshots
// of the context in the annotation "context" (schema version 1). Snapshots are taken as they were recorded and never
// computed again. A recording without snapshots still has the history of its totals.
//
// Promised is that nothing stands for a fact that was not recorded: the zeros that close a counter are no sizes, a capture
// whose clock cannot be converted has no times, and a schema of another version is named and left alone. Refused is a trace
// in which no agent was recorded.
//
// README.md in this folder has the format.
package agentprof

import _ "embed"

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string

// Key names the traces in documents, JournalKey the recorder's private journals.
const (
	Key        = "agent-profiler"
	JournalKey = "agent-profiler-journal"
)

// harnesses maps what a recording calls its harness to the key of the harness in documents.
var harnesses = map[string]string{
	"claude": "claude-code", "claude-code": "claude-code", "codex": "codex", "pi": "pi", "muse": "muse", "muse-code": "muse",
}

// harness is the key of a harness; one that is not known keeps its own name.
func harness(recorded string) string {
	if k, ok := harnesses[recorded]; ok {
		return k
	}
	return recorded
}
