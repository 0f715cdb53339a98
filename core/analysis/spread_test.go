package analysis

import (
	"testing"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// spreadSession: a file that is read twice, an answer of an MCP server, and a result that leaves before the last of five requests.
func spreadSession() *Analysis {
	var strings journal.Strings
	in := &journal.Input{}
	in.Strings = &strings
	a := New(&strings, []*journal.Input{in}, nil)
	s := a.NewSession("x", "s", 0)
	put := func(v string) journal.Ref { return strings.Put([]byte(v)) }
	item := func(prefix composition.Prefix, name string, tokens uint32, category journal.Category, source composition.SourceKind) composition.Item {
		it := composition.Item{ID: composition.ID{Prefix: prefix, Name: put(name)}, Tokens: tokens, Chars: tokens * 4, Category: category, Source: source}
		if prefix != composition.Named {
			it.Call = it.ID.Name
		}
		return it
	}
	request := func() {
		s.Requests = append(s.Requests, Request{Input: Unknown, Snapshot: int32(len(s.Snapshots))})
		s.Observe(composition.Moment{Reported: Unknown}, OnRequest, len(s.Requests)-1, journal.Source{})
	}
	call := func(id, name, detail string, args uint64, asked, answered uint32) {
		s.AddCall(Call{ID: put(id), Name: put(name), Detail: put(detail), Args: args})
		s.Put(item(composition.ToolCall, id, asked, journal.Assistant, composition.FromResponse))
		s.Put(item(composition.ToolResult, id, answered, journal.Results, composition.FromTool))
	}
	s.Put(item(composition.Named, "prompt", 100, journal.Prompts, composition.FromPrompt))
	request()
	call("c1", "Read", "/p/a.go", 1, 10, 200)
	request()
	call("c2", "Read", "/p/a.go", 1, 10, 200)
	request()
	call("c3", "mcp__tracker__get_issue", "", 9, 0, 300)
	request()
	s.Remove(composition.ID{Prefix: composition.ToolResult, Name: put("c1")})
	request()
	a.Keep(s)
	a.Arrange()
	return a
}

// By hand: the prompt is in 5 requests, the first read's result in 3 (it leaves), the second's in 3, their calls of 10 tokens in 4
// and 3, the issue in 2.
func TestWhereTheContextWent(t *testing.T) {
	a := spreadSession()
	got := a.Spread(0, SpreadQuestion{By: ByTool})
	if want := (SpreadOf{Items: 6, Tokens: 820, Carried: 500 + 600 + 600 + 40 + 30 + 600, Here: 620, Repeated: 1, RepeatedTokens: 200}); got.All != want || got.Listed != want {
		t.Errorf("all %+v, listed %+v, want %+v", got.All, got.Listed, want)
	}
	if got.Requests != 5 || got.Total != 3 {
		t.Errorf("%d requests and %d groups, want 5 and 3", got.Requests, got.Total)
	}
	read := got.Rows[0]
	if want := (SpreadOf{Items: 4, Tokens: 420, Carried: 1270, Here: 220, Repeated: 1, RepeatedTokens: 200}); read.Name != "Read" || read.SpreadOf != want {
		t.Errorf("%s %+v, want Read %+v", read.Name, read.SpreadOf, want)
	}
	if read.Reads != 2 || read.Rereads != 1 || read.Requests != 3 || read.Sample != 1 || read.Category != "results" {
		t.Errorf("%+v", read)
	}
	if got.Rows[1].Name != "mcp__tracker__get_issue" || got.Rows[1].Carried != 600 || got.Rows[2].Name != "User prompts" || got.Rows[2].Carried != 500 {
		t.Errorf("%+v", got.Rows[1:])
	}
	if len(got.Tiles) != 3 || got.Tiles[0] != (SpreadTile{"Read", "results", 1270}) {
		t.Errorf("tiles %+v", got.Tiles)
	}
}

func TestWhatBelongsToNoGroupIsTold(t *testing.T) {
	a := spreadSession()
	for by, want := range map[string]struct {
		name            string
		tokens, carried int64
	}{ByServer: {"tracker", 300, 600}, ByFile: {"/p/a.go", 420, 1270}} {
		got := a.Spread(0, SpreadQuestion{By: by})
		if len(got.Rows) != 1 || got.Rows[0].Name != want.name || got.Listed.Tokens != want.tokens || got.Listed.Carried != want.carried || got.All.Tokens != 820 {
			t.Errorf("%s: %+v", by, got)
		}
	}
	for _, by := range []string{BySkill, ByAgent} {
		if got := a.Spread(0, SpreadQuestion{By: by}); got.Total != 0 || len(got.Rows) != 0 || got.All.Tokens != 820 {
			t.Errorf("%s: %+v", by, got)
		}
	}
	if got := a.Spread(0, SpreadQuestion{By: ByItem, Order: "tokens", Limit: 2, Offset: 1}); got.Total != 6 || len(got.Rows) != 2 || got.Rows[0].Tokens != 200 {
		t.Errorf("%+v", got)
	}
	if got := a.Spread(7, SpreadQuestion{}); got.Total != 0 {
		t.Errorf("%+v", got)
	}
}

// A recording lists what changed; a baseline that leaves something out ends it.
func TestTheLedgerFollowsARecording(t *testing.T) {
	var l composition.Ledger
	item := func(hash uint64, tokens uint32) composition.Item {
		return composition.Item{ID: composition.ID{Hash: hash}, Tokens: tokens}
	}
	l.Follow(true, []composition.Change{{Item: item(1, 10)}, {Item: item(2, 20)}})
	l.Follow(false, []composition.Change{{Item: item(1, 15), Kind: composition.Replaced}, {Item: item(2, 20), Kind: composition.Removed}, {Item: item(3, 30), Kind: composition.Added}})
	l.Follow(true, []composition.Change{{Item: item(3, 30)}})
	want := []struct {
		tokens       uint32
		since, until int32
	}{{10, 0, 1}, {20, 0, 1}, {15, 1, 2}, {30, 1, composition.StillThere}}
	for i, w := range want {
		if s := l.Stays.At(i); s.Tokens != w.tokens || s.Since != w.since || s.Until != w.until {
			t.Errorf("stay %d: %+v, want %v", i, *s, w)
		}
	}
	if l.Stays.Len() != len(want) {
		t.Errorf("%d stays", l.Stays.Len())
	}
}

// Between the second and the last of the five samples a second read and an issue come, and the first read's result goes.
func TestBetweenTwoSamples(t *testing.T) {
	a := spreadSession()
	got := a.Between(0, BetweenQuestion{From: 1, To: 4})
	if got.Kept != (BetweenSum{2, 110, 110}) || got.Added != (BetweenSum{3, 0, 510}) || got.Removed != (BetweenSum{1, 200, 0}) || got.Replaced != (BetweenSum{}) {
		t.Errorf("%+v", got)
	}
	if got.Total != 4 || got.Rows[0].Change != "added" || got.Rows[0].After != 300 || got.Rows[0].Before != Unknown {
		t.Errorf("%+v", got.Rows)
	}
	back := a.Between(0, BetweenQuestion{From: 4, To: 1, Change: "removed"})
	if back.Removed != (BetweenSum{3, 510, 0}) || back.Total != 3 || back.Added.Items != 1 {
		t.Errorf("%+v", back)
	}
	if none := a.Between(0, BetweenQuestion{From: 0, To: 9}); none.Total != 0 || none.Kept.Items != 0 {
		t.Errorf("%+v", none)
	}
}
