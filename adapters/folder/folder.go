// Package folder says which files of a folder are worth opening. A file that a person names is always opened, whatever
// it is called; a folder may hold a whole project, and then only what looks like a journal is taken.
package folder

import (
	"path"
	"strings"
)

var endings = []string{".jsonl", ".ndjson", ".pftrace", ".perfetto-trace"}

var packings = []string{".gz", ".zst", ".zstd", ".zip"}

// Takes tells whether a file with that path is worth opening.
func Takes(name string) bool {
	// Claude Code keeps the whole of a large output beside the transcript.
	if path.Base(path.Dir(name)) == "tool-results" && strings.HasSuffix(name, ".txt") {
		return true
	}
	name = strings.ToLower(path.Base(name))
	// Claude Code and agent-strace keep what a session was started for beside it.
	if name == "meta.json" || strings.HasSuffix(name, ".meta.json") {
		return true
	}
	for _, p := range packings {
		name = strings.TrimSuffix(name, p)
	}
	for _, e := range endings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}

// closed are folders that hold thousands of files and no journal: what package managers, version control and systems keep
// for themselves. Without them a whole home folder can be looked through.
var closed = map[string]bool{
	"node_modules": true, "bower_components": true, "site-packages": true, "__pycache__": true, ".venv": true, "venv": true,
	".git": true, ".hg": true, ".svn": true, ".cache": true, "Caches": true, ".npm": true, ".yarn": true, ".pnpm-store": true,
	".cargo": true, ".rustup": true, ".gradle": true, ".m2": true, ".nuget": true, ".pyenv": true, ".nvm": true, ".Trash": true,
	".tox": true, ".mypy_cache": true, ".next": true, "Photos Library.photoslibrary": true,
}

// Enters tells whether a folder with that name is worth looking into.
func Enters(name string) bool { return !closed[path.Base(name)] }
