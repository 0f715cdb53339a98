package runner

import (
	"cmp"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"contextscope/core/analysis"
	"contextscope/core/behavior"
	"contextscope/core/compaction"
)

// compaction prints the report on the boundaries of one session with its streams: the newest main session, or the one that was
// asked for. As a document it is that of the session.
func (p Process) compaction(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	if req.session == "" {
		row := newest(o.rows)
		o.rows, o.options.Sessions = withStreams(o.rows, row), []int{row.Index}
	}
	o.options.Diff, o.options.Behavior, o.options.BehaviorWindow = req.diff, req.behavior, req.behaviorWindow
	if req.json {
		return p.print(o.AppendJSON(nil, o.options))
	}
	return p.print(shown(o.compactionReport()))
}

// sections are what was asked for of each compaction beside its figures: what survived, and what it did to the agent.
func (o *opened) sections(compactions []cutLine) (b []byte) {
	diffs, changes := map[int][]*analysis.Diff{}, map[int][]behavior.Diff{}
	for _, row := range o.rows {
		s := o.Sessions[row.Index]
		if o.options.Diff {
			diffs[row.Index] = o.Survival(s, o.options)
		}
		if o.options.Behavior {
			changes[row.Index] = o.Analysis.Behavior(s, o.options)
		}
	}
	for i := range compactions {
		c := &compactions[i]
		if of := diffs[c.session]; c.number < len(of) && of[c.number] != nil {
			b = append(append(b, '\n'), diffSection(i+1, of[c.number])...)
		}
		for k := range changes[c.session] {
			if d := &changes[c.session][k]; d.Cut.Boundary == c.number {
				b = append(b, '\n')
				b = behaviorSection(b, i+1, d)
			}
		}
	}
	return b
}

// newest is the main session that began last. Where all are parts of others, it is the last of them.
func newest(rows []analysis.SessionRow) *analysis.SessionRow {
	best := &rows[0]
	rank := func(r *analysis.SessionRow) int {
		switch {
		case r.Parent >= 0:
			return 0
		case r.Role != "":
			return 1
		}
		return 2
	}
	for i := range rows {
		if r := &rows[i]; rank(r) > rank(best) || rank(r) == rank(best) && r.StartedAt > best.StartedAt {
			best = r
		}
	}
	return best
}

// cutLine is a boundary of the session or of one of its streams.
type cutLine struct {
	analysis.BoundaryRow
	stream          string
	offset          int64 // milliseconds since the session began, Unknown where nothing tells
	session, number int   // its session in the list, and its place among the boundaries of that

	order int64 // the same, but never less than that of the boundary before it in the same stream
}

// cutLines are the boundaries of a session and its streams in the order of time: compactions, and what else cut or changed the
// context. A model switch without a drop is none.
func (o *opened) cutLines() (compactions, others []cutLine) {
	var all []cutLine
	began := o.rows[0].StartedAt
	for _, row := range o.rows {
		latest := analysis.Unknown
		for k, b := range o.Boundaries(row.Index, o.options) {
			l := cutLine{BoundaryRow: b, session: row.Index, number: k, stream: cmp.Or(row.Stream, "main"), offset: analysis.Unknown}
			if at := cmp.Or(b.NextAt, b.At); at > 0 && began > 0 {
				l.offset = max(0, at-began)
			}
			latest = max(latest, l.offset)
			l.order = latest
			all = append(all, l)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].order < all[j].order })
	for _, l := range all {
		switch {
		case l.Kind == compaction.Compaction:
			compactions = append(compactions, l)
		case l.Kind != compaction.ModelSwitch || l.Above:
			others = append(others, l)
		}
	}
	return compactions, others
}

var rule = strings.Repeat("─", 78) + "\n"

// compactionReport is the report as text: a table as agent-strace prints it, with stream, trigger, model and evidence behind.
func (o *opened) compactionReport() []byte {
	row := &o.rows[0]
	var b strings.Builder
	compactions, others := o.cutLines()
	if len(compactions) == 0 {
		fmt.Fprintf(&b, "No compaction events detected in session %s.\n%s", clean(row.ID), closeness(row.Closest))
	} else {
		fmt.Fprintf(&b, "Compaction events - session %s\n", clean(row.ID))
		columns(&b, "Event", compactions, func(i int) string { return "#" + strconv.Itoa(i+1) })
		o.totals(&b, compactions)
	}
	if len(others) > 0 {
		b.WriteString("\nOther places where the context changed; they are not priced\n")
		columns(&b, "Kind", others, func(i int) string { return kindWord(&others[i]) })
	}
	b.Write(o.sections(compactions))
	o.elsewhere(&b)
	return []byte(b.String())
}

// columns writes boundaries below each other.
func columns(b *strings.Builder, head string, lines []cutLine, name func(int) string) {
	wide := 5
	for i := range lines {
		wide = max(wide, utf8.RuneCountInString(name(i)))
	}
	cells := [][]string{{"Stream", "Trigger", "Model", "Evidence"}}
	for i := range lines {
		l := &lines[i]
		cells = append(cells, []string{clean(l.stream), orDash(l.Trigger), orDash(clean(l.Of)), l.evidence()})
	}
	tail := strings.Split(strings.TrimSuffix(string(aligned(cells)), "\n"), "\n")
	b.WriteString(rule)
	fmt.Fprintf(b, "%-*s  %-10s %13s  %12s  %16s  %s\n", wide, head, "Timestamp", "Tokens before", "Tokens after", "Dropped", tail[0])
	for i := range lines {
		l := &lines[i]
		dropped := "not recorded"
		switch {
		case l.Before != analysis.Unknown && l.After != analysis.Unknown && l.After < l.Before:
			dropped = fmt.Sprintf("%s (%.0f%%)", tokens(l.Before-l.After, true), float64(l.Before-l.After)/float64(l.Before)*100)
		case l.Before != analysis.Unknown && l.After != analysis.Unknown:
			dropped = "none"
		}
		fmt.Fprintf(b, "%-*s  %-10s %13s  %12s  %16s  %s\n", wide, name(i), clock(l.offset), tokens(l.Before, true), tokens(l.After, true), dropped, tail[i+1])
	}
	b.WriteString(rule)
}

// totals writes what the compactions of the session lost together, and what is known of each beside its reported figures.
func (o *opened) totals(b *strings.Builder, compactions []cutLine) {
	var all analysis.Losses
	for _, row := range o.rows {
		all.Add(row.Losses)
	}
	fmt.Fprintf(b, "%d compaction event(s). %s tokens dropped total.\n", all.Compactions, tokens(all.Dropped, true))
	if all.Date != "" {
		fmt.Fprintf(b, "Estimated cost of dropped context: $%.4f\n", all.USD)
	}
	if all.Unpriced > 0 {
		fmt.Fprintf(b, "Not priced, because the model is not in the table of prices: %d\n", all.Unpriced)
	}
	if all.Unmeasured > 0 {
		fmt.Fprintf(b, "Without reported figures on both sides: %d\n", all.Unmeasured)
	}
	for i := range compactions {
		for _, text := range compactions[i].details() {
			fmt.Fprintf(b, "  #%d  %s\n", i+1, text)
		}
	}
}

// details are the sentences about a compaction.
func (l *cutLine) details() (out []string) {
	if c := l.Cost; c.Rate > 0 {
		provider := c.Provider
		if provider != "" {
			provider = ", " + provider
		}
		text := fmt.Sprintf("$%.4f at $%s per million input tokens (%s%s, list price of %s)", c.USD, price(c.Rate), clean(l.Of), provider, c.Date)
		if c.Cached >= 0 {
			text += fmt.Sprintf("; $%.4f with the %.0f%% that the request before read from the cache", c.Cached, c.Share*100)
		}
		out = append(out, text)
	}
	switch {
	case l.HarnessTold != analysis.Unknown && l.HarnessAfter != analysis.Unknown:
		out = append(out, fmt.Sprintf("the harness says %s before and %s after", tokens(l.HarnessTold, true), tokens(l.HarnessAfter, true)))
	case l.HarnessTold != analysis.Unknown:
		out = append(out, fmt.Sprintf("the harness says %s before", tokens(l.HarnessTold, true)))
	case l.HarnessAfter != analysis.Unknown:
		out = append(out, fmt.Sprintf("the harness says %s after", tokens(l.HarnessAfter, true)))
	}
	if l.Wait != analysis.Unknown {
		out = append(out, "next request after "+clock(l.Wait))
	}
	return out
}

// evidence says how a boundary is known.
func (l *cutLine) evidence() string {
	var out []string
	for _, e := range l.Evidence {
		switch e {
		case compaction.BoundaryRecord:
			out = append(out, "recorded")
		case compaction.UsageDrop:
			out = append(out, "usage drop")
		case compaction.Stepwise:
			out = append(out, "in steps")
		default:
			out = append(out, clean(e))
		}
	}
	if l.Kind == compaction.Compaction && !l.Above && l.Before != analysis.Unknown && l.After != analysis.Unknown {
		out = append(out, "below the threshold")
	}
	return strings.Join(out, ", ")
}

// kindWord names what is no compaction.
func kindWord(l *cutLine) string {
	switch l.Kind {
	case compaction.Clear:
		return "cleared"
	case compaction.Rewind:
		return "rewound"
	case compaction.ModelSwitch:
		return "model switch"
	case compaction.ContextEdit:
		if len(l.Evidence) > 0 && l.Evidence[len(l.Evidence)-1] == compaction.Stepwise {
			return "shrank in steps"
		}
		return "results cleared"
	case compaction.UnexplainedDrop:
		return "unexplained drop"
	}
	return clean(l.Kind)
}

// closeness says how close a session without a compaction came to one.
func closeness(c analysis.Closest) string {
	if c.Tokens == analysis.Unknown {
		return "The size of its context was not recorded.\n"
	}
	text := "Its largest context held " + tokens(c.Tokens, c.Reported)
	if c.Window != analysis.Unknown {
		text = fmt.Sprintf("It came closest with %s of %s tokens (%.0f%%)", tokens(c.Tokens, c.Reported), tokens(c.Window, true), float64(c.Tokens)/float64(c.Window)*100)
	} else {
		text += " tokens; its window is not known"
	}
	if c.Request > 0 {
		text += fmt.Sprintf(", request %d", c.Request)
	}
	if c.CompactsAt != analysis.Unknown {
		text += fmt.Sprintf("; the harness compacts by itself at about %s", tokens(c.CompactsAt, true))
	}
	return text + ".\n"
}

// elsewhere names the subagents of the session that were compacted, each of which is a session of its own, and adds up what all
// sessions that were opened have lost.
func (o *opened) elsewhere(b *strings.Builder) {
	const few = 5
	var ids []string
	var all, everywhere analysis.Losses
	for i := range o.list.Sessions {
		r := &o.list.Sessions[i]
		everywhere.Add(r.Losses)
		if r.Parent == o.rows[0].Index && r.Stream == "" && r.Losses.Compactions > 0 {
			all.Add(r.Losses)
			if len(ids) < few {
				ids = append(ids, clean(r.ID))
			} else if len(ids) == few {
				ids = append(ids, "…")
			}
		}
	}
	if len(ids) > 0 {
		fmt.Fprintf(b, "\nCompactions of its subagents: %d (%s tokens dropped). See them with --session: %s\n", all.Compactions, tokens(all.Dropped, true), strings.Join(ids, ", "))
	}
	if len(o.list.Sessions) > len(o.rows) && everywhere.Compactions > 0 {
		cost := ""
		if everywhere.Date != "" {
			cost = fmt.Sprintf(", $%.4f at list prices", everywhere.USD)
		}
		if everywhere.Unpriced > 0 {
			cost += fmt.Sprintf(", not priced: %d", everywhere.Unpriced)
		}
		fmt.Fprintf(b, "\nAll %d sessions that were opened: %d compaction event(s), %s tokens dropped%s.\n",
			len(o.list.Sessions), everywhere.Compactions, tokens(everywhere.Dropped, true), cost)
	}
}

// clock writes a length of time as minutes and seconds, however many minutes.
func clock(ms int64) string {
	if ms == analysis.Unknown {
		return "no time"
	}
	return fmt.Sprintf("%dm %02ds", ms/60000, ms/1000%60)
}

func price(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
