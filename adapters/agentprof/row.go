package agentprof

import (
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// row is what one row of a private journal says, as far as it matters. The two recorders write different rows; members are
// read the same way whoever wrote them, because the source may stand behind the content.
type row struct {
	source origin
	event  subject
	phase  phase

	id, session, agent, parentAgent, turn, call journal.Ref
	name, model, version, trigger, role, parent journal.Ref
	title, detail                               journal.Ref
	segment                                     int64

	usage              [4]int64 // input, cache read, cache write, output; -1 where it says nothing
	usageModel         journal.Ref
	totals             uint64 // hash of a token count's figures
	counted            bool   // a token count with figures
	window             int64
	before, after      int64
	failed, incomplete flag
	success, skipped   flag
	contents           flag
	dropped            int64

	context *context // a reading of the context
	sample  int32    // a snapshot that came ready-made, -1 for none
	hash    uint64   // tells a row that was written again
}

// flag is a truth value that may not be there.
type flag uint8

const (
	unsaid flag = iota
	no
	yes
)

// origin says who wrote a row.
type origin uint8

const (
	otherRow  origin = iota
	claudeMod        // Claude Code's events
	codexHook
	codexRecord // a record of a rollout
	processStart
	processEnd
	recovery // the recorder's own note that its journal is damaged
	telemetry
)

var origins = map[string]origin{
	"claude.mod": claudeMod, "codex.hook": codexHook, "session_metadata": codexRecord, "process_start": processStart,
	"process_end": processEnd, "recovery": recovery, "clock_snapshot": otherRow, "codex.control": otherRow, "cli": otherRow,
	"result": otherRow, "/v1/logs": telemetry, "/v1/traces": telemetry, "/v1/metrics": telemetry, "/hook": telemetry, "hook": telemetry,
}

// subject says what a row is about.
type subject uint8

const (
	noEvent subject = iota
	sessionEvent
	promptEvent
	responseEvent
	toolEvent
	executionEvent
	agentEvent
	compactionEvent
	contextEvent

	metaRecord // records of a rollout
	turnRecord
	countRecord
	snapshotRecord

	subagentStart // hooks
	preToolUse
	postToolUse
	preCompact
	postCompact
	promptSubmit
)

var events = map[string]subject{
	"session": sessionEvent, "prompt": promptEvent, "response": responseEvent, "tool": toolEvent, "execution": executionEvent,
	"agent": agentEvent, "compaction": compactionEvent, "context": contextEvent,
	"session_meta": metaRecord, "turn_context": turnRecord, "event_msg": countRecord, "context_snapshot": snapshotRecord,
	"SubagentStart": subagentStart, "PreToolUse": preToolUse, "PostToolUse": postToolUse, "PreCompact": preCompact,
	"PostCompact": postCompact, "UserPromptSubmit": promptSubmit,
}

// phase says which part of an event a row is.
type phase uint8

const (
	noPhase phase = iota
	beginning
	ending
	measure // context: what changed
	summary // context: the harness's own breakdown
)

var phases = map[string]phase{"begin": beginning, "end": ending, "sample": measure, "summary": summary}

// context is a reading of the context that Claude Code gave.
type context struct {
	tokens, window       int64
	effective, threshold int64
	native               composition.Counts // its own breakdown
	broken               bool               // it has one
	reset                bool
	whole                bool // items are all there are, not what changed
	items                []composition.Item
	gone                 []journal.Ref
}

func newRow() row {
	return row{usage: [4]int64{-1, -1, -1, -1}, window: -1, before: -1, after: -1, sample: -1}
}

// identify gives a row its hash.
func (r *row) identify(at int64) {
	h := journal.Fold(1, at, int64(r.source)<<16|int64(r.event)<<8|int64(r.phase), int64(r.id), int64(r.session), int64(r.agent), r.segment,
		int64(r.call), int64(r.turn), int64(r.totals), int64(r.model))
	if c := r.context; c != nil {
		h = journal.Fold(h, c.tokens, c.window, c.native.Sum(), int64(len(c.items)), int64(len(c.gone)))
	}
	r.hash = journal.Fold(h, r.usage[:]...)
}
