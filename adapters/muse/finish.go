package muse

import "contextscope/core/journal"

// finish closes an envelope when all of it is known, and reports whether to keep it.
func (d *decoder) finish() bool {
	if !d.decide() {
		return false
	}
	d.facts.Finish(d.in, d.r)
	return true
}

// decide tells what the envelope is.
func (d *decoder) decide() bool {
	r, e := d.r, &d.event
	if r.ID == 0 {
		r.ID = d.identity()
	}
	if e.review {
		d.dropParts()
		r.Kind = journal.Link
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrReview})
		return true
	}
	family := &d.family
	if family.empty() {
		family = &d.payloadType
	}
	switch {
	case e.child != 0:
		return d.childLink()
	case family.is("run"):
		return d.runEvent()
	case family.is("task"):
		return d.task()
	case family.is("tool_batch_effect"):
		return d.taskLink()
	}
	return d.fact(family)
}

func (d *decoder) dropParts() { d.in.Parts.Truncate(int(d.r.First)) }

// identity stands in for an id that a record doesn't have: its place in its stream, or what it says. Where it names no stream
// either, that holds in its own input alone.
func (d *decoder) identity() uint64 {
	r := d.r
	stream := int64(r.Session)
	if stream == 0 {
		stream = -1 - int64(d.in.Index)
	}
	if r.Parent != 0 {
		return journal.Fold(3, stream, int64(r.Parent))
	}
	if r.At == 0 {
		return 0
	}
	h := journal.Fold(4, stream, r.At, int64(d.event.usage.Input), d.event.units)
	for i := int(r.First); i < d.in.Parts.Len(); i++ {
		p := d.in.Parts.At(i)
		h = journal.Fold(h, int64(p.Units), int64(p.ID), int64(p.Category)<<8|int64(p.Kind))
	}
	return h
}

// fact is a record that is no event of a run.
func (d *decoder) fact(family *name) bool {
	r, e := d.r, &d.event
	d.dropParts()
	switch {
	case family.is("metadata"), family.is("runtime.session.metadata"):
		r.Kind = journal.Header
		d.attribute(journal.Version, e.version, 0)
		d.attribute(journal.Model, e.modelID, 0)
		return true
	case family.is("run_model"), family.is("run.model.configured"), d.payloadType.is("runtime.model_reconfigure.completed"):
		r.Kind = journal.Turn
		d.attribute(journal.Model, e.modelID, 0)
		return e.modelID != 0
	case d.payloadType.is("session.name.changed"):
		r.Kind = journal.Name
		d.attribute(journal.Title, e.newName, 0)
		return e.newName != 0
	case family.is("session_end"), family.is("session.end"):
		r.Kind = journal.Link
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.Ended, Label: d.label("ended")})
		return true
	case family.is("session_resumed"), family.is("session.resumed"):
		r.Kind = journal.Link
		return true
	case !family.fact() && !d.payloadType.fact():
		if d.payloadType.empty() {
			d.in.Unknown(family.bytes())
		} else {
			d.in.Unknown(d.payloadType.bytes())
		}
	}
	return false
}

// runEvent is what happens in a run: a turn from a prompt to its end.
func (d *decoder) runEvent() bool {
	r, e := d.r, &d.event
	switch d.kind.known {
	case "started":
		d.dropParts()
		r.Kind = journal.User
		if !e.control {
			r.Flags |= journal.Typed
			d.said(journal.Prompts)
		}
	case "assistant_message_committed":
		d.dropParts()
		r.Kind = journal.Response
		d.said(journal.Assistant)
	case "assistant_tool_calls_committed":
		r.Kind = journal.Response
	case "tool_result_batch_committed", "tool_results_committed":
		r.Kind = journal.User
	case "tool_result_committed", "tool_result":
		d.dropParts()
		r.Kind = journal.User
		d.part(journal.Part{Kind: journal.Result, Category: journal.Results, ID: e.call, Units: journal.Units(e.units)})
	case "tool_result_model_visible_content":
		d.dropParts()
		r.Kind = journal.User
		d.unmeasured("images and documents", e.images)
	case "reasoning_committed":
		d.dropParts()
		r.Kind = journal.Response
		if what := "encrypted reasoning"; e.hidden {
			d.unmeasured(what, 1)
		} else if e.units > 0 {
			d.unmeasured("reasoning", 1)
		}
	case "model_request_configured":
		r.Kind = journal.Injected
		d.attribute(attrTools, 0, e.tools)
		if e.configured {
			d.part(journal.Part{Kind: journal.Attribute, Attr: attrMessages, Units: journal.Units(e.messages)})
		}
	case "terminal":
		d.dropParts()
		r.Kind = journal.Link
		r.Flags |= journal.Cut // the run ends: nothing of it is pending
	default:
		return d.measure()
	}
	return true
}

// measure is an event of a run that measures something, or changes the context.
func (d *decoder) measure() bool {
	r, e := d.r, &d.event
	d.dropParts()
	switch d.kind.known {
	case "model_input_trace_recorded":
		r.Kind = journal.Report
		if e.schema == 2 && e.full {
			d.laneParts()
		}
	case "model_response_created":
		r.Kind = journal.Response
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrResponse, Label: e.response})
	case "model_completed":
		d.completed()
	case "context_block_diagnostic":
		r.Kind = journal.Turn
		if e.bytes == 0 || e.block == 0 {
			return false
		}
		d.part(journal.Part{Kind: journal.Measured, Category: d.blockCategory(e.block, e.source), ID: e.block, Units: journal.Units(e.bytes)})
	case "context_compaction_installed":
		d.installed()
	case "context_compaction_candidate", "context_compaction_fallback":
		d.attempt()
	case "tool_results_cleared":
		r.Kind = journal.Trim
	default:
		if !runEvents[d.kind.known] {
			d.in.Unknown(append([]byte("run/"), d.kind.bytes()...))
		}
		return false
	}
	return true
}

func (d *decoder) said(c journal.Category) {
	if e := &d.event; e.units > 0 {
		d.part(journal.Part{Kind: journal.Item, Category: c, Detail: e.title, Units: journal.Units(e.units)})
	}
}

func (d *decoder) unmeasured(what string, n uint32) {
	if n > 0 {
		d.part(journal.Part{Kind: journal.Unmeasured, Label: d.label(what), Units: n})
	}
}

// completed is the end of a model call with what the provider reported.
func (d *decoder) completed() {
	r, e := d.r, &d.event
	r.Kind = journal.Count
	u := &e.usage
	u.Model = e.model
	if !e.hasUsage {
		u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Total, u.Window = -1, -1, -1, -1, -1, -1
	}
	r.Flags |= journal.HasUsage
	r.Usage = uint32(d.in.Usages.Append(*u))
	if e.duration > 0 {
		d.attribute(attrDuration, 0, e.duration)
	}
}

// installed is a compaction: the summary stands in place of all that was not preserved.
func (d *decoder) installed() {
	r, e := d.r, &d.event
	r.Kind = journal.Compacted
	d.attemptParts()
	if e.units > 0 {
		d.part(journal.Part{Kind: journal.Item, Category: journal.Summaries, Label: d.label("Summary"), Units: journal.Units(e.units)})
	}
	if e.before >= 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.PreTokens, Units: journal.Units(e.before)})
	}
	if e.after >= 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: journal.PostTokens, Units: journal.Units(e.after)})
	}
	if e.preserved {
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrHead, Units: journal.Units(e.head)})
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrTail, Units: journal.Units(e.tail)})
	}
}

// attempt is a compaction that was tried, or given up.
func (d *decoder) attempt() {
	e := &d.event
	d.r.Kind = journal.Boundary
	d.attemptParts()
	if d.kind.is("context_compaction_fallback") {
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrFallback, Label: e.reason})
	} else {
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrStatus, Label: e.status})
	}
}

func (d *decoder) attemptParts() {
	r, e := d.r, &d.event
	r.Flags |= e.trigger
	d.attribute(attrCandidate, e.candidate, 0)
	d.attribute(attrThreshold, 0, e.threshold)
	d.attribute(attrEffective, 0, e.effective)
	if e.summarizer != 0 {
		d.part(journal.Part{Kind: journal.Attribute, Attr: attrSummarizer, Hash: e.summarizer})
	}
}

// childLink is any record that names a session which this one started.
func (d *decoder) childLink() bool {
	r, e := d.r, &d.event
	d.dropParts()
	r.Kind = journal.Link
	role := e.reminder
	if role == 0 {
		role = e.agent
	}
	if role == 0 {
		role = d.label("subagent")
	}
	d.part(journal.Part{Kind: journal.Spawned, ID: e.call, Label: e.child, Detail: role})
	d.attribute(attrTask, e.task, 0)
	return true
}

// task is a step in the life of a task. Only what it carries out says something.
func (d *decoder) task() bool {
	if d.kind.is("side_effect_intent") {
		return d.taskLink()
	}
	d.dropParts()
	if !taskEvents[d.kind.known] {
		d.in.Unknown(append([]byte("task/"), d.kind.bytes()...))
	}
	return false
}

// taskLink ties a task to the call that it carries out, or to the task that it is a part of.
func (d *decoder) taskLink() bool {
	r, e := d.r, &d.event
	d.dropParts()
	r.Kind = journal.Link
	d.attribute(attrTask, e.task, 0)
	d.attribute(attrParentTask, e.parentTask, 0)
	if e.call != 0 {
		p := journal.Part{Kind: journal.Attribute, Attr: attrCall, Label: e.call}
		if e.failed {
			p.Flags = journal.Failed
		}
		d.part(p)
	}
	return e.call != 0 || e.parentTask != 0 && e.task != 0
}
