package runner

import "contextscope/ui/report"

// report writes one HTML file about the sessions asked for, the newest first.
func (p Process) report(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	var sessions []int
	for _, row := range o.rows {
		sessions = append(sessions, row.Index)
	}
	return p.deliver(req, report.Static(o.Analysis, sessions, o.options))
}
