package ui

// stub until the record view is merged
type recordAt struct {
	Input                int
	Line, Offset, Length int64
	Title                string
}

func (s *State) openRecord(at recordAt) {}
