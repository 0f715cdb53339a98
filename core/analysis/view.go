package analysis

import "contextscope/core/journal"

// The views are what the page asks for: small, flat and without any text that a journal holds beyond the short labels
// that a person sees. The worker makes them from an Analysis and package wire carries them over. Tokens are integers;
// Unknown stands where nothing was recorded, and 0 is a real zero. Times are milliseconds since 1970, 0 when unknown.

// Unknown marks a figure that no journal recorded. It is never shown as a number.
const Unknown int64 = -1

// List is everything that is open, one row each, and the overview bar.
type List struct {
	Inputs   []InputRow
	Sessions []SessionRow
	Overview Overview
}

// InputRow is one file or archive member as the Files tab shows it.
type InputRow struct {
	Name      string
	Format    string // key of the harness ("claude-code"); "" where nothing was recognised
	Reason    string // why it was recognised, or what was seen instead
	Packing   string // how it was packed, the outermost first: "gzip", "zip+zstd"; "" for not at all
	Bytes     int64
	Lines     int64
	Records   int64
	Malformed int64
	Duplicate int64
	Unknown   []KindCount
	Warnings  []WarningRow
	Refused   bool   // nothing of it could be read; Warnings says what to do
	Folder    string // where it lies in the folder or the archive that it came with; "" where a person named it
}

// KindCount counts records of a kind that the adapter does not know.
type KindCount struct {
	Kind  string
	Count int64
}

// WarningRow is a warning with what a person can do about it. Line is 0 where it concerns the whole input.
type WarningRow struct {
	Code    string
	Line    int64
	Message string
	Hint    string
}

// SessionRow is one session: a main conversation, a subagent or a hidden request of the harness.
type SessionRow struct {
	Index        int    // position in List.Sessions; what the page sends back to ask for more
	ID           string // unique in the document
	Harness      string // key: "claude-code", "codex"
	HarnessName  string // "Claude Code", "Codex"
	Version      string
	Title        string // first meaningful line of the first prompt, else the head of the id
	Role         string // "" for a main session, else what it is: "Explore", "compaction request", …
	Stream       string // name of a side stream; it is a part of the session that is its parent
	Parent       int    // index of the parent session, -1 for none
	Models       []string
	StartedAt    int64
	EndedAt      int64
	Requests     int64
	PeakTokens   int64 // reported where reported, else estimated
	LastTokens   int64
	PeakReported bool // PeakTokens and LastTokens are the provider's
	WindowTokens int64
	WindowSource string // "choice", "journal", "observed", "model-table", "" when unknown
	Compactions  int64
	Findings     int64 // of lint, with its defaults
	Losses       Losses
	Closest      Closest
	Children     int64
	HasBreakdown bool
}

// Losses is what compactions discarded. Only what the provider reported is added up, and only what has a price is priced.
type Losses struct {
	Compactions int64
	Dropped     int64   // tokens
	Unmeasured  int64   // compactions without reported figures on both sides
	USD         float64 // of those that are priced
	Unpriced    int64   // compactions that lost something at no known price
	Date        string  // of the oldest price among them
}

// Closest is the request that came closest to filling its window.
type Closest struct {
	Request    int64 // number from 1, 0 for none
	Tokens     int64 // reported where anything was, else estimated; Unknown where nothing is known
	Reported   bool
	Window     int64 // its window, Unknown where nothing tells; Tokens is the largest prompt then
	CompactsAt int64 // where the harness compacts by itself with this window, by its formula; Unknown where none is known
}

// Overview combines the latest composition of each session. Sessions are never added up into one context: the shares
// are those of the measured composition, and the bases say what was mixed.
type Overview struct {
	Categories []CategoryTokens // by size, zero dropped
	Sessions   int64            // sessions that contributed
	Without    int64            // sessions left out because no breakdown was recorded
	Bases      []string         // the distinct bases that were combined
}

// CategoryTokens is one category of a composition.
type CategoryTokens struct {
	Category string // key, as in the snapshot schema
	Tokens   int64
}

// Series is one session over time, column by column: what the chart and the panel of the selected sample are drawn from.
// All columns have one entry a sample, in time order.
type Series struct {
	Session    SessionRow
	Categories []string  // keys in stacking order, bottom first
	Values     [][]int64 // Values[c][i]: tokens of Categories[c] in sample i, 0 when the category is absent
	Breakdown  []bool    // sample i has a breakdown at all
	At         []int64
	Request    []int64 // number of the request from 1, 0 for a sample of something else
	Kind       []string
	Stage      []string
	ItemStage  []string
	Basis      []string
	Coverage   []string
	Model      []string
	Baseline   []bool
	Estimated  []int64
	Reported   []int64
	Window     []int64
	WindowFrom []string
	Effective  []int64
	Threshold  []int64
	Omitted    []int64
	Changes    []int64 // recorded changes of the sample, the omitted ones not counted
	Boundaries []BoundaryRow
	Findings   []FindingRow // the heaviest first
	Totals     []TotalPoint // sessions whose recording has totals and no snapshots
	Requests   int64
	Notes      []string // sentences that belong under the chart: abandoned branches, records ignored, …
}

// BoundaryRow is a place where the context was cut, or where the model changed.
type BoundaryRow struct {
	Sample       int    // the first sample after it; len(At) when none follows
	Next         int64  // number of the first request after it, 0 for none
	NextAt       int64  // … and its moment
	Wait         int64  // milliseconds from a recorded boundary to that request; Unknown where nothing tells
	Kind         string // "compaction", "clear", "rewind", "model-switch", "context-edit", "unexplained-drop"
	Trigger      string // "auto", "manual", ""
	At           int64
	Before       int64 // provider-reported
	After        int64
	HarnessTold  int64 // the harness's own figure before
	HarnessAfter int64
	Model        string // model after a model switch
	Of           string // model of the request before it, else of the one after it
	Summary      int64  // estimated tokens of the summary that came of it; Unknown where none was recorded
	Above        bool   // both sides are reported, and the drop is above the threshold
	Evidence     []string
	Cost         CostRow
}

// CostRow is what the discarded input of a compaction is worth. Rate 0 says that it is not priced.
type CostRow struct {
	USD      float64 // at the price of fresh input
	Rate     float64 // … which is this, in dollars per million tokens
	Cached   float64 // at the share that the request before read from the cache; negative where nothing tells
	Share    float64 // that share
	Date     string  // of the price
	Provider string  // who bills for the model, as far as its name tells

	Summarise float64 // estimate of what making the summary cost; negative where nothing tells
	Rewrite   float64 // of what putting the new context into the cache cost; negative where usage does not tell
	PaidAfter int64   // requests after which what is gone has saved that much, 0 where nothing tells
}

// FindingRow is what a lint rule found.
type FindingRow struct {
	Rule      string
	Level     string // "error", "warning", "info"
	Message   string
	Means     string  // what a finding of the rule says
	Threshold float64 // of the rule, 0 for none
	Sample    int     // where it begins, -1 for the whole session
	Request   int64   // number of the request from 1, 0 for none
	At        int64
	Input     int // where it stands, -1 for the whole session
	Line      int64
	LineEnd   int64
	Offset    int64 // of the record that it begins with
	Length    int64
}

// Pair is two sessions that are compared.
type Pair struct{ First, Second *Series }

// TotalPoint is a recorded total without a breakdown.
type TotalPoint struct {
	At     int64
	Tokens int64
	Window int64
}

// ChangeFilter selects changes of one session.
type ChangeFilter struct {
	Category string // "" for all
	Order    string // "size" (default) or "time"
	Sample   int    // -1 for all samples
	All      bool   // baselines and removals too; otherwise only growth that is no baseline
	Offset   int
	Limit    int
}

// Spot is where a record stands; its length is 0 where that is not known.
type Spot struct {
	Input  int
	Line   int64
	Offset int64
	Length int64
}

func spotOf(src journal.Source) Spot {
	return Spot{src.Input, int64(src.Line), src.Offset, src.Length}
}

// ChangePage is a page of changes with how many there are in all.
type ChangePage struct {
	Rows  []ChangeRow
	Total int
}

// ChangeRow is one recorded change.
type ChangeRow struct {
	Sample   int
	Request  int64 // number of the request whose sample recorded it, 0 for none
	At       int64
	Tool     string // tool that made it, else "Prompt", "Assistant", …
	Detail   string // path, command or first line, as far as the journal has it
	Category string
	Change   string // "baseline", "added", "replaced", "removed"
	Delta    int64
	Before   int64 // total estimate of the sample before; Unknown across a baseline
	After    int64
	Tokens   int64
	Chars    int64 // Unknown where not counted in characters
	ItemID   string
	CallID   string
	Child    int // session that the call started, -1 for none
	Input    int // where it stands: input, line, offset and length in bytes
	Line     int64
	Offset   int64
	Length   int64
	Call     Spot // the record of the call that made it
	Stage    string
	Kept     string // file with the whole of a result of which the model saw a preview, "" for none
	KeptIn   int    // the input that it is, -1 when it is not open
}
