package codex

import "contextscope/core/journal"

// moments finds for each token count the place of its sample: before that response's own items, wherever this version of
// Codex wrote the count. The result maps a position in the thread to the counts that are sampled there.
//
// Old versions (to about 0.58) write the count first and the items of the response behind it; newer ones write the items,
// in part with the tools' outputs, and then the count. Which way a thread goes shows whenever a count follows a message of
// the user: items in between mean that the count comes late, none that it comes early.
func (t *thread) moments() map[int][]int {
	at := map[int][]int{}
	late := false
	firstOut := -1     // first item of the model since the last count
	lastRunOut := -1   // … since the last message of the user
	userFirst := false // since the last count the user spoke before the model did
	spoke := false     // … the user spoke
	prev := uint64(0)
	for k := range t.records {
		r := &t.records[k]
		switch {
		case r.Kind == journal.Response:
			if firstOut < 0 {
				firstOut = k
				userFirst = spoke
			}
			if lastRunOut < 0 {
				lastRunOut = k
			}
		case r.Kind == journal.User && r.Flags&journal.Typed != 0:
			spoke, lastRunOut = true, -1
		case r.Kind == journal.Compacted:
			firstOut, lastRunOut, spoke, userFirst = -1, -1, false, false
		case r.Kind == journal.Count:
			u := r.in.Usages.At(int(r.Usage))
			if u.Totals == prev || isEstimate(u) {
				prev = u.Totals
				continue
			}
			prev = u.Totals
			switch {
			case firstOut < 0:
				late = false
			case userFirst:
				late = true
			}
			place := k
			if late && lastRunOut >= 0 {
				place = lastRunOut
			} else if late && firstOut >= 0 {
				place = firstOut
			}
			at[place] = append(at[place], k)
			firstOut, lastRunOut, spoke, userFirst = -1, -1, false, false
		}
	}
	return at
}

// isEstimate tells the count that Codex writes after a compaction: nothing was sent, and the total is its estimate of the
// new context.
func isEstimate(u *journal.Usage) bool { return u.Input == 0 && u.Output <= 0 && u.Total > 0 }
