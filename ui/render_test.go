package ui

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"
)

// render writes the whole page as it stands, without a browser.
func render(t *testing.T, s *State) string {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := staticrender.New(&b).Render(env.RunBuild(&Root{State: s})); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var tag = regexp.MustCompile(`<[^>]*>`)
var space = regexp.MustCompile(`\s+`)

// plain is what a person reads of a page.
func plain(html string) string {
	text := space.ReplaceAllString(tag.ReplaceAllString(html, " "), " ")
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&quot;", `"`, "&amp;", "&").Replace(text)
}

func has(t *testing.T, html string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(html, w) {
			t.Errorf("the page does not have %q", w)
		}
	}
}

func lacks(t *testing.T, html string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(html, w) {
			t.Errorf("the page has %q", w)
		}
	}
}

func TestFirstViewSaysWhatAndWhere(t *testing.T) {
	html := render(t, New(newHost()))
	text := plain(html)
	has(t, text, "See what filled your coding agent’s context", "Open files", "Open folder", "Try an example",
		"drop journals anywhere on this page", "Nothing leaves this page", "Claude Code", "Codex", "~/.claude/projects",
		`%USERPROFILE%\.codex\sessions`, "Ctrl+H", "Cmd+Shift+.", "paste")
	hero, guide := strings.Index(html, `class="hero"`), strings.Index(html, `class="guide"`)
	if hero < 0 || guide < hero {
		t.Error("the sentence does not come first")
	}
	lacks(t, html, `role="tablist"`, `id="session-select"`)
	if n := strings.Count(text, "Copy "); n != 12 {
		t.Errorf("%d copy buttons, want 12", n)
	}
}

func TestHooksOfThePage(t *testing.T) {
	s, _ := opened()
	s.sample(148)
	html := render(t, s)
	has(t, html, `id="session-select"`, `id="window"`, `id="threshold"`, `value="0.50"`, `data-testid="changes"`, `id="app"`,
		`data-testid="sample" data-tokens="76345"`, `id="context-chart"`, `id="capacity-bar"`)
	for _, name := range []string{"Overview", "Context", "Compactions", "Findings", "Files"} {
		if !regexp.MustCompile(`<button[^>]*role="tab"[^>]*aria-label="` + name + `"[^>]*>` + name + `</button>`).MatchString(html) {
			t.Errorf("no tab is named exactly %s", name)
		}
	}
	if n := strings.Count(html, `aria-selected="true"`); n != 1 {
		t.Errorf("%d tabs are selected", n)
	}
	body := html[strings.Index(html, `data-testid="changes"`):]
	body = body[strings.Index(body, "<tbody>"):strings.Index(body, "</tbody>")]
	if n := strings.Count(body, "<tr"); n != 25 {
		t.Errorf("%d rows of changes, want 25", n)
	}
	for tab, hook := range map[string]string{tabCompactions: "compaction", tabFiles: "input"} {
		s.pick(tab)
		has(t, render(t, s), `data-testid="`+hook+`"`)
	}
	s.pick(tabFiles)
	if n := strings.Count(render(t, s), `data-testid="warning"`); n != 2 {
		t.Errorf("%d warnings, want 2", n)
	}
}

func TestSampleInWordsAndFigures(t *testing.T) {
	s, _ := opened()
	s.sample(148)
	text := plain(render(t, s))
	has(t, text, "Request 148 of 199", "93,287 reported", "76,345 estimated from what the journal holds",
		"47% of the window (200,000, from the model table)", "Unmeasured 16,942 8.5%", "Free 106,713 53.4%",
		"Tool results 36,698 18.3%", "transcript-observed", "chars/4", "partial", "claude-opus-4-6",
		"12 smaller changes of this sample are not listed; the totals include them.")
}

func TestBaselineIsNoGrowth(t *testing.T) {
	s, _ := opened()
	s.sample(110)
	text := plain(render(t, s))
	has(t, text, "After compaction", "34,500 estimated", "Reported input: Not recorded",
		"A baseline: everything is measured anew here, and nothing of it is growth.", "Free, by the estimate 165,500",
		"Compaction (automatic), 161,261 → 44,214 (−73%), right before this sample.")
	lacks(t, text, "Unmeasured")
	s.sample(109)
	has(t, plain(render(t, s)), "Compaction (automatic), 161,261 → 44,214 (−73%), right after this sample.")
}

func TestWhatWasNotRecordedIsNeverZero(t *testing.T) {
	s, _ := opened()
	s.open(2)
	html := render(t, s)
	text := plain(html)
	has(t, text, "Breakdown: Not recorded", "24,500 reported")
	lacks(t, html, "data-tokens")
	panel := text[strings.Index(text, "Request 6"):strings.Index(text, "Largest additions")]
	lacks(t, panel, " 0 ", "%", "Free", "Unmeasured")
}

func TestNoPercentageWithoutAWindow(t *testing.T) {
	s, h := opened()
	series := invented.Rich()
	for i := range series.Window {
		series.Window[i], series.WindowFrom[i] = analysis.Unknown, ""
	}
	h.series[0] = series
	s.open(0)
	s.sample(148)
	text := plain(render(t, s))
	panel := text[strings.Index(text, "Request 148"):strings.Index(text, "Largest additions")]
	lacks(t, panel, "%", "Free", "window")
	has(t, panel, "Tool results 36,698", "Unmeasured 16,942")
}

func TestEstimateAboveTheReportIsSaid(t *testing.T) {
	s, _ := opened()
	s.open(3)
	text := plain(render(t, s))
	has(t, text, "The estimate is 500 tokens above the report, so nothing is shown as unmeasured.", "Over the window")
	lacks(t, text, "Unmeasured", " Free ")
}

var optionValues = regexp.MustCompile(` value="[^"]*"`)

const hostile = `<img src=x onerror=alert(1)>"'&` + "\u202e"

func TestHostileTextStaysText(t *testing.T) {
	h := newHost()
	l := invented.List()
	for i := range l.Sessions {
		row := &l.Sessions[i]
		row.Title, row.Role, row.HarnessName, row.ID = hostile, hostile, hostile, hostile+row.ID
		row.Harness, row.WindowSource = hostile, hostile
	}
	for i := range l.Inputs {
		l.Inputs[i].Name, l.Inputs[i].Reason, l.Inputs[i].Format = hostile, hostile, hostile
		l.Inputs[i].Unknown = []analysis.KindCount{{Kind: hostile, Count: 2}}
		l.Inputs[i].Warnings = []analysis.WarningRow{{Code: hostile, Message: hostile, Hint: hostile}}
	}
	l.Overview.Bases, l.Overview.Categories[0].Category = []string{hostile}, hostile
	series := invented.Rich()
	series.Categories[9], series.Notes = hostile, []string{hostile}
	for i := range series.Model {
		series.Model[i], series.Basis[i], series.Stage[i], series.Kind[i] = hostile, hostile, hostile, hostile
		series.Coverage[i], series.WindowFrom[i] = hostile, hostile
	}
	for i := range series.Boundaries {
		series.Boundaries[i].Kind, series.Boundaries[i].Trigger, series.Boundaries[i].Model = hostile, hostile, hostile
	}
	h.series[0] = series
	s := New(h)
	s.Begun()
	s.Progressed(Progress{Phase: hostile, File: hostile, Files: 2})
	check := func() {
		t.Helper()
		html := optionValues.ReplaceAllString(render(t, s), "") // an id is a value as it is, and seen by nobody
		lacks(t, html, "<img", "\u202e", `onerror=alert(1)>"`)
		if regexp.MustCompile(`class="[^"]*onerror`).MatchString(html) {
			t.Error("a key of a journal became a class")
		}
	}
	check()
	s.Done(l)
	s.changes = invented.Changes(s.filter, 10)
	for i := range s.changes.Rows {
		r := &s.changes.Rows[i]
		r.Tool, r.Detail, r.Category, r.Change = hostile, hostile, hostile, hostile
	}
	for _, t := range tabs {
		s.pick(t.key)
		check()
	}
	s.Failed(hostile, hostile)
	s.Grown(1, hostile)
	check()
}

func TestHugeTextNeverReachesVugu(t *testing.T) {
	huge := strings.Repeat("é", 30000)
	h := newHost()
	l := invented.List()
	for i := range l.Sessions {
		l.Sessions[i].Title, l.Sessions[i].ID, l.Sessions[i].Role = huge, huge+l.Sessions[i].ID, huge
	}
	l.Inputs[0].Name, l.Inputs[0].Reason, l.Inputs[0].Warnings[0].Message = huge, huge, huge
	h.series[0].Notes, h.series[0].Categories[9] = []string{huge}, huge
	s := New(h)
	s.Done(l)
	s.Failed(huge, huge)
	for _, tab := range tabs {
		s.pick(tab.key)
		html := render(t, s)
		if i := strings.Index(html, strings.Repeat("é", 2000)); i >= 0 {
			t.Errorf("%s: a text of more than 2,000 characters: %.60s", tab.key, html[max(i-200, 0):])
		}
	}
}

func TestRowsStayFew(t *testing.T) {
	h := newHost()
	l := invented.List()
	main := l.Sessions[0]
	for i := range 3000 {
		row := main
		row.ID, row.Index, row.Parent = "s"+number(i), i+4, -1
		l.Sessions = append(l.Sessions, row)
		in := l.Inputs[0]
		in.Warnings = append(in.Warnings, in.Warnings...)
		l.Inputs = append(l.Inputs, in)
	}
	s := New(h)
	s.Done(l)
	for _, tab := range tabs {
		s.pick(tab.key)
		html := render(t, s)
		if n := strings.Count(html, "<tr"); n > 110 {
			t.Errorf("%s: %d rows", tab.key, n)
		}
		if n := strings.Count(html, "<option"); n > 120 {
			t.Errorf("%s: %d options", tab.key, n)
		}
		has(t, html, `selected="selected" value="`+optionValue(*s.session())+`"`)
	}
	s.pick(tabOverview)
	has(t, plain(render(t, s)), "1–50 of 3,004", "3,004 sessions", "more sessions in the Overview")
}

func TestRefusedFileIsNamedWithWhatToDo(t *testing.T) {
	s := New(newHost())
	s.Begun()
	s.Done(&analysis.List{Inputs: invented.List().Inputs[3:]})
	html := render(t, s)
	has(t, plain(html), "One file could not be opened", "notes.txt", "No journal was recognised: plain text without a JSON line.",
		"Open the .jsonl files of Claude Code or Codex.")
	has(t, html, `data-testid="warning"`, `data-testid="input"`, `role="alert"`)
	s.Done(invented.List())
	lacks(t, render(t, s), `data-testid="warning"`) // the Files tab has them now
}

func TestNothingHasAStyleAttribute(t *testing.T) {
	s, _ := opened()
	s.Dragging(3)
	s.Failed("a", "b")
	for _, tab := range tabs {
		s.pick(tab.key)
		lacks(t, render(t, s), ` style=`, "<style", ` onclick=`)
	}
	lacks(t, render(t, New(newHost())), ` style=`, "<style")
}
