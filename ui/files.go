package ui

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

const (
	inputRows   = 40
	warningRows = 25
)

type inputLine struct {
	Key, ID                                             string // of the format and of its button
	How                                                 any    // ID where there are notes
	Name, Format, FormatClass, Reason                   string
	Size, Lines, Records, Malformed, Duplicate, Unknown string
}

func (c *FilesTab) inputs() []inputLine {
	s := c.State
	if s.list == nil {
		return nil
	}
	skip := s.inputPage * inputRows
	var lines []inputLine
	hasNotes := map[string]bool{}
	for _, refused := range []bool{false, true} { // what could not be opened comes last
		for i := range s.list.Inputs {
			in := &s.list.Inputs[i]
			if in.Refused != refused {
				continue
			}
			if skip--; skip >= 0 {
				continue
			}
			if len(lines) == inputRows {
				return lines
			}
			line := inputWords(*in)
			known, asked := hasNotes[in.Format]
			if !asked {
				known = s.hasNotes(in.Format)
				hasNotes[in.Format] = known
			}
			if line.ID = "how-file-" + strconv.Itoa(len(lines)); known {
				line.Key, line.How = in.Format, line.ID
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func inputWords(in analysis.InputRow) inputLine {
	line := inputLine{
		Name: words.Plain(in.Name, 140), Format: formatName(in.Format), FormatClass: formatClass(in.Format),
		Reason: inputReason(in), Size: words.Bytes(in.Bytes), Lines: words.Tokens(in.Lines),
		Records: words.Tokens(in.Records), Malformed: words.Tokens(in.Malformed), Duplicate: words.Tokens(in.Duplicate),
		Unknown: unknownWords(in.Unknown),
	}
	if in.Refused {
		line.Format, line.FormatClass = "Not opened", "badge refused"
	}
	return line
}

// inputReason says where an input lies, how it was packed and why it was recognised.
func inputReason(in analysis.InputRow) string {
	text := words.Plain(in.Folder, 140)
	if in.Packing != "" && in.Packing != in.Format {
		text = joined(text, "packed as "+words.Plain(in.Packing, 40))
	}
	return joined(text, words.Plain(in.Reason, 240))
}

// unknownWords lists the records whose kind no adapter knows, each under its own name.
func unknownWords(kinds []analysis.KindCount) string {
	if len(kinds) == 0 {
		return "0"
	}
	text := ""
	for i, k := range kinds {
		if i == 4 {
			text = joined(text, words.Count(int64(len(kinds)-4), "more kind", "more kinds"))
			break
		}
		text = joined(text, words.Tokens(k.Count)+" "+words.Plain(k.Kind, 40))
	}
	return text
}

type warningLine struct{ File, Line, Message, Hint string }

// warnings counts all warnings of all inputs.
func (s *State) warnings() int {
	n := 0
	if s.list != nil {
		for _, in := range s.list.Inputs {
			n += len(in.Warnings)
		}
	}
	return n
}

// warningLines is the page of warnings that is shown, without walking through those before it one by one.
func (c *FilesTab) warningLines() []warningLine {
	s := c.State
	if s.list == nil {
		return nil
	}
	skip := s.warningPage * warningRows
	var lines []warningLine
	for _, in := range s.list.Inputs {
		if skip >= len(in.Warnings) {
			skip -= len(in.Warnings)
			continue
		}
		for _, w := range in.Warnings[skip:] {
			if len(lines) == warningRows {
				return lines
			}
			lines = append(lines, warningWords(in.Name, w))
		}
		skip = 0
	}
	return lines
}

func warningWords(file string, w analysis.WarningRow) warningLine {
	line := warningLine{File: words.Plain(file, 140), Message: words.Sentence(w.Message, 400), Hint: words.Sentence(w.Hint, 400)}
	if w.Line > 0 {
		line.Line = "line " + words.Tokens(w.Line)
	}
	if line.Message == "" {
		line.Message = words.Sentence(w.Code, 60)
	}
	return line
}

func (c *FilesTab) title() string {
	if c.State.list == nil {
		return ""
	}
	title := words.Count(int64(len(c.State.list.Inputs)), "file", "files")
	refused := 0
	for i := range c.State.list.Inputs {
		if c.State.list.Inputs[i].Refused {
			refused++
		}
	}
	if refused > 0 {
		title += ", " + words.Tokens(int64(refused)) + " not opened"
	}
	return title
}

func (c *FilesTab) warningTitle() string {
	n := int64(c.State.warnings())
	if n == 0 {
		return "No warnings"
	}
	return words.Count(n, "warning", "warnings")
}

func (c *FilesTab) inputPages() pager {
	if c.State.list == nil {
		return pager{}
	}
	return pager{c.State.inputPage, inputRows, len(c.State.list.Inputs)}
}

func (c *FilesTab) warningPages() pager {
	return pager{c.State.warningPage, warningRows, c.State.warnings()}
}
