package models

import (
	"fmt"
	"strings"
	"testing"
)

func TestAModelIsPricedByItsName(t *testing.T) {
	for name, want := range map[string]float64{
		"claude-opus-4-6": 5, "claude-opus-4-6[1m]": 5, "claude-opus-4-5-20251101": 5, "claude-opus-4.8": 5, "CLAUDE-OPUS-5 ": 5,
		"claude-opus-4-20250514": 15, "claude-opus-4-1-20250805": 15, "claude-opus-5-5": 4,
		"claude-sonnet-4": 3, "claude-sonnet-4-5-20250929": 3, "claude-sonnet-4@20250514": 3, "claude-3-5-haiku-20241022": 0.8,
		"us.anthropic.claude-opus-4-6-v1:0": 5, "global.anthropic.claude-haiku-4-5-20251001-v1:0": 1, "anthropic.claude-3-haiku-20240307-v1:0": 0.25,
		"anthropic/claude-opus-4-6": 5, "bedrock/us.anthropic.claude-sonnet-4-6": 3, "aws/bedrock/us.amazon.nova-pro-v1:0": 0.8,
		"gpt-4o": 2.5, "gpt-4o-2024-08-06": 2.5, "gpt-4o-mini": 0.15, "gpt-4.1-nano": 0.1, "openai/o3": 2, "o3-mini": 1.1,
		"gpt-5-codex": 1.25, "gpt-5.2-codex": 1.75, "gpt-5.5": 5, "gpt-5-mini-2025-08-07": 0.25,
		"models/gemini-2.5-flash": 0.3, "google/gemini-2.5-flash-lite-preview-09-2025": 0.1,
	} {
		p, ok := PriceOf(name, 1000)
		if !ok || p.Input != want {
			t.Errorf("%s costs %v (%v, row %q), want %v", name, p.Input, ok, p.Prefix, want)
		}
	}
}

func TestWhatIsUnknownHasNoPrice(t *testing.T) {
	for _, name := range []string{"", "acme/supermodel", "mystery-9", "claude-opus-4-9", "claude-opus-5-7", "claude-opus-6", "claude-opus-4-60",
		"gpt-5.9", "gpt-5x", "o35", "gpt-5.3-codex-spark", "acme/gpt-4o", "<synthetic>", "claude"} {
		if p, ok := PriceOf(name, 1000); ok {
			t.Errorf("%q got the price of %q", name, p.Prefix)
		}
	}
}

func TestALongPromptHasItsOwnPrice(t *testing.T) {
	for _, c := range []struct {
		model       string
		prompt      int64
		input, read float64
	}{
		{"claude-haiku-5-5", 100_000, 0.1, 0.01}, {"claude-haiku-5-5", 100_001, 0.5, 0.05},
		{"claude-sonnet-4-5-20250929", 200_000, 3, 0.3}, {"claude-sonnet-4-5-20250929", 900_000, 6, 0.6},
		{"gemini-2.5-pro", 250_000, 2.5, 0.25}, {"claude-opus-4-6[1m]", 900_003, 5, 0.5},
	} {
		if p, ok := PriceOf(c.model, c.prompt); !ok || p.Input != c.input || p.CacheRead != c.read {
			t.Errorf("%s with %d tokens: %v and %v, want %v and %v", c.model, c.prompt, p.Input, p.CacheRead, c.input, c.read)
		}
	}
}

func TestEveryPriceHasADateAndASource(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range prices {
		key := fmt.Sprint(p.Prefix, " ", p.Above)
		if p.Date == "" || p.Source == "" || seen[key] {
			t.Errorf("the row %q lacks a date or a source, or stands twice", p.Prefix)
		}
		seen[key] = true
		if p.Input > 0 && (p.Output < p.Input || p.CacheRead > p.Input) {
			t.Errorf("the prices of %q are out of order: %+v", p.Prefix, p)
		}
		if strings.ToLower(p.Prefix) != p.Prefix {
			t.Errorf("%q is not in lower case", p.Prefix)
		}
	}
	if len(prices) < 50 {
		t.Errorf("only %d prices", len(prices))
	}
}

// P1 of the seed's conformance table: who bills for a model follows from its name.
func TestP1_TheProviderFollowsFromTheName(t *testing.T) {
	for name, want := range map[string]string{
		"claude-opus-4-6": "Anthropic", "claude-3-haiku-20240307": "Anthropic", "openai/gpt-4o": "OpenAI", "o3": "OpenAI",
		"us.amazon.nova-pro-v1:0": "Amazon Bedrock", "us.anthropic.claude-sonnet-4-6": "Amazon Bedrock", "bedrock/claude-opus-4-6": "Amazon Bedrock",
		"models/gemini-2.5-pro": "Google", "acme/supermodel": "", "omni": "",
	} {
		if got := Provider(name); got != want {
			t.Errorf("%s is billed by %q, want %q", name, got, want)
		}
	}
	if _, ok := PriceOf("acme/supermodel", 1); ok {
		t.Error("the model of an unknown vendor has a price")
	}
}
