package browsertests

import (
	"net/http"
	"net/http/httptest"
	"path"
	"testing"

	"github.com/chromedp/chromedp"
)

// clock notes when the app became ready, in milliseconds since the navigation began.
const clock = `
new MutationObserver((_, observer) => {
	if (document.documentElement?.dataset.state !== "ready") return;
	window.readyAfter = performance.now();
	observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
`

// BenchmarkReady measures how long a person waits for the page: the first time, and again when the browser knows it.
func BenchmarkReady(b *testing.B) {
	files := http.FileServer(http.Dir(dist))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, ok := types[path.Ext(r.URL.Path)]; ok {
			w.Header().Set("Content-Type", kind)
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	for _, place := range []struct{ name, address string }{{"http", server.URL}, {"disk", oneFile()}} {
		b.Run(place.name, func(b *testing.B) {
			p := newTab(b, clock)
			ready := func() float64 {
				p.do(chromedp.Navigate(place.address))
				p.until("window.readyAfter")
				return eval[float64](p, "readyAfter")
			}
			b.ReportMetric(ready(), "ms-first")
			warm := ready()
			for range 4 {
				warm = min(warm, ready())
			}
			b.ReportMetric(warm, "ms-again")
			b.ReportMetric(0, "ns/op")
		})
	}
}
