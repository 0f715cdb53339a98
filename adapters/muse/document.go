package muse

import (
	"bytes"
	"fmt"

	"contextscope/core/facts"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Scan returns the function that reads the values of one input. An envelope is one record; what holds several closes them
// one by one and is none itself.
func Scan(in *journal.Input) func(*jsonl.Scanner, *journal.Record) bool {
	d := &decoder{in: in}
	return d.read
}

type decoder struct {
	in *journal.Input
	s  *jsonl.Scanner
	r  *journal.Record // being filled
	event
	payloadType, family, kind name

	outer, inner journal.Record // of a document's envelope, of a frame's record

	frame  *jsonl.Scanner // reads the records that a frame holds as strings
	text   bytes.Reader   // of one
	pocket *jsonl.Scanner // reads a call's arguments
	words  bytes.Reader

	facts facts.Collector
}

// read reads a value at the top of an input.
func (d *decoder) read(s *jsonl.Scanner, r *journal.Record) bool {
	d.s = s
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return false
	}
	d.begin(r)
	several := false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "events":
			several = true
			for s.Array(); s.Elem(); {
				d.exported()
			}
		case "sessions":
			several = true
			for s.Array(); s.Elem(); {
				d.listed()
			}
		case "export_schema_version":
			several = true
			d.version()
		case "children":
			several = true
			d.children(r.Line)
		case "retained_frame":
			several = true
		case "retained_marker":
			several = true
			if v, _ := s.Str(32); string(v) != harmless {
				d.gap(r.Line)
			}
		default:
			d.envelopeField(k)
		}
	}
	return !several && !s.Failed() && d.finish()
}

// harmless marks what was only ever shown live, such as the output of a tool while it runs.
const harmless = "omitted_live_only"

func (d *decoder) gap(line uint32) {
	d.in.Warnings.Add(journal.Warning{Code: journal.WarnGap, Line: int64(line),
		Message: "records are missing here: the journal itself says that it has a gap",
		Hint:    "what stood there is in no figure"})
}

// version says so when an export has another version than the one that is known. What looks familiar is read all the same.
func (d *decoder) version() {
	n, ok := d.s.Int()
	if ok && n == 1 {
		return
	}
	what := "this export names no version that is a number"
	if ok {
		what = fmt.Sprintf("this export has version %d", n)
	}
	d.in.Warnings.Add(journal.Warning{Code: journal.WarnVersion,
		Message: what + "; only version 1 is known here, so its figures may be wrong or incomplete",
		Hint:    "open the session.jsonl of the same session instead"})
}

// exported reads an event of an export: an envelope with a little around it.
func (d *decoder) exported() {
	s := d.s
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return
	}
	var kind [40]byte
	n, gap, enveloped := 0, true, false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "kind":
			v, _ := s.Str(len(kind))
			n = copy(kind[:], v)
		case "marker":
			v, _ := s.Str(32)
			gap = string(v) != harmless
		case "envelope":
			enveloped = true
			d.envelope()
		}
	}
	switch {
	case s.Failed():
	case string(kind[:n]) == "gap":
		if gap {
			d.gap(0)
		}
	case !enveloped:
		d.in.Unknown(append([]byte("event/"), kind[:n]...))
	}
}

// envelope reads a whole record inside of something else.
func (d *decoder) envelope() {
	s := d.s
	if !s.Object() {
		d.in.Unknown([]byte("(not an object)"))
		return
	}
	r := &d.outer
	*r = d.in.Open()
	r.Offset = s.End() - 1
	d.begin(r)
	frame := false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "children":
			frame = true
			d.children(0)
		case "retained_frame":
			frame = true
		default:
			d.envelopeField(k)
		}
	}
	switch {
	case s.Failed() || frame:
		d.in.Drop(*r)
	default:
		d.close(r, d.finish(), s.End())
	}
}

// close keeps a record of several, which counts as a value that was read whether it is kept or not.
func (d *decoder) close(r *journal.Record, keep bool, end int64) {
	if keep {
		r.Length = uint32(min(end-r.Offset, 1<<32-1))
		d.in.Close(*r)
	} else {
		d.in.Drop(*r)
	}
	d.in.Values++
}

// maxFramed bounds a record that a frame holds as a string, which has to be in memory whole.
const maxFramed = 16 << 20

// children reads the records of a frame. One that is broken is counted; the others stay.
func (d *decoder) children(line uint32) {
	s := d.s
	for s.Array(); s.Elem(); {
		if !s.Object() {
			d.broken(line)
			continue
		}
		r := &d.inner
		*r = d.in.Open()
		r.Offset, r.Line = s.End()-1, line
		found, keep := false, false
		for k := s.Key(); k != nil; k = s.Key() {
			if string(k) == "record_json" && !found {
				found, keep = d.framed(r)
			}
		}
		switch {
		case s.Failed():
			d.in.Drop(*r)
		case !found:
			d.in.Drop(*r)
			d.broken(line)
		default:
			d.close(r, keep, s.End())
		}
	}
}

func (d *decoder) broken(line uint32) {
	d.in.Malformed++
	d.in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed, Line: int64(line),
		Message: "a record inside a retained frame could not be read and was left out",
		Hint:    "the other records of the frame were read"})
}

// framed reads the string that holds a record of a frame.
func (d *decoder) framed(r *journal.Record) (ok, keep bool) {
	outer := d.s
	head, t := outer.Str(maxFramed)
	if len(head) == 0 || int64(len(head)) < t.Bytes {
		return false, false
	}
	d.text.Reset(head)
	if d.frame == nil {
		d.frame = jsonl.NewScanner(&d.text, 16<<10)
	} else {
		d.frame.Reset(&d.text)
	}
	s := d.frame
	if !s.Next() || !s.Object() {
		return false, false
	}
	d.s = s
	d.begin(r)
	for k := s.Key(); k != nil; k = s.Key() {
		d.envelopeField(k)
	}
	ok = s.Finish() == nil
	keep = ok && d.finish()
	d.s = outer
	d.text.Reset(nil)
	if !ok {
		d.in.Drop(*r)
	}
	return ok, keep
}

// listedParent reads which session another one came from, and whether it is a fork of it.
func (d *decoder) listedParent() (parent journal.Ref, fork bool) {
	s := d.s
	if !s.Object() {
		return 0, false
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "session_id":
			parent = d.ref()
		case "link":
			v, _ := s.Str(16)
			fork = string(v) == "fork"
		}
	}
	return parent, fork
}

// listed reads an entry of an export's list of sessions: which are only copied context, and which have a parent.
func (d *decoder) listed() {
	s := d.s
	if !s.Object() {
		return
	}
	r := &d.outer
	*r = d.in.Open()
	r.Offset = s.End() - 1
	r.Kind = journal.Link
	d.r = r
	var parent journal.Ref
	fork := false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "session_id":
			r.Session = d.ref()
		case "is_copied_context":
			if v, _ := s.Bool(); v {
				r.Flags |= journal.Sidechain
			}
		case "parent":
			parent, fork = d.listedParent()
		}
	}
	if fork {
		parent = 0
	}
	if s.Failed() || r.Session == 0 || r.Flags&journal.Sidechain == 0 && parent == 0 {
		d.in.Drop(*r)
		return
	}
	d.part(journal.Part{Kind: journal.Attribute, Attr: attrListed})
	d.attribute(journal.ParentSession, parent, 0)
	r.Length = uint32(min(s.End()-r.Offset, 1<<32-1))
	d.in.Close(*r)
}
