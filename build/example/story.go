package main

import "strings"

const (
	session   = "make-the-limiter-survive"
	agentID   = "a3f1c7d20b4e"
	taskTitle = "Explore: where are limits enforced?"
)

// story is the long session and its subagent's.
func story() (main, helper *transcript) {
	m := newMaker(2)
	t := &transcript{repo: newRepo(), id: session, prologue: 18000, now: 1783332131_000, scale: 2.15} // 6 July 2026, 10:02:11
	t.state(object{{"type", "mode"}, {"mode", "normal"}, {"sessionId", session}})
	t.greet()
	t.state(object{{"type", "file-history-snapshot"}, {"messageId", t.last}, {"snapshot", object{{"messageId", t.last}, {"trackedFileBackups", object{}}, {"timestamp", stamp(t.now)}}}, {"isSnapshotUpdate", false}})
	t.understand(m)
	t.state(object{{"type", "ai-title"}, {"aiTitle", "Make the rate limiter survive a restart"}, {"sessionId", session}})
	t.decide(m)
	helper = t.restore(m)
	t.scale = 2.66
	t.resume(m)
	t.finish(m)
	t.state(object{{"type", "last-prompt"}, {"lastPrompt", "Good. Commit it."}, {"sessionId", session}})
	return t, helper
}

// greet is what the harness puts in before the first prompt.
func (t *transcript) greet() {
	hook := object{{"type", "hook_success"}, {"hookName", "SessionStart:startup"}, {"hookEvent", "SessionStart"}, {"content", ""}, {"stdout", "go 1.26, embercache fake ready"}, {"exitCode", 0}}
	t.write(line{Type: "attachment", Attached: hook})
	env := "Working directory: /src/tollgate\nIs directory a git repo: Yes\nPlatform: linux\nShell: bash\nModel: claude-opus-4-6\nGit branch: limiter-restart\nRecent commits:\n  9c1e02a gateway: round Retry-After up\n  51d7be4 limiter: shard the buckets\n  e0aa913 config: name the key in every error"
	t.attach("environment", units(env), field{"environment", env})
	t.attach("date", units("2026-07-06"), field{"date", "2026-07-06"})
	t.tools()
	t.skills()
	t.memory()
	reminder := "You have used 22% of the context window. Answer and act economically: do not repeat tool calls whose result is in the conversation."
	t.attach("total_tokens_reminder", units(reminder), field{"text", reminder})
}

func (t *transcript) skills() {
	list := strings.Join([]string{
		"- release-notes: Writes an entry for the changelog from the commits since the last tag. Use when a person asks for release notes or says that a change is done.",
		"- incident-review: Reads the timeline of an incident and writes a review without blame. Use for a file in docs/incidents.",
		"- load-test: Runs the recorded hour against a local gateway and compares p50 and p99 with the last run. Use before and after a change of the request path.",
		"- decision-record: Writes down a decision with its options and their costs. Use when a choice changes what a client can observe.",
		"- dependency-check: Says what a new dependency brings along and what it would replace. Use before go get.",
		"- config-migration: Moves a key of the configuration and keeps the old name for two releases. Use when a public key has to change.",
	}, "\n")
	list = "The following skills are available for use with the Skill tool:\n\n" + list
	t.attach("skill_listing", units(list), field{"content", list}, field{"names", []string{"release-notes", "incident-review", "load-test", "decision-record", "dependency-check", "config-migration"}}, field{"skillCount", 6}, field{"isInitial", true})
}

func (t *transcript) memory() {
	text := part("CLAUDE.md")
	t.attach("nested_memory", units(text)+units("CLAUDE.md"), field{"path", root + "CLAUDE.md"}, field{"displayPath", "CLAUDE.md"},
		field{"content", object{{"type", "Project"}, {"path", root + "CLAUDE.md"}, {"content", text}}})
}

func (t *transcript) tools() {
	lines := []string{
		"NotebookEdit: replaces a cell of a notebook",
		"mcp__tracker__get_issue: reads an issue with its comments",
		"mcp__tracker__list_issues: lists issues by label and state",
		"mcp__tracker__add_comment: adds a comment to an issue",
		"mcp__metrics__query: runs a query over a range of time",
		"mcp__metrics__render_panel: draws a panel of a dashboard as a picture",
		"WebSearch: searches the web",
	}
	names, told := []string{}, 0
	for _, l := range lines {
		name, _, _ := strings.Cut(l, ":")
		names, told = append(names, name), told+units(l)
	}
	t.attach("deferred_tools_delta", told, field{"addedNames", names}, field{"addedLines", lines}, field{"removedNames", []string{}})
}
