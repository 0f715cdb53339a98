// Package models knows the context windows of models, their prices, and where harnesses compact. All of it is one dated and
// sourced data file each, because it ages quickly; what rests on it is shown as "from the model table" or with the date.
//
// A window is looked up by the order of evidence: the person's choice, what the journal recorded, what observed use
// proves, the table, and else it is unknown. Unknown means tokens without a percentage.
package models

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"contextscope/core/table"
)

//go:embed models.tsv
var modelsTSV string

//go:embed thresholds.tsv
var thresholdsTSV string

// Source says what a window rests on. The strings are those of documents.
type Source string

// The sources, strongest first.
const (
	Choice     Source = "choice"
	Journal    Source = "journal"
	Observed   Source = "observed"
	ModelTable Source = "model-table"
	NoSource   Source = ""
)

// Row is a row of the table.
type Row struct {
	Prefix string
	Window int64
	Larger []int64
	Date   string
	Source string
}

// Threshold is where a harness compacts by itself, as a formula says.
type Threshold struct {
	Harness      string
	Num, Den     int64
	Minus        int64
	Date, Source string
}

// Evidence is what is known about the window of a sample apart from the table. 0 where nothing is known.
type Evidence struct {
	Choice   int64
	Journal  int64
	Observed int64 // the largest prompt that the provider reported for this model in this session
	Model    string
}

var (
	windows    = parseTable(modelsTSV)
	thresholds = parseThresholds(thresholdsTSV)
)

// Window decides. Observed use that exceeds what the journal or the table says proves that it is wrong.
func Window(e Evidence) (int64, Source) {
	if e.Choice > 0 {
		return e.Choice, Choice
	}
	if e.Journal > 0 && e.Observed <= e.Journal {
		return e.Journal, Journal
	}
	row, ok := Find(e.Model)
	if !ok {
		return 0, NoSource
	}
	window := row.Window
	if strings.Contains(strings.ToLower(e.Model), "[1m]") {
		window = 1000000
	}
	if e.Observed <= window {
		return window, ModelTable
	}
	for _, w := range row.Larger {
		if e.Observed <= w {
			return w, Observed
		}
	}
	return 0, NoSource
}

// Find looks a model up; ok is false for a model that the table doesn't have.
func Find(model string) (Row, bool) {
	name := strings.ToLower(model)
	if i := strings.LastIndexAny(name, "/"); i >= 0 {
		name = name[i+1:]
	}
	if i := strings.Index(name, "anthropic."); i >= 0 {
		name = name[i+len("anthropic."):]
	}
	var best Row
	for _, r := range windows {
		if strings.HasPrefix(name, r.Prefix) && len(r.Prefix) > len(best.Prefix) {
			best = r
		}
	}
	return best, best.Prefix != ""
}

// CompactsAt is the threshold that a harness's formula gives for a window.
func CompactsAt(harness string, window int64) (tokens int64, t Threshold, ok bool) {
	i := slices.IndexFunc(thresholds, func(t Threshold) bool { return t.Harness == harness })
	if i < 0 || window <= 0 {
		return 0, Threshold{}, false
	}
	t = thresholds[i]
	tokens = window*t.Num/t.Den - t.Minus
	return tokens, t, tokens > 0
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		panic("models: " + err.Error())
	}
	return n
}

func parseTable(tsv string) []Row {
	var out []Row
	for _, f := range table.Rows("models.tsv", tsv, 5) {
		r := Row{Prefix: f[0], Window: number(f[1]), Date: f[3], Source: f[4]}
		if f[2] != "" {
			for _, w := range strings.Split(f[2], ",") {
				r.Larger = append(r.Larger, number(w))
			}
		}
		out = append(out, r)
	}
	return out
}

func parseThresholds(tsv string) []Threshold {
	var out []Threshold
	for _, f := range table.Rows("thresholds.tsv", tsv, 6) {
		out = append(out, Threshold{Harness: f[0], Num: number(f[1]), Den: number(f[2]), Minus: number(f[3]), Date: f[4], Source: f[5]})
	}
	return out
}
