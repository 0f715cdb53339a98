// Package muse reads the journals of Meta's Muse: session.jsonl as it lies, and the document that muse export writes.
//
// In comes one value at a time: an envelope, a retained frame (several records, each as a string), a retained marker, or an
// export document, which holds all of them. Promised is one record for each envelope that says something about the context:
// prompts, answers, calls and results measured in characters, the byte counts of each request's lanes, what the provider
// reported, the compactions that were installed and those that were not. Refused is nothing: an unknown kind is counted under
// its name, and a frame's record that cannot be read is counted as damaged.
//
// Later Settle sorts the records of all inputs into streams, each a session, in the order of their sequence; a record id
// counts once, whichever form of the journal it came in. README.md in this folder has the format.
package muse

import (
	_ "embed"

	"contextscope/core/journal"
)

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string

// Key names the format in documents.
const Key = "muse"

// How a record of this format uses the fields that have no other use here: Session is the stream's id, Agent the run's,
// Parent the sequence. Kinds: Header is the metadata, Turn a model or a context block, Injected a request's configuration,
// Report the lanes of a request, Count the end of a model call, Compacted an installed compaction, Boundary an attempt,
// Trim cleared results, Link everything that holds only a place in time, a link to a child or a task. On a Link the flag Cut
// says that the run ended there; on an attempt OpenEnded says that it goes on beside the conversation.

// Attributes of this format alone.
const (
	attrDuration   journal.Attr = 128 + iota // of a model call, in milliseconds
	attrResponse                             // id of the response that begins here
	attrCandidate                            // id of an attempted compaction
	attrStatus                               // what became of it
	attrFallback                             // why the harness gave up on one
	attrThreshold                            // in tokens, as configured
	attrEffective                            // the window that the threshold is a share of, in tokens
	attrHead                                 // first sequence that a compaction preserved
	attrTail                                 // and the last
	attrSummarizer                           // Hash of the usage of a compaction's own model call
	attrTools                                // number of tools of which only the name is told
	attrMessages                             // number of context messages that were configured
	attrTask                                 // task id
	attrCall                                 // the call that the task carries out
	attrParentTask                           // the task that this one belongs to
	attrListed                               // an export's own list of sessions, not a record
	attrReview                               // belongs to an approval review, which has a clock of its own
)

// Names that context items and lanes go by.
const (
	baseInstructions = "base_instructions"
	contextLane      = "context"
)
