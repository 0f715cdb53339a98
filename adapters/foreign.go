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
	{"a Pi session", "This version does not read Pi sessions.", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool { return r.Type == "session" && r.Has("cwd", "timestamp") }) ||
			most(h, func(r *shape.Record) bool { return r.Type == "message" && r.Has("parentId", "message") })
	}},
	{"an agent-strace trace", "This version does not read agent-strace traces.", func(h *shape.Head) bool {
		return some(h, func(r *shape.Record) bool { return r.Has("event_type", "event_id") })
	}},
}

func some(h *shape.Head, f func(*shape.Record) bool) bool { return h.Share(f) > 0 }
func most(h *shape.Head, f func(*shape.Record) bool) bool { return h.Share(f) > 0.5 }

func contains(h *shape.Head, s string) bool { return bytes.Contains(h.Bytes, []byte(s)) }

// seen describes in a few words what an input that nobody recognises looks like.
func seen(h *shape.Head) string {
	b := h.Bytes
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return "a gzip archive"
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "a zstd archive"
	case bytes.HasPrefix(b, []byte("PK\x03\x04")):
		return "a zip archive"
	case bytes.HasPrefix(b, []byte("SQLite format 3")):
		return "a SQLite database"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return "text in UTF-16"
	case bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(b)), []byte("<!doctype html")), bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(b)), []byte("<html")):
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
