package agentprof

import (
	"contextscope/core/journal"
)

// record reads the record of a rollout that a row carries.
func (d *scribe) record() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type":
			v, _ := s.Str(32)
			d.row.event = events[string(v)]
		case "timestamp":
			v, _ := s.Str(40)
			d.at, _ = journal.ParseTime(v)
		case "payload":
			if s.Object() {
				d.content()
			}
		}
	}
}

// content reads a record's payload: a header, settings, a token count, or a snapshot.
func (d *scribe) content() {
	s, r := d.s, &d.row
	sm := newSample()
	snapshot := false
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "cli_version":
			r.version = d.text()
		case "model":
			r.model = d.text()
		case "source":
			d.spawn("subagent", "thread_spawn")
		case "info":
			d.info()
		default:
			snapshot = d.snapshotMember(&sm, k) || snapshot
		}
	}
	if snapshot {
		sm.Model = r.model
		r.totals = journal.Fold(2, sm.Sum(), int64(sm.N), int64(sm.Omitted), sm.stated) // tells it from another of the same moment
		for k := range int(sm.N) {
			c := d.changes.At(int(sm.first) + k)
			r.totals = journal.Fold(r.totals, int64(c.ID.Name), int64(c.Delta))
		}
		r.sample = int32(len(d.samples))
		d.samples = append(d.samples, sm)
	}
}

// spawn reads who started a thread: source, in it subagent, in it thread_spawn.
func (d *scribe) spawn(path ...string) {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch {
		case len(path) > 0 && string(k) == path[0]:
			d.spawn(path[1:]...)
		case len(path) > 0:
		case string(k) == "parent_thread_id":
			d.row.parent = d.text()
		case string(k) == "agent_role":
			d.row.role = d.text()
		}
	}
}

func (d *scribe) info() {
	s, r := d.s, &d.row
	if !s.Object() {
		s.Skip()
		return
	}
	r.counted = true
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "last_token_usage":
			d.usage(codexUsage, nil)
		case "total_token_usage":
			if s.Object() {
				for k := s.Key(); k != nil; k = s.Key() {
					h := journal.Hash(k)
					n, _ := s.Int()
					r.totals = journal.Fold(r.totals, int64(h), n)
				}
			}
		case "model_context_window":
			r.window = d.size()
		}
	}
}

// snapshotMember reads a member of a ready-made snapshot; reports whether it is one.
func (d *scribe) snapshotMember(sm *sample, k []byte) bool {
	s := d.s
	switch string(k) {
	case "version":
		if n, ok := s.Int(); ok {
			sm.version = n
		}
	case "stage":
		v, _ := s.Str(32)
		sm.Stage = stage(v)
	case "item_stage":
		v, _ := s.Str(32)
		sm.ItemStage = stage(v)
	case "basis":
		v, _ := s.Str(32)
		sm.Basis = basis(v)
	case "coverage":
		v, _ := s.Str(16)
		sm.Complete = string(v) == "complete"
	case "baseline":
		sm.Baseline, _ = s.Bool()
	case "categories":
		d.categories(sm)
	case "estimated_tokens":
		sm.stated = d.size()
	case "reported_tokens":
		sm.Reported = d.size()
	case "window_tokens":
		sm.Window = d.size()
	case "compact_threshold_tokens":
		sm.Threshold = d.size()
	case "effective_window_tokens":
		sm.Effective = d.size()
	case "omitted_changes":
		sm.Omitted = uint32(max(0, d.size()))
	case "changes":
		sm.first, sm.N, sm.more = int32(d.changes.Len()), 0, 0 // the last of several lists counts
		if s.Array() {
			for s.Elem() {
				d.change(sm)
			}
		}
	default:
		return false
	}
	return true
}

func (d *scribe) categories(sm *sample) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		var b [64]byte
		key := b[:copy(b[:], k)]
		if n, ok := s.Int(); ok {
			d.category(sm, key, n)
		}
	}
}

func (d *scribe) change(sm *sample) {
	s, c := d.s, &d.c
	*c = entry{chars: -1, category: c.category[:0], change: c.change[:0]}
	if !s.Object() {
		s.Skip()
		d.in.Malformed++
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "id":
			c.id = d.text()
		case "category":
			v, _ := s.Str(64)
			c.category = append(c.category, v...)
		case "tokens":
			c.tokens, c.hasTokens = s.Int()
		case "chars":
			c.chars = d.size()
		case "source_id":
			c.call = d.text()
		case "source_kind":
			v, _ := s.Str(16)
			c.source = source(v)
		case "label":
			v, _ := s.Str(256)
			c.label = d.in.Strings.Put(firstLine(v))
		case "change":
			v, _ := s.Str(16)
			c.change = append(c.change, v...)
		case "delta_tokens":
			c.delta, _ = s.Int()
		}
	}
	d.add(sm, c)
}
