package facts

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"contextscope/core/journal"
)

// statements takes a text apart into the sentences that its writer said: no code, quotations, tables, logs and stack traces,
// nothing between tags that a harness sets. A sentence that is broken over lines is put together again. yield returns false
// to stop.
func (s *splitter) statements(text string, only *seeds, yield func(string) bool) {
	s.only = only
	s.yield, s.stopped, s.fence, s.log, s.ends, s.open = yield, false, "", false, 0, s.open[:0]
	s.read(text)
}

func (s *splitter) read(text string) {
	for len(text) > 0 && !s.stopped {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		s.line(strings.TrimRight(line, " \t\r"), &text)
	}
	s.flush()
}

// splitter takes texts apart, one after the other. What it yields is valid until it goes on.
type splitter struct {
	yield   func(string) bool
	only    *seeds // what a sentence has to have, nil for nothing
	stopped bool
	fence   string // of the code block that is open
	log     bool   // in a block of output
	open    []byte // the paragraph so far
	last    int    // length of its last line
	nested  int    // arguments of commands that are being read inside of each other
	ends    int    // tags whose end was looked for in vain
	told    []byte // the sentence that is yielded, where it
	edited  bool   // is not as it stands in the text
}

// view is the bytes as a string, for as long as they don't change.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// wrapped is how long a line is at least that goes on in the next one.
const wrapped = 56

// line reads a line, and what stands behind the tags of a harness on it: one after the other, as a text can be nothing but
// tags, and the stack of a browser is short.
func (s *splitter) line(line string, rest *string) {
	for after := s.piece(line, rest); after != "" && !s.stopped; {
		after = s.piece(after, rest)
	}
}

// piece reads a line up to the end of a harness's tag, and returns what stands behind that.
func (s *splitter) piece(line string, rest *string) (after string) {
	bare := strings.TrimLeft(line, " \t")
	if s.fence != "" {
		if strings.HasPrefix(bare, s.fence) {
			s.fence = ""
		}
		return ""
	}
	if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
		s.flush()
		s.fence = bare[:3]
		return ""
	}
	if bare == "" {
		s.flush()
		s.log = false
		return ""
	}
	if tag := harnessTag(bare); tag != "" {
		s.flush()
		return s.skipTag(bare, tag, rest)
	}
	item, bullet := cutBullet(bare)
	if s.log || !bullet && isLog(bare) {
		s.flush()
		s.log = true
		return ""
	}
	if isCode(bare, len(line)-len(bare)) {
		s.flush()
		return ""
	}
	if bullet || strings.HasPrefix(bare, "#") || !s.goesOn(bare) {
		s.flush()
	}
	if len(s.open) > 0 {
		s.open = append(s.open, ' ')
	}
	s.open = append(s.open, strings.TrimLeft(item, "# \t")...)
	s.last = len(line)
	return ""
}

// goesOn reports whether a line goes on with the sentence of the line before.
func (s *splitter) goesOn(line string) bool {
	if len(s.open) == 0 || s.last < wrapped {
		return false
	}
	switch s.open[len(s.open)-1] {
	case '.', '!', '?', ':', ';':
		return false
	}
	r, _ := utf8.DecodeRuneInString(line)
	return unicode.IsLower(r) || unicode.IsDigit(r) || strings.ContainsRune("(`'\"", r)
}

// harnessTag is the name of the tag that a line begins with, if it is of the kind that harnesses set: with a dash or an
// underscore in it.
func harnessTag(line string) string {
	if line[0] != '<' {
		return ""
	}
	i := 1
	for i < len(line) && (line[i] >= 'a' && line[i] <= 'z' || line[i] >= 'A' && line[i] <= 'Z' || line[i] >= '0' && line[i] <= '9' || line[i] == '-' || line[i] == '_') {
		i++
	}
	if name := line[1:i]; i > 1 && i < len(line) && (line[i] == '>' || line[i] == ' ') && strings.ContainsAny(name, "-_") {
		return name
	}
	return ""
}

// maxEnds is how many tags without an end are looked for in a text: each takes a look at all that is left of it.
const maxEnds = 8

// maxNested is how deep the arguments of commands are followed that stand in each other.
const maxNested = 4

// skipTag passes over what stands between a tag and its end, and returns what stands behind it on its line. What a person gave
// to a command is their own.
func (s *splitter) skipTag(line, tag string, rest *string) (behindIt string) {
	end := "</" + tag + ">"
	inner, after, closed := strings.Cut(line, end)
	if !closed {
		if s.ends++; s.ends > maxEnds {
			return ""
		}
		inside, behind, found := strings.Cut(*rest, end)
		if !found {
			return "" // no end: only the line is left out
		}
		s.ends--
		inner, *rest = line, behind
		if tag == "command-args" {
			inner += "\n" + inside
		}
	}
	if tag == "command-args" && s.nested < maxNested {
		s.nested++
		s.read(inner[strings.IndexByte(inner, '>')+1:])
		s.nested--
	}
	return strings.TrimLeft(after, " \t")
}

// cutBullet takes the sign of a list from an item.
func cutBullet(line string) (string, bool) {
	for _, b := range []string{"- ", "* ", "• ", "+ ", "– ", "— "} {
		if rest, ok := strings.CutPrefix(line, b); ok {
			rest = strings.TrimLeft(rest, " ")
			for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
				rest = strings.TrimPrefix(rest, box)
			}
			return rest, true
		}
	}
	i := 0
	for i < len(line) && i < 3 && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	if i > 0 && i+1 < len(line) && (line[i] == '.' || line[i] == ')') && line[i+1] == ' ' {
		return strings.TrimLeft(line[i+2:], " "), true
	}
	if len(line) > 3 && line[1] == ')' && line[2] == ' ' {
		return line[3:], true
	}
	return line, false
}

// isLog tells a line of output: a time, a level, a frame of a stack, a prompt of a shell, or a place in a file before it.
func isLog(line string) bool {
	if c := line[0] | 0x20; isLetter[line[0]] && !logs.first[c] && c != 'a' && c != 'f' && c != 'd' { // most lines of prose
		return strings.IndexByte(line[:min(len(line), 80)], ':') > 0 && located(fold(line[:min(len(line), 80)]))
	}
	low := fold(line[:min(len(line), 80)])
	if logs.begins(low) || strings.HasPrefix(low, "at ") && strings.ContainsAny(low, "(:/") && !strings.HasSuffix(low, ".") {
		return true
	}
	if strings.HasPrefix(low, `file "`) || strings.HasPrefix(low, "$ ") || strings.HasPrefix(low, ">>> ") || strings.HasPrefix(low, "@@ ") {
		return true
	}
	if strings.HasPrefix(low, "diff --git") || strings.HasPrefix(low, "+++ ") || strings.HasPrefix(low, "--- a/") {
		return true
	}
	return timed(low) || located(low)
}

// timed tells a line that begins with a time: 2026-01-01 10:00, [10:00:00, 10:00:00.123.
func timed(low string) bool {
	low = strings.TrimLeft(low, "[( ")
	shape := func(n int) string {
		var b [10]byte
		for i := range min(n, len(low)) {
			b[i] = low[i]
			if low[i] >= '0' && low[i] <= '9' {
				b[i] = '9'
			}
		}
		return string(b[:min(n, len(low))])
	}
	return shape(8) == "99:99:99" || shape(10) == "9999-99-99" && len(low) > 13 && low[11] >= '0' && low[11] <= '9' || shape(10) == "9999/99/99"
}

// located tells a line that begins with a place in a file: src/a.go:12: or a.ts(3,4):.
func located(low string) bool {
	first, rest, _ := strings.Cut(low, " ")
	i := strings.IndexByte(first, ':')
	if i <= 0 || rest == "" {
		return false
	}
	after := first[i+1:]
	return len(after) > 1 && after[0] >= '0' && after[0] <= '9' && strings.HasSuffix(after, ":")
}

// isCode tells a line of code, of a table or of a quotation.
func isCode(line string, indent int) bool {
	switch line[0] {
	case '>', '|', '{', '}', '[', ']', ')', ';', '@', '\\':
		return !(line[0] == '@' && strings.IndexByte(line, ' ') > 0) && !(line[0] == '[' && strings.Contains(line, "] ") && indent == 0)
	case '<':
		return strings.IndexByte(line, '>') > 0
	case '/', '-':
		if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "---") {
			return true
		}
	}
	switch line[len(line)-1] {
	case '{', ';', '}', '\\':
		return true
	case ',':
		if line[0] == '"' || line[0] == '\'' {
			return true
		}
	}
	if strings.HasSuffix(line, "=>") || strings.HasSuffix(line, "):") || strings.HasSuffix(line, "(") || strings.HasSuffix(line, "->") {
		return true
	}
	first, _, _ := strings.Cut(line, " ")
	switch first {
	case "import", "func", "def", "class", "const", "let", "var", "return", "package", "#include", "#!/bin/bash", "export", "async", "public", "private", "static", "SELECT", "INSERT", "CREATE", "ALTER", "elif", "}else", "fn", "impl", "struct":
		return strings.ContainsAny(line, "(){}=;:\"'*<>") && !strings.HasSuffix(line, ".")
	}
	letters, signs := 0, 0
	for _, c := range []byte(line) {
		switch {
		case c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		case c != ' ' && (c < '0' || c > '9') && c != '.' && c != ',' && c != '\'' && c != '/' && c != '`' && c != '-' && c != '*' && c != '"':
			signs++
		}
	}
	limit := 3
	if indent >= 4 {
		limit = 6
	}
	return letters == 0 || signs >= 3 && signs*limit > letters
}

// flush ends a paragraph: its sentences are told.
func (s *splitter) flush() {
	if s.only != nil && !s.only.in(s.open) {
		s.open, s.last = s.open[:0], 0
		return
	}
	s.sentences(view(s.open))
	s.open, s.last = s.open[:0], 0
}

// sentences tells the sentences of a paragraph.
func (s *splitter) sentences(text string) {
	from := 0
	for i := 0; i < len(text) && !s.stopped; {
		r, n := utf8.DecodeRuneInString(text[i:])
		next := i + n
		ends := false
		switch r {
		case '.', '!', '?':
			ends = next == len(text) || text[next] == ' ' || (text[next] == '"' || text[next] == ')' || text[next] == '*') && next+1 < len(text) && text[next+1] == ' '
			ends = ends && !(r == '.' && abbreviated(text[from:i]))
		case '。', '！', '？':
			ends = true
		}
		if ends {
			s.tell(text[from:next])
			from = next
		}
		i = next
	}
	if !s.stopped {
		s.tell(text[from:])
	}
}

// abbreviated reports whether what stands before a full stop is an abbreviation or the number of a list.
func abbreviated(before string) bool {
	w := fold(before[strings.LastIndexAny(before, " (\t")+1:])
	return abbreviations.has(w) || len(w) == 1 || len(before) < 4 && digitsOnly(before)
}

// plainSentence is a sentence without the blanks and marks around it, if nothing in it has to be changed.
func plainSentence(s string) (string, bool) {
	s = strings.TrimRight(strings.TrimLeft(s, " \t\"'`*_"), "\"'`*_ ")
	if len(s) >= journal.MaxFact {
		return "", false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c == '\t' || c == ' ' && s[i+1] == ' ' {
			return "", false
		}
	}
	return s, true
}

// tell yields a sentence, its blanks collapsed and without the marks around it.
func (s *splitter) tell(sentence string) {
	if s.only != nil && !s.only.in(unsafe.Slice(unsafe.StringData(sentence), len(sentence))) {
		return
	}
	if plain, ok := plainSentence(sentence); ok {
		if len(plain) >= 4 {
			s.edited = false
			s.stopped = !s.yield(plain)
		}
		return
	}
	s.told, s.edited = s.told[:0], true
	n := 0
	for _, r := range sentence {
		if blank := r == ' ' || r == '\t' || r == '\u00a0'; blank && (n == 0 || s.told[len(s.told)-1] == ' ') || n == 0 && strings.ContainsRune("\"'`*_", r) {
			continue
		} else if blank {
			r = ' '
		}
		if n++; n == journal.MaxFact {
			s.told = append(s.told, "…"...)
			break
		}
		s.told = utf8.AppendRune(s.told, r)
	}
	s.told = bytes.TrimRight(s.told, "\"'`*_ ")
	if len(s.told) >= 4 {
		s.stopped = !s.yield(view(s.told))
	}
}
