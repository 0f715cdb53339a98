package muse

import (
	"contextscope/core/facts"
	"contextscope/core/jsonl"
)

// strategy reads the thresholds in force, and from the fraction beside one the window that it is a share of.
func (d *decoder) strategy() {
	s := d.s
	if !s.Object() {
		return
	}
	var soft, hard int64
	var shares [64]byte
	n := 0
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "soft_threshold_tokens":
			d.number(&soft)
		case "hard_threshold_tokens":
			d.number(&hard)
		case "config_fingerprint":
			v, _ := s.Str(len(shares))
			n = copy(shares[:], v)
		}
	}
	e := &d.event
	e.threshold, e.effective = soft, window(soft, shares[:n], "soft=")
	if soft == 0 {
		e.threshold, e.effective = hard, window(hard, shares[:n], "hard=")
	}
}

// window is the number of tokens of which a threshold is the share that stands behind the name: 25,600 at soft=0.0500 is a
// twentieth of 512,000. 0 when that is not told.
func window(threshold int64, shares []byte, name string) int64 {
	i := index(shares, name)
	if i < 0 || threshold <= 0 || threshold > 1<<32 {
		return 0
	}
	digits, scale, dot := int64(0), int64(1), false
	for _, c := range shares[i+len(name):] {
		if c == '.' && !dot {
			dot = true
			continue
		}
		if c < '0' || c > '9' || scale == 1e8 {
			break
		}
		if digits = digits*10 + int64(c-'0'); dot {
			scale *= 10
		}
		if digits > scale {
			return 0 // more than the whole
		}
	}
	if digits == 0 {
		return 0
	}
	return (threshold*scale + digits/2) / digits
}

// index finds a name at the start of b or behind a comma.
func index(b []byte, name string) int {
	for i := 0; i+len(name) <= len(b); i++ {
		if string(b[i:i+len(name)]) == name && (i == 0 || b[i-1] == ',' || b[i-1] == ' ') {
			return i
		}
	}
	return -1
}

// replacement reads the summary that stands in place of what a compaction took out.
func (d *decoder) replacement() {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "text" && s.Kind() == jsonl.String {
			head, t := s.Str(facts.Room())
			d.event.units = t.Units
			d.facts.Add(facts.ByPart, -1, head, t.Units)
		}
	}
}

func (d *decoder) budget(to *int64) {
	s := d.s
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "estimated_prompt_tokens" {
			d.number(to)
		}
	}
}

// segment reads which part of the conversation a compaction left as it was.
func (d *decoder) segment() {
	s, e := d.s, &d.event
	if !s.Object() {
		return
	}
	e.head, e.tail = -1, -1
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "head_sequence":
			d.number(&e.head)
		case "tail_sequence":
			d.number(&e.tail)
		}
	}
	e.preserved = e.head >= 0 && e.tail >= e.head
}
