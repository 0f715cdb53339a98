package facts

import (
	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// Todos reads a to-do list, as the tools of several harnesses pass it on, measures it as JSON, and tells it apart from others.
func (c *Collector) Todos(s *jsonl.Scanner) (units int64, hash uint64) {
	if !s.Array() {
		return s.JSONHash()
	}
	c.listed = true
	units = 2
	for first := true; s.Elem(); first = false {
		if !first {
			units++
		}
		n, entry := c.todo(s)
		units, hash = units+n, journal.Fold(hash, int64(entry))
	}
	return units, hash
}

// todo reads an entry: its text and its state, in either order.
func (c *Collector) todo(s *jsonl.Scanner) (units int64, hash uint64) {
	if !s.Object() {
		return s.JSONHash()
	}
	var text []byte
	var members jsonl.Members
	open := true
	units = 2
	for k, first := s.Key(), true; k != nil; k, first = s.Key(), false {
		if !first {
			units++
		}
		units += jsonl.QuotedUnits(k) + 1
		member := string(k)
		if s.Kind() != jsonl.String {
			n, value := s.JSONHash()
			units += n
			members.Add([]byte(member), value)
			continue
		}
		head, n, value := s.QuotedHash(4 * 400)
		units += n
		members.Add([]byte(member), value)
		switch member {
		case "content", "step", "text", "task", "title", "subject":
			if text == nil {
				text = append(text, head...)
			}
		case "status", "state":
			switch string(head) {
			case "completed", "done", "cancelled", "canceled", "skipped":
				open = false
			}
		}
	}
	c.AddTodo(text, open)
	return units, members.Hash()
}
