package compaction

import "contextscope/core/models"

// Cost is what the discarded input of a compaction is worth at the dated table's price: what sending it once more would cost.
type Cost struct {
	USD float64 // every token at the price of fresh input
	// Cached is the same at the share that was read from the cache in the request before: what those tokens really cost with
	// each request. NoCost where usage does not tell, or no price for reading the cache is listed.
	Cached float64
	Share  float64 // of the request before, read from the cache
	Price  models.Price
}

// NoCost stands for a cost that cannot be told.
const NoCost float64 = -1

// CostOf prices a boundary. Only a compaction is priced, only on reported figures, and only where the table has the model. The
// model is that of the request before the boundary, which had the context that is gone. cached is what that request read from
// the cache, Unknown where nothing tells.
func CostOf(b *Boundary, model string, cached int64) (c Cost, ok bool) {
	dropped := b.Dropped()
	if b.Kind != Compaction || dropped == Unknown {
		return Cost{}, false
	}
	if c.Price, ok = models.PriceOf(model, b.From); !ok {
		return Cost{}, false
	}
	c.USD, c.Cached = float64(dropped)*c.Price.Input/1e6, NoCost
	if cached > 0 && cached <= b.From && c.Price.CacheRead >= 0 {
		c.Share = float64(cached) / float64(b.From)
		c.Cached = float64(dropped) * (c.Share*c.Price.CacheRead + (1-c.Share)*c.Price.Input) / 1e6
	}
	return c, true
}
