package export

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"contextscope/core/lint"
)

// JUnit is a report in the form that test runners write and build servers read: a suite for each session, a case for each
// finding and for each rule that found none. A case fails where the finding decides the exit code: on an error, with strict on
// a warning too. The others are told in the suite's output.
func JUnit(sessions []Session, strict bool, config *lint.Config) []byte {
	b := []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
	for i := range sessions {
		b = suite(b, i, &sessions[i], strict, config)
	}
	return append(b, "</testsuites>\n"...)
}

// fails tells whether a finding decides the exit code.
func (f *Finding) fails(strict bool) bool {
	return !f.Known && (f.Level == lint.Error || strict && f.Level == lint.Warning)
}

func suite(b []byte, id int, s *Session, strict bool, config *lint.Config) []byte {
	var cases, out []byte
	tests, failures := 0, 0
	testcase := func(name, inside string) {
		tests++
		cases = append(cases, `    <testcase classname="`+attribute(s.Path)+`" name="`+attribute(name)+`" time="0"`...)
		if inside == "" {
			cases = append(cases, "/>\n"...)
			return
		}
		cases = append(cases, ">\n"+inside+"    </testcase>\n"...)
	}
	for i := range lint.Rules {
		if !config.Rules[i].Enabled {
			continue
		}
		n := 0
		for k := range s.Findings {
			f := &s.Findings[k]
			if f.Rule != lint.Rules[i].Name {
				continue
			}
			n++
			where := f.where(s)
			name := f.Rule
			if !f.Whole {
				name += " " + place(*f)
			}
			if f.fails(strict) {
				failures++
				testcase(name, `      <failure type="`+attribute(f.Rule)+`" message="`+attribute(f.Message)+`">`+content(where)+"</failure>\n")
				continue
			}
			testcase(name, "")
			known := ""
			if f.Known {
				known = " (known)"
			}
			out = append(out, levelText(f.Level)+" "+f.Rule+": "+f.Message+" ["+where+"]"+known+"\n"...)
		}
		if n == 0 {
			testcase(lint.Rules[i].Name, "")
		}
	}
	at := strings.TrimSuffix(s.Ended, "Z")
	if len(at) > 19 {
		at = at[:19]
	}
	if at == "" {
		at = "1970-01-01T00:00:00"
	}
	b = append(b, `  <testsuite id="`+strconv.Itoa(id)+`" name="`+attribute(s.Path)+`" package="`+attribute(s.ID)+`" timestamp="`+at+
		`" hostname="localhost" tests="`+strconv.Itoa(tests)+`" failures="`+strconv.Itoa(failures)+`" errors="0" time="0">`+"\n    <properties/>\n"...)
	b = append(b, cases...)
	return append(b, "    <system-out>"+content(string(out))+"</system-out>\n    <system-err></system-err>\n  </testsuite>\n"...)
}

// where is the place of a finding, as compilers write it.
func (f *Finding) where(s *Session) string {
	path := f.Path
	if path == "" {
		path = s.Path
	}
	if f.Whole || f.Start.Line == 0 {
		return path
	}
	return path + ":" + strconv.Itoa(int(f.Start.Line))
}

func attribute(s string) string { return escaped(s, true) }
func content(s string) string   { return escaped(s, false) }

// escaped makes text safe for XML, which knows no control characters at all.
func escaped(s string, quoted bool) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '&':
			b.WriteString("&amp;")
		case c == '"' && quoted:
			b.WriteString("&quot;")
		case (c == '\n' || c == '\t') && !quoted:
			b.WriteRune(c)
		case c < ' ' || c == 0xfffe || c == 0xffff || c == utf8.RuneError || c >= 0x7f && c < 0xa0:
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
