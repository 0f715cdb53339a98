package models

import (
	_ "embed"
	"strconv"
	"strings"

	"contextscope/core/table"
)

//go:embed prices.tsv
var pricesTSV string

// Price is a row of the table of prices: US dollars per million tokens, Unlisted where the maker lists none.
type Price struct {
	Prefix     string
	Above      int64 // it holds for prompts of more tokens than this
	Input      float64
	Output     float64
	CacheRead  float64
	CacheWrite float64
	Date       string
	Source     string
}

// Unlisted stands for a price that is not in the table.
const Unlisted float64 = -1

var prices = parsePrices(pricesTSV)

// PriceOf is the price of a model for a prompt of so many tokens; ok is false for a model that the table does not have.
// There is no price for models in general: what is unknown is not priced.
func PriceOf(model string, prompt int64) (p Price, ok bool) {
	name, _ := plainName(model)
	for _, r := range prices {
		longer := len(r.Prefix) > len(p.Prefix) || len(r.Prefix) == len(p.Prefix) && r.Above >= p.Above
		if longer && (r.Above == 0 || prompt > r.Above) && continues(name, r.Prefix) {
			p = r
		}
	}
	return p, p.Prefix != "" && p.Input > 0
}

// Provider is who bills for a model as far as its name tells, "" where it does not.
func Provider(model string) string {
	name, via := plainName(model)
	switch {
	case via != "":
		return via
	case strings.HasPrefix(name, "amazon."):
		return "Amazon Bedrock"
	case strings.HasPrefix(name, "claude-"):
		return "Anthropic"
	case strings.HasPrefix(name, "gpt-"), len(name) > 1 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9':
		return "OpenAI"
	case strings.HasPrefix(name, "gemini-"):
		return "Google"
	}
	return ""
}

// What stands before the name of a model: the way to it, the region, the maker.
var (
	routes  = []string{"openrouter/", "aws/", "bedrock/", "vertex_ai/", "azure/", "openai/", "anthropic/", "google/", "models/"}
	regions = []string{"us.", "eu.", "apac.", "jp.", "au.", "ca.", "global.", "us-gov."}
	makers  = []string{"anthropic.", "openai."}
)

// plainName cuts what stands before the name of a model, and tells who bills for it where that is not its maker.
func plainName(model string) (name, via string) {
	name = strings.ToLower(strings.TrimSpace(model))
	for _, p := range routes {
		rest, cut := strings.CutPrefix(name, p)
		if name = rest; cut && p == "bedrock/" {
			via = "Amazon Bedrock"
		}
	}
	for _, p := range append(regions[:len(regions):len(regions)], makers...) {
		rest, cut := strings.CutPrefix(name, p)
		if name = rest; cut {
			via = "Amazon Bedrock"
		}
	}
	if strings.HasPrefix(name, "claude-") {
		name = strings.ReplaceAll(name, ".", "-")
	}
	return name, via
}

// continues reports whether a name is the prefix, or goes on behind it with something other than another version.
func continues(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	switch {
	case !ok:
		return false
	case rest == "":
		return true
	case rest[0] != '-':
		return rest[0] == ':' || rest[0] == '@' || rest[0] == '['
	}
	digits := 0
	for digits+1 < len(rest) && rest[digits+1] >= '0' && rest[digits+1] <= '9' {
		digits++
	}
	return digits == 0 || digits > 2
}

func parsePrices(tsv string) []Price {
	var out []Price
	for _, f := range table.Rows("prices.tsv", tsv, 8) {
		p := Price{Prefix: f[0], Input: dollars(f[2]), Output: dollars(f[3]), CacheRead: dollars(f[4]), CacheWrite: dollars(f[5]),
			Date: f[6], Source: f[7]}
		if f[1] != "" {
			p.Above = number(f[1])
		}
		out = append(out, p)
	}
	return out
}

func dollars(s string) float64 {
	if s == "" {
		return Unlisted
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic("models: " + err.Error())
	}
	return f
}
