package ui

import "contextscope/ui/words"

// openable lists what this version can open, and where each harness keeps it. A harness that is added here appears on
// the first view and in the words of every refusal.
var openable = []harness{
	{
		Key: "claude-code", Name: "Claude Code",
		Files: "session journals, <session>.jsonl, with their subagents",
		Places: []place{
			{"Linux", "~/.claude/projects"},
			{"macOS", "~/.claude/projects"},
			{"Windows", `%USERPROFILE%\.claude\projects`},
		},
		Note: "CLAUDE_CONFIG_DIR moves the folder. Claude Code deletes journals after 30 days unless cleanupPeriodDays says otherwise.",
	},
	{
		Key: "codex", Name: "Codex",
		Files: "rollouts, rollout-<time>-<id>.jsonl",
		Places: []place{
			{"Linux", "~/.codex/sessions"},
			{"macOS", "~/.codex/sessions"},
			{"Windows", `%USERPROFILE%\.codex\sessions`},
		},
		Note: "CODEX_HOME moves the folder. Archived sessions are beside it, in archived_sessions.",
	},
	{
		Key: "pi", Name: "Pi",
		Files: "session files, <time>_<id>.jsonl, with all their branches",
		Places: []place{
			{"Linux", "~/.pi/agent/sessions"},
			{"macOS", "~/.pi/agent/sessions"},
			{"Windows", `%USERPROFILE%\.pi\agent\sessions`},
		},
	},
	{
		Key: "muse", Name: "Muse",
		Files: "session.jsonl with the folder subagent beside it, and what muse export writes",
		Places: []place{
			{"Linux", "~/.local/share/muse/sessions"},
			{"macOS", "~/.local/share/muse/sessions"},
		},
		Note: "XDG_DATA_HOME moves the folder.",
	},
	{
		Key: "agent-strace", Name: "agent-strace",
		Files: "folders with events.ndjson and meta.json",
		Places: []place{
			{"Any", ".agent-traces"},
		},
		Note: "The folder lies in the project that was traced.",
	},
	{
		Key: "agent-profiler", Name: "Agent Profiler",
		Files: "traces, <name>.pftrace, and the recorder's own folders <name>.pftrace.capture",
		Note:  "Traces lie where you had them written. They open in Perfetto as well.",
	},
}

type harness struct {
	Key, Name, Files, Note string
	Places                 []place
}

type place struct{ System, Path string }

// hidden says how to reach a hidden folder in a system's own dialog.
var hidden = []struct{ System, Keys, How string }{
	{"Linux", "Ctrl+H", "shows hidden folders; Ctrl+L takes a pasted path"},
	{"macOS", "Cmd+Shift+.", "shows hidden folders; Cmd+Shift+G takes a pasted path"},
	{"Windows", "Alt+D", "goes to the address bar, which takes a pasted path"},
}

// formatName names the program that wrote a journal by the key of its format.
func formatName(key string) string {
	for _, h := range openable {
		if h.Key == key {
			return h.Name
		}
	}
	if key == "" {
		return "Not recognised"
	}
	return words.Plain(key, 32)
}

// formatClass keeps a key of a journal out of class names unless it is one that the style sheet knows.
func formatClass(key string) string {
	for _, h := range openable {
		if h.Key == key {
			return "badge h-" + key
		}
	}
	return "badge"
}

// openableNames is the list in a sentence: "Claude Code and Codex".
func openableNames() string {
	text := ""
	for i, h := range openable {
		switch {
		case i == 0:
		case i == len(openable)-1:
			text += " and "
		default:
			text += ", "
		}
		text += h.Name
	}
	return text
}

// copyKey names a copy button, so that the one that was pressed last can say so.
func copyKey(harness, place int) string {
	return openable[harness].Name + openable[harness].Places[place].System
}

func (c *Welcome) copyPlace(harness, place int) {
	c.State.copy(copyKey(harness, place), openable[harness].Places[place].Path)
}

func (c *Welcome) copyText(harness, place int) string {
	if c.State.copied == copyKey(harness, place) {
		return "Copied"
	}
	return "Copy"
}

func (c *Welcome) copyLabel(harness, place int) string {
	return c.copyText(harness, place) + ": the folder of " + openable[harness].Name + " on " + openable[harness].Places[place].System
}
