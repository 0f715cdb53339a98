package browsertests

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// asking notes how long the worker computes at what it is asked. Clocks on the page would count how long the page draws meanwhile, so
// a few lines in front of the worker's script put the time into its answers.
const asking = `
const stamp = "{" + ` + "`" + `
	const begun = {}, post = self.postMessage.bind(self);
	addEventListener("message", (e) => { if (e.data?.kind) begun[e.data.id] = performance.now(); });
	self.postMessage = (m, ...rest) => {
		if (m?.kind === "answer") m.took = performance.now() - begun[m.id];
		post(m, ...rest);
	};
` + "`" + ` + "};";
window.answered = {};
const PlainBlob = Blob, PlainWorker = Worker;
window.Blob = class extends PlainBlob {
	constructor(parts, options) { super(options?.type === "text/javascript" ? [stamp, ...parts] : parts, options); }
};
window.Worker = class extends PlainWorker {
	#asked = {};
	constructor(...args) {
		super(...args);
		this.addEventListener("message", ({ data }) => { if (data.took !== undefined) answered[this.#asked[data.id]] = data.took; });
	}
	postMessage(m, ...rest) {
		if (m?.kind) this.#asked[m.id] = m.kind;
		super.postMessage(m, ...rest);
	}
};
`

// comparing opens the Compactions tab and tells how long it takes until its first card is there, and what of that is the worker's.
const comparing = `(() => new Promise((resolve) => {
	const begun = performance.now();
	const look = () => {
		const text = document.querySelector("[data-testid=lost]")?.textContent ?? "";
		if (/Survived|judged/.test(text) && document.querySelector("[data-testid=behavior]")) resolve([performance.now() - begun, answered.review]);
		else setTimeout(look, 1);
	};
	document.querySelector("#tab-compactions").click();
	look();
}))()`

// lossRounds are more than elsewhere: the figure is a small difference of large ones.
const lossRounds = 11

// BenchmarkLosses tells what the analysis of compactions adds to the reading of a transcript of 100 MB with 20 boundaries. Reading is
// measured with a program that leaves the facts out, from the choice of the file to the finished analysis. What is added are the facts
// that are taken out of the texts on the way, and then the comparison of all boundaries for the Compactions tab: what survived,
// behaviour, findings in windows. Drawing the tab is told apart. The ways take turns.
func BenchmarkLosses(b *testing.B) {
	bare := filepath.Join(b.TempDir(), "bare.wasm")
	cmd := exec.Command("go", "run", "./build", "program", bare, "nofacts")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	path := filepath.Join(b.TempDir(), "session.jsonl")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err = writeClaudeCut(file, 100e6, 0, 20); err != nil {
		b.Fatal(err)
	}
	file.Close()
	app := newSite(b)
	without := newWitness(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm") {
			w.Header().Set("Content-Type", "application/wasm")
			http.ServeFile(w, r, bare)
			return
		}
		app.Config.Handler.ServeHTTP(w, r)
	}))
	var reading, whole, card, analysis []float64
	for range lossRounds {
		ms, _ := openedAndCompared(b, without.home(), path, false)
		reading = append(reading, ms)
		ms, compared := openedAndCompared(b, app.home(), path, true)
		whole, card, analysis = append(whole, ms), append(card, compared[0]), append(analysis, compared[1])
	}
	r, w, a := median(reading), median(whole), median(analysis)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(lossRounds, "rounds")
	b.ReportMetric(r, "ms-reading-without-facts")
	b.ReportMetric(w, "ms-reading-with-facts")
	b.ReportMetric(a, "ms-comparing-20-boundaries")
	b.ReportMetric(median(card), "ms-until-the-first-card-is-drawn")
	b.ReportMetric((w-r+a)/r*100, "%-added-by-the-analysis-of-compactions")
}

func openedAndCompared(b *testing.B, address, path string, compare bool) (ms float64, compared []float64) {
	b.Helper()
	p := newTab(b, asking, stopwatch)
	p.open(address)
	time.Sleep(2 * time.Second) // a person needs longer to find a file; the worker warms up meanwhile
	p.choose(path)
	p.until("window.took")
	ms = eval[float64](p, "took")
	if compare {
		p.until(sample)
		compared = eval[[]float64](p, comparing)
		if title := p.text(".compactions h2"); title != "Compacted 19 times" && title != "Compacted 20 times" {
			b.Fatalf("%s, want 20", title)
		}
	}
	p.calm()
	p.do(chromedp.Navigate("about:blank"))
	return ms, compared
}
