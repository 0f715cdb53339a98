package adapters_test

import (
	"strings"
	"testing"

	"contextscope/adapters/trial"
)

// TestForeignFilesAreRefusedByName: what we know and don't read is named, with what to open instead where there is
// something; none of it becomes a session.
func TestForeignFilesAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ what, text, seen, hint string }{
		{"Gemini lines", `{"sessionId":"g","projectHash":"ab","startTime":"2026-04-29T21:39:22Z","kind":"main"}` + "\n" + `{"id":"1","timestamp":"2026-04-29T21:39:33Z","type":"gemini","content":"hi"}`, "a Gemini CLI session", ""},
		{"Gemini document", "{\n \"sessionId\": \"g\",\n \"messages\": [\n  {\"id\": \"1\", \"type\": \"gemini\", \"content\": \"hi\"}\n ]\n}", "a Gemini CLI session", ""},
		{"Copilot", `{"type":"session.start","data":{"sessionId":"c","version":1}}` + "\n" + `{"type":"assistant.message","data":{}}`, "a GitHub Copilot CLI event log", ""},
		{"Kimi", `{"type":"metadata","protocol_version":"1.4","created_at":1}` + "\n" + `{"type":"turn.prompt","time":2}`, "a Kimi CLI log", ""},
		{"Qwen", `{"uuid":"q1","parentUuid":null,"sessionId":"q","timestamp":"2026-01-01T00:00:00Z","type":"user","cwd":"/w","version":"0.6.0","message":{"role":"user","parts":[{"text":"hi"}]}}` + "\n" +
			`{"uuid":"q2","parentUuid":"q1","sessionId":"q","timestamp":"2026-01-01T00:00:01Z","type":"assistant","model":"qwen3","message":{"role":"model","parts":[{"text":"hello"}]},"usageMetadata":{"promptTokenCount":900}}`, "a Qwen Code session", ""},
		{"Cursor", `{"role":"user","message":{"content":[{"type":"text","text":"hi"}]}}` + "\n" + `{"role":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}`, "a Cursor agent transcript", ""},
		{"OpenCode export", "{\n \"info\": {\"id\": \"ses_1\", \"title\": \"t\"},\n \"messages\": [{\"info\": {\"id\": \"msg_1\", \"sessionID\": \"ses_1\"}, \"parts\": []}]\n}", "OpenCode's session data", ""},
		{"OpenCode message", `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1}}`, "OpenCode's session data", ""},
		{"codex exec", `{"type":"thread.started","thread_id":"x"}` + "\n" + `{"type":"turn.started"}` + "\n" + `{"type":"item.completed","item":{}}`, "the output of codex exec --json", "~/.codex/sessions"},
		{"Claude history", `{"display":"fix","pastedContents":{},"timestamp":1,"project":"/w"}`, "Claude Code's prompt history", "~/.claude/projects"},
		{"Codex history", `{"session_id":"x","ts":1,"text":"fix"}`, "Codex's prompt history", "~/.codex/sessions"},
		{"our page", "<!doctype html>\n<html><head><meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"contextscope\"><title>x</title></head></html>", "a page of contextscope itself", "in a browser"},
		{"another page", "<!doctype html>\n<html><head><title>x</title></head></html>", "an HTML page", ""},
		{"plain JSON", "{\n \"name\": \"left-pad\",\n \"version\": \"1.0.0\"\n}", "one JSON document over many lines", ""},
		{"other lines", `{"a":1}` + "\n" + `{"a":2}`, "JSON records of a kind that no format here has", ""},
		{"SQLite", "SQLite format 3\x00\x10\x00", "a SQLite database", ""},
		{"text", "hello\nworld", "text that is no JSON", ""},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", "binary data", ""},
	} {
		a := trial.Open(t, trial.File{Path: "file", Text: c.text})
		in := a.Inputs[0]
		w := a.Warnings(0)
		if !in.Refused || len(a.Sessions) != 0 || len(w) != 1 {
			t.Errorf("%s: refused %v, %d sessions, warnings %v", c.what, in.Refused, len(a.Sessions), w)
			continue
		}
		if !strings.HasPrefix(in.Reason, c.seen) || !strings.Contains(w[0].Message, c.seen) || !strings.Contains(w[0].Hint, c.hint) ||
			!strings.Contains(w[0].Hint, "What can be opened") {
			t.Errorf("%s: seen as %q: %q, %q", c.what, in.Reason, w[0].Message, w[0].Hint)
		}
	}
}
