//go:build js && wasm

package page

import (
	"errors"
	"fmt"
	"path"

	"contextscope/adapters/folder"
	"contextscope/wasm/dom"
)

// item is a file that a person handed over. With a handle, the file can be taken again after it has grown.
type item struct {
	file   dom.Value
	handle dom.Value // a FileSystemFileHandle, or undefined
	path   string    // inside the folder that was handed over, else the name
}

func (it *item) name() string { return path.Base(it.path) }

// haul is what came out of a drop or a folder.
type haul struct {
	items   []*item
	leftOut int    // files of a folder that do not look like journals
	folder  string // name of a folder in it, "" for none
}

// mostFiles bounds what one folder may bring.
const mostFiles = 50_000

var errTooMany = errors.New("more than 50,000 files")

// listenFiles opens what is put into the two inputs of index.html.
func (p *page) listenFiles() {
	for _, id := range []string{"open-files", "open-folder"} {
		input := dom.Call(p.document, "getElementById", id)
		p.on(input, "change", func(dom.Value) { p.openInput(input) })
		p.openInput(input) // chosen while the page was loading
	}
}

func (p *page) openInput(input dom.Value) {
	var h haul
	dom.Each(dom.Get(input, "files"), func(file dom.Value) {
		it := &item{file: file, path: dom.String(dom.Get(file, "webkitRelativePath"))}
		if it.path == "" {
			it.path = dom.String(dom.Get(file, "name"))
		} else if h.folder = it.path; !takes(it.path) {
			h.leftOut++
			return
		}
		h.items = append(h.items, it)
	})
	dom.Set(input, "value", "") // so that choosing the same file again is a change
	p.openHaul(h)
}

// takes applies the rules for folders to a path inside of one.
func takes(name string) bool {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if !folder.Enters(dir) {
			return false
		}
	}
	return folder.Takes(name)
}

// openHaul opens what was found, or says that nothing was.
func (p *page) openHaul(h haul) {
	switch {
	case len(h.items) > 0:
		if h.leftOut > 0 {
			p.Announce(fmt.Sprintf("Files of other kinds that were left out: %d", h.leftOut))
		}
		p.open(h.items)
	case h.folder != "":
		p.change(func() {
			p.state.Failed("Nothing to open in "+path.Base(h.folder), fmt.Sprintf("The folder holds %d files, none of "+
				"which looks like a journal (.jsonl, .ndjson, .pftrace, also packed as .gz or .zst). A single file of "+
				"any name can be opened by itself.", h.leftOut))
		})
	}
}

// PickFiles shows the system's picker. The newer one gives handles; where it is missing, the inputs do.
func (p *page) PickFiles(wantFolder bool) {
	method, id := "showOpenFilePicker", "open-files"
	if wantFolder {
		method, id = "showDirectoryPicker", "open-folder"
	}
	input := dom.Call(p.document, "getElementById", id)
	if !dom.Has(p.window, method) {
		dom.Call(input, "click")
		return
	}
	options := dom.Object()
	dom.Set(options, "multiple", true)
	promise := dom.Call(p.window, method, options)
	p.background(func() {
		picked, err := dom.Await(promise)
		var thrown *dom.Thrown
		switch {
		case errors.As(err, &thrown) && thrown.Name == "AbortError": // the person closed the picker
		case err != nil:
			dom.Call(input, "click")
		case wantFolder:
			p.openHandles(picked)
		default:
			var handles []dom.Value
			dom.Each(picked, func(h dom.Value) { handles = append(handles, h) })
			p.openHandles(handles...)
		}
	})
}

func (p *page) openHandles(handles ...dom.Value) {
	var h haul
	for _, handle := range handles {
		if err := h.addHandle(handle); err != nil {
			p.unreadable(dom.String(dom.Get(handle, "name")), err)
			return
		}
	}
	p.openHaul(h)
}

// openTransfer opens what a drop or a paste brought. All of it must be asked for before the event is over; only then
// may we wait.
func (p *page) openTransfer(transfer dom.Value) {
	type brought struct{ handle, entry, file dom.Value }
	var all []brought
	dom.Each(dom.Get(transfer, "items"), func(it dom.Value) {
		if dom.String(dom.Get(it, "kind")) == "file" {
			all = append(all, brought{
				handle: dom.Call(it, "getAsFileSystemHandle"),
				entry:  dom.Call(it, "webkitGetAsEntry"),
				file:   dom.Call(it, "getAsFile"),
			})
		}
	})
	p.background(func() {
		var h haul
		for _, b := range all {
			handle := dom.Value{}
			if dom.Present(b.handle) {
				handle, _ = dom.Await(b.handle)
			}
			var err error
			switch {
			case dom.Present(handle):
				err = h.addHandle(handle)
			case dom.Truthy(dom.Get(b.entry, "isDirectory")):
				h.folder = dom.String(dom.Get(b.entry, "name"))
				err = h.addEntry(b.entry, h.folder)
			case dom.Present(b.file):
				h.items = append(h.items, &item{file: b.file, path: dom.String(dom.Get(b.file, "name"))})
			}
			if err != nil {
				p.unreadable(h.folder, err)
				return
			}
		}
		p.openHaul(h)
	})
}

func (p *page) unreadable(name string, err error) {
	p.change(func() {
		p.state.Failed(name+" could not be opened", err.Error()+". Check that it is there and that you may read it.")
	})
}

// addHandle takes a file by its handle, or walks a folder.
func (h *haul) addHandle(handle dom.Value) error {
	name := dom.String(dom.Get(handle, "name"))
	if dom.String(dom.Get(handle, "kind")) == "directory" {
		h.folder = name
		return h.walk(handle, name)
	}
	return h.take(handle, name)
}

func (h *haul) take(handle dom.Value, path string) error {
	if len(h.items) >= mostFiles {
		return errTooMany
	}
	file, err := dom.Await(dom.Call(handle, "getFile"))
	if err != nil {
		return err
	}
	h.items = append(h.items, &item{file: file, handle: handle, path: path})
	return nil
}

func (h *haul) walk(dir dom.Value, prefix string) error {
	entries := dom.Call(dir, "values")
	for {
		next, err := dom.Await(dom.Call(entries, "next"))
		if err != nil {
			return err
		}
		if dom.Truthy(dom.Get(next, "done")) {
			return nil
		}
		handle := dom.Get(next, "value")
		name := dom.String(dom.Get(handle, "name"))
		inner := prefix + "/" + name
		switch {
		case dom.String(dom.Get(handle, "kind")) == "directory":
			if folder.Enters(name) {
				err = h.walk(handle, inner)
			}
		case folder.Takes(name):
			err = h.take(handle, inner)
		default:
			h.leftOut++
		}
		if err != nil {
			return err
		}
	}
}

// addEntry walks a folder in browsers that have entries and no handles.
func (h *haul) addEntry(entry dom.Value, prefix string) error {
	if !dom.Truthy(dom.Get(entry, "isDirectory")) {
		if !folder.Takes(prefix) {
			h.leftOut++
			return nil
		}
		if len(h.items) >= mostFiles {
			return errTooMany
		}
		file, err := dom.AwaitCall(entry, "file")
		if err == nil {
			h.items = append(h.items, &item{file: file, path: prefix})
		}
		return err
	}
	reader := dom.Call(entry, "createReader")
	for { // a reader gives its entries by the hundred, and none at the end
		batch, err := dom.AwaitCall(reader, "readEntries")
		if err != nil {
			return err
		}
		if dom.Int(dom.Get(batch, "length")) == 0 {
			return nil
		}
		dom.Each(batch, func(inner dom.Value) {
			name := dom.String(dom.Get(inner, "name"))
			if err == nil && folder.Enters(name) {
				err = h.addEntry(inner, prefix+"/"+name)
			}
		})
		if err != nil {
			return err
		}
	}
}

// OpenExample opens the built-in example. It was loaded with the page and waits compressed.
func (p *page) OpenExample() {
	promise := dom.Call(p.boot, "example")
	p.background(func() {
		files, err := dom.Await(promise)
		if err != nil {
			p.unreadable("The example", err)
			return
		}
		var items []*item
		dom.Each(files, func(f dom.Value) {
			it := &item{path: dom.String(dom.Get(f, "path"))}
			it.file = dom.New("File", dom.Array(dom.Get(f, "text")), it.name())
			items = append(items, it)
		})
		p.open(items)
	})
}
