package main

import (
	"fmt"
	"net"
	"net/http"
	"path"
)

// types are those that a browser insists on; the system's own table may lack them or have them wrong.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".mjs":  "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".wasm": "application/wasm",
	".gz":   "application/gzip",
	".txt":  "text/plain; charset=utf-8",
}

// serve serves dist/ to this machine alone, until it is interrupted.
func serve(port string) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("localhost", port))
	if err != nil {
		return fmt.Errorf("%w; another port can be given: ./build.sh serve PORT", err)
	}
	fmt.Printf("contextscope is at http://localhost:%d/\n", listener.Addr().(*net.TCPAddr).Port)
	return http.Serve(listener, site(http.FileServer(http.Dir(dist))))
}

// site sets the headers that a static host would.
func site(files http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, ok := types[path.Ext(r.URL.Path)]; ok {
			w.Header().Set("Content-Type", kind)
		}
		w.Header().Set("Cache-Control", "no-cache")
		files.ServeHTTP(w, r)
	})
}
