package chart

import (
	"bufio"
	"io"
	"strings"
)

// WriteSVG writes a scene as an SVG element with its title and description, for a page without scripts. Every text and
// attribute is escaped; colours come from the style sheet around it.
func WriteSVG(w io.Writer, s *Scene) error {
	b := bufio.NewWriter(w)
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="` + px(s.Width) + `" height="` + px(s.Height) +
		`" viewBox="0 0 ` + px(s.Width) + ` ` + px(s.Height) + `">`)
	writeNode(b, Node{Tag: "title", Text: s.Title})
	writeNode(b, Node{Tag: "desc", Text: s.Desc})
	for _, n := range s.Nodes {
		writeNode(b, n)
	}
	b.WriteString("</svg>")
	return b.Flush()
}

func writeNode(b *bufio.Writer, n Node) {
	b.WriteString("<" + n.Tag)
	for _, a := range n.Attrs {
		b.WriteString(" " + a.Key + `="`)
		escape.WriteString(b, a.Val)
		b.WriteByte('"')
	}
	if n.Text == "" && len(n.Kids) == 0 {
		b.WriteString("/>")
		return
	}
	b.WriteByte('>')
	escape.WriteString(b, n.Text)
	for _, k := range n.Kids {
		writeNode(b, k)
	}
	b.WriteString("</" + n.Tag + ">")
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")
