package export

import (
	"strconv"

	"contextscope/core/analysis"
	"contextscope/core/lint"
)

// JSON is one object for one session, an array of them for more.
func JSON(sessions []Session) []byte {
	w := &writer{}
	if len(sessions) == 1 {
		w.session(&sessions[0])
	} else {
		w.array(len(sessions), func(i int) { w.session(&sessions[i]) })
	}
	return append(w.b, '\n')
}

func (w *writer) session(s *Session) {
	n := Count(*s)
	w.object(func() {
		w.text("session_id", s.ID)
		w.number("errors", int64(n.Errors))
		w.number("warnings", int64(n.Warnings))
		w.number("infos", int64(n.Infos))
		w.number("known", int64(n.Known))
		w.key("findings")
		w.array(len(s.Findings), func(i int) {
			f := &s.Findings[i]
			w.object(func() {
				w.text("rule", f.Rule)
				w.text("level", f.Level.String())
				w.text("message", f.Message)
				if !f.Whole && f.Start.Line > 0 {
					w.number("line_start", int64(f.Start.Line))
					w.number("line_end", int64(f.End.Line))
				}
				w.text("fingerprint", f.Fingerprint)
				if f.Known {
					w.flag("known", true)
				}
			})
		})
	})
}

// writer writes JSON with line breaks.
type writer struct {
	b     []byte
	depth int
	comma bool
}

func (w *writer) line() {
	w.b = append(w.b, '\n')
	for range w.depth {
		w.b = append(w.b, ' ', ' ')
	}
}

func (w *writer) next() {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.line()
	w.comma = true
}

func (w *writer) container(open, close byte, inside func()) {
	w.b = append(w.b, open)
	w.depth++
	w.comma = false
	inside()
	w.depth--
	if w.comma {
		w.line()
	}
	w.b = append(w.b, close)
	w.comma = true
}

func (w *writer) object(inside func()) { w.container('{', '}', inside) }

func (w *writer) array(n int, element func(i int)) {
	w.container('[', ']', func() {
		for i := range n {
			w.next()
			element(i)
		}
	})
}

func (w *writer) key(k string) {
	w.next()
	w.b = append(analysis.AppendQuoted(w.b, k), ':', ' ')
}

func (w *writer) text(k, v string) {
	w.key(k)
	w.b = analysis.AppendQuoted(w.b, v)
}

func (w *writer) number(k string, v int64) {
	w.key(k)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *writer) flag(k string, v bool) {
	w.key(k)
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) member(k string, inside func()) {
	w.key(k)
	w.object(inside)
}

func (w *writer) list(k string, n int, element func(i int)) {
	w.key(k)
	w.array(n, element)
}

// sarifLevel is a level in the words of SARIF.
func sarifLevel(l lint.Level) string { return [...]string{"note", "warning", "error"}[l] }
