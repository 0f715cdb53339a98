package chart

import (
	"math"
	"strconv"
)

// pathLimit is the length at which a path is split: Vugu cannot carry an attribute above 16 kB, and short attributes
// are cheaper to compare when a scene is patched.
const pathLimit = 7600

// tenth turns pixels into tenths of a pixel. Paths are written in whole tenths, relative to the last point, so that
// nothing drifts and equal pictures give equal strings.
func tenth(f float64) int { return int(math.Round(f * 10)) }

// pen writes stepped paths. An area pen closes its shape down to the base line whenever it ends one; a line pen does not.
type pen struct {
	area   bool
	base   int // y of the base line in tenths
	limit  int
	done   []string
	buf    []byte
	x, y   int
	run    int // horizontal way that is not written yet
	down   bool
	recent []level
}

// level is a stretch of one height, as the pen has just drawn it.
type level struct{ x1, x2, y int }

// overlap is how far, in tenths, the parts of a split path lie over each other. Edges that only touch would show as a
// seam, since both are blended with what is below them.
const overlap = 20

// start lowers the pen at a point.
func (p *pen) start(x, y int) {
	p.recent = p.recent[:0]
	p.lower(x, y)
}

func (p *pen) lower(x, y int) {
	p.x, p.y, p.run, p.down = x, y, 0, true
	p.buf = append(p.buf, 'M')
	p.buf = appendTenth(p.buf, x)
	p.buf = append(p.buf, ' ')
	if p.area {
		p.buf = appendTenth(p.buf, p.base)
		p.buf = appendMove(p.buf, 'v', y-p.base)
		return
	}
	p.buf = appendTenth(p.buf, y)
}

// step goes straight up or down to y and from there level to x.
func (p *pen) step(x, y int) {
	p.remember(level{p.x, x, y})
	p.draw(x, y)
	if p.limit > 0 && len(p.buf) > p.limit {
		p.split()
	}
}

func (p *pen) draw(x, y int) {
	if y != p.y {
		p.flush()
		p.buf = appendMove(p.buf, 'v', y-p.y)
		p.y = y
	}
	p.run += x - p.x
	p.x = x
}

// remember keeps the last levels, as far back as two parts have to overlap.
func (p *pen) remember(l level) {
	if k := len(p.recent) - 1; k >= 0 && p.recent[k].y == l.y {
		p.recent[k].x2 = l.x2
	} else {
		p.recent = append(p.recent, l)
	}
	old := 0
	for old < len(p.recent)-1 && p.recent[old].x2 < l.x2-overlap {
		old++
	}
	p.recent = append(p.recent[:0], p.recent[old:]...)
}

// split goes on in another path, which draws the last bit of this one again.
func (p *pen) split() {
	p.lift()
	p.cut()
	first := p.recent[0]
	p.lower(max(first.x1, p.x-overlap), first.y)
	for _, l := range p.recent {
		p.draw(l.x2, l.y)
	}
}

func (p *pen) flush() {
	if p.run != 0 {
		p.buf = appendMove(p.buf, 'h', p.run)
		p.run = 0
	}
}

// lift ends a shape; the next one may follow in the same path.
func (p *pen) lift() {
	if !p.down {
		return
	}
	p.flush()
	if p.area {
		p.buf = appendMove(p.buf, 'v', p.base-p.y)
		p.buf = append(p.buf, 'z')
	}
	p.down = false
}

func (p *pen) cut() {
	if len(p.buf) > 0 {
		p.done = append(p.done, string(p.buf))
		p.buf = p.buf[:0]
	}
}

// paths ends everything and gives what was drawn.
func (p *pen) paths() []string {
	p.lift()
	p.cut()
	return p.done
}

func appendMove(b []byte, op byte, d int) []byte {
	if d == 0 {
		return b
	}
	return appendTenth(append(b, op), d)
}

// appendTenth writes tenths as a decimal number without a needless zero: 5 -> ".5", -12 -> "-1.2", 30 -> "3".
func appendTenth(b []byte, t int) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	if t/10 > 0 || t == 0 {
		b = strconv.AppendInt(b, int64(t/10), 10)
	}
	if t%10 > 0 {
		b = append(b, '.', byte('0'+t%10))
	}
	return b
}
