package runner

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/behavior"
	"contextscope/core/compaction"
	"contextscope/core/redact"
)

// request is a command line that was understood.
type request struct {
	command     string
	json        bool // asked for; also the default where the output is no terminal
	pretty      bool
	session     string
	window      int64
	threshold   float64
	brief       bool
	interactive bool
	out         string // file to write to, "" for standard output
	include     analysis.Include
	keep        redact.Keep
	paths       []string

	diff           bool // of compaction: what survived
	behavior       bool // … and what it did to the agent
	behaviorWindow behavior.Window

	strict   bool
	format   string // of lint's results
	config   string // files to read
	baseline string
}

// command is one that the runner has, with the flags that it takes.
type command struct {
	name  string
	flags []string
}

// commands are all commands.
var commands = []command{
	{"analyze", append([]string{"--json", "--pretty"}, readFlags...)},
	{"compaction", append([]string{"--json", "--diff", "--behavior-diff", "--behavior-window N"}, readFlags...)},
	{"lint", append([]string{"--strict", "--format text|json|sarif|junit", "--config FILE", "--baseline FILE"}, readFlags...)},
	{"checkpoint", append([]string{"--brief", "-o FILE"}, readFlags...)},
	{"report", append([]string{"--interactive", "-o FILE"}, readFlags...)},
	{"trace", append([]string{"-o FILE"}, readFlags...)},
}

// readFlags are the flags of all commands that read journals; those that take a value are named with it.
var readFlags = []string{"--session ID", "--window TOKENS", "--compaction-threshold R", "--include LIST", "--keep LIST"}

// later are the commands of the contract that this version does not have.
var later = []string{"watch", "clean"}

// names lists the commands, for a sentence.
func names() string {
	var all []string
	for _, c := range commands {
		all = append(all, c.name)
	}
	if len(all) == 1 {
		return "there is one: " + all[0]
	}
	return "there are " + strings.Join(all, ", ")
}

// findCommand looks a command up.
func findCommand(name string) (command, bool) {
	for _, c := range commands {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// takes tells whether a command has a flag, and whether that takes a value.
func (c command) takes(flag string) (known, value bool) {
	for _, f := range c.flags {
		if name, _, v := strings.Cut(f, " "); name == flag {
			return true, v
		}
	}
	return flag == "--help" || flag == "-h", false
}

var (
	includes = []string{"titles", "paths", "prompts", "facts", "records"}
	keeps    = []string{"home", "hosts", "emails"}
)

// parse understands a command line. An error says what was wrong and what is accepted.
func parse(args []string) (*request, error) {
	if len(args) == 0 {
		return nil, errors.New("a command is missing; " + names())
	}
	r := &request{command: args[0]}
	switch {
	case r.command == "--help" || r.command == "-h" || r.command == "help":
		r.command = "help"
		return r, nil
	case r.command == "--version":
		r.command = "version"
		return r, nil
	case slices.Contains(later, r.command):
		return nil, fmt.Errorf("the command %q is not in this version; %s", r.command, names())
	}
	c, ok := findCommand(r.command)
	if !ok {
		return nil, fmt.Errorf("%q is no command; %s", r.command, names())
	}
	if err := r.flags(c, args[1:]); err != nil {
		return nil, err
	}
	if len(r.paths) == 0 && r.command != "help" {
		return nil, errors.New("a path is missing: name a file, a folder, or - for standard input")
	}
	return r, nil
}

func (r *request) flags(c command, args []string) error {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			r.paths = append(r.paths, args[i+1:]...)
			return nil
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			r.paths = append(r.paths, arg)
			continue
		}
		name, value, given := strings.Cut(arg, "=")
		known, takesValue := c.takes(name)
		switch {
		case !known:
			return fmt.Errorf("%s is no flag of %s; it takes %s", name, c.name, strings.Join(c.flags, ", "))
		case takesValue && !given:
			if i+1 == len(args) {
				return fmt.Errorf("%s needs a value", name)
			}
			i++
			value = args[i]
		case !takesValue && given:
			return fmt.Errorf("%s takes no value", name)
		}
		if err := r.flag(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (r *request) flag(name, value string) error {
	switch name {
	case "--json":
		r.json = true
	case "--pretty":
		r.json, r.pretty = true, true
	case "--strict", "--format", "--config", "--baseline":
		return r.lintFlag(name, value)
	case "--help", "-h":
		r.command = "help"
	case "--diff":
		r.diff = true
	case "--behavior-diff":
		r.behavior = true
	case "--behavior-window":
		w, err := behaviorWindow(value)
		r.behavior, r.behaviorWindow = true, w
		return err
	case "--brief":
		r.brief = true
	case "--interactive":
		r.interactive = true
	case "-o":
		if value == "" {
			return errors.New("-o needs the name of a file")
		}
		r.out = value
	case "--session":
		if value == "" {
			return errors.New("--session needs an id or the beginning of one")
		}
		r.session = value
	case "--window":
		n, err := strconv.ParseInt(strings.NewReplacer("_", "", ",", "").Replace(value), 10, 64)
		if err != nil || n <= 0 {
			return fmt.Errorf("--window takes a number of tokens such as 200000, not %q", value)
		}
		r.window = n
	case "--include":
		return each(name, value, includes, r.includeOne)
	case "--keep":
		return each(name, value, keeps, func(word string) {
			r.keep.Home = r.keep.Home || word == "home"
			r.keep.Hosts = r.keep.Hosts || word == "hosts"
			r.keep.Emails = r.keep.Emails || word == "emails"
		})
	case "--compaction-threshold":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || compaction.CheckThreshold(f) != nil {
			return fmt.Errorf("--compaction-threshold takes a share between 0 and 1 such as 0.5, not %q", value)
		}
		r.threshold = f
	}
	return nil
}

func (r *request) includeOne(word string) {
	switch word {
	case "titles":
		r.include.Titles = true
	case "paths":
		r.include.Paths = true
	case "prompts":
		r.include.Prompts = true
	case "facts":
		r.include.Facts = true
	case "records":
		r.include.Records = true
	}
}

func each(name, value string, known []string, take func(string)) error {
	for word := range strings.SplitSeq(value, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(known, word) {
			return fmt.Errorf("%s takes a list of %s, not %q", name, strings.Join(known, ","), word)
		}
		take(word)
	}
	return nil
}
