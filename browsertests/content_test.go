package browsertests

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// separated writes a number as the page does.
func separated(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// focus puts the keyboard on an element.
func (p *tab) focus(selector string) {
	p.Helper()
	p.until(`document.querySelector(` + quoted(selector) + `)`)
	eval[bool](p, `(document.querySelector(`+quoted(selector)+`).focus(), true)`)
}

func (p *tab) keys(keys ...string) {
	p.Helper()
	for _, k := range keys {
		p.do(chromedp.KeyEvent(k))
	}
}

// shortcut presses a key that is no text: as a keyboard does, with the character only where nobody took the key.
func (p *tab) shortcut(key string) {
	p.Helper()
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
		text := key
		if kind == input.DispatchKeyEventTypeKeyUp {
			text = ""
		}
		if _, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Text: text}); err != nil {
			p.Fatal(err)
		}
	}
}

// Under the chart stand the groups and two samples, by the keyboard alone. What all requests carried is the sum of the document's
// estimates of them.
func TestWhereItWentAndTwoSamples(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	sum := eval[int64](p, `contextscope.analysis().then((a) => a.sessions[0].snapshots.filter((s) => s.event.kind === "request").reduce((n, s) => n + s.estimated_tokens, 0))`)
	if sum < 1000 {
		t.Fatalf("the requests carried %d tokens", sum)
	}
	p.focus("#lower-spread")
	p.keys(kb.Enter)
	p.until(`document.querySelector("[data-testid=spread] tbody tr")`)
	if got := p.text(".spread .sub"); !strings.HasPrefix(got, "12 requests carried "+separated(sum)+" estimated tokens in all") {
		t.Errorf("%s, want %s", got, separated(sum))
	}
	// By file each of the twelve has a group of its own, of which the newest was carried by no request.
	p.focus(".spread .switch button:nth-child(3)")
	p.keys(kb.Enter)
	p.until(`document.querySelectorAll("[data-testid=spread] tbody tr").length === 12`)
	p.focus("[data-testid=spread] th:first-child .sort")
	p.keys(kb.Enter)
	p.until(`document.querySelector("[data-testid=spread] th:first-child").ariaSort === "ascending"`)
	if got := p.text("[data-testid=spread] tbody tr .spread-name"); got != "file0.go" {
		t.Errorf("the first file is %q", got)
	}
	p.focus("#lower-between")
	p.keys(kb.Enter)
	p.until(`document.querySelector("[data-testid=between] tbody tr")`)
	p.focus("#between-from")
	eval[bool](p, `(document.querySelector("#between-from").select(), true)`)
	p.keys("2", kb.Tab) // the first sample is that of the beginning
	p.until(`document.querySelector(".between .sub").textContent.startsWith("Request 1 → Request 12")`)
	if got := p.text(".sums"); !strings.Contains(got, "All 22") || !strings.Contains(got, "Added 22") || !strings.Contains(got, "Removed 0") {
		t.Errorf("eleven calls and their results came in between: %s", got)
	}
	p.calm()
}

// Sessions are found, walked through and opened by keys.
func TestSessionsByTheKeyboard(t *testing.T) {
	var files []string
	for i, title := range []string{"Paint the shed", "Mend the fence", "Mow the lawn"} {
		files = append(files, write(t, fmt.Sprintf("s%d.jsonl", i), claudeLines(fmt.Sprintf("%d1111111-2222-4333-8444-555555555555", i), title, 3+2*i)...))
	}
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(files...)
	p.state("done", 1)
	p.shortcut("/")
	p.until(`document.activeElement?.id === "session-find"`)
	p.keys("t", "h", "e", " ", "f")
	p.until(`document.querySelectorAll("[data-testid=session]").length === 1`)
	if got := p.text("#sessions-title"); got != "1 of 3 sessions" {
		t.Error(got)
	}
	p.keys(kb.Tab, kb.Tab) // to the head of the table, where letters are no text
	p.keys("j")
	p.until(`document.activeElement?.id === "session-row-0"`)
	p.keys(kb.Enter)
	p.until(`document.title.startsWith("Mend the fence")`)
	p.until(`document.querySelector(".foot")?.textContent.startsWith("5 requests")`)
	p.keys("?")
	p.until(`document.querySelector("#help").open`)
	p.keys(kb.Escape)
	p.until(`!document.querySelector("#help").open`)
	p.calm()
}

// Nothing jumps about while a file is opened: what comes later has its room.
func TestNothingJumpsWhileAFileOpens(t *testing.T) {
	p := newTab(t, `window.shifts = [];
		new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) shifts.push([e.value, ...e.sources.map((s) => s.node?.nodeName + "." + (s.node?.className ?? ""))].join(" ")); }).observe({type: "layout-shift", buffered: true});
		window.shifted = () => shifts.reduce((n, s) => n + parseFloat(s), 0);`)
	p.open(newSite(t).home())
	loading := eval[float64](p, `shifted()`)
	p.button("Try an example")
	p.until(`document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
	eval[bool](p, settled)
	if n := eval[float64](p, `shifted()`) - loading; n > 0.1 || loading > 0.02 {
		t.Errorf("the page shifted by %.3f while it loaded and %.3f while the example was opened: %s", loading, n, eval[string](p, `shifts.join("\n")`))
	}
	p.calm()
}

// The keyboard keeps a place when the control that was pressed goes away.
func TestTheFocusIsNeverLost(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	at := func(id string) { p.until(`document.activeElement?.id === ` + quoted(id)) }
	p.focus("#try-example")
	p.keys(kb.Enter)
	p.until(sample)
	at("tab-context")
	p.choose(write(t, "notes.txt", "no journal"))
	p.until(`document.querySelector(".trouble")`)
	p.focus(".trouble-acts button:last-child")
	p.keys(kb.Enter)
	at("tab-context")
	p.focus(".acts button:last-child")
	p.keys(kb.Enter)
	at("open-files-button")
	p.calm()
}
