package muse

import (
	"bytes"
	"fmt"

	"contextscope/adapters/shape"
)

// Sniff recognises Muse by its envelope, by frames and markers, and by the members of an export document.
func Sniff(h *shape.Head) (float64, string) {
	lines, documents := 0, 0
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Has("payload_type", "recorded_at"), r.Has("retained_frame"), r.Has("retained_marker"):
			lines++
		case r.Has("export_schema_version"), r.Has("events", "sessions"):
			documents++
		}
	}
	switch n := len(h.Records); {
	case documents > 0 && documents >= lines:
		return float64(documents+lines) / float64(n), "a document of muse export: it has events and an export_schema_version"
	case lines > 0:
		return float64(lines+documents) / float64(n),
			fmt.Sprintf("%d of the first %d records have Muse's payload_type and recorded_at, or are retained frames", lines, n)
	case n == 0 && begun(h.Bytes):
		return 0.9, "the beginning of a document of muse export"
	}
	return 0, ""
}

// begun recognises a document that is longer than its beginning, or cut: no record of it is whole, in whatever order its
// members stand.
func begun(b []byte) bool {
	b = bytes.TrimLeft(b, "\ufeff \t\r\n")
	has := func(s string) bool { return bytes.Contains(b, []byte(s)) }
	return len(b) > 0 && b[0] == '{' && (has(`"export_schema_version"`) ||
		has(`"events"`) && has(`"envelope"`) && has(`"payload_type"`) && has(`"recorded_at"`))
}
