package adapters

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"contextscope/adapters/archive"
	"contextscope/adapters/shape"
	"contextscope/core/analysis"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Input says what a person handed over: the name as they know it, the path inside a dropped folder where there is one,
// and the size, -1 when unknown.
type Input struct {
	Name string
	Path string
	Size int64
}

// Library holds everything that is open: the records of each input, never their text.
type Library struct {
	inputs  []*journal.Input
	strings journal.Strings
	scanner *jsonl.Scanner
	head    []byte // the beginning of the input at hand
	packed  archive.Unpacker

	// BlockSize is how much is read at a time, 0 for what is best. Tests make it small.
	BlockSize int
}

// NewLibrary is an empty library.
func NewLibrary() *Library { return &Library{} }

// Len is how many inputs are open.
func (l *Library) Len() int { return len(l.inputs) }

// Forget drops the inputs from n on: those of an opening that was cancelled.
func (l *Library) Forget(n int) { l.inputs = l.inputs[:n] }

const (
	headSize  = 256 << 10
	blockSize = 1 << 20
)

// Read reads one input to its end and keeps its records. What is packed is unpacked on the way; an archive gives an input
// for each journal in it, and one of its own when there is more to say about it. A file that is no journal we know is kept
// as a refused input with a warning that says what was seen. An error is the reader's own (a cancelled or vanished file);
// what had been read of that input is then forgotten.
func (l *Library) Read(in Input, r io.Reader) error {
	o := &opening{Library: l, in: in, before: l.Len()}
	if err := o.read(r); err != nil {
		l.Forget(o.before)
		return err
	}
	return nil
}

// file reads a file that is not packed, or not any more, and leaves it to the caller to keep it. Of a file that nobody asked
// for by its name, JSON lines somewhere in it are not enough: source code and notes have such, too.
func (l *Library) file(j *journal.Input, size int64, asked bool, r io.Reader) error {
	if l.head == nil {
		l.head = make([]byte, headSize)
	}
	n, err := io.ReadFull(r, l.head)
	whole := err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !whole {
		return err
	}
	head := l.head[:n]
	j.Bytes = int64(n)
	if l.attach(j) {
		if size >= 0 || whole {
			j.Bytes = max(size, j.Bytes)
			return nil
		}
		rest, err := io.Copy(io.Discard, r) // nobody knows how much it is
		j.Bytes += rest
		return err
	}
	h := shape.Look(head, whole)
	f, ok := l.recognise(j, h)
	if ok && !asked && f.Read == nil && !shape.IsJSON(head) {
		ok, j.Refused, j.Format, j.Reason = false, true, "", "text with JSON in it"
	}
	if !ok {
		if !whole {
			// The rest is not read; what was handed over is as big as it is all the same.
			j.Bytes = max(size, j.Bytes)
		}
		return nil
	}
	err = l.contents(j, f, h, io.MultiReader(bytes.NewReader(head), r))
	j.Fit()
	return err
}

func (l *Library) keep(j *journal.Input) { l.inputs = append(l.inputs, j) }

// attach takes what lies beside a journal without reading it; reports whether it was such a file.
func (l *Library) attach(in *journal.Input) bool {
	for i := range Formats {
		if Formats[i].Attach == nil {
			continue
		}
		if reason, ok := Formats[i].Attach(in.Path); ok {
			in.Format, in.Reason = Formats[i].Key, reason
			return true
		}
	}
	return false
}

// contents reads a recognised input to its end.
func (l *Library) contents(in *journal.Input, f *Format, h *shape.Head, r io.Reader) error {
	switch {
	case f.Read != nil:
		return f.Read(in, r)
	case h.Document:
		document := &shape.OneLine{Document: r}
		err := l.scan(in, f, document)
		in.Lines = document.Lines()
		return err
	}
	return l.scan(in, f, r)
}

// recognise asks the adapters, and notes on the input what they found. Where none is sure enough it is refused.
func (l *Library) recognise(in *journal.Input, h *shape.Head) (*Format, bool) {
	var best *Format
	confidence := 0.0
	for i := range Formats {
		if c, reason := Formats[i].Sniff(h); c > confidence {
			best, confidence, in.Reason = &Formats[i], c, reason
		}
	}
	if confidence >= 0.5 || confidence > 0 && !isForeign(h) {
		in.Format = best.Key
		return best, true
	}
	in.Refused = true
	l.refuse(in, h)
	return nil, false
}

func isForeign(h *shape.Head) bool {
	for _, f := range foreign {
		if f.is(h) {
			return true
		}
	}
	return false
}

// refuse says what was seen, what can be opened and what to do.
func (l *Library) refuse(in *journal.Input, h *shape.Head) {
	can := "What can be opened: journals of " + Names() + "."
	w := journal.Warning{Code: journal.WarnNotAJournal, Hint: can}
	in.Reason = seen(h)
	if strings.HasSuffix(in.Reason, " archive") {
		w.Hint = "Unpack it and open what is in it. " + can
	}
	switch {
	case len(h.Bytes) == 0:
		w.Code, in.Reason = journal.WarnEmpty, "an empty file"
		w.Message = "there is nothing in this file"
	default:
		w.Message = "not a journal that can be opened: this looks like " + in.Reason
		for _, f := range foreign {
			if f.is(h) {
				w.Code, in.Reason = journal.WarnForeign, f.name
				w.Message = "this looks like " + f.name + ", which is not read here"
				w.Hint = strings.TrimSpace(f.hint + " " + can)
				break
			}
		}
	}
	in.Warnings.Add(w)
}

// scan reads all values of an input.
func (l *Library) scan(in *journal.Input, f *Format, r io.Reader) error {
	size := l.BlockSize
	if size == 0 {
		size = blockSize
	}
	if l.scanner == nil || l.BlockSize != 0 {
		l.scanner = jsonl.NewScanner(r, size)
	} else {
		l.scanner.Reset(r)
	}
	s := l.scanner
	read := f.Scan(in)
	rec := new(journal.Record)
	for s.Next() {
		*rec = in.Open()
		rec.Offset, rec.Line = s.Offset(), uint32(s.Line())
		values := in.Values
		keep := read(s, rec)
		err := s.Finish()
		switch {
		case err != nil:
			in.Drop(*rec)
			damaged(in, s.Line(), err)
			continue
		case keep:
			rec.Length = uint32(min(s.End()-rec.Offset, 1<<32-1))
			in.Close(*rec)
		default:
			in.Drop(*rec)
		}
		if in.Values == values { // else it held several, which have been counted
			in.Values++
		}
	}
	in.Lines, in.Bytes = s.Lines(), s.End()
	return s.Err()
}

// damaged counts a value that could not be read and says where it is.
func damaged(in *journal.Input, line int64, err error) {
	if e, ok := err.(*jsonl.SyntaxError); ok && e.Kind == jsonl.CutAtEnd {
		in.Warnings.Add(journal.Warning{Code: journal.WarnCut, Line: line,
			Message: "the last record is not complete: somebody is still writing it, or the file was cut",
			Hint:    "open the file again when the session goes on"})
		return
	}
	in.Malformed++
	in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed, Line: line,
		Message: fmt.Sprintf("this record could not be read (%v) and was left out", err),
		Hint:    "everything else on this line and after it was read"})
}

// Settle computes the Analysis of all that is open.
func (l *Library) Settle() *analysis.Analysis {
	names := map[string]string{}
	for _, f := range Formats {
		names[f.Key] = f.Name
	}
	a := analysis.New(&l.strings, l.inputs, names)
	for _, f := range Formats {
		var own []*journal.Input
		for _, in := range l.inputs {
			if in.Format == f.Key {
				own = append(own, in)
			}
		}
		if len(own) > 0 {
			f.Settle(a, own)
		}
	}
	a.Arrange()
	return a
}
