package action

import (
	"slices"
	"strings"
)

// Command tells what a command line does. Of several commands in it one that writes counts most, then one that is none of
// those that only look; else the first one counts, and its file. What stands behind a pipe only shows less of what came
// before it.
func Command(line string) (Kind, string) {
	return commandLine(line, 0)
}

func commandLine(line string, depth int) (Kind, string) {
	cut := strings.HasSuffix(line, "…") || len(line) >= cutAt
	var kind Kind
	var path, folder string
	found := false
	words := split(line)
	for len(words) > 0 {
		n := slices.IndexFunc(words, func(w word) bool { return w.operator })
		simple, rest, operator := words, []word(nil), ""
		if n >= 0 {
			simple, rest, operator = words[:n], words[n+1:], words[n].text
		}
		k, p := simpleCommand(simple, depth)
		if cut && len(rest) == 0 && p != "" && len(simple) > 0 && simple[len(simple)-1].text == p {
			p = "" // the end of the line is not there, and perhaps that of the path
		}
		switch {
		case k == change:
			folder = Join(folder, p)
		case k == pass:
		case !found:
			kind, path, found = k, inFolder(folder, p), true
		case k == Write && kind != Write, k == Run && kind != Write && kind != Run:
			kind, path = k, inFolder(folder, p)
		}
		for operator == "|" && len(rest) > 0 { // filters, unless one writes
			if n = slices.IndexFunc(rest, func(w word) bool { return w.operator }); n < 0 {
				n = len(rest)
			}
			if k, p := simpleCommand(rest[:n], depth); k == Write {
				kind, path, found = k, inFolder(folder, p), true
			}
			operator = ""
			if n < len(rest) {
				operator = rest[n].text
				n++
			}
			rest = rest[n:]
		}
		words = rest
	}
	if !found {
		return Run, ""
	}
	return kind, path
}

func inFolder(folder, path string) string {
	if path == "" || folder == "" {
		return path
	}
	return Join(folder, path)
}

// simpleCommand tells what one program with its arguments does.
func simpleCommand(words []word, depth int) (Kind, string) {
	args, into := redirected(words)
	if len(into) > 0 {
		return Write, into[0]
	}
	name, args := program(args)
	if name == "" {
		return pass, ""
	}
	if line, ok := inShell(name, args, depth); ok {
		return commandLine(line, depth+1)
	}
	if c := commandFor(name, args); c != nil {
		return c.kind, c.file(args)
	}
	return Run, ""
}

// redirected takes the redirections out of the words of a command; into are the files that its output goes to.
func redirected(words []word) (args, into []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.redirect == "" {
			args = append(args, w.text)
			continue
		}
		if i+1 < len(words) {
			i++
			if file := words[i].text; w.redirect == ">" && file != "/dev/null" && !strings.HasPrefix(file, "&") {
				into = append(into, file)
			}
		}
	}
	return args, into
}

// inShell is the command line that a shell is called with, as far as shells in shells are followed.
func inShell(name string, args []string, depth int) (line string, ok bool) {
	if !shells[name] || depth >= 3 {
		return "", false
	}
	for i, a := range args {
		if strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") && i+1 < len(args) {
			return args[i+1], true
		}
	}
	return "", false
}

// program tells a program from its arguments, without what runs it and the variables set for it.
func program(args []string) (name string, rest []string) {
	for len(args) > 0 && (wrappers[args[0]] || strings.Contains(args[0], "=") && !strings.HasPrefix(args[0], "-")) {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", nil
	}
	return args[0][strings.LastIndexAny(args[0], `/\`)+1:], args[1:]
}

// commandFor is the first row of the table that fits, nil for none.
func commandFor(name string, args []string) *command {
	list := commands[strings.ToLower(name)]
	for i := range list {
		if c := &list[i]; c.with == "" || slices.Contains(args[:min(len(args), 3)], c.with) {
			return c
		}
	}
	return nil
}

// wrappers run the command behind them.
var wrappers = map[string]bool{"sudo": true, "time": true, "env": true, "command": true, "nice": true, "nohup": true, "exec": true}

var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true}

// file is the argument that names the file.
func (c *command) file(args []string) string {
	if c.operand == "" {
		return ""
	}
	files := c.operands(args)
	n := 0
	switch c.operand {
	case "second":
		n = 1
	case "last":
		n = len(files) - 1
	}
	if n < 0 || n >= len(files) {
		return ""
	}
	return files[n]
}

// operands are the arguments that are no flags and no values of flags.
func (c *command) operands(args []string) (files []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(c.values, strings.ToLower(a)):
			i++
		case strings.HasPrefix(a, "-") || a == "":
		default:
			files = append(files, a)
		}
	}
	return files
}

// word is a word of a command line, or an operator between commands.
type word struct {
	text     string
	operator bool
	redirect string // ">" or "<"
}

// maxLine is how much of a command line is looked at.
const maxLine = 1 << 10

// split takes a command line apart as a shell does, as far as that matters here: quotes, operators, redirections.
func split(line string) []word {
	line = line[:min(len(line), maxLine)]
	var out []word
	var b []byte
	in := false
	flush := func() {
		if in {
			out = append(out, word{text: string(b)})
		}
		b, in = b[:0], false
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t':
			flush()
		case '\'', '"':
			in = true
			for i++; i < len(line) && line[i] != c; i++ {
				if line[i] == '\\' && c == '"' && i+1 < len(line) {
					i++
				}
				b = append(b, line[i])
			}
		case '\\':
			if i+1 < len(line) && strings.IndexByte(" \t'\"\\&;|<>()$", line[i+1]) >= 0 {
				i++
			}
			b, in = append(b, line[i]), true
		case ';', '\n', '|', '&':
			if c == '&' && len(out) > 0 && out[len(out)-1].redirect != "" && !in {
				b, in = append(b, c), true // >&2
				continue
			}
			flush()
			text := string(c)
			if i+1 < len(line) && line[i+1] == c {
				text += text
				i++
			}
			out = append(out, word{text: text, operator: true})
		case '<', '>':
			if in && len(b) == 1 && b[0] >= '0' && b[0] <= '9' {
				in = false // the number of a stream
				b = b[:0]
			}
			flush()
			for i+1 < len(line) && line[i+1] == c {
				i++
			}
			out = append(out, word{redirect: string(c)})
		case '(', ')':
			flush()
		default:
			b, in = append(b, c), true
		}
	}
	flush()
	return out
}
