package browsertests

import (
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

//go:embed baseline.js
var baselineJS []byte

// rounds is how often each way is measured; medians are reported. The ways take turns, so that a machine that slows down
// slows all of them.
const rounds = 5

// spy lets a benchmark ask the workers of a page how large their wasm memories are, without a line for it in the product:
// it puts a few lines in front of each worker's script.
const spy = `
const prelude = ` + "`" + `{
	const instantiate = WebAssembly.instantiate;
	let memory;
	WebAssembly.instantiate = async (...args) => {
		const made = await instantiate(...args);
		memory = (made.instance ?? made).exports.mem;
		return made;
	};
	addEventListener("message", (e) => {
		if (!e.data?.memoryTo) return;
		e.stopImmediatePropagation();
		e.data.memoryTo.postMessage(memory.buffer.byteLength);
	});
};` + "`" + `;
const instantiate0 = WebAssembly.instantiate;
WebAssembly.instantiate = async (...args) => {
	const made = await instantiate0(...args);
	window.pageMemory = (made.instance ?? made).exports.mem;
	return made;
};
const Blob0 = Blob, Worker0 = Worker;
window.workers = [];
window.Blob = class extends Blob0 {
	constructor(parts, options) { super(options?.type === "text/javascript" ? [prelude, ...parts] : parts, options); }
};
window.Worker = class extends Worker0 {
	constructor(url, options) { super(url, options); if (!options?.name) workers.push(this); } // the reader has no wasm
};
window.memories = () => Promise.all(workers.map((worker) => new Promise((resolve) => {
	const { port1, port2 } = new MessageChannel();
	port1.onmessage = (e) => resolve(e.data);
	worker.postMessage({ memoryTo: port2 }, [port2]);
})));
`

// stopwatch notes how long it takes from the choice of a file to the finished analysis.
const stopwatch = `
addEventListener("change", (e) => { if (e.target.id === "open-files") window.begun = performance.now(); }, true);
new MutationObserver(() => {
	if (document.documentElement?.dataset.state === "done") window.took ??= performance.now() - window.begun;
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
`

// generated writes a transcript of about so many bytes and tells its records and size.
func generated(b *testing.B, bytes int64) (path string, records int, size int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "session.jsonl")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	if records, err = writeClaude(file, bytes, 0); err != nil {
		b.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, records, info.Size()
}

// BenchmarkOpen opens a generated transcript of 100 MB, in one run with what plain JavaScript makes of the same file and
// with only reading it.
func BenchmarkOpen(b *testing.B) {
	path, records, size := generated(b, 100e6)
	site := newWitness(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/baseline":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><input type=file id=open-files>`)
		case "/baseline.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(baselineJS)
		}
	}))
	app := newSite(b)
	times := map[string][]float64{}
	for range rounds {
		for _, way := range []string{"slices", "text", "bare"} {
			times[way] = append(times[way], plain(b, site.URL+"/baseline", path, way, records))
		}
		ms, memory := opened(b, app.home(), path, records)
		times["app"], times["memory"] = append(times["app"], ms), append(times["memory"], memory)
	}
	speed := func(way string) float64 { return float64(size) / 1e3 / median(times[way]) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rounds, "rounds")
	b.ReportMetric(float64(runtime.NumCPU()), "cores")
	b.ReportMetric(float64(size)/1e6, "MB")
	b.ReportMetric(float64(records), "records")
	b.ReportMetric(median(times["app"]), "ms")
	b.ReportMetric(speed("app"), "MB/s")
	b.ReportMetric(speed("slices"), "MB/s-js-slices")
	b.ReportMetric(speed("text"), "MB/s-js-text")
	b.ReportMetric(speed("bare"), "MB/s-bare-read")
	b.ReportMetric(speed("app")/speed("slices"), "times-js-slices")
	b.ReportMetric(speed("app")/speed("text"), "times-js-text")
	b.ReportMetric(speed("bare")/speed("app"), "times-bare-read-time")
	b.ReportMetric(median(times["memory"])/1e6, "MB-worker-memory")
	b.ReportMetric((median(times["memory"])-32e6)/float64(records), "B/record-above-32MB")
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

// plain measures one way of plain JavaScript in a worker.
func plain(b *testing.B, address, path, way string, records int) float64 {
	b.Helper()
	p := newTab(b)
	p.do(chromedp.Navigate(address))
	p.choose(path)
	out := eval[struct {
		Ms      float64 `json:"ms"`
		Records int     `json:"records"`
	}](p, fmt.Sprintf(`new Promise((resolve, reject) => {
		const worker = new Worker("/baseline.js");
		worker.onerror = reject;
		worker.onmessage = (e) => { worker.terminate(); resolve(e.data); };
		worker.postMessage({ way: %q, file: document.querySelector("input").files[0] });
	})`, way))
	if way != "bare" && out.Records != records {
		b.Fatalf("%s read %d records of %d", way, out.Records, records)
	}
	p.do(chromedp.Navigate("about:blank"))
	return out.Ms
}

// opened measures the app, and how large the memory of its largest worker has grown.
func opened(b *testing.B, address, path string, records int) (ms, memory float64) {
	b.Helper()
	p := newTab(b, spy, stopwatch)
	p.open(address)
	time.Sleep(time.Second) // a person needs longer to find a file; the worker warms up meanwhile
	p.choose(path)
	p.until("window.took")
	ms = eval[float64](p, "took")
	memory = float64(slices.Max(eval[[]int64](p, "memories()")))
	if got := eval[int](p, "contextscope.analysis().then((a) => a.inputs[0].records)"); got != records {
		b.Fatalf("the app read %d records of %d", got, records)
	}
	p.calm()
	p.do(chromedp.Navigate("about:blank"))
	return ms, memory
}
