//go:build js && wasm

package page

import (
	"errors"
	"fmt"
	"time"

	"contextscope/adapters/folder"
	"contextscope/wasm/dom"
)

// haul is what comes out of a drop, a paste or a folder. Looking through a folder can take a while: the person sees how
// far it is and can stop it. What cannot be read inside of a folder is counted and costs nothing else.
type haul struct {
	*page
	items   []*item
	leftOut int    // files of a folder that do not look like journals
	unread  int    // files and folders in it that the browser could not read
	seen    int    // files looked at
	folder  string // name of a folder in it, "" for none
	search  int    // number of the page's search that this is
	told    time.Time
}

const (
	// mostFiles bounds what one folder may bring.
	mostFiles = 50_000
	// deepest bounds how far a folder is followed: links can make a circle.
	deepest = 40
	// searchPace is how often the person hears how far a search is.
	searchPace = 150 * time.Millisecond
)

var (
	errTooMany = errors.New("it holds more than 50,000 files that look like journals. Open a folder inside of it")
	errStopped = errors.New("stopped")
)

func (p *page) newHaul() *haul { return &haul{page: p, search: p.searches, told: time.Now()} }

// stopped tells that the person has cancelled.
func (h *haul) stopped() bool { return h.search != h.searches }

// saw counts a file, and tells the person now and then.
func (h *haul) saw() error {
	h.seen++
	if h.stopped() {
		return errStopped
	}
	if time.Since(h.told) < searchPace {
		return nil
	}
	h.told = time.Now()
	h.change(func() { h.state.Searching(h.folder, h.seen, len(h.items)) })
	return nil
}

// end takes the progress of the search away.
func (h *haul) end() { h.change(h.state.Searched) }

// failed ends a search with what went wrong.
func (h *haul) failed(name string, err error) {
	h.end()
	if !errors.Is(err, errStopped) {
		h.unreadable(name, err)
	}
}

// nothing says what a folder without journals holds.
func (h *haul) nothing() string {
	text := fmt.Sprintf("The folder holds %d files, none of which looks like a journal (.jsonl, .ndjson, .pftrace, also "+
		"packed as .gz, .zst or .zip). A single file of any name can be opened by itself.", h.leftOut)
	if h.unread > 0 {
		text += fmt.Sprintf(" %d files or folders in it could not be read.", h.unread)
	}
	return text
}

// addHandle takes a file by its handle, or walks a folder.
func (h *haul) addHandle(handle dom.Value) error {
	name := dom.String(dom.Get(handle, "name"))
	if dom.String(dom.Get(handle, "kind")) == "directory" {
		h.folder = name
		return h.walk(handle, name, 0)
	}
	file, err := dom.Await(dom.Call(handle, "getFile"))
	if err == nil {
		h.items = append(h.items, &item{file: file, handle: handle, path: name})
	}
	return err
}

// found is a file of a folder that was asked for.
type found struct{ handle, promise dom.Value }

// walk looks through a folder. The files of one folder are asked for together: one after the other each would cost a way
// through the browser's processes.
func (h *haul) walk(dir dom.Value, prefix string, depth int) error {
	var files []found
	entries := dom.Call(dir, "values")
	for {
		next, err := dom.Await(dom.Call(entries, "next"))
		if err != nil {
			h.unread++
			break
		}
		if dom.Truthy(dom.Get(next, "done")) {
			break
		}
		handle := dom.Get(next, "value")
		name := dom.String(dom.Get(handle, "name"))
		switch {
		case dom.String(dom.Get(handle, "kind")) == "directory":
			if folder.Enters(name) && depth < deepest {
				if err := h.walk(handle, prefix+"/"+name, depth+1); err != nil {
					return err
				}
			}
			continue
		case folder.Takes(prefix + "/" + name):
			if len(h.items)+len(files) >= mostFiles {
				return errTooMany
			}
			files = append(files, found{handle, dom.Call(handle, "getFile")})
		default:
			h.leftOut++
		}
		if err := h.saw(); err != nil {
			return err
		}
	}
	for _, f := range files {
		file, err := dom.Await(f.promise)
		if err != nil {
			h.unread++
			continue
		}
		name := dom.String(dom.Get(f.handle, "name"))
		h.items = append(h.items, &item{file: file, handle: f.handle, path: prefix + "/" + name})
	}
	return nil
}

// addEntry walks a folder in browsers that have entries and no handles.
func (h *haul) addEntry(entry dom.Value, prefix string, depth int) error {
	if !dom.Truthy(dom.Get(entry, "isDirectory")) {
		return h.addFile(entry, prefix)
	}
	reader := dom.Call(entry, "createReader")
	for { // a reader gives its entries by the hundred, and none at the end
		batch, err := dom.AwaitCall(reader, "readEntries")
		if err != nil {
			h.unread++
			return nil
		}
		if dom.Int(dom.Get(batch, "length")) == 0 {
			return nil
		}
		dom.Each(batch, func(inner dom.Value) {
			name := dom.String(dom.Get(inner, "name"))
			if err == nil && folder.Enters(name) && depth < deepest {
				err = h.addEntry(inner, prefix+"/"+name, depth+1)
			}
		})
		if err != nil {
			return err
		}
	}
}

func (h *haul) addFile(entry dom.Value, path string) error {
	if err := h.saw(); err != nil {
		return err
	}
	if !folder.Takes(path) {
		h.leftOut++
		return nil
	}
	if len(h.items) >= mostFiles {
		return errTooMany
	}
	file, err := dom.AwaitCall(entry, "file")
	if err != nil {
		h.unread++
		return nil
	}
	h.items = append(h.items, &item{file: file, path: path})
	return nil
}
