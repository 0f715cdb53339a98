package adapters

import (
	"bytes"
	"strings"

	"contextscope/adapters/shape"
)

// foreign are formats that we know and don't read. Naming one is more help than "not recognised".
var foreign = []struct {
	name string
	hint string
	is   func(h *shape.Head) bool
}{
	{"a page of contextscope itself", "Open it in a browser: what it shows is inside of it.", func(h *shape.Head) bool {
		return html(h.Bytes) && contains(h, generator)
	}},
	{"a Gemini CLI session", "", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool { return r.Has("sessionId", "projectHash") || r.Type == "gemini" }) ||
			h.Document && (contains(h, `"gemini"`) || contains(h, `"projectHash"`)) && contains(h, `"messages"`)
	}},
	{"a GitHub Copilot CLI event log", "", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool {
			return r.Has("data") && (strings.HasPrefix(r.Type, "session.") || strings.HasPrefix(r.Type, "assistant.") || strings.HasPrefix(r.Type, "tool."))
		})
	}},
	{"a Kimi CLI log", "", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool {
			return r.Type == "metadata" && r.Has("protocol_version") || r.Type == "config.update" || r.Type == "turn.prompt"
		})
	}},
	{"a Qwen Code session", "", func(h *shape.Head) bool { // the members of Claude Code's lines, with Gemini's parts in the message
		return some(h, func(r *shape.Record) bool { return r.Has("uuid", "sessionId") && r.Inside("parts") })
	}},
	{"a Cursor agent transcript", "", func(h *shape.Head) bool {
		return most(h, func(r *shape.Record) bool {
			return r.Type == "" && r.Has("role", "message") && r.Inside("content") && !r.Has("timestamp") && !r.Has("uuid")
		})
	}},
	{"OpenCode's session data", "", func(h *shape.Head) bool {
		return contains(h, `"ses_`) && some(h, func(r *shape.Record) bool {
			return r.Has("id", "sessionID") || r.Has("id", "projectID") || r.Has("info", "messages")
		})
	}},
	{"the output of codex exec --json", "Open the rollout file of the same run instead: it lies in ~/.codex/sessions.", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool {
			return r.Type == "thread.started" || strings.HasPrefix(r.Type, "item.") || r.Type == "turn.started" && !r.Has("payload")
		})
	}},
	{"Claude Code's prompt history", "Open the transcripts instead: they lie in ~/.claude/projects.", func(h *shape.Head) bool {
		return most(h, func(r *shape.Record) bool { return r.Has("display", "pastedContents") })
	}},
	{"Codex's prompt history", "Open the rollouts instead: they lie in ~/.codex/sessions.", func(h *shape.Head) bool {
		return most(h, func(r *shape.Record) bool { return r.Has("session_id", "ts", "text") })
	}},
}

func some(h *shape.Head, f func(*shape.Record) bool) bool { return h.Share(f) > 0 }
func most(h *shape.Head, f func(*shape.Record) bool) bool { return h.Share(f) > 0.5 }

func contains(h *shape.Head, s string) bool { return bytes.Contains(h.Bytes, []byte(s)) }

// generator is in the head of every page that contextscope makes: the app in one file, and its reports.
const generator = `<meta name="generator" content="contextscope`

func html(b []byte) bool {
	b = bytes.ToLower(bytes.TrimLeft(b[:min(len(b), 4096)], "\ufeff \t\r\n"))
	return bytes.HasPrefix(b, []byte("<!doctype html")) || bytes.HasPrefix(b, []byte("<html"))
}

// seen describes in a few words what an input that nobody recognises looks like.
func seen(h *shape.Head) string {
	b := h.Bytes
	switch {
	case packedBy(b) != "":
		return packedBy(b)
	case bytes.HasPrefix(b, []byte("SQLite format 3")):
		return "a SQLite database, such as Cursor and OpenCode keep their sessions in"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return "text in UTF-16"
	case html(b):
		return "an HTML page"
	case h.Document:
		return "one JSON document over many lines"
	case len(h.Records) > 0:
		return "JSON records of a kind that no format here has"
	case h.Values > 0 && len(b) > 0 && (b[0] == '{' || b[0] == '['):
		return "JSON that is damaged or of a kind that no format here has"
	case bytes.IndexByte(b, 0) >= 0:
		return "binary data"
	}
	return "text that is no JSON"
}

// packedBy names an archive of a kind that is not opened.
func packedBy(b []byte) string {
	for _, kind := range [][2]string{
		{"BZh", "a bzip2 archive"}, {"\xfd7zXZ\x00", "an xz archive"}, {"7z\xbc\xaf\x27\x1c", "a 7z archive"}, {"Rar!\x1a\x07", "a RAR archive"},
		{"\x04\x22\x4d\x18", "an lz4 archive"}, {"\x1f\x9d", "a compress archive"}, {"LZIP", "an lzip archive"},
	} {
		if bytes.HasPrefix(b, []byte(kind[0])) {
			return kind[1]
		}
	}
	return ""
}
