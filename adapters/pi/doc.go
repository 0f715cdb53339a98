// Package pi reads the session files of the Pi coding agent.
//
// In comes one value of a session file at a time, of any of its three versions. Promised is one record a value: entries form
// a tree, or in the first version a list that is addressed by position, so even an entry that says nothing holds a place.
// Messages are measured in characters: one item for the text of each, one for each tool call, and those that stand outside of
// the conversation (sections of the system prompt, tool definitions) under their names. Refused is nothing: an unknown type
// is counted under its name.
//
// Later Settle brings together what belongs to one session, finds the branch that is alive, tells what a fork copied from
// another session, and replays the branch with its compactions and context edits. README.md in this folder has the format.
package pi

import _ "embed"

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string
