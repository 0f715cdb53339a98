package analysis

import (
	"cmp"
	"slices"
	"strings"

	"contextscope/core/action"
	"contextscope/core/composition"
	"contextscope/core/journal"
)

// Where the context went: the content of one session by what brought it, and how many requests carried it. What a request
// carried is inferred from the journal: a harness may have left something out that it does not write down.

// The ways to group content.
const (
	ByTool   = "tool"
	ByServer = "server" // MCP server of the tool
	ByFile   = "file"
	BySkill  = "skill"
	ByAgent  = "agent" // what subagents were asked and gave back
	ByItem   = "item"  // each piece alone
)

// SpreadQuestion asks where the context of one session went.
type SpreadQuestion struct {
	By     string
	Order  string // "carried" (default), "tokens", "here", "repeated", "items" or "name"
	Offset int
	Limit  int
}

// Spread is the content of a session by what brought it.
type Spread struct {
	Rows     []SpreadRow
	Total    int      // groups
	Listed   SpreadOf // all groups
	All      SpreadOf // the whole session: what belongs to no group, too
	Requests int64    // whose context is known
	Unlisted int64    // content that a recording counted and did not list
	Tiles    []SpreadTile
}

// SpreadOf is some content.
type SpreadOf struct {
	Items          int64
	Tokens         int64 // estimated; what came again counts again
	Carried        int64 // tokens, once for each request that carried them
	Here           int64 // tokens that are there at the end
	Repeated       int64 // items that were there already when they came: the same call or label, and the same size
	RepeatedTokens int64
}

func (o *SpreadOf) add(n SpreadOf) {
	o.Items += n.Items
	o.Tokens += n.Tokens
	o.Carried += n.Carried
	o.Here += n.Here
	o.Repeated += n.Repeated
	o.RepeatedTokens += n.RepeatedTokens
}

// SpreadRow is a group.
type SpreadRow struct {
	SpreadOf
	Name     string
	Category string // of most of its tokens
	Reads    int64  // of a file
	Writes   int64
	Rereads  int64 // the same read while an earlier one was still there, and the file was not written in between
	Requests int64 // that carried the largest piece
	Sample   int   // the first whose request carried any of it, -1 for none
	Child    int   // session that a call started, -1 for none
	Input    int   // where the largest piece stands
	Line     int64
	Offset   int64
	Length   int64
}

// SpreadTile is a group in the picture: the largest by what was asked for, and the rest together.
type SpreadTile struct {
	Name     string // "" for the rest
	Category string
	Value    int64
}

// maxTiles is how many groups the picture shows one by one.
const maxTiles = 40

// Spread tells where the context of a session went.
func (a *Analysis) Spread(session int, q SpreadQuestion) *Spread {
	if session < 0 || session >= len(a.Sessions) {
		return &Spread{}
	}
	g := a.grouping(a.Sessions[session], q.By)
	stays := &g.ledger.Stays
	for i := range stays.Len() {
		g.add(stays.At(i))
	}
	out := &Spread{All: g.all, Requests: int64(g.sent[len(g.sent)-1]), Total: len(g.rows)}
	for i := range g.s.Snapshots {
		if n := &g.s.Snapshots[i]; n.recorded {
			out.Unlisted += int64(n.Omitted)
		}
	}
	for i := range g.rows {
		r := &g.rows[i].SpreadRow
		r.Category = g.rows[i].category()
		out.Listed.add(r.SpreadOf)
	}
	measure := measureOf(q.Order)
	slices.SortStableFunc(g.rows, func(a, b spreading) int {
		if q.Order == "name" {
			return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		}
		return cmp.Or(cmp.Compare(measure(&b.SpreadOf), measure(&a.SpreadOf)), cmp.Compare(b.Tokens, a.Tokens))
	})
	from := min(max(0, q.Offset), len(g.rows))
	to := len(g.rows)
	if q.Limit > 0 {
		to = min(to, from+q.Limit)
	}
	for i := from; i < to; i++ {
		g.place(&g.rows[i])
		out.Rows = append(out.Rows, g.rows[i].SpreadRow)
	}
	out.Tiles = tiles(g.rows, measure)
	if q.By == ByFile {
		for i := range out.Tiles {
			out.Tiles[i].Name = base(out.Tiles[i].Name)
		}
	}
	return out
}

// measureOf is what the groups are put in order by.
func measureOf(order string) func(*SpreadOf) int64 {
	switch order {
	case "tokens":
		return func(o *SpreadOf) int64 { return o.Tokens }
	case "here":
		return func(o *SpreadOf) int64 { return o.Here }
	case "repeated":
		return func(o *SpreadOf) int64 { return o.RepeatedTokens }
	case "items":
		return func(o *SpreadOf) int64 { return o.Items }
	}
	return func(o *SpreadOf) int64 { return o.Carried }
}

func tiles(rows []spreading, measure func(*SpreadOf) int64) []SpreadTile {
	list := make([]SpreadTile, 0, len(rows))
	for i := range rows {
		if v := measure(&rows[i].SpreadOf); v > 0 {
			list = append(list, SpreadTile{rows[i].Name, rows[i].Category, v})
		}
	}
	slices.SortStableFunc(list, func(a, b SpreadTile) int { return cmp.Compare(b.Value, a.Value) })
	if len(list) <= maxTiles {
		return list
	}
	rest := SpreadTile{}
	for _, t := range list[maxTiles-1:] {
		rest.Value += t.Value
	}
	return append(list[:maxTiles-1], rest)
}

// spreading is a group that is being put together.
type spreading struct {
	SpreadRow
	by      [journal.NumCategories]int64 // tokens
	largest *composition.Stay
	other   journal.Ref // a category of its own
	first   int32       // snapshot that had some of it first
	carried bool
}

func (r *spreading) category() string {
	best := journal.NoCategory
	for c, n := range r.by {
		if n > r.by[best] {
			best = journal.Category(c)
		}
	}
	return best.Key()
}

// grouping puts the content of one session into groups.
type grouping struct {
	a        *Analysis
	s        *Session
	by       string
	ledger   *composition.Ledger
	children map[journal.Ref]int
	paths    func(string) journal.Ref
	index    map[string]int
	rows     []spreading
	all      SpreadOf
	twins    map[twin]*composition.Stay
	sent     []int32                       // how many requests came before each snapshot, and in all
	reads    map[reading]*composition.Stay // the newest reads of each file that was not written since
	written  map[string]int32              // how often each file was written
	skill    string                        // that was called last
}

// twin is what two pieces share of which one repeats the other.
type twin struct {
	source   uint64
	label    journal.Ref
	tokens   uint32
	category journal.Category
}

func (a *Analysis) grouping(s *Session, by string) *grouping {
	a.makeActions()
	g := &grouping{a: a, s: s, by: by, ledger: &s.tracker.Ledger, children: a.started()[s.whole().ID], paths: a.pathsOf(s),
		index: map[string]int{}, twins: map[twin]*composition.Stay{}, reads: map[reading]*composition.Stay{}, written: map[string]int32{}}
	g.sent = make([]int32, 1, len(s.Snapshots)+1)
	for i := range s.Snapshots {
		n := g.sent[i]
		if s.Snapshots[i].Event == OnRequest {
			n++
		}
		g.sent = append(g.sent, n)
	}
	return g
}

// carried is how many requests carried a stay.
func (g *grouping) carried(st *composition.Stay) int64 {
	end := len(g.sent) - 1
	if st.Until != composition.StillThere {
		end = int(st.Until)
	}
	return int64(g.sent[end] - g.sent[min(int(st.Since), len(g.sent)-1)])
}

// piece is what is known of a stay by the call that made it.
type piece struct {
	*composition.Stay
	call   *Call
	tool   string
	result bool
	kind   action.Kind
	path   string
	child  int
}

func (g *grouping) add(st *composition.Stay) {
	p := piece{Stay: st, call: g.s.CallNamed(st.Call), child: -1, result: st.Source == composition.FromTool || st.Prefix == composition.ToolResult}
	if p.call != nil {
		p.tool = g.a.Strings.Get(p.call.Name)
		what := g.a.actions.of(p.call.Name, p.call.Detail)
		if p.kind, p.path = what.kind, what.path; p.path != "" {
			p.path = g.a.Strings.Get(g.paths(p.path))
		}
		if i, ok := g.children[st.Call]; ok && st.Call != 0 {
			p.child = i
		}
	} else if p.result || st.Prefix == composition.ToolCall {
		p.tool = g.a.Strings.Get(st.Label)
	}
	carried := g.carried(st)
	of := SpreadOf{Items: 1, Tokens: int64(st.Tokens), Carried: int64(st.Tokens) * carried}
	if st.Until == composition.StillThere {
		of.Here = of.Tokens
	}
	if g.repeats(&p) {
		of.Repeated, of.RepeatedTokens = 1, of.Tokens
	}
	g.all.add(of)
	name := g.name(&p)
	if name == "" {
		return
	}
	k := name
	if g.by == ByItem {
		k = "" // each alone
	}
	at, ok := g.index[k]
	if !ok || g.by == ByItem {
		at = len(g.rows)
		g.index[k] = at
		g.rows = append(g.rows, spreading{SpreadRow: SpreadRow{Name: name, Sample: -1, Child: p.child}})
	}
	r := &g.rows[at]
	r.add(of)
	r.by[st.Category] += of.Tokens
	if r.largest == nil || st.Tokens > r.largest.Tokens {
		r.largest, r.Requests = st, carried
	}
	if r.Child != p.child {
		r.Child = -1 // of several
	}
	if carried > 0 && !r.carried {
		r.carried, r.first = true, st.Since
	}
	if p.result {
		switch p.kind {
		case action.Read:
			r.Reads++
		case action.Write:
			r.Writes++
		}
		r.Rereads += g.reread(&p)
	}
}

// smallest is how many tokens a piece has at least that counts as repeated.
const smallest = 16

// repeats reports whether a piece was there already when it came. That it is the same is inferred from the call's arguments, or
// the label, and the size.
func (g *grouping) repeats(p *piece) bool {
	if p.Tokens < smallest || !p.result && (p.call != nil || p.Label == 0 || p.Source != composition.NoSource) {
		return false
	}
	t := twin{label: p.Label, tokens: p.Tokens, category: p.Category}
	if p.result {
		if p.call == nil || p.call.Args == 0 {
			return false
		}
		t.source, t.label = p.call.Args, p.call.Name
	}
	old := g.twins[t]
	g.twins[t] = p.Stay
	return there(old, p.Stay)
}

// there reports whether a stay lasted until another one had begun.
func there(old, now *composition.Stay) bool {
	return old != nil && (old.Until == composition.StillThere || old.Until > now.Since)
}

// reading is a read of a file: another part of it is another reading, and so is one behind an edit.
type reading struct {
	path    string
	args    uint64
	written int32
}

// reread is 1 for a read of what was there already and has not been written since.
func (g *grouping) reread(p *piece) int64 {
	if p.path == "" || p.call.Failed {
		return 0
	}
	switch p.kind {
	case action.Write:
		g.written[p.path]++
	case action.Read:
		k := reading{p.path, p.call.Args, g.written[p.path]}
		old := g.reads[k]
		g.reads[k] = p.Stay
		if there(old, p.Stay) {
			return 1
		}
	}
	return 0
}

// name is that of the group that a piece belongs to, "" for none.
func (g *grouping) name(p *piece) string {
	switch g.by {
	case ByServer:
		return serverOf(p.tool)
	case ByFile:
		path := p.path
		if path == "" && p.call == nil {
			path = g.attached(p.Stay)
		}
		return g.inside(path)
	case BySkill:
		return g.skillOf(p)
	case ByAgent:
		if p.child < 0 && (p.call == nil || p.call.Agent == 0) {
			return ""
		}
		if p.child >= 0 {
			if title := g.a.Sessions[p.child].Title; title != "" {
				return title
			}
		}
		return cmp.Or(g.a.Strings.Get(p.call.Detail), p.tool)
	case ByItem:
		return g.itemName(p)
	}
	if p.tool != "" {
		return p.tool
	}
	if p.Label != 0 && p.Category == journal.Assistant {
		return g.a.Strings.Get(p.Label)
	}
	if p.Category == journal.NoCategory {
		return g.a.Strings.Get(p.Other)
	}
	return p.Category.Name()
}

// itemName is what the list of changes calls a piece, too.
func (g *grouping) itemName(p *piece) string {
	records := &g.a.Inputs[p.Input].Records
	if int(p.Record) >= records.Len() {
		return cmp.Or(p.tool, g.a.Strings.Get(p.Label), p.Category.Name())
	}
	what, detail := g.a.describe(g.s, &composition.Change{Item: p.Item()}, records.At(int(p.Record)))
	return strings.TrimSpace(what + " " + detail)
}

// serverOf is the MCP server of a tool: mcp__server__tool.
func serverOf(tool string) string {
	rest, ok := strings.CutPrefix(tool, "mcp__")
	if !ok {
		return ""
	}
	server, _, _ := strings.Cut(rest, "__")
	return server
}

// skillOf is the skill of a piece: the call names it, and what the harness puts in behind the call is its text.
func (g *grouping) skillOf(p *piece) string {
	if p.call != nil {
		if !strings.EqualFold(p.tool, "skill") {
			return ""
		}
		g.skill = g.a.Strings.Get(p.call.Detail)
		return cmp.Or(g.skill, "unnamed")
	}
	if p.Category != journal.Skills {
		return ""
	}
	if g.skill != "" && g.a.Strings.Is(p.Label, "Skill") {
		return g.skill
	}
	if label := g.a.Strings.Get(p.Label); label != "" {
		return label
	}
	return p.Category.Name()
}

// inside is a path as seen from the folder that the session began in.
func (g *grouping) inside(path string) string {
	if folder := g.a.Strings.Get(g.s.Folder); folder != "" {
		if rest, ok := strings.CutPrefix(path, folder+"/"); ok && rest != "" {
			return rest
		}
	}
	return path
}

// attached is the file that the harness put in by itself.
func (g *grouping) attached(st *composition.Stay) string {
	if st.Source != composition.NoSource || st.Category != journal.Results && st.Category != journal.Rules {
		return ""
	}
	in := g.a.Inputs[st.Input]
	if int(st.Record) >= in.Records.Len() {
		return ""
	}
	rec := in.Records.At(int(st.Record))
	for k := range int(rec.Parts) {
		if p := in.Part(rec, k); p.Kind == journal.Item && p.Detail != 0 && composition.Tokens(p.Units) == st.Tokens {
			return g.a.Strings.Get(g.paths(g.a.Strings.Get(p.Detail)))
		}
	}
	return ""
}

// place says where the largest piece of a group stands, and where it was carried first.
func (g *grouping) place(r *spreading) {
	if in := g.a.Inputs[r.largest.Input]; int(r.largest.Record) < in.Records.Len() {
		src := in.Records.At(int(r.largest.Record)).Place(int(r.largest.Input))
		r.Input, r.Line, r.Offset, r.Length = src.Input, int64(src.Line), src.Offset, src.Length
	}
	if !r.carried {
		return
	}
	for i := int(r.first); i < len(g.s.Snapshots); i++ {
		if g.s.Snapshots[i].Event == OnRequest {
			r.Sample = i
			return
		}
	}
}
