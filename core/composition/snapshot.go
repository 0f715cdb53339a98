package composition

import "contextscope/core/journal"

// Stage says at which moment a snapshot was observed, which limits what it can prove.
type Stage uint8

// The stages.
const (
	NoStage            Stage = iota
	RequestInput             // what a request sent
	CaptureStart             // where the recording begins
	PostCompaction           // right after a compaction
	TranscriptObserved       // what the transcript holds by then; the real request may differ
)

// String is the spelling of the schema.
func (s Stage) String() string {
	return [...]string{"", "request-input", "capture-start", "post-compaction", "transcript-observed"}[s]
}

// Basis says how tokens were counted.
type Basis uint8

// The bases.
const (
	CharsOver4    Basis = iota // characters / 4
	BytesOver4                 // UTF-8 bytes / 4, as the harness counted them
	NativeSummary              // the harness's own estimates
	OtherBasis                 // recorded, and none of these
)

// String is the spelling of the schema, "" for a basis that it does not have.
func (b Basis) String() string {
	return [...]string{"chars/4", "native-bytes/4", "native-summary", ""}[b]
}

// ChangeKind says what happened to an item since the snapshot before.
type ChangeKind uint8

// The kinds of change.
const (
	Baseline ChangeKind = iota
	Added
	Replaced
	Removed
)

// String is the spelling of the schema.
func (k ChangeKind) String() string {
	return [...]string{"baseline", "added", "replaced", "removed"}[k]
}

// MaxChanges is how many changes a snapshot lists; the others are only counted.
const MaxChanges = 64

// Unknown stands for a figure that nobody recorded.
const Unknown int64 = -1

// Change is an item with what happened to it. For a removed item the fields are those it had.
type Change struct {
	Item
	Delta int32
	Kind  ChangeKind
}

// Counts are tokens per category; Has tells which categories were observed, so that 0 can be told from absent.
type Counts struct {
	Tokens [journal.NumCategories]uint32
	Has    uint16
}

// Set gives a category a count.
func (c *Counts) Set(k journal.Category, tokens uint32) {
	c.Tokens[k] = tokens
	c.Has |= 1 << k
}

// Add adds to a category.
func (c *Counts) Add(k journal.Category, tokens uint32) { c.Set(k, c.Tokens[k]+tokens) }

// Observed reports whether the category was observed.
func (c *Counts) Observed(k journal.Category) bool { return c.Has&(1<<k) != 0 }

// Sum is the estimate: the sum of all categories, Unknown when none was observed.
func (c *Counts) Sum() int64 {
	if c.Has == 0 {
		return Unknown
	}
	var n int64
	for _, t := range c.Tokens {
		n += int64(t)
	}
	return n
}

// Moment is what is known about a snapshot apart from the items. Figures that nobody recorded are Unknown.
type Moment struct {
	At        int64 // unix nanoseconds, 0 unknown
	Stage     Stage
	ItemStage Stage // only where the items were observed at another stage
	Basis     Basis
	Override  *Counts // the harness's own categories instead of those of the items
	Reported  int64   // provider-reported input of the request
	Window    int64   // as the journal has it
	Threshold int64   // configured, never computed
	Effective int64
	Model     journal.Ref
	Complete  bool // recorded as holding all that was sent; a journal alone never proves that
}

// Snapshot describes one session at one moment.
type Snapshot struct {
	Moment
	Counts
	Baseline bool
	First    uint32 // its changes: First … First+N of the session's
	N        uint32
	Omitted  uint32
}
