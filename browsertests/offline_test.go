package browsertests

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// After the first visit the site works without a network, and the worker that makes it so answers nothing but the site's own files.
func TestTheSiteWorksOfflineAfterTheFirstVisit(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	// The worker is told of by the page that was loaded with it.
	if state := eval[string](p, `navigator.serviceWorker.ready.then((r) => new Promise((done) => {
		const look = () => r.active.state === "activated" ? done(r.active.state) : setTimeout(look, 20);
		look();
	}))`); state != "activated" {
		t.Fatal(state)
	}
	p.calm()
	for _, request := range site.all() {
		if !strings.HasPrefix(request, "GET "+under) || strings.Contains(request, "?") {
			t.Errorf("asked for %s", request)
		}
	}
	p.do(chromedp.Navigate("about:blank"))
	site.CloseClientConnections()
	site.Close()
	p.open(site.home())
	p.button("Try an example")
	p.until(sample + ` && document.querySelector("#context-chart svg")`)
	p.calm()
}

func TestTheServiceWorkerHearsNoMessages(t *testing.T) {
	source, err := os.ReadFile(dist + "/sw.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"message", "sync", "push", "POST", "VERSION", "FILES", "http:", "https:"} {
		if strings.Contains(string(source), bad) {
			t.Errorf("the service worker holds %q", bad)
		}
	}
	one, err := os.ReadFile(dist + "/contextscope.html")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(one), "worker-src 'self'") {
		t.Error("the one-file page lets a service worker in")
	}
}
