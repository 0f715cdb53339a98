package main

import (
	"bytes"
	"fmt"
	"strings"
)

// rollout writes a Codex session. Like a transcript it counts what is in the context.
type rollout struct {
	out    bytes.Buffer
	now    int64
	units  int
	hidden int // tool definitions, and reasoning whose text is encrypted
	cached int
	total  [4]int // input, cached, output, reasoning
	calls  int
}

const (
	turnID = "019f3752-6f0a-7c11-9d3b-2a41c09b7e55"
	window = 258400
)

func (r *rollout) write(kind string, payload object) {
	r.out.Write(encode(object{{"timestamp", stamp(r.now)}, {"type", kind}, {"payload", payload}}))
	r.now += 7
}

func (r *rollout) item(payload object) { r.write("response_item", payload) }
func (r *rollout) event(kind string, members ...field) {
	r.write("event_msg", append(object{{"type", kind}}, members...))
}

// message is a text of somebody, with each part as a text of its own.
func (r *rollout) message(role string, texts ...string) {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	var content []object
	for _, t := range texts {
		r.units += units(t)
		content = append(content, object{{"type", kind}, {"text", t}})
	}
	r.item(object{{"type", "message"}, {"role", role}, {"content", content}})
}

// step is one response: reasoning, a message, and a call with what it returned. The count comes last, and speaks of the
// prompt before all of it.
func (r *rollout) step(reasoning int, text, name, input, output string) {
	prompt := r.hidden + (r.units*10+32)/33
	r.now += int64(2600 + 12*reasoning)
	before := r.units
	if reasoning > 0 {
		r.item(object{{"type", "reasoning"}, {"summary", []object{}}, {"content", nil}, {"encrypted_content", "gAAAAABslipwayExample" + strings.Repeat("0", 64)}})
	}
	if text != "" {
		r.event("agent_message", field{"message", text})
		r.message("assistant", text)
	}
	if name != "" {
		r.calls++
		id := fmt.Sprintf("call_slipway%02d", r.calls)
		r.units += units(input)
		if name == "apply_patch" {
			r.item(object{{"type", "custom_tool_call"}, {"status", "completed"}, {"call_id", id}, {"name", name}, {"input", input}})
		} else {
			r.item(object{{"type", "function_call"}, {"name", name}, {"arguments", input}, {"call_id", id}})
		}
	}
	spoken := (r.units-before)*10/33 + reasoning
	if name != "" {
		r.now += 1900
		kind := "function_call_output"
		if name == "apply_patch" {
			kind = "custom_tool_call_output"
		}
		r.units += units(output)
		r.item(object{{"type", kind}, {"call_id", fmt.Sprintf("call_slipway%02d", r.calls)}, {"output", output}})
	}
	r.hidden += reasoning
	r.count(prompt, spoken, reasoning)
}

func (r *rollout) count(prompt, output, reasoning int) {
	last := [4]int{prompt, r.cached, output, reasoning}
	for i := range last {
		r.total[i] += last[i]
	}
	usage := func(u [4]int) object {
		return object{{"input_tokens", u[0]}, {"cached_input_tokens", u[1]}, {"output_tokens", u[2]}, {"reasoning_output_tokens", u[3]}, {"total_tokens", u[0] + u[2]}}
	}
	r.event("token_count", field{"info", object{{"total_token_usage", usage(r.total)}, {"last_token_usage", usage(last)}, {"model_context_window", window}}}, field{"rate_limits", nil})
	r.cached = prompt / 128 * 128
}

// run is a step that runs a command.
func (r *rollout) run(reasoning int, text, command, output string) {
	r.step(reasoning, text, "exec_command", string(args("cmd", command)), "Exit code: 0\nWall time: 1.9 seconds\nOutput:\n"+output)
}

// codex is the short session: a test that fails once in twenty runs.
func codex() []byte {
	m := newMaker(7)
	r := &rollout{now: 1783326000_000, hidden: 7400} // 6 July 2026, 08:20, so that the session with a compaction is the newest
	base := part("codex_base.md")
	r.units = units(base)
	r.write("session_meta", object{{"id", "019f3752-51c7-7d02-8a40-6b1d5e0f9c31"}, {"timestamp", stamp(r.now)}, {"cwd", "/src/slipway"}, {"originator", "codex_cli_rs"}, {"cli_version", "0.142.5"}, {"source", "cli"}, {"model_provider", "openai"},
		{"base_instructions", object{{"text", base}}}, {"git", object{{"commit_hash", "4e7d19c0a2"}, {"branch", "main"}}}})
	r.message("developer", permissions, codexSkills)
	r.message("user", part("codex_agents.md"), "<environment_context>\n  <cwd>/src/slipway</cwd>\n  <shell>bash</shell>\n  <current_date>2026-07-06</current_date>\n  <timezone>Etc/UTC</timezone>\n</environment_context>")
	r.event("task_started", field{"turn_id", turnID}, field{"started_at", r.now / 1000}, field{"model_context_window", window})
	r.write("turn_context", object{{"turn_id", turnID}, {"cwd", "/src/slipway"}, {"current_date", "2026-07-06"}, {"timezone", "Etc/UTC"}, {"approval_policy", "on-request"}, {"sandbox_policy", object{{"mode", "workspace-write"}}}, {"model", "gpt-5.5"}, {"effort", "medium"}, {"summary", "auto"}})
	r.message("user", ask)
	r.event("user_message", field{"message", ask})
	r.event("token_count", field{"info", nil}, field{"rate_limits", object{{"primary", object{{"used_percent", 4.0}, {"window_minutes", 300}}}}})
	fix(r, m)
	r.event("task_complete", field{"turn_id", turnID}, field{"last_agent_message", "The renewal is tied to the lease's own context now."})
	return r.out.Bytes()
}

func fix(r *rollout, m *maker) {
	lease := m.source("limiter", 3600)
	failing := "--- FAIL: TestRenewAfterExpiry (0.00s)\n    renew_test.go:88: worker 2 got the lease while worker 1 still renews it\nFAIL\nFAIL\texample.org/slipway/lease\t0.4s\n"
	r.run(260, "I'll run the test until it fails, then read what it is about.", "go test -race -count=50 -run TestRenewAfterExpiry ./lease/...", failing)
	r.run(0, "", "rg -n 'Renew|Expire' --type go", "lease/lease.go:31:func (l *Lease) Renew(ctx context.Context) error {\nlease/lease.go:58:func (l *Lease) expire() {\nlease/renew_test.go:41:func TestRenewAfterExpiry(t *testing.T) {\nworker/worker.go:77:\tgo lease.Renew(ctx)\n")
	r.run(180, "", "sed -n 1,160p lease/lease.go", lease)
	r.run(0, "", "sed -n 30,100p lease/renew_test.go", m.tests("lease", 2200))
	r.run(420, "The renewal runs in a goroutine of its own. I look at who stops it.", "sed -n 60,110p worker/worker.go", m.source("batch", 2400))
	r.run(0, "", "git log --oneline -12 -- lease worker", log(12))
	r.run(350, "", "go test -race -count=50 -v -run 'Renew|Expire' ./lease/... | tail -60", m.testLog(2600))
	r.step(610, "Nobody stops the renewal when the lease expires: it goes on until the worker's context ends, and may renew a lease that another worker has by then. I tie it to the lease.", "apply_patch",
		"*** Begin Patch\n*** Update File: lease/lease.go\n@@\n-func (l *Lease) Renew(ctx context.Context) error {\n+// Renew keeps the lease until it expires or ctx ends. After expire it must not write any more.\n+func (l *Lease) Renew(ctx context.Context) error {\n+\tctx, stop := context.WithCancel(ctx)\n+\tl.onExpire(stop)\n+\tdefer stop()\n*** End Patch", "Success. Updated the following files:\nM lease/lease.go\n")
	r.run(0, "", "go vet ./lease/...", "lease/lease.go:34:4: l.onExpire undefined (type *Lease has no field or method onExpire)\n")
	r.step(150, "", "apply_patch", "*** Begin Patch\n*** Update File: lease/lease.go\n@@\n func (l *Lease) expire() {\n+\tfor _, stop := range l.stops {\n+\t\tstop()\n+\t}\n@@\n+// onExpire has stop called when the lease expires, at once when it has.\n+func (l *Lease) onExpire(stop func()) {\n+\tl.mu.Lock()\n+\tdefer l.mu.Unlock()\n+\tif l.expired {\n+\t\tstop()\n+\t\treturn\n+\t}\n+\tl.stops = append(l.stops, stop)\n+}\n*** End Patch", "Success. Updated the following files:\nM lease/lease.go\n")
	r.run(0, "", "go test -race -count=200 -run TestRenewAfterExpiry ./lease/...", "ok  \texample.org/slipway/lease\t11.2s\n")
	r.run(120, "200 runs are clean. Now everything.", "go test -race ./...", "ok  \texample.org/slipway/lease\t4.1s\nok  \texample.org/slipway/queue\t6.8s\nok  \texample.org/slipway/worker\t3.3s\n")
	r.run(0, "", "git diff --stat", " lease/lease.go | 21 ++++++++++++++++++++-\n 1 file changed, 20 insertions(+), 1 deletion(-)\n")
	r.step(240, "The test was right. A renewal went on after its lease had expired, because only the worker's context could end it; with bad timing it renewed a lease that another worker had by then.\n\n`lease/lease.go:31` ties the renewal to the lease: when the lease expires, the renewal ends, and one that starts too late ends at once. 200 runs with the race detector are clean, and so is everything else. I changed no test and no timeout.", "", "", "")
}

const ask = "TestRenewAfterExpiry in lease/ fails about once in twenty runs on CI. Find out why and fix the cause. Do not raise a timeout, and never retry the test to make it pass."

const permissions = "<permissions instructions>\nFilesystem sandboxing: workspace-write. Commands can write below the working directory and in the temporary folder. Network access is off. Approval policy: on-request; ask with a reason when a command needs more than that.\n</permissions instructions>"

const codexSkills = "<skills_instructions>\n## Skills\nA skill is a folder with a SKILL.md that says how something is done here.\n- migration: adds a table or column with a migration and its test.\n- profile: takes a CPU profile of a benchmark and reads it.\n- bisect: finds the commit that broke a test.\n</skills_instructions>"
