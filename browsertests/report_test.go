package browsertests

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// runner runs the headless runner.
func runReport(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("node", append([]string{filepath.Join(dist, "contextscope.mjs"), "report"}, args...)...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	return out.Bytes()
}

// A report runs nothing, whatever a journal holds, and shows it as text.
func TestAReportRunsNothing(t *testing.T) {
	hostile := `Please fix </script><script>window.hacked=1</script><img src=x onerror=window.hacked=1><a href="javascript:hacked=1">x</a>]]>‮` + `"><svg onload=hacked=1>`
	lines := claudeLines("11111111-2222-4333-8444-555555555555", hostile+strings.Repeat("title ", 200_000), 6)
	lines[1] = strings.Replace(lines[1], "/home/ada/project/file0.go", `/tmp/<img src=x onerror=hacked=1>`+strings.Repeat("/deep", 20), 1)
	path := write(t, "hostile.jsonl", lines...)
	for _, include := range []string{"titles,paths,prompts,facts,records", ""} {
		args := []string{path}
		if include != "" {
			args = []string{"--include", include, path}
		}
		html := runReport(t, args...)
		file := write(t, "report"+include[:min(len(include), 1)]+".html", string(html))
		for _, tag := range []string{"<script", "<img", "<a ", "<iframe", "<link", "<svg onload", "style="} {
			if bytes.Contains(html, []byte(tag)) {
				t.Errorf("the report has %s", tag)
			}
		}
		if len(html) > 200_000 {
			t.Errorf("the report has %d bytes", len(html))
		}
		p := newTab(t)
		p.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
		p.until(`document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
		if eval[bool](p, `"hacked" in window || document.scripts.length > 0 || document.querySelector("img, a, iframe, [onerror], [onload]") !== null`) {
			t.Error("what a journal holds became part of the page")
		}
		if shown := strings.Contains(p.text("h1"), "<script>window.hacked=1</script>"); shown != (include != "") {
			t.Errorf("with %q the title is %.80s", include, p.text("h1"))
		}
		if n := eval[int](p, `document.querySelectorAll("button, input, select, dialog").length`); n > 0 {
			t.Errorf("%d controls are in the report", n)
		}
		p.calm()
	}
}

// A report is small, complete and the same each time, and breaks no rule of axe-core.
func TestAReportOf500Samples(t *testing.T) {
	path := write(t, "long.jsonl", claudeLines("11111111-2222-4333-8444-555555555555", "Please read the files", 500)...)
	html := runReport(t, path)
	if len(html) >= 200_000 || len(html) < 60_000 {
		t.Errorf("the report of 500 samples has %d bytes", len(html))
	}
	if again := runReport(t, path); !bytes.Equal(html, again) {
		t.Error("the second report differs")
	}
	for _, want := range []string{"default-src 'none'", "How every number is made", "Largest additions", "Where the context went", "500 requests carried", "Limits."} {
		if !bytes.Contains(html, []byte(want)) {
			t.Errorf("%q is missing", want)
		}
	}
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: write(t, "report.html", string(html))}).String()))
	p.until(`document.querySelector("#context-chart svg") && document.querySelector("#capacity-bar svg") && document.querySelector("#spread-map svg")`)
	p.calm()
	eval[bool](p, string(source)+`; true`)
	for _, scheme := range []string{"light", "dark"} {
		p.look(scheme, 1000)
		for _, wrong := range eval[[]string](p, axe) {
			t.Errorf("%s: %s", scheme, wrong)
		}
	}
}
