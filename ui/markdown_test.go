package ui

import (
	"reflect"
	"testing"
)

func TestMarkdownOfTheNotes(t *testing.T) {
	text := "# Pi sessions\n\nChecked with `v1`\nand **v2**, see [this](a.md).\n\n## Where\n\n| system | path |\n|---|---|\n| all | `~/.pi|x` |\n\n" +
		"* one `a*b`\n  goes on\n* two\n\nUnclosed `code and * star.\n"
	plain := func(s string) []span { return []span{{"", s}} }
	want := []block{
		{Kind: "h2", Spans: plain("Pi sessions")},
		{Kind: "p", Spans: []span{{"", "Checked with "}, {"code", "v1"}, {"", " and "}, {"strong", "v2"}, {"", ", see "}, {"", "this"}, {"", "."}}},
		{Kind: "h3", Spans: plain("Where")},
		{Kind: "table", Head: [][]span{plain("system"), plain("path")}, Rows: [][][]span{{plain("all"), {{"code", "~/.pi|x"}}}}},
		{Kind: "ul", Items: [][]span{{{"", "one "}, {"code", "a*b"}, {"", " goes on"}}, plain("two")}},
		{Kind: "p", Spans: []span{{"", "Unclosed `"}, {"", "code and *"}, {"", " star."}}},
	}
	got := markdown(text)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("block %d:\n%+v\nwant\n%+v", i, got, want)
		}
	}
}
