package codex

import (
	"bytes"

	"contextscope/adapters/argument"
	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// items are the types of response item.
var items = map[string]bool{
	"message": true, "agent_message": true, "reasoning": true, "function_call": true, "function_call_output": true,
	"custom_tool_call": true, "custom_tool_call_output": true, "local_shell_call": true, "web_search_call": true,
	"image_generation_call": true, "tool_search_call": true, "tool_search_output": true, "compaction": true,
	"compaction_summary": true, "context_compaction": true, "configuration_update": true, "additional_tools": true,
	"ghost_snapshot": true, "tool_call": true, "tool_result": true, "function_result": true, "compaction_trigger": true,
}

// item is a response item while it is read: what goes to the model or comes from it.
type item struct {
	kind      string
	role      byte // 'u'ser, 'a'ssistant, 'd'eveloper, 's'ystem
	first     int  // index of its first text part, + 1
	texts     int
	units     int64 // arguments, input, output, action
	images    uint32
	call      journal.Ref
	name      journal.Ref
	detail    journal.Ref
	args      uint64 // hash of the arguments
	failed    bool   // the output says so
	encrypted bool
	tools     int64
	result    bool
}

// itemField reads a member of a response item.
func (d *decoder) itemField(it *item, k []byte) {
	s := d.s
	switch string(k) {
	case "role":
		if v, _ := s.Str(16); len(v) > 0 {
			it.role = v[0]
		}
	case "content":
		d.content(it)
	case "message":
		d.message(it)
	case "call_id":
		it.call = d.ref()
	case "name":
		it.name = d.ref()
	case "arguments", "input":
		d.arguments(it)
	case "action":
		units, hash := s.JSONHash()
		it.units, it.args = it.units+units, hash
	case "output", "result":
		n, images := d.result(it)
		it.units, it.images, it.result = it.units+n, it.images+images, true
	case "tools":
		it.tools = s.JSONUnits()
	case "function":
		d.function(it)
	case "encrypted_content":
		it.encrypted = s.Kind() == jsonl.String
		s.Skip()
	default:
		s.Skip()
	}
}

// content reads the texts of a message, each an item of its own: one message carries instructions, rules and the
// environment side by side.
func (d *decoder) content(it *item) {
	s := d.s
	if it.first == 0 {
		it.first = d.in.Parts.Len() + 1
	}
	switch s.Kind() {
	case jsonl.String:
		d.text(it)
	case jsonl.Array:
		for s.Array(); s.Elem(); {
			if !s.Object() {
				s.Skip()
				continue
			}
			for k := s.Key(); k != nil; k = s.Key() {
				switch string(k) {
				case "text":
					d.text(it)
				case "type":
					if v, _ := s.Str(24); string(v) == "input_image" {
						it.images++
					}
				default:
					s.Skip()
				}
			}
		}
	default:
		s.Skip()
	}
}

// maxText is how much of a text is decoded to tell what it is and what to call it.
const maxText = 4 << 10

// told reads a text and shows it to the collector of facts, unless it is a copy for the interface. It returns the beginning.
func (d *decoder) told(it *item) ([]byte, jsonl.Text) {
	if d.line.kind == "event_msg" {
		return d.s.Str(maxText)
	}
	head, t := d.s.Str(facts.Room())
	switch {
	case it.role == 'a' && !d.line.replaced:
		d.facts.Add(facts.Model, d.in.Parts.Len(), head, t.Units)
	default:
		d.facts.Add(facts.ByPart, d.in.Parts.Len(), request(head), t.Units)
	}
	return head[:min(len(head), maxText)], t
}

func (d *decoder) text(it *item) {
	if d.s.Kind() != jsonl.String {
		d.s.Skip()
		return
	}
	head, t := d.told(it)
	it.texts++
	c, label := fragment(head)
	p := journal.Part{Kind: journal.Item, Category: c, Units: journal.Units(t.Units)}
	if label != "" {
		p.Label = d.label(label)
	} else {
		p.Detail = d.in.Strings.Put(journal.TitleOf(request(head)))
	}
	d.part(p)
}

// request is what a person asked for in a prompt that an editor put its state in front of.
func request(head []byte) []byte {
	if !bytes.HasPrefix(head, []byte("# Context from my IDE setup")) {
		return head
	}
	_, rest, found := bytes.Cut(head, []byte("\n## My request for Codex:"))
	if !found {
		return head
	}
	return rest
}

// message is the text of a compaction's summary, or that of an old bare message.
func (d *decoder) message(it *item) {
	if d.s.Kind() != jsonl.String {
		d.s.Skip()
		return
	}
	if it.first == 0 {
		it.first = d.in.Parts.Len() + 1
	}
	d.text(it)
}

// fragments are the beginnings of texts that Codex puts into the conversation. Nobody typed them.
var fragments = []struct {
	begin    string
	category journal.Category
	label    string
}{
	{"# AGENTS.md instructions", journal.Rules, "AGENTS.md"},
	{"<user_instructions>", journal.Rules, "AGENTS.md"},
	{"<environment_context>", journal.Environment, "Environment"},
	{"<environments>", journal.Environment, "Environment"},
	{"<permissions", journal.System, "Permissions"},
	{"<collaboration_mode>", journal.System, "Collaboration mode"},
	{"<personality", journal.System, "Personality"},
	{"<skills_instructions>", journal.Skills, "Skills"},
	{"<skill>", journal.Skills, "Skill"},
	{"<apps_instructions>", journal.Tools, "Apps"},
	{"<plugins_instructions>", journal.Tools, "Plugins"},
	{"<recommended_plugins>", journal.Tools, "Plugins"},
	{"<multi_agent", journal.Tools, "Agents"},
	{"<memor", journal.Rules, "Memory"},
	{"<user_shell_command>", journal.Environment, "Shell command"},
	{"<turn_aborted>", journal.Overhead, "Interruption"},
	{"<model_switch>", journal.Overhead, "Model switch"},
	{"<subagent_notification>", journal.Results, "Subagent"},
	{"<codex_internal_context", journal.Overhead, "Codex"},
	{"<hook_prompt", journal.Overhead, "Hook"},
}

// fragment tells what a text is by its beginning; NoCategory for what a person or a model wrote.
func fragment(head []byte) (journal.Category, string) {
	head = bytes.TrimLeft(head, " \n\r\t")
	for _, f := range fragments {
		if bytes.HasPrefix(head, []byte(f.begin)) {
			return f.category, f.label
		}
	}
	return journal.NoCategory, ""
}

// arguments measures the arguments of a call, a string as a rule, and finds what to call it by.
func (d *decoder) arguments(it *item) {
	s := d.s
	if s.Kind() != jsonl.String {
		units, hash := s.JSONHash()
		it.units, it.args = it.units+units, hash
		return
	}
	limit := 8 << 10
	if d.in.Strings.Is(it.name, "apply_patch") {
		limit = 64 << 10 // its files stand between its lines
	}
	head, t, hash := s.StrHash(limit)
	if int(t.Bytes) == len(head) {
		if inner, ok := jsonl.HashOf(head); ok {
			hash = inner // whatever white space the model wrote
		}
	}
	if d.in.Strings.Is(it.name, "update_plan") {
		d.plan(head)
	}
	if files := patched(head); files != nil {
		head = files
	} else {
		head = detail(head[:min(len(head), 2<<10)])
	}
	it.units, it.args = it.units+t.Units, hash
	it.detail = d.in.Strings.Put(head)
}

// plan reads the to-do list that the arguments of a call hold.
func (d *decoder) plan(args []byte) {
	if v := jsonl.Get(args, "plan"); v != nil {
		s := jsonl.NewScanner(bytes.NewReader(v), len(v))
		if s.Next() {
			d.facts.Todos(s)
		}
	}
}

// patched lists the files of a patch, as many as a label has room for; nil for anything else.
func patched(args []byte) []byte {
	if !bytes.HasPrefix(args, []byte("*** Begin Patch")) {
		return nil
	}
	files := []byte{}
	for line := range bytes.SplitSeq(args, []byte{'\n'}) {
		_, path, ok := bytes.Cut(line, []byte(" File: "))
		if !ok || !bytes.HasPrefix(line, []byte("*** ")) {
			continue
		}
		path = bytes.TrimSuffix(path, []byte{'\r'})
		if len(files)+len(path)+len(", …") > argument.Limit {
			return append(files, ", …"...)
		}
		if len(files) > 0 {
			files = append(files, ", "...)
		}
		files = append(files, path...)
	}
	return files
}

// detail picks the command, path or query out of a call's arguments.
func detail(args []byte) []byte {
	if len(args) == 0 || args[0] != '{' {
		return nil
	}
	for _, name := range []string{"cmd", "command", "path", "file_path", "query", "pattern", "url", "message", "explanation"} {
		v := jsonl.Get(args, name)
		if v == nil {
			continue
		}
		s := jsonl.NewScanner(bytes.NewReader(v), 4096)
		s.Next()
		if s.Array() { // ["bash", "-lc", "the command"], or the words of one
			v = nil
			for s.Elem() {
				head, _ := s.Str(512)
				if bytes.HasPrefix(head, []byte("-")) && bytes.HasSuffix(head, []byte("c")) && !bytes.ContainsRune(v, ' ') {
					v = nil
					continue
				}
				if v != nil {
					v = append(v, ' ')
				}
				v = append(v, head...)
			}
		} else {
			head, _ := s.Str(512)
			v = head
		}
		if v = argument.FirstLine(v, argument.Limit); len(v) > 0 {
			return v
		}
	}
	return nil
}

// function is the nested name of a very old call.
func (d *decoder) function(it *item) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "name" {
			it.name = d.ref()
		} else {
			s.Skip()
		}
	}
}

// result measures what a tool returned, and finds out whether it failed: the text says so at its beginning, or where the command's
// whole output came first, in the exit code at the end of what is JSON in a string.
func (d *decoder) result(it *item) (n int64, images uint32) {
	s := d.s
	if s.Kind() != jsonl.String {
		return d.output(0)
	}
	head, t := s.Str(maxText)
	it.failed = failed(head, int(t.Bytes) == len(head))
	return t.Units, 0
}

// failures are the beginnings of outputs that say that a call failed.
var failures = []string{"apply_patch verification failed", "exec_command failed", "exec command rejected", "aborted by user", "failed to parse function arguments",
	"unsupported call", "execution error", "failed in sandbox"}

// failed reads an output's own words.
func failed(head []byte, whole bool) bool {
	for _, f := range failures {
		if bytes.HasPrefix(head, []byte(f)) {
			return true
		}
	}
	if len(head) > 0 && head[0] == '{' {
		if whole {
			return nonzero(jsonl.Get(head, "metadata", "exit_code"))
		}
		return false
	}
	for line := range bytes.Lines(head[:min(len(head), 256)]) {
		for _, before := range []string{"Exit code: ", "Process exited with code "} {
			if code, ok := bytes.CutPrefix(line, []byte(before)); ok {
				return nonzero(code)
			}
		}
		if bytes.HasPrefix(line, []byte("Output:")) {
			return false
		}
	}
	return false
}

func nonzero(code []byte) bool {
	return len(code) > 0 && (code[0] == '-' || code[0] >= '1' && code[0] <= '9')
}

// output measures what a tool returned: a string, or a list of texts and images.
func (d *decoder) output(depth int) (n int64, images uint32) {
	s := d.s
	switch kind := s.Kind(); {
	case kind == jsonl.String:
		return s.Text().Units, 0
	case kind == jsonl.Array && depth < 8:
		for s.Array(); s.Elem(); {
			m, i := d.output(depth + 1)
			n, images = n+m, images+i
		}
		return n, images
	case kind == jsonl.Object && depth < 8:
		s.Object()
		for k := s.Key(); k != nil; k = s.Key() {
			switch string(k) {
			case "type":
				if v, _ := s.Str(24); string(v) == "input_image" {
					images++
				}
			case "image_url", "data", "file_data", "encrypted_content", "detail":
				s.Skip()
			default:
				m, i := d.output(depth + 1)
				n, images = n+m, images+i
			}
		}
		return n, images
	}
	s.Skip()
	return 0, 0
}

// replacement reads the history that stands in place of everything before.
func (d *decoder) replacement() {
	s := d.s
	if !s.Array() {
		s.Skip()
		return
	}
	d.line.replaced = true
	for s.Elem() {
		if !s.Object() {
			s.Skip()
			continue
		}
		var it item
		start := d.in.Parts.Len()
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "type" {
				it.kind = d.name()
			} else {
				d.itemField(&it, k)
			}
		}
		if !d.emit(&it) {
			d.in.Parts.Truncate(start)
		}
	}
}
