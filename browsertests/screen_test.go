package browsertests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	sample = `document.querySelector("[data-testid=sample]")`
	chart  = `document.querySelector("[role=slider]")`
)

// tokens are those of the selected sample.
func (p *tab) tokens() int64 {
	p.Helper()
	n, err := strconv.ParseInt(eval[string](p, sample+`.dataset.tokens`), 10, 64)
	if err != nil {
		p.Fatal(err)
	}
	return n
}

// estimates are those of the one session that is open, sample by sample.
func (p *tab) estimates() []int64 {
	p.Helper()
	doc := p.analysis()
	if len(doc.Sessions) != 1 {
		p.Fatalf("%d sessions are open", len(doc.Sessions))
	}
	var all []int64
	for _, s := range doc.Sessions[0].Snapshots {
		all = append(all, s.EstimatedTokens)
	}
	return all
}

// button clicks the button with that text.
func (p *tab) button(text string) {
	p.Helper()
	found := `[...document.querySelectorAll("button")].find((b) => b.textContent.trim() === ` + quoted(text) + `)`
	p.until(found)
	eval[bool](p, found+`.click() ?? true`)
}

func (p *tab) shows(tokens int64) {
	p.Helper()
	p.until(sample + `?.dataset.tokens === "` + strconv.FormatInt(tokens, 10) + `"`)
}

func TestKeysSelectASample(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		p.choose(claudeSession(t, "session.jsonl"))
		p.state("done", 1)
		all := p.estimates()
		last := len(all) - 1
		p.until(sample)
		p.do(chromedp.Focus(chromedp.CSS("[role=slider]")))
		p.do(chromedp.KeyEvent(kb.End))
		p.shows(all[last])
		p.do(chromedp.KeyEvent(kb.ArrowLeft))
		p.shows(all[last-1])
		p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
		p.shows(all[last-3])
		p.do(chromedp.KeyEvent(kb.Home))
		p.shows(all[0])
		p.do(chromedp.KeyEvent(kb.ArrowRight))
		p.shows(all[1])
		if !eval[bool](p, chart+` === document.activeElement`) {
			t.Error("the chart has lost the focus")
		}
		p.calm()
	})
}

func TestThePointerSelectsASample(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	all := p.estimates()
	p.until(chart + `?.querySelector("svg")`)
	box := eval[struct{ X, Y, Width, Height float64 }](p, chart+`.getBoundingClientRect().toJSON()`)
	click := func(share float64) {
		p.do(chromedp.MouseClickXY(box.X+box.Width*share, box.Y+box.Height/3))
	}
	click(0.13)
	p.until(sample + `.dataset.tokens !== "` + strconv.FormatInt(all[len(all)-1], 10) + `"`)
	left := p.tokens()
	click(0.5)
	p.until(sample + `.dataset.tokens !== "` + strconv.FormatInt(left, 10) + `"`)
	if middle := p.tokens(); middle <= left {
		t.Errorf("%d tokens in the middle, %d on the left of a session that only grows", middle, left)
	}
	p.calm()
}

func TestTabsFollowTheArrowKeys(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	const chosen = `document.querySelector("[role=tab][aria-selected=true]")`
	name := func() string { return eval[string](p, chosen+`.ariaLabel ?? `+chosen+`.textContent`) }
	p.until(chosen)
	names := eval[[]string](p, `[...document.querySelectorAll("[role=tab]")].map((t) => t.ariaLabel ?? t.textContent)`)
	if got := strings.Join(names, " "); got != "Overview Context Compactions Findings Files" {
		t.Fatalf("the tabs are %s", got)
	}
	eval[bool](p, `document.querySelector("[role=tab]").click() ?? true`)
	p.until(chosen + ` === document.querySelector("[role=tab]")`)
	eval[bool](p, chosen+`.focus() ?? true`)
	for _, want := range append(names[1:], names[0]) {
		p.do(chromedp.KeyEvent(kb.ArrowRight))
		p.until(chosen + ` === document.activeElement`)
		if got := name(); got != want {
			t.Errorf("at %s, want %s", got, want)
		}
	}
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.until(chosen + ` === document.activeElement`)
	if got := name(); got != "Files" {
		t.Errorf("at %s", got)
	}
	p.calm()
}

func TestAForeignFileIsRefusedByName(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		p.choose(write(t, "shopping.txt", "milk", "bread"))
		p.state("error", 1)
		said := p.text("body")
		for _, want := range []string{"shopping.txt", "Claude Code", "Codex"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is missing in what the page says:\n%s", want, said)
			}
		}
		if !eval[bool](p, `!!document.querySelector("[data-testid=warning]")`) {
			t.Error("there is no warning")
		}
		// What can be opened is opened all the same.
		p.choose(claudeSession(t, "session.jsonl"), write(t, "other.txt", "butter"))
		p.state("done", 2)
		if doc := p.analysis(); len(doc.Sessions) != 1 {
			t.Errorf("%d sessions", len(doc.Sessions))
		}
		p.calm()
	})
}

func TestHostileStringsAreText(t *testing.T) {
	const attack = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		lines := claudeLines("<b>bold</b>", attack+" please", 6)
		for i := range lines {
			lines[i] = strings.ReplaceAll(lines[i], `"Read"`, quoted(attack))
			lines[i] = strings.ReplaceAll(lines[i], `/home/ada/project/`, `/<img src=x onerror=window.hacked=1>/`)
			lines[i] = strings.ReplaceAll(lines[i], `claude-opus-4-6`, `<i>model</i>`)
		}
		lines = append(lines, `{"type":"<img src=x onerror=window.hacked=1>","uuid":"u"}`, `{"broken`)
		p.choose(write(t, `<img src=x onerror=window.hacked=1>.jsonl`, lines...))
		p.state("done", 1)
		for _, tab := range []string{"Overview", "Context", "Compactions", "Findings", "Files"} {
			eval[bool](p, `document.querySelector("#tab-`+strings.ToLower(tab)+`").click() ?? true`)
			p.until(`document.querySelector("[role=tab][aria-selected=true]")?.ariaLabel === ` + quoted(tab))
		}
		if eval[bool](p, `"hacked" in window || !!document.querySelector("img, body b, body i img, script:not([id])")`) {
			t.Error("a string of the journal became an element")
		}
		if said := p.text("body"); !strings.Contains(said, "<img src=x") {
			t.Errorf("the name of the file is not shown as it is:\n%s", said)
		}
		p.calm()
	})
}

func TestCloseAllForgets(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 1)
	p.button("Close all")
	p.state("ready", 1)
	if doc := p.analysis(); len(doc.Inputs) != 0 || len(doc.Sessions) != 0 {
		t.Errorf("still open: %+v", doc)
	}
	p.choose(claudeSession(t, "session.jsonl"))
	p.state("done", 2)
	p.calm()
}

func TestTheExampleHasASubagentAndACompaction(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		p.button("Try an example")
		p.state("done", 1)
		doc := p.analysis()
		subagents := 0
		for _, s := range doc.Sessions {
			if s.Parent != "" {
				subagents++
			}
		}
		if subagents == 0 {
			t.Errorf("no subagent among %d sessions", len(doc.Sessions))
		}
		if n := eval[int](p, `contextscope.analysis().then((d) => d.sessions.flatMap((s) => s.compactions).length)`); n == 0 {
			t.Error("no compaction")
		}
		p.calm()
	})
}

// TestRealJournals opens what others have published, where that folder is at hand.
func TestRealJournals(t *testing.T) {
	corpus, err := filepath.Abs("../../shared/corpus")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(corpus, "EXPECTED.json"))
	if err != nil {
		t.Log("the corpus is not here; the journals of the other tests are invented")
		return
	}
	var expected map[string]struct{ Requests int }
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.open(newSite(t).home())
	for run, name := range []string{
		"claude/entire-5c_5cb639eac4_0.jsonl", "claude/cipher-a6a973bc5781.jsonl", "codex/agentv-56294610bcb0.jsonl",
	} {
		p.choose(filepath.Join(corpus, name))
		p.state("done", run+1)
		sessions := p.analysis().Sessions
		requests := 0
		for _, s := range sessions {
			if s.Parent == "" {
				requests = max(requests, len(s.Requests))
			}
		}
		if want := expected[name].Requests; requests != want {
			t.Errorf("%s: %d requests, want %d", name, requests, want)
		}
		p.button("Close all")
		p.state("ready", run+1)
	}
	p.calm()
}
