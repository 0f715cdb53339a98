// Package action tells what a tool call does: whether it reads a file or writes one, looks around, runs a command or only
// waits, and which file it is about.
//
// In come the name of a tool and the one argument that a call is called by, as journals have them: a path, the first line
// of a command, a pattern. Out comes a Kind and a path, both by two tables (tools.tsv, commands.tsv). A shell's command
// line is looked into, because agents read and search with cat, sed and rg as much as with tools of their own. What neither
// table knows is Other for a tool and Run for a command: nothing is guessed.
package action

import (
	_ "embed"
	"strings"

	"contextscope/core/table"
)

// Kind is what a call does.
type Kind uint8

// The kinds.
const (
	Other   Kind = iota
	Read         // of a file
	Write        // of a file: making, changing, moving, deleting it
	Explore      // where things are: listings and searches
	Run          // a command that is none of these
	Wait         // for something that runs already; made again and again by nature
	change       // to another folder
	pass         // nothing by itself
)

// String is the name of a kind as tables and documents have it.
func (k Kind) String() string {
	return [...]string{"other", "read", "write", "explore", "run", "wait", "change", "pass"}[k]
}

//go:embed tools.tsv
var toolsTSV string

//go:embed commands.tsv
var commandsTSV string

type tool struct {
	kind   Kind
	detail string
}

type command struct {
	with    string
	kind    Kind
	operand string
	values  []string
}

var (
	tools    = parseTools(toolsTSV)
	commands = parseCommands(commandsTSV)
)

// Classify tells what a call does and the path that it is about, as it stands there; "" where there is none.
func Classify(name, detail string) (Kind, string) {
	t, ok := tools[plain(name)]
	if !ok {
		return Other, ""
	}
	switch t.detail {
	case "command":
		return Command(detail)
	case "path":
		return t.kind, whole(detail)
	case "patch":
		return t.kind, patched(detail)
	}
	return t.kind, ""
}

// plain is a tool's name as the table has it.
func plain(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	b := make([]byte, 0, 64)
	for i := 0; i < len(name) && len(b) < 64; i++ {
		switch c := name[i]; {
		case c == '_' || c == '-' || c == ' ':
		case 'A' <= c && c <= 'Z':
			b = append(b, c|0x20)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// whole is a path that was not cut off. Journals keep about 160 bytes of an argument.
func whole(path string) string {
	if strings.HasSuffix(path, "…") || len(path) >= cutAt {
		return ""
	}
	return strings.TrimPrefix(path, "file://")
}

// cutAt is the length from which on an argument may be cut off.
const cutAt = 157

// patched is the file that a patch begins with: its path, or the patch's own first line.
func patched(detail string) string {
	if strings.HasPrefix(detail, "*** Begin Patch") {
		return ""
	}
	for _, head := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
		detail = strings.TrimPrefix(detail, head)
	}
	first, _, _ := strings.Cut(detail, ", ") // of several
	return whole(first)
}

// rows are those of a table in which a dash stands for nothing.
func rows(name, text string, columns int) [][]string {
	all := table.Rows(name, text, columns)
	for _, f := range all {
		for i := range f {
			if f[i] == "-" {
				f[i] = ""
			}
		}
	}
	return all
}

func kindNamed(name string) Kind {
	for k := Other; k <= pass; k++ {
		if k.String() == name {
			return k
		}
	}
	panic("action: no kind is named " + name)
}

func parseTools(tsv string) map[string]tool {
	out := map[string]tool{}
	for _, f := range rows("tools.tsv", tsv, 3) {
		out[f[0]] = tool{kindNamed(f[1]), f[2]}
	}
	return out
}

func parseCommands(tsv string) map[string][]command {
	out := map[string][]command{}
	for _, f := range rows("commands.tsv", tsv, 5) {
		c := command{with: f[1], kind: kindNamed(f[2]), operand: f[3]}
		if f[4] != "" {
			c.values = strings.Split(f[4], ",")
		}
		out[f[0]] = append(out[f[0]], c)
	}
	return out
}
