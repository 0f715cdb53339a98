package runner

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/behavior"
)

// events writes a recording of one session: each item is a tool, with ! in front when its call failed.
func events(id string, at int, calls ...string) string {
	var b strings.Builder
	n := 0
	add := func(kind, data string) {
		n++
		fmt.Fprintf(&b, `{"event_type":"%s","timestamp":%d,"event_id":"%s%d","session_id":"%s","data":{%s}}`+"\n", kind, at+n, id, n, id, data)
	}
	for i, c := range calls {
		tool, failed := strings.CutPrefix(c, "!")
		switch tool {
		case "budget":
			add("session_start", `"budget_dollars":1`)
			continue
		case "end":
			add("session_end", `"x":1`)
			continue
		}
		add("tool_call", fmt.Sprintf(`"tool_name":"%s","request_id":"c%d","arguments":{"file_path":"src/secret.go"}`, tool, i))
		if failed {
			add("error", fmt.Sprintf(`"tool_use_id":"c%d","error":"no"`, i))
		}
	}
	return b.String()
}

// carryOut carries out a command line and returns what it printed.
func carryOut(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, complaints bytes.Buffer
	code = Run(Process{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints})
	return out.String(), complaints.String(), code
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var loops = []string{"!Bash", "!Bash", "!Bash", "Read", "Read", "Read", "end"}

func TestRowL13TheReportOfLint(t *testing.T) {
	clean := file(t, "events.ndjson", events("quiet", 1, "Read", "Write", "end"))
	out, _, code := carryOut(t, "lint", clean)
	if out != "✓  No issues found in session quiet\n" || code != 0 {
		t.Errorf("%d %q", code, out)
	}
	out, _, code = carryOut(t, "lint", file(t, "events.ndjson", events("s1", 1, loops...)))
	want := "── Session s1 ──\nWARN   error-retry-loop        Bash failed 3 times in a row with the same arguments (line 1–5)\n" +
		"WARN   no-output               the session ended without a file having been written\n" +
		"INFO   redundant-read          src/secret.go was read 3 times and had not changed (line 7–9)\n" +
		"\n0 error(s), 2 warning(s), 1 info(s). Exit code: 0; with --strict a warning gives 1\n"
	if out != want || code != 0 {
		t.Errorf("%d\n%s\nwant\n%s", code, out, want)
	}
}

func TestRowL14ExitCodesOfLint(t *testing.T) {
	warned := file(t, "events.ndjson", events("s1", 1, loops...))
	errors := file(t, "c.json", `{"no-output":{"level":"error"}}`)
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"lint", file(t, "events.ndjson", events("quiet", 1, "Read", "Write", "end")), "--strict"}, 0},
		{[]string{"lint", warned}, 0},
		{[]string{"lint", "--strict", warned}, 1},
		{[]string{"lint", "--config", errors, warned}, 1},
		{[]string{"lint", "--session", "nobody", warned}, 2}, // the contract: an id that nothing has is wrong use
		{[]string{"lint", "--baseline", "nowhere.json", warned}, 2},
		{[]string{"lint", file(t, "notes.txt", "nothing")}, 1},
	} {
		if _, complaints, code := carryOut(t, c.args...); code != c.code {
			t.Errorf("%v: exit %d, want %d: %s", c.args, code, c.code, complaints)
		}
	}
}

func TestRowL12TheConfigurationOfLint(t *testing.T) {
	journal := file(t, "events.ndjson", events("s1", 1, loops...))
	out, complaints, _ := carryOut(t, "lint", "--config", file(t, "c.json", "{\n \"error-retry-loop\": {\"threshold\": 99},\n \"no-output\": {\"enabled\": false},\n \"my-rule\": {\"x\": 1},\n \"tool-loop\": {\"treshold\": 1}\n}"), journal)
	if !strings.Contains(out, "0 error(s), 0 warning(s), 1 info(s).") {
		t.Error(out)
	}
	if !strings.Contains(complaints, `no rule is called "my-rule"`) || !strings.Contains(complaints, `tool-loop: "treshold" is no setting`) {
		t.Error(complaints)
	}
	for _, bad := range []string{file(t, "c.json", "{"), file(t, "c.json", "[]"), "nowhere.json"} {
		out, complaints, code := carryOut(t, "lint", "--config", bad, journal)
		if !strings.Contains(out, "0 error(s), 2 warning(s), 1 info(s).") || !strings.Contains(complaints, "the defaults hold") || code != 0 {
			t.Errorf("%d %s %s", code, out, complaints)
		}
	}
}

func TestLintTakesTheNewestMainSession(t *testing.T) {
	dir := t.TempDir()
	for id, at := range map[string]int{"old": 100, "new": 9000, "mid": 500} {
		if err := os.WriteFile(filepath.Join(dir, id+".ndjson"), []byte(events(id, at, "Read", "Write", "end")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, _, _ := carryOut(t, "lint", dir); !strings.Contains(out, "session new") {
		t.Error(out)
	}
	if out, _, _ := carryOut(t, "lint", "--session", "mi", dir); !strings.Contains(out, "session mid") {
		t.Error(out)
	}
}

func TestLintAsJSONAndWithABaseline(t *testing.T) {
	journal := file(t, "events.ndjson", events("s1", 1, loops...))
	for _, format := range []string{"json", "sarif"} {
		out, _, _ := carryOut(t, "lint", "--format", format, journal)
		known := file(t, "known", out)
		if strings.Contains(out, "secret") {
			t.Errorf("a path is in %s", out)
		}
		if out, complaints, code := carryOut(t, "lint", "--strict", "--baseline", known, journal); code != 0 || out != "✓  No issues found in session s1 beyond 3 known\n" {
			t.Errorf("%d %s %s", code, out, complaints)
		}
		// What goes on is still known, and what is new counts.
		more := file(t, "events.ndjson", events("s1", 1, append(loops[:6:6], "Read", "!Grep", "!Grep", "!Grep", "end")...))
		out, _, code := carryOut(t, "lint", "--strict", "--baseline", known, more)
		if code != 1 || !strings.Contains(out, "0 error(s), 1 warning(s), 0 info(s). 3 known.") || !strings.Contains(out, "Grep failed") {
			t.Errorf("%d %s", code, out)
		}
	}
	out, _, _ := carryOut(t, "lint", "--format", "json", "--include", "paths", journal)
	var doc struct {
		ID                      string `json:"session_id"`
		Errors, Warnings, Infos *int
		Findings                []struct {
			Rule, Level, Message string
			Start                int `json:"line_start"`
			End                  int `json:"line_end"`
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.ID != "s1" || *doc.Errors != 0 || *doc.Warnings != 2 || *doc.Infos != 1 || len(doc.Findings) != 3 ||
		doc.Findings[0].Rule != "redundant-read" || doc.Findings[0].Level != "info" || doc.Findings[0].Start != 7 || doc.Findings[0].End != 9 ||
		!strings.HasPrefix(doc.Findings[0].Message, "src/secret.go ") {
		t.Errorf("%+v", doc)
	}
	if _, complaints, code := carryOut(t, "lint", "--baseline", file(t, "b", `{"a":1}`), journal); code != 2 || !strings.Contains(complaints, "has no findings") {
		t.Errorf("%d %s", code, complaints)
	}
}

// The members that the schema of SARIF 2.1.0 demands, with their types, and no others: it allows none that it does not name.
func TestSARIFHoldsToItsSchema(t *testing.T) {
	path := file(t, "my events.ndjson", events("s1", 1, loops...))
	out, _, _ := carryOut(t, "lint", "--format", "sarif", path)
	type text struct{ Text string }
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			ColumnKind string
			Tool       struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID                   string
						ShortDescription     text
						DefaultConfiguration struct {
							Enabled bool
							Level   string
						}
					}
				}
			}
			Results []struct {
				RuleID    string
				RuleIndex *int
				Level     string
				Message   text
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine, EndLine, ByteOffset, ByteLength int }
					}
					LogicalLocations []struct{ FullyQualifiedName, Kind string }
				}
				PartialFingerprints map[string]string
				Suppressions        []struct{ Kind string }
			}
		}
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if log.Version != "2.1.0" || run.Tool.Driver.Name != "contextscope" || len(run.Tool.Driver.Rules) != 8 || len(run.Results) != 3 {
		t.Fatalf("%s", out)
	}
	levels := map[string]bool{"none": true, "note": true, "warning": true, "error": true}
	for _, r := range run.Tool.Driver.Rules {
		if r.ID == "" || r.ShortDescription.Text == "" || !levels[r.DefaultConfiguration.Level] {
			t.Errorf("%+v", r)
		}
	}
	for _, r := range run.Results {
		at := r.Locations[0].PhysicalLocation
		if r.RuleIndex == nil || run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID || !levels[r.Level] || r.Message.Text == "" {
			t.Errorf("%+v", r)
		}
		if want := "file://" + strings.ReplaceAll(filepath.ToSlash(path), " ", "%20"); at.ArtifactLocation.URI != want {
			t.Errorf("%s, want %s", at.ArtifactLocation.URI, want)
		}
		if at.Region != nil && (at.Region.StartLine < 1 || at.Region.EndLine < at.Region.StartLine) {
			t.Errorf("%+v", at.Region)
		}
	}
}

// The order of elements and the attributes that the schema of JUnit's reports demands.
func TestJUnitHoldsToItsSchema(t *testing.T) {
	path := file(t, "a&b.ndjson", events("s1", 1, loops...))
	out, _, _ := carryOut(t, "lint", "--strict", "--format", "junit", path)
	var report struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []struct {
			ID, Name, Package, Timestamp, Hostname, Time string
			Attrs                                        []xml.Attr `xml:",any,attr"`
			Parts                                        []struct {
				XMLName  xml.Name
				Attrs    []xml.Attr `xml:",any,attr"`
				Failures []struct {
					Type    string `xml:"type,attr"`
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
				Text string `xml:",chardata"`
			} `xml:",any"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	attributes := func(list []xml.Attr) map[string]string {
		m := map[string]string{}
		for _, a := range list {
			m[a.Name.Local] = a.Value
		}
		return m
	}
	s := report.Suites[0]
	a := attributes(s.Attrs)
	if a["tests"] != "8" || a["failures"] != "2" || a["errors"] != "0" || a["name"] != path || a["package"] != "s1" || a["id"] != "0" ||
		a["timestamp"] != "1970-01-01T00:00:11" || a["hostname"] == "" || a["time"] == "" {
		t.Errorf("%v", a)
	}
	order, failures := "", 0
	for _, p := range s.Parts {
		if !strings.HasSuffix(order, p.XMLName.Local+" ") {
			order += p.XMLName.Local + " "
		}
		if c := attributes(p.Attrs); p.XMLName.Local == "testcase" && (c["classname"] != path || c["name"] == "" || c["time"] == "") {
			t.Errorf("%v", c)
		}
		for _, f := range p.Failures {
			failures++
			if f.Type == "" || f.Message == "" || !strings.HasPrefix(f.Text, path) {
				t.Errorf("%+v", f)
			}
		}
		if p.XMLName.Local == "system-out" && !strings.Contains(p.Text, "INFO redundant-read") {
			t.Errorf("%s", p.Text)
		}
	}
	if order != "properties testcase system-out system-err " || failures != 2 {
		t.Errorf("%s, %d failures", order, failures)
	}
}

func TestTheSectionOnBehavior(t *testing.T) {
	text := events("s1", 1, "Read") + `{"event_type":"llm_request","timestamp":5,"event_id":"u1","session_id":"s1","data":{"model":"claude-sonnet-4","input_tokens":150000}}
{"event_type":"llm_request","timestamp":6,"event_id":"u2","session_id":"s1","data":{"model":"claude-sonnet-4","input_tokens":10000}}
{"event_type":"tool_call","timestamp":7,"event_id":"u3","session_id":"s1","data":{"tool_name":"Read","request_id":"r2","arguments":{"file_path":"src/secret.go"}}}
`
	l := adapters.NewLibrary()
	if err := l.Read(adapters.Input{Name: "events.ndjson", Size: int64(len(text))}, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	a := l.Settle()
	d := a.Behavior(a.Sessions[0], analysis.Options{})
	got := string(behaviorSection(nil, 1, &d[0]))
	want := "Behavior change after compaction #1\n" + strings.Repeat("─", 78) + `
Before:  1 unique files read, 0 redundant-read violations, 0 re-reads, 0 explorations (0 repeated), 0 failures (0 repeated), no edit; 1 requests, 1 calls
After:   1 unique files read, 0 redundant-read violations, 1 re-reads, 0 explorations (0 repeated), 0 failures (0 repeated), no edit; 1 requests, 1 calls
Files read again: 0 before an edit, 0 changed since, 1 without a reason that shows
Lint delta:
  context-saturation: 0 -> 0
  error-retry-loop: 0 -> 0
  reasoning-spiral: 0 -> 0
  redundant-read: 0 -> 0
  tool-loop: 0 -> 0
  - re-read 1 pre-compaction file(s) without an edit or a change that asks for it
Verdict: behavior regressed after compaction #1
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	json := string(a.AppendJSON(nil, analysis.Options{Behavior: true}))
	for _, want := range []string{`"behavior":{"before":{"records":2,`, `"reread_files":["path-`, `.go"],`, `"regressed":true}`, `"findings":[{"rule":"post-compaction-regression","level":"warning","message":"worse after compaction 1 (93% dropped; `} {
		if !strings.Contains(json, want) {
			t.Errorf("%s is not in %s", want, json)
		}
	}
	if strings.Contains(json, "secret") || strings.Contains(string(a.AppendJSON(nil, analysis.Options{})), `"behavior"`) {
		t.Error("more is in the document than was asked for")
	}
	for value, want := range map[string]behavior.Window{"50": {N: 50}, "20r": {N: 20, Requests: true}, "0": {}, "-1": {}, "x": {}, "": {}} {
		if w, err := behaviorWindow(value); w != want || (err == nil) != (want.N > 0) {
			t.Errorf("%q: %v %v", value, w, err)
		}
	}
}
