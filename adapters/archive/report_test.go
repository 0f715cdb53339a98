package archive

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"
)

// reportOf is a page with a session inside, made by hand.
func reportOf(data string) string {
	return "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"contextscope\" content=\"report/1\">\n<style>" + strings.Repeat("a > b {}\n", 3000) +
		"</style><script type=\"application/wasm\">" + strings.Repeat("QUJD", 20000) + "</script>\n" + data + "\n<script>1 < 2</script>\n</body></html>\n"
}

func TestAReportGivesItsSession(t *testing.T) {
	want := text(30_000)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, want)
	w.Close()
	whole := `<script id="session" type="application/gzip">` + base64.StdEncoding.EncodeToString(packed.Bytes()) + "</script>"
	for name, c := range map[string]struct{ page, want string }{
		"whole": {reportOf(whole), want}, "none": {reportOf(""), ""}, "cut": {reportOf(whole)[:len(reportOf(""))-50+900], ""}, "no base64": {reportOf(`<script id="session" type="application/gzip">%%%</script>`), ""},
	} {
		var got []byte
		var u Unpacker
		packing := ""
		contents, err := u.Open(strings.NewReader(c.page), func(f *File, r io.Reader) error {
			packing = f.Packing
			if r != nil {
				got, _ = io.ReadAll(r)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.want != "" && (string(got) != c.want || packing != "report+gzip") {
			t.Errorf("%s: %d bytes packed as %q (%+v), want %d", name, len(got), packing, contents, len(c.want))
		}
		if c.want == "" && len(got) > 20_000 {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
	for _, other := range []string{"<!doctype html>\n<p>a page", "<!doctype", ""} {
		if Kind([]byte(other)) != "" {
			t.Errorf("%q is no report", other)
		}
	}
}
