// Package facts takes statements out of the texts of a session and finds out what became of them.
//
// In comes, while a journal is read, the whole text of what a person typed, of what a model said, of summaries, rules and
// to-do lists. Out come journal.Facts: the task, constraints, decisions, open to-dos; and the pieces of the texts that a
// model has after a compaction. Nothing is taken out of what a harness wrote, of code, logs, quotations and tables.
//
// Later, a Context holds the texts that the model has behind a boundary, and says of a fact whether it is in there, by
// whole words, with its polarity, paths by what they name. All of it is keyword analysis: what is not found is a cue to
// look, and no proof. The words are a data file, words.tsv, in several languages; so are the names of tools, calls.tsv.
package facts
