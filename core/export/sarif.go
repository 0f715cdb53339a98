package export

import (
	"strings"

	"contextscope/core/lint"
)

// fingerprintKey names our fingerprints in SARIF: with another way of making them it gets another number.
const fingerprintKey = "contextscope/v1"

// SARIF is a log of the version 2.1.0: one run, the rules with their meaning, a result for each finding. What a baseline
// knows is there as suppressed.
func SARIF(sessions []Session, version string, config *lint.Config) []byte {
	w := &writer{}
	w.object(func() {
		w.text("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
		w.text("version", "2.1.0")
		w.list("runs", 1, func(int) {
			w.object(func() {
				w.member("tool", func() { w.member("driver", func() { w.driver(version, config) }) })
				w.text("columnKind", "utf16CodeUnits")
				w.results(sessions)
			})
		})
	})
	return append(w.b, '\n')
}

func (w *writer) driver(version string, config *lint.Config) {
	w.text("name", "contextscope")
	w.text("version", version)
	w.list("rules", len(lint.Rules), func(i int) {
		r := &lint.Rules[i]
		w.object(func() {
			w.text("id", r.Name)
			w.member("shortDescription", func() { w.text("text", r.Means) })
			w.member("defaultConfiguration", func() {
				w.flag("enabled", config.Rules[i].Enabled)
				w.text("level", sarifLevel(config.Rules[i].Level))
			})
		})
	})
}

func (w *writer) results(sessions []Session) {
	type result struct {
		s *Session
		f *Finding
	}
	var all []result
	for i := range sessions {
		for k := range sessions[i].Findings {
			all = append(all, result{&sessions[i], &sessions[i].Findings[k]})
		}
	}
	w.list("results", len(all), func(i int) {
		s, f := all[i].s, all[i].f
		w.object(func() {
			w.text("ruleId", f.Rule)
			w.number("ruleIndex", int64(lint.Find(f.Rule)))
			w.text("level", sarifLevel(f.Level))
			w.member("message", func() { w.text("text", f.Message) })
			w.list("locations", 1, func(int) { w.object(func() { w.location(s, f) }) })
			w.member("partialFingerprints", func() { w.text(fingerprintKey, f.Fingerprint) })
			if f.Known {
				w.list("suppressions", 1, func(int) { w.object(func() { w.text("kind", "external") }) })
			}
		})
	})
}

func (w *writer) location(s *Session, f *Finding) {
	w.member("physicalLocation", func() {
		path := f.Path
		if path == "" {
			path = s.Path
		}
		w.member("artifactLocation", func() { w.text("uri", uri(path)) })
		if f.Whole {
			return
		}
		w.member("region", func() {
			if f.Start.Line > 0 {
				w.number("startLine", int64(f.Start.Line))
				w.number("endLine", int64(max(f.Start.Line, f.End.Line)))
			} else {
				w.number("byteOffset", f.Start.Offset)
				w.number("byteLength", f.Start.Length)
			}
		})
	})
	w.list("logicalLocations", 1, func(int) {
		w.object(func() {
			w.text("fullyQualifiedName", s.ID)
			w.text("kind", "member")
		})
	})
}

// uri is a path as a reference that a URI may be: a relative path stays relative.
func uri(path string) string {
	if len(path) > 1 && path[1] == ':' {
		path = "/" + strings.ReplaceAll(path, `\`, "/")
	}
	const hex = "0123456789ABCDEF"
	b := make([]byte, 0, len(path))
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/@!$&'()*+,;=", c) >= 0:
			b = append(b, c)
		default:
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	if strings.HasPrefix(path, "/") {
		return "file://" + string(b)
	}
	return string(b)
}
