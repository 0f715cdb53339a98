package facts

import "strings"

// isPath tells a path or the name of a file from a word: it has a slash with letters on one side, or an extension.
func isPath(w string) bool {
	if strings.Contains(w, "://") {
		return !strings.HasPrefix(w, "http")
	}
	if i := strings.IndexAny(w, "/\\"); i >= 0 {
		return len(w) > 1 && !(strings.Count(w, "/") == 1 && i > 0 && i < len(w)-1 && strings.IndexByte(w, '.') < 0 && len(w) < 6)
	}
	i := strings.LastIndexByte(w, '.')
	if i < 0 || i == len(w)-1 || len(w)-i > 9 {
		return false
	}
	letter := false
	for _, c := range []byte(w[i+1:]) {
		if c >= 'a' && c <= 'z' {
			letter = true
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return letter && (i > 0 || len(w) > 2) && !digitsOnly(w[:i])
}

func digitsOnly(w string) bool {
	for _, c := range []byte(w) {
		if c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// cleanPath gives a path its plain form: no scheme, no ./, no line number behind it, slashes that lean forward, lower case.
func cleanPath(w string) string {
	w = strings.ReplaceAll(fold(strings.TrimSpace(w)), "\\", "/")
	w = strings.TrimPrefix(w, "file://")
	if i := strings.LastIndexByte(w, ':'); i > 1 && i < len(w)-1 && digitsOnly(w[i+1:]) {
		w = cleanPath(w[:i])
	}
	for strings.HasPrefix(w, "./") {
		w = w[2:]
	}
	for strings.Contains(w, "/./") {
		w = strings.ReplaceAll(w, "/./", "/")
	}
	if len(w) > 1 {
		w = strings.TrimRight(w, "/")
	}
	return w
}

// baseOf is the last part of a clean path.
func baseOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func isAbsolute(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~/") || len(path) > 2 && path[1] == ':' && path[2] == '/'
}

// samePath reports whether two clean paths name one file: they are equal, or one of them is absolute and ends with the
// other. Two relative ones of different length are two files.
func samePath(a, b string) bool {
	if a == b {
		return true
	}
	if isAbsolute(b) {
		a, b = b, a
	}
	return isAbsolute(a) && !isAbsolute(b) && strings.HasSuffix(a, "/"+strings.TrimLeft(b, "./"))
}
