package ui

// notes are the notes of a format while they are read.
type notes struct {
	format string
	opener string // id of the button that opened them
	blocks []block
}

// openNotes shows how a format is read, in the words that stand beside its adapter.
func (s *State) openNotes(format, opener string) {
	s.notes = notes{format, opener, markdown(s.host.Notes(format))}
	s.host.Focus("notes")
}

// closeNotes goes back to where the notes were opened.
func (s *State) closeNotes() {
	opener := s.notes.opener
	s.notes = notes{}
	s.host.Focus(opener)
}

// hasNotes tells whether a format has notes to read.
func (s *State) hasNotes(format string) bool { return s.host.Notes(format) != "" }

func (s span) class() string { return "span " + s.Look }
