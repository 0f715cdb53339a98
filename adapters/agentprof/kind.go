package agentprof

import "strings"

// kind says what a slice is, as far as it matters for the context.
type kind uint8

// The kinds of slice.
const (
	noKind kind = iota
	known       // and of no matter here
	response
	request
	compactionResponse
	tool
	script
	compaction
	prompt
	configuration
)

var kinds = map[string]kind{
	"assistant-message": response, "provider-request": request, "compaction-response": compactionResponse,
	"tool-execution": tool, "script": script, "compaction": compaction, "prompt": prompt, "configuration": configuration,
	"capture": known, "turn": known, "tool-dispatch": known, "child-operation": known, "model-call": known, "startup": known,
	"context": known,
}

// kind is the kind of a slice: as it says itself, else as older recorders named things.
func (rec *recording) kind(i int32) kind {
	s := rec.trace.Slices.At(int(i))
	name := rec.in.Strings.Get(s.Name)
	if said := rec.text(i, kindKey); said != 0 {
		if k, ok := kinds[rec.in.Strings.Get(said)]; ok {
			return k
		}
		return known
	}
	track := rec.in.Strings.Get(rec.trace.Tracks[s.Track].Name)
	switch area := rec.in.Strings.Get(s.Category); {
	case name == "prompt":
		return prompt
	case name == "run-configuration":
		return configuration
	case area == "pi.agent" && name == "turn":
		return known
	case area == "pi.llm" && (name == "request" || name == "provider-request"):
		return request
	case area == "pi.llm" && (name == "response" || strings.HasPrefix(name, "assistant ttft=")):
		return response
	case area == "pi.tools" && name == "codemode":
		return script
	case area == "pi.tools" && (track == "Tools" || track == "tools" || strings.HasPrefix(track, "tools.lane.")):
		return tool
	}
	return noKind
}

// incomplete tells what was not there to its end.
func (rec *recording) incomplete(i int32) bool {
	return rec.trace.Slices.At(int(i)).State == 0 || rec.is(i, incompleteKey, true)
}
