package muse

import (
	"strings"

	"contextscope/core/journal"
)

// tasks is what the tasks of a session carry out, and what they are a part of.
type tasks struct {
	call, parent map[journal.Ref]journal.Ref
}

// of is the call that a task was made for: its own, or that of a task it is a part of.
func (ts *tasks) of(task journal.Ref) journal.Ref {
	for range 8 { // parents may go in a circle
		if task == 0 {
			break
		}
		if c := ts.call[task]; c != 0 {
			return c
		}
		task = ts.parent[task]
	}
	return 0
}

// link ties children to their parents: by the records that name them, by the folder they lie in, by an export's list.
func (st *settling) link(inputs []*journal.Input) {
	for _, t := range st.order {
		t.arrange()
		st.linkChildren(t)
	}
	folders := st.folders(inputs)
	for _, t := range st.order {
		if t.parent != nil || !t.isSession() {
			continue
		}
		p := st.byFolder(t, folders)
		if p == nil && t.parentID != 0 {
			p = st.streams[t.parentID]
		}
		if p != nil && p != t {
			t.parent, t.role = p, t.in.Strings.Put([]byte("subagent"))
		}
	}
}

// linkChildren follows the records of a session that name its children.
func (st *settling) linkChildren(t *stream) {
	ts := tasks{call: map[journal.Ref]journal.Ref{}, parent: map[journal.Ref]journal.Ref{}}
	var spawns []*record
	for i := range t.records {
		r := &t.records[i]
		if r.Kind != journal.Link || r.Record.Parts == 0 {
			continue
		}
		if r.in.Part(r.Record, 0).Kind == journal.Spawned {
			spawns = append(spawns, r)
			continue
		}
		task := r.label(attrTask)
		if c := r.label(attrCall); c != 0 && task != 0 {
			ts.call[task] = c
		}
		if p := r.label(attrParentTask); p != 0 && task != 0 {
			ts.parent[task] = p
		}
	}
	for _, r := range spawns {
		p := r.in.Part(r.Record, 0)
		child := st.streams[p.Label]
		if child == nil || child == t {
			continue
		}
		if child.parent == nil {
			child.parent, child.role = t, p.Detail
		}
		call := p.ID
		if call == 0 {
			call = ts.of(r.label(attrTask))
		}
		if child.parent == t && child.parentCall == 0 {
			child.parentCall = call
		}
	}
}

// label is the text of an attribute, 0 when it is not there.
func (r *record) label(a journal.Attr) journal.Ref {
	if p := r.in.Attribute(r.Record, a); p != nil {
		return p.Label
	}
	return 0
}

// units is the number of an attribute.
func (r *record) units(a journal.Attr) (uint32, bool) {
	if p := r.in.Attribute(r.Record, a); p != nil {
		return p.Units, true
	}
	return 0, false
}

// folders maps each folder to the session of the journal in it.
func (st *settling) folders(inputs []*journal.Input) map[string]*stream {
	out := map[string]*stream{}
	for _, in := range inputs {
		if parts := splitPath(in.Path); len(parts) > 0 && st.main[in.Index] != nil {
			dir := strings.Join(parts[:len(parts)-1], "/")
			if out[dir] == nil {
				out[dir] = st.main[in.Index]
			}
		}
	}
	return out
}

// byFolder finds the parent of a journal that lies in …/subagent/<id>/: the session in the folder above, or the one that
// the folder is named after.
func (st *settling) byFolder(t *stream, folders map[string]*stream) *stream {
	for _, i := range t.inputs {
		in := st.a.Inputs[i]
		parts := splitPath(in.Path)
		n := len(parts)
		if n < 3 || parts[n-3] != "subagent" || st.main[i] != t {
			continue
		}
		if p := folders[strings.Join(parts[:n-3], "/")]; p != nil {
			return p
		}
		if n > 3 {
			return st.streams[in.Strings.Put([]byte(parts[n-4]))]
		}
	}
	return nil
}
