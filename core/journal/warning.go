package journal

import "fmt"

// Source is a place in an input: bytes after decompression. Line is 0 for a format without lines.
type Source struct {
	Input  int
	Line   uint32
	Offset int64
	Length int64
}

// Place is the Source of a record of that input.
func (r *Record) Place(input int) Source {
	return Source{Input: input, Line: r.Line, Offset: r.Offset, Length: int64(r.Length)}
}

// Warning is something that a person should know about an input: what was seen, where, and what to do. The messages
// never quote a journal's text, so that they can be passed on.
type Warning struct {
	Code    string
	Line    int64 // 0 when it is about the whole input
	Message string
	Hint    string
}

// The codes of the warnings. They are stable: tests and scripts rely on them.
const (
	WarnMalformed     = "malformed-record"
	WarnCut           = "cut-record"
	WarnUnknown       = "unknown-record"
	WarnNotAJournal   = "not-a-journal"
	WarnForeign       = "foreign-format"
	WarnEmpty         = "empty-input"
	WarnMissingParent = "missing-parent"
	WarnReport        = "unread-context-report"
	WarnUnreadable    = "unreadable-input"
	WarnCopy          = "copied-input"
	WarnVersion       = "unknown-version"
	WarnGap           = "recording-gap"
	WarnLeftOut       = "left-out"
	WarnClock         = "unusable-clock"
	WarnIncomplete    = "incomplete-recording"
	WarnArchive       = "damaged-archive"
	WarnUnpacking     = "unpacking-stopped"
)

// MaxWarnings is how many warnings of one code an input lists; the others are counted.
const MaxWarnings = 20

// Warnings collects the warnings of an input, bounded.
type Warnings struct {
	List   []Warning
	counts map[string]int
}

// Add keeps a warning, or only counts it when there are many of its code.
func (w *Warnings) Add(v Warning) {
	if w.counts == nil {
		w.counts = map[string]int{}
	}
	w.counts[v.Code]++
	if w.counts[v.Code] <= MaxWarnings {
		w.List = append(w.List, v)
	}
}

// All returns the list, with a last entry for each code that had more than were kept.
func (w *Warnings) All() []Warning {
	out := w.List
	listed := map[string]int{}
	for i := range w.List {
		code := w.List[i].Code
		if listed[code]++; listed[code] == MaxWarnings && w.counts[code] > MaxWarnings {
			out = append(out[:len(out):len(out)], Warning{Code: code,
				Message: fmt.Sprintf("%d more of these are counted and not listed", w.counts[code]-MaxWarnings)})
		}
	}
	return out
}
