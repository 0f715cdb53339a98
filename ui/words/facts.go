package words

// FactKind names a kind of fact.
func FactKind(key string) string {
	if n, ok := factKinds[key]; ok {
		return n[0]
	}
	return Plain(key, 32)
}

// FactKinds names several facts of a kind.
func FactKinds(key string) string {
	if n, ok := factKinds[key]; ok {
		return n[1]
	}
	return Plain(key, 32)
}

var factKinds = map[string][2]string{
	"task-goal": {"Task goal", "Task goals"}, "constraint": {"Constraint", "Constraints"}, "decision": {"Decision", "Decisions"},
	"file-read": {"File read", "Files read"}, "file-modified": {"File modified", "Files modified"}, "command": {"Command", "Commands"},
	"error": {"Error", "Errors"}, "todo": {"To-do", "To-dos"},
}

// Status says what became of a fact.
func Status(key string) string {
	switch key {
	case "kept-verbatim":
		return "kept verbatim"
	case "in-summary":
		return "in summary"
	case "re-injected":
		return "re-injected"
	case "not-found":
		return "not found"
	}
	return Plain(key, 24)
}

// Measure names a measure of behaviour, or the findings of a lint rule.
func Measure(key string, rule bool) string {
	if rule {
		return Plain(key, 48) + " findings"
	}
	switch key {
	case "rereads":
		return "files read again for no visible reason"
	case "redundant-reads":
		return "files read three times or more"
	case "exploration":
		return "listings and searches"
	case "repeated-exploration":
		return "the same listing or search again"
	case "failures":
		return "failed calls"
	case "repeated-failures":
		return "the same call failing again"
	case "until-edit":
		return "calls until the first edit"
	}
	return Plain(key, 48)
}

// Reread says why a file was read again.
func Reread(why string) string {
	switch why {
	case "before-edit":
		return "right before an edit"
	case "changed":
		return "it had been changed"
	case "for-nothing":
		return "nothing shows why"
	}
	return Plain(why, 24)
}
