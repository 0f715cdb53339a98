// Package archive opens what is packed: gzip, Zstandard, zip and tar, found by their first bytes and never by a name. It
// knows nothing of journals: it hands over one file after the other as it lies inside, and says what is wrong with the
// packing.
//
// Everything streams, from beginning to end, and no file is ever held unpacked. What comes out is untrusted: names are
// only text, nothing is written anywhere, and packed data that grows beyond all measure is stopped.
package archive

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"contextscope/core/journal"
	"contextscope/core/unpack"
)

// The bounds of what is opened. Journals shrink to a thirtieth of their size at best; a file that grows to more than
// mostGrowth times its own size, and to more than freeGrowth, was made to fill somebody's memory.
const (
	mostGrowth  = 250
	freeGrowth  = 128 << 20
	maxFiles    = 50_000
	maxPackings = 2 // one inside the other; a tar is none of them
	maxPath     = 1 << 10
	innerWindow = 8 << 20 // of a Zstandard frame inside of another one
)

// File is a file to read: the input itself, unpacked where it was packed, or one that lies in it.
type File struct {
	Name    string // without folders; "" for the input itself
	Path    string // inside of the input, with the names of the archives in it; "" for the input itself
	Packing string // how it was packed, the outermost first: "zip+gzip"; "" for not at all
	Refused string // why it cannot be read, "" when it can

	packings int // how many it came out of, without a tar
	inTar    bool
}

// Unpacker opens inputs, one after the other. It keeps its buffers and decoders from one to the next.
type Unpacker struct {
	// Skip tells by its path that a file need not be looked at, nil for none.
	Skip func(path string) bool

	layers  []*layer
	open    func(f *File, r io.Reader) error
	notes   []journal.Warning
	out     int64 // bytes unpacked of the input at hand
	files   int
	skipped int
	stopped bool // nothing more is read of the input at hand
	archive string
	scratch []byte
}

// layer is what reads one packing inside of another.
type layer struct {
	src     unpack.Source
	inflate *unpack.Inflate
	zstd    *unpack.Zstd
}

// Contents is what an input turned out to be.
type Contents struct {
	Archive string // "zip", "gzip+tar"; "" where there is one file at most
	Skipped int    // files that Skip named
	Read    int64  // bytes of the input, as far as it had to be read
}

// Open reads an input and calls open with each file in it. What open leaves unread is passed over; r is nil for a file that
// is refused. An error is that of open or of the input's reader; damage is noted, see Notes.
func (u *Unpacker) Open(r io.Reader, open func(f *File, r io.Reader) error) (Contents, error) {
	u.open, u.notes, u.archive = open, nil, ""
	u.out, u.files, u.skipped, u.stopped = 0, 0, 0, false
	err := u.descend(0, new(File), r)
	for _, l := range u.layers {
		if l.zstd != nil {
			l.zstd.Release()
		}
	}
	return Contents{u.archive, u.skipped, u.layers[0].src.Offset()}, err
}

// Notes are the warnings since the last call: during open those of its file, after Open those of the archive.
func (u *Unpacker) Notes() []journal.Warning {
	notes := u.notes
	u.notes = nil
	return notes
}

// descend looks at what r begins with and unpacks it, or hands it over.
func (u *Unpacker) descend(depth int, f *File, r io.Reader) error {
	if depth == len(u.layers) {
		u.layers = append(u.layers, new(layer))
	}
	l := u.layers[depth]
	l.src.Reset(r)
	kind := Kind(l.src.Peek(blockSize))
	if kind == "" {
		return u.open(f, &l.src)
	}
	if kind == "tar" && f.inTar || kind != "tar" && f.packings == maxPackings {
		f.Refused = "an archive inside of other archives"
		return u.refuse(f, "it is packed too many times over", "Unpack the outermost archive and open what is in it.")
	}
	inside := f.Packing
	if f.Packing = strings.TrimPrefix(f.Packing+"+"+kind, "+"); kind == "tar" {
		f.inTar = true
	} else {
		f.packings++
	}
	switch kind {
	case "zip":
		return u.zip(depth, f)
	case "tar":
		return u.tar(depth, f)
	case "report":
		r = &reportReader{src: bufio.NewReader(&l.src)}
	case "gzip":
		r = &gzipReader{u: u, src: &l.src, inflate: l.inflater()}
	default:
		if l.zstd == nil {
			l.zstd = new(unpack.Zstd)
		}
		if l.zstd.Most = 0; strings.Contains(inside, "zstd") {
			l.zstd.Most = innerWindow // the outer one may hold as much as is allowed
		}
		r = &zstdReader{u: u, src: &l.src, zstd: l.zstd}
	}
	return u.descend(depth+1, f, u.tap(l, r))
}

func (l *layer) inflater() *unpack.Inflate {
	if l.inflate == nil {
		l.inflate = new(unpack.Inflate)
	}
	return l.inflate
}

// Notes is what people read about packed journals.
//
//go:embed README.md
var Notes string

// Is tells the name of an archive, such as Contents has it, from that of a format.
func Is(kind string) bool { return strings.HasSuffix(kind, "zip") || strings.HasSuffix(kind, "tar") }

// Kind names the packing that an input begins with: "gzip", "zstd", "zip", "tar", "report", or "" for none.
func Kind(head []byte) string {
	h := string(head[:min(len(head), 4)])
	switch {
	case strings.HasPrefix(h, "\x1f\x8b"):
		return "gzip"
	case h == unpack.ZstdMagic, len(h) == 4 && h[0]&0xf0 == 0x50 && h[1:] == "\x2a\x4d\x18":
		return "zstd"
	case h == localHeader, h == endOfList:
		return "zip"
	case isTar(head):
		return "tar"
	case isReport(head):
		return "report"
	}
	return ""
}

// inside is the file with that path in the archive f. The path may hold anything.
func (f *File) inside(raw string) *File {
	g := *f
	p := []rune(raw[max(0, len(raw)-maxPath):]) // what is no UTF-8 becomes U+FFFD
	from := 0
	for i, c := range p {
		switch {
		case c == '\\':
			p[i] = '/'
			fallthrough
		case c == '/':
			from = i + 1
		}
	}
	g.Name, g.Path = string(p[from:]), strings.TrimLeft(string(p), "/")
	if g.Name == "" {
		g.Name = "(no name)"
	}
	if f.Path != "" {
		g.Path = f.Path + "/" + g.Path
	}
	return &g
}

// next counts a file of an archive; false when there are too many.
func (u *Unpacker) next() bool {
	if u.files++; u.files > maxFiles {
		u.stop(fmt.Sprintf("only the first %d files of this archive were looked at", maxFiles))
	}
	return !u.stopped
}

// member hands over a file of an archive, unless its path tells that nobody wants it.
func (u *Unpacker) member(depth int, f *File, r io.Reader) error {
	if u.skips(f.Path) {
		return nil
	}
	return u.apart(func() error { return u.descend(depth+1, f, r) })
}

// apart keeps the notes so far from the file that is opened now, and its own from those that follow: what nobody has taken
// by then is about the archive.
func (u *Unpacker) apart(open func() error) error {
	before := u.notes
	u.notes = nil
	err := open()
	left := u.notes
	u.notes = before
	for _, w := range left {
		u.note(w)
	}
	return err
}

// skips counts a file that nobody wants.
func (u *Unpacker) skips(path string) bool {
	if u.Skip == nil || path == "" || !u.Skip(path) {
		return false
	}
	u.skipped++
	return true
}

// refuse hands over a file that cannot be read.
func (u *Unpacker) refuse(f *File, why, hint string) error {
	if u.skips(f.Path) {
		return nil
	}
	return u.apart(func() error {
		u.note(journal.Warning{Code: journal.WarnUnreadable, Message: "this file was not opened: " + why, Hint: hint})
		return u.open(f, nil)
	})
}

// note adds a warning. One of a code is enough for a file: what is damaged seems damaged to everything inside of it.
func (u *Unpacker) note(w journal.Warning) {
	for i := range u.notes {
		if u.notes[i].Code == w.Code {
			return
		}
	}
	u.notes = append(u.notes, w)
}

// damage notes what is wrong with packed data and where.
func (u *Unpacker) damage(err error) {
	w := journal.Warning{Code: journal.WarnArchive, Hint: "Copy or download it again where it is whole."}
	place := fmt.Sprintf("byte %d of the archive", u.layers[0].src.Offset())
	switch err {
	case unpack.ErrWindow:
		w.Code = journal.WarnUnpacking
		w.Message = "unpacking this takes more memory than is allowed"
		w.Hint = "Unpack it with zstd -d --long=31 and open what comes out."
	case unpack.ErrDictionary:
		w.Code = journal.WarnUnpacking
		w.Message = "this was packed with a dictionary, which is not here"
		w.Hint = "Unpack it with that dictionary and open what comes out."
	case io.ErrUnexpectedEOF:
		w.Message = "the packed data breaks off at " + place + "; what came before was read"
	case unpack.ErrChecksum:
		w.Message = "the packed data was changed somewhere before " + place + ": its checksum does not fit; all of it was read"
	case errTrailing:
		w.Message = "what stands at " + place + ", behind the packed data, was left out"
		w.Hint = ""
	default:
		w.Message = "the packed data is damaged at " + place + "; what came before was read"
	}
	u.note(w)
}

// stop ends the reading of an input.
func (u *Unpacker) stop(message string) {
	u.stopped = true
	u.note(journal.Warning{Code: journal.WarnUnpacking, Message: message,
		Hint: "If you know where it comes from, unpack it with another program and open what comes out."})
}

// tap is unpacked data on its way: it is counted, and damage is noted and ends it.
type tap struct {
	u   *Unpacker
	src *unpack.Source
	r   io.Reader
	end error
}

func (u *Unpacker) tap(l *layer, r io.Reader) *tap { return &tap{u: u, src: &l.src, r: r} }

func (t *tap) Read(p []byte) (int, error) {
	if t.end == nil && t.u.stopped {
		t.end = io.EOF
	}
	if t.end != nil {
		return 0, t.end
	}
	n, err := t.r.Read(p)
	t.u.grown(n)
	if err == nil {
		return n, nil
	}
	t.end = io.EOF
	if e := t.src.Err(); e != nil {
		t.end = e // not the data's fault
	} else if err != io.EOF {
		t.u.damage(err)
	}
	return n, t.end
}

// grown counts n bytes that were unpacked, and stops what grows without measure.
func (u *Unpacker) grown(n int) {
	u.out += int64(n)
	from := u.layers[0].src.Offset()
	if u.out > freeGrowth && u.out > mostGrowth*from && !u.stopped {
		u.stop(fmt.Sprintf("unpacking was stopped: %d bytes became more than %d MB, over %d times as much, which no journal does",
			from, u.out>>20, mostGrowth))
	}
}
