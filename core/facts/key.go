package facts

import (
	"strings"

	"contextscope/core/journal"
)

// Key is what a fact is told apart by from others of its kind: a clean path, or the words without case and the punctuation
// at the end.
func Key(kind journal.FactKind, text string) string {
	if kind == journal.FileRead || kind == journal.FileModified {
		return cleanPath(text)
	}
	return strings.TrimRight(fold(text), ".!?;, ")
}

// Reads reports whether a tool does nothing but read a file.
func Reads(tool string) bool { return classes[strings.ToLower(tool)] == "read" }
