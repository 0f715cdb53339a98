package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/chart"
)

// Host is all that the interface needs from the world outside: files, workers, the clipboard, and elements that Vugu
// leaves alone. Package wasm implements it with the browser; tests implement it with a few lines.
//
// Nothing here blocks. An answer comes back through the callback, with Vugu's lock held and followed by a render, so a
// callback may change the State freely. A callback whose question is no longer the newest of its kind is dropped.
type Host interface {
	// PickFiles shows the system's picker for files, or for a folder.
	PickFiles(folder bool)
	// OpenExample opens the built-in example.
	OpenExample()
	// Cancel ends the analysis that runs and keeps what was open before.
	Cancel()
	// CloseAll forgets everything that is open.
	CloseAll()
	// Reread takes an input that has grown since it was opened again from its handle.
	Reread(input int)

	// List asks for everything that is open again, with the person's choice of window, 0 for none.
	List(window int64, done func(*analysis.List))
	// Series asks for one session over time. window is the person's choice, 0 for none.
	Series(session int, window int64, done func(*analysis.Series))
	// Changes asks for a page of changes of one session.
	Changes(session int, f analysis.ChangeFilter, done func(*analysis.ChangePage))
	// Pair asks for two sessions over time.
	Pair(first, second int, window int64, done func(*analysis.Pair))
	// Spread asks where the context of one session went.
	Spread(session int, q analysis.SpreadQuestion, done func(*analysis.Spread))
	// Between asks what lies between two samples of one session.
	Between(session int, q analysis.BetweenQuestion, done func(*analysis.Between))

	// Review asks what the compactions of one session left.
	Review(session int, q ReviewQuestion, done func(*analysis.Review))
	// Note asks for the checkpoint of one session in Markdown, or for the brief of the compaction that is its boundary of
	// that number.
	Note(session, boundary int, done func(text string))

	// Export writes a session in a form that can be passed on.
	Export(q ExportQuestion, done func(text string))

	// Record reads a record of an input from the person's file.
	Record(input int, offset, length int64, done func(Record))

	// Notes gives the notes of a format in Markdown, "" where there are none.
	Notes(format string) string

	// Draw puts a scene into the element with that id, changing only what differs from the scene before.
	Draw(id string, s *chart.Scene)
	// Width tells the inner width of the element with that id in CSS pixels, 0 when there is none.
	Width(id string) float64
	// Copy puts text on the clipboard.
	Copy(text string)
	// Save hands text to the person as a file of that name.
	Save(name, text string)
	// SavePicture hands a picture to the person as a PNG file of that name, made of its SVG.
	SavePicture(name, svg string)
	// Remember keeps a choice of how the page looks, "" forgets it; Recall gives it back, "" for none.
	Remember(key, value string)
	Recall(key string) string
	// Write puts text into the element with that id, with every place of a word in it marked and the hit of that number, from 0,
	// in view; it tells how often the word is there. Without an element it tells -1.
	Write(id, text, find string, hit int) int
	// Modal shows the dialog with that id, or closes it; shown hears that it stands, closed that it is gone, whoever closed it.
	Modal(id string, open bool, shown, closed func())
	// Announce says a sentence in the polite live region.
	Announce(text string)
	// Focus moves the keyboard focus to the element with that id.
	Focus(id string)
	// Land is Focus where nothing has the focus any more, because what had it is gone.
	Land(id string)
	// Render asks for a render after a change made outside of an event handler and of a callback.
	Render()
}

// ReviewQuestion is what the Compactions tab asks.
type ReviewQuestion struct {
	Filter   analysis.ReviewFilter
	Records  int  // looked at on each side for the behaviour
	Requests bool // Records counts requests
}

// Record is a record to be read: in words and as it stands in the file. Problem says why there is none.
type Record struct {
	Text    string
	Raw     string
	LeftOut int64
	Problem string
}

// Progress is where an analysis stands.
type Progress struct {
	Phase string // "reading", "analysing"; the words of the page
	File  string
	Done  int64 // bytes
	Total int64
	Files int
}
