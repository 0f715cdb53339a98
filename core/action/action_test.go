package action

import (
	"strings"
	"testing"
)

func expect(t *testing.T, name, detail, want string) {
	t.Helper()
	kind, path := Classify(name, detail)
	if got := strings.TrimSpace(kind.String() + " " + path); got != want {
		t.Errorf("%s %q: %q, want %q", name, detail, got, want)
	}
}

// W35: the tools and commands by which agents read and write, whatever they are called.
func TestW35ReadsAndWritesAreKnownByToolAndCommand(t *testing.T) {
	for _, c := range [][3]string{
		{"Read", "src/a.py", "read src/a.py"},
		{"read_file", "a.txt", "read a.txt"},
		{"mcp__filesystem__read_text_file", "/w/a", "read /w/a"},
		{"NotebookEdit", "/w/n.ipynb", "write /w/n.ipynb"},
		{"notebook_edit", "n.ipynb", "write n.ipynb"},
		{"MultiEdit", "a.go", "write a.go"},
		{"str_replace_based_edit_tool", "a.go", "write a.go"},
		{"apply_patch", "internal/a.go", "write internal/a.go"},
		{"apply_patch", "*** Update File: b.go", "write b.go"},
		{"functions.apply_patch", "b.go", "write b.go"},
		{"Bash", "cat src/a.py", "read src/a.py"},
		{"Bash", "cat 'my file.txt'", "read my file.txt"},
		{"Bash", "sed -n '1,80p' src/a.py", "read src/a.py"},
		{"shell", "sed -n 1,80p src/a.py | head -5", "read src/a.py"},
		{"exec_command", "head -n 20 README.md", "read README.md"},
		{"exec_command", "head -20 README.md", "read README.md"},
		{"exec_command", "cd /w && nl -ba src/a.py | sed -n 1,5p", "read /w/src/a.py"},
		{"exec_command", `bash -lc "cat ./x"`, "read ./x"},
		{"shell", `Get-Content C:\w\a.txt -TotalCount 5`, "read C:\\w\\a.txt"},
		{"Bash", "cat > out.py << 'EOF'", "write out.py"},
		{"Bash", "echo hi >> notes.md", "write notes.md"},
		{"Bash", "sed -i 's/a/b/' src/a.py", "write src/a.py"},
		{"Bash", "cat a.txt && rm b.txt", "write b.txt"},
		{"Bash", "cat a.txt | tee b.txt", "write b.txt"},
		{"Bash", "make build 2>&1 | tail -5", "run"},
		{"Bash", "make build > /dev/null", "run"},
		{"Bash", "go test ./... ; cat log", "run"},
		{"Bash", "FOO=1 sudo cat /etc/hosts", "read /etc/hosts"},
		{"Bash", "", "run"},
		{"Bash", strings.Repeat("x", 200), "run"},
		{"Bash", "cat /w/" + strings.Repeat("x", 160), "read"},
		{"Read", strings.Repeat("x", 150) + "…", "read"},
		{"TodoWrite", "a", "other"},
		{"mcp__linear__list_issues", "", "other"},
		{"write_stdin", "", "wait"},
	} {
		expect(t, c[0], c[1], c[2])
	}
}

// W44: looking around is known behind cd, by its tools, and by the commands that search.
func TestW44ExplorationIsKnownByToolAndCommand(t *testing.T) {
	for _, c := range [][2]string{
		{"Bash", "cd d && ls"}, {"Bash", "ls -la"}, {"Bash", "rg pattern"}, {"Bash", "rg --files"}, {"Bash", "git grep -n x"},
		{"Bash", "git ls-files"}, {"Bash", "fd -e go"}, {"Bash", "find . -name '*.go' | head"}, {"Bash", "tree"}, {"Bash", "grep -rn x src"},
		{"LS", "/w"}, {"Grep", "pattern"}, {"Glob", "**/*.go"}, {"list_dir", "."}, {"mcp__filesystem__list_directory", "/w"},
		{"mcp__filesystem__directory_tree", "/w"}, {"shell", "Get-ChildItem"}, {"exec_command", "bash -lc 'cd x; ls'"},
	} {
		if kind, _ := Classify(c[0], c[1]); kind != Explore {
			t.Errorf("%s %q: %s", c[0], c[1], kind)
		}
	}
	for _, line := range []string{"lsof -i", "cd d", "git status", "make ls"} {
		if kind, _ := Command(line); kind == Explore {
			t.Errorf("%q is no exploration", line)
		}
	}
}

// W35: one file has one path, however it is written.
func TestW35OnePathForAFile(t *testing.T) {
	for _, c := range [][3]string{
		{"/w", "src/a.py", "/w/src/a.py"}, {"/w", "./src/a.py", "/w/src/a.py"}, {"/w", "/w/src/a.py", "/w/src/a.py"},
		{"/w/", "src//x/../a.py", "/w/src/a.py"}, {"", "./src/a.py", "src/a.py"}, {"", "../a", "../a"}, {"/", "../a", "/a"},
		{`C:\w`, `src\a.py`, "c:/w/src/a.py"}, {`c:\w`, `C:\w\src\a.py`, "c:/w/src/a.py"}, {"/w", "~/a", "~/a"}, {"/w", ".", "/w"}, {"", "", ""},
	} {
		if got := Join(c[0], c[1]); got != c[2] {
			t.Errorf("%q from %q is %q, want %q", c[1], c[0], got, c[2])
		}
	}
}

// W35: a call tells of every file that it reads or writes, and of the command that it runs.
func TestW35AllThatACallDoes(t *testing.T) {
	for _, c := range []struct{ name, detail, want string }{
		{"Read", "a.go", "read a.go"}, {"NotebookEdit", "n.ipynb", "write n.ipynb"}, {"mcp__fs__read_file", "e.go", "read e.go"}, {"Grep", "x", ""},
		{"apply_patch", "b.go", "write b.go"}, {"apply_patch", "a b.go, c.go, …", "write a b.go, write c.go"},
		{"Bash", "cat c.go d.go && sed -n '1,9p' e.go | head -3", "run cat c.go d.go && sed -n '1,9p' e.go | head -3, read c.go, read d.go, read e.go"},
		{"shell", "sed -i s/a/b/ f.go", "run sed -i s/a/b/ f.go, write f.go"},
		{"Bash", "cd internal && cat 'my file.go' > /tmp/x 2>/dev/null; rm a.go b.go", "run cd internal && cat 'my file.go' > /tmp/x 2>/dev/null; rm a.go b.go, write /tmp/x, read internal/my file.go, write internal/a.go, write internal/b.go"},
		{"Bash", "# Find the flag\nmake", ""}, {"Bash", "make test", "run make test"}, {"Bash", "cat *.go $FILE", "run cat *.go $FILE"},
		{"Bash", "bash -lc 'cat a.go'", "run bash -lc 'cat a.go', read a.go"}, {"Bash", "git status && cat src/very/long…", "run git status && cat src/very/long…"},
		{"Bash", "FOO=1 sudo cp a.go b.go", "run FOO=1 sudo cp a.go b.go, write b.go"}, {"Frobnicate", "a.go", ""}, {"Read", "", ""}, {"TaskOutput", "x", ""},
	} {
		var got []string
		Acts(c.name, c.detail, func(k Kind, text string) { got = append(got, k.String()+" "+text) })
		if g := strings.Join(got, ", "); g != c.want {
			t.Errorf("%s %q tells %q, want %q", c.name, c.detail, g, c.want)
		}
	}
}

func FuzzClassify(f *testing.F) {
	f.Add("Bash", `cd "a b" && sed -n '1,3p' x\ y > z 2>&1 | tee q; bash -lc "bash -c 'ls'"`)
	f.Add("mcp__x__", "…")
	f.Add("Bash", "cat <")
	f.Fuzz(func(t *testing.T, name, detail string) {
		kind, path := Classify(name, detail)
		if kind > Wait {
			t.Errorf("kind %d", kind)
		}
		Acts(name, detail, func(k Kind, text string) {
			if k > Wait || text == "" {
				t.Errorf("%s %q", k, text)
			}
		})
		if a := Join("/w", path); Join("", a) != a {
			t.Errorf("%q is not in one spelling", a)
		}
	})
}
