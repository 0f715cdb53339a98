package runner

import (
	"bytes"
	"errors"
	"strings"
	"syscall"
	"testing"

	"contextscope/core/analysis"
)

func TestTheTableSaysHowFiguresAreKnown(t *testing.T) {
	got := string(table([]analysis.SessionRow{
		{ID: "one", Parent: -1, HarnessName: "Claude Code", Models: []string{"m"}, Requests: 3, PeakTokens: 1234567,
			LastTokens: 999, PeakReported: true, WindowTokens: analysis.Unknown, Title: "First\x1b[31m line"},
		{ID: "one/a", Parent: 0, HarnessName: "Claude Code", PeakTokens: 1000, LastTokens: analysis.Unknown},
	}))
	for _, want := range []string{"1,234,567", "999", "not recorded", "~1,000", "\n  one/a"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.ContainsRune(got, 0x1b) {
		t.Error("an escape reached the terminal")
	}
}

func TestFindTakesAUniqueBeginning(t *testing.T) {
	rows := []analysis.SessionRow{
		{ID: "abc", Parent: -1}, {ID: "abc/agent", Parent: 0}, {ID: "abd", Parent: -1}, {ID: "xyz", Parent: -1},
	}
	for id, want := range map[string]string{"abc": "abc", "abc/": "abc/agent", "abd": "abd", "x": "xyz"} {
		row, err := find(rows, id)
		if err != nil || row.ID != want {
			t.Errorf("%q: got %v, %v", id, row, err)
		}
	}
	for id, want := range map[string]string{"ab": "give more of it", "q": "abc, abc/agent, abd"} {
		if _, err := find(rows, id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", id, err)
		}
	}
}

func TestASessionIsPrintedWithItsStreams(t *testing.T) {
	rows := []analysis.SessionRow{
		{ID: "a", Index: 0, Parent: -1}, {ID: "a/x", Index: 1, Parent: 0, Stream: "x"}, {ID: "a/agent", Index: 2, Parent: 0},
	}
	for id, want := range map[string]string{"a": "a a/x", "a/x": "a/x", "a/a": "a/agent"} {
		row, err := find(rows, id)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range withStreams(rows, row) {
			got = append(got, r.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}

// reluctant is a pipe that is not always ready, and takes little at a time.
type reluctant struct {
	bytes.Buffer
	calls int
}

func (r *reluctant) Write(p []byte) (int, error) {
	if r.calls++; r.calls%2 == 1 {
		return 0, syscall.EAGAIN
	}
	n, _ := r.Buffer.Write(p[:min(len(p), 1000)])
	if n < len(p) {
		return n, syscall.EAGAIN
	}
	return n, nil
}

func TestABusyPipeGetsEverything(t *testing.T) {
	var pipe reluctant
	text := strings.Repeat("0123456789", 1000)
	if n, err := (patient{w: &pipe}).Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("wrote %d, %v", n, err)
	}
	if pipe.String() != text {
		t.Error("something was lost")
	}
}

type brokenPipe struct{ err error }

func (b brokenPipe) Write([]byte) (int, error) { return 0, b.err }

func TestAReaderThatLeavesIsNoError(t *testing.T) {
	var complaints bytes.Buffer
	p := Process{Stdout: brokenPipe{syscall.EPIPE}, Stderr: &complaints}
	p.print([]byte("text"))
	if complaints.Len() > 0 {
		t.Errorf("complained: %s", complaints.String())
	}
	p.Stdout = brokenPipe{errors.New("disk full")}
	if code := p.print([]byte("text")); code == 0 || !strings.Contains(complaints.String(), "disk full") {
		t.Errorf("exit %d, %s", code, complaints.String())
	}
}
