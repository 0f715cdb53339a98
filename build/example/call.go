package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// call is a tool call with the result that it will have.
type call struct {
	name    string
	input   json.RawMessage
	result  string
	seconds float64
	failed  bool
	early   bool   // its result stands before the next line of the response
	image   string // base64 of a picture in the result
	ui      any    // the interface's own copy of the result; that of a long text would only make the example longer
	hook    string // a hook that ran after it
	id      string
}

// together makes the result of a call stand before the next line of its response.
func together(c *call) *call {
	c.early = true
	return c
}

// imageTokens is what a picture costs, about.
const imageTokens = 1460

// result writes what a call returned, and what the harness noted while it ran.
func (t *transcript) result(c *call) {
	if c.seconds > 40 {
		t.wait(c.seconds / 2)
		t.write(line{Type: "progress", ToolUse: c.id, Data: c.progress()})
		c.seconds /= 2
	}
	t.wait(c.seconds)
	if c.hook != "" {
		t.write(line{Type: "progress", ToolUse: c.id, Data: object{{"type", "hook_progress"}, {"hookEvent", "PostToolUse"}, {"hookName", "PostToolUse:" + c.name}, {"command", c.hook}}})
		t.wait(0.05)
	}
	b := block{Type: "tool_result", Use: c.id, Content: c.result, Failed: c.failed}
	tokens := 0
	if c.image != "" {
		b.Content, tokens = []block{{Type: "image", Image: object{{"type", "base64"}, {"media_type", "image/png"}, {"data", c.image}}}}, imageTokens
	}
	uuid := t.write(line{Type: "user", Message: &message{Role: "user", Content: []block{b}}, Result: c.ui})
	t.add(uuid, c.id, units(c.result), tokens)
	t.wait(0.03)
}

// progress is what the interface showed half-way. That of a subagent repeats one of its messages, usage and all.
func (c *call) progress() object {
	if c.name == "Task" {
		return object{{"type", "agent_progress"}, {"message", object{{"type", "assistant"}, {"message", message{ID: "msg_01TG" + agentID + "0001",
			Role: "assistant", Model: model, Content: []block{{Type: "text", Text: "Looking for the places."}}, Usage: &usages{Input: 3, Creation: 12000, Output: 40}}}}}, {"prompt", ""}}
	}
	return object{{"type", "bash_progress"}, {"output", ""}, {"elapsedTimeSeconds", int(c.seconds / 2)}, {"totalLines", strings.Count(c.result, "\n") / 2}}
}

// read reads a file, or a range of its lines.
func (t *transcript) read(path string, lines ...int) *call {
	c := &call{name: "Read", seconds: 0.05}
	switch len(lines) {
	case 0:
		c.input, c.result = args("file_path", root+path), t.repo.lines(path, 0, 0)
	default:
		c.input, c.result = args("file_path", root+path, "offset", lines[0], "limit", lines[1]), t.repo.lines(path, lines[0]-1, lines[1])
	}
	return c
}

// bash runs a command.
func (t *transcript) bash(command, why string, seconds float64, output string) *call {
	c := &call{name: "Bash", input: args("command", command, "description", why), result: strings.TrimRight(output, "\n"), seconds: seconds}
	if len(output) < 700 {
		c.ui = object{{"stdout", c.result}, {"stderr", ""}, {"interrupted", false}, {"isImage", false}}
	}
	return c
}

// fails runs a command that ends with status 1.
func (t *transcript) fails(command, why string, seconds float64, output string) *call {
	c := t.bash(command, why, seconds, "Exit code 1\n"+output)
	c.failed = true
	c.ui = "Error: Exit code 1"
	return c
}

// grep searches the repository.
func (t *transcript) grep(text, folder string, limit int) *call {
	found := t.repo.grep(text, folder, limit)
	return &call{name: "Grep", input: args("pattern", text, "path", root+folder, "output_mode", "content", "-n", true), result: found, seconds: 0.2}
}

// edit changes one place of a file.
func (t *transcript) edit(path, old, with string) *call {
	t.repo.replace(path, old, with)
	return &call{name: "Edit", input: args("file_path", root+path, "old_string", old, "new_string", with, "replace_all", false), seconds: 0.1,
		result: fmt.Sprintf("The file %s has been updated successfully.", root+path)}
}

// create writes a new file.
func (t *transcript) create(path, text string) *call {
	t.repo[path] = text
	return &call{name: "Write", input: args("file_path", root+path, "content", text), seconds: 0.1,
		result: fmt.Sprintf("File created successfully at: %s", root+path), hook: "gofmt -l internal cmd",
		ui: object{{"type", "create"}, {"filePath", root + path}}}
}

// fetch reads a page of the web.
func (t *transcript) fetch(url, question, answer string) *call {
	return &call{name: "WebFetch", input: args("url", url, "prompt", question), result: answer, seconds: 6,
		ui: object{{"bytes", len(answer) * 3}, {"code", 200}, {"codeText", "OK"}, {"durationMs", 5800}, {"url", url}}}
}

// todo sets the list of what is to be done. An item that begins with x is done, with > in work.
func (t *transcript) todo(items ...string) *call {
	var list []object
	for _, i := range items {
		status := map[byte]string{'x': "completed", '>': "in_progress", '-': "pending"}[i[0]]
		list = append(list, object{{"content", i[2:]}, {"status", status}, {"activeForm", i[2:]}})
	}
	return &call{name: "TodoWrite", input: args("todos", list), seconds: 0.01,
		result: "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable"}
}

// task has a subagent do something. The subagent's own transcript gets the id.
func (t *transcript) task(kind, what, prompt, agent, answer string, seconds float64, tokens int) *call {
	return &call{name: "Task", input: args("description", what, "prompt", prompt, "subagent_type", kind), result: answer, seconds: seconds,
		ui: object{{"status", "completed"}, {"prompt", prompt}, {"agentId", agent}, {"totalDurationMs", int(seconds * 1000)}, {"totalTokens", tokens}, {"totalToolUseCount", 24}}}
}

// look reads a picture.
func (t *transcript) look(path string) *call {
	return &call{name: "Read", input: args("file_path", path), image: pixel, seconds: 0.1,
		ui: object{{"type", "image"}, {"file", object{{"type", "image/png"}, {"originalSize", 68}}}}}
}

// pixel is a picture of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
