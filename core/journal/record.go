package journal

// Kind is what a record is about.
type Kind uint8

// The kinds of record. An adapter gives each line one of them; a line that only holds a place in a chain is a Link.
const (
	Link      Kind = iota // known, no context: progress, status, undo data
	Header                // says which session this is, its version, its parent
	User                  // what goes to the model: a prompt, tool results, injected context
	Response              // what came from the model: one line or block of an API response
	Injected              // context that the harness put in: an attachment, a developer message
	Boundary              // a compaction that the harness recorded
	Trim                  // old content was cleared from the context, one by one
	Count                 // a token count apart from the response it belongs to
	Turn                  // model and settings from here on
	Rollback              // the last turns were taken back
	Report                // the harness's own breakdown of the context
	Name                  // a name for the session
	Compacted             // the content that replaces the context after a compaction
)

// Flags are facts about a record that take no space of their own.
type Flags uint16

// The flags of a record.
const (
	Sidechain Flags = 1 << iota // belongs to a subagent's conversation, not to the main one
	Typed                       // a person wrote it: a rewind can begin here
	Synthetic                   // written by the harness in the model's place; no request was made
	Summary                     // the summary after a compaction
	OpenEnded                   // the response had no stop reason yet: its output count is a lower bound
	Cut                         // the record ends with the input: somebody is still writing it
	Automatic                   // a boundary's trigger was the harness
	Manual                      // a boundary's trigger was the person
	HasUsage                    // the provider's figures are there
	Cleared                     // the person emptied the context here
	LocalID                     // its id is unique in its session only
	Forked                      // it says that it was copied from another session
	Whole                       // every message that a request sent is in it
	Telling                     // the batch has facts of it
)

// Record is what one value of a journal says, as a rule one line: 64 bytes, no pointers. Refs and indexes are those of
// its Batch. Hash 0 means that there is none.
type Record struct {
	At      int64  // unix nanoseconds, 0 unknown
	Offset  int64  // where it starts in the input, in bytes after decompression
	ID      uint64 // hash of its own id
	Parent  uint64 // hash of the id of the record that it continues
	Length  uint32 // bytes; a record beyond 4 GiB is cut short here
	Line    uint32 // from 1
	Session Ref    // id of the session as the line gives it
	Agent   Ref    // id of the subagent as the line gives it
	First   uint32 // first part
	Usage   uint32 // index into Usages, for Response and Count
	Parts   uint32 // number of parts
	Flags   Flags
	Kind    Kind
}

// PartKind is what a Part is.
type PartKind uint8

// The kinds of part.
const (
	Item       PartKind = iota // content of a category
	Call                       // a tool call: content of the assistant, and an entry in the list of calls; Hash tells its arguments apart
	Result                     // content that a tool returned; ID is the call's; Detail the file with all of it, where this is a preview
	Gone                       // an item that left: ID is the call whose result it was, or Hash the record's
	Kept                       // a record that survives a boundary: Hash
	KeptFrom                   // … all from this record on: Hash
	KeptTo                     // … up to this one: Hash
	Attribute                  // Attr with its text in Label or its number in Units
	Spawned                    // the call ID started the subagent Label
	Measured                   // a row of the harness's own report: Category, Units tokens, Label its name
	Unmeasured                 // content whose size in tokens nobody can tell; Units how many; Label what it is
	TookBack                   // Units turns were taken back
)

// Attr says which fact an Attribute part holds.
type Attr uint8

// The attributes.
const (
	NoAttr        Attr = iota
	Version            // of the harness
	Title              // given by a person
	AutoTitle          // made by the harness
	Role               // of a subagent
	ParentSession      // id of the session that this one belongs to
	ForkedFrom         // id of the session that this one was copied from
	ParentCall         // tool call that started this one
	Model              // in force from here on
	Window             // of the model, in tokens, as recorded
	Effective          // what the harness uses of the window
	PreTokens          // the harness's own figure before a compaction
	PostTokens         // … and after
	SelfReported       // total of the harness's own report
	StartedAt          // unix seconds
	WorkingDir         // folder that relative paths start from
	Budget             // what the session may cost: Hash holds millionths of a dollar
	Ended              // the session has ended
	PathRead           // a file that was read, noted apart from any call
	PathWritten        // … written
)

// PartFlags are facts about a part.
type PartFlags uint8

// The flags of a part.
const (
	Failed   PartFlags = 1 << iota // the tool said that it failed
	Scripted                       // made inside a script: no item of its own
	Fixed                          // ID names one item that is replaced whenever it comes again
	Hashed                         // Hash holds an id instead of ID, Label or Detail
)

// Part is a piece of a record: 24 bytes, no pointers.
type Part struct {
	Hash     uint64 // id of a record, where the kind says so
	ID       Ref
	Label    Ref
	Detail   Ref
	Units    uint32 // UTF-16 code units; or tokens, or a number, as the kind says
	Kind     PartKind
	Category Category
	Attr     Attr
	Flags    PartFlags
}

// Usage is what the provider reported for one response, in tokens: 48 bytes. -1 where it said nothing.
type Usage struct {
	Key        uint64 // hash that lines of one response share; 0 when the line stands alone
	Totals     uint64 // hash of the cumulative figures, to tell a repeat from a new count
	ID         Ref    // of the response
	Model      Ref
	Input      Count32 // the whole prompt, cached parts included once
	CacheRead  Count32
	CacheWrite Count32
	Output     Count32
	Total      Count32 // input and output as the harness adds them, where it does
	Window     Count32 // recorded beside it
}

// Count32 is a number of tokens of one request; -1 for none. No request comes near two billion, and what claims to is
// taken for no data.
type Count32 int32

// Tokens makes a Count32 of a number that a journal holds.
func Tokens(n int64) Count32 {
	if n < 0 || n > 1<<31-1 {
		return -1
	}
	return Count32(n)
}

// Units is a number as a Part holds it; what is too large for one becomes the largest that is still a number.
func Units(n int64) uint32 { return uint32(min(n, 1<<32-2)) }

// Batch is the records of one input, or of one range of it, in the order of the input.
type Batch struct {
	Records Column[Record]
	Parts   Column[Part]
	Usages  Column[Usage]
	Facts   Column[Fact]     // in the order of their records
	Newest  map[uint64]*Said // by conversation
	Strings *Strings         // shared by all that is open
}

// Open begins a record: parts added from now on are its own.
func (b *Batch) Open() Record { return Record{First: uint32(b.Parts.Len())} }

// Close ends a record that Open began and keeps it.
func (b *Batch) Close(r Record) {
	r.Parts = uint32(b.Parts.Len() - int(r.First))
	if b.telling() {
		r.Flags |= Telling
	}
	b.Records.Append(r)
}

// Drop forgets the parts added since Open, as far as no record that was closed meanwhile has them.
func (b *Batch) Drop(r Record) {
	first := r.First
	if n := b.Records.Len(); n > 0 {
		last := b.Records.At(n - 1)
		first = max(first, last.First+last.Parts)
	}
	b.Parts.Truncate(int(first))
	b.forget()
}

// Fit gives back the memory that a batch to which nothing will be added does not use.
func (b *Batch) Fit() {
	b.Records.Fit()
	b.Parts.Fit()
	b.Usages.Fit()
	b.Facts.Fit()
}

// Part is the i-th part of a record.
func (b *Batch) Part(r *Record, i int) *Part { return b.Parts.At(int(r.First) + i) }

// Attribute returns the part of a record that holds an attribute, nil when there is none.
func (b *Batch) Attribute(r *Record, a Attr) *Part {
	for i := range int(r.Parts) {
		if p := b.Part(r, i); p.Kind == Attribute && p.Attr == a {
			return p
		}
	}
	return nil
}
