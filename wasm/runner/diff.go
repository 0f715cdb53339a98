package runner

import (
	"fmt"
	"strings"

	"contextscope/core/analysis"
	"contextscope/core/journal"
)

// kindNames are what people read.
var kindNames = map[journal.FactKind]string{
	journal.TaskGoal: "Task goal", journal.Constraint: "Constraint", journal.Decision: "Decision", journal.FileRead: "File read",
	journal.FileModified: "File modified", journal.CommandRun: "Command run", journal.ErrorMet: "Error met", journal.Todo: "Open to-do",
}

// diffSection is the part of the compaction report that tells what a compaction left. number is that of the compaction.
func diffSection(number int, d *analysis.Diff) []byte {
	var b []byte
	line := func(format string, args ...any) { b = append(fmt.Appendf(b, format, args...), '\n') }
	line("Compaction #%d - context diff", number)
	line("%s", strings.Repeat("─", 78))
	if !d.Available {
		line("The context after this compaction was not captured, so that what survived cannot be judged.")
		return b
	}
	line("Survived in summary:")
	for i := range d.Survived {
		f := &d.Survived[i]
		line("  ✅ %s: %s (%s)", kindNames[f.Kind], clean(f.Text), f.Status)
	}
	if len(d.Survived) == 0 {
		line("  (none detected)")
	}
	line("Likely dropped:")
	for i := range d.Dropped {
		f := &d.Dropped[i]
		line("  ❌ %s at %s: %s", kindNames[f.Kind], place(f.Source), clean(f.Text))
		line("     %s", clean(f.Evidence.String()))
	}
	if len(d.Dropped) == 0 {
		line("  (none detected)")
	}
	for i := range d.Dropped {
		if f := &d.Dropped[i]; f.Kind.HighRisk() {
			line("⚠️  High-risk drop: %s '%s'", strings.ToLower(kindNames[f.Kind]), clean(f.Text))
		}
	}
	if d.Omitted > 0 {
		line("%d older facts were not compared.", d.Omitted)
	}
	line("Inferred from the journal by comparing words: a cue to look, no proof. A harness or a provider may have changed what was sent.")
	return b
}

// place is where a fact stands.
func place(src journal.Source) string {
	if src.Line > 0 {
		return fmt.Sprintf("line %d", src.Line)
	}
	return fmt.Sprintf("byte %d", src.Offset)
}
