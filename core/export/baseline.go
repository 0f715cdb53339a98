package export

import (
	"bytes"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Fingerprint makes the fingerprint of a finding: its rule, its session and where it begins. What grows with a session, such
// as how often something was done, is not in it.
func Fingerprint(session string, f *Finding, file string) string {
	const hex = "0123456789abcdef"
	text := f.Rule + "\x00" + session + "\x00" + file
	if !f.Whole {
		text += "\x00" + string(appendInt(nil, f.Start.Offset))
	}
	h := journal.Hash([]byte(text))
	out := make([]byte, 16)
	for i := range out {
		out[i] = hex[h>>(60-4*i)&15]
	}
	return string(out)
}

func appendInt(b []byte, n int64) []byte {
	for ; n > 0; n /= 10 {
		b = append(b, byte('0'+n%10))
	}
	return b
}

// Baseline reads the fingerprints of findings that are known out of what JSON or SARIF wrote in an earlier run; false for
// anything that has no findings.
func Baseline(text []byte) (map[string]bool, bool) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	text = bytes.Map(func(c rune) rune {
		if c == '\n' || c == '\r' {
			return ' '
		}
		return c
	}, text)
	s := jsonl.NewScanner(bytes.NewReader(text), 0)
	r := &baseline{s: s, known: map[string]bool{}}
	if !s.Next() {
		return nil, false
	}
	r.value(0)
	if s.Finish() != nil || !r.listed {
		return nil, false
	}
	return r.known, true
}

type baseline struct {
	s      *jsonl.Scanner
	known  map[string]bool
	listed bool // there was a list of findings, if an empty one
}

// value looks for fingerprints in a value, however deep they are.
func (r *baseline) value(depth int) {
	switch {
	case depth > 16:
		r.s.Skip()
	case r.s.Object():
		for k := r.s.Key(); k != nil; k = r.s.Key() {
			switch string(k) {
			case "fingerprint", fingerprintKey:
				if v, _ := r.s.Str(64); len(v) > 0 {
					r.known[string(v)] = true
				}
			case "findings", "results":
				r.listed = r.listed || r.s.Kind() == jsonl.Array
				r.value(depth + 1)
			default:
				r.value(depth + 1)
			}
		}
	case r.s.Array():
		for r.s.Elem() {
			r.value(depth + 1)
		}
	default:
		r.s.Skip()
	}
}
