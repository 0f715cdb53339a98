package report

import (
	"strconv"
	"strings"
	"time"

	"contextscope/core/analysis"
	"contextscope/core/journal"
	"contextscope/ui"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// The forms in which a session can be passed on.
const (
	HTML        = "report"
	JSON        = "json"
	Requests    = "requests.csv"
	Snapshots   = "snapshots.csv"
	Changes     = "changes.csv"
	Compactions = "compactions.csv"
	Summary     = "summary"
	Picture     = "svg"
	Trace       = "pftrace"
)

// Make writes a session in one of the forms; "" for a form that is not known.
func Make(a *analysis.Analysis, session int, form string, o analysis.Options) []byte {
	if session < 0 || session >= len(a.Sessions) {
		return nil
	}
	o.Passed, o.Sessions = true, []int{session}
	h := newHost(a, o)
	switch form {
	case HTML:
		return Static(a, []int{session}, o)
	case JSON:
		o.Diff, o.Behavior, o.Pretty = true, true, true
		return a.AppendJSON(nil, o)
	case Trace:
		return a.AppendTrace(nil, o)
	case Summary:
		return h.summary(session)
	case Picture:
		return h.picture(session)
	case Requests, Snapshots, Changes, Compactions:
		return h.table(session, form)
	}
	return nil
}

// csv is a table with commas: RFC 4180.
type csv struct{ b strings.Builder }

func (c *csv) row(cells ...string) {
	for i, cell := range cells {
		if i > 0 {
			c.b.WriteByte(',')
		}
		c.b.WriteString(cell)
	}
	c.b.WriteString("\r\n")
}

// quoted is text of a journal as a cell. What a spreadsheet would take for a formula begins with an apostrophe.
func quoted(text string) string {
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		text = "'" + text
	}
	if strings.ContainsAny(text, "\",\r\n") || strings.HasPrefix(text, "'") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// figure is a number as a cell; what is unknown is empty.
func figure(n int64) string {
	if n < 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func column(list []int64, i int) int64 {
	if i < 0 || i >= len(list) {
		return analysis.Unknown
	}
	return list[i]
}

func wordOf(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i]
}

func moment(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

func (h *host) table(session int, form string) []byte {
	var s *analysis.Series
	h.Series(session, 0, func(got *analysis.Series) { s = got })
	c := &csv{}
	switch form {
	case Requests:
		c.row("request", "at", "model", "reported_tokens", "estimated_tokens", "window_tokens", "window_source", "sample")
		for i := range s.At {
			if n := column(s.Request, i); n > 0 {
				c.row(figure(n), moment(s.At[i]), quoted(wordOf(s.Model, i)), figure(column(s.Reported, i)), figure(column(s.Estimated, i)), figure(column(s.Window, i)), wordOf(s.WindowFrom, i), strconv.Itoa(i+1))
			}
		}
	case Snapshots:
		head := []string{"sample", "request", "kind", "at", "stage", "basis", "coverage", "reported_tokens", "estimated_tokens"}
		for _, key := range s.Categories {
			head = append(head, quoted(key))
		}
		c.row(head...)
		for i := range s.At {
			row := []string{strconv.Itoa(i + 1), figure(positive(column(s.Request, i))), wordOf(s.Kind, i), moment(s.At[i]), wordOf(s.Stage, i), quoted(wordOf(s.Basis, i)), wordOf(s.Coverage, i),
				figure(column(s.Reported, i)), figure(column(s.Estimated, i))}
			for k := range s.Categories {
				cell := ""
				if i < len(s.Breakdown) && s.Breakdown[i] {
					cell = figure(column(s.Values[k], i))
				}
				row = append(row, cell)
			}
			c.row(row...)
		}
	case Changes:
		c.row("sample", "request", "at", "change", "category", "source", "detail", "delta_tokens", "tokens", "characters", "item")
		h.Changes(session, analysis.ChangeFilter{Order: "time", Sample: -1, All: true}, func(p *analysis.ChangePage) {
			for _, r := range p.Rows {
				c.row(strconv.Itoa(r.Sample+1), figure(positive(r.Request)), moment(r.At), r.Change, quoted(r.Category), quoted(r.Tool), quoted(r.Detail), strconv.FormatInt(r.Delta, 10), figure(r.Tokens), figure(r.Chars), quoted(r.ItemID))
			}
		})
	case Compactions:
		c.row("number", "kind", "trigger", "at", "before_sample", "tokens_before", "tokens_after", "tokens_dropped", "harness_before", "harness_after", "above_threshold", "cost_usd", "evidence")
		for i, b := range s.Boundaries {
			dropped, cost := "", ""
			if b.Before >= 0 && b.After >= 0 {
				dropped = strconv.FormatInt(b.Before-b.After, 10)
			}
			if b.Cost.Rate > 0 {
				cost = strconv.FormatFloat(b.Cost.USD, 'f', 6, 64)
			}
			c.row(strconv.Itoa(i+1), b.Kind, b.Trigger, moment(b.At), strconv.Itoa(b.Sample+1), figure(b.Before), figure(b.After), dropped, figure(b.HarnessTold), figure(b.HarnessAfter), strconv.FormatBool(b.Above), cost, quoted(strings.Join(b.Evidence, " ")))
		}
	}
	return []byte(c.b.String())
}

func positive(n int64) int64 {
	if n <= 0 {
		return analysis.Unknown
	}
	return n
}

// summary is a session in Markdown, for an issue or a pull request.
func (h *host) summary(session int) []byte {
	s := ui.New(h)
	s.Report(h.list(), session)
	var b strings.Builder
	plain := func(text string) string { // nothing of a journal becomes a mark
		return strings.NewReplacer("|", "\\|", "\n", " ", "`", "'", "<", "&lt;", "[", "\\[", "*", "\\*", "_", "\\_", "#", "\\#", "@", "@\u200b").Replace(text)
	}
	b.WriteString("### " + plain(s.Name()) + "\n\n| | |\n|---|---|\n")
	for _, f := range s.Facts() {
		b.WriteString("| " + f.Name + " | " + plain(f.Text) + " |\n")
	}
	h.Series(session, 0, func(series *analysis.Series) {
		i := s.Peak()
		parts := chart.Parts(series, i)
		if len(parts.Categories) > 0 {
			b.WriteString("\nAt the peak, estimated:\n\n| category | tokens |\n|---|---:|\n")
			for _, c := range parts.Categories {
				b.WriteString("| " + plain(words.Category(c.Category)) + " | " + words.Tokens(c.Tokens) + " |\n")
			}
			if parts.Unmeasured > 0 {
				b.WriteString("| reported, not measured | " + words.Tokens(parts.Unmeasured) + " |\n")
			}
		}
	})
	h.Changes(session, analysis.ChangeFilter{Order: "size", Sample: -1, Limit: 5}, func(p *analysis.ChangePage) {
		if len(p.Rows) > 0 {
			b.WriteString("\nLargest additions:\n\n| source | tokens | request |\n|---|---:|---:|\n")
		}
		for _, r := range p.Rows {
			b.WriteString("| " + plain(strings.TrimSpace(words.Plain(r.Tool, 40)+" "+words.Plain(r.Detail, 80))) + " | " + words.Signed(r.Delta) + " | " + figure(positive(r.Request)) + " |\n")
		}
	})
	b.WriteString("\n" + ui.Holds(h.o.Include, h.o.Keep) + "\n")
	return []byte(b.String())
}

// picture is the chart alone, with its colours as they are in the light.
func (h *host) picture(session int) []byte {
	s := ui.New(h)
	s.Report(h.list(), session)
	s.Rendered()
	scene := h.scenes["context-chart"]
	if scene == nil {
		return nil
	}
	return []byte(strings.Replace(SVG("context", scene), "<desc", "<style>"+pictureStyle()+"</style><desc", 1))
}

// pictureStyle gives the shapes of a chart the page's light colours.
func pictureStyle() string {
	var b strings.Builder
	b.WriteString("text{font:12px system-ui,sans-serif;fill:#5f646e}.gridline,.baseline{stroke:#ececE8}.reported{fill:none;stroke:#1b1d21;stroke-width:1.5}.window{stroke:#1b1d21;stroke-opacity:.6;stroke-dasharray:6 4}" +
		".threshold,.mark.loss .stem{stroke:#b4442c;stroke-width:1.5}.stem{stroke:#5f646e;stroke-dasharray:3 3}.flag-box{fill:#fff;stroke:#5f646e}.flag-figures{fill:#1b1d21;font-weight:600}.hatch-ground{fill:#f1f1ee}.hatch-line{stroke:#b2b5bd}" +
		".band{fill:#2b59c3;opacity:.32}.dot{fill:#2b59c3}.area{shape-rendering:crispEdges}")
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if colour := styleOf(c.Key()); colour != "" {
			b.WriteString(".c-" + c.Key() + "{fill:" + colour + "}")
		}
	}
	return b.String()
}
