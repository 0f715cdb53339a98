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
