//go:build js && wasm

package main

import (
	"os"

	"contextscope/wasm/dom"
	"contextscope/wasm/runner"
)

// run is the command line. Its arguments come from contextscope.mjs, not from os.Args, whose length Go limits.
func run() int {
	node := dom.Get(dom.Global(), "contextscopeRunner")
	var args []string
	dom.Each(dom.Get(node, "args"), func(arg dom.Value) { args = append(args, dom.String(arg)) })
	return runner.Run(runner.Process{
		Args:     args,
		Stdin:    os.Stdin,
		Stdout:   os.Stdout,
		Stderr:   os.Stderr,
		Page:     dom.String(dom.Get(node, "page")),
		Terminal: dom.Truthy(dom.Get(node, "terminal")),
	})
}
