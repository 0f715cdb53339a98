package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// assemble makes dist/ anew. The old one stays until everything that can fail on a mistake in the sources has succeeded.
func assemble() error {
	program, err := compile()
	if err != nil {
		return err
	}
	assets, err := smallAssets()
	if err != nil {
		return err
	}
	assets["contextscope.wasm"] = program
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dist, "assets"), 0o755); err != nil {
		return err
	}
	for name, content := range assets {
		if err := put(filepath.Join("assets", name), content); err != nil {
			return err
		}
	}
	page, err := os.ReadFile("index.html")
	if err != nil {
		return err
	}
	if err := put("index.html", page); err != nil {
		return err
	}
	worker, err := offline(page, assets)
	if err != nil {
		return err
	}
	if err := put("sw.js", worker); err != nil {
		return err
	}
	runner, err := os.ReadFile("assets/contextscope.mjs")
	if err != nil {
		return err
	}
	if err := put("contextscope.mjs", runner); err != nil {
		return err
	}
	single, err := oneFile(page, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dist, name)) })
	if err != nil {
		return err
	}
	if err := put("contextscope.html", single); err != nil {
		return err
	}
	return weigh()
}

// offline is the service worker: it lists the files that the page loads, and has a new name whenever one of them changes.
func offline(page []byte, assets map[string][]byte) ([]byte, error) {
	source, err := os.ReadFile("assets/sw.js")
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(page)
	list := []string{`"./"`}
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		if name == "licenses.txt" || name == "analysis.schema.json" {
			continue // no part of the page
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(assets[name]))
		sum.Write(assets[name])
		list = append(list, fmt.Sprintf("%q", "assets/"+name))
	}
	source = bytes.Replace(source, []byte(`"VERSION"`), fmt.Appendf(nil, "%q", "contextscope-"+hex.EncodeToString(sum.Sum(nil)[:8])), 1)
	return shorten(bytes.Replace(source, []byte(`["FILES"]`), []byte("["+strings.Join(list, ", ")+"]"), 1)), nil
}

func put(name string, content []byte) error {
	return os.WriteFile(filepath.Join(dist, name), content, 0o644)
}

// hot are the packages that a journal's bytes go through, with what they stand on. Only they are compiled with inlining:
// everywhere else it makes the program a tenth larger to download and, as measured, not faster.
var hot = []string{
	"contextscope/core/jsonl", "contextscope/core/journal", "contextscope/core/facts", "contextscope/core/composition", "contextscope/core/unpack", "bytes",
	"unicode/utf8",
	"runtime", "internal/runtime/...", "internal/abi", "internal/bytealg", "internal/byteorder", "internal/chacha8rand",
	"internal/cpu", "internal/goarch", "internal/stringslite",
}

// compile builds the program for browsers and Node, without paths, times or anything else that differs by machine. The
// tag chooses, in Vugu's JSON package, its own small reader over the one of the standard library, which nothing else in
// the program needs.
func compile(tags ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "contextscope-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"build", "-trimpath", "-buildvcs=false", "-tags=" + strings.Join(append(tags, "tinygo"), ","), "-ldflags=-s -w -buildid=", "-gcflags=all=-l"}
	for _, packages := range hot {
		args = append(args, "-gcflags="+packages+"=")
	}
	path := filepath.Join(dir, "contextscope.wasm")
	cmd := exec.Command("go", append(args, "-o", path, "./wasm")...)
	// Go 1.26's new collector of garbage is the larger one, and on one thread not the faster one.
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOEXPERIMENT=nogreenteagc")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return program, dropLines(program)
}

// smallAssets gives everything under dist/assets but the program, by name.
func smallAssets() (map[string][]byte, error) {
	assets := map[string][]byte{}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	vugu, err := output("go", "list", "-m", "-f", "{{.Dir}}", "github.com/vugu/vugu")
	if err != nil {
		return nil, err
	}
	for name, path := range map[string]string{
		"wasm_exec.js": filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"),
		"renderer.js":  filepath.Join(vugu, "domrender", "renderer-js-script.js"),
		"boot.js":      "assets/boot.js",
		"worker.js":    "assets/worker.js",
	} {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		assets[name] = shorten(source)
	}
	for _, name := range []string{"shell.css", "style.css", "analysis.schema.json"} {
		if assets[name], err = os.ReadFile(filepath.Join("assets", name)); err != nil {
			return nil, err
		}
	}
	if assets["example.json.gz"], err = packExample("assets/example"); err != nil {
		return nil, err
	}
	assets["licenses.txt"], err = licenses()
	return assets, err
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// example is what boot.js unpacks: the distinct lines of all files, and each file as steps through them. A step of 0 goes
// to the next line. Transcripts repeat what was read long before, further back than gzip looks.
type example struct {
	Lines []string      `json:"lines"`
	Files []exampleFile `json:"files"`
}

type exampleFile struct {
	Path  string `json:"path"`
	Steps []int  `json:"steps"`
}

// packExample puts the example's journals into one compressed part.
func packExample(dir string) ([]byte, error) {
	e := example{Lines: []string{}, Files: []exampleFile{}}
	places := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".md") || strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, path)
		file := exampleFile{Path: filepath.ToSlash(inside)}
		at := -1
		for _, line := range strings.SplitAfter(string(text), `\n`) { // lines inside of a record's strings
			place, known := places[line]
			if !known {
				place = len(e.Lines)
				places[line] = place
				e.Lines = append(e.Lines, line)
			}
			file.Steps = append(file.Steps, place-at-1)
			at = place
		}
		e.Files = append(e.Files, file)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return pack(text)
}

// pack compresses as well as gzip can, with no time and no name in it.
func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// The budget of what a person downloads.
const (
	mostSite    = 2_500_000 // all of the site, each file compressed by gzip
	mostOneFile = 3_450_000
)

// weigh prints what was built and holds it against the budget.
func weigh() error {
	site, single := 0, 0
	err := filepath.WalkDir(dist, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		packed, err := pack(content)
		if err != nil {
			return err
		}
		switch filepath.Base(path) {
		case "contextscope.html":
			single = len(content)
		case "contextscope.mjs", "licenses.txt":
		default:
			site += min(len(packed), len(content))
		}
		fmt.Printf("%-34s %9d bytes %9d gzipped\n", path, len(content), len(packed))
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("%-34s %25d gzipped\n", "the site in all", site)
	if site > mostSite {
		return fmt.Errorf("the site has %d bytes compressed, %d are allowed", site, mostSite)
	}
	if single > mostOneFile {
		return fmt.Errorf("the one-file page has %d bytes, %d are allowed", single, mostOneFile)
	}
	return nil
}
