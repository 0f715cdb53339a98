package runner

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"contextscope/adapters"
	"contextscope/adapters/folder"
)

// reading feeds files to a library, in the order of the command line and by name within a folder.
type reading struct {
	Process
	library *adapters.Library
	opened  int
}

func (r *reading) complain(format string, args ...any) {
	fmt.Fprintf(r.Stderr, "contextscope: "+format+"\n", args...)
}

// path reads a file, a folder or standard input. What cannot be read is told and passed over.
func (r *reading) path(path string) {
	if path == "-" {
		r.stream(adapters.Input{Name: "standard input", Path: path, Size: -1}, r.Stdin)
		return
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		r.complain("%v", err)
	case info.IsDir():
		r.folder(path)
	default:
		r.file(path)
	}
}

func (r *reading) folder(root string) {
	before, leftOut := r.opened, 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.complain("%v", err)
		case entry.IsDir():
			if path != root && !folder.Enters(entry.Name()) {
				return fs.SkipDir
			}
		case folder.Takes(filepath.ToSlash(path)):
			r.file(path)
		default:
			leftOut++
		}
		return nil
	})
	if err != nil {
		r.complain("%v", err)
	}
	if r.opened == before {
		r.complain("%s holds no journal; files of other kinds: %d. A single file of any name can be given by itself.",
			root, leftOut)
	} else if leftOut > 0 {
		r.complain("%s: files of other kinds that were left out: %d", root, leftOut)
	}
}

func (r *reading) file(path string) {
	f, err := os.Open(path)
	if err != nil {
		r.complain("%v", err)
		return
	}
	defer f.Close()
	size := int64(-1)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	r.stream(adapters.Input{Name: filepath.Base(path), Path: path, Size: size}, f)
}

func (r *reading) stream(in adapters.Input, from io.Reader) {
	if err := r.library.Read(in, from); err != nil {
		r.complain("%s: %v", in.Path, err)
		return
	}
	r.opened++
}
