package ui

import (
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/redact"
	"contextscope/ui/words"
)

const shareID = "share" // the dialog

// ExportQuestion asks for a session in a form that can be passed on.
type ExportQuestion struct {
	Session int
	Form    string
	Include analysis.Include
	Keep    redact.Keep
}

// sharing is the dialog in which a person chooses what to pass on.
type sharing struct {
	open    bool
	shown   bool // the browser shows the dialog
	form    string
	include analysis.Include
	keep    redact.Keep
	text    string // what would be passed on
	there   bool   // text is that of the choices
	asked   int
}

// shareForms are the forms, each with the end of its file's name.
var shareForms = []struct{ key, name, file string }{
	{"report", "Report (HTML, no script)", ".html"},
	{"summary", "Summary (Markdown)", ".md"},
	{"svg", "Chart (SVG)", ".svg"},
	{"png", "Chart (PNG)", ".png"},
	{"requests.csv", "Requests (CSV)", "-requests.csv"},
	{"snapshots.csv", "Samples (CSV)", "-samples.csv"},
	{"changes.csv", "Changes (CSV)", "-changes.csv"},
	{"compactions.csv", "Compactions (CSV)", "-compactions.csv"},
	{"pftrace", "Perfetto trace", ".pftrace"},
	{"json", "Analysis document (JSON)", ".json"},
}

// openShare shows the dialog. Its choices are the careful ones each time.
func (s *State) openShare() {
	if s.session() == nil {
		return
	}
	s.sharing = sharing{open: true, form: shareForms[0].key, asked: s.sharing.asked}
	s.host.Modal(shareID, true, func() { s.sharing.shown = true }, func() { s.sharing = sharing{asked: s.sharing.asked} })
	s.askShare()
}

func (s *State) closeShare() { s.host.Modal(shareID, false, nil, nil) }

func (s *State) shareNow() any {
	if s.sharing.shown {
		return ""
	}
	return nil
}

func (s *State) askShare() {
	s.sharing.asked++
	n := s.sharing.asked
	s.sharing.there = false
	form := s.sharing.form
	if form == "png" {
		form = "svg" // the browser makes a picture of it when it is saved
	}
	q := ExportQuestion{Session: s.current, Form: form, Include: s.sharing.include, Keep: s.sharing.keep}
	s.host.Export(q, func(text string) {
		if n == s.sharing.asked && s.sharing.open {
			s.sharing.text, s.sharing.there = text, true
		}
	})
}

func (s *State) shareForm(key string) {
	for _, f := range shareForms {
		if f.key == key {
			s.sharing.form = key
			s.askShare()
		}
	}
}

// shareChoice is a box that can be ticked.
type shareChoice struct {
	Key, Name string
	On        bool
}

func (c *ShareView) includes() []shareChoice {
	in := c.State.sharing.include
	return []shareChoice{{"titles", "Titles of sessions", in.Titles}, {"paths", "Paths and commands", in.Paths}, {"prompts", "Beginnings of prompts", in.Prompts}, {"facts", "Texts of constraints, decisions and other facts", in.Facts}}
}

func (c *ShareView) keeps() []shareChoice {
	k := c.State.sharing.keep
	return []shareChoice{{"home", "Home directories and user names", k.Home}, {"hosts", "Hosts and IP addresses", k.Hosts}, {"emails", "E-mail addresses", k.Emails}}
}

func (s *State) shareTick(key string, on bool) {
	in, keep := &s.sharing.include, &s.sharing.keep
	for name, box := range map[string]*bool{"titles": &in.Titles, "paths": &in.Paths, "prompts": &in.Prompts, "facts": &in.Facts, "home": &keep.Home, "hosts": &keep.Hosts, "emails": &keep.Emails} {
		if name == key {
			*box = on
		}
	}
	s.askShare()
}

func (c *ShareView) forms() []choice {
	var all []choice
	for _, f := range shareForms {
		all = append(all, choice{f.key, f.name, f.key == c.State.sharing.form})
	}
	return all
}

// holds says what would be passed on.
func (c *ShareView) holds() string { return Holds(c.State.sharing.include, c.State.sharing.keep) }

// size says how much that is.
func (c *ShareView) size() string {
	sh := &c.State.sharing
	switch {
	case !sh.there:
		return "Writing it…"
	case sh.form == "png":
		return "its size depends on the browser"
	}
	text := words.Bytes(int64(len(sh.text)))
	if n := int64(strings.Count(sh.text, "[masked: ")); n > 0 {
		text += ", " + words.Count(n, "place is masked", "places are masked")
	}
	return text
}

// preview is the beginning of what would be passed on, of a report its text.
func (c *ShareView) preview() string {
	sh := &c.State.sharing
	if !sh.there {
		return ""
	}
	text := sh.text
	switch sh.form {
	case "pftrace":
		return "A trace in binary. Perfetto (ui.perfetto.dev) shows it, and so does this page."
	case "png":
		return "The chart as a picture, twice as fine as on the screen, on white."
	}
	if sh.form == "report" {
		text = textOf(text)
	}
	const limit = 6000
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "\n…"
	}
	return text
}

// textOf is what a person reads of a report.
func textOf(html string) string {
	_, body, _ := strings.Cut(html, "<main>")
	var b strings.Builder
	for body != "" {
		text, rest, found := strings.Cut(body, "<")
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString(text + " ")
		}
		if !found {
			break
		}
		if strings.HasPrefix(rest, "/tr") || strings.HasPrefix(rest, "/h") || strings.HasPrefix(rest, "/p") || strings.HasPrefix(rest, "/div") || strings.HasPrefix(rest, "/li") {
			if !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
		_, body, _ = strings.Cut(rest, ">")
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&quot;", `"`, "&amp;", "&").Replace(b.String())
}

func (s *State) saveShare() {
	if !s.sharing.there {
		return
	}
	for _, f := range shareForms {
		if f.key != s.sharing.form {
			continue
		}
		if f.key == "png" {
			s.host.SavePicture("contextscope-"+fileName(s.sessionID())+f.file, s.sharing.text)
		} else {
			s.host.Save("contextscope-"+fileName(s.sessionID())+f.file, s.sharing.text)
		}
		s.host.Announce("Saved")
	}
}

// isText tells whether there is a text to copy.
func (c *ShareView) isText() bool {
	return c.State.sharing.form != "pftrace" && c.State.sharing.form != "png"
}

// copyShare copies what is there for the choices as they are now.
func (s *State) copyShare() {
	if s.sharing.there {
		s.copy(shareID, s.sharing.text)
	}
}

func (c *ShareView) copyWords() string {
	if c.State.copied == shareID {
		return "Copied"
	}
	return "Copy"
}

// Holds says in a sentence what is passed on, and what is masked in it.
func Holds(in analysis.Include, keep redact.Keep) string {
	var list []string
	for _, c := range []struct {
		yes  bool
		name string
	}{{in.Titles, "titles"}, {in.Paths, "paths and commands"}, {in.Prompts, "beginnings of prompts"}, {in.Facts, "texts of facts"}} {
		if c.yes {
			list = append(list, c.name)
		}
	}
	text := "Counts and identities only: titles, paths and texts stand as tokens."
	if len(list) > 0 {
		text = "Counts and identities, and " + strings.Join(list, ", ") + "."
	}
	masked := []string{"secrets"}
	for _, c := range []struct {
		keep bool
		name string
	}{{keep.Home, "home directories and user names"}, {keep.Emails, "e-mail addresses"}, {keep.Hosts, "hosts and IP addresses"}} {
		if !c.keep {
			masked = append(masked, c.name)
		}
	}
	return text + " Masked: " + strings.Join(masked, ", ") + "."
}
