package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
)

// Interactive puts a session into the page in one file: a report that can be worked with. The session is a Perfetto trace, packed; it
// carries the version of its schema, and the page opens it by itself, or where the report is dropped on another page.
func Interactive(page, trace []byte) ([]byte, error) {
	const head, foot = "<meta charset=\"utf-8\">\n", "<script id=\"exec\""
	if bytes.Count(page, []byte(head)) != 1 || bytes.Count(page, []byte(foot)) != 1 {
		return nil, errors.New("this is not the page in one file")
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := w.Write(trace); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	data := `<script id="session" type="application/gzip">` + base64.StdEncoding.EncodeToString(packed.Bytes()) + "</script>\n"
	page = bytes.Replace(page, []byte(head), []byte(head+`<meta name="contextscope" content="report/1">`+"\n"), 1)
	return bytes.Replace(page, []byte(foot), []byte(data+foot), 1), nil
}
