// Command build assembles dist/: the site, the one-file page and the headless runner, all around the same program. It
// needs nothing but Go. Equal sources give equal bytes.
//
//	go run ./build dist            makes dist/
//	go run ./build program F TAGS  builds the program alone, with tags for a benchmark
//	go run ./build serve [PORT]    serves dist/ on localhost
//	go run ./build test LABEL -- …  runs go test and counts; LABEL wasm builds for WebAssembly
//	go run ./build clean           removes what was built
//
// It is called by build.sh, from the folder that holds go.mod.
package main

import (
	"errors"
	"fmt"
	"os"
)

const dist = "dist"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		args = []string{"dist"}
	}
	switch command, rest := args[0], args[1:]; command {
	case "dist":
		return assemble()
	case "program":
		if len(rest) != 2 {
			return errors.New("program takes a file and the tags to build with")
		}
		program, err := compile(rest[1])
		if err != nil {
			return err
		}
		return os.WriteFile(rest[0], program, 0o644)
	case "serve":
		port := "8080"
		if len(rest) > 0 {
			port = rest[0]
		}
		return serve(port)
	case "test":
		if len(rest) < 2 || rest[1] != "--" {
			return errors.New("test takes a label, -- and the arguments of go test")
		}
		return runTests(rest[0], rest[2:])
	case "clean":
		return os.RemoveAll(dist)
	default:
		return fmt.Errorf("unknown command %q; there are dist, program, serve, test and clean", command)
	}
}
