package ui

import (
	"contextscope/ui/chart"
	"contextscope/ui/words"
)

// The samples as a table: what the chart shows, for those who would rather read it.

type sampleLine struct {
	Index                                  int
	Name, When, Kind                       string
	Reported, Estimated, Unmeasured, Share string
	Growth, GrowthClass                    string
	Here                                   bool
}

// samplePage is the page on which the selected sample stands, unless another one was turned to.
func (s *State) samplePage() int {
	if s.samplesPage >= 0 {
		return s.samplesPage
	}
	return s.selected / pageSize
}

func (s *State) turnSamples(by int) {
	if to := s.samplePage() + by; to >= 0 && to*pageSize < s.samples() {
		s.samplesPage = to
	}
}

func (c *SamplesTable) rows() []sampleLine {
	s := c.State
	var lines []sampleLine
	from := s.samplePage() * pageSize
	for i := from; i < min(from+pageSize, s.samples()); i++ {
		lines = append(lines, s.sampleLine(i))
	}
	return lines
}

func (s *State) sampleLine(i int) sampleLine {
	series := s.series
	parts := chart.Parts(series, i)
	l := sampleLine{Index: i, Name: s.placeName(i), When: s.clock().Second(at(series.At, i)), Reported: words.Tokens(parts.Reported),
		Estimated: words.Tokens(parts.Estimated), Here: i == s.selected, GrowthClass: "n wide"}
	if at(series.Request, i) <= 0 {
		l.Kind = words.Plain(text(series.Kind, i), 24)
	}
	if parts.Breakdown && parts.Reported >= 0 {
		l.Unmeasured = words.Tokens(parts.Unmeasured)
	}
	used := parts.Used()
	if parts.Window > 0 && used >= 0 {
		l.Share = words.WholePercent(used, parts.Window)
	}
	if i > 0 {
		was, is := at(series.Reported, i-1), at(series.Reported, i)
		if was >= 0 && is >= 0 {
			if l.Growth = words.Signed(is - was); is < was {
				l.GrowthClass = "n wide delta loss"
			}
		}
	}
	return l
}

func (c *SamplesTable) rowClass(l sampleLine) string {
	if l.Here {
		return "here"
	}
	return ""
}

func (c *SamplesTable) pages() pager { return pager{c.State.samplePage(), pageSize, c.State.samples()} }
