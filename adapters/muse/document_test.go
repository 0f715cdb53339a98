package muse_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contextscope/adapters"
	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

// sample is a session with what both forms must agree on: lanes, a call, a compaction.
func sample() *script {
	return session("s").metadata().prompt(chars(40)).event(trace(0, base, contextOf(40))).calls("c", "bash").completed(81000).
		result("c", chars(100)).event(installed("manual", `,"preserved_segment":{"head_sequence":2,"tail_sequence":2}`+strategy)).
		prompt(chars(8)).event(trace(0, base, contextOf(40))).answer(4).completed(25400)
}

// figures is the sessions of a document without places and inputs.
func figures(t *testing.T, a *analysis.Analysis) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(a.AppendJSON(nil, analysis.Options{}), &doc); err != nil {
		t.Fatal(err)
	}
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				strip(e)
			}
		case map[string]any:
			delete(v, "source")
			delete(v, "inputs")
			for _, e := range v {
				strip(e)
			}
		}
	}
	strip(doc["sessions"])
	out, err := json.Marshal(doc["sessions"])
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestAnExportIsTheSameSession, over many lines or on one, alone, twice, or beside the journal.
func TestAnExportIsTheSameSession(t *testing.T) {
	raw, export := sample().text(), sample().export()
	line := strings.ReplaceAll(export, "\n", "")
	want := figures(t, trial.Open(t, trial.File{Path: "a.jsonl", Text: raw}))
	if !strings.Contains(want, `"reported_tokens":25400`) {
		t.Fatalf("the journal: %s", want)
	}
	records := int64(len(sample().lines))
	for what, c := range map[string]struct {
		files      []trial.File
		duplicates []int64
	}{
		"an export":           {[]trial.File{{Path: "e.json", Text: export}}, []int64{0}},
		"on one line":         {[]trial.File{{Path: "e.json", Text: line}}, []int64{0}},
		"doubled":             {[]trial.File{{Path: "e.json", Text: export + "\n" + export}}, []int64{records}},
		"both":                {[]trial.File{{Path: "a.jsonl", Text: raw}, {Path: "e.json", Text: export}}, []int64{0, records}},
		"the export first":    {[]trial.File{{Path: "e.json", Text: line}, {Path: "a.jsonl", Text: raw}}, []int64{records, 0}},
		"the journal doubled": {[]trial.File{{Path: "a.jsonl", Text: raw + raw}}, []int64{records}},
		"a file of both":      {[]trial.File{{Path: "a.jsonl", Text: raw + line + "\n" + raw}}, []int64{2 * records}},
	} {
		a := trial.Open(t, c.files...)
		if got := figures(t, a); got != want {
			t.Errorf("%s gives other figures:\n%s\nwant\n%s", what, got, want)
		}
		if !slices.Equal(a.Duplicate, c.duplicates) {
			t.Errorf("%s: duplicates %v, want %v", what, a.Duplicate, c.duplicates)
		}
		if len(a.Sessions) != 1 || len(a.Sessions[0].Inputs) != len(c.files) {
			t.Errorf("%s: %s with inputs %v", what, trial.Sessions(a), a.Sessions[0].Inputs)
		}
		for i := range a.Inputs {
			if w := warnings(a, i); w != "" {
				t.Errorf("%s: warnings %s", what, w)
			}
		}
	}
}

// TestAPlaceInADocumentIsOneEnvelope: what a place of an export points at can be read by itself, and has no line.
func TestAPlaceInADocumentIsOneEnvelope(t *testing.T) {
	for what, text := range map[string]string{"lines": sample().export(), "one line": strings.ReplaceAll(sample().export(), "\n", " ")} {
		a := trial.Open(t, trial.File{Path: "e.json", Text: text})
		in := a.Inputs[0]
		for i := range in.Records.Len() {
			p := in.Records.At(i).Place(0)
			var e struct {
				ID string `json:"id"`
			}
			if err := json.Unmarshal([]byte(text[p.Offset:p.Offset+p.Length]), &e); err != nil || !strings.HasPrefix(e.ID, "s-") || p.Line != 0 {
				t.Errorf("%s: record %d is %q in line %d: %v", what, i, text[p.Offset:p.Offset+p.Length], p.Line, err)
			}
		}
		if in.Values != int64(len(sample().lines)) {
			t.Errorf("%s: %d records", what, in.Values)
		}
	}
}

func quoted(s string) string { return strconv.Quote(s) }

// TestAFrameHoldsWholeRecords: each is read; one that is broken is counted, and the others stay.
func TestAFrameHoldsWholeRecords(t *testing.T) {
	s := session("s")
	frame := func(children ...string) string {
		return `{"retained_frame":"x","frame_schema_version":1,"children":[` + strings.Join(children, ",") + `]}`
	}
	child := func(json string) string { return `{"child_index":0,"record_json":` + quoted(json) + `}` }
	prompt := s.envelope("runtime.session", `{"kind":"run","run_id":"n1","event":{"kind":"started","prompt":"`+chars(40)+` \u00e9\n"}}`)
	done := s.envelope("runtime.session", `{"kind":"run","run_id":"n1","event":{`+completed(100, 1)+`}}`)
	f := frame(child(prompt), child(`{"id":"x","payload":{"event":{"prompt":"`+chars(400)), child(`[]`), child(``), `{"child_index":1,"record_json":7}`, `{}`, `5`, child(done))
	text := s.metadata().line(f).text()
	a := trial.Open(t, trial.File{Path: "a.jsonl", Text: text})
	in, v := a.Inputs[0], a.Sessions[0]
	trial.Expect(t, v, "request transcript-observed baseline prompts=11 reported=100") // 43 characters
	if in.Malformed != 6 || in.Values != 3 || warnings(a, 0) != strings.TrimSuffix(strings.Repeat("malformed-record 2, ", 6), ", ") {
		t.Errorf("%d malformed, %d records, warnings %s", in.Malformed, in.Values, warnings(a, 0))
	}
	p := v.Requests[0].Source
	if got := text[p.Offset : p.Offset+p.Length]; got != child(done) || p.Line != 2 {
		t.Errorf("the request is at line %d: %s", p.Line, got)
	}
	// The same in an export.
	e := trial.Open(t, trial.File{Path: "e.json", Text: exportOf(1, "", append(s.lines[:1:1], f)...)})
	expect(t, "in an export", figures(t, e), figures(t, a))
	if e.Inputs[0].Malformed != 6 {
		t.Errorf("in an export: %d malformed", e.Inputs[0].Malformed)
	}
}

func TestAnUnknownVersionIsNamed(t *testing.T) {
	for version, want := range map[int]string{1: "", 2: "unknown-version 0", 0: "unknown-version 0"} {
		a := trial.Open(t, trial.File{Path: "e.json", Text: exportOf(version, "", sample().lines...)})
		expect(t, fmt.Sprint(version), warnings(a, 0), want)
		if want != "" && !strings.Contains(a.Warnings(0)[0].Message, fmt.Sprintf("version %d;", version)) {
			t.Errorf("the version is not named: %s", a.Warnings(0)[0].Message)
		}
	}
	a := trial.Open(t, trial.File{Path: "e.json", Text: strings.Replace(sample().export(), ": 1,", `: "one",`, 1)})
	expect(t, "no number", warnings(a, 0), "unknown-version 0")
}

func TestGapsAreTold(t *testing.T) {
	envelope := sample().lines[1]
	text := `{"export_schema_version":1,"events":[{"kind":"gap","marker":"omitted_live_only","stream":{"id":"s"}},{"envelope":` + envelope +
		`},{"kind":"gap","marker":"lost","stream":{"id":"s"}},{"kind":"gap"},{"kind":"novelty"},4,{"kind":"record","envelope":null}]}`
	a := trial.Open(t, trial.File{Path: "e.json", Text: text})
	expect(t, "warnings", warnings(a, 0), "recording-gap 0, recording-gap 0")
	if k := a.Inputs[0].Kinds; len(k) != 2 || k[0].Kind != "event/novelty" || k[1].Kind != "(not an object)" || k[1].Count != 2 {
		t.Errorf("unknown %v", k)
	}
	a, _ = session("s").prompt("a").line(`{"retained_marker":"omitted_live_only","position":{"id":"x","sequence":9}}`).
		line(`{"retained_marker":"lost"}`).completed(100).one(t)
	expect(t, "in a journal", warnings(a, 0), "recording-gap 3")
}

// TestCopiedContextIsNoSession: an export of a fork brings the history of another session along.
func TestCopiedContextIsNoSession(t *testing.T) {
	original := session("old").prompt(chars(400)).completed(5000)
	fork := session("new").prompt(chars(40)).completed(6000)
	text := exportOf(1, `{"session_id":"old","is_copied_context":true},{"session_id":"new","parent":{"session_id":"old","link":"fork"}},null,{}`, append(original.lines, fork.lines...)...)
	a := trial.Open(t, trial.File{Path: "e.json", Text: text})
	expect(t, "sessions", trial.Sessions(a), "new: 1 requests")
	expect(t, "warnings", warnings(a, 0), "copied-input 0")
	trial.Expect(t, a.Sessions[0], "request transcript-observed baseline prompts=10 reported=6000")
	if a.Sessions[0].Copied != 2 {
		t.Errorf("%d copied", a.Sessions[0].Copied)
	}
	// Beside its own journal the original is a session.
	a = trial.Open(t, trial.File{Path: "e.json", Text: text}, trial.File{Path: "old.jsonl", Text: original.text()})
	expect(t, "sessions", trial.Sessions(a), "old: 1 requests; new: 1 requests")
}

// TestTheCorpus: the figures that are stated for the invented journal with compactions, in both forms.
func TestTheCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "muse")
	read := func(name string) trial.File {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Skip("no corpus beside the project")
		}
		return trial.File{Path: name, Text: string(b)}
	}
	main := read("synthetic-compactions/session.jsonl")
	child := read("synthetic-compactions/subagent/01b20000-0000-7000-8000-000000000002/session.jsonl")
	export := read("synthetic-export.json")
	for what, files := range map[string][]trial.File{"raw": {main, child}, "export": {export, child}, "both": {export, main, child}} {
		a := trial.Open(t, files...)
		k := slices.IndexFunc(a.Sessions, func(s *analysis.Session) bool { return strings.HasSuffix(s.ID, "-000000000001") })
		s := a.Sessions[k]
		peak, last := int64(0), int64(0)
		for _, q := range s.Requests {
			peak, last = max(peak, q.Input), q.Input
		}
		if len(s.Requests) != 6 || peak != 81000 || last != 28000 || s.Attempts.Sum() != 2 {
			t.Errorf("%s: %d requests, peak %d, last %d, %d not installed", what, len(s.Requests), peak, last, s.Attempts.Sum())
		}
		expect(t, what, trial.Boundaries(a, k), "compaction auto 81000→25400 (91110→24957); context-edit  32100→28000 (-1→-1)")
		if c := a.Sessions[1-k]; len(a.Sessions) != 2 || len(c.Requests) != 1 || c.Requests[0].Input != 14000 || (what != "export" && c.Parent != s.ID) {
			t.Errorf("%s: %s", what, trial.Sessions(a))
		}
		for i, in := range a.Inputs {
			if in.Malformed > 0 || len(in.Kinds) > 0 || warnings(a, i) != "" {
				t.Errorf("%s: %s: %d malformed, unknown %v, %s", what, in.Name, in.Malformed, in.Kinds, warnings(a, i))
			}
		}
	}
	for what, f := range map[string]trial.File{"raw": main, "export": export} {
		if n, want := trial.Open(t, f).Inputs[0].Values, map[string]int64{"raw": 63, "export": 62}[what]; n != want {
			t.Errorf("%s: %d records, want %d", what, n, want)
		}
	}
}

// TestADocumentNeedNotFitIntoMemory: reading one takes memory for its records, not for its text.
func TestADocumentNeedNotFitIntoMemory(t *testing.T) {
	s := session("s")
	for range 200 {
		s.prompt(chars(1 << 16))
	}
	text := s.export()
	l := adapters.NewLibrary()
	n := testing.AllocsPerRun(1, func() {
		if err := l.Read(adapters.Input{Name: "e.json"}, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	})
	if n > 400 {
		t.Errorf("%v allocations for 200 records", n)
	}
}

func TestAFormIsRecognisedByWhatIsInIt(t *testing.T) {
	big := strings.Repeat(`{"kind":"record","recorded_at":1,"envelope":`+sample().lines[1]+"},", 2000) // more than is looked at
	for what, text := range map[string]string{
		"journal": sample().text(), "export": sample().export(),
		"a long export": `{"export_schema_version":1,"sessions":[],"events":[` + strings.TrimSuffix(big, ",") + `]}`,
		"events first":  `{"diagnostics":{},"events":[` + strings.TrimSuffix(big, ",") + `],"export_schema_version":1,"sessions":[]}`,
		"a frame":       `{"retained_frame":"x","children":[]}`,
	} {
		a := trial.Open(t, trial.File{Path: "notes (3).txt", Text: text})
		if a.Inputs[0].Format != "muse" || a.Inputs[0].Reason == "" {
			t.Errorf("%s is taken for %q, because %s", what, a.Inputs[0].Format, a.Inputs[0].Reason)
		}
	}
	for _, text := range []string{`{"events":[],"x":1}`, `{"type":"user","uuid":"a","sessionId":"s","message":{"content":"\"export_schema_version\""}}`, `{"export_schema`} {
		if a := trial.Open(t, trial.File{Path: "session.jsonl", Text: text}); a.Inputs[0].Format == "muse" {
			t.Errorf("%s is taken for Muse", text)
		}
	}
}
