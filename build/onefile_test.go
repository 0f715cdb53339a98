package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakes are stand-ins for what dist/ holds.
func fakes(name string) ([]byte, error) {
	switch filepath.Ext(name) {
	case ".wasm":
		return []byte("\x00asm program"), nil
	case ".gz":
		return pack([]byte("[]"))
	}
	return []byte("/* " + name + " */\n"), nil
}

func indexPage(t *testing.T) []byte {
	t.Helper()
	page, err := os.ReadFile("../index.html")
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestOneFileLoadsNothing(t *testing.T) {
	page, err := oneFile(indexPage(t), fakes)
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(src|href)="[^d#]`).Find(page); found != nil {
		t.Errorf("the page still has %s", found)
	}
	if bytes.Contains(page, []byte("'self'")) {
		t.Error("the policy allows files beside the page")
	}
}

func TestOneFileAllowsWhatItHoldsByHash(t *testing.T) {
	page, err := oneFile(indexPage(t), fakes)
	if err != nil {
		t.Fatal(err)
	}
	policy := string(policyTag.Find(page))
	inline := regexp.MustCompile(`(?s)<(script|style)([^>]*)>(.*?)</`)
	count := 0
	for _, m := range inline.FindAllSubmatch(page, -1) {
		if strings.Contains(string(m[2]), "type=") {
			continue
		}
		count++
		if !strings.Contains(policy, hash(m[3])) {
			t.Errorf("the policy does not allow %s", m[3])
		}
	}
	if count != 5 {
		t.Errorf("%d scripts and styles, want three and two", count)
	}
}

func TestOneFileKeepsTheProgramPacked(t *testing.T) {
	page, err := oneFile(indexPage(t), fakes)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`id="program"[^>]*>([^<]*)<`).FindSubmatch(page)
	if m == nil {
		t.Fatal("the program is missing")
	}
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	if program, err := io.ReadAll(r); err != nil || string(program) != "\x00asm program" {
		t.Errorf("got %q, %v", program, err)
	}
}

func TestOneFileRefusesWhatWouldEndItsElement(t *testing.T) {
	for _, bad := range []string{`x = "</script>"`, `x = "<!--"`, "x\r\n"} {
		_, err := oneFile(indexPage(t), func(name string) ([]byte, error) {
			if strings.HasSuffix(name, "boot.js") {
				return []byte(bad), nil
			}
			return fakes(name)
		})
		if err == nil {
			t.Errorf("took %q", bad)
		}
	}
	missing := errors.New("not there")
	if _, err := oneFile(indexPage(t), func(string) ([]byte, error) { return nil, missing }); !errors.Is(err, missing) {
		t.Errorf("got %v", err)
	}
}

func TestShortenDropsOnlyWholeLines(t *testing.T) {
	const in = "// why\n\tlet a = 1; // stays\n\n\t\t/*DEBUG*/ console.log(a);\n\ta /* b */\n"
	if got, want := string(shorten([]byte(in))), "let a = 1; // stays\na /* b */\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheExampleKeepsItsPaths(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"b/two.jsonl": "{\"a\":\"x\\ny\\nx\\n\"}\n", "one.jsonl": "<é>y\\n\n"}
	for name, text := range want {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("not a journal"), 0o644); err != nil {
		t.Fatal(err)
	}
	packed, err := packExample(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := packExample(dir)
	if err != nil || !bytes.Equal(packed, again) {
		t.Errorf("equal files give other bytes, %v", err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var e example
	if err := json.NewDecoder(r).Decode(&e); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range e.Files {
		at := -1
		for _, step := range f.Steps {
			at += step + 1
			got[f.Path] += e.Lines[at]
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
