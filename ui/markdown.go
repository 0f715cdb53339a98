package ui

import "strings"

// The notes of a format are the text that stands beside its adapter, in the little Markdown that is used there: headings,
// paragraphs, lists, tables, and **strong** and `code` inside of them.

// block is a heading, a paragraph, a list or a table.
type block struct {
	Kind  string     // "h2", "h3", "p", "ul", "table"
	Spans []span     // of a heading or paragraph
	Items [][]span   // of a list
	Head  [][]span   // of a table
	Rows  [][][]span // of a table
}

// span is a piece of text with one look.
type span struct {
	Look string // "", "strong", "code"
	Text string
}

// markdown reads a text into blocks.
func markdown(text string) []block {
	var blocks []block
	var open *block // paragraph or list that the next line may go on
	var words []string
	flush := func() {
		if open == nil {
			return
		}
		spans := inline(strings.Join(words, " "))
		if open.Kind == "ul" {
			open.Items = append(open.Items, spans)
		} else {
			open.Spans = spans
		}
		words = nil
	}
	end := func() {
		flush()
		if open != nil {
			blocks = append(blocks, *open)
		}
		open = nil
	}
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			end()
		case strings.HasPrefix(trimmed, "#"):
			end()
			kind := "h2"
			if strings.HasPrefix(trimmed, "##") {
				kind = "h3"
			}
			blocks = append(blocks, block{Kind: kind, Spans: inline(strings.TrimLeft(trimmed, "# "))})
		case strings.HasPrefix(trimmed, "|"):
			end()
			blocks = tableRow(blocks, trimmed)
		case strings.HasPrefix(trimmed, "* "), strings.HasPrefix(trimmed, "- "):
			if open != nil && open.Kind == "ul" {
				flush()
			} else {
				end()
				open = &block{Kind: "ul"}
			}
			words = []string{trimmed[2:]}
		default:
			if open == nil {
				open = &block{Kind: "p"}
			}
			words = append(words, trimmed)
		}
	}
	end()
	return blocks
}

// tableRow adds a line of a table: its head, the rule below it, or a row.
func tableRow(blocks []block, line string) []block {
	cells := splitCells(line)
	last := len(blocks) - 1
	if last < 0 || blocks[last].Kind != "table" {
		return append(blocks, block{Kind: "table", Head: cells})
	}
	if strings.Trim(line, "|-: ") == "" {
		return blocks
	}
	blocks[last].Rows = append(blocks[last].Rows, cells)
	return blocks
}

// splitCells cuts a line of a table at its bars; one inside of `code` is no bar.
func splitCells(line string) [][]span {
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var cells [][]span
	from, code := 0, false
	for i := 0; i <= len(line); i++ {
		switch {
		case i == len(line) || line[i] == '|' && !code:
			cells = append(cells, inline(strings.TrimSpace(line[from:i])))
			from = i + 1
		case line[i] == '`':
			code = !code
		}
	}
	return cells
}

// inline cuts a text into spans. A link keeps its words: the page goes nowhere.
func inline(text string) []span {
	var spans []span
	add := func(look, s string) {
		if s != "" {
			spans = append(spans, span{look, s})
		}
	}
	for text != "" {
		i := strings.IndexAny(text, "`*[")
		if i < 0 {
			break
		}
		look, mark, end := "code", "`", "`"
		switch text[i] {
		case '*':
			look, mark, end = "strong", "**", "**"
		case '[':
			look, mark, end = "", "[", "]("
		}
		rest, found := strings.CutPrefix(text[i:], mark)
		inner, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			add("", text[:i+1])
			text = text[i+1:]
			continue
		}
		if end == "](" {
			_, after, _ = strings.Cut(after, ")")
		}
		add("", text[:i])
		add(look, inner)
		text = after
	}
	add("", text)
	return spans
}
