package runner

import (
	"os"
)

// checkpoint writes the recovery checkpoint of a session, or its re-injection brief; side streams stand behind the main one.
func (p Process) checkpoint(req *request) int {
	o, code := p.open(req)
	if o == nil {
		return code
	}
	rows := o.rows
	if req.session == "" {
		rows = withStreams(o.rows, newest(o.rows))
	}
	var out []byte
	for i, row := range rows {
		if i > 0 {
			out = append(out, '\n')
		}
		s := o.Sessions[row.Index]
		if req.brief {
			out = append(out, o.Brief(s, req.threshold)...)
		} else {
			out = append(out, o.Checkpoint(s)...)
		}
	}
	return p.deliver(req, shown(out))
}

// deliver prints what was made, or writes it into the file that was named.
func (p Process) deliver(req *request, out []byte) int {
	if req.out == "" {
		return p.print(out)
	}
	if err := os.WriteFile(req.out, out, 0o600); err != nil {
		(&reading{Process: p}).complain("%v", err)
		return exitNothing
	}
	return exitDone
}
