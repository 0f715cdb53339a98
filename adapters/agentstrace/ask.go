package agentstrace

import "contextscope/core/journal"

// stream is a chain of requests that see one context, and how far its events have been sorted into requests.
type stream struct {
	trace   *trace
	name    journal.Ref
	inputs  []int
	records []record
	asks    []ask
	cuts    []summaryAt

	pending int  // request that still waits for its response, -1 for none
	open    int  // answered request that a further answer may belong to, -1 for none
	results bool // a result came since the last figures
	counted bool // figures came since something went to the model
	first   int  // first record of the model since then that came before any figures, -1 for none
	prompts int  // first prompt since the last answer or result, -1 for none
	marked  bool // a compaction was recorded since the last figures
	told    bool // … with its summary
	replied bool // the model said something without figures
}

// ask is one request to the model.
type ask struct {
	at     int    // the record before which its context is complete
	asked  int    // the record of the request, -1 where only its response was recorded
	answer record // the one with the provider's figures
	output journal.Count32
}

// summaryAt is a summary that was recorded with the response after a compaction: the context was cut before record at.
type summaryAt struct {
	at, record int
	mark       bool // the compaction itself was not recorded otherwise
}

// add sorts one event in.
func (s *stream) add(r record) {
	k := len(s.records)
	s.records = append(s.records, r)
	if n := len(s.inputs); n == 0 || s.inputs[n-1] != r.in.Index {
		s.inputs = append(s.inputs, r.in.Index)
	}
	if s.replied && (r.Kind == journal.User || r.Kind == journal.Turn) {
		s.marked, s.told, s.replied, s.prompts = false, false, false, -1
	}
	if r.Flags&journal.Summary != 0 {
		s.marked, s.told = true, s.told || r.has(journal.Summaries)
	}
	switch r.Kind {
	case journal.User:
		s.input(r, k)
	case journal.Turn:
		s.asks = append(s.asks, ask{at: k, asked: k, output: -1})
		s.pending, s.open, s.first, s.counted = len(s.asks)-1, -1, -1, false
		if r.ID != 0 {
			s.trace.asked[r.ID] = place{s, s.pending}
		}
		if r.Flags&journal.HasUsage != 0 {
			s.asks[s.pending].answer = r
			s.asks[s.pending].output = r.usage().Output
		}
	case journal.Response, journal.Count:
		if p := s.call(r); p != nil && r.ID != 0 {
			s.trace.calls[r.ID] = p.ID
		}
		if r.Flags&journal.HasUsage != 0 {
			s.answered(r, k)
			return
		}
		if s.first < 0 && !s.counted {
			s.first = k
		}
		if !s.told && r.has(journal.Summaries) {
			s.toldWith(k, s.upTo(k))
			s.marked, s.told = true, true
		}
		s.replied = true
	}
}

// input is something that goes to the model.
func (s *stream) input(r record, k int) {
	s.first, s.counted = -1, false
	if r.Parts > 0 && r.in.Part(r.Record, 0).Kind == journal.Result {
		s.results, s.prompts = true, -1
		return
	}
	s.open = -1
	if s.prompts < 0 {
		s.prompts = k
	}
}

// call is the call of a record, nil for none.
func (s *stream) call(r record) *journal.Part {
	if r.Parts > 0 {
		if p := r.in.Part(r.Record, 0); p.Kind == journal.Call {
			return p
		}
	}
	return nil
}

// answered finds the request that a response with figures answers: the one it names, else the one that waits, else the one
// whose answer it goes on with. A response to none of them is a request of its own.
func (s *stream) answered(r record, k int) {
	named, ok := s.trace.asked[r.Parent]
	switch {
	case ok && r.Parent != 0 && named.stream != s: // recorded in another stream, but its id says whose it is
		named.stream.answer(named.number, r)
		return
	case ok && r.Parent != 0:
		s.open = named.number
	case s.pending >= 0:
		s.open = s.pending
	case s.open >= 0 && s.goesOn(r):
	default:
		s.asks = append(s.asks, ask{at: s.began(r, k), asked: -1, output: -1})
		s.open = len(s.asks) - 1
	}
	s.answer(s.open, r)
	if !s.told && r.has(journal.Summaries) {
		s.toldWith(k, s.asks[s.open].at)
	}
	s.first, s.counted, s.results, s.prompts, s.marked, s.told, s.replied = -1, true, false, -1, false, false, false
}

// answer gives a request the figures of a response. Those of the first one stay, and the largest output.
func (s *stream) answer(n int, r record) {
	q := &s.asks[n]
	if q.answer.Record == nil || q.answer.Kind == journal.Turn {
		q.answer = r
	}
	q.output = max(q.output, r.usage().Output)
	if s.pending == n {
		s.pending = -1
	}
}

// goesOn reports whether figures are those of the request before once more. An import writes them with each block of a
// response, calls and their results in between; a new prompt holds more than the one before. Other recorders write them
// again with what the assistant said, or answer a request twice.
func (s *stream) goesOn(r record) bool {
	q := &s.asks[s.open]
	before := &q.answer
	same := before.usage().Totals == r.usage().Totals && before.usage().Model == r.usage().Model
	switch {
	case r.source() != 0 && before.source() != 0:
		return same
	case s.results:
		return false
	case q.asked >= 0:
		return true
	}
	return same && before.Kind == journal.Count && r.Kind == journal.Response
}

// began is the record before which the context of a response was complete. An import writes the calls of a row before its
// figures; where nothing tells, the response began with the first thing that came from the model.
func (s *stream) began(r record, k int) int {
	if s.first >= 0 {
		return s.first
	}
	row := r.source()
	for row != 0 && k > 0 && s.call(s.records[k-1]) != nil && s.records[k-1].source() == row {
		k--
	}
	return k
}

// toldWith notes a summary that stands with a response whose context was complete before record at. Prompts that came
// since the last answer are newer than it.
func (s *stream) toldWith(k, at int) {
	if s.prompts >= 0 {
		at = min(at, s.prompts)
	}
	s.cuts = append(s.cuts, summaryAt{at, k, !s.marked})
}

// upTo is the record before which the context of a response without figures was complete.
func (s *stream) upTo(k int) int {
	switch {
	case s.pending >= 0:
		return s.asks[s.pending].at
	case s.first >= 0:
		return s.first
	}
	return k
}

func (r *record) usage() *journal.Usage { return r.in.Usages.At(int(r.Usage)) }

// has reports whether an item of the category is among the parts of a record.
func (r *record) has(c journal.Category) bool {
	if r.Kind == journal.Turn {
		return false // its messages are many, and replace the context anyway
	}
	for i := range int(r.Parts) {
		if p := r.in.Part(r.Record, i); p.Kind == journal.Item && p.Category == c {
			return true
		}
	}
	return false
}
