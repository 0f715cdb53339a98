package perfetto

import (
	"math"
	"sort"
)

// Clocks that have a fixed number. Those from 64 to 127 belong to the sequence of packets that uses them.
const (
	Realtime  = 1
	Monotonic = 3
	Boottime  = 6

	firstScoped = 64
	lastScoped  = 127
)

// Stamp is a moment on some clock. It becomes a time once all clock snapshots of the trace are known.
type Stamp struct {
	Raw   int64
	Clock int32 // index of the clock in this trace, -1 for none
}

// clockKey tells clocks apart.
type clockKey struct{ machine, id, sequence uint32 }

// clocks are all clocks of a trace with the snapshots that relate them.
type clocks struct {
	index    map[clockKey]int32
	keys     []clockKey
	readings [][]reading // a list for each snapshot
	primary  uint32      // that packets without a clock of their own use
	pairs    [][]pair    // of each clock: its readings with the time of day, in order
}

// reading is what a clock showed in a snapshot.
type reading struct {
	clock int32
	at    int64
}

// pair is what a clock showed and the time of day at that moment, in unix nanoseconds.
type pair struct{ at, unix int64 }

const (
	maxStamp    = 1 << 62 // in the year 2116; what lies beyond is damage
	maxReadings = 16      // of a snapshot; more clocks do not exist
	maxHops     = 8       // between a clock and the time of day
)

func (c *clocks) of(k clockKey) int32 {
	if k.id < firstScoped || k.id > lastScoped {
		k.sequence = 0
	}
	i, ok := c.index[k]
	if !ok {
		if c.index == nil {
			c.index = map[clockKey]int32{}
		}
		i = int32(len(c.keys))
		c.index[k] = i
		c.keys = append(c.keys, k)
	}
	return i
}

// snapshot notes what several clocks showed at one moment. A clock that counts in something else than nanoseconds, or from
// one packet to the next, is not related to others: its events have no time.
func (c *clocks) snapshot(m message, machine, sequence uint32) {
	var all []reading
	for m.next() {
		switch {
		case m.num == snapshotPrimary && m.isVarint():
			c.primary = uint32(m.n)
		case m.num == snapshotClock && m.isBytes():
			id, at, odd := uint64(0), uint64(math.MaxUint64), false
			for k := m.inside(); k.next(); {
				switch {
				case k.num == clockID && k.isVarint():
					id = k.n
				case k.num == clockTimestamp && k.isVarint():
					at = k.n
				case k.num == clockIncremental && k.isVarint():
					odd = odd || k.n != 0
				case k.num == clockUnit && k.isVarint():
					odd = odd || k.n > 1
				}
			}
			if id > 0 && id <= math.MaxUint32 && at <= maxStamp && !odd && len(all) < maxReadings {
				all = append(all, reading{c.of(clockKey{machine, uint32(id), sequence}), int64(at)})
			}
		}
	}
	if len(all) > 1 {
		c.readings = append(c.readings, all)
	}
}

// settle relates every clock to the time of day, over others where no snapshot has both.
func (c *clocks) settle() {
	c.pairs = make([][]pair, len(c.keys))
	for range maxHops {
		found := map[int32][]pair{}
		for _, all := range c.readings {
			unix, ok := c.timeOf(all)
			for _, r := range all {
				if ok && !c.known(r.clock) {
					found[r.clock] = append(found[r.clock], pair{r.at, unix})
				}
			}
		}
		if len(found) == 0 {
			return
		}
		for i, pairs := range found {
			sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].at < pairs[j].at })
			c.pairs[i] = pairs
		}
	}
}

func (c *clocks) known(i int32) bool { return c.keys[i].id == Realtime || c.pairs[i] != nil }

// timeOf is the time of day of a snapshot: its own reading of it, else what another clock in it tells.
func (c *clocks) timeOf(all []reading) (int64, bool) {
	for _, r := range all {
		if c.keys[r.clock].id == Realtime {
			return r.at, true
		}
	}
	for _, r := range all {
		if c.known(r.clock) {
			return c.unix(Stamp{r.at, r.clock})
		}
	}
	return 0, false
}

// unix converts a moment with the newest snapshot that is not after it; before the first one, with the first.
func (c *clocks) unix(s Stamp) (int64, bool) {
	if s.Clock < 0 {
		return 0, false
	}
	if c.keys[s.Clock].id == Realtime {
		return s.Raw, true
	}
	pairs := c.pairs[s.Clock]
	if len(pairs) == 0 {
		return 0, false
	}
	i := sort.Search(len(pairs), func(i int) bool { return pairs[i].at > s.Raw })
	p := pairs[max(i-1, 0)]
	since := s.Raw - p.at // neither is negative
	if since > 0 && p.unix > math.MaxInt64-since || since < 0 && p.unix < math.MinInt64-since {
		return 0, false
	}
	return p.unix + since, true
}
