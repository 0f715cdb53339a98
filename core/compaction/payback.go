package compaction

import "math"

// Payback sets what a compaction costs by itself against what it saves with each request from then on. It is an estimate:
// journals seldom hold the request that writes the summary.
type Payback struct {
	Summarise float64 // reading what was there once more, at the cached share of the request before, and writing the summary
	Rewrite   float64 // putting the new context into the cache, as the request after reports it; NoCost where it does not
	Saves     float64 // with each request: what is gone, at the same cached share
	Requests  int64   // after which it has paid for itself
}

// PaybackOf estimates when a priced compaction has paid for itself; false where no price for writing is listed, or where nothing
// tells how long the summary is. summary is its length in tokens, written what the request after wrote to the cache.
func PaybackOf(b *Boundary, c *Cost, summary, written int64) (p Payback, ok bool) {
	if summary <= 0 || c.Price.Output < 0 || b.Dropped() <= 0 {
		return p, false
	}
	read := c.Price.Input
	if c.Cached >= 0 {
		read = c.Share*c.Price.CacheRead + (1-c.Share)*c.Price.Input
	}
	p.Summarise = (float64(b.From)*read + float64(summary)*c.Price.Output) / 1e6
	p.Saves = float64(b.Dropped()) * read / 1e6
	p.Rewrite = NoCost
	once := p.Summarise
	if written >= 0 && c.Price.CacheWrite >= 0 {
		p.Rewrite = float64(written) * c.Price.CacheWrite / 1e6
		once += p.Rewrite
	}
	p.Requests = int64(math.Ceil(once / p.Saves))
	return p, true
}
