package chart

import "contextscope/core/analysis"

// Capacities are the parts of one sample: what a capacity bar shows and the list beside it names. Unknown stands where
// nothing was recorded.
type Capacities struct {
	Categories []analysis.CategoryTokens // by size, empty ones dropped; nil without a breakdown
	Breakdown  bool
	Estimated  int64
	Reported   int64
	Unmeasured int64 // reported above the estimate; 0 where the estimate is as high or one of them is unknown
	Excess     int64 // estimate above the report
	Window     int64
	Free       int64 // up to the window; Unknown without one
	Over       int64 // above the window
}

// Used is what fills the window: the report, or the estimate where that is higher or alone; Unknown with neither.
func (c Capacities) Used() int64 { return max(c.Reported, c.Estimated) }

// Parts takes a sample apart.
func Parts(s *analysis.Series, sample int) Capacities {
	c := Capacities{
		Estimated: value(s.Estimated, sample),
		Reported:  value(s.Reported, sample),
		Window:    value(s.Window, sample),
		Free:      analysis.Unknown,
		Breakdown: sample >= 0 && sample < len(s.Breakdown) && s.Breakdown[sample],
	}
	if c.Window <= 0 {
		c.Window = analysis.Unknown
	}
	if !c.Breakdown {
		c.Estimated = analysis.Unknown
	} else {
		var all []analysis.CategoryTokens
		for i, key := range s.Categories {
			if i < len(s.Values) {
				all = append(all, analysis.CategoryTokens{Category: key, Tokens: value(s.Values[i], sample)})
			}
		}
		c.Categories = BySize(all)
	}
	if c.Reported >= 0 && c.Estimated >= 0 {
		c.Unmeasured = max(c.Reported-c.Estimated, 0)
		c.Excess = max(c.Estimated-c.Reported, 0)
	}
	if used := c.Used(); c.Window > 0 && used >= 0 {
		c.Free = max(c.Window-used, 0)
		c.Over = max(used-c.Window, 0)
	}
	return c
}
