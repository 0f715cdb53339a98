package analysis

import (
	"fmt"
	"slices"
	"testing"

	"contextscope/core/journal"
	"contextscope/core/perfetto/byhand"
)

// A trace holds the fields of the format with their wire types, counters that go back to zero, and the annotation of schema version 1.
func TestATraceByItsBytes(t *testing.T) {
	a := spreadSession()
	s := a.Sessions[0]
	for i := range s.Snapshots { // a second each
		s.Snapshots[i].At = int64(1000+i) * 1e9
		s.Requests[i].At = int64(1000+i) * 1e9
	}
	s.StartedAt, s.EndedAt = 1000e9, 1010e9
	// A category that was there at first and is gone.
	s.Snapshots[0].Set(journal.Environment, 9)
	packets, err := byhand.Raw(a.AppendTrace(nil, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		name, unit, share string
		parent            uint64
	}
	rows := map[uint64]row{}
	counts := map[string]string{}
	begun, ended, snapshots := 0, 0, 0
	flows := map[uint64][]string{}
	last := uint64(0)
	for _, f := range packets {
		if f.Number != 1 || f.Wire != 2 {
			t.Fatalf("the trace has a field %d of the wire type %d", f.Number, f.Wire)
		}
		p, err := byhand.Raw(f.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if d := byhand.Sub(p, 60); d != nil {
			uuid, _ := byhand.Val(d, 1)
			parent, _ := byhand.Val(d, 5)
			c := byhand.Sub(d, 8)
			rows[uuid] = row{byhand.Word(d, 2), byhand.Word(c, 6), byhand.Word(c, 7), parent}
		}
		e := byhand.Sub(p, 11)
		if e == nil {
			continue
		}
		at, ok := byhand.Val(p, 8)
		if clock, _ := byhand.Val(p, 58); !ok || clock != 1 || at < last {
			t.Errorf("an event at %d behind one at %d, by clock %d", at, last, clock)
		}
		last = at
		track, _ := byhand.Val(e, 11)
		switch kind, _ := byhand.Val(e, 9); kind {
		case 1:
			begun++
			for _, m := range e {
				if m.Number == 47 && m.Wire == 1 {
					flows[m.N] = append(flows[m.N], byhand.Word(e, 23))
				}
			}
			for _, m := range e {
				if m.Number != 4 {
					continue
				}
				note, _ := byhand.Raw(m.Bytes)
				if byhand.Word(note, 10) != "context" {
					continue
				}
				snapshots++
				version := uint64(0)
				for _, entry := range note {
					if entry.Number == 11 {
						if in, _ := byhand.Raw(entry.Bytes); byhand.Word(in, 10) == "version" {
							version, _ = byhand.Val(in, 3)
						}
					}
				}
				if version != 1 {
					t.Errorf("a snapshot of version %d", version)
				}
			}
		case 2:
			ended++
		case 4:
			v, ok := byhand.Val(e, 30)
			if !ok {
				t.Error("a sample has no value")
			}
			counts[rows[track].name] += fmt.Sprintf(" %d=%d", at/1e9, v)
		}
	}
	// Each of the three results comes from its call: into the response that carried it first.
	added := 0
	for _, on := range flows {
		if slices.Contains(on, "response") && len(on) == 2 && (slices.Contains(on, "Read") || slices.Contains(on, "mcp__tracker__get_issue")) {
			added++
		}
	}
	if added != 6 { // three by the request that made the call, three by the one that carried the result
		t.Errorf("%d flows, want 6: %v", added, flows)
	}
	if begun != ended || begun < 1+5+3 || snapshots != 5 {
		t.Errorf("%d slices begin, %d end, %d snapshots", begun, ended, snapshots)
	}
	for name, want := range map[string]string{
		"Context: Environment":  " 1000=9 1001=0 1002=0 1003=0 1004=0 1010=0",
		"Context: Tool results": " 1001=200 1002=400 1003=700 1004=500 1010=0",
		"Context size":          " 1000=0 1000=109 1001=310 1002=520 1003=820 1004=620 1010=0",
	} {
		if counts[name] != want {
			t.Errorf("%s: %s, want %s", name, counts[name], want)
		}
	}
	for _, r := range rows {
		if r.unit != "" && (r.unit != "tokens" || r.share != "llm.context.tokens") {
			t.Errorf("%+v", r)
		}
		if len(r.name) > 9 && r.name[:9] == "Context: " && rows[r.parent].name != "Context" {
			t.Errorf("%s stands below %q", r.name, rows[r.parent].name)
		}
	}
}
