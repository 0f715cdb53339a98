package journal

// FactKind says what a Fact tells.
type FactKind uint8

// The kinds of fact. The first eight are those of the document; the others serve to find out what became of them.
const (
	TaskGoal FactKind = iota
	Constraint
	Decision
	FileRead
	FileModified
	CommandRun
	ErrorMet
	Todo
	Standing // a piece of a text that the model has as it is: a summary, rules, a preserved message
	numFactKinds
)

var factKeys = [numFactKinds]string{"task-goal", "constraint", "decision", "file-read", "file-modified", "command", "error", "todo", "standing"}

// Key is the kind's name in the document.
func (k FactKind) Key() string { return factKeys[k] }

// HighRisk tells the kinds whose loss changes what an agent does.
func (k FactKind) HighRisk() bool { return k == Constraint || k == Decision }

// FactFlags are facts about a fact.
type FactFlags uint8

// The flags of a fact.
const (
	NewGoal    FactFlags = 1 << iota // the person says that this is another task
	OfRules                          // a piece of a rule file
	OfSummary                        // a piece of a summary
	OfMessages                       // a piece of a message that stands in a request, or that a compaction kept
	ListBegins                       // the first of a list that replaces the one before
	Closed                           // the list that replaces the one before has nothing open
)

// Fact is what a text says, taken out while the text was in memory: 12 bytes. It belongs to a record of its batch.
type Fact struct {
	Record uint32
	Text   Ref
	Kind   FactKind
	Flags  FactFlags
}

// MaxFact is how long the text of a fact gets, in characters.
const MaxFact = 400

// FactsOf are the facts of a record: their indexes from first up to, but not with, end.
func (b *Batch) FactsOf(record int) (first, end int) {
	lo, hi := 0, b.Facts.Len()
	for lo < hi {
		if mid := (lo + hi) / 2; int(b.Facts.At(mid).Record) < record {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for end = lo; end < b.Facts.Len() && int(b.Facts.At(end).Record) == record; end++ {
	}
	return lo, end
}

// telling reports whether the newest facts belong to the record that is closed next.
func (b *Batch) telling() bool {
	n := b.Facts.Len()
	return n > 0 && int(b.Facts.At(n-1).Record) == b.Records.Len()
}

// forget drops the facts of a record that is not kept.
func (b *Batch) forget() {
	n := b.Facts.Len()
	for n > 0 && int(b.Facts.At(n-1).Record) >= b.Records.Len() {
		n--
	}
	b.Facts.Truncate(n)
}

// Said is the beginning of the newest text of a model in one conversation, and the record that it stands in.
type Said struct {
	Record int32
	Text   []byte
}

// maxSaid bounds the conversations of one input whose newest text is kept.
const maxSaid = 1024

// Say keeps the beginning of a model's text in place of the conversation's last one. Until the record is closed it is the
// next one's.
func (b *Batch) Say(conversation uint64, text []byte) {
	s := b.Newest[conversation]
	if s == nil {
		if len(b.Newest) == maxSaid {
			return
		}
		if b.Newest == nil {
			b.Newest = map[uint64]*Said{}
		}
		s = &Said{Text: make([]byte, 0, len(text))}
		b.Newest[conversation] = s
	}
	s.Record, s.Text = int32(b.Records.Len()), append(s.Text[:0], text...)
}
