package adapters_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
	"contextscope/core/wire"
)

// journal is a session with everything that must not leave it: a prompt, a path, a command, a result, a title.
var journal = strings.Join([]string{
	`{"parentUuid":null,"isSidechain":false,"sessionId":"s","version":"2.1.49","type":"user","message":{"role":"user","content":"PLANTED prompt of a person"},"uuid":"u1","timestamp":"2026-02-01T10:00:00.000Z","cwd":"/home/PLANTED"}`,
	`{"parentUuid":"u1","isSidechain":false,"sessionId":"s","type":"assistant","requestId":"r1","message":{"id":"m1","role":"assistant","model":"claude-opus-4-6","stop_reason":"tool_use","content":[{"type":"text","text":"PLANTED answer"},{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/home/PLANTED/secret.go"}}],"usage":{"input_tokens":3,"cache_creation_input_tokens":7,"cache_read_input_tokens":990,"output_tokens":12}},"uuid":"a1","timestamp":"2026-02-01T10:00:03.250Z"}`,
	`{"parentUuid":"a1","isSidechain":false,"sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"PLANTED result"}]},"uuid":"u2","timestamp":"2026-02-01T10:00:04.000Z"}`,
	`{"type":"custom-title","customTitle":"PLANTED title","sessionId":"s"}`,
	`{"type":"brand-new","uuid":"z1","sessionId":"s"}`,
	`{"broken PLANTED`,
	`{"parentUuid":"u2","isSidechain":false,"sessionId":"s","type":"assistant","requestId":"r2","message":{"id":"m2","role":"assistant","model":"claude-opus-4-6","stop_reason":null,"content":[{"type":"text","text":"PLANTED"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":7,"cache_read_input_tokens":250000,"output_tokens":1}},"uuid":"a2","timestamp":"2026-02-01T10:00:05.000Z"}`,
}, "\n") + "\n"

func TestNoTextIsInADocument(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "notes.jsonl", Text: journal})
	doc := string(a.AppendJSON(nil, analysis.Options{Pretty: true}))
	if i := strings.Index(doc, "PLANTED"); i >= 0 {
		t.Errorf("text got into the document: …%s…", doc[max(0, i-80):i+20])
	}
	titles := analysis.Options{Include: analysis.Include{Titles: true}}
	if doc = string(a.AppendJSON(nil, titles)); !strings.Contains(doc, `"title":"[masked: user] title"`) {
		t.Error("a title that was asked for is missing, or holds the name of who owns the home directory")
	}
	titles.Keep.Home = true
	if doc = string(a.AppendJSON(nil, titles)); !strings.Contains(doc, `"title":"PLANTED title"`) {
		t.Error("a title that was asked for is missing")
	}
}

// TestTheDocumentIsThatOfTheContract reads a document with the standard library and compares all of it.
func TestTheDocumentIsThatOfTheContract(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "notes.jsonl", Text: journal})
	var got, want any
	if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &got); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "document.json")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, a.AppendJSON(nil, analysis.Options{Pretty: true}), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the document differs from %s; it is\n%s", golden, a.AppendJSON(nil, analysis.Options{Pretty: true}))
	}
}

func TestTheChosenWindowIsInTheDocument(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "notes.jsonl", Text: journal})
	for _, c := range []struct {
		choice int64
		want   string
	}{{0, `"window_tokens":1000000,"window_source":"observed"`}, {300000, `"window_tokens":300000,"window_source":"choice"`}} {
		if doc := string(a.AppendJSON(nil, analysis.Options{Window: c.choice})); !strings.Contains(doc, c.want) {
			t.Errorf("with the choice %d there is no %s", c.choice, c.want)
		}
	}
}

func TestViewsSurviveTheWire(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "notes.jsonl", Text: journal})
	list, series := a.List(analysis.Options{}), a.Series(0, analysis.Options{})
	var list2 analysis.List
	var series2 analysis.Series
	if err := wire.Decode(wire.Append(nil, *list), &list2); err != nil || !reflect.DeepEqual(*list, list2) {
		t.Errorf("list: %v\n%+v\n%+v", err, *list, list2)
	}
	if err := wire.Decode(wire.Append(nil, *series), &series2); err != nil || !reflect.DeepEqual(*series, series2) {
		t.Errorf("series: %v", err)
	}
	row := list.Sessions[0]
	if row.Title != "PLANTED title" || row.Requests != 2 || row.PeakTokens != 250010 || !row.PeakReported || row.WindowTokens != 1000000 || row.WindowSource != "observed" || row.Parent != -1 {
		t.Errorf("row: %+v", row)
	}
	in := list.Inputs[0]
	if in.Format != "claude-code" || in.Malformed != 1 || len(in.Unknown) != 1 || in.Unknown[0] != (analysis.KindCount{Kind: "brand-new", Count: 1}) || in.Lines != 7 || len(in.Warnings) != 1 || in.Warnings[0].Line != 6 {
		t.Errorf("input: %+v", in)
	}
}

func TestChangesArePagedAndFiltered(t *testing.T) {
	a := trial.Open(t, trial.File{Path: "notes.jsonl", Text: journal})
	page := a.Changes(0, analysis.ChangeFilter{Sample: -1})
	if page.Total != 3 || len(page.Rows) != 3 {
		t.Fatalf("%d of %d rows, want the text, the call and its result", len(page.Rows), page.Total)
	}
	call := page.Rows[0]
	// "Read" and {"file_path":"/home/PLANTED/secret.go"} have 43 characters.
	if call.Tool != "Read" || call.Detail != "/home/PLANTED/secret.go" || call.Delta != 11 || call.Request != 2 || call.CallID != "t1" || call.Category != "assistant" || call.Line != 2 || call.Before != 7 || call.After != 26 {
		t.Errorf("the call: %+v", call)
	}
	if all := a.Changes(0, analysis.ChangeFilter{Sample: -1, All: true, Order: "time"}); all.Total != 4 || all.Rows[0].Change != "baseline" || all.Rows[0].Tool != "Prompt" || all.Rows[0].Detail != "PLANTED prompt of a person" {
		t.Errorf("with baselines: %+v", all.Rows)
	}
	if r := a.Changes(0, analysis.ChangeFilter{Sample: -1, Category: "results"}); r.Total != 1 || r.Rows[0].Tool != "Read" || r.Rows[0].Delta != 4 || r.Rows[0].Line != 3 {
		t.Errorf("results: %+v", r.Rows)
	}
	if p := a.Changes(0, analysis.ChangeFilter{Sample: -1, Offset: 2, Limit: 5}); p.Total != 3 || len(p.Rows) != 1 {
		t.Errorf("the last page: %d of %d", len(p.Rows), p.Total)
	}
	if p := a.Changes(0, analysis.ChangeFilter{Sample: 1}); p.Total != 0 {
		t.Errorf("sample 1 grew: %+v", p.Rows)
	}
	if p := a.Changes(7, analysis.ChangeFilter{}); p.Total != 0 {
		t.Error("a session that isn't there has changes")
	}
}
