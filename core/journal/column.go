package journal

// Column is a growing array in pieces: appending never copies what is there, so a table of millions of records needs no
// second table of the same size beside it while it grows.
type Column[T any] struct {
	chunks [][]T
	n      int
}

const (
	chunkBits = 10
	chunkLen  = 1 << chunkBits
)

// Len is how many there are.
func (c *Column[T]) Len() int { return c.n }

// Append adds v and returns its index.
func (c *Column[T]) Append(v T) int {
	i := c.n
	if i>>chunkBits == len(c.chunks) {
		c.chunks = append(c.chunks, make([]T, 0, chunkLen))
	}
	k := i >> chunkBits
	c.chunks[k] = append(c.chunks[k], v)
	c.n++
	return i
}

// Fit gives back what the last piece has beyond its elements: nothing more will be appended. Thousands of short files would
// otherwise keep a piece each that is hardly used.
func (c *Column[T]) Fit() {
	if last := len(c.chunks) - 1; last >= 0 && len(c.chunks[last]) < cap(c.chunks[last]) {
		c.chunks[last] = append(make([]T, 0, len(c.chunks[last])), c.chunks[last]...)
	}
}

// At is the element at i, to read or to change in place.
func (c *Column[T]) At(i int) *T { return &c.chunks[i>>chunkBits][i&(chunkLen-1)] }

// Truncate forgets all from n on.
func (c *Column[T]) Truncate(n int) {
	if n >= c.n {
		return
	}
	c.chunks = c.chunks[:(n+chunkLen-1)>>chunkBits]
	if r := n & (chunkLen - 1); r != 0 {
		last := len(c.chunks) - 1
		c.chunks[last] = c.chunks[last][:r]
	}
	c.n = n
}
