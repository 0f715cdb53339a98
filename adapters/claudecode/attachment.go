package claudecode

import (
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// attachments tells for each type of attachment what it is for. Types that are no context have NoCategory.
var attachments = map[string]journal.Category{
	"prompt_snapshot": journal.System, "output_style_instructions": journal.System, "output_style": journal.System,
	"instructions": journal.Rules, "nested_memory": journal.Rules, "hook_additional_context": journal.Rules,
	"relevant_memories": journal.Rules, "memory": journal.Rules,
	"deferred_tools_delta": journal.Tools, "deferred_tools_record": journal.Tools, "mcp_instructions_delta": journal.Tools,
	"agent_listing_delta": journal.Tools, "command_permissions": journal.Tools, "mcp_resource": journal.Results,
	"skill_listing": journal.Skills, "invoked_skills": journal.Skills, "dynamic_skill": journal.Skills,
	"session_context": journal.Environment, "environment": journal.Environment, "model": journal.Environment,
	"language": journal.Environment, "date": journal.Environment, "date_change": journal.Environment,
	"auto_mode": journal.Environment, "diagnostics": journal.Environment, "opened_file_in_ide": journal.Environment,
	"selected_lines_in_ide": journal.Environment,
	"total_tokens_reminder": journal.Overhead, "thinking_stripped": journal.Overhead, "todo_reminder": journal.Overhead,
	"task_reminder": journal.Overhead, "plan_mode": journal.Overhead, "plan_mode_exit": journal.Overhead,
	"plan_mode_reentry": journal.Overhead, "budget_usd": journal.Overhead, "batching_reminder_sent": journal.Overhead,
	"silent_turn_reminder": journal.Overhead, "read_truncation_notice": journal.Overhead, "task_status": journal.Overhead,
	"ultra_effort_enter": journal.Overhead, "ultra_effort_exit": journal.Overhead, "hook_blocking_error": journal.Overhead,
	"file": journal.Results, "edited_text_file": journal.Results, "directory": journal.Results,
	"compact_file_reference": journal.Results, "plan_file_reference": journal.Results, "already_read_file": journal.Results,
	"queued_command": journal.Prompts,
	"hook_success":   journal.NoCategory, "hook_non_blocking_error": journal.NoCategory, "hook_cancelled": journal.NoCategory,
	"hook_error_during_execution": journal.NoCategory, "hook_permission_decision": journal.NoCategory,
}

// standing are types of attachment, beside rules, that tell the model again what it was told before.
var standing = map[string]bool{"todo_reminder": true, "task_reminder": true, "todo": true, "plan_file_reference": true}

// said are the members of an attachment that hold what the model is told.
var said = map[string]bool{
	"content": true, "text": true, "prompt": true, "snippet": true, "systemPrompt": true, "files": true,
	"addedLines": true, "addedBlocks": true, "skills": true, "blockingError": true, "planContent": true, "newDate": true,
	"banner": true, "description": true, "status": true, "deltaSummary": true, "environment": true, "context": true,
	"instructions": true, "memories": true, "lines": true, "diagnostics": true, "message": true, "skillNames": true,
	"allowedTools": true, "names": true, "blocks": true, "style": true, "language": true, "model": true, "date": true,
}

// attachment reads context that the harness put into the conversation.
func (d *decoder) attachment() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	var kind [48]byte
	kindLen := 0
	var n, listed, names int64
	var images uint32
	var detail journal.Ref
	for k := s.Key(); k != nil; k = s.Key() {
		switch name := string(k); {
		case name == "type":
			v, _ := s.Str(len(kind))
			kindLen = copy(kind[:], v)
			d.line.standing = attachments[string(v)] == journal.Rules || standing[string(v)]
		case name == "displayPath", name == "path", name == "filename", name == "planFilePath":
			if v, _ := s.Str(512); detail == 0 || name == "displayPath" {
				detail = d.strings.Put(firstLine(v))
			}
		case name == "addedNames":
			listed, _ = d.measure(0)
		case name == "names":
			names, _ = d.measure(0)
		case said[name]:
			m, i := d.said(name, &detail)
			n, images = n+m, images+i
		default:
			s.Skip()
		}
	}
	if n == 0 {
		n = listed + names
	}
	d.addAttachment(kind[:kindLen], n, images, detail)
}

// said counts one member. The text of a queued prompt is also its label.
func (d *decoder) said(name string, detail *journal.Ref) (int64, uint32) {
	s := d.s
	if name == "prompt" && s.Kind() == jsonl.String {
		head, t := s.Str(facts.Room())
		*detail = d.strings.Put(journal.TitleOf(head))
		if label, _ := harnessMade(head); label == "" {
			d.facts.Add(facts.ByPart, -1, head, t.Units)
		}
		return t.Units, 0
	}
	return d.measure(0)
}

func (d *decoder) addAttachment(kind []byte, n int64, images uint32, detail journal.Ref) {
	c, known := attachments[string(kind)]
	if !known {
		d.in.Unknown(append([]byte("attachment/"), kind...))
		c = journal.Unattributed
	}
	if c == journal.NoCategory {
		return
	}
	p := journal.Part{Kind: journal.Item, Category: c, Units: journal.Units(n), Label: d.strings.Put(kind), Detail: detail}
	if string(kind) == "prompt_snapshot" {
		p.Flags, p.ID = journal.Fixed, p.Label
	}
	d.part(p)
	d.unmeasured(images)
}

// compactMetadata reads what the harness says of a compaction. The output of its print mode spells the names in another way.
func (d *decoder) compactMetadata() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "trigger":
			d.trigger()
		case "preTokens", "pre_tokens":
			d.figure(journal.PreTokens)
		case "postTokens", "post_tokens":
			d.figure(journal.PostTokens)
		case "preservedSegment", "preserved_segment":
			d.hashes(map[string]journal.PartKind{"headUuid": journal.KeptFrom, "tailUuid": journal.KeptTo,
				"head_uuid": journal.KeptFrom, "tail_uuid": journal.KeptTo})
		case "preservedMessages", "preserved_messages":
			d.hashes(map[string]journal.PartKind{"uuids": journal.Kept, "allUuids": journal.Kept, "all_uuids": journal.Kept})
		default:
			s.Skip()
		}
	}
}

func (d *decoder) trigger() {
	switch v, _ := d.s.Str(16); string(v) {
	case "auto":
		d.r.Flags |= journal.Automatic
	case "manual":
		d.r.Flags |= journal.Manual
	}
}

func (d *decoder) figure(a journal.Attr) {
	if n := d.count(); n >= 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: a, Units: uint32(n)})
	}
}

// hashes reads ids of records under the given members, single ones or lists.
func (d *decoder) hashes(members map[string]journal.PartKind) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		kind, wanted := members[string(k)]
		switch {
		case wanted && s.Array():
			for s.Elem() {
				d.part(journal.Part{Kind: kind, Hash: d.hash()})
			}
		case wanted:
			d.part(journal.Part{Kind: kind, Hash: d.hash()})
		default:
			s.Skip()
		}
	}
}

// microcompactMetadata reads which results and attachments were cleared from the prompt.
func (d *decoder) microcompactMetadata() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "trigger":
			d.trigger()
		case "compactedToolIds":
			for ok := s.Array(); ok && s.Elem(); {
				d.part(journal.Part{Kind: journal.Gone, ID: d.ref()})
			}
		case "clearedAttachmentUUIDs":
			for ok := s.Array(); ok && s.Elem(); {
				d.part(journal.Part{Kind: journal.Gone, Hash: d.hash()})
			}
		default:
			s.Skip()
		}
	}
}
