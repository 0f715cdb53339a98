package report

import (
	"html"
	"strings"

	"contextscope/ui/chart"

	"github.com/vugu/vugu"
)

// writer writes what components have built as HTML: without controls, handlers and what is hidden, with the pictures that were
// drawn in their places.
type writer struct {
	b      strings.Builder
	scenes map[string]*chart.Scene
}

// left are elements that mean nothing on paper.
var left = map[string]bool{"select": true, "input": true, "label": true, "textarea": true, "dialog": true, "script": true, "style": true, "iframe": true, "link": true}

// void elements have no end.
var void = map[string]bool{"br": true, "hr": true, "img": true}

// kept are the attributes that are written.
func kept(key string) bool {
	switch key {
	case "class", "id", "title", "scope", "colspan", "role", "viewBox", "width", "height", "x", "y", "rx", "preserveAspectRatio", "cx", "cy", "r", "d":
		return true
	}
	return strings.HasPrefix(key, "aria-") && key != "aria-controls" && key != "aria-sort" && key != "aria-expanded" || strings.HasPrefix(key, "data-")
}

func (w *writer) built(r *vugu.BuildResults, out *vugu.BuildOut) {
	if out == nil {
		return
	}
	for _, n := range out.Out {
		w.node(r, n)
	}
}

func (w *writer) node(r *vugu.BuildResults, n *vugu.VGNode) {
	switch {
	case n.Component != nil:
		w.built(r, r.ResultFor(n.Component))
	case n.Type == vugu.TextNode:
		w.text(n.Data)
	case n.IsTemplate():
		w.kids(r, n)
	case n.Type == vugu.ElementNode:
		w.element(r, n)
	}
}

// text collapses the white space of templates.
func (w *writer) text(s string) {
	if strings.TrimSpace(s) == "" {
		w.b.WriteByte('\n')
		return
	}
	w.b.WriteString(html.EscapeString(s))
}

func (w *writer) kids(r *vugu.BuildResults, n *vugu.VGNode) {
	for kid := n.FirstChild; kid != nil; kid = kid.NextSibling {
		w.node(r, kid)
	}
}

func (w *writer) element(r *vugu.BuildResults, n *vugu.VGNode) {
	tag := n.Data
	if left[tag] || hasAttr(n, "hidden") {
		return
	}
	if tag == "button" {
		class := attr(n, "class")
		if !strings.HasPrefix(class, "link") && class != "sort" || strings.Contains(class, "record-link") {
			return
		}
		tag = "span" // what it says stays
	}
	w.b.WriteString("<" + tag)
	for _, a := range n.Attr {
		if kept(a.Key) && !(n.Data == "button" && (a.Key == "id" || a.Key == "aria-label")) {
			w.b.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
		}
	}
	w.b.WriteByte('>')
	if void[tag] {
		return
	}
	switch scene := w.scenes[attr(n, "id")]; {
	case scene != nil:
		w.b.WriteString(SVG(attr(n, "id"), scene))
	case n.InnerHTML != nil:
		w.b.WriteString(w.filled(*n.InnerHTML)) // Vugu has escaped it
	default:
		w.kids(r, n)
	}
	w.b.WriteString("</" + tag + ">")
}

// filled puts pictures into the elements of a text that the template has as it stands. What comes from a journal has its quotation
// marks escaped and names no element.
func (w *writer) filled(inner string) string {
	if !strings.Contains(inner, ` id="`) {
		return inner
	}
	for id, scene := range w.scenes {
		if i := strings.Index(inner, ` id="`+id+`"`); i >= 0 {
			if end := strings.IndexByte(inner[i:], '>'); end >= 0 {
				inner = inner[:i+end+1] + SVG(id, scene) + inner[i+end+1:]
			}
		}
	}
	return inner
}

func attr(n *vugu.VGNode, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *vugu.VGNode, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// SVG writes a scene. id is that of the element that it stands in.
func SVG(id string, s *chart.Scene) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="` + px(s.Width) + `" height="` + px(s.Height) + `" viewBox="0 0 ` + px(s.Width) + ` ` + px(s.Height) +
		`" role="img" aria-label="` + html.EscapeString(s.Title) + `"`)
	if s.Desc != "" {
		b.WriteString(` aria-describedby="` + id + `-said"><desc id="` + id + `-said">` + html.EscapeString(s.Desc) + `</desc>`)
	} else {
		b.WriteByte('>')
	}
	for _, n := range s.Nodes {
		chart.WriteNode(&b, n)
	}
	b.WriteString("</svg>")
	return b.String()
}
