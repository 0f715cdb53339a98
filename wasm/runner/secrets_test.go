package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// planted is a journal that holds a secret of several kinds, a name, a path, a host and an address, in all places that a journal has.
func planted(t *testing.T) (path string, secrets, identities []string) {
	t.Helper()
	token := "ghp_" + strings.Repeat("aB3dE5gH7", 4)
	secrets = []string{token, "hunter2horse", "s3cr3tvalue9"}
	identities = []string{"adalove", "ada.l@acme.io", "build7.acme.internal", "10.20.30.40", "gateway/limiter.go"}
	text := "Never push with " + token + ", DB_PASSWORD=hunter2horse, mail ada.l@acme.io, ssh build7.acme.internal or 10.20.30.40, in /home/adalove/gateway/limiter.go."
	line := func(kind, id, parent, rest string) string {
		return `{"parentUuid":` + parent + `,"isSidechain":false,"cwd":"/home/adalove/gateway","sessionId":"11111111-2222-4333-8444-555555555555","version":"2.1.40","type":"` +
			kind + `","uuid":"` + id + `","timestamp":"2026-03-01T10:00:0` + id[len(id)-1:] + `.000Z",` + rest + "}\n"
	}
	usage := `,"usage":{"input_tokens":10,"cache_creation_input_tokens":500,"cache_read_input_tokens":90000,"output_tokens":40}`
	journal := line("user", "u1", "null", `"message":{"role":"user","content":"`+text+`"}`) +
		line("assistant", "u2", `"u1"`, `"message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"curl -H 'X-Api-Key: s3cr3tvalue9' https://build7.acme.internal/ && cat /home/adalove/gateway/limiter.go # `+token+`"}}]`+usage+`}`) +
		line("user", "u3", `"u2"`, `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"`+text+`"}]}`) +
		line("system", "u4", `"u3"`, `"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":90000}`) +
		line("user", "u5", `"u4"`, `"isCompactSummary":true,"message":{"role":"user","content":"Nothing of note."}`) +
		line("assistant", "u6", `"u5"`, `"message":{"id":"m2","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":10,"cache_creation_input_tokens":500,"cache_read_input_tokens":9000,"output_tokens":40}}`)
	path = filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(journal), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, secrets, identities
}

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	if code := Run(Process{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &complaints}); code > exitNothing {
		t.Fatalf("%v: %d %s", args, code, complaints.String())
	}
	return out.String()
}

func TestNothingPlantedIsPassedOn(t *testing.T) {
	path, secrets, identities := planted(t)
	const everything = "--include=titles,paths,prompts,facts,records"
	for _, args := range [][]string{
		{"analyze", "--json"}, {"analyze", "--json", everything}, {"compaction", "--diff", "--json"}, {"compaction", "--diff", "--json", everything},
		{"report"}, {"report", everything}, {"trace"}, {"trace", everything}, {"lint", "--format", "json"}, {"lint", "--format", "sarif", everything}, {"lint", "--format", "junit", everything},
	} {
		out := output(t, append(args, path)...)
		if len(out) < 100 {
			t.Errorf("%v prints only %q", args, out)
		}
		for _, s := range secrets {
			if strings.Contains(out, s) {
				t.Errorf("%v passes on the secret %q", args, s)
			}
		}
		for _, s := range identities[:4] {
			if strings.Contains(strings.ToLower(out), s) && !strings.Contains(strings.Join(args, " "), "sarif") {
				t.Errorf("%v passes on %q", args, s)
			}
		}
		if included := strings.Contains(out, identities[4]); included && !strings.Contains(strings.Join(args, " "), everything) {
			t.Errorf("%v passes on a path that nobody included", args)
		}
	}
	// What a person includes is there, with its masks; what they keep is not masked.
	out := output(t, "compaction", "--diff", "--json", everything, path)
	for _, want := range []string{"Never push with [masked: GitHub token]", "DB_PASSWORD=[masked: password]", "mail [masked: e-mail]", "ssh [masked: host] or [masked: IP address]", "[masked: home]/gateway/limiter.go"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%.3000s", want, out)
		}
	}
	kept := output(t, "compaction", "--diff", "--json", everything, "--keep", "home,hosts,emails", path)
	for _, s := range identities[:4] {
		if !strings.Contains(kept, s) {
			t.Errorf("%q was to be kept", s)
		}
	}
	for _, s := range secrets[:2] {
		if strings.Contains(kept, s) {
			t.Errorf("%q is a secret all the same", s)
		}
	}
}

// A person's own screen shows all but secrets.
func TestTheScreenShowsAllButSecrets(t *testing.T) {
	path, secrets, _ := planted(t)
	for _, args := range [][]string{{"compaction", "--diff"}, {"checkpoint"}, {"checkpoint", "--brief"}} {
		out := output(t, append(args, path)...)
		if !strings.Contains(out, "ada.l@acme.io") || !strings.Contains(out, "[masked: GitHub token]") {
			t.Errorf("%v: %s", args, out)
		}
		for _, s := range secrets {
			if strings.Contains(out, s) {
				t.Errorf("%v shows the secret %q", args, s)
			}
		}
	}
}
