// Package table reads the data files that the program has built in: a row a line, columns separated by tabs, comments behind a
// number sign. What is wrong with such a file is a mistake in the program, which ends with a sentence about the row.
package table

import (
	"fmt"
	"strings"
)

// Rows are the rows of a file that is called name, each of so many columns.
func Rows(name, text string, columns int) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != columns {
			panic(fmt.Sprintf("%s: a row has %d columns and not %d: %s", name, len(f), columns, line))
		}
		out = append(out, f)
	}
	return out
}
