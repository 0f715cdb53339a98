package ui

// The choices of how the page looks. They are all that is remembered from one time to the next.

// themes are the themes in the order in which the button goes through them; "" is the system's.
var themes = []struct{ key, name string }{{"", "system"}, {"light", "light"}, {"dark", "dark"}}

// Recalled takes over what was remembered.
func (s *State) Recalled() {
	s.theme = ""
	for _, t := range themes {
		if t.key == s.host.Recall("theme") {
			s.theme = t.key
		}
	}
	s.share, s.byTime = s.host.Recall("height") == "share", s.host.Recall("width") == "time"
}

// Theme is "light", "dark" or "" for that of the system.
func (s *State) Theme() string { return s.theme }

func (s *State) nextTheme() {
	for i, t := range themes {
		if t.key == s.theme {
			next := themes[(i+1)%len(themes)]
			s.theme = next.key
			s.host.Announce("Theme: " + next.name)
			break
		}
	}
	s.host.Remember("theme", s.theme)
}

func (s *State) themeName() string {
	for _, t := range themes {
		if t.key == s.theme {
			return t.name
		}
	}
	return ""
}

func (s *State) setShare(on bool) {
	s.share = on
	s.host.Remember("height", when(on, "share"))
}

func (s *State) setByTime(on bool) {
	s.byTime = on
	s.host.Remember("width", when(on, "time"))
}
