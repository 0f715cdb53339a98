// Package export writes what was found in forms that other programs read.
//
// In come findings with their places, out come the results of lint as text, JSON, SARIF 2.1.0 and JUnit XML. What a person
// wants to keep is decided before: the messages and names that come in are passed on as they are, only made safe for the form.
package export

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"contextscope/core/lint"
)

// Session is one session with what lint found in it, in the order of the rules.
type Session struct {
	ID       string
	Path     string // of its first journal, as it was given
	Ended    string // RFC 3339, "" unknown
	Findings []Finding
}

// Finding is one finding as it is passed on.
type Finding struct {
	Rule        string
	Level       lint.Level
	Message     string
	Path        string // of the journal that it stands in, as it was given
	Start, End  Place
	Whole       bool   // it is about the whole session
	Fingerprint string // the same for the same finding in the next run
	Known       bool   // a baseline has it: it does not count
}

// Place is where a record stands.
type Place struct {
	Line           uint32 // 0 for an input without lines
	Offset, Length int64
}

// Counts are the findings of each level that count, and those that a baseline knows.
type Counts struct{ Errors, Warnings, Infos, Known int }

// Count counts findings.
func Count(sessions ...Session) (n Counts) {
	for _, s := range sessions {
		for _, f := range s.Findings {
			switch {
			case f.Known:
				n.Known++
			case f.Level == lint.Error:
				n.Errors++
			case f.Level == lint.Warning:
				n.Warnings++
			default:
				n.Infos++
			}
		}
	}
	return n
}

// Text is what a person reads, the heaviest findings first.
func Text(sessions []Session, strict bool) []byte {
	var b []byte
	for _, s := range sessions {
		b = text(b, s, strict)
	}
	return b
}

func text(b []byte, s Session, strict bool) []byte {
	n := Count(s)
	if len(s.Findings) == n.Known {
		b = append(b, "✓  No issues found in session "+short(s.ID)...)
		if n.Known > 0 {
			b = append(b, " beyond "+strconv.Itoa(n.Known)+" known"...)
		}
		return append(b, '\n')
	}
	b = append(b, "── Session "+short(s.ID)+" ──\n"...)
	list := slices.Clone(s.Findings)
	slices.SortStableFunc(list, func(x, y Finding) int { return int(y.Level) - int(x.Level) })
	for _, f := range list {
		if f.Known {
			continue
		}
		b = append(b, padded(levelText(f.Level), 5)+"  "+padded(f.Rule, 22)+"  "+f.Message...)
		if !f.Whole {
			b = append(b, " ("+place(f)+")"...)
		}
		b = append(b, '\n')
	}
	b = append(b, "\n"+strconv.Itoa(n.Errors)+" error(s), "+strconv.Itoa(n.Warnings)+" warning(s), "+strconv.Itoa(n.Infos)+" info(s)."...)
	if n.Known > 0 {
		b = append(b, " "+strconv.Itoa(n.Known)+" known."...)
	}
	switch {
	case n.Errors+n.Warnings == 0:
		b = append(b, " Exit code: 0"...)
	case n.Errors > 0 || strict:
		b = append(b, " Exit code: 1"...)
	default:
		b = append(b, " Exit code: 0; with --strict a warning gives 1"...)
	}
	return append(b, '\n')
}

func place(f Finding) string {
	if f.Start.Line == 0 {
		return "byte " + strconv.FormatInt(f.Start.Offset, 10)
	}
	text := "line " + strconv.Itoa(int(f.Start.Line))
	if f.End.Line > f.Start.Line {
		text += "–" + strconv.Itoa(int(f.End.Line))
	}
	return text
}

func levelText(l lint.Level) string { return [...]string{"INFO", "WARN", "ERROR"}[l] }

// short is the beginning of an id that tells sessions apart in most folders.
func short(id string) string {
	if len(id) <= 40 {
		return id
	}
	return strings.ToValidUTF8(id[:40], "") + "…"
}

func padded(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}
