package journal

import "strings"

// Category is what a part of the context is for. The zero value stands for no category.
type Category uint8

// The categories of snapshot schema version 1, in stacking order.
const (
	NoCategory Category = iota
	System
	Tools
	Rules
	Skills
	Environment
	Summaries
	Prompts
	Assistant
	Results
	Overhead
	Messages
	Unattributed
	numCategories
)

var categoryKeys = [numCategories]string{
	System: "system", Tools: "tools", Rules: "rules", Skills: "skills", Environment: "environment",
	Summaries: "summaries", Prompts: "prompts", Assistant: "assistant", Results: "results", Overhead: "overhead",
	Messages: "messages", Unattributed: "unattributed",
}

var categoryNames = [numCategories]string{
	System: "System instructions", Tools: "Tool definitions", Rules: "Rules and memory", Skills: "Skills",
	Environment: "Environment", Summaries: "Compaction summaries", Prompts: "User prompts",
	Assistant: "Assistant history", Results: "Tool results", Overhead: "Harness overhead", Messages: "Conversation",
	Unattributed: "Unattributed",
}

// NumCategories is how many there are, NoCategory included: the size of an array indexed by Category.
const NumCategories = int(numCategories)

// Key is the category's name in the snapshot schema.
func (c Category) Key() string { return categoryKeys[c] }

// Name is what a person reads.
func (c Category) Name() string { return categoryNames[c] }

// CategoryNamed finds a category by its key; a key of some later schema is not ours and gives NoCategory.
func CategoryNamed(key string) Category {
	for c := System; c < numCategories; c++ {
		if categoryKeys[c] == key {
			return c
		}
	}
	return NoCategory
}

// CategoryName is the display name of a key; an unknown key is shown as it is.
func CategoryName(key string) string {
	if c := CategoryNamed(key); c != NoCategory {
		return c.Name()
	}
	return key
}

// SectionCategory puts a named section of a system prompt, or a row of a harness's own report, into a category by the
// words in its name. The first rule that fits wins, so "AGENTS.md" is rules although it has "agent" in it, and
// "last_update" is environment because it contains "date". (Agent Profiler, schema 1.)
func SectionCategory(name string) Category {
	n := strings.ToLower(name)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(n, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("rule", "memory"), gapped(n, "claude", "md"), gapped(n, "agents", "md"), gapped(n, "instruction", "file"):
		return Rules
	case has("skill"):
		return Skills
	case has("environment", "date", "workspace"), gapped(n, "session", "info"), has("project", "email"):
		return Environment
	case has("reminder", "wrapper"):
		return Overhead
	case has("tool", "agent", "command"):
		return Tools
	}
	return System
}

// gapped reports whether a is followed by b with at most one character between them.
func gapped(s, a, b string) bool {
	for {
		i := strings.Index(s, a)
		if i < 0 {
			return false
		}
		s = s[i+len(a):]
		if strings.HasPrefix(s, b) {
			return true
		}
		for j := range s { // the second rune's start, if there is one
			if j > 0 {
				if strings.HasPrefix(s[j:], b) {
					return true
				}
				break
			}
		}
	}
}
