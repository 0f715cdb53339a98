package chart

// choose picks the samples that are drawn. As long as a sample is at least a pixel wide that is all of them. Below, each
// column of pixels keeps the lowest and the highest report, the lowest and the highest estimate and its last sample, so
// that every extreme is seen and what holds until the next column is right; and whatever stands beside a boundary is
// kept, so that a cut is never smoothed away.
func (p *plot) choose() []int {
	all := make([]int, 0, p.n)
	keep := p.kept()
	for i := 0; i < p.n; {
		column := int(p.edge[i])
		j := i + 1
		for j < p.n && int(p.edge[j]) == column {
			j++
		}
		if j-i <= 2 {
			for ; i < j; i++ {
				all = append(all, i)
			}
			continue
		}
		p.merged = true
		all = p.extremes(all, keep, i, j)
		i = j
	}
	return all
}

// kept marks the samples beside boundaries, and those where a breakdown begins or ends.
func (p *plot) kept() []bool {
	keep := make([]bool, p.n)
	mark := func(i int) {
		if i >= 0 && i < p.n {
			keep[i] = true
		}
	}
	for _, b := range p.s.Boundaries {
		mark(b.Sample - 1)
		mark(b.Sample)
	}
	for i := 1; i < p.n; i++ {
		if p.broken(i) != p.broken(i-1) {
			mark(i)
		}
	}
	return keep
}

// extremes appends what is kept of the samples from i up to j.
func (p *plot) extremes(all []int, keep []bool, i, j int) []int {
	lowR, highR, lowE, highE := -1, -1, -1, -1
	for k := i; k < j; k++ {
		lowR, highR = bounds(p.reported, k, lowR, highR)
		lowE, highE = bounds(p.estimated, k, lowE, highE)
	}
	for k := i; k < j; k++ {
		if keep[k] || k == lowR || k == highR || k == lowE || k == highE || k == j-1 {
			all = append(all, k)
		}
	}
	return all
}

// bounds moves the samples of the lowest and the highest known value on to k where k goes beyond them.
func bounds(of func(int) int64, k, low, high int) (int, int) {
	v := of(k)
	if v < 0 {
		return low, high
	}
	if low < 0 || v < of(low) {
		low = k
	}
	if high < 0 || v > of(high) {
		high = k
	}
	return low, high
}
