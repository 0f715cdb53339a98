package archive

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
)

// A report that can be worked with is the page in one file with a session inside: packed, as base64, in a block that no browser runs.
const (
	reportMark = `<meta name="contextscope" content="report/1">`
	reportData = `<script id="session" type="application/gzip">`
)

// isReport tells such a report by its first lines.
func isReport(head []byte) bool {
	return len(head) > 15 && bytes.EqualFold(head[:15], []byte("<!doctype html>")) && bytes.Contains(head, []byte(reportMark))
}

// reportReader reads the packed session out of a report. One without a session is empty.
type reportReader struct {
	src *bufio.Reader
	in  io.Reader
}

func (r *reportReader) Read(p []byte) (int, error) {
	if r.in == nil {
		for {
			line, err := r.src.ReadSlice('>')
			if bytes.HasSuffix(line, []byte(reportData)) {
				break
			}
			if err != nil && err != bufio.ErrBufferFull {
				return 0, err
			}
		}
		r.in = base64.NewDecoder(base64.StdEncoding, &upTo{r.src, '<'})
	}
	return r.in.Read(p)
}

// upTo reads as far as a byte.
type upTo struct {
	r   *bufio.Reader
	end byte
}

func (u *upTo) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c, err := u.r.ReadByte()
		if err != nil {
			return n, err
		}
		if c == u.end {
			_ = u.r.UnreadByte()
			return n, io.EOF
		}
		p[n] = c
		n++
	}
	return n, nil
}
