// Package browsertests drives dist/ in a real headless Chromium: served over http under a sub-path, and as one file from
// disk. The tests rely only on the hooks that the project promises to the outside. Build dist/ first; ./build.sh test
// does both.
package browsertests

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is the one browser of all tests; each test has a tab of its own.
var browser context.Context

// dist is what is tested.
var dist string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if dist, err = filepath.Abs("../dist"); err == nil {
		_, err = os.Stat(filepath.Join(dist, "index.html"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist/ has not been built:", err)
		return 1
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("enable-blink-features", "ForceEagerMeasureMemory")) // memory is measured at once, not some day
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	var closeBrowser context.CancelFunc
	browser, closeBrowser = chromedp.NewContext(allocator)
	defer closeBrowser()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "Chromium does not start:", err)
		return 1
	}
	return m.Run()
}

// patience is how long a test waits for anything.
const patience = 60 * time.Second

// tab is a page of a test.
type tab struct {
	testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string // exceptions and errors in the console
}

// watchPolicy notes what a policy of the page has blocked.
const watchPolicy = `
window.violations = [];
addEventListener("securitypolicyviolation", (e) => violations.push(e.effectiveDirective + " blocked " + e.blockedURI + " " + e.sample));
`

// newTab opens an empty tab. before are scripts that run in each document before any of its own.
func newTab(t testing.TB, before ...string) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser)
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, 3*patience)
	t.Cleanup(cancel)
	p := &tab{TB: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.problem(fmt.Sprintf("exception: %s %v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			if e.Type == "error" {
				text, _ := json.Marshal(e.Args)
				p.problem("console: " + string(text))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range append(before, watchPolicy) {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *tab) problem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, text)
}

// calm fails the test if a script failed, wrote an error to the console, or tried what a policy forbids.
func (p *tab) calm() {
	p.Helper()
	for _, violation := range eval[[]string](p, "violations") {
		p.Error(violation)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.Error(problem)
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// eval evaluates an expression; a promise is awaited.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until waits for an expression to become true.
func (p *tab) until(expression string) {
	p.Helper()
	end := time.Now().Add(patience)
	for !eval[bool](p, "!!("+expression+")") {
		if time.Now().After(end) {
			p.Fatalf("never came true: %s\nthe page says:\n%s", expression, p.text("body"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// state waits until the app stands at a state in a run.
func (p *tab) state(state string, run int) {
	p.Helper()
	p.until(fmt.Sprintf(`document.documentElement.dataset.state === %q && document.documentElement.dataset.run === "%d"`,
		state, run))
}

// open goes to an address and waits until the app is ready.
func (p *tab) open(address string) {
	p.Helper()
	p.do(chromedp.Navigate(address))
	p.state("ready", 0)
}

func (p *tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector))
}

// choose puts files into the file input, as a person does by the system's picker.
func (p *tab) choose(paths ...string) {
	p.Helper()
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#open-files"), paths))
}

// drop drags files or folders over the page and lets go of them.
func (p *tab) drop(paths ...string) {
	p.Helper()
	p.drag(paths, input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver,
		input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop)
}

func (p *tab) drag(paths []string, kinds ...input.DispatchDragEventType) {
	p.Helper()
	const copies = 1
	for _, kind := range kinds {
		_, err := chromedp.Call(p.ctx, input.DispatchDragEvent, input.DispatchDragEventParams{
			Type: kind, X: 200, Y: 200,
			Data: &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: copies},
		})
		if err != nil {
			p.Fatal(err)
		}
		// The browser has to hear from the page that it takes the files before they may be dropped.
		time.Sleep(50 * time.Millisecond)
	}
}

// document is the Analysis document of what is open.
type document struct {
	Schema string `json:"schema"`
	Inputs []struct {
		Name   string `json:"name"`
		Format string `json:"format"`
		Bytes  int64  `json:"bytes"`
	} `json:"inputs"`
	Sessions []struct {
		ID        string            `json:"id"`
		Harness   string            `json:"harness"`
		Parent    string            `json:"parent"`
		Requests  []json.RawMessage `json:"requests"`
		Snapshots []struct {
			EstimatedTokens int64 `json:"estimated_tokens"`
			ReportedTokens  int64 `json:"reported_tokens"`
		} `json:"snapshots"`
	} `json:"sessions"`
}

func (p *tab) analysis() document {
	p.Helper()
	return eval[document](p, "contextscope.analysis()")
}

// write makes a file for a test and gives its path.
func write(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
