package runner

import (
	"reflect"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/redact"
)

func TestParse(t *testing.T) {
	for line, want := range map[string]request{
		"analyze a.jsonl":            {command: "analyze", paths: []string{"a.jsonl"}},
		"analyze --json a b":         {command: "analyze", json: true, paths: []string{"a", "b"}},
		"analyze a --pretty -":       {command: "analyze", json: true, pretty: true, paths: []string{"a", "-"}},
		"analyze --window 200,000 a": {command: "analyze", window: 200000, paths: []string{"a"}},
		"analyze --session=ab12 a":   {command: "analyze", session: "ab12", paths: []string{"a"}},
		"analyze --include titles,paths --keep home a": {
			command: "analyze", include: analysis.Include{Titles: true, Paths: true}, keep: redact.Keep{Home: true}, paths: []string{"a"},
		},
		"analyze --compaction-threshold 0.3 a":                   {command: "analyze", threshold: 0.3, paths: []string{"a"}},
		"analyze -- --json":                                      {command: "analyze", paths: []string{"--json"}},
		"lint --strict --format sarif --config c --baseline=b a": {command: "lint", strict: true, format: "sarif", config: "c", baseline: "b", paths: []string{"a"}},
		"--version":      {command: "version"},
		"--help":         {command: "help"},
		"analyze --help": {command: "help"},
	} {
		got, err := parse(strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: got %+v, want %+v", line, *got, want)
		}
	}
}

func TestParseSaysWhatIsAccepted(t *testing.T) {
	for line, want := range map[string]string{
		"":                                   "analyze",
		"frobnicate":                         "analyze",
		"lint --format xml a":                "text, json, sarif, junit",
		"lint --json a":                      "--format",
		"watch .":                            "not in this version",
		"analyze":                            "a file, a folder, or -",
		"analyze --window":                   "needs a value",
		"analyze --window many a":            "200000",
		"analyze --window -3 a":              "200000",
		"analyze --include all a":            "titles,paths,prompts,facts,records",
		"analyze --keep everything a":        "home,hosts,emails",
		"analyze --jsno a":                   "--json",
		"analyze --json=yes a":               "takes no value",
		"analyze --session= a":               "beginning",
		"analyze --compaction-threshold 2 a": "0.5",
	} {
		_, err := parse(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", line, err, want)
		}
	}
}
