package browsertests

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// script is how long the page has run scripts so far, in milliseconds.
func (p *tab) script() float64 {
	p.Helper()
	got, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range got.Metrics {
		if m.Name == "ScriptDuration" {
			return m.Value * 1000
		}
	}
	p.Fatal("the browser does not tell how long scripts run")
	return 0
}

// settled waits for two frames and whatever is due then.
const settled = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 5))))`

// hand measures what one gesture costs, again and again: the scripts of the page, and the time until done holds.
func (p *tab) hand(times int, gesture, done func(i int) string) (script, wall []float64) {
	p.Helper()
	for i := range times {
		before := p.script()
		wall = append(wall, eval[float64](p, `(async () => {
			const begun = performance.now();
			`+gesture(i)+`;
			while (!(`+done(i)+`)) await new Promise((r) => requestAnimationFrame(r));
			const took = performance.now() - begun;
			await `+settled+`;
			return took;
		})()`))
		script = append(script, p.script()-before)
	}
	return script, wall
}

func quantile(v []float64, q float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[min(int(q*float64(len(v))), len(v)-1)]
}

// BenchmarkHand tells what a session of 5,000 samples costs under the hand: scripts for each move of the pointer, each step of the
// cursor and each filter. The last one waits for the worker, which runs beside the page.
func BenchmarkHand(b *testing.B) {
	const samples = 5000
	path := filepath.Join(b.TempDir(), "long.jsonl")
	lines := claudeLines("11111111-2222-4333-8444-555555555555", "Please read the files", samples)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	p := newTab(b)
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	p.open(newSite(b).home())
	p.choose(path)
	p.state("done", 1)
	p.until(`document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`)
	report := func(name string, script []float64) {
		b.ReportMetric(median(script), "script-ms-"+name)
		b.ReportMetric(quantile(script, 0.95), "script-ms-"+name+"-95%")
	}
	key := func(name string) string {
		return `document.querySelector("#context-chart").dispatchEvent(new KeyboardEvent("keydown", {key: "` + name + `", bubbles: true, cancelable: true}))`
	}
	eval[bool](p, `(document.querySelector("#context-chart").focus(), true)`)
	moves, _ := p.hand(60, func(i int) string {
		return fmt.Sprintf(`const box = document.querySelector("#context-chart").getBoundingClientRect();
			document.querySelector("#context-chart").dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: box.x + 80 + %d, clientY: box.y + 100}))`, i*11)
	}, func(int) string { return `document.querySelector("#context-chart .readout")` })
	report("move-the-pointer", moves)
	steps, _ := p.hand(60, func(i int) string { return `window.was = ` + sample + `.textContent; ` + key("ArrowLeft") },
		func(int) string { return sample + `.textContent !== was` })
	report("change-the-sample", steps)
	filters, wall := p.hand(30, func(i int) string {
		return `window.was = document.querySelector("[data-testid=changes] tbody").textContent; const s = document.querySelector("#change-order");
			s.value = ["time", "size"][` + fmt.Sprint(i%2) + `]; s.dispatchEvent(new Event("change", {bubbles: true}))`
	}, func(int) string { return `document.querySelector("[data-testid=changes] tbody").textContent !== was` })
	report("filter", filters)
	b.ReportMetric(median(wall), "ms-until-filtered")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkManySessions tells how long the table of 2,000 sessions takes to be sorted, to be searched and to show another page.
func BenchmarkManySessions(b *testing.B) {
	const sessions = 2000
	path := filepath.Join(b.TempDir(), "many.zip")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	z := zip.NewWriter(file)
	for i := range sessions {
		w, err := z.Create(fmt.Sprintf("projects/s%04d.jsonl", i))
		if err != nil {
			b.Fatal(err)
		}
		fmt.Fprintln(w, strings.Join(claudeLines(fmt.Sprintf("%08x-2222-4333-8444-555555555555", i*2654435761%4294967291), fmt.Sprintf("Task %d", i*7919%sessions), 1+i%5), "\n"))
	}
	z.Close()
	file.Close()
	p := newTab(b)
	if _, err := chromedp.Call(p.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		b.Fatal(err)
	}
	p.open(newSite(b).home())
	p.choose(path)
	p.state("done", 1)
	eval[bool](p, `document.querySelector("#tab-overview").click() ?? true`)
	p.until(`document.querySelectorAll("[data-testid=session]").length === 50`)
	const rows = `document.querySelector(".sessions tbody").textContent`
	report := func(name string, times int, gesture func(i int) string) {
		script, wall := p.hand(times, func(i int) string { return `window.was = ` + rows + `; ` + gesture(i) }, func(int) string { return rows + ` !== was` })
		b.ReportMetric(median(wall), "ms-"+name)
		b.ReportMetric(quantile(wall, 0.95), "ms-"+name+"-95%")
		b.ReportMetric(median(script), "script-ms-"+name)
	}
	report("sort", 20, func(i int) string {
		return fmt.Sprintf(`document.querySelectorAll(".sessions .sort")[%d].click()`, []int{3, 0}[i%2])
	})
	report("page", 20, func(int) string {
		return `[...document.querySelectorAll("#panel-overview .pager button")].find((x) => x.textContent === "Next").click()`
	})
	report("find", 20, func(i int) string {
		return fmt.Sprintf(`const f = document.querySelector("#session-find"); f.value = "Task %d"; f.dispatchEvent(new Event("input", {bubbles: true}))`, 10+i)
	})
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPieces tells how long the pieces are in which the page works while a file of 100 MB is read: by the processor's time of
// each task on the page's thread, from the choice of the file to the finished chart.
func BenchmarkPieces(b *testing.B) {
	path, _, _ := generated(b, 100e6)
	address := newSite(b).home()
	var reading, longest []float64
	for range rounds {
		p := newTab(b, marked)
		p.open(address)
		time.Sleep(time.Second)
		stop := p.trace()
		p.choose(path)
		p.state("done", 1)
		p.until(`document.querySelector("#context-chart svg")`)
		meanwhile, after := stop()
		reading, longest = append(reading, slices.Max(meanwhile)), append(longest, slices.Max(append(meanwhile, after...)))
		p.do(chromedp.Navigate("about:blank"))
	}
	b.ReportMetric(median(reading), "cpu-ms-longest-piece-while-the-worker-reads")
	b.ReportMetric(median(longest), "cpu-ms-longest-piece-until-the-chart-is-there")
	b.ReportMetric(0, "ns/op")
}

// marked puts a mark into a trace when the analysis is done.
const marked = `
new MutationObserver((_, observer) => {
	if (document.documentElement?.dataset.state !== "done") return;
	performance.mark("analysed");
	observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
`

// trace follows the tasks of the page's thread; the function it returns ends that and tells the processor's time of each in
// milliseconds, those that ended before the analysis was done and the others.
func (p *tab) trace() func() (before, after []float64) {
	p.Helper()
	type event struct {
		Name, Ph string
		Pid, Tid int64
		Tdur     float64
		Ts, Dur  float64
		Args     struct{ Name string }
	}
	var all []event
	complete := make(chan bool, 1)
	err := chromedp.Listen(p.ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var one event
				if json.Unmarshal([]byte(v), &one) == nil {
					all = append(all, one)
				}
			}
		case *tracing.EventTracingComplete:
			complete <- true
		}
	})
	if err == nil {
		_, err = chromedp.Call(p.ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "blink.user_timing", "__metadata"}}})
	}
	if err != nil {
		p.Fatal(err)
	}
	return func() (before, after []float64) {
		if _, err := chromedp.Call(p.ctx, tracing.End, cdp.Empty{}); err != nil {
			p.Fatal(err)
		}
		select {
		case <-complete:
		case <-time.After(patience):
			p.Fatal("the trace does not end")
		}
		type thread struct{ pid, tid int64 }
		main := map[thread]bool{}
		for _, e := range all {
			if e.Ph == "M" && e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
				main[thread{e.Pid, e.Tid}] = true
			}
		}
		done := 0.0
		for _, e := range all {
			if e.Name == "analysed" {
				done = e.Ts
			}
		}
		for _, e := range all {
			switch {
			case e.Ph != "X" || !strings.HasSuffix(e.Name, "RunTask") || !main[thread{e.Pid, e.Tid}]:
			case e.Ts+e.Dur < done:
				before = append(before, e.Tdur/1000)
			default:
				after = append(after, e.Tdur/1000)
			}
		}
		if len(before) == 0 || len(after) == 0 {
			p.Fatal("no task was traced")
		}
		return before, after
	}
}
