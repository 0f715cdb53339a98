package action

import (
	"slices"
	"strings"
)

// Acts yields all that a call does, where Classify tells the one thing that counts most: every file that it reads or writes, and
// the command that it runs. Paths are as they stand there, those of a command behind a change of folder joined with it. A file that is
// named only by a pattern, or whose name is cut off, is not told.
func Acts(name, detail string, yield func(Kind, string)) {
	t, ok := tools[plain(name)]
	if !ok || detail == "" {
		return
	}
	switch t.detail {
	case "command":
		if line := strings.TrimSpace(detail); line != "" && line[0] != '#' {
			yield(Run, detail)
		}
		commandActs(detail, 0, yield)
	case "path":
		if path := whole(detail); path != "" && t.kind != Other {
			yield(t.kind, path)
		}
	case "patch":
		for path := range strings.SplitSeq(strings.TrimSuffix(detail, ", …"), ", ") {
			if path = patched(path); path != "" {
				yield(t.kind, path)
			}
		}
	}
}

// commandActs yields the files of each command of a line.
func commandActs(line string, depth int, yield func(Kind, string)) {
	cut := strings.HasSuffix(line, "…") || len(line) >= cutAt
	folder := ""
	words := split(line)
	for len(words) > 0 {
		n := slices.IndexFunc(words, func(w word) bool { return w.operator })
		simple := words
		if n >= 0 {
			simple, words = words[:n], words[n+1:]
		} else {
			words = nil
		}
		last := len(words) == 0
		simpleActs(simple, depth, func(k Kind, path string) {
			switch {
			case k == change:
				folder = Join(folder, path)
			case cut && last && len(simple) > 0 && simple[len(simple)-1].text == path:
			default:
				yield(k, inFolder(folder, path))
			}
		})
	}
}

// simpleActs yields the files that one program with its arguments reads or writes, and the folder that it goes to.
func simpleActs(words []word, depth int, yield func(Kind, string)) {
	args, into := redirected(words)
	for _, file := range into {
		if named(file) {
			yield(Write, file)
		}
	}
	name, args := program(args)
	if line, ok := inShell(name, args, depth); ok {
		commandActs(line, depth+1, yield)
		return
	}
	c := commandFor(name, args)
	if c == nil || c.kind != Read && c.kind != Write && c.kind != change {
		return
	}
	for _, file := range c.files(args) {
		if named(file) {
			yield(c.kind, file)
		}
	}
}

// named tells a file's name from a pattern, a number and other things that stand where a file may.
func named(file string) bool {
	return file != "" && !strings.ContainsAny(file, "*?$`(){}<>'\"") && strings.Trim(file, "0123456789+,-") != "" && !strings.HasSuffix(file, "…")
}

// files are the arguments that name files.
func (c *command) files(args []string) []string {
	if c.operand == "all" {
		return c.operands(args)
	}
	if file := c.file(args); file != "" {
		return []string{file}
	}
	return nil
}
