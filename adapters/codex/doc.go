// Package codex reads the rollouts of OpenAI's Codex.
//
// In comes one value of a rollout at a time, in the envelope that has been written since autumn 2025 or bare as before.
// Promised is one record a line that matters: the items that go to the model and come from it, measured in characters,
// the token counts, the model of each turn, and the compactions with what replaced the history. Copies of the same
// content for the interface (event_msg) are not read. Refused is nothing: an unknown type is counted under its name.
//
// Later Settle replays the threads: the history that a fork brought along is skipped, token counts that were written
// again count once, and each count finds the place before its response's own items, wherever that version wrote it.
// README.md in this folder has the format.
package codex

import _ "embed"

// Notes is what people read about the format.
//
//go:embed README.md
var Notes string
