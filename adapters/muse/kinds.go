package muse

import "bytes"

// runEvents are the events of a run that are known. What is read of them is decided in finish.
var runEvents = set("started", "terminal", "model_request_configured", "model_input_trace_recorded", "model_response_created",
	"model_completed", "assistant_message_committed", "assistant_tool_calls_committed", "tool_result_batch_committed",
	"tool_results_committed", "tool_result_committed", "tool_result", "tool_result_model_visible_content", "reasoning_committed",
	"context_block_diagnostic", "context_block_updated", "context_compaction_candidate", "context_compaction_installed",
	"context_compaction_fallback", "tool_results_cleared", "context_projection_checkpoint", "context_projection_checkpoint_skipped",
	"goal_usage_attribution", "resource_usage_sampled", "provider_request_options_configured", "task_stream_linked",
	"memory_reminder_child_session_linked", "reminder_proposal", "reminder_reconciler_outcome", "reminder_installed",
	"reminder_snoozed", "skill_reminder_decision", "skill_read_observed", "reasoning_summary_delta", "reasoning_summary_committed",
	"reasoning_delta", "text_delta", "user_prompt_display", "todo_snapshot_updated", "inbox_item_queued", "inbox_item_drained",
	"inbox_delivery_anomaly", "workflow_child_lifecycle", "workflow_run_launched", "workflow_launch_reconciled",
	"user_input_prompt_requested", "user_input_prompt_settled", "task_backgrounded", "run_retracted", "turn_task_died",
	"run_fatal_error_classified", "hook_run_started", "hook_run_terminal", "hook_decision_applied", "code_mode_cell_grant_recorded",
	"code_mode_profile_activated", "fork_child_seed_snapshot", "goal_progress_nudge_fired", "model_input_file_unavailable",
	"model_input_file_uploaded", "provider_tool_call_started", "provider_tool_call_completed", "agent_tree_initialized")

// taskEvents are the events of a task that are known.
var taskEvents = set("proposed", "accepted", "scheduled", "started", "side_effect_intent", "completed", "status", "output",
	"rejected", "tool_output_ref", "failed", "cancelled", "timed_out", "terminal")

// families are payloads that are known by their kind or their payload_type.
var families = set("metadata", "runtime.session.metadata", "run_model", "run.model.configured", "session_end", "session.end",
	"session_resumed", "session.resumed", "tool_batch_effect", "session.name.changed", "runtime.model_reconfigure.completed",
	"run", "task", "approval", "security_mode", "agent_tree_initialized", "runtime.session", "runtime.session.task",
	"runtime.session.route_facts", "route_facts", "runtime.session.capture_selection", "runtime.session.permission_format_declared",
	"runtime.session.permission_profile_committed", "runtime.retained_fact", "session.opened.observed", "session.fork.created",
	"session.fork.turn", "session.startup_phases.observed", "session.workspace_branch.observed", "session.description.generated",
	"session.resource_pressure.observed", "session.login.completed", "reminder_cleanup_effect", "command.invoked")

// prefixes are groups of payload types that say nothing about the context.
var prefixes = []string{"runtime.user_intent.", "runtime.command_intake.", "tool_batch.effect.", "subagent.control.", "async.owner.",
	"reminder.cleanup_effect.", "approval_wait.effect.", "session.worktree.", "session.mailbox.", "session.payment_gate.",
	"session.subscription_entrypoint.", "user_shell.", "context.compact.manual.", "agent.hook.", "runtime.session.permission_"}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// words are all names that are told apart, so that reading one allocates nothing.
var words = func() map[string]string {
	m := map[string]string{}
	for _, s := range []map[string]bool{runEvents, taskEvents, families} {
		for n := range s {
			m[n] = n
		}
	}
	return m
}()

// name is a word of the format: one of those that are known, or what stands there.
type name struct {
	known string
	other []byte // used again
}

func (n *name) clear() { n.known, n.other = "", n.other[:0] }

func (n *name) set(v []byte) {
	n.clear()
	if w, ok := words[string(v)]; ok {
		n.known = w
		return
	}
	n.other = append(n.other, v...)
}

func (n *name) empty() bool { return n.known == "" && len(n.other) == 0 }

// is compares with a known word.
func (n *name) is(word string) bool { return n.known == word }

// fact reports whether it is a family or a type that is known.
func (n *name) fact() bool {
	if families[n.known] {
		return true
	}
	for _, p := range prefixes {
		if bytes.HasPrefix(n.other, []byte(p)) {
			return true
		}
	}
	return false
}

func (n *name) bytes() []byte {
	if n.known != "" {
		return []byte(n.known)
	}
	return n.other
}
