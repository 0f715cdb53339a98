package browsertests

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
)

// writeClaude writes a transcript in the shape of Claude Code of about so many bytes: lines of a response that share its
// id, results with the interface's own copy of them, progress, now and then an image and a compaction. Text is made of
// words and code with the escapes that real text has. The same size and number give the same bytes.
func writeClaude(w io.Writer, size int64, number int) (lines int, err error) {
	return writeClaudeCut(w, size, number, 0)
}

// writeClaudeCut is writeClaude with so many compactions, and with orders and decisions in what is said; 0 leaves them to the growth
// of the context.
func writeClaudeCut(w io.Writer, size int64, number, cuts int) (lines int, err error) {
	g := &generator{
		w: bufio.NewWriterSize(w, 1<<20), rnd: rand.New(rand.NewPCG(uint64(7+number), uint64(size))),
		session: sessionID(number), at: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(number) * time.Minute),
	}
	if g.cuts = cuts; cuts > 0 {
		g.growth = float64(cuts) * 122_000 / float64(size) // from 44,000 to 166,000 each time
	}
	g.prologue()
	for g.bytes < size {
		g.turn()
	}
	return g.lines, g.w.Flush()
}

// sessionID is the id of a generated session.
func sessionID(number int) string { return fmt.Sprintf("5b8f1c9e-0000-4000-8000-%012x", 0xbeef+number) }

type generator struct {
	session  string
	w        *bufio.Writer
	rnd      *rand.Rand
	at       time.Time
	bytes    int64
	lines    int
	ids      int
	parent   string
	context  int // tokens in the context
	cuts     int
	before   int64
	growth   float64 // of the context with each byte, where the number of compactions is given
	requests int
}

var words = strings.Fields("the a request limiter token bucket window must not restart state file handler test returns error when " +
	"context value key store redis gateway middleware retry after header client server config flag default before write read lock " +
	"mutex channel goroutine deadline timeout parse format line column index slice map struct field method interface package import")

// rare are invented words: half of what is written is none of the commonest words.
var rare = func() (list []string) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		word := ""
		for range 2 + rnd.IntN(3) {
			word += string("bdfglmnprstv"[rnd.IntN(12)]) + string("aeiou"[rnd.IntN(5)])
		}
		list = append(list, word)
	}
	return list
}()

func (g *generator) prose(n int) string {
	var b strings.Builder
	for b.Len() < n {
		if g.cuts > 0 && g.rnd.IntN(2) == 0 {
			b.WriteString(rare[g.rnd.IntN(len(rare))])
		} else {
			b.WriteString(words[g.rnd.IntN(len(words))])
		}
		switch g.rnd.IntN(14) {
		case 0:
			b.WriteString(`. `)
		case 1:
			b.WriteString(`,\n`)
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// code is escaped JSON text: tabs, newlines and quotes as source has them.
func (g *generator) code(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, `%6d→`, i)
		for range g.rnd.IntN(3) {
			b.WriteString(`\t`)
		}
		for range 3 + g.rnd.IntN(7) {
			b.WriteString(words[g.rnd.IntN(len(words))])
			b.WriteString([]string{" ", ".", "(", ") ", " := ", ", "}[g.rnd.IntN(6)])
		}
		if g.rnd.IntN(4) == 0 {
			b.WriteString(`\"` + words[g.rnd.IntN(len(words))] + `\"`)
		}
		b.WriteString(`\n`)
	}
	return b.String()
}

func (g *generator) uuid() string {
	g.ids++
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", g.rnd.Uint32(), g.rnd.IntN(1<<16), g.rnd.IntN(1<<12), g.rnd.IntN(1<<12), g.ids)
}

// line writes one line of the chain.
func (g *generator) line(kind, rest string) {
	id := g.uuid()
	parent := "null"
	if g.parent != "" {
		parent = `"` + g.parent + `"`
	}
	g.at = g.at.Add(time.Duration(200+g.rnd.IntN(2500)) * time.Millisecond)
	n, _ := fmt.Fprintf(g.w, `{"parentUuid":%s,"isSidechain":false,"userType":"external","cwd":"/home/dev/gateway","sessionId":"%s","version":"2.1.49","gitBranch":"main","slug":"quiet-river","type":"%s",%s,"uuid":"%s","timestamp":"%s"}`+"\n",
		parent, g.session, kind, rest, id, g.at.Format("2006-01-02T15:04:05.000Z"))
	g.parent = id
	g.bytes += int64(n)
	g.lines++
}

func (g *generator) prologue() {
	g.line("user", `"message":{"role":"user","content":"Make the rate limiter survive a restart. Never drop a request without a test."}`)
	g.context = 18000
}

// turn is one request: its response in two or three lines, and the result of its call.
func (g *generator) turn() {
	g.requests++
	if g.context > 165000 {
		g.compact()
	}
	msg, req, call := fmt.Sprintf("msg_01%022x", g.requests), fmt.Sprintf("req_01%022x", g.requests), fmt.Sprintf("toolu_01%020x", g.requests)
	usage := fmt.Sprintf(`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":%%d,"service_tier":"standard"}`,
		3, 900, g.context-903)
	part := func(content string, out int) {
		g.line("assistant", fmt.Sprintf(`"message":{"model":"claude-opus-4-6","id":"%s","type":"message","role":"assistant","content":[%s],"stop_reason":null,"stop_sequence":null,`+usage+`},"requestId":"%s"`, msg, content, out, req))
	}
	if g.rnd.IntN(3) > 0 {
		part(fmt.Sprintf(`{"type":"thinking","thinking":"%s","signature":"%s"}`, g.prose(200+g.rnd.IntN(1500)), strings.Repeat("Qk9GR0VS", 40+g.rnd.IntN(80))), 2)
	}
	if g.rnd.IntN(3) == 0 {
		text := g.prose(80 + g.rnd.IntN(600))
		if g.cuts > 0 && g.requests%30 == 0 {
			text = fmt.Sprintf("I decided on a table instead of a switch for part %d. ", g.requests) + text
		}
		part(fmt.Sprintf(`{"type":"text","text":"%s"}`, text), 20)
	}
	name, input := "Read", fmt.Sprintf(`{"file_path":"/home/dev/gateway/internal/limit/file%d.go"}`, g.rnd.IntN(60))
	switch g.rnd.IntN(4) {
	case 0:
		name, input = "Bash", `{"command":"go test ./... -run Limiter","description":"Run the limiter tests"}`
	case 1:
		name, input = "Edit", fmt.Sprintf(`{"file_path":"/home/dev/gateway/internal/limit/file%d.go","old_string":"%s","new_string":"%s"}`, g.rnd.IntN(60), g.code(300), g.code(500))
	}
	part(fmt.Sprintf(`{"type":"tool_use","id":"%s","name":"%s","input":%s}`, call, name, input), 60+g.rnd.IntN(300))
	for range g.rnd.IntN(3) {
		g.line("progress", fmt.Sprintf(`"data":{"type":"bash_progress","output":"%s","elapsedTimeSeconds":3},"toolUseID":"%s","parentToolUseID":"%s"`, g.prose(120), call, call))
	}
	body := g.code(400 + g.rnd.IntN(2800)*(1+g.rnd.IntN(3)))
	content := `"` + body + `"`
	if g.requests%400 == 0 {
		content = `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + strings.Repeat("iVBORw0KGgoAAAANSUhEUg", 12000) + `"}}]`
	}
	g.line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"%s","type":"tool_result","content":%s,"is_error":false}]},"toolUseResult":{"type":"text","file":{"filePath":"/home/dev/gateway/x.go","content":"%s","numLines":80,"startLine":1,"totalLines":80}},"sourceToolAssistantUUID":"%s"`, call, content, body, g.parent))
	if g.rnd.IntN(20) == 0 {
		text := g.prose(60 + g.rnd.IntN(300))
		if g.cuts > 0 {
			text = fmt.Sprintf("Never log part %d. ", g.requests) + text
		}
		g.line("user", fmt.Sprintf(`"message":{"role":"user","content":"%s"}`, text))
	}
	if g.cuts > 0 {
		g.context += int(float64(g.bytes-g.before) * g.growth)
		g.before = g.bytes
		return
	}
	g.context += 300 + len(body)/3
}

func (g *generator) compact() {
	g.parent = ""
	g.line("system", fmt.Sprintf(`"subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"auto","preTokens":%d}`, g.context+1200))
	g.line("user", fmt.Sprintf(`"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued from a previous conversation. %s"}`, g.prose(9000)))
	g.context = 44000
}
