//go:build js && wasm

package page

import (
	"errors"
	"path"

	"contextscope/adapters/folder"
	"contextscope/ui"
	"contextscope/wasm/dom"
)

// item is a file that a person handed over. With a handle, the file can be taken again after it has grown.
type item struct {
	file   dom.Value
	handle dom.Value // a FileSystemFileHandle, or undefined
	path   string    // inside the folder that was handed over, else the name
	inputs int       // how many it brought once it was opened: an archive many
}

func (it *item) name() string { return path.Base(it.path) }

// listenFiles opens what is put into the two inputs of index.html.
func (p *page) listenFiles() {
	for _, id := range []string{"open-files", "open-folder"} {
		input := dom.Call(p.document, "getElementById", id)
		p.on(input, "change", func(dom.Value) { p.openInput(input) })
		p.openInput(input) // chosen while the page was loading
	}
}

func (p *page) openInput(input dom.Value) {
	h := p.newHaul()
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
func (p *page) openHaul(h *haul) {
	h.end()
	switch {
	case h.stopped():
	case len(h.items) > 0:
		p.open(h.items, ui.LeftOut{Files: h.leftOut, Unread: h.unread})
	case h.folder != "":
		p.change(func() {
			p.state.Failed("Nothing to open in "+path.Base(h.folder), h.nothing())
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
		case errors.As(err, &thrown) && thrown.Name == "AbortError": // the person closed the picker, or it refused the folder
			if wantFolder {
				p.change(p.state.FolderRefused)
			}
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
	h := p.newHaul()
	for _, handle := range handles {
		if err := h.addHandle(handle); err != nil {
			h.failed(dom.String(dom.Get(handle, "name")), err)
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
		h := p.newHaul()
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
				err = h.addEntry(b.entry, h.folder, 0)
			case dom.Present(b.file):
				h.items = append(h.items, &item{file: b.file, path: dom.String(dom.Get(b.file, "name"))})
			}
			if err != nil {
				h.failed(h.folder, err)
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

// openSession opens the session that a report carries with it.
func (p *page) openSession() {
	promise := dom.Call(p.boot, "session")
	p.background(func() {
		s, err := dom.Await(promise)
		if err != nil {
			p.unreadable("The session in this report", err)
			return
		}
		if !dom.Present(s) {
			return
		}
		it := &item{path: dom.String(dom.Get(s, "path"))}
		it.file = dom.New("File", dom.Array(dom.Get(s, "data")), it.name())
		p.open([]*item{it}, ui.LeftOut{})
	})
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
		p.open(items, ui.LeftOut{})
	})
}
