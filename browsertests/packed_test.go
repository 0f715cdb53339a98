package browsertests

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packed writes journals as they are passed on: two sessions and a settings file in a zip, one of them packed once more,
// and a session packed by gzip alone.
func packed(t *testing.T) (archive, single string) {
	t.Helper()
	session := func(id string) string {
		return strings.Join(claudeLines(id, "Packed "+id[:4], 3), "\n") + "\n"
	}
	gzipped := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	dir := t.TempDir()
	archive, single = filepath.Join(dir, "sessions.zip"), filepath.Join(dir, "renamed")
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z := zip.NewWriter(file)
	for name, content := range map[string][]byte{
		"projects/p/one.jsonl":      []byte(session("aaaa1111-2222-4333-8444-555555555555")),
		"projects/p/two.jsonl.gz":   gzipped(session("bbbb1111-2222-4333-8444-555555555555")),
		"projects/p/settings.json":  []byte("{}"),
		"projects/p/pictures/a.png": []byte("\x89PNG\r\n"),
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(single, gzipped(session("cccc1111-2222-4333-8444-555555555555")), 0o644); err != nil {
		t.Fatal(err)
	}
	return archive, single
}

func TestPackedJournalsAreOpened(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		archive, single := packed(t)
		p := newTab(t)
		p.open(address)
		p.drop(archive)
		p.state("done", 1)
		p.drop(single)
		p.state("done", 2)
		type input struct{ Name, Format, Compression string }
		got := map[string]input{}
		doc := eval[struct {
			Inputs   []input
			Sessions []struct{ Requests []struct{} }
		}](p, "contextscope.analysis()")
		for _, in := range doc.Inputs {
			got[in.Name] = in
		}
		for name, want := range map[string]input{
			"one.jsonl":    {"one.jsonl", "claude-code", "zip"},
			"two.jsonl.gz": {"two.jsonl.gz", "claude-code", "zip+gzip"},
			"renamed":      {"renamed", "claude-code", "gzip"},
			"sessions.zip": {"sessions.zip", "zip", "zip"},
		} {
			if got[name] != want {
				t.Errorf("%s: %+v", name, got[name])
			}
		}
		if len(doc.Sessions) != 3 || len(doc.Sessions[0].Requests) != 3 {
			t.Errorf("sessions: %+v", doc.Sessions)
		}
		p.button("Files")
		p.until(`document.querySelector("[data-testid=warning]")?.innerText.includes("2 other files in this archive are no journals and were left out")`)
		if files := p.text(".files"); !strings.Contains(files, "sessions.zip/projects/p · packed as zip+gzip") {
			t.Errorf("the Files tab says:\n%s", files)
		}
		p.calm()
	})
}

// TestARecordedTraceIsShown opens a trace of Agent Profiler: its snapshots as they were recorded.
func TestARecordedTraceIsShown(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	trace, err := filepath.Abs("../adapters/agentprof/testdata/1-traces.pftrace")
	if err != nil {
		t.Fatal(err)
	}
	p.drop(trace)
	p.state("done", 1)
	doc := p.analysis()
	if len(doc.Inputs) != 1 || doc.Inputs[0].Format != "agent-profiler" || len(doc.Sessions) < 2 {
		t.Fatalf("inputs %+v, %d sessions", doc.Inputs, len(doc.Sessions))
	}
	p.until(sample + `?.dataset.tokens > 0`)
	p.calm()
}

// TestNotesOfAFormatAreRead: how a format is read can be read in the page, by hand and by key.
func TestNotesOfAFormatAreRead(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	for _, key := range []string{"claude-code", "codex", "pi", "muse", "agent-strace", "agent-profiler"} {
		button := `document.querySelector("#how-` + key + `")`
		eval[bool](p, button+`.click() ?? true`)
		p.until(`document.activeElement.id === "notes" && document.querySelector("#notes h2") && document.querySelector("#notes table")`)
		eval[bool](p, `document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}))`)
		p.until(`!document.querySelector("#notes") && document.activeElement === ` + button)
	}
	p.calm()
}
