package browsertests

import (
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
)

// oneFile is the address of the one-file page on disk.
func oneFile() string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dist, "contextscope.html"))}).String()
}

// claudeLines is an invented session of Claude Code: requests prompts, each with an answer that calls a tool and the
// tool's result. title is its first prompt.
func claudeLines(session, title string, requests int) []string {
	const frame = `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/ada/project","sessionId":"%s",` +
		`"version":"2.1.40","gitBranch":"main","type":"%s","message":%s,"uuid":"%s","timestamp":"2026-03-01T10:%02d:%02d.000Z"}`
	var lines []string
	parent := "null"
	add := func(kind, message string) {
		n := len(lines)
		uuid := fmt.Sprintf("%.8s-0000-4000-8000-%012d", session+"--------", n+1)
		lines = append(lines, fmt.Sprintf(frame, parent, session, kind, message, uuid, n/60, n%60))
		parent = `"` + uuid + `"`
	}
	add("user", fmt.Sprintf(`{"role":"user","content":%s}`, quoted(title)))
	for i := range requests {
		add("assistant", fmt.Sprintf(`{"id":"msg_%[2]s_%[1]d","type":"message","role":"assistant","model":"claude-opus-4-6",`+
			`"content":[{"type":"tool_use","id":"toolu_%[2]s_%[1]d","name":"Read",`+
			`"input":{"file_path":"/home/ada/project/file%[1]d.go"}}],`+
			`"stop_reason":"tool_use","usage":{"input_tokens":10,"cache_creation_input_tokens":500,`+
			`"cache_read_input_tokens":%[3]d,"output_tokens":40}}`, i, session, 20000+i*600))
		add("user", fmt.Sprintf(`{"role":"user","content":[{"tool_use_id":"toolu_%[2]s_%[1]d","type":"tool_result",`+
			`"content":"line one of file %[1]d\nline two, and some more text that fills the context a little"}]}`, i, session))
	}
	return lines
}

// claudeSession writes such a session into a file.
func claudeSession(t *testing.T, name string) string {
	t.Helper()
	return write(t, name, claudeLines("11111111-2222-4333-8444-555555555555", "Please read the files", 12)...)
}
