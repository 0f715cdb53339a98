package analysis

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"contextscope/core/journal"
)

// What a checkpoint may take, in characters: about 3,000 tokens in all. A section that is full says how much it left out.
const (
	roomTask        = 400
	roomConstraints = 4000
	roomFiles       = 2000
	roomDecisions   = 2400
	roomTodos       = 1200
	roomState       = 1200
	roomBrief       = 4000
)

// Checkpoint is the recovery checkpoint of a session, or of one stream of it: what a fresh context needs to know, in Markdown.
// It is made of what the journal holds alone, and always the same.
func (a *Analysis) Checkpoint(s *Session) []byte {
	w := &markdown{}
	w.line("# Session checkpoint - " + flat(s.ID) + " - " + clock(s.EndedAt-s.StartedAt))
	told := a.Told(s)
	of := func(k journal.FactKind) (out []string) {
		for i := range told {
			if told[i].Kind == k {
				out = append(out, flat(told[i].Text))
			}
		}
		return out
	}
	w.section("Task")
	if goals := of(journal.TaskGoal); len(goals) > 0 {
		w.line(clipped(goals[0], roomTask))
	} else {
		w.line("Not detected")
	}
	w.list("Constraints", of(journal.Constraint), roomConstraints, "None detected")
	w.list("Files read", a.filesRead(s, told), roomFiles, "None detected")
	w.list("Decisions made", of(journal.Decision), roomDecisions, "None detected")
	if todos := of(journal.Todo); len(todos) > 0 {
		w.list("Open to-dos", todos, roomTodos, "")
	}
	if errors := of(journal.ErrorMet); len(errors) > 0 {
		w.list("Errors met", newest(errors, 10), roomState, "")
	}
	w.section("Current state")
	state := false
	if files := of(journal.FileModified); len(files) > 0 {
		state = true
		w.line("- Modified files: " + inLine(files, roomState))
	}
	if said := a.latestSaid(s); said != "" {
		state = true
		w.line("- Latest agent state: " + flat(said))
	}
	if !state {
		w.line("No modified file and no text of the agent was recorded.")
	}
	return w.b
}

// filesRead are the files with when each was read first.
func (a *Analysis) filesRead(s *Session, told []Fact) (out []string) {
	for i := range told {
		if f := &told[i]; f.Kind == journal.FileRead {
			at := ""
			if f.At != 0 && s.StartedAt != 0 {
				at = " (read at " + clock(f.At-s.StartedAt) + ")"
			}
			out = append(out, flat(f.Text)+at)
		}
	}
	return out
}

// Brief is the re-injection brief: only what is of high risk and what the last compaction likely dropped, ready to be given
// back to the agent.
func (a *Analysis) Brief(s *Session, threshold float64) []byte {
	var last *Diff
	for _, d := range a.Survival(s, Options{Threshold: threshold}) {
		if d != nil {
			last = d
		}
	}
	return brief(s, last, "The last compaction")
}

// BriefOf is the brief of one compaction, by its number in the session's series. Of the last one it is Brief.
func (a *Analysis) BriefOf(s *Session, boundary int, threshold float64) []byte {
	diffs := a.Survival(s, Options{Threshold: threshold})
	n, last := 0, -1
	for i, d := range diffs {
		if d != nil {
			last = i
			if i <= boundary {
				n++
			}
		}
	}
	if boundary < 0 || boundary >= last {
		return a.Brief(s, threshold)
	}
	return brief(s, diffs[boundary], "Compaction "+strconv.Itoa(n))
}

func brief(s *Session, last *Diff, which string) []byte {
	w := &markdown{}
	w.line("# Re-injection brief - " + flat(s.ID))
	w.line("")
	switch {
	case last == nil:
		w.line("No compaction was found in this session: nothing was dropped by one.")
		return w.b
	case !last.Available:
		w.line("What the model had after " + lower(which) + " was not recorded, so that what was dropped cannot be judged.")
		return w.b
	}
	var constraints, decisions []string
	for i := range last.Dropped {
		switch f := &last.Dropped[i]; f.Kind {
		case journal.Constraint:
			constraints = append(constraints, flat(f.Text))
		case journal.Decision:
			decisions = append(decisions, flat(f.Text))
		}
	}
	if len(constraints)+len(decisions) == 0 {
		w.line(which + " likely dropped no constraint and no decision.")
		return w.b
	}
	w.line(which + " likely dropped what stands here. It was said earlier in this session and still holds:")
	if len(constraints) > 0 {
		w.list("Constraints", constraints, roomBrief*2/3, "")
	}
	if len(decisions) > 0 {
		w.list("Decisions made", decisions, roomBrief/3, "")
	}
	return w.b
}

// lower begins with a small letter.
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// markdown is written line by line.
type markdown struct{ b []byte }

func (w *markdown) line(s string) { w.b = append(append(w.b, s...), '\n') }

func (w *markdown) section(name string) {
	w.line("")
	w.line("## " + name)
}

// list writes a section of items as far as there is room, the first ones first.
func (w *markdown) list(name string, items []string, room int, none string) {
	w.section(name)
	if len(items) == 0 {
		w.line("- " + none)
		return
	}
	for i, it := range items {
		if room -= utf8.RuneCountInString(it) + 3; room < 0 && i > 0 {
			w.line(fmt.Sprintf("- … and %d more", len(items)-i))
			return
		}
		w.line("- " + it)
	}
}

// flat makes a text one line that begins no other Markdown.
func flat(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' || r == 0x2028 || r == 0x2029 }), " ")
}

func clipped(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

func newest(list []string, n int) []string { return list[max(0, len(list)-n):] }

// inLine is a list in a line, as far as there is room.
func inLine(list []string, room int) string {
	out := ""
	for i, p := range list {
		if room -= utf8.RuneCountInString(p) + 2; room < 0 && i > 0 {
			return fmt.Sprintf("%s and %d more", out, len(list)-i)
		}
		if i > 0 {
			out += ", "
		}
		out += p
	}
	return out
}

// clock writes a span of time as minutes and seconds: 150m 10s.
func clock(ns int64) string {
	s := max(0, ns) / 1e9
	return fmt.Sprintf("%dm %02ds", s/60, s%60)
}
