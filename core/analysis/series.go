package analysis

import (
	"fmt"
	"slices"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// Series is the view of one session over time.
func (a *Analysis) Series(session int, o Options) *Series {
	if session < 0 || session >= len(a.Sessions) {
		return nil
	}
	s := a.Sessions[session]
	v := &Series{Session: a.row(session, s, o), Requests: int64(len(s.Requests))}
	var seen uint16
	var others []journal.Ref
	for i := range s.Snapshots {
		seen |= s.Snapshots[i].Has
		for _, o := range s.Snapshots[i].Others {
			if !slices.Contains(others, o.Key) {
				others = append(others, o.Key)
			}
		}
	}
	var order []journal.Category
	for c := journal.System; int(c) < journal.NumCategories; c++ {
		if seen&(1<<c) != 0 {
			order = append(order, c)
			v.Categories = append(v.Categories, c.Key())
			v.Values = append(v.Values, make([]int64, 0, len(s.Snapshots)))
		}
	}
	for _, key := range others {
		v.Categories = append(v.Categories, a.Strings.Get(key))
		v.Values = append(v.Values, make([]int64, 0, len(s.Snapshots)))
	}
	w := a.windows(s, o.Window)
	for i := range s.Snapshots {
		n := &s.Snapshots[i]
		a.column(v, s, n, w, order)
		for k, key := range others {
			v.Values[len(order)+k] = append(v.Values[len(order)+k], n.other(key))
		}
	}
	for i := range s.Totals {
		t := &s.Totals[i]
		window, _ := w.of(0, t.Window)
		v.Totals = append(v.Totals, TotalPoint{millis(t.At), t.Tokens, window})
	}
	v.Boundaries = a.Boundaries(session, o)
	v.Findings, v.Session.Findings = a.findingRows(s, o)
	v.Notes = s.notes()
	return v
}

// column adds one sample to the series.
func (a *Analysis) column(v *Series, s *Session, n *Snapshot, w *windows, order []journal.Category) {
	for k, c := range order {
		v.Values[k] = append(v.Values[k], int64(n.Tokens[c]))
	}
	request := int64(0)
	if n.Event == OnRequest {
		request = int64(n.Index) + 1
	}
	window, from := w.of(n.Model, n.Window)
	v.Breakdown = append(v.Breakdown, n.measured())
	v.At = append(v.At, millis(n.At))
	v.Request = append(v.Request, request)
	v.Kind = append(v.Kind, n.Event.String())
	v.Stage = append(v.Stage, n.Stage.String())
	v.ItemStage = append(v.ItemStage, n.ItemStage.String())
	v.Basis = append(v.Basis, n.Basis.String())
	v.Coverage = append(v.Coverage, n.coverage())
	v.Model = append(v.Model, w.name(n.Model))
	v.Baseline = append(v.Baseline, n.Baseline)
	v.Estimated = append(v.Estimated, n.Sum())
	v.Reported = append(v.Reported, n.Reported)
	v.Window = append(v.Window, window)
	v.WindowFrom = append(v.WindowFrom, from)
	v.Effective = append(v.Effective, n.Effective)
	v.Threshold = append(v.Threshold, n.Threshold)
	v.Omitted = append(v.Omitted, int64(n.Omitted))
	v.Changes = append(v.Changes, int64(n.N))
}

// coverage is "partial" unless a recording says otherwise: no journal proves that it holds everything that was sent.
func (s *Snapshot) coverage() string {
	if s.Complete {
		return "complete"
	}
	return "partial"
}

// category is the key of a change's category.
func (a *Analysis) category(c *composition.Change) string {
	if c.Category == journal.NoCategory {
		return a.Strings.Get(c.Other)
	}
	return c.Category.Key()
}

// notes are sentences about what the picture cannot show.
func (s *Session) notes() []string {
	var out []string
	if s.Abandoned > 0 {
		out = append(out, fmt.Sprintf("%d records stand on branches that were left; their requests were made, but their content is no longer in the context.", s.Abandoned))
	}
	if s.Copied > 0 {
		out = append(out, fmt.Sprintf("%d records were copied here from another session; their requests are counted there.", s.Copied))
	}
	if len(s.Attempts) > 0 {
		out = append(out, fmt.Sprintf("Compactions that were tried and not installed: %d (%s). They are not counted.", s.Attempts.Sum(), s.Attempts.Text()))
	}
	if len(s.Fallbacks) > 0 {
		out = append(out, fmt.Sprintf("Times that the harness gave a compaction up: %d (%s).", s.Fallbacks.Sum(), s.Fallbacks.Text()))
	}
	for _, u := range s.Unmeasured {
		out = append(out, fmt.Sprintf("%d × %s: in the context, but their size in tokens is in no journal.", u.Count, u.What))
	}
	return append(out, s.Notes...)
}

// Changes is a page of one session's changes.
func (a *Analysis) Changes(session int, f ChangeFilter) *ChangePage {
	page := &ChangePage{}
	if session < 0 || session >= len(a.Sessions) {
		return page
	}
	s := a.Sessions[session]
	found, total := s.selected(f)
	page.Total = total
	children := a.started()[s.whole().ID]
	for _, r := range found {
		page.Rows = append(page.Rows, a.changeRow(s, r, children))
	}
	return page
}

// started maps, for each session, its calls to the sessions that they started.
func (a *Analysis) started() map[string]map[journal.Ref]int {
	out := map[string]map[journal.Ref]int{}
	for i, c := range a.Sessions {
		if c.Parent == "" || c.ParentCall == 0 {
			continue
		}
		if out[c.Parent] == nil {
			out[c.Parent] = map[journal.Ref]int{}
		}
		out[c.Parent][c.ParentCall] = i
	}
	return out
}

// changeRef points to a change of a snapshot.
type changeRef struct {
	snapshot int32
	change   uint32
}

func (a *Analysis) changeRow(s *Session, r changeRef, children map[journal.Ref]int) ChangeRow {
	n, c := &s.Snapshots[r.snapshot], s.Changes.At(int(r.change))
	row := ChangeRow{Sample: int(r.snapshot), At: millis(n.At), Category: a.category(c), Change: c.Kind.String(), Delta: int64(c.Delta),
		Before: Unknown, After: n.Sum(), Tokens: int64(c.Tokens), Chars: Unknown, CallID: a.Strings.Get(c.Call), Child: -1,
		ItemID: string(c.ID.Append(nil, a.Strings)), Stage: n.Stage.String()}
	if n.ItemStage != composition.NoStage {
		row.Stage = n.ItemStage.String()
	}
	if c.Chars != composition.Uncounted {
		row.Chars = int64(c.Chars)
	}
	if n.Event == OnRequest {
		row.Request = int64(n.Index) + 1
	}
	if p := int(r.snapshot) - 1; p >= 0 && !n.Baseline && s.Snapshots[p].Basis == n.Basis {
		row.Before = s.Snapshots[p].Sum()
	}
	rec := a.Inputs[c.Input].Records.At(int(c.Record))
	src := rec.Place(int(c.Input))
	row.Input, row.Line, row.Offset, row.Length = src.Input, int64(src.Line), src.Offset, src.Length
	row.Tool, row.Detail = a.describe(s, c, rec)
	row.Kept, row.KeptIn = a.kept(s, c, rec)
	if call := s.CallNamed(c.Call); call != nil {
		row.Call = spotOf(call.Source)
	}
	if i, ok := children[c.Call]; ok && c.Call != 0 {
		row.Child = i
	}
	return row
}

// kept finds the file that holds the whole of a result: its name, and the input that it is.
func (a *Analysis) kept(s *Session, c *composition.Change, rec *journal.Record) (name string, input int) {
	if c.ID.Prefix != composition.ToolResult {
		return "", -1
	}
	in := a.Inputs[c.Input]
	for k := range int(rec.Parts) {
		if p := in.Part(rec, k); p.Kind == journal.Result && p.ID == c.Call {
			name = a.Strings.Get(p.Detail)
		}
	}
	if name != "" {
		for _, i := range s.Inputs {
			if a.Inputs[i].Name == name {
				return name, i
			}
		}
	}
	return name, -1
}

// describe is what a person would call an item: the tool and what it was used on, or the first line of a prompt.
func (a *Analysis) describe(s *Session, c *composition.Change, rec *journal.Record) (what, detail string) {
	if call := s.CallNamed(c.Call); call != nil {
		return a.Strings.Get(call.Name), a.Strings.Get(call.Detail)
	}
	in := a.Inputs[c.Input]
	n := uint16(0)
	for k := range int(rec.Parts) {
		p := in.Part(rec, k)
		if p.Kind != journal.Item {
			continue
		}
		if c.ID.Name != 0 && p.ID == c.ID.Name {
			detail = a.Strings.Get(p.Detail)
			break
		}
		if n == c.ID.Part {
			detail = a.Strings.Get(p.Detail)
			if c.ID.Name == 0 {
				break
			}
		}
		n++
	}
	switch c.Category {
	case journal.Prompts:
		return "Prompt", detail
	case journal.Assistant:
		if c.Label != 0 {
			return a.Strings.Get(c.Label), detail
		}
		return "Assistant", detail
	case journal.Summaries:
		return "Summary", ""
	}
	if c.Label != 0 {
		return a.Strings.Get(c.Label), detail
	}
	return journal.CategoryName(a.category(c)), detail
}
