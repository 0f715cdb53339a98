package facts

import (
	"bytes"
	"unicode/utf8"

	"contextscope/core/journal"
)

// MaxText is how much of a text is decoded to take facts out of it, in bytes.
const MaxText = 1 << 20

// Room is how much of a text an adapter decodes for the Collector.
func Room() int {
	if Off {
		return headLen
	}
	return MaxText
}

// Role says whose a text is.
type Role uint8

// The roles. Of an unknown one the part that the text became decides.
const (
	ByPart   Role = iota
	Person        // typed
	Model         // said by the model
	Rules         // of a rule file or a to-do list that the harness puts in
	Summary       // stands in place of what was before
	Messages      // a message that stands in a request, or that a compaction kept
	Nobody        // the harness's
)

// What one input may leave: more than a journal of 100 MB has, little enough for any.
const (
	maxStanding   = 4 << 20 // bytes of summaries, rules and messages
	maxStatements = 2 << 20 // bytes of what persons asked for
	maxDecided    = 1 << 20 // bytes of decisions
	maxOfRecord   = 256 << 10
	pieceLen      = 60 << 10 // fits in a string of the table
	headLen       = 4 * journal.MaxFact
)

// Collector takes the facts out of the texts of one input. An adapter shows it each text while it is in memory, and tells it
// when it knows what the record is. The zero value is ready.
type Collector struct {
	buf      []byte
	texts    []pending
	find     finder
	in       *journal.Input // that a text is of
	todos    []pending
	listed   bool
	seen     map[uint64]struct{} // texts of requests that were told already
	standing int
	asked    int
	decided  int
	sentence []byte
	before   map[journal.Ref]request
}

// pending is a text of the record at hand.
type pending struct {
	from, to int
	part     int // index in the batch, -1 for the only text of the record
	units    uint32
	role     Role
	head     bool // only its beginning
}

// Begin forgets the texts of the record before.
func (c *Collector) Begin() {
	c.buf, c.texts, c.todos, c.listed = c.buf[:0], c.texts[:0], c.todos[:0], false
}

// Add shows a text. part is the index that its part will have, or -1 where the record has one text; units is its length.
func (c *Collector) Add(role Role, part int, text []byte, units int64) {
	p := pending{part: part, units: journal.Units(units), role: role}
	if role == Model && !decides.in(text) {
		n := min(len(text), headLen)
		for n < len(text) && n > 0 && !utf8.RuneStart(text[n]) {
			n-- // as a decoder cuts
		}
		p.head, text = true, text[:n]
	}
	c.add(p, text)
}

func (c *Collector) add(p pending, text []byte) {
	if Off || len(text) == 0 || len(c.buf)+len(text) > 2*MaxText {
		return
	}
	p.from = len(c.buf)
	c.buf = append(c.buf, text...)
	p.to = len(c.buf)
	c.texts = append(c.texts, p)
}

// Claim tells whose the texts are that were shown as nobody's.
func (c *Collector) Claim(role Role) {
	for i := range c.texts {
		if c.texts[i].role == Nobody {
			c.texts[i].role = role
		}
	}
}

// AddTodo shows an entry of a to-do list.
func (c *Collector) AddTodo(text []byte, open bool) {
	c.listed = !Off
	if Off || !open || len(text) == 0 || len(c.todos) == maxConstraints {
		return
	}
	from := len(c.buf)
	c.buf = append(c.buf, clip(text)...)
	c.todos = append(c.todos, pending{from: from, to: len(c.buf)})
}

// clip shortens to MaxFact characters.
func clip(b []byte) []byte {
	b = bytes.TrimSpace(b)
	n := 0
	for i := range string(b) {
		if n++; n > journal.MaxFact {
			return b[:i]
		}
	}
	return b
}

// Finish takes the facts out, now that the record's parts are there. It is called before the record is closed, and only for
// one that is kept.
func (c *Collector) Finish(in *journal.Input, r *journal.Record) {
	for i := range c.texts {
		t := &c.texts[i]
		role := t.role
		if t.part >= 0 {
			if t.part >= in.Parts.Len() || in.Parts.At(t.part).Units != t.units {
				continue // it became no part
			}
			role = roleOf(in.Parts.At(t.part), r, role)
		} else if role == ByPart {
			for k := int(r.First); k < in.Parts.Len() && role == ByPart; k++ {
				if p := in.Parts.At(k); p.Kind == journal.Item && p.Units == t.units {
					role = roleOf(p, r, ByPart)
				}
			}
		}
		c.text(in, r, role, c.buf[t.from:t.to], t.head)
	}
	c.finishTodos(in)
	c.Begin()
}

// roleOf tells whose a text is by the part that it became.
func roleOf(p *journal.Part, r *journal.Record, known Role) Role {
	if p.Kind != journal.Item {
		return Nobody
	}
	switch p.Category {
	case journal.Summaries:
		return Summary
	case journal.Rules:
		return Rules
	case journal.Assistant:
		switch {
		case r.Kind == journal.Compacted:
			return Messages
		case p.Label != 0:
			return Nobody // thinking
		}
		return Model
	case journal.Prompts:
		switch {
		case r.Kind == journal.Response:
			return Model
		case r.Kind == journal.Compacted, r.Kind == journal.Turn:
			return Messages
		case known == ByPart || known == Person:
			return Person
		}
	}
	if known != ByPart {
		return known
	}
	return Nobody
}

// text takes the facts out of one text.
func (c *Collector) text(in *journal.Input, r *journal.Record, role Role, text []byte, headOnly bool) {
	if c.in = in; c.find.found == nil {
		c.find.found = c.tell
	}
	switch role {
	case Person:
		if summaryWords.begins(fold(view(bytes.TrimSpace(text[:min(len(text), 120)])))) {
			c.keep(in, journal.OfSummary, text)
			return
		}
		if text = ownWords(text); !harnessMade(text) {
			c.find.typed(view(text))
		}
	case Model:
		in.Say(uint64(r.Session)<<32|uint64(r.Agent), text[:min(len(text), headLen)])
		if !headOnly {
			c.find.said(view(text))
		}
	case Summary:
		if !(len(text) < 200 && harnessMade(text)) { // a placeholder is no summary
			c.keep(in, journal.OfSummary, text)
		}
	case Rules:
		c.keep(in, journal.OfRules, text)
	case Messages:
		flag := journal.OfMessages
		if summaryWords.begins(fold(view(bytes.TrimSpace(text[:min(len(text), 120)])))) {
			flag = journal.OfSummary
		}
		c.keep(in, flag, text)
	}
}

// ownWords is what a person typed of a text: all of it, unless a harness made it of a command and its template.
func ownWords(text []byte) []byte {
	bare := bytes.TrimSpace(text)
	if bytes.HasPrefix(bare, []byte("---\n")) && bytes.Contains(bare[:min(len(bare), 400)], []byte("\ndescription:")) {
		return nil
	}
	if !templates.begins(fold(view(bare[:min(len(bare), 40)]))) {
		return text
	}
	_, block, _ := bytes.Cut(bare, []byte("```"))
	_, block, _ = bytes.Cut(block, []byte{'\n'})
	block, _, _ = bytes.Cut(block, []byte("```"))
	return block
}

// harnessMade tells a text that nobody typed by its beginning.
func harnessMade(text []byte) bool {
	return harnessWords.begins(fold(view(bytes.TrimSpace(text[:min(len(text), 120)]))))
}

// OneLine is the beginning of a text, its blanks collapsed.
func OneLine(text []byte) string {
	var out []byte
	n, blank := 0, false
	for len(text) > 0 && n < journal.MaxFact && utf8.FullRune(text) {
		r, w := utf8.DecodeRune(text)
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			blank = n > 0
		} else {
			if blank {
				out = append(out, ' ')
				n++
			}
			out, blank = append(out, text[:w]...), false
			n++
		}
		text = text[w:]
	}
	return string(out)
}

// tell keeps a statement, as far as there is room.
func (c *Collector) tell(kind journal.FactKind, flags journal.FactFlags, text string) {
	spent, limit := &c.asked, maxStatements
	if kind == journal.Decision {
		spent, limit = &c.decided, maxDecided
	}
	if *spent += len(text); *spent <= limit {
		c.sentence = append(c.sentence[:0], text...)
		c.fact(c.in, kind, flags, c.sentence)
	}
}

func (c *Collector) fact(in *journal.Input, kind journal.FactKind, flags journal.FactFlags, text []byte) {
	in.Facts.Append(journal.Fact{Record: uint32(in.Records.Len()), Text: in.Strings.Put(text), Kind: kind, Flags: flags})
}

// Decided puts a choice and its reason together.
func Decided(choice, reason []byte) []byte {
	switch {
	case len(choice) == 0:
		return reason
	case len(reason) == 0:
		return choice
	}
	return append(append(append([]byte(nil), choice...), because...), reason...)
}

// Tell keeps a fact that the journal itself tells.
func (c *Collector) Tell(in *journal.Input, kind journal.FactKind, text []byte) {
	if text = clip(text); len(text) > 0 && !Off {
		c.in = in
		c.tell(kind, 0, string(text))
	}
}

// keep keeps a text that the model has, in pieces.
func (c *Collector) keep(in *journal.Input, flag journal.FactFlags, text []byte) {
	text = bytes.TrimSpace(text[:min(len(text), maxOfRecord)])
	for len(text) > 0 && c.standing < maxStanding {
		n := len(text)
		if n > pieceLen {
			n = pieceLen
			if i := bytes.LastIndexByte(text[:n], '\n'); i > 0 {
				n = i + 1
			} else {
				for n > 1 && !utf8.RuneStart(text[n]) {
					n--
				}
			}
		}
		c.standing += n
		c.fact(in, journal.Standing, flag, text[:n])
		text = text[n:]
	}
}

func (c *Collector) finishTodos(in *journal.Input) {
	if !c.listed {
		return
	}
	if len(c.todos) == 0 {
		c.fact(in, journal.Todo, journal.ListBegins|journal.Closed, nil)
		return
	}
	flags := journal.ListBegins
	for _, t := range c.todos {
		if c.asked += t.to - t.from; c.asked <= maxStatements {
			c.fact(in, journal.Todo, flags, c.buf[t.from:t.to])
			flags = 0
		}
	}
}

// request is the size of a request of a stream.
type request struct{ units, tokens int64 }

// Requested notes the size of a request, 0 and -1 where it is not known, and reports whether it is smaller than the one
// before it in its stream.
func (c *Collector) Requested(stream journal.Ref, units, tokens int64) bool {
	if c.before == nil {
		c.before, c.seen = map[journal.Ref]request{}, map[uint64]struct{}{}
	}
	was, known := c.before[stream]
	c.before[stream] = request{units, tokens}
	return known && (units*10 < was.units*9 || tokens > 0 && tokens < was.tokens)
}

// FinishRequest is Finish for a record that holds all messages of a request. What a person said in them is told once. The
// messages themselves are kept only where the request is smaller than the one before it: a compaction may stand between.
func (c *Collector) FinishRequest(in *journal.Input, r *journal.Record, stream journal.Ref, tokens int64) {
	units := int64(0)
	for i := range c.texts {
		units += int64(c.texts[i].units)
	}
	smaller := c.Requested(stream, units, tokens)
	for i := range c.texts {
		t := &c.texts[i]
		if t.part >= in.Parts.Len() {
			continue
		}
		text, p := c.buf[t.from:t.to], in.Parts.At(t.part)
		if h := journal.Hash(text) ^ uint64(stream)*0x9E3779B97F4A7C15; p.Category == journal.Prompts {
			if _, again := c.seen[h]; !again {
				c.seen[h] = struct{}{}
				c.text(in, r, Person, text, false)
			}
		}
		if smaller && p.Kind == journal.Item {
			c.text(in, r, Messages, text, false)
		}
	}
	c.Begin()
}
