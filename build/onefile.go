package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
)

var (
	scriptTag  = regexp.MustCompile(`<script([^>]*) src="([^"]+)"></script>\n`)
	styleTag   = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\n`)
	preloadTag = regexp.MustCompile(`<link rel="preload"[^>]*>\n`)
	policyTag  = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">\n`)
)

// oneFile puts everything that the page loads into the page itself. Scripts and styles stand as they are and are allowed
// by their hashes; the program and the example stand compressed, as base64, in blocks that no browser runs.
func oneFile(page []byte, read func(name string) ([]byte, error)) ([]byte, error) {
	var failed error
	content := func(name string) []byte {
		b, err := read(name)
		if err != nil && failed == nil {
			failed = err
		}
		return b
	}
	var scripts, styles []string
	page = preloadTag.ReplaceAll(page, nil)
	page = styleTag.ReplaceAllFunc(page, func(tag []byte) []byte {
		text := content(string(styleTag.FindSubmatch(tag)[1]))
		styles = append(styles, hash(text))
		return block("style", "", text)
	})
	page = scriptTag.ReplaceAllFunc(page, func(tag []byte) []byte {
		m := scriptTag.FindSubmatch(tag)
		attrs, name := string(m[1]), string(m[2])
		text := content(name)
		switch {
		case strings.HasSuffix(name, ".wasm"):
			packed, err := pack(text)
			if err != nil && failed == nil {
				failed = err
			}
			return block("script", attrs, []byte(base64.StdEncoding.EncodeToString(packed)))
		case strings.HasSuffix(name, ".gz"):
			return block("script", attrs, []byte(base64.StdEncoding.EncodeToString(text)))
		case !strings.Contains(attrs, "type="):
			scripts = append(scripts, hash(text))
		}
		if err := embeddable(name, text); err != nil && failed == nil {
			failed = err
		}
		return block("script", attrs, text)
	})
	page = bytes.Replace(page, []byte("</body>"),
		append(block("script", ` id="licenses" type="text/plain"`, content("assets/licenses.txt")), "</body>"...), 1)
	policy := fmt.Sprintf("default-src 'none'; script-src %s 'wasm-unsafe-eval'; style-src %s; img-src data: blob:; "+
		"worker-src blob:; form-action 'none'; base-uri 'none'", strings.Join(scripts, " "), strings.Join(styles, " "))
	page = policyTag.ReplaceAllLiteral(page,
		[]byte(`<meta http-equiv="Content-Security-Policy" content="`+policy+"\">\n"))
	if failed == nil && bytes.Contains(page, []byte(` src="assets`)) {
		failed = fmt.Errorf("the one-file page still loads a file of its own")
	}
	return page, failed
}

func block(tag, attrs string, text []byte) []byte {
	return fmt.Appendf(nil, "<%s%s>%s</%s>\n", tag, attrs, text, tag)
}

// hash is how a policy names an inline script or style.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// embeddable refuses a script that would end its own element, or whose line ends a browser would change, and with them
// the hash.
func embeddable(name string, text []byte) error {
	for _, bad := range []string{"</script", "<!--", "\r"} {
		if bytes.Contains(bytes.ToLower(text), []byte(bad)) {
			return fmt.Errorf("%s holds %q and cannot stand inside a page", name, bad)
		}
	}
	return nil
}
