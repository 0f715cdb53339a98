package invented

import (
	"fmt"

	"contextscope/core/analysis"
)

// Sessions are a main session with two subagents and a smaller one of another harness.
func Sessions() []analysis.SessionRow {
	row := func(index int, id, harness, name, title string) analysis.SessionRow {
		return analysis.SessionRow{Index: index, ID: id, Harness: harness, HarnessName: name, Version: "2.1.49", Title: title,
			Parent: -1, Models: []string{"claude-opus-4-6"}, StartedAt: Start, EndedAt: Start + 8_220_000, WindowTokens: 200000,
			WindowSource: "model-table", PeakReported: true, HasBreakdown: true}
	}
	main := row(0, "6f2c51d4", "claude-code", "Claude Code", "Make the rate limiter survive a restart")
	main.Requests, main.PeakTokens, main.LastTokens, main.Compactions, main.Children = 199, 165863, 140634, 1, 2
	main.Losses = analysis.Losses{Compactions: 1, Dropped: 117047, USD: 0.585235, Date: "2026-11"}
	explore := row(1, "6f2c51d4/a1", "claude-code", "Claude Code", "Where are limits enforced?")
	explore.Parent, explore.Role, explore.Requests, explore.PeakTokens, explore.LastTokens = 0, "Explore", 14, 48210, 48210
	explore.StartedAt = Start + 600_000
	hidden := row(2, "6f2c51d4/a2", "claude-code", "Claude Code", "Summary of the conversation")
	hidden.Parent, hidden.Role, hidden.Requests, hidden.PeakTokens, hidden.LastTokens = 0, "compaction request", 1, 166020, 166020
	hidden.StartedAt, hidden.HasBreakdown = Start+3_600_000, false
	codex := row(3, "019a-7c", "codex", "Codex", "Port the importer to streaming")
	codex.Requests, codex.PeakTokens, codex.LastTokens, codex.WindowTokens, codex.WindowSource = 61, 91800, 91800, 258400, "journal"
	codex.StartedAt, codex.EndedAt, codex.Models = Start-86_400_000, Start-82_000_000, []string{"gpt-5.5"}
	codex.Closest = analysis.Closest{Request: 61, Tokens: 91800, Reported: true, Window: 258400, CompactsAt: 244800}
	return []analysis.SessionRow{main, explore, hidden, codex}
}

// List is everything that is open: three journals of four sessions, and a file that is no journal.
func List() *analysis.List {
	return &analysis.List{
		Sessions: Sessions(),
		Inputs: []analysis.InputRow{
			{Name: "6f2c51d4.jsonl", Format: "claude-code", Reason: "lines with uuid, parentUuid and message.usage", Bytes: 4_812_332,
				Lines: 1204, Records: 1180, Malformed: 1, Duplicate: 23,
				Unknown: []analysis.KindCount{{Kind: "queue-operation", Count: 4}},
				Warnings: []analysis.WarningRow{{Code: "malformed", Line: 812, Message: "The line is no JSON value.",
					Hint: "It was skipped; everything else was read."}}},
			{Name: "agent-a1.jsonl", Format: "claude-code", Reason: "lines with uuid and isSidechain", Bytes: 220_114, Lines: 61, Records: 61},
			{Name: "rollout-2026-11-29.jsonl", Format: "codex", Reason: "session_meta and response_item lines", Bytes: 912_000, Lines: 540, Records: 540},
			{Name: "notes.txt", Reason: "plain text without a JSON line", Bytes: 812, Refused: true,
				Warnings: []analysis.WarningRow{{Code: "unknown-format", Message: "No journal was recognised: plain text without a JSON line.",
					Hint: "Open the .jsonl files of Claude Code or Codex."}}},
		},
		Overview: analysis.Overview{
			Categories: []analysis.CategoryTokens{{Category: "results", Tokens: 151786}, {Category: "assistant", Tokens: 45837},
				{Category: "tools", Tokens: 30800}, {Category: "summaries", Tokens: 4800}, {Category: "rules", Tokens: 8200},
				{Category: "system", Tokens: 13100}, {Category: "prompts", Tokens: 5378}, {Category: "skills", Tokens: 1400},
				{Category: "environment", Tokens: 600}, {Category: "overhead", Tokens: 500}},
			Sessions: 3, Without: 1, Bases: []string{"chars/4", "native-summary"},
		},
	}
}

// Changes is a page of additions as the Context tab lists them; total tells how many there are in all.
func Changes(f analysis.ChangeFilter, total int) *analysis.ChangePage {
	rows := []analysis.ChangeRow{
		{Sample: 41, Request: 42, Tool: "Read", Detail: "src/gateway/middleware_test.go", Category: "results", Change: "added", Delta: 14200, Before: 76939, After: 91335},
		{Sample: 120, Request: 120, Tool: "Bash", Detail: "go test ./... (full output)", Category: "results", Change: "added", Delta: 9100, Before: 63510, After: 72801},
		{Sample: 62, Request: 63, Tool: "Grep", Detail: "rateLimit across the repo", Category: "results", Change: "added", Delta: 6874, Before: 111721, After: 119104},
		{Sample: 28, Request: 29, Tool: "WebFetch", Detail: "redis.io/docs/latest/commands/incr", Category: "results", Change: "added", Delta: 5310, Before: 54784, After: 63574},
		{Sample: 104, Request: 104, Tool: "Task", Detail: "Explore: where are limits enforced?", Category: "results", Change: "added", Delta: 2944, Before: 43285, After: 47031, Child: 1},
		{Sample: 98, Request: 98, Tool: "Prompt", Detail: "Now make the limiter survive a restart of the gateway process, and prove it with a test", Category: "prompts", Change: "added", Delta: 412, Before: 39393, After: 40270},
	}
	p := &analysis.ChangePage{Total: total}
	for i := range min(f.Limit, max(total-f.Offset, 0)) {
		r := rows[(f.Offset+i)%len(rows)]
		r.At = Start + int64(r.Sample)*41_000
		r.Delta -= int64(f.Offset + i/len(rows)*37)
		r.ItemID = fmt.Sprintf("item-%d", f.Offset+i)
		if r.Child == 0 {
			r.Child = -1
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}
