package analysis

import (
	"slices"
	"strings"

	"contextscope/core/behavior"
	"contextscope/core/compaction"
	"contextscope/core/journal"
	"contextscope/core/lint"
	"contextscope/core/models"
)

// Finding is a finding of a session, with the records that it is about.
type Finding struct {
	lint.Finding
	Of       *Session // the stream that it is about
	At       int64    // unix nanoseconds, 0 for the whole session
	HasPlace bool     // Start and End are known
	Start    journal.Source
	End      journal.Source
}

// rates are the prices of a model in dollars per million tokens.
type rates struct{ input, output, cacheRead, cacheWrite float64 }

// ratesOf looks the prices of a model up for a prompt of so many tokens; false where they are not known. Tests put their own in.
var ratesOf = func(model string, prompt int64) (rates, bool) {
	p, ok := models.PriceOf(model, prompt)
	return rates{p.Input, p.Output, p.CacheRead, p.CacheWrite}, ok
}

// spent is what a session and its streams cost by reported usage; false when some of it is not known.
func (a *Analysis) spent(s *Session) (dollars float64, ok bool) {
	for _, of := range a.Sessions {
		if of.whole() != s {
			continue
		}
		for i := range of.Requests {
			q := &of.Requests[i]
			r, known := ratesOf(a.Strings.Get(q.Model), q.Input)
			read, write := max(0, q.CacheRead), max(0, q.CacheWrite)
			if !known || q.Input == Unknown || r.output < 0 || read > 0 && r.cacheRead < 0 || write > 0 && r.cacheWrite < 0 {
				return 0, false
			}
			fresh := max(0, q.Input-read-write)
			dollars += (float64(fresh)*r.input + float64(read)*r.cacheRead + float64(write)*r.cacheWrite + float64(max(0, q.Output))*r.output) / 1e6
		}
	}
	return dollars, true
}

// Findings are what lint finds in a session's own stream. Failures are rules that broke down, in words.
func (a *Analysis) Findings(s *Session, o Options) (out []Finding, failures []string) {
	cuts := s.cuts(o.lintThreshold())
	found, failures := lint.Check(a.stream(s, cuts, o), o.Lint)
	for _, f := range found {
		v := Finding{Finding: f, Of: s}
		if f.From >= 0 {
			v.HasPlace = true
			v.Start, v.At = s.placeOf(&s.trail[f.From])
			v.End, _ = s.placeOf(&s.trail[f.To])
		}
		out = append(out, v)
	}
	return out, failures
}

// lintThreshold is the share of a prompt whose loss is a compaction: the person's choice, else that of the configuration.
func (o Options) lintThreshold() float64 {
	if o.Threshold == 0 && o.Lint != nil {
		for i, r := range o.Lint.Rules {
			if t := r.CompactionThreshold; t > 0 && lint.Rules[i].Name == "post-compaction-regression" {
				return t
			}
		}
	}
	return o.threshold()
}

// placeOf is the record that a step stands in, and when it was.
func (s *Session) placeOf(step *behavior.Step) (journal.Source, int64) {
	switch i := int(step.Call); {
	case i < 0:
		return s.Requests[step.Request].Source, s.Requests[step.Request].At
	case i < len(s.Calls):
		return s.Calls[i].Source, s.Calls[i].At
	default:
		return s.Files[i-len(s.Calls)].Source, 0
	}
}

// Behavior compares a session's own stream before and after each of its compactions, as the session's boundaries are numbered.
func (a *Analysis) Behavior(s *Session, o Options) []behavior.Diff {
	return a.behavior(s, s.cuts(o.threshold()), o)
}

func (a *Analysis) behavior(s *Session, cuts []compaction.Boundary, o Options) []behavior.Diff {
	return behavior.Compare(a.stream(s, cuts, o), o.BehaviorWindow, lint.Counter(o.Lint))
}

// findingRows are the findings as the page shows them, the heaviest first, with how many there are: a rule that broke down has
// a row and is none.
func (a *Analysis) findingRows(s *Session, o Options) (rows []FindingRow, n int64) {
	found, failures := a.Findings(s, o)
	for i := range found {
		f := &found[i]
		row := FindingRow{Rule: f.Rule, Level: f.Level.String(), Message: f.Message(a.shownPath(f.Path, o)), Sample: -1, Input: -1, At: millis(f.At)}
		if n := f.Request; n >= 0 && n < len(s.Requests) {
			row.Request, row.Sample = int64(n)+1, int(s.Requests[n].Snapshot)
		}
		if f.HasPlace {
			row.Input, row.Line = f.Start.Input, int64(f.Start.Line)
			row.LineEnd = int64(f.End.Line)
			row.Offset, row.Length = f.Start.Offset, f.Start.Length
		}
		if r := lint.Find(f.Rule); r >= 0 {
			row.Means, row.Threshold = lint.Rules[r].Means, o.lintConfig().Rules[r].Threshold
		}
		rows = append(rows, row)
	}
	for _, f := range failures {
		rows = append(rows, FindingRow{Rule: "lint", Level: lint.Info.String(), Message: f, Sample: -1, Input: -1})
	}
	slices.SortStableFunc(rows, func(a, b FindingRow) int { return weight(b.Level) - weight(a.Level) })
	return rows, int64(len(found))
}

func (o Options) lintConfig() *lint.Config {
	if o.Lint != nil {
		return o.Lint
	}
	return lint.Defaults()
}

func weight(level string) int { return strings.Index("info warning error", level) }

// finding writes a finding into the document.
func (d *document) finding(f *Finding) {
	d.open('{')
	d.keyString("rule", f.Rule)
	d.keyString("level", f.Level.String())
	d.keyString("message", f.Message(d.pathOf(f.Path)))
	if f.HasPlace {
		d.source("source_start", f.Start)
		d.source("source_end", f.End)
	}
	d.close('}')
}

// pathOf is a path as the document has it.
func (d *document) pathOf(r journal.Ref) string { return d.a.PathText(r, d.o) }

// shownPath is a path in a view: as it is on the person's own screen.
func (a *Analysis) shownPath(r journal.Ref, o Options) string {
	if o.Passed {
		return a.PathText(r, o)
	}
	return a.Strings.Get(r)
}

// PathText is a path as a person chose to pass it on: itself, or a token that keeps what kind of file it is.
func (a *Analysis) PathText(r journal.Ref, o Options) string {
	path := a.Strings.Get(r)
	if o.Include.Paths || path == "" {
		return path
	}
	kind := ""
	if name := path[strings.LastIndexByte(path, '/')+1:]; strings.LastIndexByte(name, '.') > 0 {
		if kind = name[strings.LastIndexByte(name, '.'):]; len(kind) > 8 {
			kind = ""
		}
	}
	for i := 1; i < len(kind); i++ {
		if c := kind[i] | 0x20; (c < 'a' || c > 'z') && (kind[i] < '0' || kind[i] > '9') {
			kind = ""
		}
	}
	return token("path", path) + kind
}

// behavior writes what changed with a compaction.
func (d *document) behavior(diff *behavior.Diff) {
	d.object("behavior", func() {
		d.measures("before", &diff.Before)
		d.measures("after", &diff.After)
		wasted := diff.Wasted()
		d.list("reread_files", len(wasted), func(i int) { d.string(d.pathOf(wasted[i])) })
		for _, c := range []struct {
			key string
			why behavior.Why
		}{{"reread_before_edit", behavior.BeforeEdit}, {"reread_changed", behavior.Changed}} {
			n := 0
			for _, r := range diff.Reread {
				if r.Why == c.why {
					n++
				}
			}
			d.keyInt(c.key, int64(n))
		}
		d.list("regressions", len(diff.Regressions), func(i int) { d.string(diff.Regressions[i]) })
		d.keyBool("regressed", diff.Regressed())
	})
}

func (d *document) measures(key string, m *behavior.Measures) {
	d.object(key, func() {
		for _, v := range []struct {
			key string
			n   int
		}{{"records", m.Steps}, {"requests", m.Requests}, {"calls", m.Calls}, {"files_read", m.FilesRead}, {"redundant_reads", m.RedundantReads},
			{"rereads", m.Rereads}, {"exploration_calls", m.Exploration}, {"repeated_exploration", m.RepeatedExploration},
			{"failures", m.Failures}, {"repeated_failures", m.RepeatedFailures}} {
			d.keyInt(v.key, int64(v.n))
		}
		if m.ToEdit >= 0 {
			d.keyInt("calls_until_edit", int64(m.ToEdit))
		}
		d.object("lint", func() {
			for i, n := range m.Lint {
				if n >= 0 {
					d.keyInt(lint.Rules[i].Name, int64(n))
				}
			}
		})
	})
}
