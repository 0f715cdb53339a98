package ui

import "testing"

func TestTheThemeGoesRoundAndIsRemembered(t *testing.T) {
	s, h := opened()
	for _, want := range []string{"light", "dark", ""} {
		s.nextTheme()
		if s.Theme() != want || h.kept["theme"] != want {
			t.Errorf("the theme is %q, %q is remembered, want %q", s.Theme(), h.kept["theme"], want)
		}
	}
	has(t, render(t, s), `aria-label="Theme: system"`)
	s.setShare(true)
	s.setByTime(true)
	s.closeAll()
	again := New(h)
	h.kept["theme"] = "dark"
	again.Recalled()
	if !again.share || !again.byTime || again.Theme() != "dark" {
		t.Error("choices are forgotten")
	}
	h.kept["theme"] = "<script>"
	again.Recalled()
	if again.Theme() != "" {
		t.Errorf("theme %q", again.Theme())
	}
	for key, value := range h.kept {
		if key != "theme" && key != "height" && key != "width" {
			t.Errorf("%s=%s is kept", key, value)
		}
	}
}
