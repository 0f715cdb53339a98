package models

import "testing"

func TestTheOrderOfEvidence(t *testing.T) {
	for _, c := range []struct {
		name   string
		e      Evidence
		window int64
		source Source
	}{
		{"a choice beats everything", Evidence{Choice: 128000, Journal: 258400, Observed: 900000, Model: "claude-opus-4-6"}, 128000, Choice},
		{"the journal beats the table", Evidence{Journal: 258400, Observed: 240512, Model: "gpt-5.5"}, 258400, Journal},
		{"the journal beats the table for a known model", Evidence{Journal: 500000, Model: "claude-opus-4-6"}, 500000, Journal},
		{"the table", Evidence{Observed: 166783, Model: "claude-opus-4-6"}, 200000, ModelTable},
		{"exactly the table's window proves nothing", Evidence{Observed: 200000, Model: "claude-opus-4-6"}, 200000, ModelTable},
		{"use beyond the table proves the larger one", Evidence{Observed: 200001, Model: "claude-opus-4-6"}, 1000000, Observed},
		{"use beyond the journal's window proves it wrong", Evidence{Journal: 200000, Observed: 312000, Model: "claude-opus-4-6"}, 1000000, Observed},
		{"use beyond every window we know", Evidence{Observed: 1200000, Model: "claude-opus-4-6"}, 0, NoSource},
		{"a suffix names the large one", Evidence{Model: "claude-opus-4-6[1m]"}, 1000000, ModelTable},
		{"a new model", Evidence{Model: "claude-opus-5-5-20261001"}, 1000000, ModelTable},
		{"an old model", Evidence{Model: "claude-3-sonnet-20240229"}, 200000, ModelTable},
		{"a gateway's name", Evidence{Model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0"}, 200000, ModelTable},
		{"a provider's prefix", Evidence{Model: "google/gemini-2.5-pro"}, 1048576, ModelTable},
		{"an unknown model", Evidence{Observed: 5000, Model: "mystery-9"}, 0, NoSource},
		{"no model", Evidence{}, 0, NoSource},
	} {
		if w, s := Window(c.e); w != c.window || s != c.source {
			t.Errorf("%s: %d %q, want %d %q", c.name, w, s, c.window, c.source)
		}
	}
}

func TestEveryRowHasADateAndASource(t *testing.T) {
	if len(windows) < 10 || len(thresholds) < 3 {
		t.Fatalf("%d models, %d thresholds", len(windows), len(thresholds))
	}
	for _, r := range windows {
		if r.Date == "" || r.Source == "" || r.Window <= 0 {
			t.Errorf("row %q lacks a date, a source or a window", r.Prefix)
		}
	}
	for _, r := range thresholds {
		if r.Date == "" || r.Source == "" {
			t.Errorf("threshold %q lacks a date or a source", r.Harness)
		}
	}
}

func TestWhereHarnessesCompact(t *testing.T) {
	for _, c := range []struct {
		harness      string
		window, want int64
	}{
		{"claude-code", 200000, 167000}, {"claude-code", 1000000, 967000},
		{"codex", 258400, 244800}, {"codex", 353400, 334800}, {"pi", 200000, 183616},
	} {
		if got, _, ok := CompactsAt(c.harness, c.window); !ok || got != c.want {
			t.Errorf("%s with %d compacts at %d, want %d", c.harness, c.window, got, c.want)
		}
	}
	if _, _, ok := CompactsAt("muse", 200000); ok {
		t.Error("a harness without a formula got a threshold")
	}
	if _, _, ok := CompactsAt("claude-code", 0); ok {
		t.Error("an unknown window got a threshold")
	}
}
