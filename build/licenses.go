package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// licenses collects the licences of everything that is part of the program.
func licenses() ([]byte, error) {
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./wasm")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	dirs := map[string]string{"contextscope": ".", "Go": goroot}
	names := []string{"contextscope", "Go"}
	for line := range strings.Lines(string(list)) {
		name, dir, ok := strings.Cut(strings.TrimSpace(line), " ")
		if _, known := dirs[name]; ok && !known {
			dirs[name] = dir
			names = append(names, name)
		}
	}
	sort.Strings(names[2:])
	var out bytes.Buffer
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dirs[name], "LICENSE"))
		if os.IsNotExist(err) {
			text, err = os.ReadFile(filepath.Join(dirs[name], "LICENSE.md"))
		}
		if os.IsNotExist(err) {
			text, err = []byte("The module carries no licence file.\n"), nil
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "== %s\n\n%s\n", name, bytes.ReplaceAll(bytes.TrimSpace(text), []byte("\r"), nil))
	}
	return out.Bytes(), nil
}
