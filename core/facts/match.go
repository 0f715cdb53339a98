package facts

import (
	"fmt"
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
	words     map[string][]place // stem -> where it stands
	paths     map[string][]place // base name -> where a path with it stands
	names     map[string]string  // base name -> the one clean path that the session knows by it, "" for several
	score     []score            // of each sentence, while a fact is compared
	touched   []int32
	fact      string // that is looked for, comparable
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
	c := &Context{words: map[string][]place{}, paths: map[string][]place{}, names: map[string]string{}}
	for _, p := range known {
		p = cleanPath(p)
		base := baseOf(p)
		if old, ok := c.names[base]; ok && !samePath(old, p) {
			p = ""
		}
		c.names[base] = p
	}
	return c
}

// Empty reports whether there is nothing to compare with.
func (c *Context) Empty() bool { return len(c.sentences) == 0 }

// Add adds a text that the model has.
func (c *Context) Add(text string, from journal.FactFlags) {
	for line := range strings.SplitSeq(text, "\n") {
		if item, _ := cutBullet(strings.TrimSpace(line)); strings.TrimSpace(item) != "" {
			c.line(strings.TrimLeft(item, "#> "), from)
		}
	}
}

func (c *Context) line(line string, from journal.FactFlags) {
	s := splitter{yield: func(text string) bool {
		text = strings.Clone(text)
		n := int32(len(c.sentences))
		m := marks(text)
		c.sentences = append(c.sentences, sentence{text: text, from: from, words: m})
		for _, w := range m {
			if w.path != "" {
				base := baseOf(w.path)
				c.paths[base] = append(c.paths[base], place{n, w.path, w.minus})
				continue
			}
			c.words[w.stem] = append(c.words[w.stem], place{n, "", w.minus})
		}
		return true
	}}
	s.open = append(s.open, line...)
	s.flush()
}

// marks are the words of a statement that mean something. A clause that says no gives all its words a minus; what was not
// chosen stands in a clause of its own.
func marks(text string) []mark {
	f := fold(text)
	t := tokens(nil, f)
	out := make([]mark, 0, len(t))
	for i := 0; i < len(t); {
		end := i + 1
		for end < len(t) && !t[end].begins && !breaks(t, end) {
			end++
		}
		out = clause(out, t[i:end])
		i = end
	}
	return out
}

// breaks reports whether a clause begins at a token although no punctuation says so.
func breaks(t []token, i int) bool {
	switch t[i].text {
	case "but", "aber", "mais", "pero", "mas", "ma", "maar", "ale", "но":
		return true
	}
	return len(words["against"].at(t, i).words) > 0
}

func clause(out []mark, t []token) []mark {
	minus := len(words["against"].at(t, 0).words) > 0
	for i := range t {
		minus = minus || denies(t, i)
	}
	for i := range t {
		w := &t[i]
		switch {
		case w.path:
			out = append(out, mark{path: cleanPath(w.text), minus: minus})
		case words["negation"].has(w.text), words["stop"].has(w.text), words["against"].has(w.text):
		case w.dense:
			out = append(out, mark{stem: w.text, minus: minus})
		default:
			for part := range strings.FieldsFuncSeq(w.text, func(r rune) bool { return strings.ContainsRune("./\\:-@'~+#$&%_", r) }) {
				if !words["stop"].has(part) {
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
		for _, n := range words["negation"].inside {
			if strings.Contains(t[i].text, n) {
				return true
			}
		}
		return false
	}
	return words["negation"].has(t[i].text)
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

// Finding is what a Context says of a fact.
type Finding struct {
	Status   Status
	Evidence string // the closest sentence and why, a sentence
}

// Weights: a path says more than a word, and has to be there.
const pathWeight = 3

// Find looks for a fact.
func (c *Context) Find(kind journal.FactKind, text string) Finding {
	c.fact = Key(kind, text)
	switch kind {
	case journal.FileRead, journal.FileModified:
		return c.file(text)
	case journal.Decision:
		text, _, _ = strings.Cut(text, because) // the reason was not decided
	}
	want := marks(text)
	if kind == journal.Decision {
		want = chosen(want)
	}
	return c.statement(want, kind == journal.CommandRun)
}

// because stands between a decision and its reason.
const because = " — because "

// chosen leaves out the words of deciding, and what was not chosen.
func chosen(m []mark) []mark {
	var out []mark
	for _, w := range m {
		if w.path == "" && (w.minus || words["decision"].has(w.stem) || w.stem == "decid" || w.stem == "chosen" || w.stem == "chos" || w.stem == "select" || w.stem == "opt") {
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
	want = distinct(want)
	if len(want) == 0 {
		return Finding{NotFound, "it has no word that could be looked for"}
	}
	total := int32(0)
	for i := range want {
		w := &want[i]
		weight, places := int32(1), c.words[w.stem]
		if w.path != "" {
			weight, places = pathWeight, c.paths[baseOf(w.path)]
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
		return Finding{NotFound, "no sentence of what the model has afterwards shares a word with it"}
	}
	s := &c.sentences[at]
	told := fmt.Sprintf("%d of %d words in “%s”", best.same, total, short(s.text))
	enough := best.same*5 >= total*4 && best.same > best.opposite
	if len(want) < 3 || whole {
		enough = best.same == total
	}
	if !enough {
		if best.opposite > best.same {
			return Finding{NotFound, fmt.Sprintf("the closest sentence has %d of its words the other way round: “%s”", best.opposite, short(s.text))}
		}
		return Finding{NotFound, "closest: " + told}
	}
	for _, w := range want {
		if w.path != "" && !c.mentions(s, w) {
			return Finding{NotFound, "the path is missing; closest: " + told}
		}
	}
	return Finding{c.status(s), told}
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
	path = cleanPath(path)
	only := int32(-1)
	for _, p := range c.paths[baseOf(path)] {
		if !c.means(path, p.path) {
			continue
		}
		s := &c.sentences[p.sentence]
		if !p.minus {
			return Finding{c.status(s), "named in “" + short(s.text) + "”"}
		}
		only = p.sentence
	}
	if only >= 0 {
		return Finding{NotFound, "named only where something is ruled out: “" + short(c.sentences[only].text) + "”"}
	}
	return Finding{NotFound, "no sentence of what the model has afterwards names it"}
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
