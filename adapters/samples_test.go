package adapters_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/adapters/trial"
)

// TestSamples: what each committed sample holds, by hand: sessions, and the last snapshot of each.
func TestSamples(t *testing.T) {
	want := map[string]string{
		"agentstrace/hooks-no-usage":                "prompts=12 assistant=22 results=105",
		"agentstrace/import-compaction-sidechain":   "summaries=27 assistant=2 reported=20000; prompts=8 assistant=6 results=3 reported=9110",
		"agentstrace/recorder-messages":             "request-input system=10 prompts=10 assistant=10 results=100 reported=1300",
		"agentstrace/recorder-streams":              "prompts=11 assistant=2 reported=1300; prompts=5 reported=800",
		"agentprof/1-claude-events":                 "compaction post-compaction native-summary system=20 messages=5",
		"agentprof/1-codex-observations":            "summaries=5",
		"claudecode/1.0.24-inline-sidechain":        "prompts=10 assistant=20 results=10 reported=1100; prompts=10 reported=500",
		"claudecode/2.0.64-progress-chain":          "prompts=10 assistant=10 results=100 reported=1100",
		"claudecode/2.0.76-context-report-grid":     "prompts=140 assistant=20 reported=43000",
		"claudecode/2.1.20-microcompact":            "prompts=1 assistant=20 results=10 reported=950",
		"claudecode/2.1.30-gateway-no-request-id":   "prompts=1 reported=1000",
		"claudecode/2.1.49-multi-line-response":     "prompts=10 assistant=40 results=100 reported=1200",
		"claudecode/2.1.50-auto-compact":            "summaries=200 assistant=10 results=100 reported=44200",
		"claudecode/2.1.60-images":                  "prompts=4 assistant=10 reported=4000",
		"claudecode/2.1.80-context-report-markdown": "prompts=154 assistant=20 reported=43000",
		"claudecode/2.1.100-rewind":                 "prompts=12 assistant=20 reported=1010",
		"claudecode/2.1.150-script-caller":          "prompts=2 assistant=10 results=10 reported=1100",
		"claudecode/2.1.205-preserved-segment":      "summaries=20 prompts=10 assistant=20 reported=440",
		"claudecode/2.1.207-subagent":               "prompts=10 assistant=10 results=10 reported=600",
		"claudecode/2.1.220-attachments":            "system=100 tools=10 rules=20 skills=10 environment=3 prompts=15 assistant=2 overhead=5 reported=5100",
		"codex/bare-2025-09":                        "prompts=10 assistant=10 results=100",
		"codex/0.40-count-first":                    "prompts=11 assistant=12 results=100 reported=1300",
		"codex/0.106-count-middle":                  "prompts=11 assistant=12 results=100 reported=1300",
		"codex/0.142-count-last":                    "summaries=20 prompts=10 reported=23000",
		"codex/0.142-fork":                          "prompts=10 reported=6000",
		"codex/0.142-rolled-back":                   "prompts=11 assistant=2 reported=1010",
		"codex/0.146-fragments":                     "system=52 tools=35 rules=18 skills=28 environment=16 prompts=5 overhead=14 reported=3000",
		"codex/0.150-code-mode":                     "prompts=10 assistant=10 results=10 reported=1100",
		"pi/v1-list":                                "summaries=20 prompts=3 results=5 reported=400",
		"pi/v2-hook-message":                        "prompts=11 assistant=5 unattributed=5 reported=1100",
		"pi/v3-branched":                            "summaries=15 prompts=20 assistant=2 results=5 unattributed=7 reported=1300",
		"pi/v3-compaction":                          "summaries=20 prompts=3 assistant=2 results=100 reported=900",
		"pi/v3-fork":                                "prompts=12 assistant=2 reported=1100",
		"pi/v3-retained-tail":                       "summaries=20 prompts=2 assistant=12 results=100 reported=900",
		"pi/1.0-sections":                           "system=13 tools=25 environment=6 summaries=20 prompts=3 assistant=2 reported=700",
		"muse/1.3.0-transcript":                     "prompts=10 assistant=4 results=50 reported=1200",
		"muse/1.4.2-compaction":                     "summaries=20 prompts=2 assistant=10 reported=300",
		"muse/1.4.2-export-lines.json":              "summaries=20 prompts=2 assistant=10 reported=300",
		"muse/1.4.2-lanes":                          "request-input native-bytes/4 system=100 rules=30 skills=20 environment=10 prompts=10 assistant=4 results=50 overhead=5 unattributed=37 reported=5200",
		"muse/1.4.2-export.json":                    "request-input native-bytes/4 system=100 rules=30 skills=20 environment=10 prompts=10 assistant=4 results=50 overhead=5 unattributed=37 reported=5200",
	}
	files, err := filepath.Glob("*/testdata/*.jsonl")
	documents, _ := filepath.Glob("muse/testdata/*.json")
	files = append(files, documents...)
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d samples, %d expectations: %v", len(files), len(want), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(strings.Replace(f, "testdata/", "", 1), ".jsonl")
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		a := trial.Open(t, trial.File{Path: f, Text: string(b)})
		var got []string
		for _, s := range a.Sessions {
			last := trial.Snapshot(&s.Snapshots[len(s.Snapshots)-1])
			for _, word := range []string{"request ", "capture ", "transcript-observed ", "baseline "} {
				last = strings.Replace(last, word, "", 1)
			}
			got = append(got, last)
		}
		if g := strings.Join(got, "; "); g != want[name] {
			t.Errorf("%s: %s, want %s", name, g, want[name])
		}
		if in := a.Inputs[0]; in.Malformed > 0 || len(in.Kinds) > 0 || len(in.Warnings.All()) > 0 {
			t.Errorf("%s: %d malformed, unknown %v, warnings %v", name, in.Malformed, in.Kinds, in.Warnings.All())
		}
	}
}
