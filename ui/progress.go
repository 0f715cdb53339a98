package ui

import (
	"strings"

	"contextscope/ui/words"
)

// phaseWords is a phase as a sentence begins: "Reading".
func phaseWords(phase string) string {
	p := words.Plain(phase, 60)
	if p == "" {
		return "Starting"
	}
	return strings.ToUpper(p[:1]) + p[1:]
}

func (c *ProgressCard) phase() string { return phaseWords(c.State.progress.Phase) }

// file says what is being read.
func (c *ProgressCard) file() string {
	p := c.State.progress
	name := words.Plain(p.File, 90)
	if p.Files > 1 {
		name = strings.TrimPrefix(name+" · "+words.Count(int64(p.Files), "file", "files"), " · ")
	}
	return name
}

// bytes says how far: "12.4 MB of 48.1 MB".
func (c *ProgressCard) bytes() string {
	p := c.State.progress
	if p.Total <= 0 {
		return ""
	}
	return words.Bytes(p.Done) + " of " + words.Bytes(p.Total) + " · " + words.WholePercent(min(p.Done, p.Total), p.Total)
}

// value is the part of a thousand that is done, nil while the whole is unknown: then the bar only says that it goes on.
func (c *ProgressCard) value() any {
	p := c.State.progress
	if p.Total <= 0 {
		return nil
	}
	return int(min(p.Done, p.Total) * 1000 / p.Total)
}

// dropWords invites to let go.
func (c *DropOverlay) words() string {
	switch n := c.State.dragging; n {
	case 0:
		return "Release to analyse the files"
	case 1:
		return "Release to analyse 1 file"
	default:
		return "Release to analyse " + words.Tokens(int64(n)) + " files"
	}
}

type refusal struct {
	Name, Seen, Hint string
}

// refusals are the cards of files that could not be opened: ten of them, the Files tab has all.
func (c *ErrorCard) refusals() []refusal {
	var all []refusal
	for _, in := range c.State.refused {
		if len(all) == 10 {
			break
		}
		r := refusal{Name: words.Plain(in.Name, 120), Seen: words.Sentence(in.Reason, 300)}
		for _, w := range in.Warnings {
			r.Seen, r.Hint = words.Sentence(w.Message, 400), words.Sentence(w.Hint, 400)
			break
		}
		all = append(all, r)
	}
	return all
}

func (c *ErrorCard) refusalTitle() string {
	n := int64(len(c.State.refused))
	if n == 1 {
		return "One file could not be opened"
	}
	return words.Tokens(n) + " files could not be opened"
}

func (c *ErrorCard) more() string {
	if n := len(c.State.refused) - 10; n > 0 {
		return "And " + words.Count(int64(n), "other file", "other files") + "."
	}
	return ""
}

func (c *ErrorCard) hasTrouble() bool { return c.State.trouble != nil }

func (c *ErrorCard) title() string {
	if t := c.State.trouble; t != nil {
		return words.Plain(t.title, 200)
	}
	return ""
}

func (c *ErrorCard) detail() string {
	if t := c.State.trouble; t != nil {
		return words.Plain(t.detail, 1200)
	}
	return ""
}

func (c *ErrorCard) again() bool { return c.State.trouble != nil && c.State.trouble.again }

// hasNews tells whether there is a card to show at all.
func (s *State) hasNews() bool { return s.trouble != nil || len(s.refused) > 0 }

// canOpen says what would have been opened, where no file's own hint does.
func (c *ErrorCard) canOpen() string {
	for _, r := range c.refusals() {
		if r.Hint != "" {
			return ""
		}
	}
	return "This version opens the journals of " + openableNames() + ", also renamed or compressed."
}

// hook names a card as the Files tab names its rows, while there is no Files tab because nothing could be opened.
func (c *ErrorCard) hook(name string) any {
	if c.State.empty() {
		return name
	}
	return nil
}
