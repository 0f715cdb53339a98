// Package assets holds the files of the site that the program needs itself.
package assets

import _ "embed"

// Style is the style sheet: a report carries it inside.
//
//go:embed style.css
var Style string
