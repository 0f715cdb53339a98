package perfetto_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"contextscope/core/journal"
	"contextscope/core/perfetto"
	. "contextscope/core/perfetto/byhand"
)

// reader notes what it is handed.
type reader struct {
	strings journal.Strings
	notes   []string
	unknown []string
}

func say(a *perfetto.Annotation) string {
	switch a.Kind {
	case perfetto.Nothing:
		return "nothing"
	case perfetto.Dict, perfetto.List:
		var out []string
		a.Entries(func(e *perfetto.Annotation) { out = append(out, string(e.Name)+":"+say(e)) })
		return "[" + strings.Join(out, " ") + "]"
	case perfetto.Text:
		return string(a.Text())
	case perfetto.Bool:
		v, _ := a.Bool()
		return fmt.Sprint(v)
	}
	if n, ok := a.Int(); ok {
		return fmt.Sprint(n)
	}
	return "no number"
}

func (r *reader) read(t testing.TB, in io.Reader) *perfetto.Trace {
	t.Helper()
	tr, err := perfetto.Read(in, perfetto.Config{Strings: &r.strings,
		Annotate: func(_ *perfetto.Trace, slice int32, end bool, a *perfetto.Annotation) {
			r.notes = append(r.notes, fmt.Sprintf("%d %v %s=%s", slice, end, a.Name, say(a)))
		},
		Counter: func(name string) bool { return name == "wanted" },
		Unknown: func(kind string) { r.unknown = append(r.unknown, kind) }})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func read(t testing.TB, b []byte) (*reader, *perfetto.Trace) {
	t.Helper()
	r := &reader{}
	return r, r.read(t, bytes.NewReader(b))
}

// slices says the slices: name, times, the slice around it, state.
func slices(r *reader, t *perfetto.Trace) string {
	var out []string
	for i := range t.Slices.Len() {
		s := t.Slices.At(i)
		out = append(out, fmt.Sprintf("%s %d-%d in %d (%d)", r.strings.Get(s.Name), s.Begin.Raw, s.End.Raw, s.Parent, s.State))
	}
	return strings.Join(out, "; ")
}

var nested = Join(Track(5, 0, "row"), Track(6, 5, "wanted", Counter()), Track(7, 0, "", Process(12, "prog", "a:b", "c")), Track(8, 0, "thr", Thread(12, 13)),
	Realtime.Begin(100, 5, "cat", "outer", Text("a", "x")), Realtime.Begin(110, 5, "cat", "inner", Flow(3)), Realtime.Instant(115, 5, "", "point", Bool("b", true)),
	Realtime.End(120, 5, Int("n", -7), Uint("n", 9)), Realtime.End(130, 5, Dict("d", Text("k", "v"), List("l", Text("", "1"), Uint("", 2), Dict("")), Double("f", 1.5))),
	Realtime.Begin(140, 5, "cat", "open"), Realtime.Sample(150, 6, 42), Realtime.Sample(150, 8, 1))

func TestSlicesNestAndKeepTheAnnotationsOfBothEnds(t *testing.T) {
	r, tr := read(t, nested)
	if got, want := slices(r, tr), "outer 100-130 in -1 (1); inner 110-120 in 0 (1); point 115-115 in 1 (2); open 140-140 in -1 (0)"; got != want {
		t.Errorf("slices: %s, want %s", got, want)
	}
	want := "0 false a=x; 2 false b=true; 1 true n=-7; 1 true n=9; 0 true d=[k:v l:[:1 :2 :nothing] f:no number]"
	if got := strings.Join(r.notes, "; "); got != want {
		t.Errorf("annotations: %s\nwant %s", got, want)
	}
	if tr.Samples.Len() != 1 || tr.Samples.At(0).At.Raw != 150 || tr.Samples.At(0).Value != 42 || tr.Samples.At(0).Track != tr.Track(6) {
		t.Errorf("%d samples", tr.Samples.Len())
	}
	if len(tr.Flows) != 1 || tr.Flows[0] != (perfetto.Flow{ID: 3, Slice: 1}) {
		t.Errorf("flows: %v", tr.Flows)
	}
	p, th := tr.Tracks[tr.Track(7)], tr.Tracks[tr.Track(8)]
	if !p.Process || p.PID != 12 || r.strings.Get(p.Program) != "prog" || len(p.Labels) != 2 || r.strings.Get(p.Labels[0]) != "a:b" || !th.Thread || th.PID != 12 {
		t.Errorf("process %+v, thread %+v", p, th)
	}
	if tr.Broken > 0 || tr.Cut || len(r.unknown) > 0 || tr.Bytes != int64(len(nested)) || tr.Packets != 12 {
		t.Errorf("%d broken, cut %v, unknown %v, %d bytes, %d packets", tr.Broken, tr.Cut, r.unknown, tr.Bytes, tr.Packets)
	}
	s := tr.Slices.At(1)
	if begin := Realtime.Begin(110, 5, "cat", "inner", Flow(3)); !bytes.Equal(nested[s.Offset:][:s.Length], begin) {
		t.Errorf("the packet of a slice is not at its place")
	}
	if end := Realtime.End(120, 5, Int("n", -7), Uint("n", 9)); !bytes.Equal(nested[s.EndAt:][:s.EndLen], end) {
		t.Errorf("the packet of a slice's end is not at its place")
	}
}

func TestReadsOfAnySizeGiveTheSame(t *testing.T) {
	r, tr := read(t, nested)
	want := slices(r, tr)
	for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(nested)), iotest.HalfReader(bytes.NewReader(nested)), iotest.DataErrReader(bytes.NewReader(nested))} {
		r := &reader{}
		if tr := r.read(t, in); slices(r, tr) != want || tr.Cut {
			t.Errorf("slices: %s, want %s", slices(r, tr), want)
		}
	}
	if _, err := perfetto.Read(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(nested))), perfetto.Config{Strings: &journal.Strings{}}); err != iotest.ErrTimeout {
		t.Errorf("the reader's error is %v", err)
	}
}

func TestNumbersKeepTheirSign(t *testing.T) {
	r, _ := read(t, Join(Realtime.Instant(1, 5, "", "x", Int("a", -1), Int("b", math.MinInt64), Uint("c", math.MaxUint64), Uint("d", math.MaxInt64), Int("e", 5))))
	if got, want := strings.Join(r.notes, "; "), "0 false a=-1; 0 false b=-9223372036854775808; 0 false c=no number; 0 false d=9223372036854775807; 0 false e=5"; got != want {
		t.Errorf("annotations: %s", got)
	}
}

func TestDamageCostsAsLittleAsPossible(t *testing.T) {
	first, last := Realtime.Begin(1, 5, "c", "first"), Realtime.Begin(9, 5, "c", "last")
	for name, c := range map[string]struct {
		between []byte
		slices  string
		broken  int64
		unknown string
	}{
		"a field of the wrong type":      {Packet(Str(8, "when"), Num(10, 77), Msg(11, Num(9, 1), Num(11, 6), Str(23, "middle"))), "first middle last", 1, ""},
		"a track's uuid as text":         {Packet(Msg(60, Str(1, "uuid"))), "first last", 1, ""},
		"an event that breaks off":       {Packet(Num(8, 2), Msg(11, Num(9, 1), Num(11, 6), []byte{23<<3&0x7f | 2 | 0x80})), "first  last", 1, ""},
		"an annotation that breaks off":  {Packet(Num(8, 2), Msg(11, Num(9, 1), Num(11, 6), Str(23, "middle"), Msg(4, []byte{0x52, 0x20}))), "first middle last", 1, ""},
		"a group":                        {Packet(Num(8, 2), []byte{5<<3 | 3, 5<<3 | 4}, Msg(11, Num(9, 1), Num(11, 6), Str(23, "middle"))), "first middle last", 0, ""},
		"an end without a beginning":     {Realtime.End(2, 6), "first last", 1, ""},
		"an unknown member of the trace": {Join(Num(7, 300), Str(9, "text"), Fixed(3, 1)), "first last", 0, "trace field 7, trace field 9, trace field 3"},
		"an unknown packet":              {Packet(Num(8, 2), Str(120, "text")), "first last", 0, "packet field 120"},
		"an unknown type of event":       {Packet(Num(8, 2), Msg(11, Num(9, 8), Num(11, 6))), "first last", 0, "event type 8"},
		"an empty packet":                {Packet(), "first last", 0, ""},
		"flags of the recorder":          {Packet(Num(13, 1), Str(12, "interned"), Num(87, 1)), "first last", 0, ""},
		"a clock without a number":       {Packet(Msg(6, Msg(1, Str(1, "x")))), "first last", 1, ""},
	} {
		r, tr := read(t, Join(first, c.between, last))
		var got []string
		for i := range tr.Slices.Len() {
			got = append(got, r.strings.Get(tr.Slices.At(i).Name))
		}
		if strings.Join(got, " ") != c.slices || tr.Broken != c.broken || tr.Cut || strings.Join(r.unknown, ", ") != c.unknown {
			t.Errorf("%s: slices %q, %d broken, cut %v, unknown %v", name, got, tr.Broken, tr.Cut, r.unknown)
		}
		if c.broken > 0 && (len(tr.Faults) != 1 || tr.Faults[0].Offset != int64(len(first))) {
			t.Errorf("%s: faults %v, want one at %d", name, tr.Faults, len(first))
		}
	}
}

func TestWhatIsNoPacketEndsTheTrace(t *testing.T) {
	first := Realtime.Begin(1, 5, "c", "first")
	for name, tail := range map[string][]byte{"field 0": {0x02, 0x01}, "wire type 7": {0x0f}, "a group": {1<<3 | 3}, "a number without end": bytes.Repeat([]byte{0xff}, 12)} {
		r, tr := read(t, Join(first, tail, Realtime.Begin(2, 5, "c", "second")))
		if slices(r, tr) != "first 1-1 in -1 (0)" || tr.Broken != 1 || tr.Cut || tr.Faults[0].Offset != int64(len(first)) {
			t.Errorf("%s: %s, %d broken, cut %v, %v", name, slices(r, tr), tr.Broken, tr.Cut, tr.Faults)
		}
	}
}

func TestATraceCutAnywhereSaysSo(t *testing.T) {
	whole := map[int]bool{0: true}
	for at := 0; at < len(nested); {
		n := int(nested[at+1])
		if n > 127 {
			t.Fatal("the test reads lengths of one byte")
		}
		at += 2 + n
		whole[at] = true
	}
	for i := range nested {
		if _, tr := read(t, nested[:i]); tr.Cut == whole[i] || tr.Broken > 0 || tr.Bytes != int64(i) {
			t.Errorf("cut at %d: %v, %d broken, %d bytes", i, tr.Cut, tr.Broken, tr.Bytes)
		}
	}
}

func TestAPacketThatIsTooLargeIsPassedOver(t *testing.T) {
	big := Packet(Num(8, 2), Str(11, string(make([]byte, perfetto.MaxPacket))))
	r, tr := read(t, Join(Realtime.Begin(1, 5, "c", "a"), big, Realtime.Begin(3, 5, "c", "b")))
	if tr.Large != 1 || tr.Slices.Len() != 2 || tr.Cut {
		t.Errorf("%d too large, %s", tr.Large, slices(r, tr))
	}
	// A length that nothing is behind asks for no memory.
	if _, tr = read(t, Join(Varint(1<<3|2), Varint(1<<62))); !tr.Cut || tr.Large != 1 {
		t.Errorf("cut %v, %d too large", tr.Cut, tr.Large)
	}
}

func TestClocksAreConvertedWithTheSnapshotBefore(t *testing.T) {
	const day = 1_790_000_000_000_000_000
	own := Clock{ID: 64, Sequence: 5}
	b := Join(
		own.Instant(900, 1, "", "before the first snapshot"), own.Instant(1500, 1, "", "after it"), own.Instant(2000, 1, "", "at the second"), own.Instant(2600, 1, "", "after the second"),
		Clock{ID: 64, Sequence: 6}.Instant(1500, 1, "", "another sequence"), Clock{ID: 3, Sequence: 6}.Instant(50, 1, "", "monotonic"),
		Clock{ID: 9, Sequence: 5}.Instant(70, 1, "", "related over boottime"), Packet(Num(8, 35), Msg(11, Num(9, 3), Num(11, 1), Str(23, "no clock named"))),
		Packet(Msg(11, Num(9, 3), Num(11, 1), Str(23, "no time"))), Clock{ID: 200, Sequence: 1}.Instant(5, 1, "", "unrelated"),
		// In any order: the second stands first.
		Clocks(5, 6, 64, 2000, 1, day+3000, 6, 40), Clocks(5, 6, 64, 1000, 1, day, 6, 30, 3, 20), Clocks(8, 6, 9, 60, 6, 35))
	r, tr := read(t, b)
	var got []string
	for i := range tr.Slices.Len() {
		s := tr.Slices.At(i)
		at := "unknown"
		if ns, ok := tr.Time(s.Begin); ok {
			at = fmt.Sprint(ns - day)
		}
		got = append(got, r.strings.Get(s.Name)+" "+at)
	}
	want := "before the first snapshot -100; after it 500; at the second 3000; after the second 3600; another sequence unknown; monotonic 30; " +
		"related over boottime 15; no clock named 5; no time unknown; unrelated unknown"
	if strings.Join(got, "; ") != want {
		t.Errorf("times: %s\nwant %s", strings.Join(got, "; "), want)
	}
}

func TestEachMachineHasItsOwnClocks(t *testing.T) {
	const day = 1_790_000_000_000_000_000
	event := func(machine uint64, name string) []byte {
		return Packet(Num(8, 100), Num(58, 6), Num(98, machine), Msg(11, Num(9, 3), Num(11, 1), Str(23, name)))
	}
	booted := func(machine, at uint64) []byte {
		return Packet(Num(98, machine), Msg(6, Msg(1, Num(1, 6), Num(2, 50)), Msg(1, Num(1, 1), Num(2, day+at))))
	}
	_, tr := read(t, Join(event(1, "one"), event(2, "two"), event(3, "three"), booted(1, 1000), booted(2, 7000)))
	one, ok1 := tr.Time(tr.Slices.At(0).Begin)
	two, ok2 := tr.Time(tr.Slices.At(1).Begin)
	_, ok3 := tr.Time(tr.Slices.At(2).Begin)
	if one != day+1050 || two != day+7050 || !ok1 || !ok2 || ok3 {
		t.Errorf("%d %v, %d %v, %v", one-day, ok1, two-day, ok2, ok3)
	}
}

func TestPacketsThatComeAgainCountOnce(t *testing.T) {
	r, tr := read(t, nested)
	want := slices(r, tr)
	r, twice := read(t, Join(nested, nested))
	if slices(r, twice) != want || twice.Repeated != tr.Packets {
		t.Errorf("%d repeated of %d: %s", twice.Repeated, tr.Packets, slices(r, twice))
	}
	// Two ends at one moment are the same bytes, and two ends.
	ends := Join(Track(5, 0, "row"), Realtime.Begin(1, 5, "c", "a"), Realtime.Begin(1, 5, "c", "b"), Realtime.End(2, 5), Realtime.End(2, 5))
	if r, tr = read(t, ends); slices(r, tr) != "a 1-2 in -1 (1); b 1-2 in 0 (1)" || tr.Repeated != 0 {
		t.Errorf("%d repeated: %s", tr.Repeated, slices(r, tr))
	}
}

func TestACircleOfTracksEnds(t *testing.T) {
	_, tr := read(t, Join(Track(5, 6, "a"), Track(6, 5, "b"), Track(7, 7, "c")))
	if len(tr.Tracks) != 3 || tr.Track(5) != 0 || tr.Track(99) != -1 {
		t.Errorf("%d tracks", len(tr.Tracks))
	}
}

func TestSniffingIsStrict(t *testing.T) {
	if n := perfetto.Sniff(nested); n != 12 {
		t.Errorf("%d packets, want 12", n)
	}
	if n := perfetto.Sniff(nested[:len(nested)-3]); n != 11 {
		t.Errorf("%d packets of a cut trace, want 11", n)
	}
	for name, b := range map[string][]byte{"nothing": nil, "an empty packet": {0x0a, 0}, "JSON behind a blank line": []byte("\n{\"type\":\"user\",\"message\":{}}\n"),
		"a packet of the wrong types": Packet(Str(8, "x"), Msg(60, Num(1, 1))), "a packet, then text": Join(Track(1, 0, "a"), []byte("{}")),
		"an event that is a number": Packet(Num(8, 1), Num(11, 1)), "a uuid that is text": Packet(Msg(60, Str(1, "x")))} {
		if n := perfetto.Sniff(b); n != 0 {
			t.Errorf("%s has %d packets", name, n)
		}
	}
}

// FuzzRead: whatever the bytes are, nothing panics, every byte is accounted for, and the indexes are good.
func FuzzRead(f *testing.F) {
	f.Add(nested)
	f.Add(Join(nested, nested))
	f.Add(Join(Clocks(5, 6, 64, 1000, 1, 1_790_000_000_000_000_000, 6, 30), Clock{ID: 64, Sequence: 5}.Begin(900, 1, "", "x"), []byte{0x0f}))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, tr := read(t, b)
		perfetto.Sniff(b)
		if tr.Bytes > int64(len(b)) || tr.Bytes < int64(len(b)) && tr.Broken == 0 {
			t.Fatalf("%d of %d bytes, %d broken", tr.Bytes, len(b), tr.Broken)
		}
		for i := range tr.Slices.Len() {
			s := tr.Slices.At(i)
			if int(s.Parent) >= i || int(s.Track) >= len(tr.Tracks) || s.Offset+int64(s.Length) > int64(len(b)) {
				t.Fatalf("slice %d: %+v", i, s)
			}
			tr.Time(s.Begin)
			tr.Time(s.End)
		}
		for _, fl := range tr.Flows {
			if int(fl.Slice) >= tr.Slices.Len() {
				t.Fatalf("flow %+v", fl)
			}
		}
		_ = r.notes
	})
}
