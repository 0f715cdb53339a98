package chart

import "strconv"

// el makes a node from pairs of attribute names and values.
func el(tag string, pairs ...string) Node {
	n := Node{Tag: tag}
	for i := 0; i+1 < len(pairs); i += 2 {
		n.Attrs = append(n.Attrs, Attr{pairs[i], pairs[i+1]})
	}
	return n
}

// group makes a <g> of a class.
func group(class string, kids ...Node) Node {
	return Node{Tag: "g", Attrs: []Attr{{"class", class}}, Kids: kids}
}

func line(class string, x1, y1, x2, y2 float64) Node {
	return el("line", "class", class, "x1", px(x1), "y1", px(y1), "x2", px(x2), "y2", px(y2))
}

func rect(class string, x, y, w, h float64) Node {
	return el("rect", "class", class, "x", px(x), "y", px(y), "width", px(max(w, 0)), "height", px(max(h, 0)))
}

// label is a text at its baseline; anchor is "start", "middle" or "end".
func label(class, anchor string, x, y float64, s string) Node {
	n := el("text", "class", class, "x", px(x), "y", px(y))
	if anchor != "start" {
		n.Attrs = append(n.Attrs, Attr{"text-anchor", anchor})
	}
	n.Text = s
	return n
}

// titled puts a title in front of a node's children; a browser shows it as a tooltip.
func titled(n Node, title string) Node {
	n.Kids = append([]Node{{Tag: "title", Text: title}}, n.Kids...)
	return n
}

// px writes a length with at most two decimals.
func px(f float64) string {
	return strconv.FormatFloat(float64(int64(f*100+half(f)))/100, 'f', -1, 64)
}

func half(f float64) float64 {
	if f < 0 {
		return -0.5
	}
	return 0.5
}

// hatch is the pattern of what was reported but not measured. Each scene carries its own under its own id, because a
// pattern that lies in a hidden picture is not painted anywhere else.
func hatch(id string) Node {
	p := el("pattern", "id", id, "width", "5", "height", "5", "patternUnits", "userSpaceOnUse", "patternTransform", "rotate(45)")
	p.Kids = []Node{rect("hatch-ground", 0, 0, 5, 5), line("hatch-line", 0.5, 0, 0.5, 5)}
	return Node{Tag: "defs", Kids: []Node{p}}
}

// textSize is the size of every text in a picture, as the style sheet sets it.
const textSize = 12

// textWidth estimates the width of a text in a system font. It errs on the wide side, since boxes are drawn around it.
func textWidth(s string) float64 {
	w := 0.0
	for _, r := range s {
		switch {
		case r == ' ', r == ',', r == '.', r == ':', r == '·', r == 'i', r == 'l', r == '|', r == '(', r == ')':
			w += 0.36
		case r >= '0' && r <= '9':
			w += 0.64
		case r >= 'A' && r <= 'Z', r == 'm', r == 'w', r == '→', r == '−', r == '%', r == '#':
			w += 0.84
		case r < 0x2e80:
			w += 0.62
		default:
			w++
		}
	}
	return w * textSize
}

// boldWidth is the same for the figures of a flag.
func boldWidth(s string) float64 { return textWidth(s) * 1.15 }
