package agentprof_test

import (
	"fmt"
	"testing"

	"contextscope/adapters/trial"
	. "contextscope/core/perfetto/byhand"
)

// member is one capture of a family: its own root, from and to in milliseconds, with a request.
type member struct {
	base     uint64
	id       string
	from, to uint64
	attrs    []any
	more     []byte
}

func (m member) bytes() []byte {
	r := Realtime
	attrs := append([]any{Text("kind", "capture"), Text("harness", "codex"), Text("session_id", m.id), Text("capture_id", fmt.Sprintf("%x", m.base+root))}, m.attrs...)
	return Join(tracks(m.base), r.Begin(ms(m.from), m.base+session, "codex.metadata", "profile (1)", attrs...), m.more, r.End(ms(m.to), m.base+session))
}

func family(members ...member) []byte {
	var b []byte
	for _, m := range members {
		b = append(b, m.bytes()...)
	}
	return b
}

// launch is a call of a tool that started another session.
func launch(base, from uint64, call string, parts ...any) []byte {
	return Join(Realtime.Begin(ms(from), base+tools, "codex.activity", "spawn_agent", append([]any{Text("kind", "tool-execution"), Text("call_id", call)}, parts...)...),
		Realtime.End(ms(from+1), base+tools))
}

func input(base, at uint64, flow Flow) []byte {
	return Realtime.Instant(ms(at), base+inputs, "codex.activity", "prompt-input", Text("source", "agent"), flow)
}

// relatives is a parent with two children and a grandchild, linked in the three ways that there are.
func relatives() []byte {
	const p, a, b, c = 0x1000000, 0x2000000, 0x3000000, 0x4000000
	return family(
		member{p, "parent", 0, 100, nil, Join(launch(p, 10, "call-a", Flow(7)), launch(p, 30, "call-b", Text("child_session", "child-b")))},
		member{a, "child-a", 12, 20, []any{Text("child_role", "auditor")}, input(a, 12, 7)},
		member{b, "child-b", 32, 60, nil, nil},
		member{c, "grandchild", 40, 50, []any{Text("parent_session", "child-b")}, nil},
	)
}

func TestParentsAreFoundByFlowByLaunchAndByName(t *testing.T) {
	a := open(t, relatives())
	quiet(t, a)
	want := "parent: 0 requests; child-a (auditor) of parent by call-a: 0 requests; child-b (subagent) of parent by call-b: 0 requests; grandchild (subagent) of child-b: 0 requests"
	if got := trial.Sessions(a); got != want {
		t.Errorf("sessions: %s\nwant %s", got, want)
	}
}

func TestAFlowDecidesBeforeAName(t *testing.T) {
	const p, q, c = 0x1000000, 0x2000000, 0x3000000
	a := open(t, family(
		member{p, "caller", 0, 100, nil, launch(p, 10, "x", Flow(9))},
		member{q, "named", 1, 100, nil, nil},
		member{c, "child", 12, 20, []any{Text("parent_session", "named")}, input(c, 12, 9)}))
	if got, want := trial.Sessions(a), "caller: 0 requests; child (subagent) of caller by x: 0 requests; named: 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
}

func TestAChildBeginsInsideItsParent(t *testing.T) {
	const p, c = 0x1000000, 0x3000000
	a := open(t, family(member{p, "parent", 0, 10, nil, nil}, member{c, "child", 12, 20, []any{Text("parent_session", "parent")}, nil}))
	// Nobody holds it, and the name alone is no evidence: the capture of that session was another one.
	if got, want := trial.Sessions(a), "parent: 0 requests; child (subagent): 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
}

func TestAnAmbiguousParentIsNone(t *testing.T) {
	const p, q, c = 0x1000000, 0x2000000, 0x3000000
	a := open(t, family(member{p, "twice", 0, 100, nil, nil}, member{q, "twice", 5, 100, nil, nil},
		member{c, "child", 12, 20, []any{Text("parent_session", "twice")}, nil}))
	if got, want := trial.Sessions(a), "twice: 0 requests; twice:2: 0 requests; child (subagent): 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
	// Two captures of one session, one after the other: time tells whose child it is.
	a = open(t, family(member{p, "twice", 0, 10, nil, nil}, member{q, "twice", 11, 100, nil, nil},
		member{c, "child", 12, 20, []any{Text("parent_session", "twice")}, nil}))
	if got, want := trial.Sessions(a), "twice: 0 requests; twice:2: 0 requests; child (subagent) of twice:2: 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
}

func TestACircleOfParentsLeavesRoots(t *testing.T) {
	const p, q, c = 0x1000000, 0x2000000, 0x3000000
	a := open(t, family(member{p, "a", 0, 100, []any{Text("parent_session", "b")}, nil}, member{q, "b", 0, 100, []any{Text("parent_session", "a")}, nil},
		member{c, "c", 5, 20, []any{Text("parent_session", "b")}, nil}))
	if got, want := trial.Sessions(a), "a (subagent): 0 requests; b (subagent): 0 requests; c (subagent) of b: 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
}

func TestFilesShareOneClock(t *testing.T) {
	const p, c = 0x1000000, 0x3000000
	a := open(t, family(member{c, "child", 12, 20, []any{Text("parent_session", "parent")}, nil}), family(member{p, "parent", 0, 100, nil, nil}))
	if got, want := trial.Sessions(a), "parent: 0 requests; child (subagent) of parent: 0 requests"; got != want {
		t.Errorf("sessions: %s, want %s", got, want)
	}
}
