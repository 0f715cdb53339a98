package agentprof

import (
	"contextscope/core/journal"
)

// key says which fact about a slice an annotation holds.
type key uint8

// The facts that are kept.
const (
	noKey key = iota
	kindKey
	harnessKey
	versionKey
	modelKey
	captureIDKey
	sessionKey
	parentSessionKey
	roleKey
	childSessionKey
	callKey
	parentCallKey
	errorKey
	incompleteKey
	inputKey
	outputKey
	cacheReadKey
	cacheWriteKey
	totalKey
	contextKey
	windowKey
	triggerKey
	beforeKey
	afterKey
	successKey
	skippedKey
	statusKey
	contentsKey
	childrenKey
	gapsKey
	titleKey  // of a prompt, from its text
	detailKey // of a call, from its arguments
)

// spellings are the names of the annotations, those of older recorders too.
var spellings = map[string]key{
	"kind": kindKey, "agentprof_event_kind": kindKey,
	"harness": harnessKey, "agentprof_harness": harnessKey,
	"harness_version": versionKey,
	"model":           modelKey, "agentprof_llm_model": modelKey,
	"capture_id": captureIDKey, "agentprof_capture_id": captureIDKey,
	"session_id": sessionKey, "agentprof_session_id": sessionKey,
	"parent_session": parentSessionKey, "parentSession": parentSessionKey,
	"child_role": roleKey, "childRole": roleKey, "subagent_type": roleKey, "subagentType": roleKey,
	"child_session": childSessionKey, "childSession": childSessionKey,
	"call_id": callKey, "agentprof_tool_call_id": callKey, "parent_call_id": parentCallKey,
	"is_error": errorKey, "agentprof_is_error": errorKey,
	"incomplete": incompleteKey, "pi_tracing_incomplete": incompleteKey, "pi_tracing_providerIncomplete": incompleteKey,
	"input_tokens": inputKey, "agentprof_usage_input": inputKey,
	"output_tokens": outputKey, "agentprof_usage_output": outputKey,
	"cache_read_tokens": cacheReadKey, "agentprof_usage_cacheRead": cacheReadKey,
	"cache_write_tokens": cacheWriteKey, "agentprof_usage_cacheWrite": cacheWriteKey,
	"total_tokens": totalKey, "context_tokens": contextKey, "context_window_tokens": windowKey,
	"trigger": triggerKey, "reason": triggerKey,
	"pre_tokens": beforeKey, "tokens_before": beforeKey, "post_tokens": afterKey, "tokens_after": afterKey,
	"success": successKey, "skipped": skippedKey, "status": statusKey,
	"capture_contents": contentsKey, "unavailable_child_sessions": childrenKey, "export_gaps": gapsKey,
}

// attribute is a fact about a slice: a text, or a number. A slice has each key once; the last value holds, so that what the
// end of a slice says stands above what its beginning said.
type attribute struct {
	number int64
	text   journal.Ref
	next   int32 // attribute of the same slice, 0 for none
	key    key
}

// attributes are those of all slices.
type attributes struct {
	all   journal.Column[attribute] // from 1 on: the first is none
	heads []int32                   // of each slice
}

func (a *attributes) find(slice int32, k key) *attribute {
	if int(slice) >= len(a.heads) {
		return nil
	}
	for i := a.heads[slice]; i != 0; {
		at := a.all.At(int(i))
		if at.key == k {
			return at
		}
		i = at.next
	}
	return nil
}

func (a *attributes) set(slice int32, v attribute) {
	if old := a.find(slice, v.key); old != nil {
		v.next = old.next
		*old = v
		return
	}
	if a.all.Len() == 0 {
		a.all.Append(attribute{})
	}
	for len(a.heads) <= int(slice) {
		a.heads = append(a.heads, 0)
	}
	head := &a.heads[slice]
	v.next = *head
	*head = int32(a.all.Append(v))
}

// text is a fact in words, 0 when it was not recorded.
func (a *attributes) text(slice int32, k key) journal.Ref {
	if v := a.find(slice, k); v != nil {
		return v.text
	}
	return 0
}

// number is a fact in figures, -1 when it was not recorded.
func (a *attributes) number(slice int32, k key) int64 {
	if v := a.find(slice, k); v != nil && v.text == 0 {
		return v.number
	}
	return -1
}

// is reports whether a flag was recorded as v.
func (a *attributes) is(slice int32, k key, v bool) bool {
	n := a.number(slice, k)
	return v && n > 0 || !v && n == 0
}
