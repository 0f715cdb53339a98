//go:build js && wasm

package page

import (
	"slices"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/wire"
	"contextscope/ui"
	"contextscope/wasm/dom"
	"contextscope/wasm/message"
)

// open adds files to what is open. What comes while the worker is busy waits for its turn. A file that the person was
// asked to pick again takes the place of its older form. leftOut is what a folder holds beside them.
func (p *page) open(items []*item, leftOut ui.LeftOut) {
	c := p.client
	if i := c.indexOf(c.replace); i >= 0 && len(items) == 1 && items[0].name() == c.replace.name() {
		p.reopen(i, items[0])
		return
	}
	c.replace = nil
	c.waiting = append(c.waiting, items...)
	c.leftOut.Add(leftOut)
	c.begin()
}

// indexOf finds an item among what is open, -1 for nowhere.
func (c *client) indexOf(it *item) int { return slices.Index(c.opened, it) }

// begin starts the next opening, if the worker is free and something waits.
func (c *client) begin() {
	if !c.ready || c.running != nil || len(c.waiting) == 0 {
		return
	}
	j := &job{items: c.waiting, leftOut: c.leftOut}
	c.waiting, c.leftOut = nil, ui.LeftOut{}
	c.run(j)
}

// run sends a job to the worker and tells the State that an analysis has begun.
func (c *client) run(j *job) {
	if !j.restored {
		c.change(c.state.Begun)
	}
	c.next++
	j.id = c.next
	c.running = j
	args := message.OpenArgs{Reset: j.reset}
	files := make([]dom.Value, len(j.items))
	for i, it := range j.items {
		args.Paths = append(args.Paths, it.path)
		files[i] = it.file
	}
	c.send(message.Open, j.id, wire.Append(nil, args), files...)
}

// finish ends the running job: the State sees everything that is open now, then what went wrong.
func (c *client) finish(outcome message.Outcome) {
	j := c.running
	c.running = nil
	if j.reset && !outcome.Cancelled {
		c.opened = nil
	}
	for i, it := range j.items {
		if i < len(outcome.Brought) && outcome.Brought[i] > 0 {
			it.inputs = outcome.Brought[i]
			c.opened = append(c.opened, it)
		}
	}
	c.change(func() {
		if outcome.Cancelled && !j.restored {
			c.state.Done(nil) // what was open still is
		} else {
			c.state.Done(&outcome.List)
			c.state.LeftOut(j.leftOut)
		}
		c.tellFailures(j)
	})
	c.begin()
}

// Cancel ends the analysis that runs and keeps what was open before.
func (p *page) Cancel() {
	p.searches++
	p.client.waiting, p.client.leftOut = nil, ui.LeftOut{}
	if p.client.running != nil {
		p.client.send(message.Cancel, 0, nil)
	}
}

// CloseAll forgets everything that is open.
func (p *page) CloseAll() {
	c := p.client
	p.Cancel()
	c.replace = nil
	if !c.ready {
		return
	}
	c.opened, c.grown = nil, nil
	c.next++
	c.running = &job{id: c.next, reset: true}
	c.send(message.Close, c.next, nil)
}

// Reread takes an input again that has grown since it was opened; or a file that could not be read to its end, by the
// number that the State was told with it. Without a handle the person picks it again.
func (p *page) Reread(input int) {
	c := p.client
	var it *item
	switch {
	case input >= 0:
		it = c.bringer(input)
	case input < 0 && -1-input < len(c.grown):
		it = c.grown[-1-input]
	}
	if it == nil || !dom.Present(it.handle) {
		c.replace = it
		p.PickFiles(false)
		return
	}
	promise := dom.Call(it.handle, "getFile")
	p.background(func() {
		file, err := dom.Await(promise)
		if err != nil {
			p.unreadable(it.name(), err)
			return
		}
		newer := &item{file: file, handle: it.handle, path: it.path}
		if i := c.indexOf(it); i >= 0 {
			p.reopen(i, newer)
		} else {
			p.open([]*item{newer}, ui.LeftOut{})
		}
	})
}

// bringer is the item that an input came from, nil for none.
func (c *client) bringer(input int) *item {
	for _, it := range c.opened {
		if input -= it.inputs; input < 0 {
			return it
		}
	}
	return nil
}

// reopen reads everything that is open again, with one input in its newer form: a journal that has grown is another
// journal, as what is known only at its end may change everything before.
func (p *page) reopen(input int, newer *item) {
	c := p.client
	c.replace = nil
	if !c.ready || c.running != nil {
		return
	}
	items := slices.Clone(c.opened)
	items[input] = newer
	c.run(&job{items: items, reset: true})
}

// takeAgain answers the worker, which wants a file of the running job anew because it has grown while being read.
func (c *client) takeAgain(id, place int) {
	j := c.running
	if j == nil || j.id != id || place >= len(j.items) || !dom.Present(j.items[place].handle) {
		c.send(message.Again, id, nil)
		return
	}
	promise := dom.Call(j.items[place].handle, "getFile")
	c.background(func() {
		file, err := dom.Await(promise)
		if err != nil {
			c.send(message.Again, id, nil)
			return
		}
		j.items[place].file = file
		c.send(message.Again, id, nil, file)
	})
}

// hearFailure keeps what went wrong with a file until the end of the job, and shows the rest at once.
func (c *client) hearFailure(id int, f message.Failure) {
	if q, asked := c.questions[id]; asked {
		delete(c.questions, id)
		if q.failed != nil {
			q.failed(f.Message)
		}
	}
	if c.running != nil && c.running.id == id {
		c.running.failures = append(c.running.failures, f)
		return
	}
	c.change(func() { c.state.Failed(sentences([]message.Failure{f})) })
}

// tellFailures shows what went wrong in a job. A single file that has grown can be read again from its card.
func (c *client) tellFailures(j *job) {
	if len(j.failures) == 1 && j.failures[0].Kind == message.Grown {
		f := j.failures[0]
		for _, it := range j.items {
			if it.name() == f.File {
				c.grown = append(c.grown, it)
				c.state.Grown(-len(c.grown), f.File)
				return
			}
		}
	}
	if title, detail := sentences(j.failures); title != "" {
		c.state.Failed(title, detail)
	}
}

// lost goes on after the worker's program has ended, which takes what it held with it: what was open before the job
// that ended it is read again by a new worker.
func (c *client) lost(reason string) {
	if !c.ready {
		c.giveUp("Its worker could not start. " + reason)
		return
	}
	dom.Call(c.worker, "terminate")
	j := c.running
	c.running = nil
	for id, q := range c.questions {
		delete(c.questions, id)
		if q.failed != nil {
			q.failed("the worker has stopped")
		}
	}
	c.ready = false
	c.launch()
	stopped := message.Failure{Kind: message.Gone, Message: reason}
	if j != nil && j.restored || len(c.opened) == 0 {
		c.opened = nil
		c.change(func() {
			c.state.Done(&analysis.List{})
			c.state.Failed(sentences([]message.Failure{stopped}))
		})
		return
	}
	again := &job{items: c.opened, reset: true, restored: true, failures: []message.Failure{stopped}}
	c.opened = nil
	c.restore = again
}

// sentences says what went wrong in the words of a person who wants to go on.
func sentences(failures []message.Failure) (title, detail string) {
	var details []string
	for i, f := range failures {
		t, d := sentence(f)
		if i == 0 {
			title = t
		} else {
			d = t + ". " + d
		}
		details = append(details, d)
	}
	return title, strings.Join(details, " ")
}

func sentence(f message.Failure) (title, detail string) {
	switch f.Kind {
	case message.Grown:
		return f.File + " has grown since it was picked", "A browser lets a page read a file only as it was when it was " +
			"picked, and a session that is still running goes on writing to it. Open it again to read all of it."
	case message.Unread:
		return f.File + " could not be read", "The browser says: " + f.Message + ". Check that the file is still there " +
			"and that you may read it, then open it again."
	case message.Gone:
		return "The analysis has stopped", "Most likely it needed more memory than the browser gives to a page. " +
			"What was open before is open again. " + f.Message
	}
	title = "Something in contextscope went wrong"
	if f.File != "" {
		title += " while reading " + f.File
	}
	return title, f.Message + ". What was open before is still open; this is a mistake in the program, not in your file."
}
