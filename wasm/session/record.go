//go:build js && wasm

package session

import (
	"bufio"
	"io"
	"strings"

	"contextscope/adapters"
	"contextscope/core/readable"
	"contextscope/wasm/dom"
	"contextscope/wasm/message"
)

// maxRecord is how much of a record is shown.
const maxRecord = 4 << 20

// origin is the file that an input came from.
type origin struct {
	file dom.Value
	in   adapters.Input
}

// record reads a record anew from the person's file. It waits, so it runs beside everything else.
func (w *worker) record(id int, args message.RecordArgs) {
	go dom.Guard(func(p *dom.Panic) {
		w.fail(id, message.Failure{Kind: message.Panicked, Message: p.Error()})
	}, func() { w.post(message.Answer, id, shown(w.readRecord(args))) })
}

func (w *worker) readRecord(args message.RecordArgs) message.Record {
	a := w.analysis
	if a == nil || args.Input < 0 || args.Input >= len(a.Inputs) || args.Input >= len(w.sources) || args.Offset < 0 || args.Length < 0 {
		return message.Record{Problem: "This record is not open any more."}
	}
	in, from := a.Inputs[args.Input], w.sources[args.Input]
	length := min(args.Length, maxRecord)
	var raw []byte
	var err error
	if in.Compression == "" {
		r := &slices{file: from.file, pos: args.Offset, size: args.Offset + length}
		raw, err = io.ReadAll(r)
	} else {
		r := bufio.NewReaderSize(&slices{file: from.file, size: from.in.Size}, 1<<20)
		raw, err = adapters.Slice(from.in, in.Path, in.Compression, args.Offset, length, r)
	}
	if err != nil {
		return message.Record{Problem: "The record could not be read: " + err.Error() + ". Has the file been moved or changed since it was opened? Open it again."}
	}
	if int64(len(raw)) < length {
		return message.Record{Problem: "The file is shorter than it was when it was opened. Open it again."}
	}
	return message.Record{Text: readable.Text(raw), Raw: strings.ToValidUTF8(string(raw), "\uFFFD"), LeftOut: args.Length - length}
}

// slices reads a File, a slice at a time.
type slices struct {
	file      dom.Value
	pos, size int64
}

func (s *slices) Read(p []byte) (int, error) {
	end := min(s.pos+int64(len(p)), s.size)
	if end <= s.pos {
		return 0, io.EOF
	}
	buffer, err := dom.Await(dom.Call(dom.Call(s.file, "slice", s.pos, end), "arrayBuffer"))
	if err != nil {
		return 0, err
	}
	n := copy(p, dom.Bytes(dom.New("Uint8Array", buffer)))
	if n == 0 {
		return 0, io.EOF
	}
	s.pos += int64(n)
	return n, nil
}
