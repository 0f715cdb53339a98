package ui

import (
	"sort"
	"strings"
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"

	"github.com/vugu/vugu"
)

// element is a node of a page that is patched the way Vugu's renderer patches the browser's: by position; an element
// that is empty in the template keeps whatever is in it.
type element struct {
	tag, text string
	attrs     string
	kids      []*element
	inner     string // what was set as inner HTML
	drawn     bool   // a picture that the Host put there
}

type patcher struct {
	t   *testing.T
	env *vugu.BuildEnv
	res *vugu.BuildResults
}

func newPatcher(t *testing.T) *patcher {
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	return &patcher{t: t, env: env}
}

// show renders a state into a page that may have shown another one before, and draws the pictures.
func (p *patcher) show(page *element, s *State, root *Root) *element {
	root.State = s
	p.res = p.env.RunBuild(root)
	page = p.patch(page, p.res.Out.Out[0])
	s.Rendered()
	for _, id := range []string{contextID, capacityID, overviewID} {
		if host := page.find(`id="` + id + `"`); host != nil {
			host.kids = []*element{{tag: "svg", drawn: true}}
		}
	}
	return page
}

func (p *patcher) patch(old *element, n *vugu.VGNode) *element {
	if n.Component != nil {
		return p.patch(old, p.res.ResultFor(n.Component).Out[0])
	}
	if n.Type == vugu.TextNode {
		return &element{text: n.Data}
	}
	if n.IsTemplate() {
		p.t.Fatal("a template: its handlers would be left on other elements")
	}
	e := old
	if e == nil || e.tag != n.Data {
		e = &element{tag: n.Data}
	}
	var attrs []string
	for _, a := range n.Attr {
		attrs = append(attrs, a.Key+`="`+a.Val+`"`)
	}
	sort.Strings(attrs)
	e.attrs = strings.Join(attrs, " ")
	switch {
	case n.InnerHTML != nil:
		e.inner, e.kids = *n.InnerHTML, nil
	case n.FirstChild != nil:
		e.inner = ""
		i := 0
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			var was *element
			if i < len(e.kids) {
				was = e.kids[i]
			}
			now := p.patch(was, k)
			if i < len(e.kids) {
				e.kids[i] = now
			} else {
				e.kids = append(e.kids, now)
			}
			i++
		}
		e.kids = e.kids[:i]
	}
	return e
}

func (e *element) find(attr string) *element {
	if strings.Contains(e.attrs, attr) {
		return e
	}
	for _, k := range e.kids {
		if f := k.find(attr); f != nil {
			return f
		}
	}
	return nil
}

func (e *element) write(b *strings.Builder) {
	if e.tag == "" {
		b.WriteString(strings.TrimSpace(e.text))
		return
	}
	b.WriteString("\n<" + e.tag + " " + e.attrs + ">" + e.inner)
	for _, k := range e.kids {
		k.write(b)
	}
	b.WriteString("</" + e.tag + ">")
}

func (e *element) String() string {
	var b strings.Builder
	e.write(&b)
	return b.String()
}

// walkThrough are states of one page in the order in which a person may see them.
func walkThrough(s *State, h *host) []func() {
	steps := []func(){
		func() {},
		func() { s.Dragging(2) },
		func() { s.Begun(); s.Progressed(Progress{Phase: "reading", File: "a", Done: 1, Total: 2}) },
		func() { s.Done(invented.List()) },
		func() { s.chooseWindow("own") },
		func() { s.sample(110) },
		func() { s.Failed("a", "b") },
		func() { s.Grown(1, "c") },
		func() { s.Failed("a", "b") },
		func() { s.dismiss() },
		func() { h.hold = true; s.show(2) },
		func() { h.hold = false; s.open(2) },
		func() { s.chooseWindow("auto") },
		func() { s.filterCategory("prompts") },
		func() { s.Begun() },
		func() { s.Done(&analysis.List{Inputs: invented.List().Inputs[3:]}) },
		func() { s.Done(invented.List()) },
		func() { s.closeAll() },
	}
	var all []func()
	for _, step := range steps {
		all = append(all, step)
		for _, t := range []string{tabFiles, tabOverview, tabContext, tabCompactions, tabContext, tabFindings, tabContext} {
			all = append(all, func() { s.pick(t) })
		}
	}
	return all
}

// TestNothingStaysBehind patches one page through all states, and compares it each time with a page that never showed
// anything else.
func TestNothingStaysBehind(t *testing.T) {
	h := newHost()
	s := New(h)
	p := newPatcher(t)
	root := &Root{}
	var page *element
	for i, step := range walkThrough(s, h) {
		step()
		page = p.show(page, s, root)
		fresh := newPatcher(t).show(nil, s, &Root{})
		if got, want := page.String(), fresh.String(); got != want {
			t.Fatalf("step %d: what is left differs from a fresh page from here on:\n%.600s\nwant\n%.600s", i, tail(got, want), tail(want, got))
		}
	}
}

// tail is the rest of a from the line where it differs from b.
func tail(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return a[max(strings.LastIndexByte(a[:i], '\n'), 0):]
}

// TestPicturesKeepTheirElements looks whether an element that the Host draws into is the same one as long as its tab is
// shown, so that a picture is patched and not made anew.
func TestPicturesKeepTheirElements(t *testing.T) {
	s, _ := opened()
	p := newPatcher(t)
	root := &Root{}
	page := p.show(nil, s, root)
	chart, bar := page.find(`id="context-chart"`), page.find(`id="capacity-bar"`)
	for _, step := range []func(){func() { s.sample(3) }, func() { s.filterAll(true) }, func() { s.dismiss() },
		func() { s.Begun() }, func() { s.Dragging(1) }, func() { s.chooseWindow("1000000") }, func() { s.setShare(true) }} {
		step()
		page = p.show(page, s, root)
		if page.find(`id="context-chart"`) != chart || page.find(`id="capacity-bar"`) != bar {
			t.Fatal("a picture lost its element")
		}
	}
}
