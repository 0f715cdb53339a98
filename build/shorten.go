package main

import (
	"bytes"
)

// shorten drops from a script what only people read: lines that are a comment, empty lines, indentation, and the debug
// lines of Vugu's renderer. It looks at whole lines only, so it is safe for scripts without multi-line strings.
func shorten(script []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(script) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*DEBUG")) {
			continue
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes()
}
