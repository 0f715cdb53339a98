package ui

import "contextscope/core/methodology"

const helpID = "help" // the dialog

// help is the dialog that explains: the keys, or how a number is made.
type help struct {
	open  bool
	shown bool // the browser shows the dialog
	topic int  // section of the methodology, -1 for the keys
}

const helpKeys = -1

// showHelp opens the dialog, or turns to another page of it.
func (s *State) showHelp(topic int) {
	was := s.help.open
	s.help.open, s.help.topic = true, topic
	if !was {
		s.host.Modal(helpID, true, func() { s.help.shown = true }, func() { s.help = help{} })
	}
}

func (s *State) closeHelp() { s.host.Modal(helpID, false, nil, nil) }

// explain shows how a number is made. title is that of a section of the methodology.
func (s *State) explain(title string) {
	for i, sec := range methodology.Sections() {
		if sec.Title == title {
			s.showHelp(i)
			return
		}
	}
}

// helpNow is the attribute that the browser sets when it shows a dialog: Vugu would take it away.
func (s *State) helpNow() any {
	if s.help.shown {
		return ""
	}
	return nil
}

type keyLine struct{ Keys, Does string }

// keys are what the keyboard does, and where it does it. Everything has a control that can be seen, too.
var keys = []keyLine{
	{"Ctrl+O, Cmd+O", "open files"},
	{"Ctrl+S, Cmd+S", "share the session that is shown"},
	{"/", "find a session; in a record: find text"},
	{"j, k", "next and previous: sample in the chart, session, compaction, finding"},
	{"Enter", "open what has the focus"},
	{"← →", "in the chart: the sample before, the next one"},
	{"Page Up, Page Down", "in the chart: ten samples on or back"},
	{"Home, End", "in the chart: the first and the last sample"},
	{"[ ]", "the compaction before, the next one"},
	{"+ −", "fewer or more samples in the chart"},
	{"0", "all samples"},
	{"Ctrl+V, Cmd+V", "open what is on the clipboard: files, or text of a journal"},
	{"Esc", "close a message or a dialog"},
	{"?", "these keys"},
}

func (c *HelpView) keys() []keyLine {
	if c.State.help.topic == helpKeys {
		return keys
	}
	return nil
}

func (c *HelpView) title() string {
	all := methodology.Sections()
	if t := c.State.help.topic; t >= 0 && t < len(all) {
		return all[t].Title
	}
	return "Keys"
}

func (c *HelpView) blocks() []block {
	all := methodology.Sections()
	if t := c.State.help.topic; t >= 0 && t < len(all) {
		return markdown(all[t].Text)
	}
	return nil
}

// pages are all that the dialog can show.
func (c *HelpView) pages() []choice {
	list := []choice{{number(helpKeys), "Keys", c.State.help.topic == helpKeys}}
	for i, sec := range methodology.Sections() {
		list = append(list, choice{number(i), sec.Title, c.State.help.topic == i})
	}
	return list
}

func (c *HelpView) turn(value string) {
	for i, p := range c.pages() {
		if p.Value == value {
			c.State.help.topic = helpKeys + i
		}
	}
}
