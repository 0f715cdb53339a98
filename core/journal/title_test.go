package journal

import (
	"strings"
	"testing"
)

func TestTitles(t *testing.T) {
	for in, want := range map[string]string{
		"Fix the bug": "Fix the bug",
		"# Task\n\nMake the limiter survive a restart. Use Go.": "Make the limiter survive a restart.",
		"## Rewrite the parser\nmore":                           "Rewrite the parser",
		"\n\n- 1. first item here\n":                            "first item here",
		"Context:\nThe build fails on arm64":                    "The build fails on arm64",
		"---\n***\n> quoted **words**":                          "quoted **words",
		"# Goal":                                                "Goal",
		"":                                                      "",
		"...":                                                   "",
		"e.g. this is not cut at once":                          "e.g. this is not cut at once",
		"日本語のタイトル":                                              "日本語のタイトル",
		strings.Repeat("word ", 40):                             strings.TrimRight(strings.Repeat("word ", 18), " ") + " word…",
		strings.Repeat("é", 200):                                strings.Repeat("é", 95) + "…",
	} {
		if got := string(TitleOf([]byte(in))); got != want {
			t.Errorf("title of %q is %q, want %q", in, got, want)
		}
	}
}
