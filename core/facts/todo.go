package facts

import "contextscope/core/jsonl"

// Todos reads a to-do list, as the tools of several harnesses pass it on, and measures it as JSON.
func (c *Collector) Todos(s *jsonl.Scanner) (units int64) {
	if !s.Array() {
		return s.JSONUnits()
	}
	c.listed = true
	units = 2
	for first := true; s.Elem(); first = false {
		if !first {
			units++
		}
		units += c.todo(s)
	}
	return units
}

// todo reads an entry: its text and its state, in either order.
func (c *Collector) todo(s *jsonl.Scanner) (units int64) {
	if !s.Object() {
		return s.JSONUnits()
	}
	var text []byte
	open := true
	units = 2
	for k, first := s.Key(), true; k != nil; k, first = s.Key(), false {
		if !first {
			units++
		}
		units += jsonl.QuotedUnits(k) + 1
		member := string(k)
		if s.Kind() != jsonl.String {
			units += s.JSONUnits()
			continue
		}
		head, n := s.Quoted(4 * 400)
		units += n
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
	return units
}
