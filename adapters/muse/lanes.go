package muse

import (
	"strings"

	"contextscope/core/composition"
	"contextscope/core/journal"
)

// lanes are what one request was made of, as the harness counted it: bytes in groups, each of them rounded up to tokens on
// its own.
type lanes struct {
	tokens  [journal.NumCategories]int64
	context int64 // of the lane that holds rules, skills and the like side by side
}

// bounded reads the groups of a request's input trace.
func (d *decoder) bounded() {
	s := d.s
	if !s.Object() {
		return
	}
	l := &d.event.lanes
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "aggregates":
			for s.Array(); s.Elem(); {
				d.aggregate(l)
			}
		case "omitted_aggregate_lane_bytes":
			if n, ok := s.Int(); ok {
				l.add(journal.Unattributed, n)
			}
		}
	}
}

func (l *lanes) add(c journal.Category, bytes int64) {
	if bytes > 0 {
		l.tokens[c] = min(l.tokens[c]+tokensOf(bytes), maxLane)
	}
}

// maxLane is more than any lane holds, and small enough that lanes can be added up.
const maxLane = 1 << 28

func tokensOf(bytes int64) int64 { return (min(bytes, maxLane*4) + 3) / 4 }

// aggregate reads a group of lanes.
func (d *decoder) aggregate(l *lanes) {
	s := d.s
	if !s.Object() {
		return
	}
	var buf [3][40]byte
	var n [3]int
	bytes := int64(0)
	for k := s.Key(); k != nil; k = s.Key() {
		i := 0
		switch string(k) {
		case "logical_lane":
		case "source":
			i = 1
		case "provider_wire_destination":
			i = 2
		case "byte_count":
			d.number(&bytes)
			continue
		default:
			continue
		}
		n[i] = d.value(buf[i][:])
	}
	lane, source, destination := string(buf[0][:n[0]]), string(buf[1][:n[1]]), string(buf[2][:n[2]])
	if c := laneCategory(lane, source, destination); c != journal.Unattributed || lane != contextLane {
		l.add(c, bytes)
	} else {
		l.context = min(l.context+tokensOf(bytes), maxLane)
	}
}

// value reads the value of an object such as {"value":"history","omitted_bytes":0}.
func (d *decoder) value(to []byte) int {
	s := d.s
	if !s.Object() {
		return 0
	}
	n := 0
	for k := s.Key(); k != nil; k = s.Key() {
		if string(k) == "value" {
			v, _ := s.Str(len(to))
			n = copy(to, v)
		}
	}
	return n
}

// laneCategory maps a lane to a category. The first rule that fits wins.
func laneCategory(lane, source, destination string) journal.Category {
	switch {
	case lane == "system_base":
		return journal.System
	case lane == "tool_result":
		return journal.Results
	case lane == "tool_specs":
		return journal.Tools
	case source == "current_user":
		return journal.Prompts
	case lane == "history" && destination == "message.role:assistant":
		return journal.Assistant
	case lane == "history":
		return journal.Messages
	}
	return journal.Unattributed
}

// laneParts turns what was read into parts: tokens a category, and the context lane under its name.
func (d *decoder) laneParts() {
	l := &d.event.lanes
	for c, n := range l.tokens {
		if n > 0 {
			d.part(journal.Part{Kind: journal.Measured, Category: journal.Category(c), Units: journal.Units(n)})
		}
	}
	if l.context > 0 {
		d.part(journal.Part{Kind: journal.Measured, Category: journal.Unattributed, ID: d.label(contextLane), Units: journal.Units(l.context)})
	}
}

// blocks are the context blocks that are known by their id.
var blocks = map[string]journal.Category{
	"skills_catalog": journal.Skills, "session_identity": journal.Environment, "workspace_identity": journal.Environment,
	"sandbox_policy": journal.Environment, "rules_file": journal.Rules, "memory_snapshot": journal.Rules,
	"subagent_delegation": journal.Tools, baseInstructions: journal.System,
}

// blockCategory puts a context block into a category: by its id, by the words in its id or in its source, and where those
// say nothing it stays unattributed.
func (d *decoder) blockCategory(id, source journal.Ref) journal.Category {
	name := d.in.Strings.Get(id)
	if c, ok := blocks[name]; ok {
		return c
	}
	for _, n := range [...]string{name, d.in.Strings.Get(source)} {
		switch c := journal.SectionCategory(n); {
		case strings.HasPrefix(n, "workflow"), strings.HasPrefix(n, "hook:"):
			return journal.Overhead
		case c != journal.System:
			return c
		}
	}
	return journal.Unattributed
}

// piece is a part of the context lane whose size is known.
type piece struct {
	id       journal.Ref
	category journal.Category
	bytes    uint32
}

// maxPieces bounds what a request's context lane is split into; a hostile journal could name a new block in every record.
const maxPieces = 256

// pieces are what is known of the context lane at one place of a session.
type pieces struct {
	base     uint32 // bytes of the base instructions
	messages []piece
	blocks   []piece
	run      journal.Ref // that the blocks were measured for
	list     []piece     // both without what is in both; nil when it has to be made
}

// configure takes over a request's configuration.
func (ps *pieces) configure(in *journal.Input, r *journal.Record, base journal.Ref) {
	if in.Attribute(r, attrMessages) != nil {
		ps.messages, ps.list = ps.messages[:0], nil
	}
	for i := range int(r.Parts) {
		p := in.Part(r, i)
		switch {
		case p.Kind != journal.Measured:
		case p.ID == base:
			ps.base = p.Units
		case len(ps.messages) < maxPieces:
			ps.messages = append(ps.messages, piece{p.ID, p.Category, p.Units})
		}
	}
}

// block takes over the size of a context block. Each run measures its own.
func (ps *pieces) block(run journal.Ref, p *journal.Part) {
	if run != ps.run {
		ps.run, ps.blocks = run, ps.blocks[:0]
	}
	ps.list = nil
	for i := range ps.blocks {
		if ps.blocks[i].id == p.ID {
			ps.blocks[i].bytes = p.Units
			return
		}
	}
	if len(ps.blocks) < maxPieces {
		ps.blocks = append(ps.blocks, piece{p.ID, p.Category, p.Units})
	}
}

// all lists the messages, and the blocks that are not one of them: a block that has a message's id, or its category and
// size, is that message seen from elsewhere.
func (ps *pieces) all() []piece {
	if ps.list == nil {
		ps.list = append(make([]piece, 0, len(ps.messages)+len(ps.blocks)), ps.messages...)
		for _, b := range ps.blocks {
			seen := false
			for _, m := range ps.messages {
				seen = seen || m.id == b.id || m.category == b.category && m.bytes == b.bytes
			}
			if !seen {
				ps.list = append(ps.list, b)
			}
		}
	}
	return ps.list
}

// counts are the categories of a request with lanes. The context lane is split among the pieces that are known, never
// beyond its own size; the rest of it stays unattributed.
func (ps *pieces) counts(in *journal.Input, r *journal.Record) *composition.Counts {
	out := &composition.Counts{}
	left := uint32(0)
	for i := range int(r.Parts) {
		p := in.Part(r, i)
		switch {
		case p.Kind != journal.Measured:
		case p.ID != 0:
			left += p.Units
		default:
			out.Add(p.Category, p.Units)
		}
	}
	if left == 0 {
		return out
	}
	give := func(c journal.Category, bytes uint32) {
		n := min(composition.Tokens(bytes), left)
		if n > 0 && c != journal.Unattributed {
			out.Add(c, n)
			left -= n
		}
	}
	if !out.Observed(journal.System) { // else the base instructions are in a lane of their own
		give(journal.System, ps.base)
	}
	for _, p := range ps.all() {
		give(p.category, p.bytes)
	}
	if left > 0 {
		out.Add(journal.Unattributed, left)
	}
	return out
}
