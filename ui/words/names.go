package words

import (
	"slices"

	"contextscope/core/journal"
)

// Category names a category. One that nobody knows appears under its own key.
func Category(key string) string { return Plain(journal.CategoryName(key), 48) }

// Class is the style class that colours a category: "c-results"; unknown ones share "c-other", so that nothing that a
// journal holds becomes a class of its own.
func Class(key string) string {
	if journal.CategoryNamed(key) == journal.NoCategory {
		return "c-other"
	}
	return "c-" + key
}

// Boundary names what happened at a boundary.
func Boundary(kind string) string {
	switch kind {
	case "compaction":
		return "Compaction"
	case "clear":
		return "Cleared"
	case "rewind":
		return "Rewound"
	case "model-switch":
		return "Model changed"
	case "context-edit":
		return "Tool results cleared"
	case "unexplained-drop":
		return "Unexplained drop"
	}
	return Plain(kind, 32)
}

// BoundaryBy names a boundary with what is known of it. A level that falls in steps looks like results that were cleared one by
// one; nothing says that they were.
func BoundaryBy(kind string, evidence []string) string {
	if kind == "context-edit" && slices.Contains(evidence, "stepwise") {
		return "Shrank in steps"
	}
	return Boundary(kind)
}

// Trigger says what set a compaction off, "" where the journal does not.
func Trigger(trigger string) string {
	switch trigger {
	case "auto":
		return "automatic"
	case "manual":
		return "asked for by the person"
	}
	return Plain(trigger, 32)
}

// Evidence says how we know of a boundary.
func Evidence(key string) string {
	switch key {
	case "boundary-record":
		return "recorded by the harness"
	case "usage-drop":
		return "seen as a usage drop"
	case "stepwise":
		return "over several requests"
	}
	return Plain(key, 48)
}

// WindowSource says where the size of a window comes from.
func WindowSource(key string) string {
	switch key {
	case "choice":
		return "your choice"
	case "journal":
		return "from the journal"
	case "observed":
		return "from observed use"
	case "model-table":
		return "from the model table"
	}
	return Plain(key, 32)
}

// Basis says how the tokens of a breakdown were counted.
func Basis(key string) string {
	switch key {
	case "native-summary":
		return "the harness’s own figures"
	case "native-bytes/4":
		return "bytes of the request’s text ÷ 4"
	case "chars/4":
		return "characters of text ÷ 4"
	}
	return Plain(key, 48)
}

// Stage says at which moment a sample was taken and what that proves.
func Stage(key string) string {
	switch key {
	case "request-input":
		return "the input of the request itself was recorded"
	case "capture-start":
		return "the first measured record of the journal"
	case "transcript-observed":
		return "rebuilt from the transcript; the real request may differ"
	case "post-compaction":
		return "what a compaction left behind"
	}
	return ""
}

// Coverage says how much of the context a breakdown can cover.
func Coverage(key string) string {
	switch key {
	case "complete":
		return "everything in the context is attributed"
	case "partial":
		return "some of the context leaves no trace in the journal"
	}
	return ""
}

// Change names the kind of a change.
func Change(kind string) string {
	switch kind {
	case "baseline":
		return "baseline"
	case "added":
		return "added"
	case "replaced":
		return "replaced"
	case "removed":
		return "removed"
	}
	return Plain(kind, 24)
}
