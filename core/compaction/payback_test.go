package compaction

import (
	"math"
	"testing"

	"contextscope/core/models"
)

func TestW15_WhatACompactionCostIsSetAgainstWhatItSaves(t *testing.T) {
	b := Boundary{Kind: Compaction, From: 180_000, To: 12_000}
	// claude-sonnet-4: 3 in, 15 out, 0.30 read, 3.75 written. Nine tenths of the prompt before were read from the cache: a token costs 0.57.
	c, _ := CostOf(&b, "claude-sonnet-4", 162_000)
	p, ok := PaybackOf(&b, &c, 2_000, 10_000)
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("summary", p.Summarise, 0.1026+0.03)
	near("new context", p.Rewrite, 0.0375)
	near("saving", p.Saves, 0.09576)
	if !ok || p.Requests != 2 { // 0.1701 / 0.09576 = 1.78
		t.Errorf("paid after %d requests, want 2", p.Requests)
	}
	if p, ok = PaybackOf(&b, &c, 2_000, Unknown); !ok || p.Rewrite != NoCost || p.Requests != 2 { // 0.1326 / 0.09576 = 1.38
		t.Errorf("without usage of the cache: %+v", p)
	}
	if _, ok = PaybackOf(&b, &c, Unknown, 10_000); ok {
		t.Error("a summary of unknown length was priced")
	}
	if _, ok = PaybackOf(&b, &Cost{Price: models.Price{Input: 3, Output: models.Unlisted}, Cached: NoCost}, 2_000, 0); ok {
		t.Error("writing was priced without a price")
	}
}
