package runner

import "contextscope/ui/report"

// report writes one HTML file about the sessions asked for, the newest first.
func (p Process) report(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	return p.deliver(req, report.Static(o.Analysis, o.asked(), o.options))
}

// asked are the sessions asked for.
func (o *opened) asked() (sessions []int) {
	for _, row := range o.rows {
		sessions = append(sessions, row.Index)
	}
	return sessions
}

// trace writes a Perfetto trace of the sessions asked for.
func (p Process) trace(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	o.options.Sessions = o.asked()
	return p.deliver(req, o.AppendTrace(nil, o.options))
}
