package runner

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contextscope/core/analysis"
)

// request is a command line that was understood.
type request struct {
	command   string
	json      bool // asked for; also the default where the output is no terminal
	pretty    bool
	session   string
	window    int64
	threshold float64
	include   analysis.Include
	keep      []string
	paths     []string
}

// later are the commands of the contract that this version does not have.
var later = []string{"compaction", "lint", "checkpoint", "watch", "clean", "report", "trace"}

var (
	includes = []string{"titles", "paths", "prompts", "facts", "records"}
	keeps    = []string{"home", "hosts", "emails"}
)

const flagsOfAnalyze = "--json, --pretty, --session ID, --window TOKENS, --compaction-threshold R, --include LIST, --keep LIST"

// parse understands a command line. An error says what was wrong and what is accepted.
func parse(args []string) (*request, error) {
	if len(args) == 0 {
		return nil, errors.New("a command is missing; there is one: analyze")
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
		return nil, fmt.Errorf("the command %q is not in this version; there is one: analyze", r.command)
	case r.command != "analyze":
		return nil, fmt.Errorf("%q is no command; there is one: analyze", r.command)
	}
	if err := r.flags(args[1:]); err != nil {
		return nil, err
	}
	if len(r.paths) == 0 && r.command == "analyze" {
		return nil, errors.New("a path is missing: name a file, a folder, or - for standard input")
	}
	return r, nil
}

func (r *request) flags(args []string) error {
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
		if takesValue(name) && !given {
			if i+1 == len(args) {
				return fmt.Errorf("%s needs a value", name)
			}
			i++
			value = args[i]
		} else if !takesValue(name) && given {
			return fmt.Errorf("%s takes no value", name)
		}
		if err := r.flag(name, value); err != nil {
			return err
		}
	}
	return nil
}

func takesValue(name string) bool {
	switch name {
	case "--session", "--window", "--include", "--keep", "--compaction-threshold":
		return true
	}
	return false
}

func (r *request) flag(name, value string) error {
	switch name {
	case "--json":
		r.json = true
	case "--pretty":
		r.json, r.pretty = true, true
	case "--help", "-h":
		r.command = "help"
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
		return each(name, value, keeps, func(word string) { r.keep = append(r.keep, word) })
	case "--compaction-threshold":
		f, err := strconv.ParseFloat(value, 64)
		if err != nil || !(f > 0 && f < 1) {
			return fmt.Errorf("--compaction-threshold takes a share between 0 and 1 such as 0.5, not %q", value)
		}
		r.threshold = f
	default:
		return fmt.Errorf("%s is no flag of analyze; it takes %s", name, flagsOfAnalyze)
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
