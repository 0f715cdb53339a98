package lint

import (
	"bytes"
	"fmt"
	"strings"

	"contextscope/core/jsonl"
)

// Settings are what a person can set of a rule. Those that a rule does not have are 0.
type Settings struct {
	Enabled                bool
	Level                  Level
	Threshold              float64
	CompactionThreshold    float64
	BehaviorWindow         int
	RedundantReadThreshold float64
	ToolLoopThreshold      float64
}

// Config is the settings of all rules, in the order of Rules.
type Config struct {
	Rules []Settings
}

// Defaults is a Config of which nothing was set.
func Defaults() *Config {
	c := &Config{Rules: make([]Settings, len(Rules))}
	for i := range Rules {
		c.Rules[i] = Rules[i].Settings
	}
	p := &c.Rules[Find(postCompactionRegression.Name)]
	p.RedundantReadThreshold, p.ToolLoopThreshold = 0, 0 // those of the rules, unless set
	return c
}

// Read reads a configuration: an object with a member for each rule, an object itself, of which what is there replaces the
// default. What is not understood keeps its default and is told in notes; a text that is no such object gives the defaults.
func Read(text []byte) (c *Config, notes []string) {
	c = Defaults()
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	s := jsonl.NewScanner(bytes.NewReader(oneLine(text)), 0)
	if !s.Next() || !s.Object() {
		note("the configuration is no JSON object; the defaults hold")
		return c, notes
	}
	for k := s.Key(); k != nil; k = s.Key() {
		name := strings.Clone(string(k))
		i := Find(name)
		if i < 0 {
			note("no rule is called %q; its settings are passed over", name)
			continue
		}
		if !s.Object() {
			note("the settings of %s are no JSON object and are passed over", name)
			continue
		}
		for k := s.Key(); k != nil; k = s.Key() {
			if key := string(k); !c.Rules[i].set(s, key, &Rules[i]) {
				note("%s: %q is no setting of it, or its value is none that it takes; it is passed over", name, key)
			}
		}
	}
	if s.Finish() != nil || s.Next() {
		return Defaults(), []string{"the configuration is no JSON object; the defaults hold"}
	}
	return c, notes
}

// oneLine makes blanks of line ends, which stand between the parts of a value only.
func oneLine(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	return bytes.Map(func(c rune) rune {
		if c == '\n' || c == '\r' {
			return ' '
		}
		return c
	}, text)
}

// set takes one setting; false when the rule does not have it or cannot take the value.
func (t *Settings) set(s *jsonl.Scanner, key string, r *Rule) bool {
	switch key {
	case "enabled":
		v, ok := s.Bool()
		if ok {
			t.Enabled = v
		}
		return ok
	case "level":
		v, _ := s.Str(16)
		switch strings.ToLower(string(v)) {
		case "error":
			t.Level = Error
		case "warning", "warn":
			t.Level = Warning
		case "info", "note":
			t.Level = Info
		default:
			return false
		}
		return true
	}
	v, ok := s.Float()
	own := r.Name == postCompactionRegression.Name
	switch {
	case !ok || v <= 0:
		return false
	case key == "threshold" && r.Settings.Threshold > 0:
		t.Threshold = v
	case key == "compaction_threshold" && own && v < 1:
		t.CompactionThreshold = v
	case key == "behavior_window" && own && v >= 1 && v < 1e9:
		t.BehaviorWindow = int(v)
	case key == "redundant_read_threshold" && own:
		t.RedundantReadThreshold = v
	case key == "tool_loop_threshold" && own:
		t.ToolLoopThreshold = v
	default:
		return false
	}
	return true
}
