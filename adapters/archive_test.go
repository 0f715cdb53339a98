package adapters

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

func gzipped(t testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if _, err := w.Write(b); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var frames, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))

// zstded is two frames, cut anywhere.
func zstded(t testing.TB, b []byte) []byte {
	return append(frames.EncodeAll(b[:len(b)/3], nil), frames.EncodeAll(b[len(b)/3:], nil)...)
}

// packed is a file in an archive.
type packed struct {
	path string
	text []byte
}

func zipped(t testing.TB, files ...packed) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		fw, err := w.Create(f.path)
		if err == nil {
			_, err = fw.Write(f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func tarred(t testing.TB, files ...packed) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		err := w.WriteHeader(&tar.Header{Name: f.path, Size: int64(len(f.text)), Typeflag: tar.TypeReg})
		if err == nil {
			_, err = w.Write(f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestPackingMeansNothing: a journal that is packed, or in an archive, gives the figures that it gives as it lies, and says
// how it was packed.
func TestPackingMeansNothing(t *testing.T) {
	for name, b := range journals(t) {
		l, a := openBytes(t, "a", b, 0)
		want, refused := figures(a), l.inputs[0].Refused
		for how, pack := range map[string]func() []byte{
			"gzip":          func() []byte { return gzipped(t, b) },
			"zstd":          func() []byte { return zstded(t, b) },
			"zip":           func() []byte { return zipped(t, packed{"some/folder/a", b}) },
			"zip+zstd":      func() []byte { return zipped(t, packed{"a", zstded(t, b)}) },
			"gzip+tar":      func() []byte { return gzipped(t, tarred(t, packed{"a", b})) },
			"gzip+tar+gzip": func() []byte { return gzipped(t, tarred(t, packed{"a", gzipped(t, b)})) },
		} {
			if refused || len(b) > 1<<20 && strings.Contains(how, "+") {
				continue
			}
			l, again := openBytes(t, "a", pack(), 0)
			if len(l.inputs) != 1 || l.inputs[0].Compression != how || l.inputs[0].Name != "a" || l.inputs[0].Bytes != int64(len(b)) {
				t.Errorf("%s as %s: %d inputs, the first %+v", name, how, len(l.inputs), l.inputs[0])
			}
			if figures(again) != want {
				t.Errorf("%s gives other figures as %s", name, how)
			}
		}
	}
}

// prompt is a journal of one prompt and one request.
func prompt(session string, n int) []byte {
	return fmt.Appendf(nil, `{"uuid":"%[1]s-u","parentUuid":null,"sessionId":"%[1]s","type":"user","message":{"role":"user","content":"%[2]s"}}
{"uuid":"%[1]s-a","parentUuid":"%[1]s-u","sessionId":"%[1]s","type":"assistant","message":{"id":"%[1]s-m","role":"assistant","content":[{"type":"text","text":"done"}],"usage":{"input_tokens":%[3]d,"output_tokens":1}}}
`, session, strings.Repeat("word ", n), 100+n)
}

func read(t testing.TB, l *Library, in Input, b []byte) {
	t.Helper()
	if err := l.Read(in, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
}

// warnings lists the codes and messages of an input.
func warnings(in *journal.Input) string {
	var out []string
	for _, w := range in.Warnings.All() {
		out = append(out, w.Code+": "+w.Message)
	}
	return strings.Join(out, "; ")
}

// TestAnArchiveIsItsJournals: each journal is an input with its place; histories, settings, pictures and what a system adds
// are counted; what has a journal's name and is none is shown.
func TestAnArchiveIsItsJournals(t *testing.T) {
	history := []byte(strings.Repeat(`{"display":"a prompt","pastedContents":{},"timestamp":1,"project":"/p"}`+"\n", 5))
	picture := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 5000)...)
	b := zipped(t,
		packed{"home/.claude/projects/p/one.jsonl", prompt("one", 10)}, packed{"home/.claude/history.jsonl", history},
		packed{"home/.claude/settings.json", []byte(`{"model":"opus"}`)}, packed{"home/README.md", []byte("# Read me\n")},
		packed{"home/picture.png", picture}, packed{"home/p/node_modules/x/two.jsonl", prompt("hidden", 10)},
		packed{"__MACOSX/home/.claude/projects/p/._one.jsonl", picture}, packed{"renamed.txt", prompt("two", 20)},
		packed{"home/broken.jsonl", []byte("no journal at all\n")}, packed{"old.jsonl.gz", gzipped(t, prompt("three", 30))},
		packed{"empty/", nil}, packed{"notes.md", append([]byte("What a journal looks like:\n"), prompt("example", 10)...)},
	)
	l := NewLibrary()
	read(t, l, Input{Name: "before"}, prompt("before", 1))
	read(t, l, Input{Name: "my.zip", Path: "dropped/my.zip", Size: int64(len(b))}, b)
	var got []string
	for i, in := range l.inputs {
		if in.Index != i {
			t.Errorf("input %d has the index %d", i, in.Index)
		}
		got = append(got, fmt.Sprintf("%s %s %s %s %v", in.Name, in.Path, in.Format, in.Compression, in.Refused))
	}
	want := []string{
		"before  claude-code  false",
		"one.jsonl dropped/my.zip/home/.claude/projects/p/one.jsonl claude-code zip false",
		"renamed.txt dropped/my.zip/renamed.txt claude-code zip false",
		"broken.jsonl dropped/my.zip/home/broken.jsonl  zip true",
		"old.jsonl.gz dropped/my.zip/old.jsonl.gz claude-code zip+gzip false",
		"my.zip dropped/my.zip zip zip false",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("inputs:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := l.inputs[5].Bytes; n != int64(len(b)) { // not 0: there is something in it
		t.Errorf("the archive has %d bytes, want %d", n, len(b))
	}
	if w := warnings(l.inputs[5]); w != "left-out: 7 other files in this archive are no journals and were left out" {
		t.Errorf("the archive says %q", w)
	}
	a := l.Settle()
	if len(a.Sessions) != 4 {
		t.Errorf("%d sessions, want 4", len(a.Sessions))
	}
	var doc struct {
		Inputs []struct{ Compression, Format, Reason string }
	}
	if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	if d := doc.Inputs; len(d) != 6 || d[0].Compression != "" || d[4].Compression != "zip+gzip" || d[5].Reason != "an archive of which 3 files were read" {
		t.Errorf("the document has %+v", d)
	}
	l.Forget(1)
	if a := l.Settle(); len(a.Sessions) != 1 || l.Len() != 1 {
		t.Errorf("%d sessions after the archive was forgotten", len(a.Sessions))
	}
}

// TestAnArchiveWithoutJournalsSaysSo: one input that is refused tells how much was left out.
func TestAnArchiveWithoutJournalsSaysSo(t *testing.T) {
	for want, files := range map[string][]packed{
		"no journal is in this archive; 0 other files are in it": {},
		"no journal is in this archive; 1 other file is in it":   {{"README.md", []byte("# Read me\n")}},
	} {
		l, a := openBytes(t, "a.zip", zipped(t, files...), 0)
		if len(l.inputs) != 1 || !l.inputs[0].Refused || l.inputs[0].Format != "" || warnings(l.inputs[0]) != journal.WarnNotAJournal+": "+want || len(a.Sessions) > 0 {
			t.Errorf("%+v: %q", l.inputs[0], warnings(l.inputs[0]))
		}
	}
}

// TestSubagentsInAnArchiveFindTheirParents: paths in an archive are as good as those in a folder.
func TestSubagentsInAnArchiveFindTheirParents(t *testing.T) {
	side := bytes.ReplaceAll(prompt("child", 5), []byte(`"sessionId":"child"`), []byte(`"sessionId":"main","isSidechain":true,"agentId":"a1"`))
	b := tarred(t, packed{"p/main/subagents/agent-a1.jsonl", side}, packed{"p/main.jsonl", prompt("main", 10)},
		packed{"p/main/tool-results/t1.txt", bytes.Repeat([]byte("x"), 300_000)})
	l, a := openBytes(t, "a.tar", b, 0)
	if len(a.Sessions) != 2 || a.Sessions[1].Parent != "main" || a.Sessions[1].ID != "main/a1" {
		t.Errorf("%d sessions: %+v", len(a.Sessions), a.Sessions)
	}
	if len(l.inputs) != 3 || l.inputs[2].Bytes != 300_000 || l.inputs[2].Format != "claude-code" {
		t.Errorf("%d inputs", len(l.inputs))
	}
}

// TestACutPackingKeepsWhatCameBefore: of a packed journal that is cut anywhere, the requests of the whole records are there,
// and a warning says that the packing is damaged.
func TestACutPackingKeepsWhatCameBefore(t *testing.T) {
	var b []byte
	for i := range 600 {
		b = append(b, prompt(fmt.Sprintf("s%d", i), 3+i%7)...)
	}
	for how, packing := range map[string][]byte{"gzip": gzipped(t, b), "zstd": zstded(t, b), "zip": zipped(t, packed{"a.jsonl", b})} {
		last := 0
		for i := 1; i < 100; i++ {
			l, a := openBytes(t, "a", packing[:len(packing)*i/100], 0)
			n := 0
			for _, s := range a.Sessions {
				n += len(s.Requests)
			}
			if n < last || n > 600 {
				t.Fatalf("%s cut to %d %%: %d requests after %d", how, i, n, last)
			}
			last = n
			all := ""
			for _, in := range l.inputs {
				all += warnings(in)
			}
			seam := how == "zstd" && l.inputs[0].Bytes == int64(len(b)/3) // between two frames nothing is missing
			if !strings.Contains(all, journal.WarnArchive) && !seam && n < 600 {
				t.Fatalf("%s cut to %d %%: %q", how, i, all)
			}
			if in := l.inputs[0]; !in.Refused && n < 600 && in.Malformed > 0 {
				t.Fatalf("%s cut to %d %%: %d malformed", how, i, in.Malformed)
			}
		}
		if last < 450 {
			t.Errorf("%s: %d requests of almost all, want most of 600", how, last)
		}
	}
}

// TestDamagedFromTheStart: what is packed and gives nothing is refused for its packing, not for what might be in it.
func TestDamagedFromTheStart(t *testing.T) {
	for name, b := range map[string][]byte{"gzip": []byte("\x1f\x8b\x08"), "zstd": []byte("\x28\xb5\x2f\xfd\x00"), "window": []byte("\x28\xb5\x2f\xfd\x00\xf8\x01\x00\x00")} {
		l, _ := openBytes(t, "a", b, 0)
		in := l.inputs[0]
		w := in.Warnings.All()
		if len(l.inputs) != 1 || !in.Refused || len(w) != 1 || w[0].Code != journal.WarnArchive && w[0].Code != journal.WarnUnpacking {
			t.Errorf("%s: %q, %q", name, in.Reason, warnings(in))
		}
	}
}

// TestABombCostsLittle: an endless line is stopped, in bounded memory, and what came before it stays.
func TestABombCostsLittle(t *testing.T) {
	head := prompt("good", 10)
	one := io.MultiReader(bytes.NewReader(head), strings.NewReader(`{"uuid":"x","sessionId":"s","message":"`), io.LimitReader(zeroes{}, 300<<20))
	var line bytes.Buffer
	w, _ := gzip.NewWriterLevel(&line, gzip.BestCompression)
	if _, err := io.Copy(w, one); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l, a := openBytes(t, "bomb.gz", line.Bytes(), 0)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if len(a.Sessions) != 1 || len(a.Sessions[0].Requests) != 1 {
		t.Errorf("%d sessions", len(a.Sessions))
	}
	if s := warnings(l.inputs[0]); !strings.Contains(s, "unpacking-stopped: unpacking was stopped") {
		t.Errorf("warnings: %q", s)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16<<20 {
		t.Errorf("%d MB of memory", n>>20)
	}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestThousandsOfJournalsInOneArchive: 2,000 small journals are read with the memory of their records.
func TestThousandsOfJournalsInOneArchive(t *testing.T) {
	var files []packed
	for i := range 2000 {
		files = append(files, packed{fmt.Sprintf("p/%d.jsonl", i), prompt(fmt.Sprintf("s%d", i), i%50)})
	}
	b := zipped(t, files...)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := NewLibrary()
	read(t, l, Input{Name: "a.zip"}, b)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if l.Len() != 2000 {
		t.Errorf("%d inputs", l.Len())
	}
	if n := (after.HeapAlloc - before.HeapAlloc) / 2000; n > 4<<10 {
		t.Errorf("%d bytes for each", n)
	}
	if a := l.Settle(); len(a.Sessions) != 2000 {
		t.Errorf("%d sessions", len(a.Sessions))
	}
}

var errGone = errors.New("the file is gone")

// TestAVanishedArchiveLeavesNothing: an error of the reader forgets all that came out of that input, and nothing else.
func TestAVanishedArchiveLeavesNothing(t *testing.T) {
	b := zipped(t, packed{"a", prompt("one", 100)}, packed{"b", prompt("two", 100)}, packed{"c", prompt("three", 100)})
	l := NewLibrary()
	read(t, l, Input{Name: "before"}, prompt("before", 1))
	for i := range 20 {
		err := l.Read(Input{Name: "a.zip"}, io.MultiReader(bytes.NewReader(b[:len(b)*7/10*i/20]), failing{}))
		if err != errGone || l.Len() != 1 {
			t.Errorf("%v, %d inputs", err, l.Len())
		}
	}
	read(t, l, Input{Name: "a.zip"}, b)
	if l.Len() != 4 {
		t.Errorf("%d inputs after it came back", l.Len())
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errGone }

// TestOtherArchivesAreNamed: packings that are not opened are named, with what to do.
func TestOtherArchivesAreNamed(t *testing.T) {
	for head, name := range map[string]string{"BZh91AY&SY": "bzip2", "\xfd7zXZ\x00\x00": "xz", "7z\xbc\xaf\x27\x1c": "7z", "Rar!\x1a\x07\x01\x00": "RAR"} {
		l, _ := openBytes(t, "a.zip", []byte(head+"\x00\x01\x02"), 0)
		w := l.inputs[0].Warnings.All()
		if len(w) != 1 || !strings.Contains(w[0].Message, name) || !strings.HasPrefix(w[0].Hint, "Unpack it and open what is in it.") {
			t.Errorf("%s: %+v", name, w)
		}
	}
}
