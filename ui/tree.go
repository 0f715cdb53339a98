package ui

import (
	"slices"

	"contextscope/core/analysis"
)

// listed is a session in its place in a list: below its main session, or alone where something is looked for.
type listed struct{ index, depth int }

// sessionTree lists main sessions from the newest to the oldest, each followed by what it started.
func sessionTree(l *analysis.List) []listed {
	return tree(l, func(a, b int) int { return compare(l.Sessions[b].StartedAt, l.Sessions[a].StartedAt) })
}

// tree lists main sessions in an order, each followed by what it started, in time order. A
// session whose parent is not open, or whose parents run in a circle, stands as a main one.
func tree(l *analysis.List, order func(a, b int) int) []listed {
	children := map[int][]int{}
	var roots []int
	for i := range l.Sessions {
		if parent := l.Sessions[i].Parent; parent >= 0 && parent < len(l.Sessions) && parent != i {
			children[parent] = append(children[parent], i)
			continue
		}
		roots = append(roots, i)
	}
	start := func(i int) int64 { return l.Sessions[i].StartedAt }
	slices.SortStableFunc(roots, order)
	var tree []listed
	seen := make([]bool, len(l.Sessions))
	var add func(i, depth int)
	add = func(i, depth int) {
		if seen[i] {
			return
		}
		seen[i] = true
		tree = append(tree, listed{i, depth})
		slices.SortStableFunc(children[i], func(a, b int) int { return compare(start(a), start(b)) })
		for _, k := range children[i] {
			add(k, depth+1)
		}
	}
	for _, i := range roots {
		add(i, 0)
	}
	for i := range l.Sessions { // what only a circle of parents leads to
		add(i, 0)
	}
	return tree
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
