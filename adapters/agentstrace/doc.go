// Package agentstrace reads the traces of agent-strace: .agent-traces/<session>/events.ndjson and the meta.json beside it.
//
// In comes one event at a time, or the one object of a meta.json. Promised is one record for each event of a known type:
// prompts, answers, calls and results measured in characters, what the provider reported in any of the spellings that
// recorders pass on, and the marks that a compaction left. Refused is nothing: an unknown type is counted under its name.
//
// Later Settle sorts the events into sessions and their streams, leaves out what was recorded or imported twice, and finds
// out which events are one request: recorders write a request and its response apart, imports write a response once for
// each of its blocks. README.md in this folder has the format.
package agentstrace

import _ "embed"

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string
