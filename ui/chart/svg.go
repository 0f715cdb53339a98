package chart

import (
	"bufio"
	"html"
	"io"
)

// WriteSVG writes a scene as an SVG element with its title and description, for a page without scripts. Every text and
// attribute is escaped; colours come from the style sheet around it.
func WriteSVG(w io.Writer, s *Scene) error {
	b := bufio.NewWriter(w)
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="` + px(s.Width) + `" height="` + px(s.Height) +
		`" viewBox="0 0 ` + px(s.Width) + ` ` + px(s.Height) + `">`)
	WriteNode(b, Node{Tag: "title", Text: s.Title})
	WriteNode(b, Node{Tag: "desc", Text: s.Desc})
	for _, n := range s.Nodes {
		WriteNode(b, n)
	}
	b.WriteString("</svg>")
	return b.Flush()
}

// WriteNode writes a node with all that is in it, escaped.
func WriteNode(b io.StringWriter, n Node) {
	b.WriteString("<" + n.Tag)
	for _, a := range n.Attrs {
		b.WriteString(" " + a.Key + `="` + html.EscapeString(a.Val) + `"`)
	}
	if n.Text == "" && len(n.Kids) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteString(">" + html.EscapeString(n.Text))
	for _, k := range n.Kids {
		WriteNode(b, k)
	}
	b.WriteString("</" + n.Tag + ">")
}
