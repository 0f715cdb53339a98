package ui

import (
	"contextscope/core/analysis"
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// State is all that the components show. The Host's side (package wasm) reports what happens outside through the
// methods below, always with Vugu's lock held; components call the others from their handlers.
type State struct {
	// Zone tells how many seconds east of UTC the person is at a moment in milliseconds since 1970. It may stay nil,
	// which means UTC; a browser knows the summer times of the past, Go's clock in a browser only today's.
	Zone func(ms int64) int

	host Host
	list *analysis.List

	phase    string // what DataState tells
	run      int
	progress Progress
	said     string // phase that was announced last
	trouble  *trouble
	refused  []analysis.InputRow // inputs of the last run that could not be opened, until they are dismissed
	dragging int                 // files that hover over the page, -1 for none
	notes    notes
	search   *search // a folder that is being looked through
	hint     string  // a word about what just happened that is no error
	leftOut  LeftOut // by the folders that are open

	wanted   string // place that the address names and that is not open
	arriving string // place to go to when the session that was asked for is there

	tab     string
	current int // index of the session that is shown, -1 for none
	series  *analysis.Series
	waiting bool // a series was asked for and has not come

	theme    string // "light", "dark" or "" for that of the system
	selected int    // sample with the cursor
	hover    int    // sample under the pointer, -1 for none
	down     bool   // the pointer was pressed when it was seen last
	share    bool
	byTime   bool
	zoom     chart.Range // of the samples that the chart shows; the zero value shows all
	brush    brush
	reported bool // it is shown on paper, where nothing can be turned
	view     view

	window      windowChoice
	threshold   thresholdChoice
	filter      analysis.ChangeFilter
	only        bool // only changes of the selected sample
	changes     *analysis.ChangePage
	unfolded    int    // row of the changes that tells all, -1 for none
	lower       string // what stands under the chart
	spread      spread
	between     between
	samplesPage int // of the table of samples, -1 for that of the selected one

	options                options
	sessions               sessionList
	pair                   pair
	inputPage, warningPage int
	review                 review
	record                 record
	help                   help
	sharing                sharing
	cutPage, otherPage     int    // of the compactions, and of the other boundaries
	card                   int    // that the keys went to last, -1 for none
	copied                 string // key of what was copied last
	findingLevel           string // level of the findings that are shown, "" for all
	findingPage            int
}

// view remembers the picture that is laid out, so that moving a cursor lays nothing out anew.
type view struct {
	pic    *chart.Picture
	strip  *chart.Strip // nil where there is too little to choose from
	series *analysis.Series
	o      chart.Options
}

// trouble is something that went wrong, with what a person can do about it.
type trouble struct {
	title, detail string
	again         bool // offer to read an input again
	input         int
}

// New makes the state of an empty page.
func New(h Host) *State {
	return &State{host: h, phase: "ready", dragging: -1, card: -1, tab: tabContext, current: -1, hover: -1,
		sessions: sessionList{order: "started", cursor: -1}, review: review{open: -1}, unfolded: -1, samplesPage: -1, lower: lowerChanges, spread: spread{by: analysis.ByTool, order: "carried"}, window: windowChoice{choice: "auto"}, threshold: thresholdChoice{ratio: 0.5}, filter: firstFilter()}
}

// Begun: an analysis has begun; nothing of it is known yet.
func (s *State) Begun() {
	s.run++
	s.phase, s.progress, s.said = "analysing", Progress{}, ""
	s.trouble, s.refused, s.dragging, s.hint = nil, nil, -1, ""
}

// Progressed: the analysis stands here. Called a few times a second.
func (s *State) Progressed(p Progress) {
	s.progress = p
	if p.Phase != "" && p.Phase != s.said {
		s.said = p.Phase
		s.host.Announce(phaseWords(p.Phase))
	}
}

// Done: the analysis has ended and this is everything that is open now. nil leaves what was open before, which is what
// a cancelled analysis does.
func (s *State) Done(l *analysis.List) {
	if l == nil {
		s.phase = s.resting()
		s.host.Announce("Cancelled; nothing was added")
		s.land()
		return
	}
	before := s.list
	shown := s.sessionID()
	s.list = l
	s.phase = s.resting()
	s.refused = newRefusals(before, l)
	s.inputPage, s.warningPage = 0, 0
	s.sessions.page, s.sessions.cursor, s.pair = 0, -1, pair{}
	if fresh := newest(l, before); fresh >= 0 {
		s.tab = tabContext
		s.open(fresh)
		if place := s.wanted; place != "" {
			s.wanted = ""
			s.Goto(place)
		}
	} else {
		s.open(indexOf(l, shown))
	}
	if len(l.Inputs) > 0 {
		s.host.Announce(doneWords(l, len(s.refused)))
		s.land()
	}
}

// land gives the keyboard a place where the control that was pressed is gone.
func (s *State) land() {
	if s.empty() {
		s.host.Land("open-files-button")
	} else {
		s.host.Land("tab-" + s.tab)
	}
}

// Failed: something went wrong that is no fault of a single input: say what, where and what to do.
func (s *State) Failed(title, detail string) {
	s.phase = "error"
	s.trouble = &trouble{title: title, detail: detail}
	s.host.Announce(words.Plain(title, 200))
}

// Grown: a file has grown since it was picked and cannot be read any more without being picked again. The number is
// handed back to Host.Reread when the person says so.
func (s *State) Grown(input int, name string) {
	s.Failed(words.Plain(name, 120)+" has grown since it was picked",
		"The browser only lets a page read a file as it was when it was picked. Read it again to see what has been added.")
	s.trouble.again, s.trouble.input = true, input
}

// Dragging: n files hover over the page; -1 when they have left or were dropped. 0 when their number is not known.
func (s *State) Dragging(n int) { s.dragging = n }

// DataState is the value of <html data-state>: "loading", "ready", "analysing", "done" or "error".
func (s *State) DataState() string { return s.phase }

// Run counts the analyses begun: <html data-run>.
func (s *State) Run() int { return s.run }

// Threshold is the drop, from 0 to 1, above which a fall of the reported input counts as a compaction.
func (s *State) Threshold() float64 { return s.threshold.ratio }

// resting is the state of a page on which nothing goes on.
func (s *State) resting() string {
	switch {
	case s.list == nil || len(s.list.Inputs) == 0 && len(s.list.Sessions) == 0:
		return "ready"
	case len(s.list.Sessions) == 0:
		return "error"
	}
	return "done"
}

// empty tells whether there is no session to show.
func (s *State) empty() bool { return s.list == nil || len(s.list.Sessions) == 0 }

func (s *State) clock() words.Clock { return words.Clock{Zone: s.Zone} }

// closeAll forgets everything; choices that are no content stay.
func (s *State) closeAll() {
	if s.record.open {
		s.closeRecord()
	}
	s.host.CloseAll()
	s.host.Announce("All files are closed")
	fresh := New(s.host)
	fresh.Zone, fresh.run, fresh.window, fresh.threshold = s.Zone, s.run, s.window, s.threshold
	fresh.share, fresh.byTime, fresh.theme = s.share, s.byTime, s.theme
	*s = *fresh
	s.land()
}

func (s *State) dismiss() {
	s.trouble, s.refused = nil, nil
	s.phase = s.resting()
	s.land()
}

func (s *State) readAgain() {
	if t := s.trouble; t != nil && t.again {
		s.dismiss()
		s.host.Reread(t.input)
	}
}

func (s *State) copy(key, text string) {
	s.host.Copy(text)
	s.host.Announce("Copied")
	s.copied = key
}

// newRefusals are the inputs that this run brought and that could not be opened. What a folder or an archive holds beside
// its journals needs no card of its own, unless there is nothing else; the Files tab lists it.
func newRefusals(before, now *analysis.List) []analysis.InputRow {
	inputs := now.Inputs
	if before != nil && len(before.Inputs) <= len(inputs) {
		inputs = inputs[len(before.Inputs):]
	}
	var refused, aside []analysis.InputRow
	opened := false
	for _, in := range inputs {
		switch {
		case !in.Refused:
			opened = true
		case in.Folder != "":
			aside = append(aside, in)
		default:
			refused = append(refused, in)
		}
	}
	if !opened {
		return append(refused, aside...)
	}
	return refused
}

// doneWords say what is open now and how many of the inputs just added are refused.
func doneWords(l *analysis.List, refused int) string {
	text := "Opened " + words.Count(int64(len(l.Sessions)), "session", "sessions") + " from " +
		words.Count(int64(len(l.Inputs)), "file", "files")
	if len(l.Sessions) == 0 {
		text = "No session was found in " + words.Count(int64(len(l.Inputs)), "file", "files")
	}
	if refused > 0 {
		text += "; " + words.Count(int64(refused), "file", "files") + " could not be opened"
	}
	return text
}
