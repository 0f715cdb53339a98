package analysis

import (
	"strings"

	"contextscope/core/facts"
	"contextscope/core/journal"
)

// diffs are the comparisons of a stream, made once for a document.
func (d *document) diffs(s *Session, j *joined) []*Diff {
	if d.diffsOf == nil {
		d.diffsOf = map[*Session][]*Diff{}
	}
	if _, ok := d.diffsOf[s]; !ok {
		d.diffsOf[s] = d.a.Diffs(s, j.cutsOf[s])
	}
	return d.diffsOf[s]
}

// diff writes what a compaction left, where somebody asked for it.
func (d *document) diff(v *Diff) {
	if v == nil {
		return
	}
	d.object("diff", func() {
		d.keyBool("context_available", v.Available)
		d.list("survived", len(v.Survived), func(i int) { d.fact(&v.Survived[i]) })
		d.list("likely_dropped", len(v.Dropped), func(i int) { d.fact(&v.Dropped[i]) })
	})
}

func (d *document) fact(f *Fact) {
	d.open('{')
	d.keyString("kind", f.Kind.Key())
	switch {
	case f.Kind == journal.FileRead || f.Kind == journal.FileModified:
		if d.o.Include.Paths {
			d.keyString("text", f.Text)
		} else {
			d.keyString("text", pathToken(f.Text))
		}
	case d.o.Include.Facts:
		d.keyStringIf("text", f.Text)
	}
	d.keyBool("high_risk", f.Kind.HighRisk())
	d.keyString("status", string(f.Status))
	if d.o.Include.Facts {
		d.keyStringIf("evidence", f.Evidence.String())
	}
	d.source("source", f.Source)
	d.close('}')
}

// pathToken stands for a path: the same file has the same token, and its extension.
func pathToken(path string) string {
	path = facts.Key(journal.FileRead, path)
	t := token("path", path)
	base := path[strings.LastIndexByte(path, '/')+1:]
	i := strings.LastIndexByte(base, '.')
	if i < 0 || len(base)-i > 9 {
		return t
	}
	for _, c := range []byte(base[i+1:]) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return t
		}
	}
	return t + base[i:]
}

// Survival is Diffs of all boundaries of a session, as they are numbered in its series.
func (a *Analysis) Survival(s *Session, o Options) []*Diff {
	if r := a.reviewed; r == nil || r.of != s || r.threshold != o.threshold() {
		a.reviewed = &reviewed{s, o.threshold(), a.Diffs(s, s.cuts(o.threshold()))}
	}
	return a.reviewed.diffs
}
