package ui

import (
	"testing"

	"contextscope/core/analysis"
	"contextscope/ui/invented"
)

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestDataStateFollowsTheAnalysis(t *testing.T) {
	s := New(newHost())
	expect(t, "new", s.DataState(), "ready")
	s.Begun()
	expect(t, "begun", s.DataState(), "analysing")
	s.Done(invented.List())
	expect(t, "done", s.DataState(), "done")
	if s.Run() != 1 {
		t.Errorf("run %d, want 1", s.Run())
	}
	s.Begun()
	s.Done(&analysis.List{Inputs: invented.List().Inputs[3:]})
	expect(t, "nothing could be opened", s.DataState(), "error")
	s.Begun()
	s.Done(&analysis.List{})
	expect(t, "closed", s.DataState(), "ready")
	s.Begun()
	s.Failed("No", "Try again")
	expect(t, "failed", s.DataState(), "error")
	s.dismiss()
	expect(t, "dismissed", s.DataState(), "ready")
}

func TestACancelledAnalysisKeepsWhatWasOpen(t *testing.T) {
	s, _ := opened()
	s.sample(10)
	s.Begun()
	s.Done(nil)
	expect(t, "state", s.DataState(), "done")
	if s.selected != 10 || s.sessionID() != "6f2c51d4" {
		t.Errorf("sample %d of %q, want 10 of the one before", s.selected, s.sessionID())
	}
}

func TestTheNewestMainSessionIsShownAtItsEnd(t *testing.T) {
	s, _ := opened()
	expect(t, "session", s.sessionID(), "6f2c51d4")
	if s.selected != 199 {
		t.Errorf("sample %d, want the last, 199", s.selected)
	}
}

func TestWhatIsOpenedNowIsShown(t *testing.T) {
	s, _ := opened()
	s.pick(tabFiles)
	l := invented.List()
	older := l.Sessions[3]
	older.ID, older.Index, older.StartedAt = "new", 4, older.StartedAt-1000
	l.Sessions = append(l.Sessions, older)
	s.Begun()
	s.Done(l)
	expect(t, "session", s.sessionID(), "new")
	expect(t, "tab", s.tab, tabContext)
}

func TestOpeningTheSameAgainKeepsTheSession(t *testing.T) {
	s, _ := opened()
	s.show(3)
	s.Begun()
	l := invented.List()
	l.Sessions[0], l.Sessions[3] = l.Sessions[3], l.Sessions[0] // the order may change, the id does not
	s.Done(l)
	expect(t, "session", s.sessionID(), "019a-7c")
}

func TestALateSeriesLeavesNoForeignFigures(t *testing.T) {
	s, h := opened()
	h.hold = true
	s.show(3)
	if s.series != nil || s.changes != nil || !s.waiting {
		t.Fatal("the figures of the session before are still there")
	}
	for len(h.later) > 0 {
		f := h.later[0]
		h.later = h.later[1:]
		f()
	}
	if s.series != h.series[3] || s.changes == nil || s.waiting {
		t.Error("the series has not arrived")
	}
}

func TestSelectByIDSurvivesHostileNames(t *testing.T) {
	s, _ := opened()
	s.chooseSession("019a-7c")
	expect(t, "session", s.sessionID(), "019a-7c")
	s.chooseSession("no such session")
	expect(t, "session", s.sessionID(), "019a-7c")
	long := analysis.SessionRow{ID: string(make([]byte, 40000)), Index: 7}
	expect(t, "value of a hostile id", optionValue(long), "#7")
}

func TestKeysWalkThroughTheChart(t *testing.T) {
	s, h := opened()
	for _, c := range []struct {
		key  string
		want int
	}{
		{"ArrowLeft", 198}, {"ArrowLeft", 197}, {"ArrowRight", 198}, {"ArrowDown", 197}, {"ArrowUp", 198}, {"End", 199},
		{"ArrowRight", 199}, {"Home", 0}, {"ArrowLeft", 0}, {"PageUp", 10}, {"PageDown", 0}, {"]", 110}, {"]", 110},
		{"End", 199}, {"[", 110}, {"[", 110},
	} {
		if !s.Key(c.key, false, true) {
			t.Errorf("%s means nothing", c.key)
		}
		if s.selected != c.want {
			t.Errorf("%s leads to %d, want %d", c.key, s.selected, c.want)
			s.selected = c.want
		}
	}
	if len(h.said) > 1 { // the end of the analysis was announced
		t.Errorf("in the chart its value text speaks, not the live region: %q", h.said)
	}
}

func TestKeysOutsideOfTheChart(t *testing.T) {
	s, h := opened()
	s.dismiss()
	for _, key := range []string{"ArrowLeft", "Home", "PageUp", "a", "Enter", "Escape"} {
		if s.Key(key, false, false) {
			t.Errorf("%s means something outside of the chart", key)
		}
	}
	if s.Key("ArrowLeft", true, true) || s.Key("[", true, true) {
		t.Error("a browser's own shortcut was taken")
	}
	if !s.Key("[", false, false) || s.selected != 110 {
		t.Errorf("[ leads to %d, want the compaction at 110", s.selected)
	}
	want := "After compaction, 34,500 tokens estimated, 17% of the window (200,000, from the model table), 11:17:41"
	expect(t, "announced", h.said[len(h.said)-1], want)
	if h.count("render") != 1 {
		t.Errorf("%d renders, want 1", h.count("render"))
	}
	s.pick(tabFiles)
	if s.Key("[", false, false) {
		t.Error("[ means something in the Files tab")
	}
}

func TestEscapeDismissesACard(t *testing.T) {
	s, _ := opened()
	if !s.Key("Escape", false, false) || s.hasNews() {
		t.Error("the card of the refused file is still there")
	}
}

// TestNotesAreReadAndClosed: the notes of a format open from a button, and Escape goes back to it before it does anything else.
func TestNotesAreReadAndClosed(t *testing.T) {
	s, h := opened()
	s.openNotes("codex", "how-codex")
	if b := s.notes.blocks; len(b) != 2 || b[0].Spans[0].Text != "Codex rollouts" {
		t.Errorf("the notes: %+v", b)
	}
	has(t, render(t, s), `<h2><span class="span ">Codex rollouts</span></h2>`)
	if h.calls[len(h.calls)-1] != "focus notes" {
		t.Errorf("opening ends with %q", h.calls)
	}
	if !s.Key("Escape", false, false) || s.notes.format != "" || !s.hasNews() || h.calls[len(h.calls)-2] != "focus how-codex" {
		t.Errorf("after Escape the notes are %q, the card is there: %v, %q", s.notes.format, s.hasNews(), h.calls)
	}
}

func TestHoverDrawsAndRendersNothing(t *testing.T) {
	s, h := opened()
	draws := h.draws
	x := s.view.pic.X(40)
	s.Pointed(contextID, x, 100, false)
	s.Pointed(contextID, x+0.1, 120, false)
	if s.hover != 40 || s.selected != 199 {
		t.Errorf("hover %d, selected %d, want 40 and 199", s.hover, s.selected)
	}
	if h.draws != draws+1 {
		t.Errorf("%d pictures drawn, want one for a new sample", h.draws-draws)
	}
	s.Left(contextID)
	if s.hover != -1 || h.count("render") != 0 {
		t.Errorf("hover %d, %d renders, want none", s.hover, h.count("render"))
	}
}

func TestAPressSelects(t *testing.T) {
	s, h := opened()
	s.Pointed(contextID, s.view.pic.X(40), 100, true)
	if s.selected != 40 || h.count("render") != 1 {
		t.Errorf("sample %d after %d renders, want 40 after 1", s.selected, h.count("render"))
	}
	s.Pointed(contextID, -300, 100, true)
	s.Pointed(capacityID, 10, 10, true)
	if s.selected != 40 {
		t.Errorf("a press beside the picture led to %d", s.selected)
	}
}

func TestALayoutIsKeptUntilSomethingChanges(t *testing.T) {
	s, h := opened()
	pic := s.view.pic
	s.sample(10)
	s.Rendered()
	if s.view.pic != pic {
		t.Error("a moved cursor laid the picture out anew")
	}
	for name, change := range map[string]func(){
		"share": func() { s.setShare(true) }, "time": func() { s.setByTime(true) }, "width": func() { h.width = 480 },
		"session": func() { s.open(3) },
	} {
		pic = s.view.pic
		change()
		s.Resized()
		if s.view.pic == pic {
			t.Errorf("%s: the old picture is still there", name)
		}
	}
}

func TestPicturesAreDrawnIntoTheirTab(t *testing.T) {
	s, h := opened()
	if h.drawn[contextID] == nil || h.drawn[capacityID] == nil || h.drawn[overviewID] != nil {
		t.Errorf("drawn %v, want the chart and the capacity", h.drawn)
	}
	s.pick(tabOverview)
	s.Rendered()
	if h.drawn[overviewID] == nil {
		t.Error("the overview is not drawn")
	}
	h.width = 0
	draws := h.draws
	s.Rendered()
	if h.draws != draws {
		t.Error("a picture was drawn into an element that is not there")
	}
}

func TestWindowIsAskedForAndTheCursorStays(t *testing.T) {
	s, h := opened()
	s.sample(50)
	for _, c := range []struct {
		do   func()
		want int64
	}{
		{func() { s.chooseWindow("1000000") }, 1000000},
		{func() { s.chooseWindow("own") }, 0},
		{func() { s.ownWindow("258,400") }, 258400},
		{func() { s.ownWindow("many") }, 258400},
		{func() { s.chooseWindow("auto") }, 0},
		{func() { s.chooseWindow("nonsense") }, 0},
	} {
		c.do()
		if h.window != c.want {
			t.Errorf("window %d, want %d", h.window, c.want)
		}
	}
	if s.selected != 50 {
		t.Errorf("sample %d, want 50", s.selected)
	}
}

func TestThresholdIsAShare(t *testing.T) {
	s := New(newHost())
	for text, want := range map[string]float64{"0.6": 0.6, "0,25": 0.25} {
		if s.chooseThreshold(text); s.Threshold() != want || s.threshold.wrong {
			t.Errorf("%q gives %v, want %v", text, s.Threshold(), want)
		}
	}
	for _, text := range []string{"1.5", "-1", "half", "", "NaN"} {
		if s.chooseThreshold(text); !s.threshold.wrong {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestFiltersAskFromTheFirstPageOn(t *testing.T) {
	s, h := opened()
	if f := h.asked; f.Order != "size" || f.Sample != -1 || f.All || f.Limit != 25 {
		t.Errorf("first asked for %+v", f)
	}
	s.turn(1)
	if h.asked.Offset != 25 {
		t.Errorf("offset %d, want 25", h.asked.Offset)
	}
	s.filterCategory("prompts")
	if f := h.asked; f.Offset != 0 || f.Category != "prompts" {
		t.Errorf("asked for %+v", f)
	}
	s.filterOrder("time")
	s.filterAll(true)
	s.filterOnly(true)
	if f := h.asked; f.Order != "time" || !f.All || f.Sample != 199 {
		t.Errorf("asked for %+v", f)
	}
	s.sample(20)
	if h.asked.Sample != 20 {
		t.Errorf("asked for sample %d, want 20", h.asked.Sample)
	}
	s.open(3)
	if f := h.asked; f.Category != "" || f.Sample != -1 || f.All {
		t.Errorf("another session keeps the filter %+v", f)
	}
}

func TestPagesEndWhereTheRowsDo(t *testing.T) {
	s, h := opened()
	s.turn(-1)
	if h.asked.Offset != 0 {
		t.Errorf("offset %d before the first page", h.asked.Offset)
	}
	for range 40 {
		s.turn(1)
	}
	if h.asked.Offset != 300 {
		t.Errorf("last page begins at %d, want 300 of 312", h.asked.Offset)
	}
}

func TestCloseAllForgetsAllButChoices(t *testing.T) {
	s, h := opened()
	s.chooseWindow("1000000")
	s.setShare(true)
	s.closeAll()
	if !s.empty() || s.series != nil || s.hasNews() || s.DataState() != "ready" || h.count("close all") != 1 {
		t.Error("something is still open")
	}
	if s.window.tokens() != 1000000 || !s.share || s.Run() != 1 {
		t.Error("a choice was forgotten")
	}
}

func TestAGrownFileCanBeReadAgain(t *testing.T) {
	s, h := opened()
	s.Grown(2, "live.jsonl")
	expect(t, "state", s.DataState(), "error")
	s.readAgain()
	if h.count("reread 2") != 1 || s.hasNews() {
		t.Errorf("calls %v", h.calls)
	}
}

func TestProgressAnnouncesPhasesOnly(t *testing.T) {
	h := newHost()
	s := New(h)
	s.Begun()
	for i := range 20 {
		s.Progressed(Progress{Phase: "reading", Done: int64(i), Total: 20})
	}
	s.Progressed(Progress{Phase: "analysing"})
	if len(h.said) != 2 || h.said[0] != "Reading" || h.said[1] != "Analysing" {
		t.Errorf("announced %q", h.said)
	}
}

func TestEveryEndIsAnnounced(t *testing.T) {
	h := newHost()
	s := New(h)
	last := func(what, want string) {
		t.Helper()
		expect(t, what, h.said[len(h.said)-1], want)
	}
	s.Begun()
	s.Done(invented.List())
	last("opened", "Opened 4 sessions from 4 files; 1 file could not be opened")
	s.Begun()
	s.Done(nil)
	last("cancelled", "Cancelled; nothing was added")
	s.closeAll()
	last("closed", "All files are closed")
	s.Begun()
	s.Done(&analysis.List{Inputs: invented.List().Inputs[3:]})
	last("refused", "No session was found in 1 file; 1 file could not be opened")
}

func TestAThresholdIsRefusedInWordsOrAskedFor(t *testing.T) {
	s, h := opened()
	asked := len(h.lists)
	for _, text := range []string{"0", "1", "-0.5", "1.5", "half", ""} {
		s.chooseThreshold(text)
		if !s.threshold.wrong || s.Threshold() != 0.5 || len(h.lists) != asked {
			t.Errorf("%q: wrong %v, threshold %v, %d lists asked for", text, s.threshold.wrong, s.Threshold(), len(h.lists)-asked)
		}
	}
	s.chooseThreshold("0,3")
	if s.threshold.wrong || s.Threshold() != 0.3 || len(h.lists) != asked+1 {
		t.Errorf("wrong %v, threshold %v, %d lists asked for", s.threshold.wrong, s.Threshold(), len(h.lists)-asked)
	}
}
