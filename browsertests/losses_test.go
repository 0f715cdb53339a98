package browsertests

import (
	"path/filepath"
	"strings"
	"testing"
)

// keepSaved notes what the page hands over as files.
const keepSaved = `
window.saved = [];
const made = URL.createObjectURL;
URL.createObjectURL = (b) => { if (b.type.startsWith("text/plain")) b.text().then((t) => saved.push(t)); return made.call(URL, b) };
`

// A person looks at what a compaction of the example threw away, follows it to the chart and back, and takes the brief along.
func TestACompactionShowsWhatItThrewAway(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t, keepSaved)
		p.open(address)
		p.button("Try an example")
		p.state("done", 1)
		p.until(`[...document.querySelectorAll("#session-select option")].some((o) => o.selected && o.textContent.includes("limiter"))`)
		p.until(sample)
		eval[bool](p, `document.querySelector("#tab-compactions").click() ?? true`)
		p.until(`document.querySelector("[data-testid=dropped]")`)
		text := p.text("[data-testid=compaction]")
		for _, want := range []string{"165,578", "43,348", "122,230 tokens", "Never log a client key without hashing it", "not found", "in summary", "Behaviour after it"} {
			if !strings.Contains(text, want) {
				t.Errorf("the card does not say %q: %s", want, text)
			}
		}
		// The bars are drawn: what is left is a quarter of what was there.
		width := `document.querySelector("%").getBoundingClientRect().width`
		was, is := eval[float64](p, strings.Replace(width, "%", ".level .was", 1)), eval[float64](p, strings.Replace(width, "%", ".level .is", 1))
		if was < 100 || is/was < 0.25 || is/was > 0.28 {
			t.Errorf("the bars are %.1f and %.1f wide", was, is)
		}

		example, _ := filepath.Abs(filepath.Join("..", "assets", "example"))
		for label, args := range map[string][]string{"Save the re-injection brief": {"checkpoint", "--brief"}, "Save the recovery checkpoint": {"checkpoint"}} {
			eval[bool](p, `(saved.length = 0, document.querySelector("[aria-label='`+label+`']").click(), true)`)
			p.until(`saved.length === 1`)
			want, complaints, code := node(t, "", append(args, "--session", "make-the-limiter-survive", example)...)
			if got := eval[string](p, `saved[0]`); code != 0 || got != want || len(got) < 200 {
				t.Errorf("%s: the page gives\n%s\nthe runner, with exit %d and %s,\n%s", label, got, code, complaints, want)
			}
		}

		eval[bool](p, `document.querySelector("[data-testid=compaction] button").click() ?? true`)
		p.until(`document.activeElement.id === "context-chart"`)
		p.button("Show its card")
		p.until(`document.activeElement.id === "compaction-1"`)
		eval[bool](p, `[...document.querySelectorAll("[data-testid=compaction] button")].find((b) => b.textContent === "Hide what was lost").click() ?? true`)
		p.until(`!document.querySelector("[data-testid=dropped]")`)
		p.calm()
	})
}

func TestAThresholdIsJudgedAtOnce(t *testing.T) {
	p := newTab(t)
	p.open(newSite(t).home())
	lines := claudeLines("11111111-2222-4333-8444-555555555555", "Read the files. Never write to one.", 8)
	// The fifth request holds 60 % of what the fourth held, and nothing says why.
	lines[9] = strings.Replace(lines[9], `"cache_read_input_tokens":22400`, `"cache_read_input_tokens":12800`, 1)
	for i := 11; i < len(lines); i += 2 {
		lines[i] = strings.Replace(lines[i], `"cache_read_input_tokens":2`, `"cache_read_input_tokens":1`, 1)
	}
	p.choose(write(t, "session.jsonl", lines...))
	p.state("done", 1)
	p.until(sample)
	eval[bool](p, `document.querySelector("#tab-compactions").click() ?? true`)
	p.until(`document.body.textContent.includes("This session was not compacted")`)
	eval[bool](p, `(threshold.value = "0.35", threshold.dispatchEvent(new Event("change", {bubbles: true})), true)`)
	p.until(`document.querySelectorAll("[data-testid=compaction]").length === 1`)
	p.until(`document.querySelector("[data-testid=lost]").textContent.includes("cannot be judged")`)
	p.calm()
}
