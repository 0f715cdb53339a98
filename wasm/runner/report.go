package runner

import (
	"os"

	"contextscope/ui/report"
)

// report writes one HTML file about the sessions asked for, the newest first.
func (p Process) report(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	if !req.interactive {
		return p.deliver(req, report.Static(o.Analysis, o.asked(), o.options))
	}
	o.options.Sessions = o.asked()
	page, err := os.ReadFile(p.Page)
	if err == nil {
		page, err = report.Interactive(page, o.AppendTrace(nil, o.options))
	}
	if err != nil {
		(&reading{Process: p}).complain("contextscope.html beside contextscope.mjs could not be used: %v", err)
		return exitNothing
	}
	return p.deliver(req, page)
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
