package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/core/facts"
	"contextscope/core/journal"
)

const checkpointed = `{"event_type":"user_prompt","timestamp":100.0,"event_id":"e1","session_id":"session-1","data":{"prompt":"Port the parser. Do not modify auth.py."}}
{"event_type":"llm_request","timestamp":138.0,"event_id":"e2","session_id":"session-1","data":{"model":"claude-sonnet-4","input_tokens":170000}}
`

// TestK2ACheckpointIsAFileBesideTheJournal: it goes where it is told to, and the journal stays as it is.
func TestK2ACheckpointIsAFileBesideTheJournal(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "events.ndjson"), filepath.Join(dir, "session-1.md")
	if err := os.WriteFile(in, []byte(checkpointed), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, int) {
		var stdout, stderr bytes.Buffer
		code := Run(Process{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr})
		return stdout.String(), code
	}
	printed, code := run("checkpoint", in)
	if code != 0 || !strings.HasPrefix(printed, "# Session checkpoint - session-1 - 0m 38s\n\n## Task\nPort the parser.\n\n## Constraints\n- Do not modify auth.py.\n") {
		t.Errorf("exit %d, printed\n%s", code, printed)
	}
	if nothing, code := run("checkpoint", "-o", out, in); code != 0 || nothing != "" {
		t.Errorf("exit %d, printed %q", code, nothing)
	}
	if b, _ := os.ReadFile(out); string(b) != printed {
		t.Errorf("the file holds\n%s\nwant\n%s", b, printed)
	}
	if b, _ := os.ReadFile(in); string(b) != checkpointed {
		t.Error("the journal was changed")
	}
	if brief, code := run("checkpoint", "--brief", in); code != 0 || !strings.Contains(brief, "No compaction was found") {
		t.Errorf("exit %d, printed\n%s", code, brief)
	}
}

func TestADiffSectionSaysThatItIsInferred(t *testing.T) {
	got := string(diffSection(2, &analysis.Diff{Available: true,
		Survived: []analysis.Fact{{Kind: journal.TaskGoal, Text: "Port it.", Status: facts.InSummary}},
		Dropped:  []analysis.Fact{{Kind: journal.Constraint, Text: "Never\x1b log.", Status: facts.NotFound, Evidence: facts.Because(facts.StillThere), Source: journal.Source{Line: 7}}}}))
	want := "Compaction #2 - context diff\n" + strings.Repeat("─", 78) + "\nSurvived in summary:\n  ✅ Task goal: Port it. (in-summary)\n" +
		"Likely dropped:\n  ❌ Constraint at line 7: Never  log.\n     it was not taken out of the context\n⚠️  High-risk drop: constraint 'Never  log.'\n"
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "Inferred from the journal") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(diffSection(1, &analysis.Diff{})); !strings.Contains(got, "cannot be judged") || strings.Contains(got, "dropped") {
		t.Errorf("got\n%s", got)
	}
}
