package browsertests

import (
	"os"
	"strings"
	"testing"
	"time"
)

// lateOpen holds back the message that hands files to the worker, so that a file can grow between being picked and
// being read, as the journal of a running session does.
const lateOpen = `
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
	if (message.kind !== "open" || window.inTime) return post.call(this, message, ...rest);
	window.held = true;
	setTimeout(() => post.call(this, message, ...rest), 500);
};
`

func grow(t *testing.T, path string, lines []string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		t.Fatal(err)
	}
}

// later makes sure that the file system's clock has moved on.
func later() { time.Sleep(50 * time.Millisecond) }

func TestADroppedFileThatGrowsIsTakenAgain(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t, lateOpen)
		p.open(address)
		all := claudeLines("55555555-2222-4333-8444-555555555555", "It grows", 12)
		path := write(t, "growing.jsonl", all[:9]...)
		later()
		p.drop(path)
		p.until("window.held")
		grow(t, path, all[9:])
		p.state("done", 1)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		doc := p.analysis()
		if len(doc.Inputs) != 1 || doc.Inputs[0].Bytes != info.Size() {
			t.Fatalf("read %+v of a file that has %d bytes now", doc.Inputs, info.Size())
		}
		p.calm()
	})
}

func TestAChosenFileThatGrowsIsNamed(t *testing.T) {
	site := newSite(t)
	p := newTab(t, lateOpen)
	p.open(site.home())
	all := claudeLines("66666666-2222-4333-8444-555555555555", "It grows", 12)
	path := write(t, "chosen.jsonl", all[:9]...)
	later()
	p.choose(path)
	p.until("window.held")
	grow(t, path, all[9:])
	p.state("error", 1)
	said := p.text("body")
	if !strings.Contains(said, "chosen.jsonl has grown since it was picked") {
		t.Errorf("the page says:\n%s", said)
	}
	// Picked again, it is read.
	eval[bool](p, "window.inTime = true")
	p.choose(path)
	p.state("done", 2)
	p.calm()
}
