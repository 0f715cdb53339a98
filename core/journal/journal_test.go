package journal

import (
	"fmt"
	"testing"
	"time"
	"unsafe"
)

func TestARecordIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Record{}); n > 64 {
		t.Errorf("a Record takes %d bytes, want at most 64", n)
	}
	if n := unsafe.Sizeof(Part{}); n > 32 {
		t.Errorf("a Part takes %d bytes, want at most 32", n)
	}
}

func TestSectionNamesFollowTheFirstRuleThatFits(t *testing.T) {
	for name, want := range map[string]Category{
		"project_rules": Rules, "Memory files": Rules, "CLAUDE.md": Rules, "agents.md": Rules, "AGENTS.md": Rules,
		"claude_md": Rules, "instruction files": Rules, "Skills": Skills, "last_update": Environment,
		"Environment": Environment, "session info": Environment, "session_info": Environment, "sessionbigInfo": System,
		"email address": Environment, "reminders": Overhead, "MCP tools": Tools, "custom agents": Tools,
		"subagents": Tools, "slash command": Tools, "preamble": System, "System prompt": System, "": System,
		"claude--md": System, "agentsémd": Rules,
	} {
		if got := SectionCategory(name); got != want {
			t.Errorf("%q is in %q, want %q", name, got.Key(), want.Key())
		}
	}
}

func TestCategoriesAreThoseOfTheSchema(t *testing.T) {
	keys := []string{"system", "rules", "skills", "tools", "environment", "prompts", "assistant", "results", "summaries", "overhead", "messages", "unattributed"}
	if NumCategories != len(keys)+1 {
		t.Fatalf("there are %d categories, want %d", NumCategories-1, len(keys))
	}
	for _, k := range keys {
		if c := CategoryNamed(k); c == NoCategory || c.Key() != k || CategoryName(k) == k {
			t.Errorf("category %q: key %q, name %q", k, c.Key(), CategoryName(k))
		}
	}
	if CategoryName("mystery") != "mystery" {
		t.Errorf("an unknown category is named %q, want its own key", CategoryName("mystery"))
	}
}

func TestStringsAreKeptOnce(t *testing.T) {
	var s Strings
	refs := map[string]Ref{}
	for i := range 5000 {
		v := fmt.Sprintf("string %d", i%1700)
		r := s.Put([]byte(v))
		if old, ok := refs[v]; ok && old != r {
			t.Fatalf("%q is %d and %d", v, old, r)
		}
		refs[v] = r
	}
	if len(refs) != 1700 || s.Put(nil) != 0 || s.Get(0) != "" {
		t.Fatalf("%d distinct strings, want 1700", len(refs))
	}
	for v, r := range refs {
		if s.Get(r) != v || !s.Is(r, v) || s.Is(r, v+"x") {
			t.Fatalf("ref %d is %q, want %q", r, s.Get(r), v)
		}
	}
	b := []byte("string 7")
	if n := testing.AllocsPerRun(100, func() { s.Put(b) }); n != 0 {
		t.Errorf("looking up a known string allocates %v times", n)
	}
}

func TestHashesDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for i := range 200000 {
		v := fmt.Sprintf("00000000-0000-4000-8000-%012x", i)
		h := Hash([]byte(v))
		if old, ok := seen[h]; ok || h == 0 {
			t.Fatalf("%q and %q share the hash %x", old, v, h)
		}
		seen[h] = v
	}
}

func TestTimesAreThoseOfTheStandardLibrary(t *testing.T) {
	for _, v := range []string{
		"2026-02-01T10:00:00.000Z", "1970-01-01T00:00:00Z", "2024-02-29T23:59:59.999999999Z", "2000-03-01T00:00:00.5Z",
		"1969-12-31T23:59:59Z", "2026-02-01T10:00:00.123456+02:00", "2026-02-01T01:00:00-03:30", "2100-12-31T12:30:15.1Z", "2026-02-01T10:00:00.1234567891Z",
	} {
		want, err := time.Parse(time.RFC3339Nano, v)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := ParseTime([]byte(v)); !ok || got != want.UnixNano() {
			t.Errorf("%s is %d, want %d", v, got, want.UnixNano())
		}
	}
	for _, ns := range []int64{0, 1, -1, 1772359201123456789, 951782400000000000, -2208988800000000000, 4102444799999000000, 1e9, 500e6} {
		want := time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
		if got := string(AppendTime(nil, ns)); got != want {
			t.Errorf("%d is written %s, want %s", ns, got, want)
		}
	}
	for day := int64(-40000); day < 80000; day += 13 {
		want := time.Unix(day*86400, 0).UTC().Format(time.RFC3339Nano)
		if got := string(AppendTime(nil, day*86400*1e9)); got != want {
			t.Fatalf("day %d is written %s, want %s", day, got, want)
		}
	}
	for _, v := range []string{"", "now", "2026-02-01T10:00:00+25:00", "2026-02-01T10:00:00", "2026-02-01T10:00:00+0200", "2026-13-01T10:00:00Z", "2026-02-01T25:00:00Z", "2026-02-01T10:00:00.Z", "2026-02-01", "2026-02-01T10:00:0xZ",
		"0001-01-01T00:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"} {
		if got, ok := ParseTime([]byte(v)); ok {
			t.Errorf("%q was read as %d", v, got)
		}
	}
}

func TestColumnsGrowAndShrink(t *testing.T) {
	var c Column[int]
	for i := range 3000 {
		if c.Append(i) != i {
			t.Fatal("an index is wrong")
		}
	}
	for _, n := range []int{2999, 2048, 2047, 1024, 1, 0} {
		c.Truncate(n)
		if c.Len() != n {
			t.Fatalf("length %d, want %d", c.Len(), n)
		}
		if n > 0 && *c.At(n - 1) != n-1 {
			t.Fatalf("last is %d, want %d", *c.At(n - 1), n-1)
		}
	}
	c.Append(7)
	if *c.At(0) != 7 {
		t.Fatal("append after truncate")
	}
}

func TestWarningsAreBoundedAndCounted(t *testing.T) {
	var w Warnings
	for i := range 50 {
		w.Add(Warning{Code: WarnMalformed, Line: int64(i)})
	}
	all := w.All()
	if len(all) != MaxWarnings+1 || all[MaxWarnings].Message != "30 more of these are counted and not listed" {
		t.Errorf("%d warnings, the last %+v", len(all), all[len(all)-1])
	}
	for range MaxWarnings + 1 { // whatever the code is
		w.Add(Warning{Code: WarnLeftOut})
	}
	if all = w.All(); len(all) != 2*MaxWarnings+2 || all[2*MaxWarnings+1].Code != WarnLeftOut {
		t.Errorf("%d warnings, the last %+v", len(all), all[len(all)-1])
	}
}
