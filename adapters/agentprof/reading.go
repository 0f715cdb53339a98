package agentprof

import (
	"math"
	"strings"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// context reads a reading of Claude Code's context.
func (d *scribe) context() {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	c := &context{tokens: -1, window: -1, effective: -1, threshold: -1}
	d.row.context = c
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "tokens":
			c.tokens = d.size()
		case "window":
			c.window = d.size()
		case "breakdown":
			d.breakdown(c)
		case "items_reset":
			c.reset, _ = s.Bool()
		case "items":
			c.whole = d.items(c)
		case "item_changes":
			d.items(c)
		case "removed_items":
			if s.Array() {
				for s.Elem() {
					c.gone = append(c.gone, d.text())
				}
			}
		}
	}
}

func (d *scribe) breakdown(c *context) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	c.broken = true
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "raw_max_tokens":
			c.effective = d.size()
		case "auto_compact_threshold":
			c.threshold = d.size()
		case "categories":
			if s.Array() {
				for s.Elem() {
					d.measured(c)
				}
			}
		}
	}
}

// measured reads a row of the harness's own breakdown. Free space and what is deferred are not in the context.
func (d *scribe) measured(c *context) {
	s := d.s
	if !s.Object() {
		s.Skip()
		return
	}
	used, n, category := false, int64(-1), journal.Unattributed
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "name":
			v, _ := s.Str(96)
			category = native(string(v))
		case "kind":
			v, _ := s.Str(16)
			used = string(v) == "used"
		case "tokens":
			n = d.size()
		}
	}
	switch {
	case !used || n < 0:
	case int64(c.native.Tokens[category])+n > math.MaxInt32: // no context has that size
		d.in.Malformed++
	default:
		c.native.Add(category, uint32(n))
	}
}

// native puts a row of the breakdown into a category by the words in its name.
func native(name string) journal.Category {
	name = strings.ToLower(name)
	if strings.Contains(name, "message") || strings.Contains(name, "conversation") {
		return journal.Messages
	}
	for _, w := range []string{"system", "tool", "memory", "rule", "skill", "agent", "command", "environment", "reminder"} {
		if strings.Contains(name, w) {
			return journal.SectionCategory(name)
		}
	}
	return journal.Unattributed
}

// items reads what is in the context, or what changed in it; reports whether there was a list.
func (d *scribe) items(c *context) bool {
	s := d.s
	if !s.Array() {
		s.Skip()
		return false
	}
	for s.Elem() {
		if !s.Object() {
			s.Skip()
			continue
		}
		it := composition.Item{Chars: composition.Uncounted, Category: journal.Unattributed, ID: composition.ID{Prefix: composition.Named}}
		n := int64(-1)
		for k := s.Key(); k != nil; k = s.Key() {
			switch string(k) {
			case "id":
				it.ID.Name = d.text()
			case "category":
				v, _ := s.Str(32)
				if k := journal.CategoryNamed(string(v)); k != journal.NoCategory {
					it.Category = k
				}
			case "tokens":
				n = d.size()
			case "chars":
				if v := d.size(); v >= 0 {
					it.Chars = uint32(v)
				}
			case "source_id":
				it.Call = d.text()
			case "source_kind":
				v, _ := s.Str(16)
				it.Source = source(v)
			case "label":
				v, _ := s.Str(256)
				it.Label = d.in.Strings.Put(firstLine(v))
			}
		}
		if it.ID.Name != 0 && n >= 0 {
			it.Tokens = uint32(n)
			c.items = append(c.items, it)
		}
	}
	return true
}
