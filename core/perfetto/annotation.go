package perfetto

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// ValueKind says what an annotation holds.
type ValueKind uint8

// The kinds of value.
const (
	Nothing ValueKind = iota // only a name: an empty dictionary or list leaves no more
	Bool
	Uint
	Int
	Double
	Text
	Dict
	List
)

// Annotation is a named value of an event. Its bytes are valid only during the call that hands it over.
type Annotation struct {
	Name []byte
	Kind ValueKind
	n    uint64
	text []byte
	body []byte
	w    *watch
}

func annotation(b []byte, w *watch) Annotation {
	a := Annotation{body: b, w: w}
	m := message{b: b, w: w}
	for m.next() {
		switch m.num {
		case annotationName:
			if m.isBytes() {
				a.Name = m.bytes
			}
		case annotationBool:
			a.number(&m, Bool)
		case annotationUint:
			a.number(&m, Uint)
		case annotationInt:
			a.number(&m, Int)
		case annotationDouble:
			if m.isFixed() {
				a.Kind, a.n = Double, m.n
			}
		case annotationString:
			if m.isBytes() {
				a.Kind, a.text = Text, m.bytes
			}
		case annotationEntry:
			if m.isBytes() {
				a.Kind = Dict
			}
		case annotationItem:
			if m.isBytes() {
				a.Kind = List
			}
		}
	}
	return a
}

func (a *Annotation) number(m *message, kind ValueKind) {
	if m.isVarint() {
		a.Kind, a.n = kind, m.n
	}
}

// Int is the value of an integer.
func (a *Annotation) Int() (int64, bool) {
	switch {
	case a.Kind == Uint && a.n <= math.MaxInt64, a.Kind == Int:
		return int64(a.n), true
	}
	return 0, false
}

// Bool is the value of a flag.
func (a *Annotation) Bool() (v, ok bool) { return a.n != 0, a.Kind == Bool }

// Text is the value of a string, nil for anything else.
func (a *Annotation) Text() []byte {
	if a.Kind != Text {
		return nil
	}
	return a.text
}

// Entries calls f for each entry of a dictionary, which have names, or of a list, which have none.
func (a *Annotation) Entries(f func(*Annotation)) {
	want := protowire.Number(annotationEntry)
	if a.Kind == List {
		want = annotationItem
	}
	m := message{b: a.body} // it was read before; damage is noted
	for a.Kind >= Dict && m.next() {
		if m.num == want && m.typ == protowire.BytesType {
			e := annotation(m.bytes, a.w)
			f(&e)
		}
	}
}
