package lint

import (
	"slices"
	"strings"
	"testing"

	"contextscope/core/action"
	"contextscope/core/behavior"
	"contextscope/core/journal"
)

func names(r journal.Ref) string { return []string{"", "Bash", "Read"}[r] }

// L3 and L12: the rules are there, in their order, with their defaults.
func TestRowsL3AndL12TheDefaults(t *testing.T) {
	var got []string
	for _, r := range Rules {
		got = append(got, r.Name+" "+r.Settings.Level.String())
		if !r.Settings.Enabled || r.Means == "" || r.check == nil {
			t.Errorf("%+v", r)
		}
	}
	want := []string{"tool-loop warning", "reasoning-spiral warning", "budget-proximity error", "context-saturation info",
		"post-compaction-regression warning", "redundant-read info", "error-retry-loop warning", "no-output warning"}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	c, notes := Read([]byte(`{"tool-loop":{"threshold":99},"redundant-read":{"enabled":false,"level":"ERROR"},"post-compaction-regression":{"behavior_window":20,"compaction_threshold":0.3}}`))
	if len(notes) > 0 || c.Rules[Find("tool-loop")].Threshold != 99 || !c.Rules[Find("tool-loop")].Enabled || c.Rules[Find("redundant-read")].Enabled ||
		c.Rules[Find("redundant-read")].Level != Error || c.Rules[Find("error-retry-loop")].Threshold != 3 ||
		c.Rules[Find("post-compaction-regression")].BehaviorWindow != 20 || c.Rules[Find("post-compaction-regression")].CompactionThreshold != 0.3 {
		t.Errorf("%v %+v", notes, c)
	}
	for _, bad := range []string{`{"tool-loop":{"threshold":"x"}}`, `{"tool-loop":{"level":"loud"}}`, `{"tool-loop":5}`, `{"tool-loop":{"behavior_window":5}}`, `{"post-compaction-regression":{"compaction_threshold":1}}`} {
		c, notes := Read([]byte(bad))
		if len(notes) != 1 || c.Rules[0].Threshold != 5 || c.Rules[0].Level != Warning {
			t.Errorf("%s: %v", bad, notes)
		}
	}
}

// L13: a rule that breaks down costs nobody else's findings.
func TestRowL13ARuleThatBreaksDownStopsNoOther(t *testing.T) {
	i := Find("reasoning-spiral")
	good := Rules[i].check
	defer func() { Rules[i].check = good }()
	Rules[i].check = func(*judging) { panic("boom") }
	st := &behavior.Stream{Text: names}
	for n := range 6 {
		st.Steps = append(st.Steps, behavior.Step{Request: -1, Call: int32(n), Name: 1, Args: 7, Kind: action.Run, Tokens: -1, Window: -1})
	}
	found, failures := Check(st, nil)
	if len(found) != 1 || found[0].Rule != "tool-loop" || len(failures) != 1 || !strings.Contains(failures[0], "reasoning-spiral broke down") {
		t.Errorf("%+v %v", found, failures)
	}
	if counts := Counter(nil).Count(st); counts[i] != 0 || counts[0] != 1 {
		t.Errorf("%v", counts)
	}
}

// L7: a budget is judged by what the session cost, and not at all where nobody knows that.
func TestRowL7TheBudget(t *testing.T) {
	for _, c := range []struct {
		budget int64
		spent  func() (float64, bool)
		want   string
	}{
		{0, func() (float64, bool) { return 5, true }, ""},
		{1, func() (float64, bool) { return 0.5, true }, "50000000% of the budget of $0.0000 is spent: $0.5000 by reported usage"},
		{1000_000000, func() (float64, bool) { return 5, true }, ""},
		{10_000000, func() (float64, bool) { return 9, true }, "90% of the budget of $10.0000 is spent: $9.0000 by reported usage"},
		{10_000000, func() (float64, bool) { return 8.99, true }, ""},
		{1, func() (float64, bool) { return 0, false }, ""},
		{1, nil, ""},
	} {
		found, _ := Check(&behavior.Stream{Text: names, Budget: c.budget, Spent: c.spent}, nil)
		got := ""
		if len(found) > 0 {
			got = found[0].Text
			if found[0].Level != Error || found[0].From != -1 {
				t.Errorf("%+v", found[0])
			}
		}
		if got != c.want {
			t.Errorf("%d: %q, want %q", c.budget, got, c.want)
		}
	}
}

// W46: findings of a regression can be made errors, so that a build fails without --strict.
func TestW46ARegressionCanBeAnError(t *testing.T) {
	c, _ := Read([]byte(`{"post-compaction-regression":{"level":"error"}}`))
	read := func(call int32) behavior.Step {
		return behavior.Step{Request: 0, Call: call, Name: 2, Path: 1, Args: 7, Kind: action.Read, Tokens: -1, Window: -1}
	}
	ask := func(n int32) behavior.Step { return behavior.Step{Request: n, Call: -1, Tokens: -1, Window: -1} }
	st := &behavior.Stream{Text: names, Steps: []behavior.Step{ask(0), read(0), ask(1), read(1)}, Cuts: []behavior.Cut{{At: 2, Ratio: 0.8, Compaction: true}}}
	found, _ := Check(st, c)
	if len(found) != 1 || found[0].Level != Error || found[0].Rule != "post-compaction-regression" || found[0].Request != 1 {
		t.Errorf("%+v", found)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"tool-loop":{"threshold":1e999,"enabled":null},"x":[{}]}`))
	f.Add([]byte("{\n\"no-output\" : {} }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, _ := Read(text); len(c.Rules) != len(Rules) {
			t.Error("rules are missing")
		}
	})
}
