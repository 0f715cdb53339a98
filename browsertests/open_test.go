package browsertests

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// everywhere runs a test against the site and against the one file on disk.
func everywhere(t *testing.T, f func(t *testing.T, address string)) {
	t.Run("served", func(t *testing.T) { f(t, newSite(t).home()) })
	t.Run("from disk", func(t *testing.T) { f(t, oneFile()) })
}

func TestTheInputOpensFiles(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) {
		p := newTab(t)
		p.open(address)
		first := claudeSession(t, "first.jsonl")
		p.choose(first)
		p.state("done", 1)
		info, err := os.Stat(first)
		if err != nil {
			t.Fatal(err)
		}
		doc := p.analysis()
		if doc.Schema != "contextscope.analysis/1" || len(doc.Inputs) != 1 || len(doc.Sessions) != 1 {
			t.Fatalf("got %+v", doc)
		}
		if in := doc.Inputs[0]; in.Name != "first.jsonl" || in.Bytes != info.Size() || in.Format != "claude-code" {
			t.Errorf("the input is %+v, the file has %d bytes", in, info.Size())
		}
		if s := doc.Sessions[0]; s.Harness != "claude-code" || len(s.Requests) != 12 {
			t.Errorf("a session of %s with %d requests", s.Harness, len(s.Requests))
		}

		second := write(t, "second.jsonl", claudeLines("99999999-2222-4333-8444-555555555555", "Another one", 3)...)
		p.choose(second)
		p.state("done", 2)
		if doc := p.analysis(); len(doc.Inputs) != 2 || len(doc.Sessions) != 2 {
			t.Errorf("opening adds: %d inputs, %d sessions", len(doc.Inputs), len(doc.Sessions))
		}
		p.calm()
	})
}

func TestAFileChosenWhileLoadingIsOpened(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	path := claudeSession(t, "early.jsonl")
	p.do(chromedp.Navigate(site.home()))
	p.choose(path)
	p.state("done", 1)
}

func TestADropOpensFilesAndFolders(t *testing.T) {
	everywhere(t, func(t *testing.T, address string) { dropsAreOpened(newTab(t), t, address) })
	t.Run("in a browser without handles", func(t *testing.T) {
		p := newTab(t, "delete DataTransferItem.prototype.getAsFileSystemHandle")
		dropsAreOpened(p, t, newSite(t).home())
	})
}

func dropsAreOpened(p *tab, t *testing.T, address string) {
	p.open(address)
	p.drop(claudeSession(t, "dropped.jsonl"))
	p.state("done", 1)
	if doc := p.analysis(); len(doc.Inputs) != 1 || doc.Inputs[0].Name != "dropped.jsonl" {
		t.Fatalf("got %+v", doc.Inputs)
	}

	folder := t.TempDir()
	for _, name := range []string{"a/one.jsonl", "a/deep/two.jsonl", "a/package.json", "node_modules/x/three.jsonl"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		lines := claudeLines(name, "In a folder", 2)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.drop(folder)
	p.state("done", 2)
	if doc := p.analysis(); len(doc.Inputs) != 3 {
		t.Errorf("the folder holds two journals that are worth opening: %+v", doc.Inputs)
	}

	empty := t.TempDir()
	if err := os.WriteFile(filepath.Join(empty, "notes.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.drop(empty)
	p.state("error", 2)
	if said := p.text("body"); !strings.Contains(said, "Nothing to open in "+filepath.Base(empty)) {
		t.Errorf("the page says:\n%s", said)
	}
	p.calm()
}

func TestTheDropOverlayNeverSticks(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	files := []string{claudeSession(t, "x.jsonl")}
	calm := `document.body.innerText === ` + quoted(p.text("body"))

	p.drag(files, input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver)
	p.until(`!(` + calm + `)`)
	p.do(chromedp.KeyEvent(kb.Escape))
	p.until(calm)

	// An element that goes away while files hover over it never tells that they have left it.
	eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.items.add(new File(["x"], "x.jsonl"));
		window.drag = (target, type) => target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true }));
		const gone = document.body.appendChild(document.createElement("p"));
		drag(document.body, "dragenter");
		drag(gone, "dragenter");
		return gone.remove(), true;
	})()`)
	p.until(`!(` + calm + `)`)
	eval[bool](p, `drag(document.body, "dragleave")`)
	p.until(calm)
}

func TestADragOfTextIsNotOurs(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	calm := p.text("body")
	ours := eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "words");
		const event = (type) => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
		return ["dragenter", "drop"].map((type) => document.body.dispatchEvent(event(type))).includes(false);
	})()`)
	if ours {
		t.Error("the page took a drag of text")
	}
	time.Sleep(100 * time.Millisecond)
	if now := p.text("body"); now != calm {
		t.Errorf("the page shows %q", now)
	}
}

func TestAPasteOpensText(t *testing.T) {
	site := newSite(t)
	p := newTab(t)
	p.open(site.home())
	text := strings.Join(claudeLines("33333333-2222-4333-8444-555555555555", "Pasted", 2), "\n")
	eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.setData("text/plain", `+quoted(text)+`);
		return document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`)
	p.state("done", 1)
	if doc := p.analysis(); len(doc.Inputs) != 1 || doc.Inputs[0].Name != "pasted text" {
		t.Errorf("got %+v", doc.Inputs)
	}
}
