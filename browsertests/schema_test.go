package browsertests

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every document that the runner prints keeps to the published schema: of the committed samples, and of the corpus where it is there.
func TestDocumentsKeepToTheSchema(t *testing.T) {
	files, _ := filepath.Glob("../adapters/*/testdata/*.jsonl")
	more, _ := filepath.Glob("../../shared/corpus/*/*.jsonl")
	for i, f := range more {
		if i%4 == 0 {
			files = append(files, f)
		}
	}
	if len(files) < 5 {
		t.Fatalf("%d samples", len(files))
	}
	var documents bytes.Buffer
	var names []string
	for _, f := range files {
		for _, args := range [][]string{{"analyze", "--json", f}, {"compaction", "--json", "--diff", "--behavior-diff", "--include", "titles,paths,facts", f}} {
			cmd := exec.Command("node", append([]string{filepath.Join(dist, "contextscope.mjs")}, args...)...)
			var out bytes.Buffer
			cmd.Stdout = &out
			if cmd.Run() == nil && out.Len() > 0 {
				documents.Write(out.Bytes())
				names = append(names, strings.Join(args, " "))
			}
		}
	}
	// What keeps to the schema is no accident: a document with a member too many breaks it.
	documents.WriteString(`{"schema":"contextscope.analysis/1","inputs":[],"sessions":[],"more":1}` + "\n")
	cmd := exec.Command("node", "validate.mjs", "../assets/analysis.schema.json")
	cmd.Stdin, cmd.Stderr = &documents, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 2 || lines[len(lines)-1] != fmt.Sprintf("read %d", len(names)+1) {
		t.Fatalf("%d documents: %s", len(names), out)
	}
	for _, line := range lines[:len(lines)-2] {
		n := 0
		fmt.Sscan(line, &n)
		if n >= 1 && n <= len(names) {
			t.Errorf("%s: %.400s", names[n-1], line)
		}
	}
	if wrong := lines[len(lines)-2]; !strings.HasPrefix(wrong, fmt.Sprint(len(names)+1)+" ") || !strings.Contains(wrong, "more") {
		t.Errorf("a document with a member too many was not found: %s", wrong)
	}
}
