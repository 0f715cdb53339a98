package chart

import (
	"slices"

	"contextscope/core/analysis"
	"contextscope/ui/words"
)

const barHeight = 22

// part is one piece of a bar.
type part struct {
	class  string
	fill   string // pattern, "" for the colour of the class
	title  string
	tokens int64
}

// Overview is one bar that combines the latest composition of each session. Its whole is what was measured, which is no
// window and no context that any model ever saw.
func Overview(o analysis.Overview, width float64) *Scene {
	s := &Scene{Width: width, Height: barHeight, Title: "Composition of the latest contexts"}
	var whole int64
	for _, c := range o.Categories {
		whole += max(c.Tokens, 0)
	}
	parts := make([]part, 0, len(o.Categories))
	desc := ""
	for _, c := range BySize(o.Categories) {
		share := words.Percent(c.Tokens, whole)
		parts = append(parts, part{class: words.Class(c.Category), tokens: c.Tokens,
			title: words.Category(c.Category) + " " + words.Tokens(c.Tokens) + " (" + share + ")"})
		desc = listed(desc, words.Category(c.Category)+" "+share)
	}
	s.Nodes = bar(parts, whole, width)
	s.Desc = "Nothing was measured."
	if desc != "" {
		s.Desc = desc + " of " + words.Count(whole, "measured token", "measured tokens") + "."
	}
	return s
}

// Capacity is the bar of one sample: its categories by size, what was reported but not measured, and what is free up to
// the window. Without a window the bar is full, since nobody knows what is free.
func Capacity(s *analysis.Series, sample int, width float64) *Scene {
	sc := &Scene{Width: width, Height: barHeight, Title: "Capacity of the selected sample"}
	const id = "capacity-hatch"
	parts := Parts(s, sample)
	whole := max(parts.Window, parts.Used(), 1)
	pieces := make([]part, 0, len(parts.Categories)+2)
	desc := ""
	add := func(class, fill, name string, tokens int64) {
		if tokens <= 0 {
			return
		}
		pieces = append(pieces, part{class: class, fill: fill, tokens: tokens, title: name + " " + words.Tokens(tokens)})
		desc = listed(desc, name+" "+words.Tokens(tokens))
	}
	for _, c := range parts.Categories {
		add(words.Class(c.Category), "", words.Category(c.Category), c.Tokens)
	}
	if len(parts.Categories) == 0 {
		add("whole", "", "No breakdown", parts.Reported)
	} else {
		add("remainder", "url(#"+id+")", "Unmeasured", parts.Unmeasured)
	}
	add("free", "", "Free", parts.Free)
	sc.Nodes = append([]Node{hatch(id)}, bar(pieces, whole, width)...)
	sc.Desc = words.NotRecorded + "."
	if desc != "" {
		sc.Desc = desc + "."
	}
	return sc
}

func listed(list, item string) string {
	if list == "" {
		return item
	}
	return list + ", " + item
}

// bar draws pieces side by side over the whole width, with a fine gap between them. A piece that would be narrower than
// a pixel gets one, at the cost of the widest: something is never drawn as nothing.
func bar(parts []part, whole int64, width float64) []Node {
	if whole <= 0 {
		return []Node{rect("segment free", 0, 0, width, barHeight)}
	}
	widths := make([]float64, len(parts))
	widest, owed := 0, 0.0
	for i, p := range parts {
		widths[i] = float64(p.tokens) / float64(whole) * width
		if widths[i] > widths[widest] {
			widest = i
		}
		if p.tokens > 0 && widths[i] < 1.5 {
			owed += 1.5 - widths[i]
			widths[i] = 1.5
		}
	}
	if len(parts) > 0 {
		widths[widest] = max(widths[widest]-owed, 1.5)
	}
	nodes := make([]Node, 0, len(parts))
	x := 0.0
	for i, p := range parts {
		gap := min(1, widths[i]/3)
		if i == len(parts)-1 {
			gap = 0
		}
		r := rect("segment "+p.class, x, 0, widths[i]-gap, barHeight)
		if p.fill != "" {
			r.Attrs = append(r.Attrs, Attr{"fill", p.fill})
		}
		nodes = append(nodes, titled(r, p.title))
		x += widths[i]
	}
	return nodes
}

// BySize sorts categories by what they hold, the largest first, and drops empty ones.
func BySize(all []analysis.CategoryTokens) []analysis.CategoryTokens {
	kept := make([]analysis.CategoryTokens, 0, len(all))
	for _, c := range all {
		if c.Tokens > 0 {
			kept = append(kept, c)
		}
	}
	slices.SortStableFunc(kept, func(a, b analysis.CategoryTokens) int {
		switch {
		case a.Tokens > b.Tokens:
			return -1
		case a.Tokens < b.Tokens:
			return 1
		}
		return 0
	})
	return kept
}
