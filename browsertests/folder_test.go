package browsertests

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// home writes a home folder with so many transcripts of about the same size in it, and with what lies beside them. It
// tells how many records the transcripts have.
func home(t testing.TB, files int, bytes int64) (dir string, records int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ada")
	create := func(name string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	for i := range files {
		file := create(fmt.Sprintf(".claude/projects/-home-ada-p%d/%s.jsonl", i%20, sessionID(i)))
		lines, err := writeClaude(file, bytes, i)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		records += lines
	}
	for name, text := range map[string]string{
		".claude/history.jsonl":                 `{"display":"fix it","pastedContents":{},"timestamp":1772359201000,"project":"/home/ada/p0"}`,
		".claude/settings.json":                 `{}`,
		"notes/todo.md":                         `# To do`,
		"code/node_modules/left-pad/data.jsonl": `{}`,
	} {
		file := create(name)
		fmt.Fprintln(file, text)
		file.Close()
	}
	return dir, records
}

// newIsolatedSite serves dist/ so that a page may measure its memory.
func newIsolatedSite(t testing.TB) *witness {
	files := http.FileServer(http.Dir(dist))
	return newWitness(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		files.ServeHTTP(w, r)
	}))
}

// memory is what a page and its workers take, in bytes: WebAssembly memories and JavaScript heaps.
func (p *tab) memory() int64 {
	p.Helper()
	total := eval[int64](p, `performance.measureUserAgentSpecificMemory().then((m) => m.bytes)`)
	for _, n := range eval[[]int64](p, "memories()") {
		total += n
	}
	return total + eval[int64](p, "pageMemory.buffer.byteLength")
}

// TestAHomeFolderOfThousandsOfFilesOpens drops a home folder with 2,000 transcripts, a gigabyte in all: it is looked
// through with progress, a cancel leaves nothing behind, and opening it takes less than 300 MB.
func TestAHomeFolderOfThousandsOfFilesOpens(t *testing.T) {
	const files = 2000
	dir, records := home(t, files, 500_000)
	p := newTab(t, spy)
	p.open(newIsolatedSite(t).URL)

	p.drop(dir)
	p.until(`document.querySelector("[aria-label=Search]")?.innerText.includes("Looking through ada") || document.querySelector("progress[value]")`)
	p.until(`document.querySelector("progress[value]")?.value > 50`)
	if words := p.text(".progress"); !strings.Contains(words, "Reading") || !strings.Contains(words, "2,001 files") || !strings.Contains(words, " of 1.0 GB") {
		t.Errorf("the progress says %q", words)
	}
	eval[bool](p, `document.querySelector("#cancel").click() ?? true`)
	p.state("ready", 1)
	if doc := p.analysis(); len(doc.Inputs) != 0 || len(doc.Sessions) != 0 {
		t.Errorf("after the cancel %d inputs and %d sessions are open", len(doc.Inputs), len(doc.Sessions))
	}

	begun := time.Now()
	p.drop(dir)
	p.state("done", 2)
	took := time.Since(begun)
	total := p.memory()
	t.Logf("opened 1 GB in %d files within %.1f s and %d MB", files, took.Seconds(), total/1e6)
	if total >= 300e6 {
		t.Errorf("the page and its workers take %d MB, want less than 300", total/1e6)
	}
	counts := eval[[]int](p, `contextscope.analysis().then((a) => [a.inputs.length, a.sessions.length,
		a.inputs.reduce((n, i) => n + (i.format ? i.records : 0), 0)])`)
	if counts[0] != files+1 || counts[1] != files || counts[2] != records {
		t.Errorf("%d inputs, %d sessions and %d records are open, want %d, %d and %d", counts[0], counts[1], counts[2], files+1, files, records)
	}
	if p.text(".trouble") != "" {
		t.Errorf("what a folder holds beside its journals is shown as an error: %s", p.text(".trouble"))
	}
	p.button("Files")
	p.until(`document.querySelector("#files-title")?.innerText === "2,001 files, 1 not opened"`)
	if got := p.text("#left-out"); got != "2 files of other kinds in the folders were left out." {
		t.Errorf("the Files tab says %q", got)
	}
	p.calm()
}
