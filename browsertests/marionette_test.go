package browsertests

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// firefox is a headless Firefox of its own profile, driven by Marionette, the protocol that it speaks by itself: messages of JSON
// with their length before them.
type firefox struct {
	testing.TB
	conn      net.Conn
	in        *bufio.Reader
	n         int
	downloads string
}

// startFirefox starts one. FIREFOX names the program.
func startFirefox(t testing.TB) *firefox {
	t.Helper()
	program := os.Getenv("FIREFOX")
	if program == "" {
		t.Fatal("FIREFOX does not name a Firefox; ./build.sh test installs one")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listener.Close()
	f := &firefox{TB: t, downloads: t.TempDir()}
	profile := t.TempDir()
	prefs := []string{
		fmt.Sprintf(`user_pref("marionette.port", %d);`, port),
		`user_pref("browser.download.folderList", 2);`,
		fmt.Sprintf(`user_pref("browser.download.dir", %q);`, f.downloads),
		`user_pref("browser.helperApps.neverAsk.saveToDisk", "text/markdown,text/plain,application/octet-stream");`,
		`user_pref("browser.shell.checkDefaultBrowser", false);`,
		`user_pref("datareporting.policy.dataSubmissionEnabled", false);`,
		`user_pref("app.update.enabled", false);`,
		`user_pref("browser.startup.homepage_override.mstone", "ignore");`,
	}
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(strings.Join(prefs, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-remote", "--marionette", "--profile", profile)
	cmd.Env = append(os.Environ(), "HOME="+profile, "MOZ_HEADLESS_WIDTH=1280", "MOZ_HEADLESS_HEIGHT=900")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		time.Sleep(200 * time.Millisecond) // its children let go of the profile
	})
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		if f.conn, err = net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("Firefox does not listen: ", err)
		}
	}
	t.Cleanup(func() { f.conn.Close() })
	f.in = bufio.NewReader(f.conn)
	f.message() // its greeting
	f.call("WebDriver:NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{"unhandledPromptBehavior": "ignore"}}})
	return f
}

func (f *firefox) message() []byte {
	f.Helper()
	f.conn.SetReadDeadline(time.Now().Add(2 * patience))
	length, err := f.in.ReadString(':')
	if err != nil {
		f.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		f.Fatal(err)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(f.in, b); err != nil {
		f.Fatal(err)
	}
	return b
}

// call asks for something and gives the answer.
func (f *firefox) call(command string, params map[string]any) json.RawMessage {
	f.Helper()
	f.n++
	b, _ := json.Marshal([]any{0, f.n, command, params})
	if _, err := fmt.Fprintf(f.conn, "%d:%s", len(b), b); err != nil {
		f.Fatal(err)
	}
	var answer []json.RawMessage
	if err := json.Unmarshal(f.message(), &answer); err != nil || len(answer) != 4 {
		f.Fatalf("%s: %v", command, err)
	}
	if string(answer[2]) != "null" {
		f.Fatalf("%s: %.600s", command, answer[2])
	}
	return answer[3]
}

func (f *firefox) open(address string) {
	f.Helper()
	f.call("WebDriver:Navigate", map[string]any{"url": address})
	f.until(`document.documentElement.dataset.state === "ready"`)
}

// evalIn evaluates an expression in the page; a promise is awaited.
func evalIn[T any](f *firefox, expression string) (value T) {
	f.Helper()
	answer := f.call("WebDriver:ExecuteAsyncScript", map[string]any{"sandbox": nil, "args": []any{}, "scriptTimeout": patience.Milliseconds(),
		"script": `const done = arguments[arguments.length - 1]; Promise.resolve().then(() => (` + expression + `)).then(done, (e) => done("failed: " + e))`})
	var wrapped struct{ Value T }
	if err := json.Unmarshal(answer, &wrapped); err != nil {
		f.Fatalf("%s: %.300s: %v", expression, answer, err)
	}
	return wrapped.Value
}

func (f *firefox) until(expression string) {
	f.Helper()
	for end := time.Now().Add(patience); !evalIn[bool](f, "!!("+expression+")"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.Fatalf("never came true in Firefox: %s\nthe page says:\n%s", expression, evalIn[string](f, "document.body.innerText"))
		}
	}
}

// element finds an element by a selector.
func (f *firefox) element(selector string) string {
	f.Helper()
	var wrapped struct{ Value map[string]string }
	if err := json.Unmarshal(f.call("WebDriver:FindElement", map[string]any{"using": "css selector", "value": selector}), &wrapped); err != nil {
		f.Fatal(err)
	}
	for _, id := range wrapped.Value {
		return id
	}
	f.Fatalf("there is no %s", selector)
	return ""
}

// choose puts a file into the file input.
func (f *firefox) choose(path string) {
	f.Helper()
	f.call("WebDriver:ElementSendKeys", map[string]any{"id": f.element("#open-files"), "text": path})
}

func (f *firefox) click(selector string) {
	f.Helper()
	f.call("WebDriver:ElementClick", map[string]any{"id": f.element(selector)})
}

// press presses keys one after the other where the focus is.
func (f *firefox) press(keys ...string) {
	f.Helper()
	var actions []map[string]any
	for _, k := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": k}, map[string]any{"type": "keyUp", "value": k})
	}
	f.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keyboard", "actions": actions}}})
}
