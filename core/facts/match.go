package facts

import (
	"strconv"
	"strings"

	"contextscope/core/journal"
)

// Status says what became of a fact. The strings are those of documents.
type Status string

// The statuses.
const (
	KeptVerbatim Status = "kept-verbatim"
	InSummary    Status = "in-summary"
	ReInjected   Status = "re-injected"
	NotFound     Status = "not-found"
)

// Context is the texts that a model has after a boundary, ready to be asked. NewContext makes one.
type Context struct {
	lexicon   *lexicon
	sentences []sentence
	marks     []mark            // of all sentences, one behind the other
	places    [][]place         // where each stem stands, by its number
	filled    []int32           // which of them are not empty
	names     map[string]string // bare name -> the one clean path that the session knows by it, "" for several
	score     []score           // of each sentence, while a fact is compared
	touched   []int32
	fact      string // that is looked for, comparable
	split     splitter
	from      journal.FactFlags // of the text that is added
}

// sentence is one of a text, as it is and of which kind of text.
type sentence struct {
	text        string
	from        journal.FactFlags
	first, last int32 // its marks
}

// place is where a word stands.
type place struct {
	sentence int32
	path     int32
	minus    bool
}

type score struct {
	same, opposite int32
}

// NewContext is an empty Context. known are the paths that the session knows, by which a bare file name is told.
func NewContext(known []string) *Context {
	c := &Context{lexicon: newLexicon(), names: map[string]string{}}
	c.split.yield = c.sentence
	c.Begin(known)
	return c
}

// Begin empties the Context for other texts. What was made ready to be looked for can be looked for in these, too.
func (c *Context) Begin(known []string) {
	clear(c.names)
	for _, at := range c.filled {
		c.places[at] = c.places[at][:0]
	}
	c.sentences, c.marks, c.filled, c.score, c.touched = c.sentences[:0], c.marks[:0], c.filled[:0], c.score[:0], c.touched[:0]
	for _, p := range known {
		p = cleanPath(p)
		base := baseOf(p)
		if old, ok := c.names[base]; ok && !samePath(old, p) {
			p = ""
		}
		c.names[base] = p
	}
}

// Add adds a text that the model has. It must not change any more.
func (c *Context) Add(text string, from journal.FactFlags) {
	c.from = from
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		item, _ := cutBullet(strings.TrimSpace(line))
		c.split.sentences(strings.TrimLeft(item, "#> "))
	}
}

// sentence adds one of a text.
func (c *Context) sentence(text string) bool {
	if c.split.edited {
		text = strings.Clone(text)
	}
	n, first := int32(len(c.sentences)), len(c.marks)
	c.marks = c.lexicon.marks(c.marks, text)
	c.sentences = append(c.sentences, sentence{text, c.from, int32(first), int32(len(c.marks))})
	for len(c.places) < len(c.lexicon.stems) {
		c.places = append(c.places, nil)
	}
	for i := range c.marks[first:] {
		w := &c.marks[first+i]
		if len(c.places[w.stem]) == 0 {
			c.filled = append(c.filled, w.stem)
		}
		c.places[w.stem] = append(c.places[w.stem], place{n, w.path, w.minus})
	}
	return true
}

// Evidence is why a fact counts as found or not found. It becomes words only when somebody reads it.
type Evidence struct {
	why      why
	same     int32 // words of the fact that the closest sentence has
	total    int32 // … of so many
	sentence string
	Again    bool // it was not found after an earlier compaction either
}

type why uint8

const (
	noWhy       why = iota
	StillThere      // it was not taken out of the context
	PutIn           // the harness put the file in again
	told            // a sentence has enough of its words
	closest         // the closest sentence has too few
	pathMissing     // … and not its path
	opposite        // the closest sentence says the opposite
	unshared        // no sentence has a word of it
	wordless        // it has no word to look for
	named           // a sentence names the file
	ruledOut        // only a sentence that rules something out names it
	unnamed
)

// Because is evidence that needs no sentence.
func Because(w why) Evidence { return Evidence{why: w} }

// String is the evidence in words: the closest sentence and why.
func (e Evidence) String() string {
	text := e.words()
	if e.Again {
		text += "; it was not found after an earlier compaction either"
	}
	return text
}

func (e Evidence) words() string {
	share := func() string {
		return strconv.Itoa(int(e.same)) + " of " + strconv.Itoa(int(e.total)) + " words in “" + short(e.sentence) + "”"
	}
	switch e.why {
	case StillThere:
		return "it was not taken out of the context"
	case PutIn:
		return "the harness put the file in again"
	case told:
		return share()
	case closest:
		return "closest: " + share()
	case pathMissing:
		return "the path is missing; closest: " + share()
	case opposite:
		return "the closest sentence has " + strconv.Itoa(int(e.same)) + " of its words the other way round: “" + short(e.sentence) + "”"
	case unshared:
		return "no sentence of what the model has afterwards shares a word with it"
	case wordless:
		return "it has no word that could be looked for"
	case named:
		return "named in “" + short(e.sentence) + "”"
	case ruledOut:
		return "named only where something is ruled out: “" + short(e.sentence) + "”"
	case unnamed:
		return "no sentence of what the model has afterwards names it"
	}
	return ""
}

// Finding is what a Context says of a fact.
type Finding struct {
	Status   Status
	Evidence Evidence
}

// Weights: a path says more than a word, and has to be there.
const pathWeight = 3

// Find looks for a fact.
func (c *Context) Find(w *Wanted) Finding {
	c.fact = w.key
	if w.kind == journal.FileRead || w.kind == journal.FileModified {
		return c.file(w.key)
	}
	return c.statement(w.words, w.kind == journal.CommandRun)
}

// statement looks for the sentence that shares most words with a statement, the same way round.
func (c *Context) statement(want []mark, whole bool) Finding {
	if len(want) == 0 {
		return Finding{NotFound, Because(wordless)}
	}
	total := int32(0)
	for i := range want {
		w := &want[i]
		weight := int32(1)
		if w.path != 0 {
			weight = pathWeight
		}
		total += weight
		last := int32(-1)
		places := c.at(w.stem)
		for k := range places {
			p := &places[k]
			if w.path != 0 && !c.means(c.lexicon.paths[w.path], p.path) {
				continue
			}
			c.count(p, w.minus, weight, &last)
		}
	}
	best, at := score{}, int32(-1)
	for _, i := range c.touched {
		s := c.score[i]
		if s.same+s.opposite/2 > best.same+best.opposite/2 || at >= 0 && s.same > best.same && s.same+s.opposite == best.same+best.opposite {
			best, at = s, i
		}
	}
	for _, i := range c.touched { // a full match the right way round beats everything
		if c.score[i].same == total && best.same < total {
			best, at = c.score[i], i
		}
		c.score[i] = score{}
	}
	c.touched = c.touched[:0]
	return c.judge(want, best, at, total, whole)
}

// at are the places of a stem.
func (c *Context) at(stem int32) []place {
	if int(stem) >= len(c.places) {
		return nil // it came into the lexicon behind the last text
	}
	return c.places[stem]
}

// means reports whether a mention means a known path: by what it names, or by its bare name where only one file has it.
func (c *Context) means(path string, number int32) bool {
	mention := c.lexicon.paths[number]
	if samePath(path, mention) {
		return true
	}
	known := c.names[mention]
	return mention == baseOf(path) && known != "" && samePath(known, path)
}

// count adds a place to its sentence, each word once; the same way round counts before the other.
func (c *Context) count(p *place, minus bool, weight int32, last *int32) {
	for len(c.score) < len(c.sentences) {
		c.score = append(c.score, score{})
	}
	s := &c.score[p.sentence]
	again := *last == p.sentence
	if !again {
		if *s == (score{}) {
			c.touched = append(c.touched, p.sentence)
		}
		*last = p.sentence
	}
	switch {
	case p.minus == minus && !again:
		s.same += weight
	case p.minus != minus && !again:
		s.opposite += weight
	case p.minus == minus && s.opposite >= weight:
		s.opposite -= weight
		s.same += weight
	}
}

func (c *Context) judge(want []mark, best score, at, total int32, whole bool) Finding {
	if at < 0 {
		return Finding{NotFound, Because(unshared)}
	}
	s := &c.sentences[at]
	e := Evidence{why: told, same: best.same, total: total, sentence: s.text}
	enough := best.same*5 >= total*4 && best.same > best.opposite
	if len(want) < 3 || whole {
		enough = best.same == total
	}
	if !enough {
		e.why = closest
		if best.opposite > best.same {
			e.why, e.same = opposite, best.opposite
		}
		return Finding{NotFound, e}
	}
	for _, w := range want {
		if w.path != 0 && !c.mentions(s, w) {
			e.why = pathMissing
			return Finding{NotFound, e}
		}
	}
	return Finding{c.status(s), e}
}

func (c *Context) mentions(s *sentence, w mark) bool {
	for _, m := range c.marks[s.first:s.last] {
		if m.path != 0 && m.minus == w.minus && c.means(c.lexicon.paths[w.path], m.path) {
			return true
		}
	}
	return false
}

// status of a fact that a sentence holds. A message that tells it in other words is as good as a summary.
func (c *Context) status(s *sentence) Status {
	switch {
	case s.from&journal.OfMessages != 0 && strings.Contains(fold(s.text), c.fact):
		return KeptVerbatim
	case s.from&journal.OfRules != 0:
		return ReInjected
	}
	return InSummary
}

// file looks for a path. A sentence that says what must not be done with a file does not tell that it was read.
func (c *Context) file(path string) Finding {
	only := int32(-1)
	for _, p := range c.at(c.lexicon.number("/" + baseOf(path))) {
		if !c.means(path, p.path) {
			continue
		}
		s := &c.sentences[p.sentence]
		if !p.minus {
			return Finding{c.status(s), Evidence{why: named, sentence: s.text}}
		}
		only = p.sentence
	}
	if only >= 0 {
		return Finding{NotFound, Evidence{why: ruledOut, sentence: c.sentences[only].text}}
	}
	return Finding{NotFound, Because(unnamed)}
}

// short is the beginning of a sentence, for evidence.
func short(s string) string {
	const limit = 160
	n := 0
	for i := range s {
		if n++; n == limit {
			return s[:i] + "…"
		}
	}
	return s
}
