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
	sentences []sentence
	words     map[string]int32   // stem -> its number in places
	places    [][]place          // where each stem stands
	paths     map[string][]place // base name -> where a path with it stands
	names     map[string]string  // base name -> the one clean path that the session knows by it, "" for several
	score     []score            // of each sentence, while a fact is compared
	touched   []int32
	fact      string // that is looked for, comparable
	split     splitter
	from      journal.FactFlags // of the text that is added
	tokens    []token
}

// sentence is one of a text, as it is and of which kind of text.
type sentence struct {
	text  string
	from  journal.FactFlags
	words []mark
}

// mark is a word that means something, with its polarity.
type mark struct {
	stem  string
	path  string // clean, "" for no path
	minus bool   // in a clause that says no
}

// place is where a word stands.
type place struct {
	sentence int32
	path     string
	minus    bool
}

type score struct {
	same, opposite int32
}

// NewContext is an empty Context. known are the paths that the session knows, by which a bare file name is told.
func NewContext(known []string) *Context {
	c := &Context{words: map[string]int32{}, paths: map[string][]place{}, names: map[string]string{}}
	c.Begin(known)
	return c
}

// Begin empties the Context for other texts, and keeps its room.
func (c *Context) Begin(known []string) {
	clear(c.words)
	clear(c.paths)
	clear(c.names)
	c.sentences, c.places, c.score, c.touched = c.sentences[:0], c.places[:0], c.score[:0], c.touched[:0]
	for _, p := range known {
		p = cleanPath(p)
		base := baseOf(p)
		if old, ok := c.names[base]; ok && !samePath(old, p) {
			p = ""
		}
		c.names[base] = p
	}
}

// Add adds a text that the model has.
func (c *Context) Add(text string, from journal.FactFlags) {
	for line := range strings.SplitSeq(text, "\n") {
		if item, _ := cutBullet(strings.TrimSpace(line)); strings.TrimSpace(item) != "" {
			c.line(strings.TrimLeft(item, "#> "), from)
		}
	}
}

func (c *Context) line(line string, from journal.FactFlags) {
	if c.from = from; c.split.yield == nil {
		c.split.yield = c.sentence
	}
	c.split.open = append(c.split.open[:0], line...)
	c.split.flush()
}

// sentence adds one of a text.
func (c *Context) sentence(text string) bool {
	text = strings.Clone(text)
	n := int32(len(c.sentences))
	var m []mark
	m, c.tokens = marks(c.tokens, text)
	c.sentences = append(c.sentences, sentence{text: text, from: c.from, words: m})
	for i := range m {
		if w := &m[i]; w.path != "" {
			base := baseOf(w.path)
			c.paths[base] = append(c.paths[base], place{n, w.path, w.minus})
		} else {
			at, ok := c.words[w.stem]
			if !ok {
				at = int32(len(c.places))
				c.words[w.stem] = at
				if n := len(c.places); n < cap(c.places) {
					c.places = c.places[:n+1]
					c.places[n] = c.places[n][:0]
				} else {
					c.places = append(c.places, nil)
				}
			}
			c.places[at] = append(c.places[at], place{n, "", w.minus})
		}
	}
	return true
}

// marks are the words of a statement that mean something. A clause that says no gives all its words a minus; what was not
// chosen stands in a clause of its own.
func marks(room []token, text string) ([]mark, []token) {
	t := tokens(room[:0], fold(text))
	for i := range t {
		t[i].role = roles[t[i].text]
	}
	out := make([]mark, 0, len(t))
	for i := 0; i < len(t); {
		end := i + 1
		for end < len(t) && !t[end].begins && !breaks(t, end) {
			end++
		}
		out = clause(out, t[i:end])
		i = end
	}
	return out, t
}

// wordsOf are the marks of a statement alone.
func wordsOf(text string) []mark {
	m, _ := marks(nil, text)
	return m
}

// breaks reports whether a clause begins at a token although no punctuation says so.
func breaks(t []token, i int) bool {
	switch t[i].text {
	case "but", "aber", "mais", "pero", "mas", "ma", "maar", "ale", "но":
		return true
	}
	return t[i].role&leadsAgainst != 0 && len(againstWords.at(t, i).words) > 0
}

// joins are the signs that hold the parts of a word together.
const joins = "./\\:-@'~+#$&%_"

func clause(out []mark, t []token) []mark {
	minus := t[0].role&leadsAgainst != 0 && len(againstWords.at(t, 0).words) > 0
	for i := range t {
		minus = minus || denies(t, i)
	}
	for i := range t {
		w := &t[i]
		switch {
		case w.path:
			out = append(out, mark{path: cleanPath(w.text), minus: minus})
		case w.role&(isNegation|isStop|isAgainst) != 0:
		case w.dense:
			out = append(out, mark{stem: w.text, minus: minus})
		case w.plain:
			out = append(out, mark{stem: stem(w.text), minus: minus})
		default:
			for part := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return strings.ContainsRune(joins, r) }) {
				if !stops.has(part) {
					out = append(out, mark{stem: stem(part), minus: minus})
				}
			}
		}
	}
	return out
}

// denies reports whether a token makes its clause say no.
func denies(t []token, i int) bool {
	if t[i].dense || t[i].text[0] >= 0xEA && t[i].text[0] <= 0xED {
		for _, n := range negations.inside {
			if strings.Contains(t[i].text, n) {
				return true
			}
		}
		return false
	}
	return t[i].role&isNegation != 0
}

// stem cuts the commonest endings of English from a word, so that "modify", "modified" and "modifying" are one.
func stem(w string) string {
	if len(w) < 4 {
		return w
	}
	for _, c := range []byte(w) {
		if c < 'a' || c > 'z' {
			return w
		}
	}
	for _, end := range []string{"ing", "ied", "ies", "ed", "es", "s"} {
		if cut, ok := strings.CutSuffix(w, end); ok && len(cut) >= 3 && !strings.HasSuffix(w, "ss") {
			w = cut
			break
		}
	}
	if n := len(w); n > 3 && (w[n-1] == 'e' || w[n-1] == 'y' || w[n-1] == 'i') {
		w = w[:n-1]
	}
	if n := len(w); n > 4 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
		w = w[:n-1]
	}
	return w
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

// Wanted is a fact made ready to be looked for in one Context after the other.
type Wanted struct {
	kind  journal.FactKind
	key   string
	path  string // of a file
	words []mark
}

// Want makes a fact ready.
func Want(kind journal.FactKind, text string) *Wanted {
	w := &Wanted{kind: kind, key: Key(kind, text)}
	switch kind {
	case journal.FileRead, journal.FileModified:
		w.path = w.key
		return w
	case journal.Decision:
		text, _, _ = strings.Cut(text, because) // the reason was not decided
		w.words = distinct(chosen(wordsOf(text)))
		return w
	}
	w.words = distinct(wordsOf(text))
	return w
}

// Find looks for a fact.
func (c *Context) Find(w *Wanted) Finding {
	c.fact = w.key
	if w.kind == journal.FileRead || w.kind == journal.FileModified {
		return c.file(w.path)
	}
	return c.statement(w.words, w.kind == journal.CommandRun)
}

// because stands between a decision and its reason.
const because = " — because "

// chosen leaves out the words of deciding, and what was not chosen.
func chosen(m []mark) []mark {
	var out []mark
	for _, w := range m {
		if w.path == "" && (w.minus || decisions.has(w.stem) || w.stem == "decid" || w.stem == "chosen" || w.stem == "chos" || w.stem == "select" || w.stem == "opt") {
			continue
		}
		out = append(out, w)
	}
	if len(out) == 0 {
		return m
	}
	return out
}

// statement looks for the sentence that shares most words with a statement, the same way round.
func (c *Context) statement(want []mark, whole bool) Finding {
	if len(want) == 0 {
		return Finding{NotFound, Because(wordless)}
	}
	total := int32(0)
	for i := range want {
		w := &want[i]
		weight, places := int32(1), []place(nil)
		if w.path != "" {
			weight, places = pathWeight, c.paths[baseOf(w.path)]
		} else if at, ok := c.words[w.stem]; ok {
			places = c.places[at]
		}
		total += weight
		last := int32(-1)
		for k := range places {
			p := &places[k]
			if w.path != "" && !c.means(w.path, p.path) {
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

// means reports whether a mention means a known path: by what it names, or by its bare name where only one file has it.
func (c *Context) means(path, mention string) bool {
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
		if w.path != "" && !c.mentions(s, w) {
			e.why = pathMissing
			return Finding{NotFound, e}
		}
	}
	return Finding{c.status(s), e}
}

func (c *Context) mentions(s *sentence, w mark) bool {
	for _, m := range s.words {
		if m.path != "" && m.minus == w.minus && c.means(w.path, m.path) {
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
	for _, p := range c.paths[baseOf(path)] {
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

func distinct(m []mark) []mark {
	out := m[:0:0]
	seen := map[mark]bool{}
	for _, w := range m {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
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
