// Package journal holds the words that everyone here uses: Record and its Parts, Usage, Source, Warning, Category.
//
// An adapter reads a journal once and leaves Records: counts, identities and places, never text. A Batch is the records
// of one input (or of one range of it) with the tables they refer to. Everything that needs more than one line (which
// lines are replays, which branch is alive, where a request begins) is settled later, where all records meet; so a
// record says only what its own line says, and ranges of a file can be scanned apart.
//
// The text itself stays in the person's file. A Source tells where, so that it can be read again when it is shown.
package journal
