package folder

import "testing"

func TestTakesWhatLooksLikeAJournal(t *testing.T) {
	for name, want := range map[string]bool{
		"session.jsonl":                        true,
		"a/b/ROLLOUT-2026.JSONL":               true,
		"rollout.jsonl.zst":                    true,
		"events.ndjson.gz":                     true,
		"session.jsonl.zip":                    true,
		"photos.zip":                           false,
		"meta.json":                            true,
		"agent-a0ad4f44468bdf20d.meta.json":    true,
		"trace.pftrace":                        true,
		"p/5b8f1c9e/tool-results/toolu_01.txt": true,
		"p/toolu_01.txt":                       false,
		"package.json":                         false,
		"settings.json":                        false,
		"archive.gz":                           false,
		"README.md":                            false,
		".jsonl.swp":                           false,
	} {
		if got := Takes(name); got != want {
			t.Errorf("Takes(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestEntersEverythingButDependencies(t *testing.T) {
	for name, want := range map[string]bool{
		".claude": true, "projects": true, "node_modules": false, "a/.git": false,
		".local": true, ".pi": true, ".agent-traces": true, "Caches": false, ".cargo": false,
	} {
		if got := Enters(name); got != want {
			t.Errorf("Enters(%q) = %v, want %v", name, got, want)
		}
	}
}
