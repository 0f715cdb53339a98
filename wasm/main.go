//go:build js && wasm

// Command wasm is the whole of contextscope: one program in three modes. As "page" it is the interface in a browser, as
// "worker" it reads files and holds what is open, and as "run" it is the command line in Node.
package main

import (
	"os"

	"contextscope/ui"
	"contextscope/wasm/page"
	"contextscope/wasm/session"

	"github.com/vugu/vugu"
)

func main() {
	mode := ""
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	switch mode {
	case "page":
		page.Run(root)
	case "worker":
		session.Run()
	case "run":
		os.Exit(run())
	default:
		panic("unknown mode: " + mode)
	}
}

// root is the component that everything hangs from.
func root(s *ui.State) vugu.Builder { return &ui.Root{State: s} }
