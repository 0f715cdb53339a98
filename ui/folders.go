package ui

import "contextscope/ui/words"

// search is a folder that is being looked through.
type search struct {
	folder      string
	seen, found int
}

// LeftOut counts what a folder holds beside its journals.
type LeftOut struct {
	Files  int // of other kinds
	Unread int // files and folders that the browser could not read
}

// Add adds another folder's.
func (l *LeftOut) Add(more LeftOut) {
	l.Files += more.Files
	l.Unread += more.Unread
}

// Searching: a folder is being looked through; so many files were seen, and so many of them look like journals.
func (s *State) Searching(folder string, seen, found int) {
	if s.search == nil {
		s.host.Announce("Looking through " + words.Plain(folder, 120))
	}
	s.search, s.hint = &search{folder, seen, found}, ""
}

// Searched: no folder is being looked through any more.
func (s *State) Searched() { s.search = nil }

// FolderRefused: the picker for folders closed without one.
func (s *State) FolderRefused() {
	s.hint = "No folder was opened. Browsers refuse your home folder itself and some system folders in this dialog: drop the " +
		"folder on the page instead, or choose one inside of it, such as .claude/projects."
	s.host.Announce(s.hint)
}

// cancelSearch stops looking through folders, and what waits for it.
func (s *State) cancelSearch() {
	s.host.Cancel()
	s.search = nil
	s.host.Announce("Cancelled; nothing was added")
}

// LeftOut: the folders that were opened hold this beside their journals.
func (s *State) LeftOut(l LeftOut) { s.leftOut.Add(l) }

// leftOutWords says what was left out; "" for nothing.
func (s *State) leftOutWords() string {
	text := ""
	if n := s.leftOut.Files; n > 0 {
		text = words.Count(int64(n), "file", "files") + " of other kinds in the folders " + was(n) + " left out."
	}
	if n := s.leftOut.Unread; n > 0 {
		text += " " + words.Count(int64(n), "file or folder", "files or folders") + " in them could not be read."
	}
	return text
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// searchWords says how far a search is: "Looking through ada" and "12,345 files seen, 17 look like journals".
func (c *SearchCard) folder() string { return words.Plain(c.State.search.folder, 90) }

func (c *SearchCard) counts() string {
	s := c.State.search
	return words.Count(int64(s.seen), "file", "files") + " seen · " + words.Tokens(int64(s.found)) + " to open"
}
