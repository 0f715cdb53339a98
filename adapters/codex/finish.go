package codex

import "contextscope/core/journal"

// events are the types of event that are known. Most are copies for the interface.
var events = map[string]bool{
	"token_count": true, "task_started": true, "turn_started": true, "thread_rolled_back": true, "thread_name_updated": true,
	"user_message": true, "agent_message": true, "agent_reasoning": true, "agent_reasoning_raw_content": true,
	"task_complete": true, "turn_complete": true, "turn_aborted": true, "context_compacted": true, "entered_review_mode": true,
	"exited_review_mode": true, "undo_completed": true, "patch_apply_begin": true, "patch_apply_end": true,
	"mcp_tool_call_begin": true, "mcp_tool_call_end": true, "web_search_begin": true, "web_search_end": true,
	"image_generation_end": true, "exec_command_begin": true, "exec_command_end": true, "sub_agent_activity": true,
	"thread_goal_updated": true, "thread_settings_applied": true, "item_started": true, "item_completed": true, "error": true,
	"warning": true, "turn.completed": true, "view_image_tool_call": true, "dynamic_tool_call_request": true,
	"dynamic_tool_call_response": true, "guardian_assessment": true, "collab_agent_spawn_end": true,
	"collab_agent_interaction_end": true, "collab_waiting_end": true, "collab_close_end": true, "plan_update": true,
	"background_event": true, "stream_error": true, "turn_diff": true,
}

// finish decides what the line is, when all of it is known.
func (d *decoder) finish() bool {
	r, l, it := d.r, &d.line, &d.item
	keep := false
	switch {
	case l.state:
		return false
	case l.wrapped && l.kind == "event_msg":
		keep = d.event()
	case l.wrapped && l.kind == "response_item":
		keep = d.emit(it)
	case l.wrapped && l.kind == "session_meta", !l.wrapped && l.kind == "" && l.instruction, !l.wrapped && l.kind == "" && l.id != 0 && it.role == 0:
		keep = d.header()
	case l.wrapped && l.kind == "turn_context":
		r.Kind, keep = journal.Turn, true
		d.dropParts()
		d.attribute(journal.Model, l.model, 0)
	case l.wrapped && l.kind == "compacted":
		keep = d.compacted()
	case l.wrapped && envelope[l.kind]:
		d.dropParts() // known, and no context: usage that repeats a token count, the state of the interface
		return false
	case !l.wrapped && (items[l.kind] || l.kind == "" && it.role != 0):
		it.kind = l.kind
		if it.kind == "" {
			it.kind = "message"
		}
		keep = d.emit(it)
	default:
		d.dropParts()
		d.unknown(l.kind)
		return false
	}
	if keep {
		r.ID = d.identity()
	}
	return keep
}

func (d *decoder) unknown(kind string) {
	if kind == "?" || kind == "" {
		d.in.Unknown(d.line.unknown)
		return
	}
	d.in.Unknown([]byte(kind))
}

func (d *decoder) dropParts() { d.in.Parts.Truncate(int(d.r.First)) }

// identity stands in for the id that lines don't have: a hash of what the line says. It only tells whether a line follows
// a known sequence again.
func (d *decoder) identity() uint64 {
	r := d.r
	h := journal.Fold(1, r.At, int64(r.Kind), int64(d.line.id), int64(d.line.usage.Totals), int64(d.line.model))
	for i := int(r.First); i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		h = journal.Fold(h, int64(p.Units), int64(p.ID), int64(p.Category)<<8|int64(p.Kind))
	}
	return h
}

func (d *decoder) attribute(a journal.Attr, text journal.Ref, n int64) {
	if text != 0 || n > 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: a, Label: text, Units: journal.Units(n)})
	}
}

func (d *decoder) header() bool {
	r, l := d.r, &d.line
	r.Kind, r.Session = journal.Header, l.id
	d.attribute(journal.Version, l.version, 0)
	d.attribute(journal.Role, l.role, 0)
	d.attribute(journal.ParentSession, l.parent, 0)
	d.attribute(journal.ForkedFrom, l.forkedFrom, 0)
	d.attribute(journal.WorkingDir, l.dir, 0)
	return true
}

func (d *decoder) event() bool {
	r, l := d.r, &d.line
	d.dropParts()
	switch d.item.kind {
	case "token_count":
		if !l.info {
			return false // rate limits only
		}
		r.Kind = journal.Count
		r.Flags |= journal.HasUsage
		r.Usage = uint32(d.in.Usages.Append(l.usage))
		return true
	case "task_started", "turn_started":
		r.Kind = journal.Turn
		d.attribute(journal.StartedAt, 0, l.startedAt)
		return true
	case "thread_rolled_back":
		if !l.hasTurns || l.turns <= 0 {
			return false
		}
		r.Kind = journal.Rollback
		d.part(journal.Part{Kind: journal.TookBack, Units: journal.Units(l.turns)})
		return true
	case "thread_name_updated":
		r.Kind = journal.Name
		d.attribute(journal.Title, l.threadName, 0)
		return l.threadName != 0
	case "?":
		d.in.Unknown(append([]byte("event_msg/"), l.unknown...))
	}
	return false
}

// compacted is the summary and the history that replaces everything before. The summary stands first among the parts or
// last, as the members came; its parts are those that the line's own item made.
func (d *decoder) compacted() bool {
	d.r.Kind = journal.Compacted
	d.r.Flags &^= journal.Typed
	if d.line.replaced {
		d.r.Flags |= journal.Summary
	}
	if f := d.item.first; f > 0 {
		for i := f - 1; i < f-1+d.item.texts; i++ {
			p := d.in.Parts.At(i)
			p.Category, p.Label, p.Detail = journal.Summaries, d.label("Summary"), 0
		}
	}
	return true
}

// emit turns an item into parts. Its texts have been added while they were read, from index first on.
func (d *decoder) emit(it *item) bool {
	r := d.r
	if it.images > 0 {
		d.part(journal.Part{Kind: journal.Unmeasured, Units: it.images, Label: d.label("images and documents")})
	}
	switch it.kind {
	case "message":
		r.Kind = d.messageParts(it)
	case "agent_message":
		r.Kind = journal.Injected
		d.texts(it, journal.Results, "Agent message")
	case "reasoning":
		r.Kind = journal.Response
		d.texts(it, journal.Assistant, "Thinking")
		d.part(journal.Part{Kind: journal.Unmeasured, Units: 1, Label: d.label("encrypted reasoning")})
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call", "tool_call", "image_generation_call":
		r.Kind = journal.Response
		if it.name == 0 {
			it.name = d.label(it.kind)
		}
		d.part(journal.Part{Kind: journal.Call, Category: journal.Assistant, ID: it.call, Label: it.name, Detail: it.detail, Hash: it.args, Units: journal.Units(it.units)})
	case "function_call_output", "custom_tool_call_output", "tool_result", "function_result":
		r.Kind = journal.User
		p := journal.Part{Kind: journal.Result, Category: journal.Results, ID: it.call, Label: it.name, Units: journal.Units(it.units)}
		if it.failed {
			p.Flags = journal.Failed
		}
		d.part(p)
	case "tool_search_output":
		r.Kind = journal.User
		d.part(journal.Part{Kind: journal.Result, Category: journal.Tools, ID: it.call, Label: d.label("tool_search"), Units: journal.Units(it.tools)})
	case "additional_tools":
		r.Kind = journal.Injected
		d.part(journal.Part{Kind: journal.Item, Category: journal.Tools, Label: d.label("Tools"), Units: journal.Units(it.tools)})
	case "compaction", "compaction_summary":
		r.Kind = journal.Injected
		d.part(journal.Part{Kind: journal.Unmeasured, Units: 1, Label: d.label("encrypted summaries")})
	case "context_compaction", "configuration_update", "ghost_snapshot", "compaction_trigger":
		return false
	default:
		d.in.Unknown(append([]byte("response_item/"), d.line.unknown...))
		return false
	}
	d.texts(it, journal.Unattributed, "") // text where this kind of item has none by rule
	return true
}

// messageParts gives the texts of a message their categories by its role. Texts that Codex itself put in have theirs
// already.
func (d *decoder) messageParts(it *item) journal.Kind {
	switch it.role {
	case 'a':
		d.texts(it, journal.Assistant, "")
		return journal.Response
	case 'u':
		if d.texts(it, journal.Prompts, "") {
			d.r.Flags |= journal.Typed
		}
		return journal.User
	case 'd', 's':
		d.texts(it, journal.System, "Instructions")
	default:
		d.texts(it, journal.Unattributed, "")
	}
	return journal.Injected
}

// texts gives the texts of an item that have no category one; reports whether there were any.
func (d *decoder) texts(it *item, c journal.Category, label string) bool {
	found := false
	for i := max(it.first-1, 0); it.first > 0 && i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		if p.Kind != journal.Item || p.Flags&journal.Fixed != 0 {
			continue
		}
		if c == journal.Assistant {
			p.Category, p.Label = journal.NoCategory, 0 // whatever a model's text begins with, it is the model's
		}
		if p.Category == journal.NoCategory {
			p.Category, found = c, true
			if label != "" {
				p.Label = d.label(label)
			}
		}
	}
	return found
}
