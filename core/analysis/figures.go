package analysis

import (
	"contextscope/core/compaction"
	"contextscope/core/journal"
	"contextscope/core/models"
)

// millis turns unix nanoseconds into the milliseconds of the views.
func millis(ns int64) int64 {
	if ns == 0 {
		return 0
	}
	return ns / 1e6
}

// windows looks windows up for one session: what was observed for each model is gathered once.
type windows struct {
	a        *Analysis
	choice   int64
	observed map[journal.Ref]int64
	known    map[windowKey]windowValue
	names    map[journal.Ref]string
}

type windowKey struct {
	model   journal.Ref
	journal int64
}

type windowValue struct {
	tokens int64
	source string
}

func (a *Analysis) windows(s *Session, choice int64) *windows {
	w := &windows{a: a, choice: choice, observed: map[journal.Ref]int64{}, known: map[windowKey]windowValue{},
		names: map[journal.Ref]string{}}
	for i := range s.Requests {
		q := &s.Requests[i]
		w.observed[q.Model] = max(w.observed[q.Model], q.Input)
	}
	for i := range s.Boundaries { // what the harness counted before it compacted was in the window, too
		b := &s.Boundaries[i]
		if k := int(b.Requests) - 1; k >= 0 && k < len(s.Requests) && b.Kind == compaction.Compaction {
			w.observed[s.Requests[k].Model] = max(w.observed[s.Requests[k].Model], b.HarnessFrom)
		}
	}
	return w
}

// of is the window of a model of which the journal says so much; Unknown without a source when nothing tells.
func (w *windows) of(model journal.Ref, recorded int64) (int64, string) {
	k := windowKey{model, recorded}
	v, ok := w.known[k]
	if !ok {
		tokens, source := models.Window(models.Evidence{Choice: w.choice, Journal: max(0, recorded),
			Observed: w.observed[model], Model: w.name(model)})
		v = windowValue{Unknown, string(source)}
		if source != models.NoSource {
			v.tokens = tokens
		}
		w.known[k] = v
	}
	return v.tokens, v.source
}

// name is the name of a model, made once.
func (w *windows) name(model journal.Ref) string {
	n, ok := w.names[model]
	if !ok {
		n = w.a.Strings.Get(model)
		w.names[model] = n
	}
	return n
}

// prompts are the reported sizes of a session's requests.
func (s *Session) prompts() []int64 {
	out := make([]int64, len(s.Requests))
	for i := range s.Requests {
		out[i] = s.Requests[i].Input
	}
	return out
}

// cuts finds a session's boundaries.
func (s *Session) cuts(threshold float64) []compaction.Boundary {
	marks := make([]compaction.Mark, len(s.Boundaries))
	for i := range s.Boundaries {
		b := &s.Boundaries[i]
		marks[i] = compaction.Mark{Kind: b.Kind, Recorded: b.Recorded, Requests: int(b.Requests)}
	}
	return compaction.Find(s.prompts(), marks, threshold)
}

// level is the size of a sample: reported where the provider said so, else estimated.
func (s *Snapshot) level() (tokens int64, reported bool) {
	if s.Reported != Unknown {
		return s.Reported, true
	}
	return s.Sum(), false
}

// latest is the newest snapshot with a breakdown, -1 when there is none.
func (s *Session) latest() int {
	for i := len(s.Snapshots) - 1; i >= 0; i-- {
		if s.Snapshots[i].measured() {
			return i
		}
	}
	return -1
}

// models are the distinct models of the requests in order of appearance.
func (a *Analysis) models(streams ...*Session) []string {
	var out []string
	seen := map[journal.Ref]bool{}
	for _, s := range streams {
		for i := range s.Requests {
			if m := s.Requests[i].Model; m != 0 && !seen[m] {
				seen[m] = true
				out = append(out, a.Strings.Get(m))
			}
		}
	}
	return out
}
