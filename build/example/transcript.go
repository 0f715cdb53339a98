package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
)

// transcript writes a Claude Code transcript and keeps count of what is in the context, so that the usage it reports fits
// what it wrote: a prompt is the part that no journal shows, the characters in the context at 3.3 a token, and the
// thinking that stays in the context although its text is left out.
type transcript struct {
	out      bytes.Buffer
	repo     repo
	id       string
	agent    string
	prologue int // system prompt and tool definitions
	now      int64
	last     string // uuid of the last line
	begun    int64  // of the turn
	lines    int
	requests int
	calls    int
	context  []entry
	cached   int // tokens that the provider has in its cache
	cachedAt int64
	scale    float64 // of hidden thinking, so that the sizes come out as the story wants them
}

// entry is something in the context.
type entry struct {
	uuid   string
	call   string // whose result it is
	units  int
	tokens int // of what has no text here: hidden thinking, images
}

const (
	version = "2.1.207"
	model   = "claude-opus-4-6"
	hour    = int64(3600_000)
)

// units is the length of a text as the journal's reader counts it.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// prompt is how many tokens the next request sends.
func (t *transcript) prompt() int {
	chars, tokens := 0, t.prologue
	for _, e := range t.context {
		chars, tokens = chars+e.units, tokens+e.tokens
	}
	return tokens + (chars*10+32)/33
}

func (t *transcript) wait(seconds float64) { t.now += int64(seconds * 1000) }

// id of the n-th line, in the shape of a UUID.
func (t *transcript) uuid() string {
	t.lines++
	space := 0x5b1e
	if t.agent != "" {
		space = 0x7c3a
	}
	return fmt.Sprintf("%04x20e6-7a41-4c09-9d3b-%012x", space, t.lines)
}

// write adds a line to the chain.
func (t *transcript) write(l line) string {
	l.UUID, l.Session, l.Version, l.Agent, l.Sidechain = t.uuid(), t.id, version, t.agent, t.agent != ""
	if l.Type != "system" || l.Subtype != "compact_boundary" {
		if last := t.last; last != "" {
			l.Parent = &last
		}
	}
	l.Time = stamp(t.now)
	t.out.Write(encode(l))
	t.last = l.UUID
	return l.UUID
}

// state writes a line that is no part of the conversation.
func (t *transcript) state(o object) { t.out.Write(encode(o)) }

// add counts something that is in the context from here on.
func (t *transcript) add(uuid, call string, units, tokens int) {
	t.context = append(t.context, entry{uuid, call, units, tokens})
}

// attach adds context that the harness puts in. told is what the model is told of it.
func (t *transcript) attach(kind string, told int, members ...field) {
	t.wait(0.004)
	o := append(object{{"type", kind}}, members...)
	t.add(t.write(line{Type: "attachment", Attached: o, CWD: "/src/tollgate", Branch: "limiter-restart"}), "", told, 0)
}

// ask is what a person types.
func (t *transcript) ask(text string) {
	t.begun = t.now
	t.add(t.write(line{Type: "user", CWD: "/src/tollgate", Branch: "limiter-restart", Mode: "acceptEdits", Message: &message{Role: "user", Content: text}}), "", units(text), 0)
	t.wait(0.4)
}

// think is thinking whose text is left out: only its signature is written, and what it cost.
type think int

// thought is thinking whose text is there.
type thought string

// say is what the model writes.
type say string

// step is one response of the model: what it thinks and says, and the calls that it makes, with their results behind.
func (t *transcript) step(parts ...any) {
	t.requests++
	usage := t.usage()
	id, request := fmt.Sprintf("msg_01TG%s%04d", t.agent, t.requests), fmt.Sprintf("req_011TG%s%04d", t.agent, t.requests)
	var calls []*call
	out := 0
	t.wait(7.2 + float64(usage.Creation)/2500)
	for i, p := range parts {
		b, tokens := t.block(p)
		out += tokens
		usage.Output = 1 + i*8
		stop := any(nil)
		if i == len(parts)-1 {
			usage.Output, stop = out, "end_turn"
			if _, ok := p.(*call); ok {
				stop = "tool_use"
			}
		}
		t.wait(float64(tokens) / 75)
		u := usage
		m := &message{ID: id, Role: "assistant", Model: model, Stop: stop, Content: []block{b}, Usage: &u}
		if stop == nil {
			m.Stop = null{}
		}
		uuid := t.write(line{Type: "assistant", Request: request, Message: m})
		t.note(uuid, p, b, tokens)
		if c, ok := p.(*call); ok {
			c.id = b.ID
			calls = append(calls, c)
			if c.early {
				t.result(c)
			}
		}
	}
	for _, c := range calls {
		if !c.early {
			t.result(c)
		}
	}
	if len(calls) == 0 {
		t.endTurn()
	}
}

// null is a member that is there and says nothing.
type null struct{}

func (null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// usage is what the provider reports for the next request. What was sent before comes from its cache, unless that was too
// long ago or the beginning has changed.
func (t *transcript) usage() usages {
	p := t.prompt()
	if t.now-t.cachedAt > 300_000 {
		t.cached = 0
	}
	u := usages{Input: 3, Read: t.cached, Creation: p - 3 - t.cached}
	t.cached, t.cachedAt = p-3, t.now
	return u
}

// signature stands for the long encrypted text that a thinking block carries.
const signature = "EqMDCkYICxgCKkDw2c9mTollgateExample0000000000000000000000000000000000000000QhAB=="

// block makes a block of a part, and says how many tokens it costs.
func (t *transcript) block(p any) (block, int) {
	switch p := p.(type) {
	case think:
		return block{Type: "thinking", Thinking: new(string), Signature: signature}, t.hidden(p)
	case thought:
		text := string(p)
		return block{Type: "thinking", Thinking: &text, Signature: signature}, (units(text)*10 + 32) / 33
	case say:
		return block{Type: "text", Text: string(p)}, (units(string(p))*10 + 32) / 33
	case *call:
		t.calls++
		id := fmt.Sprintf("toolu_01TG%s%04d", t.agent, t.calls)
		return block{Type: "tool_use", ID: id, Name: p.name, Input: p.input}, (units(string(p.input))*10+32)/33 + 20
	}
	panic(fmt.Sprintf("a response has no %T", p))
}

func (t *transcript) hidden(p think) int { return int(float64(p) * t.scale) }

// note counts a block of the response as context of the next request.
func (t *transcript) note(uuid string, p any, b block, tokens int) {
	switch p := p.(type) {
	case think:
		t.add(uuid, "", 0, tokens)
	case thought:
		t.add(uuid, "", units(string(p)), 0)
	case say:
		t.add(uuid, "", units(string(p)), 0)
	case *call:
		t.add(uuid, "", units(b.Name)+units(string(b.Input)), 0)
	}
}

// endTurn is what the harness writes when the model has nothing more to do.
func (t *transcript) endTurn() {
	t.wait(0.2)
	t.write(line{Type: "system", Subtype: "turn_duration", Duration: t.now - t.begun, Meta: true})
}

// clear blanks the results of the oldest calls whose length is between two bounds, as a microcompaction does.
func (t *transcript) clear(count, least, most int) {
	var gone []string
	saved := 0
	for i := range t.context {
		if e := &t.context[i]; e.call != "" && e.units >= least && e.units <= most && len(gone) < count {
			gone, saved = append(gone, e.call), saved+e.units*10/33
			e.units = 0
		}
	}
	t.wait(0.01)
	t.write(line{Type: "system", Subtype: "microcompact_boundary", Content: "Context microcompacted", Level: "info",
		Micro: object{{"trigger", "auto"}, {"preTokens", saved * 2}, {"tokensSaved", saved}, {"compactedToolIds", gone}, {"clearedAttachmentUUIDs", []string{}}}})
	t.cached = t.prologue - 3
}

// compact is an automatic compaction: all but the last kept entries leave the context, and a summary comes in.
func (t *transcript) compact(summary string, kept int) {
	last, size := t.last, t.prompt()+410
	t.context = append([]entry(nil), t.context[len(t.context)-kept:]...)
	head, tail := t.context[0].uuid, t.context[len(t.context)-1].uuid
	t.wait(74)
	t.write(line{Type: "system", Subtype: "compact_boundary", Logical: last, Content: "Conversation compacted", Level: "info",
		Compact: object{{"trigger", "auto"}, {"preTokens", size}, {"durationMs", 73900}, {"preservedSegment", object{{"headUuid", head}, {"anchorUuid", last}, {"tailUuid", tail}}}}})
	t.add(t.write(line{Type: "user", Summary: true, Visible: true, Message: &message{Role: "user", Content: summary}}), "", units(summary), 0)
	t.cached, t.cachedAt = t.prologue-3, t.now
}

// report is what /context prints, in the layout of newer versions. It takes the figures that the harness knows.
func (t *transcript) report(rows ...row) {
	t.wait(40)
	command := "<command-name>/context</command-name>\n            <command-message>context</command-message>\n            <command-args></command-args>"
	t.add(t.write(line{Type: "user", Message: &message{Role: "user", Content: command}}), "", units(command), 0)
	var b strings.Builder
	used := t.prompt()
	fmt.Fprintf(&b, "<local-command-stdout>## Context Usage\n\n**Model:** %s\n**Tokens:** %s / 200k (%d%%)\n\n### Categories\n\n| Category | Tokens | Percentage |\n|----------|--------|------------|\n", model, thousands(used), used*100/200000)
	rest := used
	for _, r := range rows {
		rest -= r.tokens
		fmt.Fprintf(&b, "| %s | %s | %d.%d%% |\n", r.name, thousands(r.tokens), r.tokens*100/200000, r.tokens*1000/200000%10)
	}
	free := 200000 - used - 33000
	for _, r := range []row{{"Messages", rest}, {"Free space", free}, {"Autocompact buffer", 33000}} {
		fmt.Fprintf(&b, "| %s | %s | %d.%d%% |\n", r.name, thousands(r.tokens), r.tokens*100/200000, r.tokens*1000/200000%10)
	}
	b.WriteString("\n### Memory Files\n\n| Type | Path | Tokens |\n|------|------|--------|\n| Project | CLAUDE.md | 700 |\n</local-command-stdout>")
	t.wait(0.1)
	t.add(t.write(line{Type: "user", Message: &message{Role: "user", Content: b.String()}}), "", units(b.String()), 0)
}

type row struct {
	name   string
	tokens int
}

// thousands writes a number as the report does: with three digits at most.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d.%dk", n/1000, n/100%10)
}
