package ui

// The components. Each shows a part of the State and keeps nothing of its own, so that a render shows what is there and
// a component that goes away loses nothing. What a component writes is worked out in the file of the same subject; the
// templates only place it.
//
// Three habits keep Vugu's positional rendering right: whatever may be absent sits alone in a box that is always there,
// with white space around it, since Vugu leaves the content of an element alone that is empty in the template; handlers
// are on buttons and form controls only; and an element that the Host draws into has nothing in it, not even a space.

// Root is the whole page.
type Root struct{ State *State }

// Header has the brand, the session that is shown, and the ways to open and close.
type Header struct{ State *State }

// Welcome is the first view.
type Welcome struct{ State *State }

// Tabs is the list of views and the choices that concern all of them.
type Tabs struct{ State *State }

// OverviewTab combines the latest compositions and lists the sessions.
type OverviewTab struct{ State *State }

// PairCard compares two sessions.
type PairCard struct{ State *State }

// ContextTab is one session over time.
type ContextTab struct{ State *State }

// SamplePanel is the selected sample.
type SamplePanel struct{ State *State }

// ChangesTable lists what was added to the context.
type ChangesTable struct{ State *State }

// SamplesTable lists the samples that the chart shows.
type SamplesTable struct{ State *State }

// SpreadCard tells where the context of a session went.
type SpreadCard struct{ State *State }

// BetweenCard compares two samples.
type BetweenCard struct{ State *State }

// CompactionsTab lists the places where a context was cut.
type CompactionsTab struct{ State *State }

// LossDetail is what a compaction threw away, and what the agent did after it.
type LossDetail struct{ State *State }

// RecordView is a record as it stands in the person's file.
type RecordView struct{ State *State }

// FindingsTab lists what the lint rules found in a session.
type FindingsTab struct{ State *State }

// FilesTab lists what was opened and what was wrong with it.
type FilesTab struct{ State *State }

// ProgressCard is the analysis that runs.
type ProgressCard struct{ State *State }

// TextBlocks is text of a little Markdown.
type TextBlocks struct{ Blocks []block }

// HelpView tells the keys, and how the numbers are made.
type HelpView struct{ State *State }

// ShareView is the dialog in which a person chooses what to pass on.
type ShareView struct{ State *State }

// NotesCard says how a format is read.
type NotesCard struct{ State *State }

// SearchCard is the folder that is being looked through.
type SearchCard struct{ State *State }

// ErrorCard says what went wrong, or which files could not be opened, and what to do next.
type ErrorCard struct{ State *State }

// DropOverlay covers the page while files hover over it.
type DropOverlay struct{ State *State }
