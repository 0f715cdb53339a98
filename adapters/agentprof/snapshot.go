package agentprof

import (
	"math"

	"contextscope/core/analysis"
	"contextscope/core/composition"
	"contextscope/core/journal"
	"contextscope/core/perfetto"
)

// sample is a snapshot as it was recorded, with the slice that it hangs on.
type sample struct {
	analysis.Snapshot
	version int64  // of the schema, -1 when it says none
	stated  int64  // the estimate that it states itself
	more    uint32 // changes beyond those that a snapshot can list
	slice   int32
	record  int32
	first   int32 // its changes
}

// newSample is a snapshot of which nothing is known.
func newSample() sample {
	s := sample{version: -1, stated: -1}
	s.Reported, s.Window, s.Threshold, s.Effective = composition.Unknown, composition.Unknown, composition.Unknown, composition.Unknown
	return s
}

// context reads the annotation of a snapshot. Where the beginning and the end of a slice both have one, they are put
// together, the later value above the earlier one.
func (rec *recording) context(on *perfetto.Slice, slice int32, end bool, a *perfetto.Annotation) {
	i, ok := rec.of[slice]
	if !ok {
		i = int32(len(rec.samples))
		rec.of[slice] = i
		rec.samples = append(rec.samples, newSample())
	}
	s := &rec.samples[i]
	s.slice = slice
	s.Source = journal.Source{Offset: on.Offset, Length: int64(on.Length)}
	if end {
		s.Source = journal.Source{Offset: on.EndAt, Length: int64(on.EndLen)}
	}
	a.Entries(func(e *perfetto.Annotation) { rec.member(s, e) })
}

func (rec *recording) member(s *sample, e *perfetto.Annotation) {
	switch string(e.Name) {
	case "version":
		if n, ok := e.Int(); ok {
			s.version = n
		}
	case "stage":
		s.Stage = stage(e.Text())
	case "item_stage":
		s.ItemStage = stage(e.Text())
	case "basis":
		s.Basis = basis(e.Text())
	case "coverage":
		s.Complete = string(e.Text()) == "complete"
	case "baseline":
		s.Baseline, _ = e.Bool()
	case "categories":
		e.Entries(func(c *perfetto.Annotation) {
			if n, ok := c.Int(); ok {
				rec.category(s, c.Name, n)
			}
		})
	case "estimated_tokens":
		figure(e, &s.stated)
	case "reported_tokens":
		figure(e, &s.Reported)
	case "window_tokens":
		figure(e, &s.Window)
	case "compact_threshold_tokens":
		figure(e, &s.Threshold)
	case "effective_window_tokens":
		figure(e, &s.Effective)
	case "model":
		s.Model = rec.ref(e.Text())
	case "changes":
		s.first, s.N, s.more = int32(rec.changes.Len()), 0, 0
		e.Entries(func(c *perfetto.Annotation) { rec.change(s, c) })
	case "omitted_changes":
		if n, ok := e.Int(); ok && n >= 0 && n <= math.MaxInt32 {
			s.Omitted = uint32(n)
		}
	case "sample_offset_ns":
		if n, ok := e.Int(); ok && n > -maxOffset && n < maxOffset {
			s.Offset = n
		}
	}
}

// maxOffset is beyond what lies between a slice's beginning and an observation in it: a hundred days.
const maxOffset = 1 << 53

// figure takes a number that can be a size.
func figure(e *perfetto.Annotation, to *int64) {
	if n, ok := e.Int(); ok && n >= 0 && n <= 1<<53-1 {
		*to = n
	}
}

func stage(b []byte) composition.Stage {
	for s := composition.RequestInput; s <= composition.TranscriptObserved; s++ {
		if s.String() == string(b) {
			return s
		}
	}
	return composition.NoStage
}

func basis(b []byte) composition.Basis {
	for s := composition.CharsOver4; s < composition.OtherBasis; s++ {
		if s.String() == string(b) {
			return s
		}
	}
	return composition.OtherBasis
}

func (rec *recording) ref(b []byte) journal.Ref { return rec.in.Strings.Put(b[:min(len(b), 256)]) }

// take is a snapshot as a session records it, with its changes. What a damaged recording lists beyond the limit is omitted
// as well.
func (rec *recording) take(s *sample, record int32) (analysis.Snapshot, []composition.Change) {
	n := s.Snapshot
	n.Omitted += s.more
	changes := make([]composition.Change, 0, n.N)
	for k := range int(n.N) {
		c := *rec.changes.At(int(s.first) + k)
		c.Input, c.Record = int32(rec.in.Index), record
		changes = append(changes, c)
	}
	return n, changes
}

// maxOthers bounds the keys of categories that a recording can bring along: a damaged one must not fill the legend.
const maxOthers = 16

// other is the key under which a category stands that the schema does not have.
func (rec *recording) other(key []byte) journal.Ref {
	r := rec.ref(key)
	for _, o := range rec.others {
		if o == r {
			return r
		}
	}
	if len(rec.others) >= maxOthers || r == 0 {
		return rec.in.Strings.Put([]byte("(other categories)"))
	}
	rec.others = append(rec.others, r)
	return r
}

// category gives a snapshot the tokens of a category. A number that no context can have is no data.
func (rec *recording) category(s *sample, key []byte, n int64) {
	if n < 0 || n > math.MaxInt32 {
		rec.in.Malformed++
		return
	}
	if c := journal.CategoryNamed(string(key)); c != journal.NoCategory {
		s.Set(c, uint32(n))
		return
	}
	k := rec.other(key)
	for i := range s.Others {
		if s.Others[i].Key == k {
			if rec.in.Strings.Is(k, string(key)) {
				s.Others[i].Tokens = uint32(n)
			} else {
				s.Others[i].Tokens = uint32(min(int64(s.Others[i].Tokens)+n, math.MaxInt32))
			}
			return
		}
	}
	s.Others = append(s.Others, analysis.Other{Key: k, Tokens: uint32(n)})
}

// change reads one entry of the list of changes.
func (rec *recording) change(s *sample, e *perfetto.Annotation) {
	c := entry{chars: -1}
	e.Entries(func(m *perfetto.Annotation) {
		switch string(m.Name) {
		case "id":
			c.id = rec.ref(m.Text())
		case "category":
			c.category = m.Text()
		case "tokens":
			c.tokens, c.hasTokens = m.Int()
		case "chars":
			figure(m, &c.chars)
		case "source_id":
			c.call = rec.ref(m.Text())
		case "source_kind":
			c.source = source(m.Text())
		case "label":
			c.label = rec.in.Strings.Put(firstLine(head(m.Text())))
		case "change":
			c.change = m.Text()
		case "delta_tokens":
			c.delta, _ = m.Int()
		}
	})
	rec.add(s, &c)
}

// entry is a change as a recording has it.
type entry struct {
	id, call, label  journal.Ref
	category, change []byte
	tokens, chars    int64
	delta            int64
	hasTokens        bool
	source           composition.SourceKind
}

// add keeps a change. Of more than a snapshot can list, the others are only counted; what makes no sense is malformed.
func (rec *recording) add(s *sample, c *entry) {
	kind, ok := changeKind(c.change)
	if !ok || !c.hasTokens || c.tokens < 0 || c.tokens > math.MaxInt32 || c.delta > math.MaxInt32 || c.delta < -math.MaxInt32 {
		rec.in.Malformed++
		return
	}
	if s.N == composition.MaxChanges {
		s.more++
		return
	}
	out := composition.Change{Kind: kind, Delta: int32(c.delta)}
	out.ID = composition.ID{Prefix: composition.Named, Name: c.id}
	out.Tokens, out.Chars = uint32(c.tokens), composition.Uncounted
	if c.chars >= 0 && c.chars < int64(composition.Uncounted) {
		out.Chars = uint32(c.chars)
	}
	out.Call, out.Label, out.Source = c.call, c.label, c.source
	if out.Category = journal.CategoryNamed(string(c.category)); out.Category == journal.NoCategory {
		out.Other = rec.other(c.category)
	}
	rec.changes.Append(out)
	s.N++
}

func changeKind(b []byte) (composition.ChangeKind, bool) {
	for k := composition.Baseline; k <= composition.Removed; k++ {
		if k.String() == string(b) {
			return k, true
		}
	}
	return 0, false
}

func source(b []byte) composition.SourceKind {
	for k := composition.FromTool; k <= composition.FromResponse; k++ {
		if k.String() == string(b) {
			return k
		}
	}
	return composition.NoSource
}
