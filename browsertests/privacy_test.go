package browsertests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// control proves that the servers would hear a request: it runs before the second policy stands. The first request goes
// out before any policy, to both servers; the second when the page's own policy stands, which lets it reach its own
// files.
const control = `
fetch(%[1]q + "control-early", { mode: "no-cors" }).catch(() => {});
fetch(%[2]q + "control-early", { mode: "no-cors" }).catch(() => {});
addEventListener("DOMContentLoaded", () => fetch(%[1]q + "control-own").catch(() => {}));
`

// attempts tries every way out that a page has, to an address; each gives the name of what it tried. None may succeed,
// but what counts is what the servers saw.
const attempts = `(async (base) => {
	const names = [];
	const attempt = async (name, run) => {
		names.push(name);
		try { await run(base + "leak-page-" + name); } catch {}
	};
	const element = (tag, attribute, more = {}) => (url) => {
		const made = Object.assign(document.createElement(tag), more);
		made[attribute] = url;
		document.body.append(made);
	};
	await attempt("fetch", (url) => fetch(url, { mode: "no-cors" }));
	await attempt("post", (url) => fetch(url, { method: "POST", mode: "no-cors", body: "secret", keepalive: true }));
	await attempt("xhr", (url) => new Promise((done) => {
		const request = new XMLHttpRequest();
		request.onloadend = done;
		request.open("GET", url);
		request.send();
	}));
	await attempt("websocket", (url) => new WebSocket(url.replace("http", "ws")));
	await attempt("eventsource", (url) => new EventSource(url));
	await attempt("beacon", (url) => navigator.sendBeacon(url, "secret"));
	await attempt("image", (url) => { new Image().src = url; });
	await attempt("image-element", element("img", "src"));
	await attempt("script", element("script", "src"));
	await attempt("module", element("script", "src", { type: "module" }));
	await attempt("import", (url) => import(url));
	await attempt("style-sheet", element("link", "href", { rel: "stylesheet" }));
	await attempt("prefetch", element("link", "href", { rel: "prefetch" }));
	await attempt("manifest", element("link", "href", { rel: "manifest" }));
	await attempt("frame", element("iframe", "src"));
	await attempt("object", element("object", "data"));
	await attempt("embed", element("embed", "src"));
	await attempt("video", element("video", "src"));
	await attempt("audio", element("audio", "src"));
	await attempt("font", (url) => { new FontFace("leak", "url(" + url + ")").load(); });
	await attempt("background", (url) => { document.body.style.backgroundImage = "url(" + url + ")"; });
	await attempt("worker", (url) => new Worker(url));
	await attempt("module-worker", (url) => new Worker(url, { type: "module" }));
	await attempt("shared-worker", (url) => new SharedWorker(url));
	await attempt("service-worker", (url) => navigator.serviceWorker.register(url));
	await attempt("form", (url) => {
		const frame = Object.assign(document.createElement("iframe"), { name: "target" });
		const form = Object.assign(document.createElement("form"), { action: url, method: "POST", target: "target" });
		document.body.append(frame, form);
		form.submit();
	});
	return names;
})(%q)`

// insideWorker tries the ways out of a worker that is made as the app makes its own: from a Blob, after the page is
// ready.
const insideWorker = `new Promise((done, fail) => {
	const source = ` + "`" + `
	onmessage = async ({ data: base }) => {
		const names = [];
		const attempt = async (name, run) => {
			names.push(name);
			try { await run(base + "leak-worker-" + name); } catch {}
		};
		await attempt("fetch", (url) => fetch(url, { mode: "no-cors" }));
		await attempt("xhr", (url) => new Promise((done) => {
			const request = new XMLHttpRequest();
			request.onloadend = done;
			request.open("GET", url);
			request.send();
		}));
		await attempt("xhr-sync", (url) => {
			const request = new XMLHttpRequest();
			request.open("GET", url, false);
			request.send();
		});
		await attempt("websocket", (url) => new WebSocket(url.replace("http", "ws")));
		await attempt("eventsource", (url) => new EventSource(url));
		await attempt("importscripts", (url) => importScripts(url));
		await attempt("import", (url) => import(url));
		await attempt("worker", (url) => new Worker(url));
		postMessage(names);
	};` + "`" + `;
	const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
	worker.onmessage = ({ data }) => done(data);
	worker.onerror = (event) => fail(new Error(event.message));
	worker.postMessage(%q);
})`

// silence makes a page try everything and asserts that no server heard of it.
func silence(p *tab, servers ...*witness) {
	p.Helper()
	for _, server := range servers {
		base := server.home()
		names := eval[[]string](p, fmt.Sprintf(attempts, base))
		if len(names) < 20 {
			p.Errorf("only %d ways out were tried", len(names))
		}
		inside := eval[[]string](p, fmt.Sprintf(insideWorker, base))
		if len(inside) < 8 {
			p.Errorf("only %d ways out of a worker were tried", len(inside))
		}
	}
	time.Sleep(time.Second) // for what leaves late
	for _, server := range servers {
		if leaks := server.told("leak"); len(leaks) > 0 {
			p.Errorf("reached a server: %s", strings.Join(leaks, ", "))
		}
	}
}

func TestNothingLeavesTheReadyPage(t *testing.T) {
	site, foreign := newSite(t), newForeign(t)
	p := newTab(t, fmt.Sprintf(control, site.home(), foreign.home()))
	p.open(site.home())
	for _, server := range []*witness{site, foreign} {
		if len(server.told("control-early")) == 0 {
			t.Errorf("the witness at %s would not have heard a thing", server.URL)
		}
	}
	if len(site.told("control-own")) == 0 {
		t.Error("the page's first policy should still let it reach its own files")
	}
	silence(p, site, foreign)
}

func TestTheSecondPolicyIsTheOneThatStopsThePage(t *testing.T) {
	site, foreign := newSite(t), newForeign(t)
	p := newTab(t, `
		const append = Element.prototype.append;
		Element.prototype.append = function (...nodes) {
			return append.apply(this, nodes.filter((node) => node.httpEquiv !== "Content-Security-Policy"));
		};`)
	p.open(site.home())
	names := eval[[]string](p, fmt.Sprintf(attempts, site.home()))
	if len(names) == 0 {
		t.Fatal("nothing was tried")
	}
	end := time.Now().Add(patience)
	for len(site.told("leak-page-fetch")) == 0 {
		if time.Now().After(end) {
			t.Fatal("without the second policy a fetch to the own origin should arrive: the test could not fail")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if leaks := foreign.told("leak"); len(leaks) > 0 {
		t.Errorf("the first policy alone should stop foreign origins: %v", leaks)
	}
}

func TestThePageLoadsOnlyItsOwnFiles(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	for _, request := range site.all() {
		if !strings.HasPrefix(request, "GET "+under) || strings.Contains(request, "?") {
			t.Errorf("asked for %s", request)
		}
	}
	p.calm()
}

func TestPolicies(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	policies := eval[[]string](p, `[...document.querySelectorAll("meta[http-equiv=Content-Security-Policy]")].map((m) => m.content)`)
	if len(policies) != 2 {
		t.Fatalf("%d policies: %q", len(policies), policies)
	}
	const second = "default-src 'none'; script-src 'wasm-unsafe-eval'; img-src data: blob:; worker-src blob:"
	if policies[1] != second {
		t.Errorf("the second policy is %q", policies[1])
	}
	for _, policy := range policies {
		for _, bad := range []string{"'unsafe-eval'", "'unsafe-inline'", "*", "http:", "https:"} {
			if slices.Contains(strings.FieldsFunc(policy, func(c rune) bool { return c == ' ' || c == ';' }), bad) {
				t.Errorf("a policy allows %s: %s", bad, policy)
			}
		}
	}
	for _, name := range []string{"RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"} {
		if eval[bool](p, fmt.Sprintf(`%q in window`, name)) {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestOneFileIsSilentToo(t *testing.T) {
	foreign := newForeign(t)
	p := newTab(t, fmt.Sprintf(control, foreign.home(), foreign.home()))
	p.open(oneFile())
	if len(foreign.told("control-early")) == 0 {
		t.Error("the witness would not have heard a thing")
	}
	silence(p, foreign)
}

// quoted is a string as JavaScript.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
