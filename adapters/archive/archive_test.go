package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"contextscope/core/journal"
)

// text is what journals look like: lines that resemble each other.
func text(n int) string {
	random := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `{"uuid":"%x","n":%d,"message":"some words %d"}`+"\n", random.Uint64(), i, random.IntN(100))
	}
	return b.String()[:n]
}

var files = []entry{
	{"a/session.jsonl", text(50_000)}, {"a/empty.jsonl", ""}, {"b/PK.jsonl", "text PK\x03\x04 and PK\x07\x08 and PK\x01\x02, and again PK\x07\x08" + text(200_000) + "PK\x07\x08"},
	{"short", "x"},
}

// TestEveryPacking: whatever a file is packed in, it comes out as it was, with its path and how it was packed.
func TestEveryPacking(t *testing.T) {
	want := func(packing, prefix string) (out []outFile) {
		for _, f := range files {
			out = append(out, outFile{File: File{Name: f.path[strings.LastIndexByte(f.path, '/')+1:], Path: prefix + f.path, Packing: packing}, text: f.text})
		}
		return out
	}
	one := func(packing, text string) []outFile { return []outFile{{File: File{Packing: packing}, text: text}} }
	long := text(400_000)
	half := len(long) / 2
	inner := func(pack func(testing.TB, []byte) []byte) (out []entry) {
		for _, f := range files {
			out = append(out, entry{f.path, string(pack(t, []byte(f.text)))})
		}
		return out
	}
	deep := strings.Repeat("a-long-folder/", 20) + "session.jsonl"
	for name, c := range map[string]struct {
		packed  []byte
		want    []outFile
		archive string
	}{
		"not packed":          {[]byte(long), one("", long), ""},
		"nothing":             {nil, one("", ""), ""},
		"gzip":                {gzipped(t, []byte(long)), one("gzip", long), ""},
		"gzip of nothing":     {gzipped(t, nil), one("gzip", ""), ""},
		"gzip, two members":   {append(gzipped(t, []byte(long[:half])), gzipped(t, []byte(long[half:]))...), one("gzip", long), ""},
		"gzip, filled up":     {append(gzipped(t, []byte(long)), make([]byte, 1000)...), one("gzip", long), ""},
		"zstd":                {zstded(t, []byte(long)), one("zstd", long), ""},
		"zstd, two frames":    {append(zstded(t, []byte(long[:half])), zstded(t, []byte(long[half:]))...), one("zstd", long), ""},
		"zstd, skipped frame": {append([]byte("\x5a\x2a\x4d\x18\x03\x00\x00\x00abc"), zstded(t, []byte(long))...), one("zstd", long), ""},
		"zstd in gzip":        {gzipped(t, zstded(t, []byte(long))), one("gzip+zstd", long), ""},
		"gzip in gzip":        {gzipped(t, gzipped(t, []byte(long))), one("gzip+gzip", long), ""},
		"zip":                 {zipped(t, zip.Deflate, files...), want("zip", ""), "zip"},
		"zip, stored":         {zipped(t, zip.Store, files...), want("zip", ""), "zip"},
		"zip with sizes":      {sized(t, zip.Deflate, files...), want("zip", ""), "zip"},
		"zip, stored, sizes":  {sized(t, zip.Store, files...), want("zip", ""), "zip"},
		"zip of nothing":      {zipped(t, zip.Deflate), nil, "zip"},
		"zip of folders":      {zipped(t, zip.Store, entry{"a/", ""}, entry{"a/b/", ""}), nil, "zip"},
		"gzip in zip":         {zipped(t, zip.Store, inner(gzipped)...), want("zip+gzip", ""), "zip"},
		"zstd in zip":         {sized(t, zip.Deflate, inner(zstded)[:1]...), want("zip+zstd", "")[:1], "zip"},
		"zip in gzip":         {gzipped(t, zipped(t, zip.Deflate, files...)), want("gzip+zip", ""), "gzip+zip"},
		"zip in zip":          {zipped(t, zip.Store, entry{"more.zip", string(zipped(t, zip.Store, files...))}), want("zip+zip", "more.zip/"), "zip"},
		"tar":                 {tarred(t, tar.FormatUSTAR, files...), want("tar", ""), "tar"},
		"tar of GNU":          {tarred(t, tar.FormatGNU, files...), want("tar", ""), "tar"},
		"tar in gzip":         {gzipped(t, tarred(t, tar.FormatPAX, files...)), want("gzip+tar", ""), "gzip+tar"},
		"tar in zstd":         {zstded(t, tarred(t, tar.FormatPAX, files...)), want("zstd+tar", ""), "zstd+tar"},
		"gzip in tar in gzip": {gzipped(t, tarred(t, tar.FormatUSTAR, inner(gzipped)...)), want("gzip+tar+gzip", ""), "gzip+tar"},
		"tar in gzip in zip": {zipped(t, zip.Deflate, entry{"s.tar.gz", string(gzipped(t, tarred(t, tar.FormatUSTAR, files...)))}),
			want("zip+gzip+tar", "s.tar.gz/"), "zip"},
		"tar, a long path, GNU": {tarred(t, tar.FormatGNU, entry{deep, "text"}), []outFile{{File: File{Name: "session.jsonl", Path: deep, Packing: "tar"}, text: "text"}}, "tar"},
		"tar, a long path, PAX": {tarred(t, tar.FormatPAX, entry{deep, "text"}), []outFile{{File: File{Name: "session.jsonl", Path: deep, Packing: "tar"}, text: "text"}}, "tar"},
		"tar, a path in two parts": {tarred(t, tar.FormatUSTAR, entry{deep[14*10:], "text"}),
			[]outFile{{File: File{Name: "session.jsonl", Path: deep[14*10:], Packing: "tar"}, text: "text"}}, "tar"},
	} {
		var u Unpacker
		for _, chunk := range []int{1 << 20, 100, 1} {
			g := open(t, &u, chunks{bytes.NewReader(c.packed), chunk})
			if len(g.files) != len(c.want) || len(g.files) > 0 && !reflect.DeepEqual(g.files, c.want) {
				for i, f := range g.files {
					t.Logf("%d: %+v %d bytes %v", i, f.File, len(f.text), f.notes)
				}
				t.Errorf("%s, in pieces of %d: %d files, want %d", name, chunk, len(g.files), len(c.want))
			}
			if g.contents.Archive != c.archive || len(g.notes) > 0 {
				t.Errorf("%s: %+v, %v", name, g.contents, g.notes)
			}
		}
	}
}

// TestZipByHand: what the standard library never writes, and others do.
func TestZipByHand(t *testing.T) {
	plain := text(10_000)
	packed := string(deflated(t, []byte(plain)))
	crc, n, m := crc32.ChecksumIEEE([]byte(plain)), uint32(len(packed)), uint32(len(plain))
	wide := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64([]byte{1, 0, 16, 0}, uint64(m)), uint64(n))
	words := func(signature string, values ...uint32) string {
		b := []byte(signature)
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return string(b)
	}
	const other = "\x99\x99\x02\x00ab" // an extra field that means nothing here
	next := string(sized(t, zip.Store, entry{"next", "the next file"}))
	for name, c := range map[string]struct {
		file string
		why  string
	}{
		"sizes of 8 bytes":             {string(local(0, 8, crc, ^uint32(0), ^uint32(0), "f", append([]byte(other), wide...))) + packed, ""},
		"a trailer":                    {string(local(8, 8, 0, 0, 0, "f", nil)) + packed + words(descriptor, crc, n, m), ""},
		"a trailer without signature":  {string(local(8, 8, 0, 0, 0, "f", nil)) + packed + words("", crc, n, m), ""},
		"a trailer of 8 bytes":         {string(local(8, 8, 0, 0, 0, "f", wide)) + packed + words(descriptor, crc, n, 0, m, 0), ""},
		"8 bytes without signature":    {string(local(8, 8, 0, 0, 0, "f", nil)) + packed + words("", crc, n, 0, m, 0), ""},
		"sizes and a trailer":          {string(local(8, 8, crc, n, m, "f", nil)) + packed + words(descriptor, crc, n, m), ""},
		"stored, 8 bytes behind":       {string(local(8, 0, 0, 0, 0, "f", nil)) + plain + words(descriptor, crc, m, 0, m, 0), ""},
		"stored, sizes and a trailer":  {string(local(8, 0, 0, m, m, "f", nil)) + plain + words(descriptor, crc, m, m), ""},
		"encrypted":                    {string(local(1, 8, crc, n, m, "f", nil)) + packed, "encrypted"},
		"encrypted, sizes behind":      {string(local(1|8, 8, 0, 0, 0, "f", nil)) + packed + words(descriptor, crc, n, m), "encrypted"},
		"method 9":                     {string(local(0, 9, crc, n, m, "f", nil)) + packed, "method 9"},
		"method 93, sizes behind":      {string(local(8, 93, 0, 0, 0, "f", nil)) + packed + words(descriptor, crc, n, m), "method 93"},
		"a folder that is packed":      {string(local(0, 8, 0, 2, 0, "d/", nil)) + "\x03\x00" + string(local(8, 8, 0, 0, 0, "d/", nil)) + "\x03\x00" + words(descriptor, 0, 2, 0), "none"},
		"a folder with a trailer":      {string(local(8, 0, 0, 0, 0, "d/", nil)) + words(descriptor, 0, 0, 0), "none"},
		"a folder without its trailer": {string(local(8, 0, 0, 0, 0, "d/", nil)), "none"},
	} {
		var u Unpacker
		var why []string
		var texts []string
		_, err := u.Open(strings.NewReader(c.file+next), func(f *File, r io.Reader) error {
			for _, w := range u.Notes() {
				why = append(why, w.Message)
			}
			if r == nil {
				return nil
			}
			b, err := io.ReadAll(r)
			texts = append(texts, string(b))
			return err
		})
		check(t, err)
		for _, w := range u.Notes() {
			why = append(why, w.Message)
		}
		want := []string{plain, "the next file"}
		if c.why != "" {
			want = want[1:]
		}
		if !reflect.DeepEqual(texts, want) {
			t.Errorf("%s: %d files", name, len(texts))
		}
		if c.why == "" || c.why == "none" {
			if len(why) > 0 {
				t.Errorf("%s: %q", name, why)
			}
		} else if len(why) != 1 || !strings.Contains(why[0], c.why) {
			t.Errorf("%s: %q, want a word about %q", name, why, c.why)
		}
	}
}

// TestNamesAreOnlyText: a path is shown and never followed, whatever it is.
func TestNamesAreOnlyText(t *testing.T) {
	for raw, want := range map[string][2]string{
		"../../etc/passwd":              {"passwd", "../../etc/passwd"},
		"/abs/x.jsonl":                  {"x.jsonl", "abs/x.jsonl"},
		`C:\Users\me\x.jsonl`:           {"x.jsonl", "C:/Users/me/x.jsonl"},
		"":                              {"(no name)", ""},
		"///":                           {},
		"<script>alert(1)</script>":     {"script>", "<script>alert(1)</script>"},
		"caf\x82.jsonl":                 {"caf\ufffd.jsonl", "caf\ufffd.jsonl"},
		"a\x00b":                        {"a\x00b", "a\x00b"},
		strings.Repeat("é", 3000) + "x": {strings.Repeat("é", 511), ""},
	} {
		if strings.HasSuffix(raw, "/") {
			continue // a folder
		}
		var u Unpacker
		g := open(t, &u, bytes.NewReader(sized(t, zip.Store, entry{raw, "text"})))
		if len(g.files) != 1 || g.files[0].text != "text" {
			t.Errorf("%q: %+v", raw, g)
			continue
		}
		f := g.files[0]
		if len(raw) > maxPath {
			if len(f.Path) > maxPath+2 || !strings.HasPrefix(f.Name, "\ufffd"+want[0]) && !strings.HasPrefix(f.Name, want[0]) {
				t.Errorf("a long name became %q", f.Name)
			}
			continue
		}
		if f.Name != want[0] || f.Path != want[1] {
			t.Errorf("%q: name %q, path %q", raw, f.Name, f.Path)
		}
	}
}

// TestWhatIsPackedTooOftenIsNamed: two packings are opened, not a third one; other files stay.
func TestWhatIsPackedTooOftenIsNamed(t *testing.T) {
	b := []byte(text(1000))
	for name, packed := range map[string][]byte{
		"gzip":       gzipped(t, gzipped(t, gzipped(t, b))),
		"zips":       zipped(t, zip.Store, entry{"a.zip", string(zipped(t, zip.Store, entry{"b.zip", string(zipped(t, zip.Store, entry{"c", "d"}))}))}),
		"tar in tar": tarred(t, tar.FormatUSTAR, entry{"a.tar", string(tarred(t, tar.FormatUSTAR, entry{"c", "d"}))}),
	} {
		var u Unpacker
		g := open(t, &u, bytes.NewReader(packed))
		if len(g.files) != 1 || g.files[0].Refused == "" || len(g.files[0].notes) != 1 || g.files[0].notes[0] != journal.WarnUnreadable {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestACutArchiveGivesWhatCameBefore: cut anywhere, all that comes out is a beginning of what was packed, and a warning says
// that something is missing.
func TestACutArchiveGivesWhatCameBefore(t *testing.T) {
	joined := ""
	for _, f := range files {
		joined += f.text
	}
	for name, packed := range map[string][]byte{
		"gzip":   append(gzipped(t, []byte(joined[:1000])), gzipped(t, []byte(joined[1000:]))...),
		"zstd":   append(zstded(t, []byte(joined[:1000])), zstded(t, []byte(joined[1000:]))...),
		"zip":    zipped(t, zip.Deflate, files...),
		"stored": zipped(t, zip.Store, files...),
		"sized":  sized(t, zip.Deflate, files...),
		"tar.gz": gzipped(t, tarred(t, tar.FormatPAX, files...)),
		"tar":    tarred(t, tar.FormatPAX, files...),
	} {
		var u Unpacker
		whole := open(t, &u, bytes.NewReader(packed))
		for i := range 100 {
			cut := packed[:len(packed)*(i+1)/101]
			g := open(t, &u, bytes.NewReader(cut))
			warned := len(g.notes)
			for k, f := range g.files {
				warned += len(f.notes)
				if k >= len(whole.files) || !strings.HasPrefix(whole.files[k].text, f.text) || k < len(g.files)-1 && f.text != whole.files[k].text {
					t.Fatalf("%s cut at %d: file %d is something else", name, len(cut), k)
				}
			}
			seam := name == "gzip" || name == "zstd" // between two members nothing is missing
			if warned == 0 && !(seam && len(g.files) == 1 && g.files[0].text == joined[:1000]) &&
				!(len(g.files) == len(whole.files) && g.files[len(g.files)-1].text == whole.files[len(g.files)-1].text) {
				t.Errorf("%s cut at %d: no warning", name, len(cut))
			}
		}
	}
}

// TestDamageCostsOneFile: a changed byte inside of a file is noticed there, and all other files are as they were.
func TestDamageCostsOneFile(t *testing.T) {
	list := []entry{{"a", text(30_000)}, {"b", text(40_000)}, {"c", text(50_000)}}
	for name, packed := range map[string][]byte{
		"zip": zipped(t, zip.Deflate, list...), "stored": zipped(t, zip.Store, list...), "sized": sized(t, zip.Deflate, list...),
	} {
		var u Unpacker
		for i := range 200 {
			changed := bytes.Clone(packed)
			at := len(packed)*3/10 + i*len(packed)/4000
			changed[at] ^= 1 << (i & 7)
			g := open(t, &u, bytes.NewReader(changed))
			warned := len(g.notes)
			right := map[string]bool{}
			for _, f := range g.files {
				warned += len(f.notes)
				for _, e := range list {
					if f.Path == e.path && f.text == e.text {
						right[e.path] = true
					}
				}
			}
			if warned == 0 && len(right) < 3 {
				t.Fatalf("%s, byte %d: %d files right and no warning", name, at, len(right))
			}
			if !right["a"] || !right["c"] {
				t.Fatalf("%s, byte %d: %v, %+v", name, at, right, g.notes)
			}
		}
	}
}

func TestWhatStandsBehindIsTold(t *testing.T) {
	for name, packed := range map[string][]byte{"gzip": gzipped(t, []byte("text")), "zstd": zstded(t, []byte("text"))} {
		var u Unpacker
		g := open(t, &u, bytes.NewReader(append(packed, "something else"...)))
		if len(g.files) != 1 || g.files[0].text != "text" || !reflect.DeepEqual(g.files[0].notes, []string{journal.WarnArchive}) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// TestAWrongSumIsTold: all is read, and the warning says that it may be wrong.
func TestAWrongSumIsTold(t *testing.T) {
	gz, zs := gzipped(t, []byte("text")), zstded(t, []byte("text"))
	gz[len(gz)-8]++
	zs[len(zs)-1]++
	zp := sized(t, zip.Store, entry{"a", "text"})
	zp[14]++
	for name, packed := range map[string][]byte{"gzip": gz, "zstd": zs, "zip": zp} {
		var u Unpacker
		g := open(t, &u, bytes.NewReader(packed))
		if len(g.files) != 1 || g.files[0].text != "text" || !reflect.DeepEqual(g.files[0].notes, []string{journal.WarnArchive}) {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// zeros is endless.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// bomb is n zeros, packed.
func bomb(t testing.TB, n int64, w io.WriteCloser) {
	if _, err := io.Copy(w, io.LimitReader(zeros{}, n)); err != nil {
		t.Fatal(err)
	}
	check(t, w.Close())
}

// TestABombIsStopped: data that grows without measure is stopped early, in little memory, with a warning that says so.
func TestABombIsStopped(t *testing.T) {
	var gz, zs, zp bytes.Buffer
	bomb(t, 200<<20, gzipWriter(&gz))
	frame, err := zstd.NewWriter(&zs, zstd.WithEncoderConcurrency(1))
	check(t, err)
	bomb(t, 400<<20, frame)
	w := zip.NewWriter(&zp)
	for _, name := range []string{"a", "b", "c"} {
		fw, err := w.Create(name)
		check(t, err)
		_, err = io.Copy(fw, io.LimitReader(zeros{}, 80<<20))
		check(t, err)
	}
	check(t, w.Close())
	wide := []byte("\x28\xb5\x2f\xfd\x00\x88") // with the largest window, and blocks that repeat a byte 131,072 times
	for range 4000 {
		wide = append(wide, 2, 0, 16, 0)
	}
	for name, packed := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zs.Bytes(), "zip": zp.Bytes(), "zstd in gzip": gzipped(t, zs.Bytes()), "zstd, a large window": wide,
		"gzip in zip": zipped(t, zip.Deflate, entry{"a.gz", gz.String()}), "in a tar": tarred(t, tar.FormatGNU, entry{"a.gz", gz.String()})} {
		var u Unpacker
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begun := time.Now()
		out, told := int64(0), ""
		_, err := u.Open(bytes.NewReader(packed), func(f *File, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			out += n
			for _, w := range u.Notes() {
				told += w.Code + ": " + w.Message + "; "
			}
			return err
		})
		check(t, err)
		for _, w := range u.Notes() {
			told += w.Code + ": " + w.Message + "; "
		}
		runtime.ReadMemStats(&after)
		if !strings.Contains(told, journal.WarnUnpacking) || !strings.Contains(told, "250 times") {
			t.Errorf("%s of %d bytes: no word of it: %q", name, len(packed), told)
		}
		if most := int64(mostGrowth)*int64(len(packed)) + freeGrowth + 1<<20; out > most {
			t.Errorf("%s of %d bytes: %d bytes came out", name, len(packed), out)
		}
		most := uint64(48 << 20)
		if name == "zstd, a large window" {
			most = 200 << 20
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > most {
			t.Errorf("%s: %d MB of memory", name, grown>>20)
		}
		if d := time.Since(begun); d > time.Minute {
			t.Errorf("%s took %v", name, d)
		}
	}
}

// TestALargeJournalIsNoBomb: what shrinks to a hundredth is read, however large it is.
func TestALargeJournalIsNoBomb(t *testing.T) {
	line := []byte(text(20_000))
	var packed bytes.Buffer
	w := gzipWriter(&packed)
	for range 20_000 { // 400 MB, which shrink to a fiftieth or so by what is new in each block
		line[len(line)/2]++
		check(t, write(w, line))
	}
	check(t, w.Close())
	var u Unpacker
	n := int64(0)
	_, err := u.Open(&packed, func(f *File, r io.Reader) (err error) {
		n, err = io.Copy(io.Discard, r)
		return err
	})
	if err != nil || n != 400_000_000 || len(u.Notes()) > 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestTooManyFilesAreStopped(t *testing.T) {
	var b []byte
	head := local(0, 0, 0, 0, 0, "a", nil)
	for range maxFiles + 10 {
		b = append(b, head...)
	}
	var u Unpacker
	g := open(t, &u, bytes.NewReader(b))
	if len(g.files) != maxFiles || !reflect.DeepEqual(g.notes, []string{journal.WarnUnpacking}) {
		t.Errorf("%d files, %v", len(g.files), g.notes)
	}
}

// TestManySmallFilesShareOneDecoder: 2,000 packed files, one by one and in one archive, cost no decoder each.
func TestManySmallFilesShareOneDecoder(t *testing.T) {
	var list []entry
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	check(t, err)
	for i := range 2000 {
		list = append(list, entry{fmt.Sprintf("s/%d.jsonl.zst", i), string(w.EncodeAll([]byte(text(1000+i)), nil))})
	}
	packed := sized(t, zip.Deflate, list...)
	var u Unpacker
	open(t, &u, bytes.NewReader(packed[:100_000]))
	var before, after runtime.MemStats
	n := 0
	read := func(f *File, r io.Reader) error {
		n++
		_, err := r.Read(make([]byte, 1<<10))
		return err
	}
	runtime.ReadMemStats(&before)
	_, err = u.Open(bytes.NewReader(packed), read)
	check(t, err)
	for _, f := range list {
		_, err = u.Open(strings.NewReader(f.text), read)
		check(t, err)
	}
	runtime.ReadMemStats(&after)
	if per := (after.TotalAlloc - before.TotalAlloc) / 4000; n != 4000 || per > 4<<10 {
		t.Errorf("%d files, %d bytes of memory for each", n, per)
	}
}

// TestUnreadFilesArePassedOver: nobody has to read a file to get to the next one.
func TestUnreadFilesArePassedOver(t *testing.T) {
	for name, packed := range map[string][]byte{
		"zip": zipped(t, zip.Deflate, files...), "stored": zipped(t, zip.Store, files...), "sized": sized(t, zip.Deflate, files...),
		"tar": tarred(t, tar.FormatGNU, files...),
	} {
		u := Unpacker{Skip: func(path string) bool { return path == "short" }}
		var seen []string
		c, err := u.Open(bytes.NewReader(packed), func(f *File, r io.Reader) error {
			seen = append(seen, f.Path)
			return nil
		})
		if err != nil || !reflect.DeepEqual(seen, []string{"a/session.jsonl", "a/empty.jsonl", "b/PK.jsonl"}) || c.Skipped != 1 || len(u.Notes()) > 0 {
			t.Errorf("%s: %q, %+v, %v", name, seen, c, err)
		}
	}
}

type failing struct{}

var errGone = errors.New("the file is gone")

func (failing) Read([]byte) (int, error) { return 0, errGone }

// TestAFailingReaderIsNoDamage: when the input itself cannot be read on, that is the error, at every place.
func TestAFailingReaderIsNoDamage(t *testing.T) {
	for name, packed := range map[string][]byte{
		"plain": []byte(text(300_000)), "gzip": gzipped(t, []byte(text(300_000))), "zip": zipped(t, zip.Deflate, files...), "tar": tarred(t, tar.FormatGNU, files...),
		"nested": zipped(t, zip.Deflate, entry{"a", string(gzipped(t, []byte(text(100_000))))}),
	} {
		for i := range 50 {
			var u Unpacker
			_, err := u.Open(io.MultiReader(bytes.NewReader(packed[:len(packed)*9/10*i/50]), failing{}), func(f *File, r io.Reader) error {
				_, err := io.Copy(io.Discard, r)
				return err
			})
			if err != errGone {
				t.Fatalf("%s, %d: %v", name, i, err)
			}
		}
	}
}

// FuzzOpen: whatever the bytes are, nothing panics, and it ends.
func FuzzOpen(f *testing.F) {
	small := []entry{{"a/x.jsonl", text(200)}, {"b", "b"}}
	for _, b := range [][]byte{
		gzipped(f, []byte(text(300))), zstded(f, []byte(text(300))), zipped(f, zip.Deflate, small...), zipped(f, zip.Store, small...),
		sized(f, zip.Deflate, small...), tarred(f, tar.FormatPAX, small...), tarred(f, tar.FormatGNU, small...),
		gzipped(f, tarred(f, tar.FormatUSTAR, small...)), zipped(f, zip.Store, entry{"a", string(zstded(f, []byte("text")))}),
		local(9, 93, 1, 2, 3, "name", []byte{1, 0, 16, 0}),
	} {
		f.Add(b, 100)
	}
	var u Unpacker
	f.Fuzz(func(t *testing.T, b []byte, chunk int) {
		n := int64(0)
		_, err := u.Open(chunks{bytes.NewReader(b), max(1, chunk&0xff)}, func(f *File, r io.Reader) error {
			if r == nil {
				return nil
			}
			k, err := io.Copy(io.Discard, r)
			n += k
			u.Notes()
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if n > int64(mostGrowth*len(b))+freeGrowth+1<<20 {
			t.Fatalf("%d bytes out of %d", n, len(b))
		}
	})
}

// TestAFrameInAFrameGetsLittleMemory: only one of the frames around a file may have a large window.
func TestAFrameInAFrameGetsLittleMemory(t *testing.T) {
	frame := func(window byte, content []byte) []byte {
		b := append([]byte("\x28\xb5\x2f\xfd\x00"), window)
		n := len(content)<<3 | 1 // one block, the last, as it is
		return append(append(b, byte(n), byte(n>>8), byte(n>>16)), content...)
	}
	const large, usual = 17 << 3, 13 << 3 // 128 MB and 8 MB
	for _, c := range []struct {
		outer, inner byte
		want         string
	}{{large, large, ""}, {usual, large, ""}, {large, usual, "some text"}, {usual, usual, "some text"}} {
		g := open(t, new(Unpacker), bytes.NewReader(frame(c.outer, frame(c.inner, []byte("some text")))))
		told := strings.Join(append(g.notes, g.files[0].notes...), " ")
		if g.files[0].text != c.want || (told == journal.WarnUnpacking) != (c.want == "") {
			t.Errorf("windows %d and %d: %q, %s", c.outer>>3, c.inner>>3, g.files[0].text, told)
		}
	}
	// A frame behind such a one, or in a zip, gets all of it again.
	var u Unpacker
	open(t, &u, bytes.NewReader(frame(usual, frame(usual, []byte("x")))))
	for _, packed := range [][]byte{frame(large, []byte("some text")), zipped(t, zip.Store, entry{"a", string(frame(large, []byte("some text")))})} {
		if g := open(t, &u, bytes.NewReader(packed)); g.files[0].text != "some text" {
			t.Errorf("alone: %+v", g)
		}
	}
}

// TestAFileHasNoNotesOfTheFileBefore: what is wrong with one file, and shows when it is closed, is not said of the next one.
func TestAFileHasNoNotesOfTheFileBefore(t *testing.T) {
	broken := local(0, 0, 0, 5, 5, "inside", nil) // an archive that breaks off in its only file's header
	g := open(t, new(Unpacker), bytes.NewReader(zipped(t, zip.Store, entry{"first", "one"}, entry{"broken.zip", string(broken[:20])}, entry{"last", "two"})))
	if len(g.files) != 2 || len(g.files[0].notes)+len(g.files[1].notes) > 0 || g.files[1].text != "two" {
		t.Errorf("files: %+v", g.files)
	}
	if fmt.Sprint(g.notes) != "["+journal.WarnArchive+"]" {
		t.Errorf("about the archive: %v", g.notes)
	}
}

// TestAnEmptyFileWithLongSizesIsWhole: a stream's writer puts an empty file's sizes behind it, in eight bytes each.
func TestAnEmptyFileWithLongSizesIsWhole(t *testing.T) {
	long := append([]byte{1, 0, 16, 0}, make([]byte, 16)...)
	b := append(local(8, 0, 0, 0xffffffff, 0xffffffff, "empty", long), append([]byte(descriptor), make([]byte, 20)...)...)
	b = append(b, zipped(t, zip.Store, entry{"next", "text"})...)
	g := open(t, new(Unpacker), bytes.NewReader(b))
	if len(g.files) != 2 || g.files[0].text != "" || g.files[1].text != "text" || len(g.files[0].notes)+len(g.files[1].notes)+len(g.notes) > 0 {
		t.Errorf("%+v", g)
	}
}
