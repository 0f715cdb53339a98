package unpack

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// texts are what is packed in the tests: what journals look like, what no encoder can pack, runs, and sizes at which
// something begins.
func texts(t testing.TB) map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	few := make([]byte, 20_000)
	for i := range few {
		few[i] = byte(random.IntN(3) * random.IntN(3))
	}
	var base64 strings.Builder
	for base64.Len() < 200_000 {
		base64.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[random.IntN(64)])
	}
	var lines bytes.Buffer
	for i := 0; lines.Len() < 3<<20; i++ {
		fmt.Fprintf(&lines, `{"type":"user","uuid":"%x","message":{"content":"%s"},"n":%d}`+"\n", random.Uint64(),
			strings.Repeat("some words ", random.IntN(30)), i)
	}
	out := map[string][]byte{
		"nothing": {}, "a byte": {'x'}, "two": []byte("xy"), "noise": noise, "few symbols": few, "base64": []byte(base64.String()),
		"lines": lines.Bytes(), "zeros": make([]byte, 1<<20), "period 3": bytes.Repeat([]byte("abc"), 100_000),
		"period 7": bytes.Repeat([]byte("abcdefg"), 50_000), "mixed": append(append(bytes.Clone(noise[:70_000]), lines.Bytes()[:400_000]...), noise...),
	}
	for _, n := range []int{31, 32, 33, 255, 256, 257, 1023, 1024, 65535, 65536, 128<<10 - 1, 128 << 10, 128<<10 + 1} {
		out[fmt.Sprintf("%d bytes", n)] = lines.Bytes()[:n]
	}
	for _, name := range samples(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = b
	}
	return out
}

func samples(t testing.TB) []string {
	names, err := filepath.Glob("../../adapters/*/testdata/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return names
}

func deflated(t testing.TB, b []byte, level int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zstded(t testing.TB, b []byte, options ...zstd.EOption) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, options...)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// chunks gives n bytes at a time.
type chunks struct {
	r io.Reader
	n int
}

func (c chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(c.n, len(p))]) }

// decoder is either of the two.
type decoder interface {
	Reset(*Source)
	Read([]byte) (int, error)
}

// all decodes one stream and returns what stands behind it.
func all(t testing.TB, d decoder, packed []byte, chunk int) (plain, behind []byte, err error) {
	var s Source
	s.Reset(chunks{bytes.NewReader(packed), chunk})
	d.Reset(&s)
	plain, err = io.ReadAll(d)
	rest, err2 := io.ReadAll(&s)
	if err2 != nil {
		t.Fatal(err2)
	}
	return plain, rest, err
}

const tail = "what stands behind"

func TestInflateReadsWhatWasPacked(t *testing.T) {
	var d Inflate
	for name, text := range texts(t) {
		for _, level := range []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly} {
			packed := append(deflated(t, text, level), tail...)
			for _, chunk := range []int{1 << 20, 1, 13} {
				if chunk < 1<<20 && len(packed) > 100_000 {
					continue
				}
				got, rest, err := all(t, &d, packed, chunk)
				if err != nil || !bytes.Equal(got, text) || string(rest) != tail {
					t.Fatalf("%s, level %d, in pieces of %d: %d bytes of %d, %d behind, %v", name, level, chunk, len(got), len(text), len(rest), err)
				}
			}
		}
	}
}

func TestZstdReadsWhatWasPacked(t *testing.T) {
	var d Zstd
	all4 := []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedDefault, zstd.SpeedBetterCompression, zstd.SpeedBestCompression}
	for i, level := range all4 {
		for _, window := range []int{1 << 10, 1 << 16, 8 << 20} {
			w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(i%2 == 0), zstd.WithWindowSize(window),
				zstd.WithZeroFrames(true), zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range texts(t) {
				var out bytes.Buffer
				w.Reset(&out)
				w.Write(text)
				w.Close()
				packed := append(out.Bytes(), tail...)
				for _, chunk := range []int{1 << 20, 1} {
					if chunk == 1 && len(packed) > 100_000 {
						continue
					}
					got, rest, err := all(t, &d, packed, chunk)
					if err != nil || !bytes.Equal(got, text) || string(rest) != tail {
						t.Fatalf("%s, %v, window %d, in pieces of %d: %d bytes of %d, %d behind, %v", name, level, window, chunk, len(got), len(text), len(rest), err)
					}
				}
			}
		}
	}
}

// TestZstdReadsWholeSegments: a frame that says its size and has it for a window, as one that was packed at once has.
func TestZstdReadsWholeSegments(t *testing.T) {
	var d Zstd
	w, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts(t) {
		packed := w.EncodeAll(text, nil)
		if len(packed) == 0 {
			continue
		}
		got, _, err := all(t, &d, packed, 1<<20)
		if err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%s: %d bytes of %d, %v", name, len(got), len(text), err)
		}
	}
}

// TestFramesOfTheZstdTool: the tool itself writes what the other encoder here never does: blocks that use the codes of
// the blocks before them. testdata/reference.zst is two frames of it with small blocks; their sums tell if all is right.
func TestFramesOfTheZstdTool(t *testing.T) {
	packed, err := os.ReadFile("testdata/reference.zst")
	if err != nil {
		t.Fatal(err)
	}
	var d Zstd
	plain, rest, err := all(t, &d, packed, 1<<20)
	if err != nil || len(plain) != 60_000 {
		t.Fatalf("the first frame: %d bytes, %v", len(plain), err)
	}
	plain, rest, err = all(t, &d, rest[len("....\x05\x00\x00\x00skip!"):], 1<<20)
	if err != nil || len(plain) != 40_000 || len(rest) != 0 {
		t.Fatalf("the second frame: %d bytes, %d behind, %v", len(plain), len(rest), err)
	}
}

// TestACutStreamSaysSo: whatever is missing at the end, what was decoded is a beginning of the text, and the error says
// that something is missing.
func TestACutStreamSaysSo(t *testing.T) {
	text := texts(t)["mixed"][:200_000]
	for name, c := range map[string]struct {
		d      decoder
		packed []byte
	}{
		"deflate":        {new(Inflate), deflated(t, text, 6)},
		"deflate stored": {new(Inflate), deflated(t, text, 0)},
		"deflate fixed":  {new(Inflate), deflated(t, text[:20], 6)},
		"zstd":           {new(Zstd), zstded(t, text)},
	} {
		for i := range 200 {
			cut := c.packed[:len(c.packed)*i/200]
			got, _, err := all(t, c.d, cut, 1<<20)
			if err != io.ErrUnexpectedEOF || !bytes.HasPrefix(text, got) {
				t.Fatalf("%s cut at %d of %d: %d bytes, %v", name, len(cut), len(c.packed), len(got), err)
			}
		}
	}
}

func TestAChangedByteIsNoticed(t *testing.T) {
	text := texts(t)["lines"][:100_000]
	packed := zstded(t, text)
	var d Zstd
	for i := 4; i < len(packed); i += 7 {
		changed := bytes.Clone(packed)
		changed[i] ^= 0x10
		got, _, err := all(t, &d, changed, 1<<20)
		if err == nil && !bytes.Equal(got, text) {
			t.Fatalf("byte %d: other text and no error", i)
		}
	}
	packed[len(packed)-1]++
	if got, rest, err := all(t, &d, append(packed, tail...), 1<<20); err != ErrChecksum || !bytes.Equal(got, text) || string(rest) != tail {
		t.Errorf("a wrong sum: %d bytes, %d behind, %v", len(got), len(rest), err)
	}
}

func TestAFrameThatAsksForTooMuchIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		want error
	}{
		"256 MB window":     {"\x00\x90", ErrWindow},
		"144 MB window":     {"\x00\x89", ErrWindow},
		"4 GB in a segment": {"\xa0\x00\x00\x00\xff", ErrWindow},
		"a dictionary":      {"\x01\x00\x07", ErrDictionary},
		"128 MB window":     {"\x00\x88\x01\x00\x00", nil},
	} {
		var d Zstd
		if _, _, err := all(t, &d, []byte(ZstdMagic+c.head), 1<<20); err != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if len(d.out) > 1<<20 {
			t.Errorf("%s: %d bytes of memory for a few bytes", name, len(d.out))
		}
	}
}

func TestChecksums(t *testing.T) {
	for name, text := range texts(t) {
		half := len(text) / 3
		if got, want := CRC32(CRC32(0, text[:half]), text[half:]), crc32.ChecksumIEEE(text); got != want {
			t.Errorf("CRC-32 of %s: %x, want %x", name, got, want)
		}
	}
	// Those of xxhash, as its makers publish them for seed 0.
	for text, want := range map[string]uint64{"": 0xef46db3751d8e999, "a": 0xd24ec4f1a98c6e5b, "abc": 0x44bc2cf5ad770999} {
		var x xxhash64
		x.reset()
		x.write([]byte(text))
		if got := x.sum(); got != want {
			t.Errorf("xxhash of %q: %x, want %x", text, got, want)
		}
	}
}

// TestALimitIsAnEnd: behind the limit nothing is read, and afterwards it goes on there.
func TestALimitIsAnEnd(t *testing.T) {
	for _, large := range []int{10, 300_000} {
		var s Source
		s.Reset(strings.NewReader("ab" + strings.Repeat("c", large) + "def"))
		s.Skip(2)
		s.Limit(int64(large))
		got, err := io.ReadAll(&s)
		if err != nil || len(got) != large || strings.Trim(string(got), "c") != "" || s.Left() != 0 || len(s.Peek(1)) != 0 {
			t.Errorf("%d: %d bytes, %v", large, len(got), err)
		}
		s.Limit(-1)
		if rest, err := io.ReadAll(&s); err != nil || string(rest) != "def" {
			t.Errorf("behind it: %q, %v", rest, err)
		}
	}
}

type broken struct{}

var errBroken = errors.New("the disk is gone")

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// TestTheReadersOwnErrorIsKept: a reader that fails is no damage to the data.
func TestTheReadersOwnErrorIsKept(t *testing.T) {
	var s Source
	packed := deflated(t, texts(t)["lines"], 6)
	s.Reset(io.MultiReader(bytes.NewReader(packed[:1000]), broken{}))
	var d Inflate
	d.Reset(&s)
	if _, err := io.ReadAll(&d); err != io.ErrUnexpectedEOF || s.Err() != errBroken {
		t.Errorf("%v, %v", err, s.Err())
	}
}

// FuzzInflate compares with the standard library: the same bytes, and an error where that has one.
func FuzzInflate(f *testing.F) {
	for _, level := range []int{0, 1, 9, flate.HuffmanOnly} {
		f.Add(deflated(f, []byte("some text, some text, and some more text of the same kind"), level))
	}
	f.Add([]byte("\x05\xe0\x81\x08\x00\x00\x00\x00\x20\x7f\xeb\x0b\x00\x00"))
	var d Inflate
	f.Fuzz(func(t *testing.T, b []byte) {
		want, errWant := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(b)), 1<<20))
		var s Source
		s.Reset(bytes.NewReader(b))
		d.Reset(&s)
		got, err := io.ReadAll(io.LimitReader(&d, 1<<20))
		if (err == nil) != (errWant == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; want %d, %v", len(got), err, len(want), errWant)
		}
		if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
			t.Fatal("other bytes before the error")
		}
	})
}

// FuzzZstd compares with another decoder: what both can read must be the same.
func FuzzZstd(f *testing.F) {
	text := []byte(strings.Repeat("some text, some text, and some more text of the same kind. ", 40))
	for _, level := range []zstd.EncoderLevel{zstd.SpeedFastest, zstd.SpeedBestCompression} {
		f.Add(zstded(f, text, zstd.WithEncoderLevel(level)))
		f.Add(zstded(f, text[:50], zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false)))
	}
	judge, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(MaxWindow), zstd.IgnoreChecksum(true))
	if err != nil {
		f.Fatal(err)
	}
	var d Zstd
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append([]byte(ZstdMagic), b[min(4, len(b)):]...)
		var s Source
		s.Reset(bytes.NewReader(b))
		d.Reset(&s)
		got, err := io.ReadAll(io.LimitReader(&d, 1<<20))
		if len(got) == 1<<20 {
			return
		}
		used := s.Offset()
		if err != nil && err != ErrChecksum {
			return
		}
		if judge.Reset(bytes.NewReader(b[:used])) != nil {
			return
		}
		want, errWant := io.ReadAll(io.LimitReader(judge, 1<<20))
		if errWant == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v; want %d", len(got), err, len(want))
		}
		if errWant != nil && err == nil {
			t.Logf("the judge has %v", errWant)
		}
	})
}

func BenchmarkUnpack(b *testing.B) {
	var text []byte
	if name := os.Getenv("JOURNAL"); name != "" {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			b.Fatal(err)
		}
	} else {
		text = texts(b)["lines"]
	}
	for name, c := range map[string]struct {
		d      decoder
		packed []byte
	}{"inflate": {new(Inflate), deflated(b, text, 6)}, "zstd": {new(Zstd), zstded(b, text)}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			buf := make([]byte, 1<<20)
			var s Source
			for b.Loop() {
				s.Reset(bytes.NewReader(c.packed))
				c.d.Reset(&s)
				for err := error(nil); err == nil; {
					_, err = c.d.Read(buf)
				}
			}
		})
	}
	b.Run("crc32", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			CRC32(0, text)
		}
	})
}
