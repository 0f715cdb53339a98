package chart

import "math"

// niceStep is the smallest step of 1, 2 or 5 times a power of ten that divides top into at most count parts.
func niceStep(top float64, count int) int64 {
	if top <= 0 || count < 1 {
		return 1
	}
	raw := top / float64(count)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*power >= raw-1e-9 {
			return max(int64(math.Round(m*power)), 1)
		}
	}
	return 1
}

// timeSteps are the distances between two ticks on a time axis, in seconds.
var timeSteps = []int64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400}

// niceSeconds is the smallest of them that keeps a span within count parts; beyond a day it is whole days.
func niceSeconds(span float64, count int) int64 {
	for _, s := range timeSteps {
		if span/float64(s) <= float64(count) {
			return s
		}
	}
	return niceStep(span/86400, count) * 86400
}
