// Package message says what a page and its session worker tell each other. A message is a JavaScript object with a
// kind, the number of the question that it asks or answers, a body of core/wire bytes and, where files are handed over,
// an array of them. Both ends are the same build.
package message

import (
	"contextscope/core/analysis"
	"contextscope/core/redact"
)

// What a page asks of the worker.
const (
	Open    = "open"    // body OpenArgs, files: read them, then answer Done
	List    = "list"    // body ListArgs, answered by an Answer with an analysis.List
	Series  = "series"  // body SeriesArgs, answered by an Answer with an analysis.Series
	Changes = "changes" // body ChangesArgs, answered by an Answer with an analysis.ChangePage
	Review  = "review"  // body ReviewArgs, answered by an Answer with an analysis.Review
	Pair    = "pair"    // body PairArgs, answered by an Answer with an analysis.Pair
	Spread  = "spread"  // body SpreadArgs, answered by an Answer with an analysis.Spread
	Between = "between" // body BetweenArgs, answered by an Answer with an analysis.Between
	Export  = "export"  // body ExportArgs, answered by an Answer with the bytes of a file
	Note    = "note"    // body NoteArgs, answered by an Answer with the text of a checkpoint or a brief
	Text    = "text"    // body RecordArgs, answered by an Answer with a Record
	JSON    = "json"    // body JSONArgs, answered by an Answer with the bytes of the document
	Close   = "close"   // forget everything, then answer Done
	Cancel  = "cancel"  // stop the reading that runs and keep what was open before
	Again   = "again"   // files: the file asked for, taken anew; none when the page has no handle for it
)

// What the worker tells the page. It asks one question of its own: Again.
const (
	Ready      = "ready"      // the worker listens
	Progressed = "progressed" // body Progress
	Done       = "done"       // body Outcome: the end of an Open or a Close
	Answer     = "answer"     // answer to the question with that number
	Failed     = "failed"     // body Failure
	Gone       = "gone"       // the worker's program has ended: out of memory, most likely
)

// OpenArgs are the paths of the files, in their order. Reset forgets first what was open.
type OpenArgs struct {
	Paths []string
	Reset bool
}

// ListArgs asks for the rows of all sessions.
type ListArgs struct {
	Window    int64
	Threshold float64
}

// SeriesArgs asks for one session over time.
type SeriesArgs struct {
	Session   int
	Window    int64
	Threshold float64
}

// ChangesArgs asks for a page of changes.
type ChangesArgs struct {
	Session int
	Filter  analysis.ChangeFilter
}

// PairArgs asks for two sessions over time.
type PairArgs struct {
	First, Second int
	Window        int64
	Threshold     float64
}

// SpreadArgs asks where the context of a session went.
type SpreadArgs struct {
	Session  int
	Question analysis.SpreadQuestion
}

// BetweenArgs asks what lies between two samples of a session.
type BetweenArgs struct {
	Session  int
	Question analysis.BetweenQuestion
}

// ReviewArgs asks what the compactions of a session left, and how the agent behaved after them.
type ReviewArgs struct {
	Session   int
	Threshold float64
	Filter    analysis.ReviewFilter
	Window    int64 // of the context
	Records   int   // looked at on each side, 0 for the default
	Requests  bool  // Records counts requests
}

// ExportArgs asks for a session in a form that can be passed on.
type ExportArgs struct {
	Session   int
	Form      string
	Include   analysis.Include
	Keep      redact.Keep
	Window    int64
	Threshold float64
}

// NoteArgs asks for the recovery checkpoint of a session or, with a boundary, for the brief of that compaction.
type NoteArgs struct {
	Session   int
	Threshold float64
	Boundary  int // -1 for the checkpoint
}

// RecordArgs asks for a record as it stands in the person's file.
type RecordArgs struct {
	Input  int
	Offset int64
	Length int64
}

// Record is a record to be read: in words and as it stands in the file. Problem says why there is none.
type Record struct {
	Text    string
	Raw     string
	LeftOut int64 // bytes at its end that are not here
	Problem string
}

// JSONArgs asks for the Analysis document.
type JSONArgs struct {
	Window    int64
	Threshold float64
}

// AgainArgs names a file of the running Open by its place.
type AgainArgs struct{ File int }

// Progress is where a reading stands.
type Progress struct {
	Phase string
	File  string
	Done  int64
	Total int64
	Files int
}

// Outcome is the end of an Open: everything that is open now, how many inputs each of the files handed over brought (an
// archive brings many, a file that could not be read to its end none, and none does when it was cancelled), and whether it
// was cancelled.
type Outcome struct {
	List      analysis.List
	Brought   []int
	Cancelled bool
}

// Kinds of failure.
const (
	Grown    = "grown"    // the file has changed since it was picked, and there is no handle to take it again
	Unread   = "unread"   // the browser could not read the file
	Panicked = "panicked" // a mistake in the program
)

// Failure is something that went wrong outside of what a journal holds. File is "" where no single file is to blame.
type Failure struct {
	Kind    string
	File    string
	Message string
}
