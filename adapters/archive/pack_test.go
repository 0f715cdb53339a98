package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Name, w.Comment, w.Extra = "original name.txt", "a comment", []byte("extra")
	check(t, write(w, b), w.Close())
	return out.Bytes()
}

func zstded(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	check(t, err, write(w, b), w.Close())
	return out.Bytes()
}

// entry is a file to pack.
type entry struct{ path, text string }

func zipped(t testing.TB, method uint16, files ...entry) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		fw, err := w.CreateHeader(&zip.FileHeader{Name: f.path, Method: method})
		check(t, err, write(fw, []byte(f.text)))
	}
	check(t, w.Close())
	return out.Bytes()
}

// sized is a zip archive whose headers say the sizes, as most programs write it.
func sized(t testing.TB, method uint16, files ...entry) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		packed := []byte(f.text)
		if method == zip.Deflate {
			packed = deflated(t, packed)
		}
		fw, err := w.CreateRaw(&zip.FileHeader{Name: f.path, Method: method, CRC32: crc32.ChecksumIEEE([]byte(f.text)),
			CompressedSize64: uint64(len(packed)), UncompressedSize64: uint64(len(f.text))})
		check(t, err, write(fw, packed))
	}
	check(t, w.Close())
	return out.Bytes()
}

// deflated is what is inside of a gzip file.
func deflated(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	check(t, write(w, b), w.Close())
	return out.Bytes()[10 : out.Len()-8]
}

func tarred(t testing.TB, format tar.Format, files ...entry) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	check(t, w.WriteHeader(&tar.Header{Name: "folder/", Typeflag: tar.TypeDir, Format: format}))
	check(t, w.WriteHeader(&tar.Header{Name: "link", Linkname: "folder", Typeflag: tar.TypeSymlink, Format: format}))
	for _, f := range files {
		check(t, w.WriteHeader(&tar.Header{Name: f.path, Size: int64(len(f.text)), Typeflag: tar.TypeReg, Format: format}), write(w, []byte(f.text)))
	}
	check(t, w.Close())
	return out.Bytes()
}

func write(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

func check(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// local is the header of a file in a zip archive, by hand.
func local(flags, method uint16, crc, packed, plain uint32, name string, extra []byte) []byte {
	b := []byte(localHeader)
	b = binary.LittleEndian.AppendUint16(b, 45)
	b = binary.LittleEndian.AppendUint16(b, flags)
	b = binary.LittleEndian.AppendUint16(b, method)
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, crc)
	b = binary.LittleEndian.AppendUint32(b, packed)
	b = binary.LittleEndian.AppendUint32(b, plain)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(extra)))
	return append(append(b, name...), extra...)
}

// got is what came out of an input.
type got struct {
	files    []outFile
	contents Contents
	notes    []string // codes of the warnings about the input itself
}

type outFile struct {
	File
	text  string
	notes []string
}

// open opens an input and keeps all that comes out.
func open(t testing.TB, u *Unpacker, r io.Reader) got {
	t.Helper()
	var g got
	codes := func() (out []string) {
		for _, w := range u.Notes() {
			out = append(out, w.Code)
		}
		return out
	}
	contents, err := u.Open(r, func(f *File, r io.Reader) error {
		out := outFile{File: *f}
		out.packings, out.inTar = 0, false
		if r != nil {
			b, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			out.text = string(b)
		}
		out.notes = codes()
		g.files = append(g.files, out)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g.contents, g.notes = contents, codes()
	return g
}

// chunks gives n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(c.n, len(p))]) }

func gzipWriter(out io.Writer) io.WriteCloser {
	w, _ := gzip.NewWriterLevel(out, gzip.BestSpeed)
	return w
}
