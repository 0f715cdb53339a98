// Package redact masks what must not be passed on: secrets always, and who and where a person is unless they choose to keep it.
//
// In comes text, out comes the same text with each such place as a mask that says its kind: [masked: GitHub token]. What a secret
// looks like stands in two tables, rules.tsv (by its beginning) and words.tsv (by the name that it is assigned to); private keys, JSON
// web tokens, authorization headers and credentials in addresses have shapes of their own. Nothing is guessed by how random a text
// looks: a hash of git is no secret.
package redact

import (
	_ "embed"
	"strconv"
	"strings"

	"contextscope/core/table"
)

//go:embed rules.tsv
var rulesTSV string

//go:embed words.tsv
var wordsTSV string

// Keep is what a person chose to pass on beside the text.
type Keep struct{ Home, Hosts, Emails bool }

// rule is a secret that is told by its beginning.
type rule struct {
	kind, begins string
	chars        func(byte) bool
	least, most  int
}

var (
	rules = parseRules() // by their first byte
	names = parseNames()
)

func parseRules() (by [256][]rule) {
	classes := map[string]func(byte) bool{
		"alnum": isAlnum, "upper": func(c byte) bool { return c >= 'A' && c <= 'Z' || isDigit(c) }, "hex": isHex,
		"word":   func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' },
		"base64": isBase64, "dotted": func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '.' },
	}
	for _, f := range table.Rows("rules.tsv", rulesTSV, 5) {
		least, err := strconv.Atoi(f[3])
		most, err2 := strconv.Atoi(f[4])
		if classes[f[2]] == nil || err != nil || err2 != nil {
			panic("redact: rules.tsv: " + f[0])
		}
		for begins := range strings.SplitSeq(f[1], "|") {
			by[begins[0]] = append(by[begins[0]], rule{f[0], begins, classes[f[2]], least, most})
		}
	}
	return by
}

func parseNames() map[string]string {
	out := map[string]string{}
	for _, f := range table.Rows("words.tsv", wordsTSV, 2) {
		out[f[0]] = f[1]
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isBase64(c byte) bool {
	return isAlnum(c) || c == '+' || c == '/' || c == '=' || c == '_' || c == '-'
}

// longest is how many characters of one secret are looked at: hostile text could make every place look like the beginning of one.
const longest = 4096

// Masker masks texts that belong together: a user's name that one of them tells by a home directory is masked in all that come
// after it. The zero value masks everything.
type Masker struct {
	keep        Keep
	secretsOnly bool
	users       []string
}

// New is a Masker for what is passed on.
func New(keep Keep) *Masker { return &Masker{keep: keep} }

var secrets = &Masker{secretsOnly: true}

// Secrets masks secrets alone: for what stays on the person's own screen.
func Secrets(text string) string { return secrets.Text(text) }

// Text masks a text.
func (m *Masker) Text(s string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		begin, end, mask := m.at(s, i)
		if end <= i {
			i++
			continue
		}
		if begin < from { // a part of it is masked already
			begin = from
		}
		b.WriteString(s[from:begin])
		b.WriteString(mask)
		from, i = end, end
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

func masked(kind string) string { return "[masked: " + kind + "]" }

// at finds what is to be masked where a position is its beginning, or the sign that tells it: end is 0 for nothing.
func (m *Masker) at(s string, i int) (begin, end int, mask string) {
	c := s[i]
	if c == '-' && strings.HasPrefix(s[i:], "-----BEGIN ") {
		if n := privateKey(s[i:]); n > 0 {
			return i, i + n, masked("private key")
		}
	}
	if i == 0 || !isAlnum(s[i-1]) && s[i-1] != '_' || escaped(s, i) {
		if n, kind := token(s[i:]); n > 0 {
			return i, i + n, masked(kind)
		}
		if isAlpha(c) {
			if at, kind := authorization(s[i:]); at[1] > 0 {
				return i + at[0], i + at[1], masked(kind)
			}
		}
	}
	switch c {
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			if b, e := credentials(s, i+3); e > 0 {
				return b, e, masked("credentials")
			}
		}
		if b, e, kind := assigned(s, i); e > 0 {
			return b, e, masked(kind)
		}
	case '=', ' ':
		if b, e, kind := assigned(s, i); e > 0 {
			return b, e, masked(kind)
		}
	}
	if m.secretsOnly {
		return 0, 0, ""
	}
	return m.identity(s, i)
}

// escaped tells that what stands before a position is the letter of an escape, as in \n.
func escaped(s string, i int) bool {
	return i >= 2 && s[i-2] == '\\' && (s[i-1] == 'n' || s[i-1] == 't' || s[i-1] == 'r')
}

// privateKey is the length of a private key in PEM, up to its end or that of the text.
func privateKey(s string) int {
	head := s[:min(len(s), 60)]
	if !strings.Contains(head, "PRIVATE KEY") {
		return 0
	}
	end := strings.Index(s, "-----END ")
	if end < 0 {
		return len(s)
	}
	if close := strings.Index(s[end+9:], "-----"); close >= 0 {
		return end + 9 + close + 5
	}
	return len(s)
}

// token tells a secret by its beginning.
func token(s string) (n int, kind string) {
	for _, r := range rules[s[0]] {
		if !strings.HasPrefix(s, r.begins) {
			continue
		}
		n := len(r.begins)
		for n < len(s) && n < longest && r.chars(s[n]) {
			n++
		}
		got := n - len(r.begins)
		cut := got >= 8 && (n == len(s) || strings.HasPrefix(s[n:], "…")) // labels are cut short, in the middle of a secret, too
		if got >= r.least && (r.most == 0 || got <= r.most) || cut && got < r.least && len(r.begins) > 3 {
			return n, r.kind
		}
	}
	if strings.HasPrefix(s, "eyJ") {
		return webToken(s), "JSON web token"
	}
	return 0, ""
}

// webToken is the length of three parts with dots between them, of which the second is an object, too.
func webToken(s string) int {
	n, dots := 0, 0
	for n < len(s) && n < longest && (isAlnum(s[n]) || s[n] == '-' || s[n] == '_' || s[n] == '.') {
		if s[n] == '.' {
			if dots++; dots == 1 && !strings.HasPrefix(s[n+1:], "eyJ") {
				return 0
			}
		}
		n++
	}
	if dots != 2 || n < 40 {
		return 0
	}
	return n
}

// authorization tells what follows the scheme of a header.
func authorization(s string) (at [2]int, kind string) {
	for _, scheme := range []string{"bearer ", "basic "} {
		if len(s) <= len(scheme) || !strings.EqualFold(s[:len(scheme)], scheme) {
			continue
		}
		n := len(scheme)
		digit := false
		for n < len(s) && n < longest && (isBase64(s[n]) || s[n] == '.' || s[n] == '~') {
			digit = digit || isDigit(s[n])
			n++
		}
		if n-len(scheme) >= 16 && digit || n-len(scheme) >= 12 && scheme == "basic " && s[n-1] == '=' {
			return [2]int{len(scheme), n}, "authorization"
		}
	}
	return at, ""
}

// credentials are the user and the password before the host of an address.
func credentials(s string, from int) (begin, end int) {
	for i := from; i < len(s) && i < from+512; i++ {
		switch c := s[i]; {
		case c == '@':
			if i > from && strings.IndexByte(s[from:i], ':') >= 0 {
				return from, i
			}
			if i-from >= 12 { // a token alone
				return from, i
			}
			return 0, 0
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '?' || c == '#' || c == '<' || c == '>' || c == '`':
			return 0, 0
		}
	}
	return 0, 0
}

// assigned tells the value of a name that means a secret, at the sign behind the name: DB_PASSWORD="…", password: …, --token ….
func assigned(s string, i int) (begin, end int, kind string) {
	to := i
	for to > 0 && (s[to-1] == '"' || s[to-1] == '\'' || s[to-1] == '\\' || s[to-1] == ' ' && s[i] != ' ' || s[to-1] == ']') {
		to--
	}
	from := to
	for from > 0 && to-from < 40 && (isAlnum(s[from-1]) || s[from-1] == '_' || s[from-1] == '-') {
		from--
	}
	name := s[from:to]
	if s[i] == ' ' && !strings.HasPrefix(name, "--") {
		return 0, 0, ""
	}
	if kind = secretName(name); kind == "" {
		return 0, 0, ""
	}
	begin = i + 1
	if s[i] == ':' && begin < len(s) && s[begin] == '=' {
		begin++
	}
	quoted := false
	for begin < len(s) && (s[begin] == ' ' || s[begin] == '"' || s[begin] == '\'' || s[begin] == '\\' || s[begin] == '=' && s[i] == ' ') {
		quoted = quoted || s[begin] == '"' || s[begin] == '\''
		begin++
	}
	end = begin
	for end < len(s) && end < begin+longest && s[end] > ' ' && s[end] != '"' && s[end] != '\'' && s[end] != '`' && s[end] != ',' && s[end] != ';' && s[end] != '&' && s[end] != '\\' && s[end] != '}' && s[end] != ')' {
		end++
	}
	if !secretValue(s[begin:end], quoted || s[i] == ' ') {
		return 0, 0, ""
	}
	return begin, end, kind
}

// secretName is the kind of a name that means a secret, or ends with one that does.
func secretName(name string) string {
	var plain [40]byte
	n := 0
	for i := 0; i < len(name) && n < len(plain); i++ {
		if c := name[i]; c != '_' && c != '-' {
			if c >= 'A' && c <= 'Z' {
				c |= 0x20
			}
			plain[n] = c
			n++
		}
	}
	for from := 0; from <= n-3; from++ {
		if kind, ok := names[string(plain[from:n])]; ok {
			return kind
		}
	}
	return ""
}

// secretValue tells a value from code, types and placeholders.
func secretValue(v string, quoted bool) bool {
	if len(v) < 6 || strings.ContainsAny(v, "(<${[*…") {
		return false
	}
	digit, letter, same := false, false, true
	for i := 0; i < len(v); i++ {
		digit = digit || isDigit(v[i])
		letter = letter || isAlpha(v[i])
		same = same && v[i]|0x20 == v[0]|0x20
	}
	low := strings.ToLower(v)
	for _, word := range []string{"example", "placeholder", "your", "changeme", "redacted", "masked", "process.env", "os.environ", "undefined"} {
		if strings.Contains(low, word) {
			return false
		}
	}
	if same {
		return false
	}
	if quoted {
		return len(v) >= 8 || digit
	}
	return digit && letter && !strings.Contains(v, ".") && len(v) >= 8 || len(v) >= 20 && digit
}
