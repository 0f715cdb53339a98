package browsertests

import (
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
)

// witness is a server that remembers every request that reached it. A promise of silence is worth only what somebody at
// the other end can say.
type witness struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

// under is the sub-path at which the site is served: nothing in it may rely on standing at the root.
const under = "/some/where/"

var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript",
	".css":  "text/css",
	".wasm": "application/wasm",
	".gz":   "application/gzip",
}

// newSite serves dist/.
func newSite(t testing.TB) *witness {
	files := http.StripPrefix(under, http.FileServer(http.Dir(dist)))
	return newWitness(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, ok := types[path.Ext(r.URL.Path)]; ok {
			w.Header().Set("Content-Type", kind)
		}
		files.ServeHTTP(w, r)
	}))
}

// newForeign is a server of another origin that answers everything and allows everyone.
func newForeign(t testing.TB) *witness {
	return newWitness(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Content-Type", "text/plain")
	}))
}

func newWitness(t testing.TB, handler http.Handler) *witness {
	w := &witness{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.seen = append(w.seen, r.Method+" "+r.URL.RequestURI())
		w.mu.Unlock()
		handler.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.Close)
	return w
}

// home is the address of the app.
func (w *witness) home() string { return w.URL + under }

// told gives the requests whose address holds a word.
func (w *witness) told(word string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var found []string
	for _, request := range w.seen {
		if strings.Contains(request, word) {
			found = append(found, request)
		}
	}
	return found
}

// all gives every request so far.
func (w *witness) all() []string { return w.told("") }
