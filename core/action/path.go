package action

import "strings"

// Join is a path as seen from a folder, in one spelling: with slashes, without . and .. and double slashes, a Windows
// drive in lower case. A path that says by itself where it begins stays there.
func Join(folder, path string) string {
	path = slashed(path)
	if folder != "" && !Absolute(path) && !strings.HasPrefix(path, "~") {
		path = slashed(folder) + "/" + path
	}
	return clean(path)
}

// Absolute tells whether a path says by itself where it begins.
func Absolute(path string) bool {
	return strings.HasPrefix(path, "/") || len(path) > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\') || strings.HasPrefix(path, `\\`)
}

func slashed(path string) string {
	if len(path) > 1 && path[1] == ':' && 'A' <= path[0] && path[0] <= 'Z' {
		path = string(path[0]|0x20) + path[1:]
	}
	if strings.IndexByte(path, '\\') < 0 || strings.HasPrefix(path, "/") {
		return path
	}
	return strings.ReplaceAll(path, `\`, "/")
}

func clean(path string) string {
	if path == "" {
		return ""
	}
	absolute := path[0] == '/'
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "" || part == ".":
		case part == ".." && len(parts) > 0 && parts[len(parts)-1] != "..":
			parts = parts[:len(parts)-1]
		case part == ".." && absolute:
		default:
			parts = append(parts, part)
		}
	}
	out := strings.Join(parts, "/")
	switch {
	case absolute:
		return "/" + out
	case out == "":
		return "."
	}
	return out
}
