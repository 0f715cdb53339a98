package analysis

import (
	"cmp"
	"slices"
	"sort"

	"contextscope/core/compaction"
	"contextscope/core/journal"
)

// List is the view of everything that is open.
func (a *Analysis) List(o Options) *List {
	l := &List{}
	for i, in := range a.Inputs {
		l.Inputs = append(l.Inputs, a.inputRow(i, in))
	}
	index := map[string]int{}
	for i, s := range a.Sessions {
		index[s.ID] = i
	}
	for i, s := range a.Sessions {
		row := SessionRow{Index: i}
		if o.Sessions == nil || slices.Contains(o.Sessions, i) { // the others only keep their places
			row = a.row(i, s, o)
			found, _ := a.Findings(s, o)
			row.Findings = int64(len(found))
		}
		row.Parent = -1
		if p, ok := index[s.Parent]; ok && s.Parent != "" {
			row.Parent = p
		}
		l.Sessions = append(l.Sessions, row)
	}
	for i := range l.Sessions {
		if p := l.Sessions[i].Parent; p >= 0 {
			l.Sessions[p].Children++
		}
	}
	l.Overview = a.overview()
	return l
}

func (a *Analysis) inputRow(i int, in *journal.Input) InputRow {
	row := InputRow{Name: in.Name, Format: in.Format, Reason: in.Reason, Packing: in.Compression, Bytes: in.Bytes, Lines: in.Lines, Records: in.Values,
		Malformed: in.Malformed, Duplicate: a.Duplicate[i], Refused: in.Refused, Folder: in.Folder()}
	for _, k := range in.Kinds {
		row.Unknown = append(row.Unknown, KindCount{k.Kind, k.Count})
	}
	for _, w := range a.Warnings(i) {
		row.Warnings = append(row.Warnings, WarningRow{w.Code, w.Line, w.Message, w.Hint})
	}
	return row
}

// row sums a session up, but for its findings, which take a walk through all of it.
func (a *Analysis) row(i int, s *Session, o Options) SessionRow {
	r := SessionRow{Index: i, ID: s.ID, Harness: s.Harness, HarnessName: a.names[s.Harness], Version: s.Version, Title: s.Title,
		Role: s.Role, Parent: -1, Models: a.models(s), StartedAt: millis(s.StartedAt), EndedAt: millis(s.EndedAt),
		Requests: int64(len(s.Requests)), PeakTokens: Unknown, LastTokens: Unknown, WindowTokens: Unknown}
	if s.StreamOf != nil {
		r.Stream = s.Stream
	}
	if r.HarnessName == "" {
		r.HarnessName = s.Harness // a harness that a recording names and nothing here reads
	}
	if r.Title == "" {
		r.Title = headOf(cmp.Or(r.Stream, s.ID))
	}
	for k := range s.Requests {
		if n := s.Requests[k].Input; n != Unknown {
			r.PeakTokens, r.LastTokens, r.PeakReported = max(r.PeakTokens, n), n, true
		}
	}
	if !r.PeakReported {
		for k := range s.Snapshots {
			if n, _ := s.Snapshots[k].level(); n != Unknown {
				r.PeakTokens, r.LastTokens = max(r.PeakTokens, n), n
			}
		}
	}
	if r.PeakTokens == Unknown {
		for _, t := range s.Totals {
			if t.Tokens != Unknown {
				r.PeakTokens, r.LastTokens = max(r.PeakTokens, t.Tokens), t.Tokens
			}
		}
	}
	if n := len(s.Snapshots); n > 0 {
		last := &s.Snapshots[n-1]
		r.WindowTokens, r.WindowSource = a.windows(s, o.Window).of(last.Model, last.Window)
	} else if n := len(s.Totals); n > 0 {
		r.WindowTokens, r.WindowSource = a.windows(s, o.Window).of(0, s.Totals[n-1].Window)
	}
	r.Losses = s.losses(o)
	r.Compactions = r.Losses.Compactions
	r.Closest = a.closest(s, o)
	r.HasBreakdown = s.latest() >= 0
	return r
}

func (o Options) threshold() float64 {
	if o.Threshold > 0 && o.Threshold < 1 {
		return o.Threshold
	}
	return compaction.DefaultThreshold
}

// headOf is how a session without a title is called.
func headOf(id string) string {
	if len(id) > 16 {
		return id[:16] + "…"
	}
	return id
}

// overview combines the latest composition of each session.
func (a *Analysis) overview() Overview {
	var ov Overview
	var sum [journal.NumCategories]int64
	others := map[journal.Ref]int64{}
	var keys []journal.Ref
	for _, s := range a.Sessions {
		i := s.latest()
		if i < 0 {
			ov.Without++
			continue
		}
		ov.Sessions++
		snap := &s.Snapshots[i]
		for c, t := range snap.Tokens {
			sum[c] += int64(t)
		}
		for _, o := range snap.Others {
			if _, ok := others[o.Key]; !ok {
				keys = append(keys, o.Key)
			}
			others[o.Key] += int64(o.Tokens)
		}
		if b := snap.Basis.String(); !slices.Contains(ov.Bases, b) {
			ov.Bases = append(ov.Bases, b)
		}
	}
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if sum[c] > 0 {
			ov.Categories = append(ov.Categories, CategoryTokens{c.Key(), sum[c]})
		}
	}
	for _, k := range keys {
		if others[k] > 0 {
			ov.Categories = append(ov.Categories, CategoryTokens{a.Strings.Get(k), others[k]})
		}
	}
	sort.SliceStable(ov.Categories, func(i, j int) bool { return ov.Categories[i].Tokens > ov.Categories[j].Tokens })
	return ov
}
