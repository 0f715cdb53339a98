package analysis

import (
	"strings"

	"contextscope/core/facts"
	"contextscope/core/journal"
)

// Passed leaves of a view what a person chose to pass on: counts and identities always; titles, paths, prompts and facts only where
// they are included. Masking is another matter, and comes after it. The options of the view itself have to have Passed set.
type Passed struct{ Include }

// List leaves titles as tokens, and where files lie out.
func (p Passed) List(l *List) *List {
	for i := range l.Inputs {
		if in := &l.Inputs[i]; !p.Paths {
			in.Folder, in.Name = "", pathOnly(in.Name)
		}
	}
	for i := range l.Sessions {
		p.session(&l.Sessions[i])
	}
	return l
}

func (p Passed) session(r *SessionRow) {
	if !p.Titles {
		r.Title = token("title", r.Title)
	}
}

// Series is that of a session.
func (p Passed) Series(s *Series) *Series {
	if s != nil {
		p.session(&s.Session)
	}
	return s
}

// Changes leaves the names of tools. What a call is called by is a path or a command, what a prompt is called by its beginning.
func (p Passed) Changes(c *ChangePage) *ChangePage {
	for i := range c.Rows {
		r := &c.Rows[i]
		prompt := r.Category == journal.Prompts.Key()
		if prompt && !p.Prompts || !prompt && !p.Paths {
			r.Detail = ""
		}
		if !p.Paths {
			r.Tool, r.Kept = nameOnly(r.Tool), pathOnly(r.Kept)
		}
	}
	return c
}

// Spread leaves the names of tools and servers.
func (p Passed) Spread(v *Spread, by string) *Spread {
	if p.Paths || by == ByTool || by == ByServer {
		return v
	}
	for i := range v.Rows {
		v.Rows[i].Name = pathOnly(v.Rows[i].Name)
	}
	for i := range v.Tiles {
		v.Tiles[i].Name = pathOnly(v.Tiles[i].Name)
	}
	return v
}

// Review leaves the kinds of the facts, and what became of them.
func (p Passed) Review(r *Review) *Review {
	if r == nil || r.Detail == nil {
		return r
	}
	for _, list := range [][]FactRow{r.Detail.Dropped.Rows, r.Detail.Survived.Rows} {
		for i := range list {
			f := &list[i]
			switch file := f.Kind == journal.FileRead.Key() || f.Kind == journal.FileModified.Key(); {
			case file && !p.Paths:
				f.Text = pathToken(f.Text)
			case !file && !p.Facts:
				f.Text = "(" + token("text", f.Text) + ")"
			}
			if !p.Facts {
				f.Evidence = ""
			}
		}
	}
	if b := r.Detail.Behavior; b != nil && !p.Paths {
		for i := range b.Reread {
			b.Reread[i].Path = pathToken(b.Reread[i].Path)
		}
	}
	return r
}

// nameOnly is a name, or a token for what is none.
func nameOnly(text string) string {
	if len(text) <= maxName && strings.Count(text, " ") < maxWords && !strings.ContainsAny(text, "/\\\n") {
		return text
	}
	return token("path", text)
}

// pathOnly is a base name, or a token for a path.
func pathOnly(text string) string {
	if text == "" || !strings.ContainsAny(text, "/\\") {
		return text
	}
	return pathToken(facts.Key(journal.FileRead, text))
}
