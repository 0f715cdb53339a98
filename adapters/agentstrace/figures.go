package agentstrace

import (
	"bytes"
	"strconv"

	"contextscope/core/journal"
	"contextscope/core/jsonl"
)

// The places where data may have token counts, in the order in which they are asked.
const (
	inData = iota
	inUsage
	inUsageMetadata
	inUsageMetadataCamel
	inTokenUsage
	inResponseMetadata
	numPlaces
)

var placeNames = map[string]int{
	"usage": inUsage, "usage_metadata": inUsageMetadata, "usageMetadata": inUsageMetadataCamel, "token_usage": inTokenUsage,
}

// figures are the token counts of one place, -1 where there is none.
type figures struct {
	prompt   [5]int64 // by spelling, see promptNames
	creation int64    // Anthropic: beside the prompt figure
	read     int64
	write    int64 // Bedrock: beside the prompt figure
	readBed  int64
	cached   int64 // cached_input_tokens: a part of the prompt figure, for most
	part     int64 // a part of the prompt figure
	output   int64
}

// promptNames are the spellings of the prompt figure, in the order in which they are asked.
var promptNames = [...]string{"input_tokens", "prompt_tokens", "inputTokens", "promptTokenCount", "prompt_token_count"}

const openAI = 1 // index of the spelling that counts what was cached already

func (f *figures) clear() {
	*f = figures{prompt: [5]int64{-1, -1, -1, -1, -1}, creation: -1, read: -1, write: -1, readBed: -1, cached: -1, part: -1, output: -1}
}

// countField reads a member of data that holds token counts.
func (d *decoder) countField(k []byte) bool {
	if i, ok := placeNames[string(k)]; ok {
		d.readFigures(i)
		return true
	}
	if string(k) != "response_metadata" {
		return d.figure(&d.line.figures[inData], k)
	}
	if !d.s.Object() {
		d.s.Skip()
		return true
	}
	for k := d.s.Key(); k != nil; k = d.s.Key() {
		if string(k) == "token_usage" {
			d.readFigures(inResponseMetadata)
		} else {
			d.s.Skip()
		}
	}
	return true
}

func (d *decoder) readFigures(place int) {
	if !d.s.Object() {
		d.s.Skip()
		return
	}
	for k := d.s.Key(); k != nil; k = d.s.Key() {
		if !d.figure(&d.line.figures[place], k) {
			d.s.Skip()
		}
	}
}

// figure reads one token count; reports whether the member is one.
func (d *decoder) figure(f *figures, k []byte) bool {
	to := f.member(k)
	if to != nil {
		if n := d.number(); n >= 0 {
			*to = n
		}
		return true
	}
	switch string(k) {
	case "prompt_tokens_details", "input_tokens_details", "input_token_details":
	default:
		return false
	}
	if !d.s.Object() {
		d.s.Skip()
		return true
	}
	for k := d.s.Key(); k != nil; k = d.s.Key() {
		if string(k) != "cached_tokens" && string(k) != "cache_read" {
			d.s.Skip()
		} else if n := d.number(); n >= 0 {
			f.part = n
		}
	}
	return true
}

// member is where the count of that name is kept, nil for anything else.
func (f *figures) member(k []byte) *int64 {
	for i, name := range promptNames {
		if string(k) == name {
			return &f.prompt[i]
		}
	}
	switch string(k) {
	case "cache_creation_input_tokens":
		return &f.creation
	case "cache_read_input_tokens":
		return &f.read
	case "cacheWriteInputTokens":
		return &f.write
	case "cacheReadInputTokens":
		return &f.readBed
	case "cached_input_tokens":
		return &f.cached
	case "cachedContentTokenCount", "cached_content_token_count", "cachedInputTokens":
		return &f.part
	case "output_tokens", "completion_tokens", "outputTokens", "candidatesTokenCount", "candidates_token_count":
		return &f.output
	}
	return nil
}

// number reads a count: a number or a text that is one, cut to an integer. -1 for anything else.
func (d *decoder) number() int64 {
	var v float64
	switch d.s.Kind() {
	case jsonl.Number:
		n, ok := d.s.Float()
		if !ok {
			return -1
		}
		v = n
	case jsonl.String:
		head, t := d.s.Str(40)
		head = bytes.TrimSpace(head)
		if t.Bytes > 40 || len(bytes.Trim(head, "0123456789.eE+-")) > 0 {
			return -1
		}
		n, err := strconv.ParseFloat(string(head), 64)
		if err != nil {
			return -1
		}
		v = n
	default:
		d.s.Skip()
		return -1
	}
	if v < 0 || v >= 1<<31 {
		return -1
	}
	return int64(v)
}

// usage takes the figures of the first place that has any. inDoubt are cached tokens of which only the provider tells
// whether they are a part of the prompt figure or stand beside it.
func (l *line) usage() (u journal.Usage, inDoubt int64) {
	u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Total, u.Window = -1, -1, -1, -1, -1, -1
	for i := range l.figures {
		f := &l.figures[i]
		input, doubt := f.input()
		if input <= 0 {
			continue
		}
		u.Input, u.Output = journal.Tokens(input), journal.Tokens(f.output)
		u.CacheRead = journal.Tokens(max(f.read, f.readBed, f.cached, f.part))
		u.CacheWrite = journal.Tokens(max(f.creation, f.write))
		u.Totals = mix(mix(uint64(input), uint64(f.creation+f.write)), uint64(u.CacheRead))
		return u, doubt
	}
	return u, 0
}

// input is the whole prompt, cached parts included once.
func (f *figures) input() (n, inDoubt int64) {
	spelling := 0
	for i, v := range f.prompt {
		if v > 0 {
			n, spelling = v, i
			break
		}
	}
	beside := max(0, f.creation) + max(0, f.read)
	if spelling == openAI && beside <= n {
		beside = 0 // gateways that speak OpenAI's language name Anthropic's parts of a figure that has them already
	}
	beside += max(0, f.write) + max(0, f.readBed)
	switch cached := max(0, f.cached); {
	case cached > n: // no part of it, then
		beside += cached
	case spelling != openAI:
		inDoubt = cached
	}
	return n + beside, inDoubt
}

// mix folds a number into a hash.
func mix(h, n uint64) uint64 {
	h = (h ^ n*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	return h ^ h>>32
}
