package pi

import (
	"slices"

	"contextscope/core/journal"
)

// branch is the living branch: the entries from the root to the leaf, by their positions in the session. Each of them is told
// its place on it.
func (t *tree) branch() []int32 {
	i := t.leaf
	switch k := t.find(t.target); {
	case !t.named:
	case t.target == 0 || k >= 0:
		i = k // -1 for a leaf before the first entry
	default:
		t.lost(&t.entries[i])
	}
	var path []int32
	for i >= 0 && t.entries[i].path < 0 { // an entry that was there already closes a circle
		t.entries[i].path = 0
		path = append(path, i)
		i = t.up(i)
	}
	slices.Reverse(path)
	for k, i := range path {
		t.entries[i].path = int32(k)
	}
	return path
}

// up is the entry that another one continues, -1 for a root. An entry without an id continues the one above it.
func (t *tree) up(i int32) int32 {
	e := &t.entries[i]
	switch {
	case e.ID == 0:
		return i - 1
	case e.Parent == 0:
		return -1
	}
	p := t.find(e.Parent)
	if p < 0 {
		t.st.a.Warn(e.in.Index, journal.Warning{Code: journal.WarnMissingParent, Line: int64(e.Line),
			Message: "this entry continues one that is not in the file; the conversation is shown from here on",
			Hint:    "what stands before it is not counted"})
	}
	return p
}

// lost says that the entry which a leaf record names is not there: the branch is that of the record itself, as Pi falls back to.
func (t *tree) lost(leaf *entryAt) {
	t.st.a.Warn(leaf.in.Index, journal.Warning{Code: journal.WarnMissingParent, Line: int64(leaf.Line),
		Message: "this record says that the conversation ends at an entry that is not in the file; the branch it stands on is shown",
		Hint:    "another branch may be the living one"})
}

func (t *tree) find(id uint64) int32 {
	if i, ok := t.byID[id]; ok {
		return i
	}
	return -1
}

// branches reports whether a person went back here: between an entry and the one it continues stands a branch that was left.
// What has no id in a tree is no part of a branch.
func (t *tree) branches(i, parent int32) bool {
	above := i - 1
	for above > parent && (t.entries[above].Kind == journal.Rollback || t.entries[above].ID == 0) {
		above--
	}
	return above > parent && t.entries[above].path < 0
}

// abandoned counts the entries on branches that were left.
func (t *tree) abandoned() int64 {
	n := int64(0)
	for i := range t.entries {
		if e := &t.entries[i]; e.path < 0 && e.Kind != journal.Rollback && (e.ID != 0 || e.Kind != journal.Link) {
			n++
		}
	}
	return n
}
