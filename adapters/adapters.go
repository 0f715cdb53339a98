// Package adapters opens journals: it finds out which harness wrote an input, has the adapter of that format read it,
// and settles all that is open into one Analysis.
//
// What can be opened stands in one list, Formats, in this file. An adapter knows one format and no analysis: it says how
// sure it is that an input is its own and why, turns values into records, and replays them into sessions when all
// records of all inputs are there.
package adapters

import (
	"io"
	"slices"
	"strings"

	"contextscope/adapters/agentprof"
	"contextscope/adapters/agentstrace"
	"contextscope/adapters/archive"
	"contextscope/adapters/claudecode"
	"contextscope/adapters/codex"
	"contextscope/adapters/muse"
	"contextscope/adapters/pi"
	"contextscope/adapters/shape"
	"contextscope/core/analysis"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Format is a journal format that can be opened.
type Format struct {
	Key  string // in documents
	Name string // for people
	// Notes is the README of the adapter: where the journals lie, what is read, by which rules.
	Notes string
	// Sniff says how sure the adapter is, from 0 to 1, that an input that begins like this is its own, and why.
	Sniff func(head *shape.Head) (confidence float64, reason string)
	// Scan returns the function that reads one value of the input into a record and reports whether to keep it. A value
	// that holds several records is none itself: they are closed one by one while it is read, and stay if it breaks off.
	Scan func(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool
	// Read reads an input that is not made of JSON values, in place of Scan. Damage is noted on the input; an error is the
	// reader's own.
	Read func(in *journal.Input, r io.Reader) error
	// Attach recognises by its path what the harness keeps beside a journal and is none itself; it is not read. nil for none.
	Attach func(path string) (reason string, ok bool)
	// Settle replays all inputs of the format into sessions.
	Settle func(a *analysis.Analysis, inputs []*journal.Input)
}

// Formats are all formats that can be opened, in the order in which they are asked.
var Formats = []Format{
	{Key: claudecode.Key, Name: "Claude Code", Notes: claudecode.Notes, Sniff: claudecode.Sniff, Scan: claudecode.Scan, Attach: claudecode.Attach, Settle: claudecode.Settle},
	{Key: codex.Key, Name: "Codex", Notes: codex.Notes, Sniff: codex.Sniff, Scan: codex.Scan, Settle: codex.Settle},
	{Key: pi.Key, Name: "Pi", Notes: pi.Notes, Sniff: pi.Sniff, Scan: pi.Scan, Settle: pi.Settle},
	{Key: muse.Key, Name: "Muse", Notes: muse.Notes, Sniff: muse.Sniff, Scan: muse.Scan, Settle: muse.Settle},
	{Key: agentstrace.Key, Name: "agent-strace", Notes: agentstrace.Notes, Sniff: agentstrace.Sniff, Scan: agentstrace.Scan, Settle: agentstrace.Settle},
	{Key: agentprof.Key, Name: "Agent Profiler", Notes: agentprof.Notes, Sniff: agentprof.Sniff, Read: agentprof.Read, Settle: agentprof.Settle},
	{Key: agentprof.JournalKey, Name: "Agent Profiler", Notes: agentprof.Notes, Sniff: agentprof.SniffJournal, Scan: agentprof.ScanJournal, Settle: agentprof.SettleJournals},
}

// Notes are the notes of a format, "" for one that nobody knows.
func Notes(key string) string {
	for _, f := range Formats {
		if f.Key == key {
			return f.Notes
		}
	}
	if archive.Is(key) {
		return archive.Notes
	}
	return ""
}

// Names is what can be opened, in a sentence: "Claude Code, Codex and Pi".
func Names() string {
	var names []string
	for _, f := range Formats {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
