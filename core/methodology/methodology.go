// Package methodology is the one text that says how every number is made: its formula, its source and its limits. The page
// shows its sections beside the numbers, and the README links to it.
package methodology

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed methodology.md
var text string

// Section is a part of the text about one number.
type Section struct {
	Title string
	Text  string // in Markdown, without the title
}

// Sections are all parts, in their order, taken apart once.
var Sections = sync.OnceValue(func() []Section {
	var all []Section
	for _, part := range strings.Split(text, "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		all = append(all, Section{title, strings.TrimSpace(body)})
	}
	return all
})
