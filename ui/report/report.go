// Package report writes a session as one HTML file that needs nothing else: no script, no network, no other file. It shows the
// components of the page, and holds what a person chose to pass on.
package report

import (
	_ "embed"
	"html"
	"strconv"
	"strings"

	"contextscope/assets"
	"contextscope/core/analysis"
	"contextscope/core/redact"
	"contextscope/core/wire"
	"contextscope/ui"
	"contextscope/ui/chart"

	"github.com/vugu/vugu"
)

// width is that of the charts: a report is read on screens and on paper.
const width = 860

func px(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Static writes the report of some sessions. The same analysis and the same options give the same bytes: times are in UTC, and none is
// that of the making.
func Static(a *analysis.Analysis, sessions []int, o analysis.Options) []byte {
	o.Passed, o.Sessions = true, sessions
	h := newHost(a, o)
	s := ui.New(h)
	list := h.list()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		panic(err)
	}
	w := &writer{scenes: h.scenes}
	for i, session := range sessions {
		parts := s.Report(list, session)
		if i == 0 {
			w.head(s, o)
		}
		w.facts(s)
		w.parts(env, s, parts)
		clear(h.scenes)
	}
	w.b.WriteString("<h2>How every number is made</h2>\n")
	w.parts(env, s, ui.Method())
	w.b.WriteString("</main>\n</body>\n</html>\n")
	return []byte(w.b.String())
}

func (w *writer) parts(env *vugu.BuildEnv, s *ui.State, parts []ui.Part) {
	for _, p := range parts {
		p.Enter()
		s.Rendered()
		if p.Title != "" {
			w.b.WriteString("<h2>" + html.EscapeString(p.Title) + "</h2>\n")
		}
		r := env.RunBuild(p.Root)
		w.b.WriteString(`<section class="part">`)
		w.built(r, r.Out)
		w.b.WriteString("</section>\n")
	}
}

// styleHash is the hash of the style sheet, by which the report's policy allows that one alone. To work it out here would bring 50 kB
// of a library along; a test sees to it that it is right: UPDATE=1 go test ./ui/report writes it anew.
//
//go:embed style.sha256
var styleHash string

// own are the few rules that a report has beside the page's.
const own = `
body { max-width: 960px; margin: 0 auto; padding: 24px; }
.report-facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 8px 24px; margin: 16px 0; }
.report-facts dt { color: var(--dim); font-size: var(--small); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.report .strip-box, .report .foot-keys, .report .pager { display: none; }
.report .list td.n { white-space: nowrap; }
.report h1 { max-width: none; font-size: 24px; line-height: 32px; margin: 0; overflow-wrap: anywhere; }
.report > main > h2, .part { margin-top: 24px; }
.report .grid { display: block; }
.report .card { margin-bottom: 16px; }
.report .chart { min-height: 0; }
.report .wide, .report .widest { display: table-cell; }
.report table.list { table-layout: auto; }
`

func style() string { return assets.Style + own }

func (w *writer) head(s *ui.State, o analysis.Options) {
	style := style()
	name := s.Name()
	w.b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-` + strings.TrimSpace(styleHash) + `'; base-uri 'none'; form-action 'none'">` +
		"\n<meta name=\"generator\" content=\"contextscope\">\n<meta name=\"contextscope\" content=\"report/1\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
		html.EscapeString(name) + " · contextscope</title>\n<style>" + style + "</style>\n</head>\n<body class=\"report\">\n<main>\n<p class=\"dim\">" + html.EscapeString(ui.Holds(o.Include, o.Keep)+" Times are in UTC. Made with contextscope; what each number means stands at the end.") + "</p>\n")
}

// facts begin a session.
func (w *writer) facts(s *ui.State) {
	w.b.WriteString("<h1>" + html.EscapeString(s.Name()) + "</h1>\n<dl class=\"report-facts\">\n")
	for _, f := range s.Facts() {
		w.b.WriteString("<div><dt>" + html.EscapeString(f.Name) + "</dt><dd>" + html.EscapeString(f.Text) + "</dd></div>\n")
	}
	w.b.WriteString("</dl>\n")
}

// host answers the components at once, out of the analysis, with what is passed on. What it is not asked for in a report it leaves.
type host struct {
	ui.Host
	a      *analysis.Analysis
	o      analysis.Options
	mask   *redact.Masker
	passed analysis.Passed
	scenes map[string]*chart.Scene
}

func newHost(a *analysis.Analysis, o analysis.Options) *host {
	return &host{a: a, o: o, mask: a.Masker(o), passed: analysis.Passed{Include: o.Include}, scenes: map[string]*chart.Scene{}}
}

// masked is a view with all its strings masked.
func masked[T any](h *host, v T) (out T) {
	if err := wire.Decode(wire.AppendText(nil, v, h.mask.Text), &out); err != nil {
		panic(err)
	}
	return out
}

func (h *host) list() *analysis.List { return masked(h, h.passed.List(h.a.List(h.o))) }

func (h *host) Series(session int, _ int64, done func(*analysis.Series)) {
	done(masked(h, h.passed.Series(h.a.Series(session, h.o))))
}

func (h *host) Changes(session int, f analysis.ChangeFilter, done func(*analysis.ChangePage)) {
	done(masked(h, h.passed.Changes(h.a.Changes(session, f))))
}

func (h *host) Spread(session int, q analysis.SpreadQuestion, done func(*analysis.Spread)) {
	done(masked(h, h.passed.Spread(h.a.Spread(session, q), q.By)))
}

func (h *host) Review(session int, q ui.ReviewQuestion, done func(*analysis.Review)) {
	o := h.o
	o.BehaviorWindow.N, o.BehaviorWindow.Requests = q.Records, q.Requests
	done(masked(h, h.passed.Review(h.a.Review(session, q.Filter, o))))
}

func (h *host) Draw(id string, s *chart.Scene) { h.scenes[id] = s }
func (h *host) Width(id string) float64 {
	if id == "capacity-bar" {
		return width / 2
	}
	return width
}

// styleOf is the colour of a category in the light, as the style sheet has it.
func styleOf(key string) string {
	_, rest, ok := strings.Cut(assets.Style, "--"+key+": light-dark(")
	if !ok {
		return ""
	}
	colour, _, _ := strings.Cut(rest, ",")
	return colour
}

func (h *host) Announce(string)     {}
func (h *host) Render()             {}
func (h *host) Focus(string)        {}
func (h *host) Land(string)         {}
func (h *host) Notes(string) string { return "" }
