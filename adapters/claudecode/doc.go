// Package claudecode reads the transcripts of Claude Code.
//
// In comes one value of a transcript at a time, as a rule a line. Promised is one record a line that matters: who wrote
// it, its place in the chain of messages, what it put into the context in characters, and what the API reported. Kept
// beside are short labels (tool names, paths, the first line of a prompt), never the text. Refused is nothing: a line of
// an unknown type is counted under its name.
//
// Later, when all lines of all files are there, Settle replays the conversation: lines that were written twice count
// once, lines of one API response are one request, branches that a person left behind leave the context, a compaction
// empties it. README.md in this folder has the format.
package claudecode

import _ "embed"

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string
