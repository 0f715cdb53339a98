// Package chart lays pictures out: it turns a series into a Scene of plain nodes for a given width, and an x position
// back into a sample. It knows no DOM and no clock; wasm patches a scene into an element that Vugu leaves alone, and the
// report writes the same scene as SVG.
package chart

// Scene is a picture: an SVG element of a size in CSS pixels, with a title and a sentence for those who do not see it.
type Scene struct {
	Width, Height float64
	Title, Desc   string
	Nodes         []Node
}

// Node is one SVG element. Colours come from classes, never from style attributes, which the page's policy forbids.
type Node struct {
	Tag   string
	Attrs []Attr
	Text  string
	Kids  []Node
}

// Attr is one attribute of a node.
type Attr struct{ Key, Val string }
