package agentstrace

import (
	"bytes"
	"unicode/utf8"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// The members of data that hold text. Which of them is the event's own depends on its type.
const (
	textPrompt = iota
	textText
	textContent
	textPreview // content_preview
	textResult
	textOutput
	textResponse
	textError
	textMessage
	textBrief // preview
	textSummary
	numTexts
)

var textNames = map[string]int{
	"prompt": textPrompt, "text": textText, "content": textContent, "content_preview": textPreview, "result": textResult,
	"output": textOutput, "response": textResponse, "error": textError, "message": textMessage, "preview": textBrief,
	"response_preview": textBrief, "context_summary": textSummary,
}

// textsOf are the members in which a kind of event has its text, the first that is there.
var textsOf = map[kind][]int{
	prompt:   {textPrompt, textText, textContent, textMessage},
	response: {textText, textContent, textResponse, textOutput, textBrief},
	answer:   {textText, textContent, textResponse, textMessage},
	result:   {textPreview, textResult, textContent, textOutput, textText},
	failure:  {textError, textMessage},
}

// text is one text while the rest of the event is still to come.
type text struct {
	units   int64
	hash    uint64 // of its beginning and its length
	title   journal.Ref
	cut     bool // as long as recorders let a text become
	cleared bool // the command that empties the context
}

// maxText is how much of a text is decoded: all that a recorder leaves of one, at four bytes a character.
const maxText = 8 << 10

func (d *decoder) textField(k []byte) bool {
	i, ok := textNames[string(k)]
	if !ok {
		return false
	}
	t := &d.line.texts[i]
	if d.s.Kind() != jsonl.String {
		if t.units == 0 && i != textSummary && (d.s.Kind() == jsonl.Object || d.s.Kind() == jsonl.Array) {
			t.units = d.s.JSONUnits()
		}
		return true
	}
	head, size := d.s.Str(facts.Room())
	switch i {
	case textPrompt, textText, textContent, textMessage, textResponse:
		role := facts.ByPart
		if d.line.kind == answer || d.line.kind == response {
			role = facts.Model
		}
		d.facts.Add(role, -1, head, size.Units)
	case textSummary:
		d.facts.Add(facts.Summary, -1, head, size.Units)
	}
	head = head[:min(len(head), maxText)]
	t.units, t.hash = size.Units, hashOf(head, size.Units)
	switch i {
	case textPrompt, textText, textContent, textMessage:
		t.cleared = bytes.Contains(head[:min(len(head), 256)], []byte("<command-name>/clear</command-name>"))
		if k := d.line.kind; k == prompt || k == answer || k == unknown {
			t.title = d.in.Strings.Put(journal.TitleOf(head))
		}
	}
	t.cut = isCut(i, head, size)
	return true
}

func hashOf(head []byte, units int64) uint64 { return mix(journal.Hash(head), uint64(units)) }

// isCut tells a text that a recorder cut: an import leaves 2,000 characters of a text and the decorator 200 of an answer,
// an import marks a result with three dots behind 2,000, and hooks leave 1,000 of one and put a mark behind.
func isCut(i int, head []byte, size jsonl.Text) bool {
	if size.Units < 200 || size.Bytes > int64(len(head)) {
		return false
	}
	n := utf8.RuneCount(head)
	switch i {
	case textPrompt, textText:
		return n == 2000
	case textPreview:
		return n == 2003 && bytes.HasSuffix(head, []byte("..."))
	case textResult:
		return n >= 1000 && n <= 1064
	case textBrief:
		return n == 200
	}
	return false
}

// content is the text of the event, nil where it has none.
func (l *line) content() *text {
	for _, i := range textsOf[l.kind] {
		if l.texts[i].units > 0 {
			return &l.texts[i]
		}
	}
	return nil
}
