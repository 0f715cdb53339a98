package browsertests

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// views are what a person can have on the page: how to get there, and what shows that it is there.
var views = []struct {
	name  string
	files func(t testing.TB) []string // nil for the built-in example
	do    string
	there string
}{
	{"empty", func(testing.TB) []string { return nil }, "", `document.querySelector(".hero")`},
	{"overview", nil, `document.querySelector("#tab-overview").click()`, `document.querySelector("[data-testid=session]")`},
	{"two sessions", nil, `document.querySelector("#tab-overview").click(); setTimeout(() => { [0, 1].forEach((i) => document.querySelectorAll(".sessions tbody input")[i].click()) }, 200)`,
		`document.querySelectorAll("[data-testid=pair] tbody tr").length > 8 && document.querySelector("#pair-second svg")`},
	{"context", nil, "", `document.querySelector("#context-chart svg") && document.querySelector("[data-testid=changes] tbody tr")`},
	{"unfolded", nil, `setTimeout(() => document.querySelector(".fold").click(), 300)`, `document.querySelector(".fold[aria-expanded=true]")`},
	{"where it went", nil, `document.querySelector("#lower-spread").click()`, `document.querySelector("[data-testid=spread] tbody tr") && document.querySelector("#spread-map svg")`},
	{"two samples", nil, `document.querySelector("#lower-between").click()`, `document.querySelector("[data-testid=between] tbody tr")`},
	{"samples", nil, `document.querySelector("#lower-samples").click()`, `document.querySelector("[data-testid=samples] tbody tr")`},
	{"compactions", nil, `document.querySelector("#tab-compactions").click(); setTimeout(() => document.querySelector("[data-testid=compaction] [aria-expanded]").click(), 300)`,
		`document.querySelector("[data-testid=behavior]")`},
	{"findings", nil, `document.querySelector("#tab-findings").click()`, `document.querySelector("#panel-findings .card")`},
	{"files", nil, `document.querySelector("#tab-files").click()`, `document.querySelector("[data-testid=input]")`},
	{"how it is read", nil, `document.querySelector("#tab-files").click(); setTimeout(() => document.querySelector(".how:not([hidden])").click(), 200)`, `document.querySelector("#notes")`},
	{"record", nil, `setTimeout(() => document.querySelector(".record-link:not([hidden])").click(), 300)`, `document.querySelector("#record").open && document.querySelector("#record-body").textContent`},
	{"keys", nil, `document.querySelector("[aria-label^=Keys]").click()`, `document.querySelector("#help").open`},
	{"how a number is made", nil, `document.querySelector(".how-num").click()`, `document.querySelector("#help").open && document.querySelector("#help .strong")`},
	{"share", nil, `setTimeout(() => document.querySelector("#open-share").click(), 200)`, `document.querySelector("#share").open && !document.querySelector("#share-save").disabled`},
	{"refused", func(t testing.TB) []string { return []string{writeFile(t, "notes.txt", "no journal\n")} }, "", `document.querySelector(".trouble")`},
	{"no breakdown", func(t testing.TB) []string { return []string{writeFile(t, "totals.jsonl", totalsOnly)} }, "", `document.querySelector("[data-testid=sample]") || document.querySelector(".context")`},
}

// totalsOnly is a session of Codex of which only the token counts are there.
var totalsOnly = strings.Join([]string{
	`{"timestamp":"2026-01-01T10:00:00.000Z","type":"session_meta","payload":{"id":"t1","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/p","originator":"codex","cli_version":"0.140.0"}}`,
	`{"timestamp":"2026-01-01T10:00:05.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":12000,"output_tokens":9},"last_token_usage":{"input_tokens":12000,"output_tokens":9},"model_context_window":258400}}}`,
	`{"timestamp":"2026-01-01T10:00:09.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":33000,"output_tokens":19},"last_token_usage":{"input_tokens":21000,"output_tokens":10},"model_context_window":258400}}}`,
}, "\n") + "\n"

// axe asks axe-core for what breaks its rules, in words.
const axe = `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" +
	v.nodes.slice(0, 4).map((n) => "    " + n.html.slice(0, 160) + "  " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")).join("\n")))`

// TestEveryViewIsAccessible: no rule of axe-core is broken in any view, in the light and in the dark, wide and narrow; and nothing
// has to be scrolled sideways at 480 px.
func TestEveryViewIsAccessible(t *testing.T) {
	source, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("%v: run npm ci in browsertests, as ./build.sh test does", err)
	}
	home := newSite(t).home()
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := newTab(t)
			p.open(home)
			if v.files == nil {
				p.button("Try an example")
				p.until(sample)
			} else if files := v.files(t); files != nil {
				p.choose(files...)
			}
			if v.do != "" {
				eval[bool](p, v.do+`, true`)
			}
			p.until(v.there)
			p.calm()
			eval[bool](p, string(source)+`; true`)
			for _, look := range []struct {
				scheme string
				width  int64
			}{{"light", 1280}, {"dark", 1280}, {"light", 768}, {"light", 480}, {"dark", 480}} {
				p.look(look.scheme, look.width)
				for _, wrong := range eval[[]string](p, axe) {
					t.Errorf("%s, %d px: %s", look.scheme, look.width, wrong)
				}
				for _, wide := range eval[[]string](p, `[...document.querySelectorAll(".card")].filter((c) => c.scrollWidth > c.clientWidth + 1).map((c) => c.className + " " + c.scrollWidth + " > " + c.clientWidth)`) {
					t.Errorf("%s, %d px: a card holds more than its width: %s", look.scheme, look.width, wide)
				}
				if look.width == 480 {
					if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > 480 {
						t.Errorf("%s: the page is %d px wide at 480", look.scheme, wide)
					}
				}
			}
		})
	}
}

// look sets the system's theme and the width of the window.
func (p *tab) look(scheme string, width int64) {
	p.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1})
	if err == nil {
		_, err = chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	}
	if err != nil {
		p.Fatal(err)
	}
	p.until(`innerWidth === ` + strconv.FormatInt(width, 10))
	time.Sleep(150 * time.Millisecond) // what is drawn by width follows a frame later
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
