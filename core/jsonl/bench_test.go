package jsonl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts as journals hold them, already escaped.
var texts = []struct{ name, text string }{
	{"prose", "The scanner reads the file once, front to back, and hands out only what it is asked for; everything else is passed over. "},
	{"source", `func main() {\n\tfor i, arg := range os.Args {\n\t\tfmt.Printf(\"%d: %s\\n\", i, arg)\n\t}\n\tos.Exit(0)\n}\n\n`},
	{"CJK", "走査器はファイルを一度だけ先頭から末尾まで読み、求められたものだけを渡す。それ以外は読み飛ばされる。"},
	{"Cyrillic", "Сканер читает файл один раз, от начала до конца, и отдаёт только то, о чём его спросили; остальное он пропускает. "},
	{"French", "L'analyseur lit le fichier une seule fois, du début à la fin, et ne donne que ce qui lui a été demandé; le reste est passé. "},
	{"emoji", "✅ done 🎉 all 12 tests passed 🚀 — ship it… 👩‍💻 "},
	{"escapes", `\u8d70\u67fb\u5668\u306f\u30d5\ud83d\ude00\u30a1\u30a4\u30eb`},
	{"base64", "iVBORw0KGgoAAAANSUhEUgAAA+gAAAPoCAYAAABNo9TkAAAAAXNSR0IArs4c6QAA"},
}

func benchmark(b *testing.B, input []byte, read func(*Scanner)) {
	b.Helper()
	r := bytes.NewReader(nil)
	s := NewScanner(r, 0)
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(input)
		s.Reset(r)
		for s.Next() {
			read(s)
			if s.Finish() != nil {
				b.Fatal(s.Finish())
			}
		}
	}
}

// lines repeats a line to about 1 MB.
func lines(line string) []byte {
	return bytes.Repeat([]byte(line+"\n"), 1+1000000/len(line))
}

func BenchmarkText(b *testing.B) {
	for _, c := range texts {
		input := lines(`"` + strings.Repeat(c.text, 4000/len(c.text)) + `"`)
		b.Run(c.name, func(b *testing.B) { benchmark(b, input, func(s *Scanner) { s.Text() }) })
	}
}

func BenchmarkSkip(b *testing.B) {
	for _, c := range texts[:3] {
		input := lines(`"` + strings.Repeat(c.text, 4000/len(c.text)) + `"`)
		b.Run(c.name, func(b *testing.B) { benchmark(b, input, (*Scanner).Skip) })
	}
	b.Run("line", func(b *testing.B) { benchmark(b, lines(claudeLine), (*Scanner).Skip) })
	b.Run("numbers", func(b *testing.B) { benchmark(b, lines("["+strings.Repeat("12,345,0.5,", 300)+"1]"), (*Scanner).Skip) })
}

func BenchmarkJSONUnits(b *testing.B) {
	benchmark(b, lines(claudeLine), func(s *Scanner) { s.JSONUnits() })
}

// claudeLine has the shape of a tool result in a Claude Code journal: about half of it is in toolUseResult.
var claudeLine = `{"parentUuid":"0b9c1e2f-5a77-4f0e-9d6a-6f6d1f1f2a11","isSidechain":false,"userType":"external",` +
	`"cwd":"/w/project","sessionId":"7c1a9a52-58a4-4c7a-8f52-7a2f5d3c9e10","version":"2.1.49","gitBranch":"main",` +
	`"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_01FZbT9jB1kq5Qy3mXo7Ld2u","type":"tool_result",` +
	`"content":"` + strings.Repeat(texts[1].text, 12) + `"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":1200,` +
	`"cache_read_input_tokens":18000,"output_tokens":212,"service_tier":"standard"}},` +
	`"uuid":"c2e0a6f4-0d8e-4b7b-9a3e-1d2c3b4a5f60","timestamp":"2026-02-01T10:00:03.000Z","toolUseResult":{"type":"text","file":` +
	`{"filePath":"/w/project/main.go","content":"` + strings.Repeat(texts[1].text, 12) + `","numLines":70,"startLine":1,"totalLines":70}}}`

// readClaudeLine takes what an adapter takes and skips toolUseResult.
func readClaudeLine(s *Scanner) {
	if !s.Object() {
		return
	}
	for k := s.Key(); k != nil; k = s.Key() {
		switch string(k) {
		case "type", "uuid", "parentUuid", "sessionId", "timestamp":
			s.Str(64)
		case "message":
			if s.Object() {
				for k := s.Key(); k != nil; k = s.Key() {
					switch string(k) {
					case "content":
						readContent(s)
					case "usage":
						readUsage(s)
					}
				}
			}
		}
	}
}

func readContent(s *Scanner) {
	if !s.Array() {
		s.Text()
		return
	}
	for s.Elem() {
		if s.Object() {
			for k := s.Key(); k != nil; k = s.Key() {
				switch string(k) {
				case "type", "id", "tool_use_id":
					s.Str(64)
				case "text", "thinking", "content":
					s.Text()
				case "input":
					s.JSONUnits()
				}
			}
		}
	}
}

func readUsage(s *Scanner) {
	if s.Object() {
		for k := s.Key(); k != nil; k = s.Key() {
			switch string(k) {
			case "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens":
				s.Int()
			}
		}
	}
}

func BenchmarkLine(b *testing.B) {
	benchmark(b, lines(claudeLine), readClaudeLine)
}

// BenchmarkShortLine has no long text: nothing but keys, ids and numbers.
func BenchmarkShortLine(b *testing.B) {
	line := strings.ReplaceAll(claudeLine, strings.Repeat(texts[1].text, 12), "ok")
	benchmark(b, lines(line), readClaudeLine)
}

// BenchmarkCorpus reads real journals, if they are there.
func BenchmarkCorpus(b *testing.B) {
	var input []byte
	names, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpus", "claude", "entire-*.jsonl"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		input = append(append(input, text...), '\n')
	}
	if len(input) > 0 {
		b.Run(fmt.Sprintf("%dfiles", len(names)), func(b *testing.B) { benchmark(b, input, readClaudeLine) })
	}
}
