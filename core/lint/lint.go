// Package lint looks for ways of working that waste a context: loops, retries, reading the same again, a window that is full.
//
// In comes a stream of requests and calls (package behavior), out come Findings with the steps they are about. Each rule
// stands in a file of its own, with what it means, when it fires and when it stays silent; Rules lists them in order. What a
// rule judges is requests to the model and the arguments of calls, never the number of lines that a journal writes for them,
// so that a healthy session is silent in every format. A rule that fails costs its own findings and nobody else's.
package lint

import (
	"fmt"
	"slices"
	"strings"

	"contextscope/core/behavior"
	"contextscope/core/journal"
)

// Level says how much a finding weighs.
type Level uint8

// The levels.
const (
	Info Level = iota
	Warning
	Error
)

// String is the spelling of documents.
func (l Level) String() string { return [...]string{"info", "warning", "error"}[l] }

// Finding is one thing that a rule found.
type Finding struct {
	Rule    string
	Level   Level
	Text    string      // for people; PathMark stands where the path belongs
	Path    journal.Ref // of the file that it is about, 0 for none
	From    int         // the steps that it is about, first and last; -1 for the whole session
	To      int
	Request int // number of the request where it begins, from 0; -1 for none
}

// PathMark stands in a text for the path of a file, which not everybody may see.
const PathMark = "\x01"

// Message is the text with the path as it is shown.
func (f *Finding) Message(path string) string { return strings.Replace(f.Text, PathMark, path, 1) }

// Rule is one rule.
type Rule struct {
	Name     string
	Means    string // what a finding of it says, for people
	Settings Settings
	// Session tells a rule that speaks of whole sessions: a part of one says nothing about it.
	Session bool
	check   func(*judging)
}

// Rules are all rules, in the order in which they report.
var Rules = []Rule{toolLoop, reasoningSpiral, budgetProximity, contextSaturation, postCompactionRegression, redundantRead, errorRetryLoop, noOutput}

func init() {
	for i := range Rules { // a rule may call for the others, so that they are tied here
		Rules[i].check = checks[Rules[i].Name]
	}
}

// Find looks a rule up, -1 for none.
func Find(name string) int {
	for i := range Rules {
		if Rules[i].Name == name {
			return i
		}
	}
	return -1
}

// judging is one rule at work on one stream.
type judging struct {
	*behavior.Stream
	rule     *Rule
	settings Settings
	config   *Config
	found    []Finding
}

// report adds a finding about steps from … to.
func (j *judging) report(from, to int, path journal.Ref, format string, args ...any) {
	f := Finding{Rule: j.rule.Name, Level: j.settings.Level, Text: fmt.Sprintf(format, args...), Path: path, From: from, To: to, Request: -1}
	if from >= 0 {
		f.Request = int(j.Steps[from].Request)
	}
	j.found = append(j.found, f)
}

// Check runs all rules over a stream. Failures are rules that broke down, in words.
func Check(st *behavior.Stream, c *Config) (found []Finding, failures []string) {
	if c == nil {
		c = Defaults()
	}
	for i := range Rules {
		f, err := check(i, st, c)
		found = append(found, f...)
		if err != "" {
			failures = append(failures, err)
		}
	}
	return found, failures
}

// check runs one rule.
func check(i int, st *behavior.Stream, c *Config) (found []Finding, failure string) {
	j := &judging{Stream: st, rule: &Rules[i], settings: c.Rules[i], config: c}
	if !j.settings.Enabled {
		return nil, ""
	}
	defer func() {
		if v := recover(); v != nil {
			found, failure = nil, fmt.Sprintf("the rule %s broke down and was left out: %v", j.rule.Name, v)
		}
	}()
	j.rule.check(j)
	return j.found, ""
}

// Counter counts the findings in parts of a stream, by the same configuration.
func Counter(c *Config) behavior.Counter {
	if c == nil {
		c = Defaults()
	}
	out := behavior.Counter{Growth: contextSaturation.Name}
	for i := range Rules {
		out.Rules = append(out.Rules, Rules[i].Name)
	}
	out.Count = func(part *behavior.Stream) []int {
		counts := make([]int, len(Rules))
		for i := range Rules {
			if Rules[i].Session || !c.Rules[i].Enabled {
				counts[i] = -1
				continue
			}
			f, _ := check(i, part, c)
			counts[i] = len(f)
		}
		return counts
	}
	return out
}

// Alphabetical are the places of the rules in order of their names.
func Alphabetical() []int {
	order := make([]int, len(Rules))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(Rules[a].Name, Rules[b].Name) })
	return order
}
