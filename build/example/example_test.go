package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"contextscope/adapters/trial"
	"contextscope/core/analysis"
)

func TestTheCommittedExampleIsWhatThisProgramWrites(t *testing.T) {
	for path, text := range files() {
		b, err := os.ReadFile(filepath.Join("..", "..", "assets", "example", filepath.FromSlash(path)))
		if err != nil || !bytes.Equal(b, text) {
			t.Errorf("%s differs (%v): run go run ./build/example", path, err)
		}
	}
}

func TestTheExampleShowsWhatItIsFor(t *testing.T) {
	var open []trial.File
	for path, text := range files() {
		open = append(open, trial.File{Path: path, Text: string(text)})
	}
	a := trial.Open(t, open...)
	l := a.List(analysis.Options{})
	if len(l.Sessions) != 3 || l.Sessions[0].Harness != "codex" || l.Sessions[1].Compactions != 1 || l.Sessions[2].Parent != 1 || l.Sessions[2].Role != "Explore" {
		t.Fatalf("sessions: %+v", l.Sessions)
	}
	for _, in := range l.Inputs {
		if in.Malformed > 0 || in.Duplicate > 0 || len(in.Unknown) > 0 || len(in.Warnings) > 0 {
			t.Errorf("%s: %+v", in.Name, in)
		}
	}
	for _, s := range a.Sessions {
		for i := range s.Snapshots {
			if n := &s.Snapshots[i]; n.Reported != analysis.Unknown && n.Sum() > n.Reported {
				t.Errorf("%s: sample %d estimates %d of %d", s.ID, i, n.Sum(), n.Reported)
			}
		}
	}
}
