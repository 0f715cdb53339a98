package ui

import (
	"strconv"
	"strings"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

// How many facts stand in each list at once: on the page, and in a report, where nobody can turn a page.
const (
	factRowsShown    = 12
	factRowsReported = 60
)

func (s *State) factRows() int {
	if s.reported {
		return factRowsReported
	}
	return factRowsShown
}

// review is what the Compactions tab knows beyond the figures of the series. It is asked for when somebody looks.
type review struct {
	got     *analysis.Review
	waiting bool
	open    int // boundary whose card shows what was lost, -1 for none
	chosen  bool
	kind    string // of the facts that are listed, "" for all
	dropped int    // pages of the two lists
	kept    int
	window  string // of the behaviour
}

// behaviorWindows are the windows of behaviour that can be chosen.
var behaviorWindows = []struct {
	value, text string
	records     int
	requests    bool
}{
	{"", "50 requests and calls", 50, false},
	{"200", "200 requests and calls", 200, false},
	{"10r", "10 requests", 10, true},
	{"50r", "50 requests", 50, true},
}

// forgetReview drops what belonged to other figures. Which card is open stays as long as that boundary is a compaction.
func (s *State) forgetReview(fresh bool) {
	s.review.got, s.review.dropped, s.review.kept = nil, 0, 0
	if fresh {
		s.review = review{open: -1, window: s.review.window}
	}
	if s.tab == tabCompactions {
		s.askReview()
	}
}

// askReview asks for what was lost, and opens the first card where nobody chose one.
func (s *State) askReview() {
	if s.series == nil {
		return
	}
	r := &s.review
	if r.open >= len(s.series.Boundaries) || r.open >= 0 && s.series.Boundaries[r.open].Kind != "compaction" {
		r.open, r.chosen = -1, false
	}
	if r.open < 0 && !r.chosen {
		for i, b := range s.series.Boundaries {
			if b.Kind == "compaction" {
				r.open = i
				break
			}
		}
	}
	q := ReviewQuestion{Filter: analysis.ReviewFilter{Boundary: r.open, Kind: r.kind, Dropped: r.dropped * s.factRows(), Survived: r.kept * s.factRows(), Limit: s.factRows()}}
	for _, w := range behaviorWindows {
		if w.value == r.window {
			q.Records, q.Requests = w.records, w.requests
		}
	}
	r.waiting = true
	s.host.Review(s.current, q, func(got *analysis.Review) {
		s.review.waiting = false
		s.review.got = got
	})
}

// toggleReview opens the card of a boundary, or closes it.
func (s *State) toggleReview(boundary int) {
	r := &s.review
	r.chosen, r.kind, r.dropped, r.kept = true, "", 0, 0
	if r.open == boundary {
		r.open = -1
		return
	}
	r.open = boundary
	s.askReview()
}

func (s *State) chooseFacts(kind string) {
	s.review.kind, s.review.dropped, s.review.kept = kind, 0, 0
	s.askReview()
}

func (s *State) turnDropped(by int) { s.review.dropped += by; s.askReview() }
func (s *State) turnKept(by int)    { s.review.kept += by; s.askReview() }

func (s *State) chooseBehavior(value string) {
	s.review.window = ""
	for _, w := range behaviorWindows {
		if w.value == value {
			s.review.window = value
		}
	}
	s.askReview()
}

// detail is what is known of the open card.
func (s *State) detail() *analysis.Detail {
	if got := s.review.got; got != nil && got.Detail != nil && got.Detail.Boundary == s.review.open {
		return got.Detail
	}
	return nil
}

// lostWords sum up what a compaction lost: "Likely dropped: 5, of these 2 of high risk. Survived: 9. Signs of regression: 3."
func (s *State) lostWords(boundary int) string {
	got := s.review.got
	switch {
	case got == nil && s.review.waiting:
		return "Comparing what was said with what was left…"
	case got == nil || boundary >= len(got.Boundaries) || !got.Boundaries[boundary].Compared:
		return ""
	}
	row := got.Boundaries[boundary]
	text := "What survived cannot be judged: the journal does not hold the text that the model had afterwards."
	if row.Judged {
		text = "Likely dropped: " + words.Tokens(row.Dropped)
		if row.HighRisk > 0 {
			text += ", of these " + words.Tokens(row.HighRisk) + " of high risk"
		}
		text += ". Survived: " + words.Tokens(row.Survived) + "."
	}
	if row.Regressions > 0 {
		text += " " + words.Count(row.Regressions, "sign", "signs") + " that the agent works worse after it."
	}
	return text
}

// judged tells whether the open compaction has lists.
func (s *State) judged() bool {
	got := s.review.got
	return s.detail() != nil && s.review.open < len(got.Boundaries) && got.Boundaries[s.review.open].Judged
}

type kindChoice struct{ Key, Name, Pressed string }

// kinds are the kinds of fact to choose from, with how many of each were likely dropped, of how many.
func (s *State) kinds() []kindChoice {
	d := s.detail()
	if d == nil || len(d.Kinds) == 0 {
		return nil
	}
	all := []kindChoice{{"", "All", yes(s.review.kind == "")}}
	for _, k := range d.Kinds {
		name := words.FactKinds(k.Kind) + " " + words.Tokens(k.Dropped) + "/" + words.Tokens(k.Dropped+k.Survived)
		all = append(all, kindChoice{k.Kind, name, yes(s.review.kind == k.Kind)})
	}
	return all
}

type factCard struct {
	Kind, Text, Status, Evidence string
	Class, Mark                  string // of the card, and of the status
	Line                         string
	At                           recordAt
}

func (s *State) dropped() []factCard { return s.factCards(true) }
func (s *State) survived() []factCard {
	return s.factCards(false)
}

func (s *State) factCards(dropped bool) []factCard {
	d := s.detail()
	if d == nil {
		return nil
	}
	rows := d.Survived.Rows
	if dropped {
		rows = d.Dropped.Rows
	}
	cards := make([]factCard, len(rows))
	for i, f := range rows {
		c := factCard{Kind: words.FactKind(f.Kind), Text: words.Plain(f.Text, 420), Status: words.Status(f.Status), Evidence: words.Plain(f.Evidence, 420),
			Class: "fact", Mark: "status",
			At: recordAt{Input: f.Input, Line: f.Line, Offset: f.Offset, Length: f.Length, Title: words.FactKind(f.Kind)}}
		switch {
		case dropped && f.HighRisk:
			c.Class, c.Mark = "fact high", "status lost"
		case dropped:
			c.Mark = "status lost"
		default:
			c.Class, c.Mark = "fact kept", "status kept"
		}
		c.Line = "the record"
		if f.Line > 0 {
			c.Line = "line " + words.Tokens(f.Line)
		}
		cards[i] = c
	}
	return cards
}

func (s *State) droppedPages() pager {
	if d := s.detail(); d != nil {
		return pager{s.review.dropped, s.factRows(), d.Dropped.Total}.within()
	}
	return pager{0, s.factRows(), 0}
}

func (s *State) keptPages() pager {
	if d := s.detail(); d != nil {
		return pager{s.review.kept, s.factRows(), d.Survived.Total}.within()
	}
	return pager{0, s.factRows(), 0}
}

// droppedTitle counts the list of what was likely dropped.
func (s *State) droppedCount() string {
	d := s.detail()
	if d == nil {
		return ""
	}
	if s.review.kind == "" {
		row := s.review.got.Boundaries[s.review.open]
		if row.HighRisk > 0 {
			return words.Tokens(row.Dropped) + ", of these " + words.Tokens(row.HighRisk) + " of high risk"
		}
	}
	return words.Tokens(int64(d.Dropped.Total))
}

func (s *State) keptCount() string {
	if d := s.detail(); d != nil {
		return words.Tokens(int64(d.Survived.Total))
	}
	return ""
}

// omitted says what was too much to compare.
func (s *State) omittedFacts() string {
	if d := s.detail(); d != nil && d.Omitted > 0 {
		return words.Count(d.Omitted, "older fact was", "older facts were") + " not compared: of each kind the newest are."
	}
	return ""
}

// note takes the checkpoint of the session, or the brief of a compaction, to the clipboard or into a file.
func (s *State) note(boundary int, save bool) {
	name := "checkpoint"
	if boundary >= 0 {
		name = "brief"
	}
	name += "-" + fileName(s.sessionID()) + ".md"
	s.host.Note(s.current, boundary, func(text string) {
		switch {
		case text == "":
		case save:
			s.host.Save(name, text)
			s.host.Announce("Saved " + name)
		default:
			s.copy("note "+strconv.Itoa(boundary), text)
		}
	})
}

// noteCopied is what the button says: whether this was what was copied last.
func (s *State) noteCopied(boundary int, text string) string {
	if s.copied == "note "+strconv.Itoa(boundary) {
		return "Copied"
	}
	return text
}

// fileName makes an id fit for the name of a file.
func fileName(id string) string {
	b := []byte(id)
	for i, c := range b {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '_' && c != '-' {
			b[i] = '_'
		}
	}
	if name := strings.Trim(string(b[:min(len(b), 64)]), "._"); name != "" {
		return name
	}
	return "session"
}
