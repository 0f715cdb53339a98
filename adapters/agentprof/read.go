package agentprof

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"contextscope/core/composition"
	"contextscope/core/journal"
	"contextscope/core/jsonl"
	"contextscope/core/perfetto"
)

// recording is what is kept of a trace until all inputs are there: no text beyond short labels.
type recording struct {
	attributes
	in      *journal.Input
	trace   *perfetto.Trace
	samples []sample
	of      map[int32]int32 // slice -> its sample
	changes journal.Column[composition.Change]
	others  []journal.Ref // keys of categories that the schema does not have
}

// Fit gives back the memory that nothing will be added to: thousands of short recordings can be open.
func (rec *recording) Fit() {
	rec.attributes.all.Fit()
	rec.changes.Fit()
	if rec.trace != nil {
		rec.trace.Fit()
	}
}

// Read reads a trace.
func Read(in *journal.Input, r io.Reader) error {
	rec := &recording{in: in, of: map[int32]int32{}}
	t, err := perfetto.Read(r, perfetto.Config{Strings: in.Strings, Annotate: rec.annotate, Counter: isTotal,
		Unknown: func(kind string) { in.Unknown([]byte(kind)) }})
	if err != nil {
		return err
	}
	rec.trace = t
	if len(rec.captures()) == 0 {
		refuse(in, t.Bytes)
		return nil
	}
	in.Kept, in.Bytes, in.Values = rec, t.Bytes, t.Packets
	in.Malformed += t.Broken + t.Large
	for _, f := range t.Faults {
		in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed,
			Message: fmt.Sprintf("the packet at byte %d could not be read in full: %s", f.Offset, f.What), Hint: "everything else of the trace was read"})
	}
	if n := t.Broken - int64(len(t.Faults)); n > 0 {
		in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed, Message: fmt.Sprintf("%d more of these are counted and not listed", n)})
	}
	if t.Large > 0 {
		in.Warnings.Add(journal.Warning{Code: journal.WarnMalformed,
			Message: fmt.Sprintf("%d packets are larger than %d MiB and were left out", t.Large, perfetto.MaxPacket>>20)})
	}
	if t.Cut {
		in.Warnings.Add(journal.Warning{Code: journal.WarnCut,
			Message: "the last packet is not complete: the recording is still running, or the file was cut",
			Hint:    "everything before it was read"})
	}
	rec.place()
	return nil
}

// refuse says that a trace is none of an agent.
func refuse(in *journal.Input, bytes int64) {
	in.Format, in.Refused, in.Bytes = "", true, bytes
	in.Reason = "a Perfetto trace in which no agent was recorded"
	in.Warnings.Add(journal.Warning{Code: journal.WarnForeign, Message: "this looks like " + in.Reason,
		Hint: "Recordings of Agent Profiler can be opened; a trace of another program holds no context."})
}

// place makes the records by which a change finds the place of its snapshot in the file.
func (rec *recording) place() {
	for i := range rec.samples {
		s := &rec.samples[i]
		r := rec.in.Open()
		r.Kind, r.Offset, r.Length = journal.Report, s.Source.Offset, uint32(s.Source.Length)
		s.record = int32(rec.in.Records.Len())
		rec.in.Close(r)
	}
}

// annotate keeps what an annotation says about a slice.
func (rec *recording) annotate(t *perfetto.Trace, slice int32, end bool, a *perfetto.Annotation) {
	switch string(a.Name) {
	case "context":
		if a.Kind == perfetto.Dict {
			rec.context(t.Slices.At(int(slice)), slice, end, a)
		}
		return
	case "text":
		if rec.in.Strings.Is(t.Slices.At(int(slice)).Name, "prompt") {
			rec.label(slice, titleKey, journal.TitleOf(head(a.Text())))
		}
		return
	case "args":
		rec.label(slice, detailKey, detail(a))
		return
	}
	k, ok := spellings[string(a.Name)]
	if !ok {
		return
	}
	switch a.Kind {
	case perfetto.Text:
		if v := a.Text(); len(v) > 0 {
			rec.set(slice, attribute{key: k, text: rec.in.Strings.Put(v[:min(len(v), 256)])})
		}
	case perfetto.Bool:
		v, _ := a.Bool()
		n := int64(0)
		if v {
			n = 1
		}
		rec.set(slice, attribute{key: k, number: n})
	default:
		if n, ok := a.Int(); ok && n >= 0 && n <= math.MaxInt32 { // nothing that is counted here comes near that
			rec.set(slice, attribute{key: k, number: n})
		}
	}
}

func (rec *recording) label(slice int32, k key, v []byte) {
	if len(v) > 0 {
		rec.set(slice, attribute{key: k, text: rec.in.Strings.Put(v)})
	}
}

// head is the beginning of a text, as far as a label needs it.
func head(b []byte) []byte { return b[:min(len(b), 4<<10)] }

// telling are the arguments by which a person would call a tool call, the best first.
var telling = []string{"cmd", "command", "path", "file_path", "query", "pattern", "url"}

// detail picks one of them out of a call's arguments: a dictionary as a rule, JSON in a string in some.
func detail(a *perfetto.Annotation) []byte {
	best, at := []byte(nil), len(telling)
	if a.Kind == perfetto.Text {
		return argument(head(a.Text()))
	}
	if a.Kind != perfetto.Dict {
		return nil
	}
	a.Entries(func(e *perfetto.Annotation) {
		for i, name := range telling[:at] {
			if string(e.Name) == name && len(e.Text()) > 0 {
				best, at = firstLine(head(e.Text())), i
				return
			}
		}
	})
	return best
}

// argument finds it in JSON.
func argument(args []byte) []byte {
	if len(args) == 0 || args[0] != '{' {
		return nil
	}
	for _, name := range telling {
		if v := jsonl.Get(args, name); len(v) > 0 && v[0] == '"' {
			s := jsonl.NewScanner(bytes.NewReader(v), 4096)
			s.Next()
			text, _ := s.Str(512)
			return firstLine(text)
		}
	}
	return nil
}

func firstLine(b []byte) []byte {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte{'\n'})
	if len(line) > journal.MaxTitle {
		line = bytes.ToValidUTF8(line[:journal.MaxTitle], nil)
	}
	return line
}
