package composition

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"contextscope/core/journal"
)

var names journal.Strings

func item(id string, c journal.Category, chars uint32) Item {
	return Item{ID: ID{Prefix: Named, Name: names.Put([]byte(id))}, Category: c, Chars: chars, Tokens: Tokens(chars)}
}

func unknown(m Moment) Moment {
	m.Reported, m.Window, m.Threshold, m.Effective = Unknown, Unknown, Unknown, Unknown
	return m
}

func counts(s Snapshot) map[string]int {
	out := map[string]int{}
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if s.Observed(c) {
			out[c.Key()] = int(s.Tokens[c])
		}
	}
	return out
}

func expectCounts(t *testing.T, s Snapshot, want map[string]int) {
	t.Helper()
	if got := counts(s); !reflect.DeepEqual(got, want) {
		t.Errorf("categories are %v, want %v", got, want)
	}
}

func expectChanges(t *testing.T, got []Change, want ...string) {
	t.Helper()
	var lines []string
	for _, c := range got {
		lines = append(lines, fmt.Sprintf("%s %s %+d", c.Kind, c.ID.Append(nil, &names), c.Delta))
	}
	if !slices.Equal(lines, want) {
		t.Errorf("changes are %q, want %q", lines, want)
	}
}

func TestTokensRoundUpForEachItem(t *testing.T) {
	for chars, want := range map[uint32]uint32{0: 0, 1: 1, 4: 1, 5: 2, 40: 10, 1<<32 - 2: 1 << 30} {
		if got := Tokens(chars); got != want {
			t.Errorf("%d characters are %d tokens, want %d", chars, got, want)
		}
	}
	var tr Tracker
	tr.Put(item("a", journal.Prompts, 1))
	tr.Put(item("b", journal.Prompts, 1))
	s, _ := tr.Snapshot(unknown(Moment{}))
	expectCounts(t, s, map[string]int{"prompts": 2})
}

// The first golden vector of the schema's tracker: a prompt, then a tool result, then only the prompt, then a new model.
func TestGoldenPromptAndResult(t *testing.T) {
	m1, m2 := names.Put([]byte("m-1")), names.Put([]byte("m-2"))
	var tr Tracker
	tr.Put(item("prompt", journal.Prompts, 4))
	s, ch := tr.Snapshot(unknown(Moment{Model: m1}))
	expectCounts(t, s, map[string]int{"prompts": 1})
	expectChanges(t, ch, "baseline prompt +1")
	if !s.Baseline || s.Sum() != 1 {
		t.Errorf("baseline %v, sum %d; want true, 1", s.Baseline, s.Sum())
	}

	read := item("result:read-1", journal.Results, 40)
	read.Call, read.Source = names.Put([]byte("read-1")), FromTool
	tr.Put(read)
	s, ch = tr.Snapshot(unknown(Moment{Model: m1}))
	expectCounts(t, s, map[string]int{"prompts": 1, "results": 10})
	expectChanges(t, ch, "added result:read-1 +10")
	if s.Baseline || names.Get(ch[0].Call) != "read-1" || ch[0].Source.String() != "tool" {
		t.Errorf("baseline %v, source id %q, source kind %q", s.Baseline, names.Get(ch[0].Call), ch[0].Source)
	}

	tr.Remove(read.ID)
	s, ch = tr.Snapshot(unknown(Moment{Model: m1}))
	expectCounts(t, s, map[string]int{"prompts": 1})
	expectChanges(t, ch, "removed result:read-1 -10")

	s, ch = tr.Snapshot(unknown(Moment{Model: m2}))
	expectChanges(t, ch, "baseline prompt +1")
	if !s.Baseline {
		t.Error("another model does not begin a baseline")
	}
}

// The second: sections replace by name, a null deletes, tools are added again and removed.
func TestGoldenSections(t *testing.T) {
	section := func(name string, c journal.Category, chars uint32) Item {
		it := item(name, c, chars)
		it.ID.Prefix = Section
		return it
	}
	tool := func(name string) Item {
		it := item(name, journal.Tools, 20)
		it.ID.Prefix = ToolSpec
		return it
	}
	var tr Tracker
	tr.Put(section("rules", journal.SectionCategory("rules"), 40))
	tr.Put(section("skill", journal.SectionCategory("skill"), 4))
	tr.Put(tool("read"))
	tr.Put(section("rules", journal.Rules, 4))
	tr.Remove(section("skill", journal.Skills, 0).ID)
	tr.Put(tool("read"))
	tr.Put(tool("edit"))
	tr.Remove(tool("read").ID)
	s, ch := tr.Snapshot(unknown(Moment{}))
	expectCounts(t, s, map[string]int{"rules": 1, "tools": 5})
	expectChanges(t, ch, "baseline tool:edit +5", "baseline section:rules +1")
}

// The round trip vector: 3, then 43 with one addition of 40, then 3 with one removal.
func TestGoldenThreeRequests(t *testing.T) {
	var tr Tracker
	tr.Put(item("p", journal.Prompts, 12))
	a, _ := tr.Snapshot(unknown(Moment{}))
	tr.Put(item("read", journal.Results, 160))
	m := unknown(Moment{})
	m.Reported = 60
	b, ch := tr.Snapshot(m)
	expectChanges(t, ch, "added read +40")
	tr.Remove(item("read", 0, 0).ID)
	c, ch := tr.Snapshot(unknown(Moment{}))
	expectChanges(t, ch, "removed read -40")
	if a.Sum() != 3 || b.Sum() != 43 || c.Sum() != 3 || b.Reported != 60 {
		t.Errorf("sums %d %d %d, reported %d; want 3 43 3, 60", a.Sum(), b.Sum(), c.Sum(), b.Reported)
	}
}

// The harness's own categories replace those of the items; the items' changes are listed all the same.
func TestGoldenNativeSummary(t *testing.T) {
	native := func(messages, system uint32) *Counts {
		var c Counts
		c.Set(journal.Messages, messages)
		c.Set(journal.System, system)
		return &c
	}
	var tr Tracker
	tr.Put(item("message:0", journal.Prompts, 40))
	s, _ := tr.Snapshot(unknown(Moment{Basis: NativeSummary, Override: native(10, 20)}))
	if s.Sum() != 30 {
		t.Errorf("first reading %d, want 30", s.Sum())
	}
	tr.Put(item("result:b", journal.Results, 360))
	s, ch := tr.Snapshot(unknown(Moment{Basis: NativeSummary, Override: native(100, 20)}))
	if s.Sum() != 120 {
		t.Errorf("second reading %d, want 120", s.Sum())
	}
	expectChanges(t, ch, "added result:b +90")
	tr.Retain(func(*Item) bool { return false })
	s, ch = tr.Snapshot(unknown(Moment{Basis: NativeSummary, Override: native(5, 20)}))
	if s.Sum() != 25 {
		t.Errorf("after compaction %d, want 25", s.Sum())
	}
	expectChanges(t, ch, "removed result:b -90", "removed message:0 -10")
	s, _ = tr.Snapshot(unknown(Moment{Override: &Counts{}}))
	if s.Sum() != Unknown {
		t.Errorf("an empty breakdown sums up to %d, want Unknown", s.Sum())
	}
}

// The harness's byte counts: 80 and 40 bytes are 30 tokens, 80 and 200 are 70. The items are observed in the transcript.
func TestGoldenLanes(t *testing.T) {
	lanes := func(system, prompt, results uint32) *Counts {
		var c Counts
		c.Add(journal.System, Tokens(system))
		if prompt > 0 {
			c.Add(journal.Prompts, Tokens(prompt))
		}
		if results > 0 {
			c.Add(journal.Results, Tokens(results))
		}
		return &c
	}
	moment := func(c *Counts) Moment {
		return unknown(Moment{Stage: RequestInput, ItemStage: TranscriptObserved, Basis: BytesOver4, Override: c})
	}
	var tr Tracker
	tr.Put(item("prompt", journal.Prompts, 40))
	s, ch := tr.Snapshot(moment(lanes(80, 40, 0)))
	expectCounts(t, s, map[string]int{"system": 20, "prompts": 10})
	expectChanges(t, ch, "baseline prompt +10")
	if s.Sum() != 30 || !s.Baseline {
		t.Errorf("sum %d, baseline %v", s.Sum(), s.Baseline)
	}
	tr.Put(item("result:r", journal.Results, 400))
	s, ch = tr.Snapshot(moment(lanes(80, 0, 200)))
	expectChanges(t, ch, "added result:r +100")
	if s.Sum() != 70 || s.Baseline || s.Basis.String() != "native-bytes/4" || s.ItemStage.String() != "transcript-observed" {
		t.Errorf("sum %d, baseline %v, %s, %s", s.Sum(), s.Baseline, s.Basis, s.ItemStage)
	}
}

func TestModelBecomingKnownBeginsABaseline(t *testing.T) {
	m := names.Put([]byte("m-1"))
	var tr Tracker
	for i, want := range []struct {
		model    journal.Ref
		baseline bool
	}{{0, true}, {0, false}, {m, true}, {m, false}, {0, true}} {
		if s, _ := tr.Snapshot(unknown(Moment{Model: want.model})); s.Baseline != want.baseline {
			t.Errorf("snapshot %d: baseline %v, want %v", i, s.Baseline, want.baseline)
		}
	}
}

func TestTheSixtyFifthChangeIsOmittedAndCounted(t *testing.T) {
	var tr Tracker
	tr.Snapshot(unknown(Moment{}))
	for i := range 65 {
		tr.Put(item(fmt.Sprint("i", i), journal.Results, 8))
	}
	s, ch := tr.Snapshot(unknown(Moment{}))
	if len(ch) != 64 || s.N != 64 || s.Omitted != 1 || s.Sum() != 130 {
		t.Errorf("%d changes, %d omitted, sum %d; want 64, 1, 130", len(ch), s.Omitted, s.Sum())
	}
	for i, c := range ch {
		if got := string(c.ID.Append(nil, &names)); got != fmt.Sprint("i", i) {
			t.Fatalf("change %d is %s: equal sizes must keep the order of the items", i, got)
		}
	}
}

func TestACategoryChangeAloneIsReplacedWithDeltaZero(t *testing.T) {
	var tr Tracker
	tr.Put(item("a", journal.Prompts, 40))
	tr.Snapshot(unknown(Moment{}))
	tr.Put(item("a", journal.Rules, 40))
	tr.Put(item("b", journal.Rules, 4))
	_, ch := tr.Snapshot(unknown(Moment{}))
	expectChanges(t, ch, "added b +1", "replaced a +0")
	_, ch = tr.Snapshot(unknown(Moment{}))
	expectChanges(t, ch)
}

// reference is the tracker of the schema, word for word: whole lists compared.
type reference struct {
	prev  []Item
	began bool
	model journal.Ref
}

func (r *reference) snapshot(now []Item, model journal.Ref, reset bool) (baseline bool, lines []string, omitted int) {
	baseline = !r.began || reset || model != r.model
	prev := map[ID]Item{}
	if !baseline {
		for _, it := range r.prev {
			prev[it.ID] = it
		}
	}
	cur := map[ID]bool{}
	var all []Change
	for _, it := range now {
		cur[it.ID] = true
		old, ok := prev[it.ID]
		switch {
		case !ok && baseline:
			all = append(all, Change{it, int32(it.Tokens), Baseline})
		case !ok:
			all = append(all, Change{it, int32(it.Tokens), Added})
		case old.Tokens != it.Tokens || old.Category != it.Category:
			all = append(all, Change{it, int32(it.Tokens) - int32(old.Tokens), Replaced})
		}
	}
	if !baseline {
		for _, it := range r.prev {
			if !cur[it.ID] {
				all = append(all, Change{it, -int32(it.Tokens), Removed})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Change) int { return int(max(b.Delta, -b.Delta)) - int(max(a.Delta, -a.Delta)) })
	omitted = max(0, len(all)-64)
	for _, c := range all[:len(all)-omitted] {
		lines = append(lines, fmt.Sprint(c.Kind, c.ID, c.Category, c.Tokens, c.Delta))
	}
	r.prev, r.began, r.model = slices.Clone(now), true, model
	return baseline, lines, omitted
}

// TestTrackerAgreesWithTheReference drives both with the same random history.
func TestTrackerAgreesWithTheReference(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var tr Tracker
		var ref reference
		var list []Item
		var model journal.Ref
		for step := range 400 {
			reset := false
			switch k := rnd.IntN(100); {
			case k < 60:
				it := item(fmt.Sprint("x", rnd.IntN(120)), journal.Category(1+rnd.IntN(12)), uint32(rnd.IntN(60)))
				if i := slices.IndexFunc(list, func(o Item) bool { return o.ID == it.ID }); i >= 0 {
					list[i] = it
				} else {
					list = append(list, it)
				}
				tr.Put(it)
				continue
			case k < 80:
				id := item(fmt.Sprint("x", rnd.IntN(120)), 0, 0).ID
				list = slices.DeleteFunc(list, func(o Item) bool { return o.ID == id })
				tr.Remove(id)
				continue
			case k < 82:
				keep := func(it *Item) bool { return it.Tokens%3 == 0 }
				list = slices.DeleteFunc(list, func(o Item) bool { return !keep(&o) })
				tr.Retain(keep)
				continue
			case k == 82 && seed%2 == 0: // back and forth between two snapshots
				for range 5 {
					tr.Retain(func(*Item) bool { return false })
					list = list[:0]
					for i := range 40 {
						it := item(fmt.Sprint("x", i*3%120), journal.Category(1+rnd.IntN(12)), uint32(rnd.IntN(60)))
						list = append(list, it)
						tr.Put(it)
					}
				}
				if len(tr.slots) > 400 {
					t.Fatalf("seed %d step %d: %d slots for %d items", seed, step, len(tr.slots), len(list))
				}
				continue
			case k < 83:
				model = journal.Ref(rnd.IntN(3))
			case k < 84:
				reset = true
				tr.Reset()
			}
			s, ch := tr.Snapshot(unknown(Moment{Model: model}))
			baseline, want, omitted := ref.snapshot(list, model, reset)
			var got []string
			sum := int64(0)
			for _, c := range ch {
				got = append(got, fmt.Sprint(c.Kind, c.ID, c.Category, c.Tokens, c.Delta))
			}
			for _, it := range list {
				sum += int64(it.Tokens)
			}
			if s.Baseline != baseline || !slices.Equal(got, want) || int(s.Omitted) != omitted {
				t.Fatalf("seed %d step %d:\n got %v %d %v\nwant %v %d %v", seed, step, s.Baseline, s.Omitted, got, baseline, omitted, want)
			}
			if len(list) > 0 && s.Sum() != sum || tr.Len() != len(list) {
				t.Fatalf("seed %d step %d: sum %d of %d items, want %d of %d", seed, step, s.Sum(), tr.Len(), sum, len(list))
			}
		}
	}
}

// BenchmarkLongSession: each request adds three items to a context that is never cut. The cost of a request must not
// grow with what is there.
func BenchmarkLongSession(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				var tr Tracker
				for i := range n {
					for j := range 3 {
						tr.Put(Item{ID: ID{Hash: uint64(i*3 + j + 1)}, Category: journal.Results, Tokens: 9})
					}
					tr.Snapshot(unknown(Moment{Model: 1}))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/request")
		})
	}
}

// TestModelsThatTakeTurnsGiveTheBaselinesOfWholeLists: with so many baselines that the items are ranked, each lists the largest
// items as the first one did, and says how many it leaves out.
func TestModelsThatTakeTurnsGiveTheBaselinesOfWholeLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	var tr Tracker
	ref := &reference{}
	var now []Item
	for step := range 400 {
		for range 1 + rnd.IntN(12) {
			switch k := rnd.IntN(10); {
			case k < 7 || len(now) == 0:
				it := item(fmt.Sprintf("i%d", rnd.IntN(5000)), journal.Results, 1+uint32(rnd.IntN(200)))
				if i := slices.IndexFunc(now, func(o Item) bool { return o.ID == it.ID }); i >= 0 {
					now[i] = it
				} else {
					now = append(now, it)
				}
				tr.Put(it)
			case k < 9:
				i := rnd.IntN(len(now))
				tr.Remove(now[i].ID)
				now = slices.Delete(now, i, i+1)
			case rnd.IntN(60) == 0:
				now = slices.DeleteFunc(now, func(it Item) bool { return it.Tokens%3 != 0 })
				tr.Retain(func(it *Item) bool { return it.Tokens%3 == 0 })
			}
		}
		model := names.Put([]byte([]string{"m1", "m2"}[step*3/4%2]))
		s, changes := tr.Snapshot(unknown(Moment{Model: model}))
		baseline, lines, omitted := ref.snapshot(now, model, false)
		if s.Baseline != baseline || int(s.Omitted) != omitted {
			t.Fatalf("step %d: baseline %v with %d omitted, want %v with %d", step, s.Baseline, s.Omitted, baseline, omitted)
		}
		var got []string
		for _, c := range changes {
			got = append(got, fmt.Sprint(c.Kind, c.ID, c.Category, c.Tokens, c.Delta))
		}
		if !slices.Equal(got, lines) {
			t.Fatalf("step %d: changes are\n%v, want\n%v", step, got, lines)
		}
	}
	if !tr.largest.kept || len(now) < 5*MaxChanges {
		t.Errorf("with %d items they are ranked: %v", len(now), tr.largest.kept)
	}
}

// TestModelsThatTakeTurnsTakeLinearTime: each request is a baseline, and looks at what it lists.
func TestModelsThatTakeTurnsTakeLinearTime(t *testing.T) {
	var tr Tracker
	began := time.Now()
	for i := range 30000 {
		it := Item{ID: ID{Prefix: Message, Hash: uint64(i) + 1}, Tokens: 1 + uint32(i*7919%1000), Category: journal.Assistant}
		tr.Put(it)
		if s, changes := tr.Snapshot(unknown(Moment{Model: journal.Ref(1 + i%2)})); !s.Baseline || len(changes) != min(i+1, MaxChanges) || int(s.Omitted) != max(0, i+1-MaxChanges) {
			t.Fatalf("request %d: baseline %v, %d changes, %d omitted", i, s.Baseline, len(changes), s.Omitted)
		}
	}
	if took := time.Since(began); took > time.Minute { // a second on an idle machine
		t.Errorf("30,000 baselines took %v", took)
	}
}
