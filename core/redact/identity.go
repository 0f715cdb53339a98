package redact

import (
	"slices"
	"strings"
)

// identity finds who and where a person is: home directories, their users' names, e-mail addresses, hosts and addresses of machines.
func (m *Masker) identity(s string, i int) (begin, end int, mask string) {
	c := s[i]
	starts := i == 0 || !isAlnum(s[i-1])
	if !m.keep.Home && (c == '/' || c == '\\' || c == '-' || starts && isAlpha(c)) {
		if b, e, mask := m.home(s, i); e > 0 {
			return b, e, mask
		}
	}
	if c == '@' && !m.keep.Emails {
		if b, e := email(s, i); e > 0 {
			return b, e, masked("e-mail")
		}
	}
	if m.keep.Hosts {
		return 0, 0, ""
	}
	if c == ':' && strings.HasPrefix(s[i:], "://") {
		if e := hostEnd(s, i+3); e > i+3 && !isLocal(s[i+3:e]) && !strings.HasPrefix(s[i+3:], "[masked") {
			return i + 3, e, masked("host")
		}
	}
	if starts && isDigit(c) && (i == 0 || s[i-1] != '.') {
		if e := addressEnd(s, i); e > 0 {
			return i, e, masked("IP address")
		}
	}
	if starts && (isHex(c) || c == ':') && (i == 0 || s[i-1] != ':') {
		if e := address6End(s, i); e > 0 {
			return i, e, masked("IP address")
		}
	}
	if starts && isAlnum(c) && (i == 0 || s[i-1] != '.' && s[i-1] != '-' && s[i-1] != '_' && s[i-1] != '/' && s[i-1] != '@') {
		if e := nameEnd(s, i); e > 0 {
			return i, e, masked("host")
		}
	}
	return 0, 0, ""
}

// homes are where the directories of users lie, with the sign that ends the name.
var homes = []struct{ begins, ends string }{
	{"/home/", "/"}, {"/Users/", "/"}, {`\Users\`, `\`}, {`\\Users\\`, `\`}, {"-home-", "-"}, {"-Users-", "-"}, {"/root/", ""},
}

// commonUsers tell nothing about anybody.
var commonUsers = []string{"root", "user", "users", "dev", "test", "admin", "app", "runner", "ubuntu", "shared", "public", "me", "you", "node", "git", "code", "work"}

// home masks a home directory and learns whose it is.
func (m *Masker) home(s string, i int) (begin, end int, mask string) {
	for _, h := range homes {
		if !strings.HasPrefix(s[i:], h.begins) || h.begins[0] == '-' && i > 0 && s[i-1] != '/' && s[i-1] != '"' && s[i-1] != ' ' && s[i-1] != '\\' {
			continue
		}
		if h.ends == "" {
			return i, i + len(h.begins) - 1, masked("home")
		}
		from := i + len(h.begins)
		to := from
		for to < len(s) && (isAlnum(s[to]) || s[to] == '_' || s[to] == '.' || s[to] == '-' && h.ends != "-" || s[to] >= 0x80) {
			to++
		}
		if to == from {
			continue
		}
		m.learn(s[from:to])
		begin = i
		if h.begins[0] == '\\' && i >= 2 && s[i-1] == ':' && isAlpha(s[i-2]) {
			begin = i - 2 // the drive
		}
		return begin, to, masked("home")
	}
	for _, user := range m.users {
		e := i + len(user)
		if len(s) >= e && strings.EqualFold(s[i:e], user) && (e == len(s) || !isAlnum(s[e])) {
			return i, e, masked("user")
		}
	}
	return 0, 0, ""
}

func (m *Masker) learn(user string) {
	if len(user) >= 3 && !slices.Contains(commonUsers, strings.ToLower(user)) && !slices.Contains(m.users, user) && len(m.users) < 32 {
		m.users = append(m.users, user)
	}
}

// Learn reads whose home directories a text names, so that their names are masked in what comes before it, too.
func (m *Masker) Learn(text string) { m.Text(text) }

// email tells an address at its @.
func email(s string, at int) (begin, end int) {
	begin, end = at, at+1
	for begin > 0 && (isAlnum(s[begin-1]) || strings.IndexByte("._%+-", s[begin-1]) >= 0) {
		begin--
	}
	for end < len(s) && (isAlnum(s[end]) || s[end] == '.' || s[end] == '-') {
		end++
	}
	for end > at+1 && (s[end-1] == '.' || s[end-1] == '-') {
		end--
	}
	domain := s[at+1 : end]
	dot := strings.LastIndexByte(domain, '.')
	if begin == at || dot < 1 || len(domain)-dot < 3 || isDigit(domain[len(domain)-1]) {
		return 0, 0
	}
	return begin, end
}

// hostEnd is where the host of an address ends.
func hostEnd(s string, from int) int {
	end := from
	for end < len(s) && (isAlnum(s[end]) || s[end] == '.' || s[end] == '-') {
		end++
	}
	return end
}

func isLocal(host string) bool {
	return host == "localhost" || host == "127.0.0.1" || host == "0.0.0.0" || strings.HasPrefix(host, "example.") || strings.HasSuffix(host, ".example.com") || strings.HasSuffix(host, ".example.org")
}

// addressEnd tells an IP address: four numbers up to 255.
func addressEnd(s string, i int) int {
	from := i
	for part := range 4 {
		n, digits := 0, 0
		for i < len(s) && isDigit(s[i]) && digits < 4 {
			n = n*10 + int(s[i]-'0')
			digits++
			i++
		}
		if digits == 0 || digits > 3 || n > 255 {
			return 0
		}
		if part < 3 {
			if i >= len(s) || s[i] != '.' {
				return 0
			}
			i++
		}
	}
	if i < len(s) && (isAlnum(s[i]) || s[i] == '.' && i+1 < len(s) && isAlnum(s[i+1])) || isLocal(s[from:i]) {
		return 0
	}
	return i
}

// address6End tells an IP address of version 6: groups of up to four hex digits, eight of them or fewer with :: in between.
func address6End(s string, i int) int {
	groups, double := 0, false
	digits := false
	for i < len(s) {
		n := 0
		for i < len(s) && isHex(s[i]) && n < 5 {
			digits = digits || isDigit(s[i])
			i++
			n++
		}
		if n > 4 {
			return 0
		}
		if n > 0 {
			groups++
		}
		if i >= len(s) || s[i] != ':' {
			break
		}
		if strings.HasPrefix(s[i:], "::") {
			if double {
				return 0
			}
			double = true
			i += 2
			continue
		}
		if n == 0 {
			return 0
		}
		i++
	}
	if i < len(s) && isAlnum(s[i]) || !digits || groups > 8 || !double && groups != 8 || double && groups < 3 {
		return 0
	}
	return i
}

// Tops of domains under which a bare name is taken for a host: with one dot before them, or two where a file or a member of a program
// could end like that.
var (
	plainTops  = []string{"com", "net", "org", "edu", "gov", "internal", "corp", "lan", "intranet"}
	doubleTops = []string{"io", "dev", "app", "cloud", "local", "co", "de", "uk", "eu", "ai"}
)

// nameEnd tells the name of a host that stands by itself.
func nameEnd(s string, i int) int {
	end := hostEnd(s, i)
	for end > i && (s[end-1] == '.' || s[end-1] == '-') {
		end--
	}
	host := s[i:end]
	dot := strings.LastIndexByte(host, '.')
	if dot < 1 || end < len(s) && (s[end] == '(' || s[end] == '_' || s[end] == '@') || isLocal(host) {
		return 0
	}
	top := strings.ToLower(host[dot+1:])
	if slices.Contains(plainTops, top) || slices.Contains(doubleTops, top) && strings.Count(host, ".") >= 2 {
		return end
	}
	return 0
}
