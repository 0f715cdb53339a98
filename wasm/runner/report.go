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

// trace writes a Perfetto trace of the sessions asked for.
func (p Process) trace(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	var sessions []int
	for _, row := range o.rows {
		sessions = append(sessions, row.Index)
	}
	o.options.Sessions = sessions
	return p.deliver(req, o.AppendTrace(nil, o.options))
}
