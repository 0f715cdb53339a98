//go:build js && wasm

package page

import (
	"strconv"
	"strings"

	"contextscope/ui/chart"
	"contextscope/wasm/dom"
)

const svgSpace = "http://www.w3.org/2000/svg"

// picture is a scene as it stands in the page: an SVG inside an element that Vugu created empty and leaves alone.
type picture struct {
	host dom.Value
	root *drawn
}

// drawn is a node of a scene with the element that shows it.
type drawn struct {
	el   dom.Value
	text dom.Value // the text node before the children, where there is text
	node chart.Node
	kids []*drawn
}

// Draw shows a scene in the element with that id, changing only what differs from the one before. The scene belongs to
// the page from then on.
func (p *page) Draw(id string, s *chart.Scene) {
	host := dom.Call(p.document, "getElementById", id)
	if !dom.Present(host) {
		delete(p.pictures, id)
		return
	}
	pic := p.pictures[id]
	if s == nil {
		if pic != nil {
			dom.Call(pic.root.el, "remove")
			delete(p.pictures, id)
		}
		return
	}
	node := rootOf(id, s)
	if pic != nil && dom.Same(pic.host, host) && dom.Same(dom.Get(pic.root.el, "parentNode"), host) {
		p.patch(pic.root, node)
		return
	}
	pic = &picture{host: host, root: p.make(node)}
	dom.Call(host, "replaceChildren", pic.root.el)
	p.pictures[id] = pic
	p.watch(host)
}

// rootOf is the SVG element of a scene. Its name is an attribute and not a title element, which browsers would show as
// a tip wherever the pointer rests.
func rootOf(id string, s *chart.Scene) chart.Node {
	width, height := number(s.Width), number(s.Height)
	attrs := []chart.Attr{
		{Key: "width", Val: width}, {Key: "height", Val: height}, {Key: "viewBox", Val: "0 0 " + width + " " + height},
		{Key: "role", Val: "img"}, {Key: "aria-label", Val: s.Title},
	}
	kids := s.Nodes
	if s.Desc != "" {
		attrs = append(attrs, chart.Attr{Key: "aria-describedby", Val: id + "-desc"})
		desc := chart.Node{Tag: "desc", Attrs: []chart.Attr{{Key: "id", Val: id + "-desc"}}, Text: s.Desc}
		kids = append([]chart.Node{desc}, s.Nodes...)
	}
	return chart.Node{Tag: "svg", Attrs: attrs, Kids: kids}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (p *page) make(node chart.Node) *drawn {
	d := &drawn{el: dom.Call(p.document, "createElementNS", svgSpace, node.Tag), node: chart.Node{Tag: node.Tag}}
	p.patch(d, node)
	return d
}

// patch changes a drawn node into another one of the same tag.
func (p *page) patch(d *drawn, node chart.Node) {
	old := d.node
	d.node = node
	patchAttrs(d.el, old.Attrs, node.Attrs)
	p.patchText(d, old.Text, node.Text)
	for i, kid := range node.Kids {
		switch {
		case i >= len(d.kids):
			made := p.make(kid)
			dom.Call(d.el, "appendChild", made.el)
			d.kids = append(d.kids, made)
		case d.kids[i].node.Tag != kid.Tag:
			made := p.make(kid)
			dom.Call(d.kids[i].el, "replaceWith", made.el)
			d.kids[i] = made
		default:
			p.patch(d.kids[i], kid)
		}
	}
	for _, surplus := range d.kids[len(node.Kids):] {
		dom.Call(surplus.el, "remove")
	}
	clear(d.kids[len(node.Kids):])
	d.kids = d.kids[:len(node.Kids)]
}

func (p *page) patchText(d *drawn, old, text string) {
	switch {
	case old == text:
	case dom.Present(d.text):
		dom.Set(d.text, "data", text)
	default:
		d.text = dom.Call(p.document, "createTextNode", text)
		dom.Call(d.el, "prepend", d.text)
	}
}

func patchAttrs(el dom.Value, old, now []chart.Attr) {
	if sameAttrs(old, now) {
		return
	}
	for i, a := range now {
		if i < len(old) && old[i] == a || !harmless(a.Key) {
			continue
		}
		_, _ = el.Call("setAttribute", a.Key, a.Val)
	}
	for _, a := range old {
		if !hasKey(now, a.Key) {
			dom.Call(el, "removeAttribute", a.Key)
		}
	}
}

func sameAttrs(a, b []chart.Attr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func hasKey(attrs []chart.Attr, key string) bool {
	for _, a := range attrs {
		if a.Key == key {
			return true
		}
	}
	return false
}

// harmless refuses attributes that could do more than draw. No scene has them; the policy would stop them too.
func harmless(key string) bool {
	return !strings.HasPrefix(key, "on") && key != "style" && key != "href" && key != "xlink:href"
}

// Width is the inner width of the element with that id in CSS pixels, 0 when there is none.
func (p *page) Width(id string) float64 {
	host := dom.Call(p.document, "getElementById", id)
	if !dom.Present(host) {
		return 0
	}
	return dom.Float(dom.Get(host, "clientWidth"))
}
