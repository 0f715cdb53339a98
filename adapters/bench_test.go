package adapters

import (
	"bytes"
	"os"
	"testing"

	"contextscope/core/analysis"
)

// BenchmarkJournal reads and settles the journal that JOURNAL names, or the largest committed sample.
func BenchmarkJournal(b *testing.B) {
	name := os.Getenv("JOURNAL")
	if name == "" {
		name = "../assets/example/make-the-limiter-survive.jsonl"
	}
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			l := NewLibrary()
			if err := l.Read(Input{Name: "a"}, bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	l := NewLibrary()
	if err := l.Read(Input{Name: "a"}, bytes.NewReader(data)); err != nil {
		b.Fatal(err)
	}
	b.Run("settle", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			l.Settle()
		}
	})
	b.Run("series", func(b *testing.B) {
		a := l.Settle()
		for b.Loop() {
			a.Series(0, analysis.Options{})
		}
	})
	b.Run("review", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer() // an analysis remembers what it compared
			a := l.Settle()
			b.StartTimer()
			a.Review(0, analysis.ReviewFilter{}, analysis.Options{})
		}
	})
}
