package redact

import (
	"strings"
	"testing"
	"time"
)

func repeat(s string, n int) string { return strings.Repeat(s, n)[:n] }

// What is planted here is invented, and put together so that no scanner of repositories takes it for real.
var (
	mixed = repeat("aB3dE5gH7jK9", 36)
	hex32 = repeat("0a1b2c3d4e5f6789", 32)
)

func expect(t *testing.T, m *Masker, text, want string) {
	t.Helper()
	if got := m.Text(text); got != want {
		t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
	}
}

func TestEachKindOfSecretIsMasked(t *testing.T) {
	for kind, secret := range map[string]string{
		"GitHub token": "ghp_" + mixed, "GitLab token": "glpat-" + mixed[:20], "AWS access key": "AKIA" + strings.ToUpper(mixed[:16]), "Google key": "AIza" + mixed[:35],
		"Google token": "ya29." + mixed, "Slack token": "xoxb-12345-" + mixed, "Stripe key": "sk_live_" + mixed[:24], "Anthropic key": "sk-ant-api03-" + mixed,
		"OpenAI key": "sk-proj-" + mixed, "API key": "sk-" + mixed, "OpenRouter key": "sk-or-v1-" + mixed, "npm token": "npm_" + mixed, "PyPI token": "pypi-AgE" + mixed + mixed[:8],
		"Hugging Face token": "hf_" + mixed[:34], "SendGrid key": "SG." + mixed[:22] + "." + mixed[:24], "DigitalOcean token": "dop_v1_" + hex32 + hex32,
		"Shopify token": "shpat_" + hex32, "Databricks token": "dapi" + hex32, "Linear key": "lin_api_" + mixed + mixed[:4], "Notion token": "ntn_" + mixed + mixed[:10],
		"Vault token": "hvs." + mixed, "Grafana token": "glsa_" + mixed, "xAI key": "xai-" + mixed + mixed[:8], "Groq key": "gsk_" + mixed + mixed[:16],
		"age key": "AGE-SECRET-KEY-1" + strings.ToUpper(mixed+mixed[:22]), "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + mixed,
		"private key": "-----BEGIN OPENSSH PRIVATE KEY-----\n" + mixed + "\n-----END OPENSSH PRIVATE KEY-----",
	} {
		for _, around := range [][2]string{{"", ""}, {"use ", " please"}, {`{"k":"`, `"}`}, {`line\n`, `\nnext`}, {"$(", ")"}} {
			if got, want := Secrets(around[0]+secret+around[1]), around[0]+"[masked: "+kind+"]"+around[1]; got != want {
				t.Errorf("%s: %q, want %q", kind, got, want)
			}
		}
	}
}

func TestSecretsByTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		`Authorization: Bearer ` + mixed:                        `Authorization: Bearer [masked: authorization]`,
		`curl -H "authorization: basic YWRhOmh1bnRlcjI="`:       `curl -H "authorization: basic [masked: authorization]"`,
		`postgres://ada:hunter2@db.example.com/x`:               `postgres://[masked: credentials]@db.example.com/x`,
		`https://` + mixed + `@github.com/a/b.git`:              `https://[masked: credentials]@github.com/a/b.git`,
		`DB_PASSWORD=hunter2horse`:                              `DB_PASSWORD=[masked: password]`,
		`"client_secret": "s3cr3tvalue"`:                        `"client_secret": "[masked: secret]"`,
		`{\"api_key\":\"abcd1234efgh\"}`:                        `{\"api_key\":\"[masked: API key]\"}`,
		`--token abcd1234efgh5678 run`:                          `--token [masked: token] run`,
		`export AWS_SECRET_ACCESS_KEY='` + mixed + `'`:          `export AWS_SECRET_ACCESS_KEY='[masked: access key]'`,
		`Cookie: session=abc123def456ghi`:                       `Cookie: [masked: cookie]`,
		`token := "abcd1234efgh"`:                               `token := "[masked: token]"`,
		`-----BEGIN RSA PRIVATE KEY-----` + "\nno end " + mixed: `[masked: private key]`,
	} {
		if got := Secrets(text); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", text, got, want)
		}
	}
}

func TestNearMissesStay(t *testing.T) {
	for _, text := range []string{
		"commit 3f2a9c1b7d8e4f5061728394a5b6c7d8e9f0a1b2", "sha256:" + hex32 + hex32, "ghp_short", "the AKIA prefix", "sk-learn and sk-ant colony", "npm_config_cache=/tmp",
		"token := parser.next()", "password: string", "password = os.Getenv(\"DB_PASSWORD\")", "const token: AnalysisToken", "secret=<your secret>", "api_key=${API_KEY}",
		"password=********", "the token count is 12345678", "tokens: 12345678", "a bearer of news", "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
		"https://github.com/a/b@v1.2.3", "id 6f2c51d4-0000-4000-8000-000000000001", "hf_hub_download", "git@github.com:a/b.git", "eyJhbGciOi", "max_tokens=200000000", `"sessionId":"11111111-2222-4333-8444-555555555555"`, `"signature":"Qk9GQk9GQk9G"`, "token=\"\"", "x-token: YOUR_TOKEN_HERE1",
	} {
		if got := Secrets(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

func TestWhoAndWhere(t *testing.T) {
	m := New(Keep{})
	expect(t, m, "/home/adalove/gateway/main.go", "[masked: home]/gateway/main.go")
	expect(t, m, "by Adalove, not adalovelace", "by [masked: user], not adalovelace")
	expect(t, m, `C:\Users\grace\src`, `[masked: home]\src`)
	expect(t, m, `"C:\\Users\\grace\\src"`, `"[masked: home]\\src"`)
	expect(t, m, "/x/.claude/projects/-home-adalove-gateway/s.jsonl", "/x/.claude/projects/[masked: home]-gateway/s.jsonl")
	expect(t, m, "mail ada.l+x@mail.example.org.", "mail [masked: e-mail].")
	expect(t, m, "https://intra.acme.io:8080/a", "https://[masked: host]:8080/a")
	expect(t, m, "ssh build7.acme.internal", "ssh [masked: host]")
	expect(t, m, "10.1.22.3, 2001:db8:85a3::8a2e:370:7334 and 10.1.22.3:80", "[masked: IP address], [masked: IP address] and [masked: IP address]:80")
	expect(t, New(Keep{Home: true, Hosts: true, Emails: true}), "/home/ada/x ada@x.org https://acme.io 10.1.2.3", "/home/ada/x ada@x.org https://acme.io 10.1.2.3")
	for _, text := range []string{"main.go", "os.path.join(a)", "v1.2.3", "1.2.3.4.5", "at 10:00:00", "127.0.0.1", "http://localhost:8080/", "a::b", "std::string", "fs.io", "@decorator", "user@host", "https://example.com/x",
		"package.json", "/homework/x", "12:30:45:12", "node_modules/.bin", "f.dev", "http.Server", "3f:2a"} {
		expect(t, New(Keep{}), text, text)
	}
}

func TestMaskingTwiceIsOnce(t *testing.T) {
	text := "postgres://ada:hunter2@db.acme.com/x /home/adalove/a DB_PASSWORD=hunter2horse ghp_" + mixed + " ada@acme.com 10.1.2.3"
	once := New(Keep{}).Text(text)
	if twice := New(Keep{}).Text(once); twice != once {
		t.Errorf("%q becomes %q", once, twice)
	}
	for _, secret := range []string{"hunter2", "adalove", mixed, "acme", "10.1.2.3"} {
		if strings.Contains(once, secret) {
			t.Errorf("%q is in %q", secret, once)
		}
	}
}

func TestMaskingTakesLinearTime(t *testing.T) {
	began := time.Now()
	for _, unit := range []string{"a", "-----BEGIN PRIVATE KEY ", "a:", "://a", "password=", "eyJ", "a@", "1.", "a.", "::", "--token ", "/home/", "bearer "} {
		begin := time.Now()
		New(Keep{}).Text(strings.Repeat(unit, 1<<18/len(unit)))
		t.Logf("%q: %v", unit, time.Since(begin))
	}
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("it took %v", d)
	}
}

func FuzzText(f *testing.F) {
	f.Add("password=\"x\" /home/a ://b@c 1.2.3.4 ::1")
	f.Fuzz(func(t *testing.T, text string) {
		m := New(Keep{})
		m.Text(text)
		Secrets(text)
	})
}
