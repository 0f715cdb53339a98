package browsertests

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// The page writes the bytes of the runner, and what is ticked goes in; by the keyboard alone.
func TestThePageSharesWhatTheRunnerWrites(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7", 4)
	path := write(t, "session.jsonl", claudeLines("11111111-2222-4333-8444-555555555555", "Deploy the gateway with "+token, 12)...)
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(path)
	p.state("done", 1)
	eval[bool](p, `(navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true)`)
	p.until(sample)
	if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeRawKeyDown, Key: "s", Code: "KeyS", WindowsVirtualKeyCode: 83, Modifiers: 2}); err != nil {
		t.Fatal(err)
	}
	p.until(`document.querySelector("#share").open`)
	copied := func() string {
		p.until(`!document.querySelector("#share-save").disabled && document.querySelector("#share-preview").textContent.length > 50`)
		eval[bool](p, settled) // what was chosen last is on its way
		p.until(`!document.querySelector("#share-save").disabled && document.querySelector("#share-preview").textContent.length > 50`)
		eval[bool](p, `(copied = "", [...document.querySelectorAll("#share button")].find((b) => b.textContent.startsWith("Cop")).click(), true)`)
		p.until(`window.copied`)
		return eval[string](p, `copied`)
	}
	tick := func(id string) {
		p.focus("#share-" + id)
		p.keys(" ")
		p.until(`document.querySelector("#share-` + id + `").checked`)
	}
	if got, want := copied(), string(runReport(t, path)); got != want {
		t.Errorf("the page's report has %d bytes, the runner's %d, and they differ", len(got), len(want))
	}
	tick("titles")
	tick("paths")
	got := copied()
	if want := string(runReport(t, "--include", "titles,paths", path)); got != want {
		t.Errorf("with titles and paths the page's report has %d bytes, the runner's %d, and they differ", len(got), len(want))
	}
	if !strings.Contains(got, "Deploy the gateway with [masked: GitHub token]") || strings.Contains(got, token) || strings.Contains(got, "/home/ada") || !strings.Contains(got, "[masked: home]/project/file0.go") {
		t.Error("a title or a path is not as it was chosen")
	}
	if size := p.text("#share-size"); !strings.Contains(size, "masked") {
		t.Errorf("the size is told as %q", size)
	}
	for form, begins := range map[string]string{"requests.csv": "request,at,model,", "snapshots.csv": "sample,request,kind,", "changes.csv": "sample,request,at,change,", "compactions.csv": "number,kind,", "json": "{\n", "summary": "### Deploy", "svg": "<svg "} {
		eval[bool](p, `(s = document.querySelector("#share-form"), s.value = `+quoted(form)+`, s.dispatchEvent(new Event("change", {bubbles: true})), true)`)
		p.until(`document.querySelector("#share-preview").textContent.startsWith(` + quoted(begins) + `)`)
		if text := copied(); strings.Contains(text, token) || strings.Contains(text, "/home/ada") {
			t.Errorf("%s passes on what is to be masked", form)
		} else if form == "requests.csv" && strings.Count(text, "\r\n") != 13 {
			t.Errorf("12 requests make %d lines", strings.Count(text, "\r\n"))
		}
	}
	p.keys(kb.Escape)
	p.until(`!document.querySelector("#share").open && document.querySelector("#share-preview") === null`)
	p.calm()
}

// The chart is saved as a picture: twice as large as it is, on white, with the colours of its categories.
func TestTheChartBecomesAPicture(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.button("Try an example")
	p.until(sample)
	eval[bool](p, `(HTMLAnchorElement.prototype.click = function () { window.savedAs = [this.download, this.href]; }, document.querySelector("#open-share").click(), true)`)
	p.until(`document.querySelector("#share-form")`)
	eval[bool](p, `(s = document.querySelector("#share-form"), s.value = "png", s.dispatchEvent(new Event("change", {bubbles: true})), true)`)
	p.until(`document.querySelector("#share-preview").textContent.startsWith("The chart as a picture") && !document.querySelector("#share-save").disabled`)
	eval[bool](p, `document.querySelector("#share-save").click() ?? true`)
	p.until(`window.savedAs`)
	got := eval[[]string](p, `savedAs`)
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(got[1], "data:image/png;base64,"))
	if err != nil || !strings.HasSuffix(got[0], ".png") {
		t.Fatalf("%s %v", got[0], err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	size := picture.Bounds().Size()
	colours := map[color.Color]int{}
	for y := range size.Y {
		for x := range size.X {
			colours[picture.At(x, y)]++
		}
	}
	white, results := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0x7e, 0xad, 0x7f, 255}
	same := func(want color.NRGBA) (n int) {
		for c, k := range colours {
			if color.NRGBAModel.Convert(c) == want {
				n += k
			}
		}
		return n
	}
	if size.X != 1720 || size.Y < 600 || same(white) < size.X*size.Y/4 || same(results) < size.X*size.Y/20 {
		t.Errorf("%v, %d white, %d of the colour of tool results", size, same(white), same(results))
	}
	p.calm()
}

// A report that can be worked with opens from disk with its session, reads no other file, and can be dropped on the app.
func TestAReportToWorkWith(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7", 4)
	path := write(t, "session.jsonl", claudeLines("11111111-2222-4333-8444-555555555555", "Deploy the gateway with "+token, 12)...)
	html := runReport(t, "--interactive", "--include", "titles", path)
	if again := runReport(t, "--interactive", "--include", "titles", path); !bytes.Equal(html, again) {
		t.Error("the second report differs")
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: file}).String()))
	p.state("done", 1)
	p.until(sample + ` && document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
	samples := p.estimates()
	plain := newTab(t)
	plain.open(newSite(t).home())
	plain.choose(path)
	plain.state("done", 1)
	if want := plain.estimates(); fmt.Sprint(samples) != fmt.Sprint(want) {
		t.Errorf("the report has the samples %v, the journal %v", samples, want)
	}
	if title := eval[string](p, `document.title`); !strings.HasPrefix(title, "Deploy the gateway with [masked: GitHub token]") {
		t.Errorf("the title is %q", title)
	}
	p.calm()
	plain.choose(file)
	plain.state("done", 2)
	plain.until(`contextscope.analysis().then((a) => a.sessions.length === 2 && a.inputs[1].compression === "report+gzip")`)
	plain.calm()
}
