//go:build js && wasm

package session

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"contextscope/adapters"
	"contextscope/core/analysis"
	"contextscope/core/wire"
	"contextscope/wasm/dom"
)

// How long the worker warms up, and how long it rests in between, so that what the engine compiles meanwhile is used.
const (
	warmFor  = 800 * time.Millisecond
	warmRest = 2 * time.Millisecond
)

// warm analyses invented journals while nobody waits for anything. A browser runs WebAssembly in a quick form first and
// compiles for speed only what has run for a while: without this a person's first file of 100 MB took twice as long as
// the second. The first job ends it.
func (w *worker) warm() {
	dom.Guard(func(*dom.Panic) {}, func() {
		journals := [][]byte{inventedClaude(), inventedCodex()}
		begun := time.Now()
		for i := 0; len(w.opens) == 0 && time.Since(begun) < warmFor; i++ {
			library := adapters.NewLibrary()
			_ = library.Read(adapters.Input{Size: -1}, bytes.NewReader(journals[i%len(journals)]))
			a := library.Settle()
			options := analysis.Options{}
			a.List(options)
			wire.Append(nil, a.Series(0, options))
			for k := range warmReviews { // another threshold each time, so that nothing is taken from before
				options.Threshold = 0.3 + float64(k)/100
				wire.Append(nil, a.Review(0, analysis.ReviewFilter{Boundary: 0, Limit: 12}, options))
			}
			time.Sleep(warmRest)
		}
	})
}

// inventedText is escaped JSON text of about n bytes, as source code and prose have it.
func inventedText(n int) string {
	return strings.Repeat(`\tif err := load(\"config.json\"); err != nil {\n\t\treturn err // the file isn’t there\n`, n/90+1)
}

const (
	warmRequests = 40
	warmReviews  = 4
)

// inventedProse is what people and models say: orders, decisions, files, and sentences that are none of it.
func inventedProse(from, sentences int) string {
	var b strings.Builder
	for i := range sentences {
		fmt.Fprintf(&b, `Part %d goes on with what was there before it. Never write to config%d.yaml, please. I decided on table %d instead of a switch. `+
			`The handler in src/part%d.go was read and edited.\n`, from+i, from+i, from+i, from+i)
	}
	return b.String()
}

// inventedClaude is a session in the shape of Claude Code that is compacted half way.
func inventedClaude() []byte {
	var b bytes.Buffer
	n := 0
	line := func(kind, rest string) {
		n++
		fmt.Fprintf(&b, `{"parentUuid":"a%011d","isSidechain":false,"userType":"external","cwd":"/p","sessionId":"warm",`+
			`"version":"2.1.0","gitBranch":"main","type":"%s",%s,"uuid":"a%011d","timestamp":"2026-01-01T00:%02d:%02d.000Z"}`+"\n",
			n-1, kind, rest, n, n/60%60, n%60)
	}
	for i := range warmRequests {
		switch {
		case i == warmRequests/2:
			line("system", `"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":90000}`)
			line("user", `"isCompactSummary":true,"message":{"role":"user","content":"This session is being continued. `+inventedProse(0, 30)+`"}`)
		case i%4 == 0:
			line("user", `"message":{"role":"user","content":"`+inventedProse(i, 3)+`"}`)
		}
		message := fmt.Sprintf(`"message":{"model":"claude-opus-4-6","id":"m%d","type":"message","role":"assistant","content":[%%s],`+
			`"stop_reason":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":900,"cache_read_input_tokens":%d,`+
			`"output_tokens":9,"service_tier":"standard"}},"requestId":"r%d"`, i, 20000+i%(warmRequests/2)*3000, i)
		line("assistant", fmt.Sprintf(message, `{"type":"thinking","thinking":"`+inventedText(600)+`","signature":"`+
			strings.Repeat("Qk9G", 100)+`"}`))
		line("assistant", fmt.Sprintf(message, `{"type":"text","text":"`+inventedProse(i, 1+i%2)+`"}`))
		line("assistant", fmt.Sprintf(message, fmt.Sprintf(
			`{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/p/src/part%d.go"}}`, i, i)))
		text := inventedText(3000)
		line("user", fmt.Sprintf(`"message":{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result",`+
			`"content":"%s"}]},"toolUseResult":{"type":"text","file":{"filePath":"/p","content":"%s"}}`, i, text, text))
	}
	return b.Bytes()
}

// inventedCodex is a session in the shape of Codex.
func inventedCodex() []byte {
	var b bytes.Buffer
	n := 0
	line := func(kind, payload string) {
		n++
		fmt.Fprintf(&b, `{"timestamp":"2026-01-01T00:%02d:%02d.000Z","type":"%s","payload":{%s}}`+"\n", n/60%60, n%60, kind, payload)
	}
	line("session_meta", `"id":"warm","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p","originator":"codex","cli_version":"0.140.0",`+
		`"base_instructions":{"text":"`+inventedText(4000)+`"}`)
	line("turn_context", `"cwd":"/p","model":"gpt-5.5"`)
	for i := range warmRequests {
		line("response_item", `"type":"reasoning","summary":[],"encrypted_content":"`+strings.Repeat("QUJD", 200)+`"`)
		line("response_item", fmt.Sprintf(`"type":"function_call","name":"shell","arguments":"{\"command\":\"cat file%d\"}","call_id":"c%d"`, i, i))
		line("event_msg", fmt.Sprintf(`"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"output_tokens":9},`+
			`"last_token_usage":{"input_tokens":%d,"cached_input_tokens":900,"output_tokens":9},"model_context_window":258400}`,
			20000*(i+1), 20000+i*800))
		line("response_item", fmt.Sprintf(`"type":"function_call_output","call_id":"c%d","output":"%s"`, i, inventedText(3000)))
	}
	return b.Bytes()
}
