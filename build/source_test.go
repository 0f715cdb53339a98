package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rule forbids something in the sources that no policy of the browser can stop, or that would weaken one.
type rule struct {
	why     string
	pattern *regexp.Regexp
	in      *regexp.Regexp            // files that it concerns, all when nil
	allowed map[string]*regexp.Regexp // lines of a file that may
}

var script = regexp.MustCompile(`\.(js|mjs|html|vugu|go)$`)

var rules = []rule{
	{
		why:     "opens a window, which no policy can stop",
		pattern: regexp.MustCompile(`window\.open\b|[wW]indow, "open"|_blank`),
	}, {
		why:     "leaves the page, which no policy can stop",
		pattern: regexp.MustCompile(`\blocation\s*=[^=]|location\.(href|assign|replace|search)|"location"|http-equiv="refresh"`),
		allowed: map[string]*regexp.Regexp{"wasm/page/place.go": regexp.MustCompile(`hash := dom\.String\(dom\.Get\(p\.window, "location", "hash"\)\)`)}, // reads it
	}, {
		why:     "speaks WebRTC, which no policy can stop",
		pattern: regexp.MustCompile(`RTC[A-Z]\w+`),
		allowed: map[string]*regexp.Regexp{"assets/boot.js": regexp.MustCompile(`delete window\[name\];`)},
	}, {
		why:     "weakens the policy",
		pattern: regexp.MustCompile(`'unsafe-(eval|inline|hashes)'`),
	}, {
		why:     "runs text as code",
		pattern: regexp.MustCompile(`(^|[^-\w])eval\b|new Function|"Function"|javascript:`),
		in:      regexp.MustCompile(`^(assets|wasm|ui)/|^index\.html$`),
		allowed: map[string]*regexp.Regexp{"assets/boot.js": regexp.MustCompile(`window\.eval = \(\) => \{\};|^\s*//`)},
	}, {
		why: "makes elements out of text",
		pattern: regexp.MustCompile(`(inner|outer)HTML|insertAdjacentHTML|document\.write|createContextualFragment|` +
			`setHTMLUnsafe|DOMParser|vg-html`),
	}, {
		why:     "hands text to Vugu as HTML",
		pattern: regexp.MustCompile(`vugu\.HTML\([^"]`),
	}, {
		why:     "has a style attribute, which the second policy forbids",
		pattern: regexp.MustCompile(`[<\s"]style=["'{]|"style":`),
		in:      regexp.MustCompile(`\.(html|vugu)$|^ui/chart/`),
	}, {
		why:     "could send or load something",
		pattern: regexp.MustCompile(`\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|EventSource|importScripts|WebTransport`),
		in:      regexp.MustCompile(`^(assets|wasm|ui)/.*\.(go|js|mjs|vugu)$`),
		allowed: map[string]*regexp.Regexp{
			"assets/boot.js": regexp.MustCompile(`await fetch\(element\.src\);`),
			// One of the site's own files, for a page that asked for it.
			"assets/sw.js": regexp.MustCompile(`^addEventListener\("fetch", |\(hit\) => hit \?\? fetch\(event\.request\)\)\);`),
		},
	}, {
		why:     "touches JavaScript outside of wasm/",
		pattern: regexp.MustCompile(`"syscall/js"|hack-pad/safejs"`),
		in:      regexp.MustCompile(`^(core|adapters|ui|build)/.*\.go$`),
	},
}

// sources are the files that become part of the product, by their path below the root.
func sources(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := ".."
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			switch name {
			case ".git", "dist", "browsertests", "build":
				return fs.SkipDir
			}
			return nil
		}
		if !script.MatchString(name) || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("found only %d sources", len(found))
	}
	return found
}

func TestSourcesKeepThePromiseOfSilence(t *testing.T) {
	for name, text := range sources(t) {
		for _, broken := range breaches(name, text) {
			t.Error(broken)
		}
	}
}

// breaches lists the lines of a file that break a rule.
func breaches(name, text string) []string {
	var found []string
	for _, r := range rules {
		if r.in != nil && !r.in.MatchString(name) {
			continue
		}
		for line := range strings.Lines(text) {
			if !r.pattern.MatchString(line) || r.allowed[name] != nil && r.allowed[name].MatchString(line) {
				continue
			}
			found = append(found, name+" "+r.why+": "+strings.TrimSpace(line))
		}
	}
	return found
}

func TestTheRulesCanBeBroken(t *testing.T) {
	for _, line := range []string{
		`window.open(url)`,
		`dom.Call(p.window, "open", url)`,
		`location = url`,
		`location.href = url`,
		`dom.Set(p.window, "location", url)`,
		`new RTCPeerConnection()`,
		`policy = "script-src 'unsafe-eval'"`,
		`eval(text)`,
		`el.innerHTML = text`,
		`dom.Set(el, "innerHTML", text)`,
		`vgn.SetInnerHTML(vugu.HTML(c.title()))`,
		`fetch("https://example.org")`,
		`navigator.sendBeacon(url)`,
	} {
		if len(breaches("wasm/page/page.go", line)) == 0 {
			t.Errorf("no rule forbids %s", line)
		}
	}
	for _, line := range []string{
		`script-src 'wasm-unsafe-eval'`,
		`vgn.SetInnerHTML(vugu.HTML("Category"))`,
		`row.Location = place`,
	} {
		if found := breaches("wasm/page/page.go", line); len(found) > 0 {
			t.Error(found)
		}
	}
}
