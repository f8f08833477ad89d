package llm

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func prices(t *testing.T) *Prices {
	p, err := LoadPrices("")
	require.NoError(t, err)
	return p
}

func TestEmbeddedPrices(t *testing.T) {
	p := prices(t)
	require.Regexp(t, `^\d{4}-\d\d-\d\d$`, p.Date)
	require.GreaterOrEqual(t, len(p.models), 40)
	for model, row := range p.models {
		provider, _, err := ParseModel(model)
		require.NoError(t, err)
		_, known := findProvider(provider)
		require.True(t, known, model)
		require.LessOrEqual(t, *row.Rates.Input, *row.Rates.Output, model)
		if row.Rates.CachedInput != nil {
			require.LessOrEqual(t, *row.Rates.CachedInput, *row.Rates.Input, model)
		}
		if row.Above != nil {
			require.Greater(t, *row.Above.Rates.Input, *row.Rates.Input, model)
		}
		require.True(t, row.MaxOutput > 0 || strings.HasSuffix(model, "/*"), model)
	}
}

func TestCost(t *testing.T) {
	p := prices(t)
	tests := map[string]struct {
		model string
		usage Usage
		want  float64
		known bool
	}{
		"plain":                  {"openai/gpt-4o", Usage{Input: 1e6, Output: 1e6}, 12.5, true},
		"cached":                 {"openai/gpt-4o", Usage{Input: 1e6, CachedInput: 4e5, Output: 0}, 0.6*2.5 + 0.4*1.25, true},
		"reasoning is in output": {"openai/o3", Usage{Output: 1e6, Reasoning: 9e5}, 8, true},
		"dated":                  {"openai/gpt-4.1-2025-04-14", Usage{Input: 1e6}, 2, true},
		"dated, short":           {"anthropic/claude-sonnet-4-5-20250929", Usage{Input: 1e6}, 3, true},
		"own row of a date":      {"openai/gpt-4o-2024-05-13", Usage{Input: 1e6}, 5, true},
		"at the tier":            {"gemini/gemini-2.5-pro", Usage{Input: 200_000}, 0.25, true},
		"above the tier":         {"gemini/gemini-2.5-pro", Usage{Input: 200_001, Output: 1e6}, 200_001*2.5/1e6 + 15, true},
		"local":                  {"ollama/qwen3:8b", Usage{Input: 1e6, Output: 1e6}, 0, true},
		"unknown":                {"openai/gpt-99", Usage{Input: 1}, 0, false},
		"no prefix match":        {"openai/gpt-4o-nano", Usage{Input: 1}, 0, false},
		"other provider":         {"openrouter/gpt-4o", Usage{Input: 1}, 0, false},
		"cache written":          {"anthropic/claude-sonnet-4-5", Usage{Input: 10e5, CachedInput: 4e5, CacheWrites: 3e5, CacheWritesHour: 1e5}, 0.3*3 + 0.4*0.3 + 0.2*3.75 + 0.1*6, true},
		"written, no such price": {"openai/gpt-4o", Usage{Input: 1e6, CacheWrites: 1e6, CacheWritesHour: 1e6}, 2.5, true},
		"more cached than input": {"openai/gpt-4o", Usage{Input: 5, CachedInput: 10}, 10 * 1.25 / 1e6, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			usd, known := p.Cost(tt.model, tt.usage)
			require.Equal(t, tt.known, known)
			require.InDelta(t, tt.want, usd, 1e-9)
		})
	}
}

func TestBoundIsNeverBelowCost(t *testing.T) {
	p := prices(t)
	req := Request{Model: "openai/gpt-4o", System: "ab", Messages: []Message{{User, "cdé"}}, MaxTokens: 10}
	usd, known := p.Bound(req)
	require.True(t, known)
	require.InDelta(t, float64(2+4+32)*2.5/1e6+10*10/1e6, usd, 1e-12)
	req.MaxTokens = 0
	usd, _ = p.Bound(req)
	require.InDelta(t, float64(38)*2.5/1e6+16384*10/1e6, usd, 1e-12, "the model's longest answer")
}

func TestPriceOverrides(t *testing.T) {
	write := func(t *testing.T, text string) string {
		name := filepath.Join(t.TempDir(), "prices.yaml")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	p, err := LoadPrices(write(t, "models:\n  openai/gpt-4o: {input: 1, output: 2}\n  vllm/mine: {input: 0.5, output: 1, cached_input: 0}\n"))
	require.NoError(t, err)
	require.NotEmpty(t, p.Date, "the date of the list below it")
	for model, want := range map[string]float64{"openai/gpt-4o": 3, "vllm/mine": 1.5, "openai/o3": 10} {
		usd, known := p.Cost(model, Usage{Input: 1e6, Output: 1e6})
		require.True(t, known)
		require.InDelta(t, want, usd, 1e-9, model)
	}
	_, err = LoadPrices(write(t, ""))
	require.NoError(t, err, "an empty file changes nothing")

	tests := map[string]struct{ text, want string }{
		"unknown field": {"models:\n  openai/x: {input: 1, output: 2, outptu: 3}\n", "outptu"},
		"its line":      {"models:\n  openai/x: {input: 1, output: 2, outptu: 3}\n", "[2:"},
		"unknown top":   {"prices: {}\n", "prices"},
		"doublet":       {"models:\n  openai/x: {input: 1, output: 2}\n  openai/x: {input: 1, output: 2}\n", "already defined"},
		"no output":     {"models:\n  openai/x: {input: 1}\n", "openai/x: input and output must be given"},
		"negative":      {"models:\n  openai/x: {input: -1, output: 2}\n", "-1 is no price"},
		"not a number":  {"models:\n  openai/x: {input: .nan, output: 2}\n", "NaN is no price"},
		"a word":        {"models:\n  openai/x: {input: free, output: 2}\n", "prices"},
		"no provider":   {"models:\n  gpt-4: {input: 1, output: 2}\n", "want provider/model"},
		"half a tier":   {"models:\n  openai/x: {input: 1, output: 2, above: {tokens: 5}}\n", "above: tokens, input and output"},
		"no YAML":       {"models: [\n", "prices"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			file := write(t, tt.text)
			_, err := LoadPrices(file)
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, file)
		})
	}
	_, err = LoadPrices(filepath.Join(t.TempDir(), "none.yaml"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func FuzzParsePrices(f *testing.F) {
	f.Add([]byte("date: 2026-11-21\nmodels:\n  openai/x: {input: 1, cached_input: 0, output: 2e0, max_output: 5}\n  ollama/*: {input: 0, output: 0}\n"))
	f.Add([]byte("models:\n  openai/x: {input: 1, output: 2, above: {tokens: 5, input: 1, output: 1}}\n"))
	f.Add([]byte("models:\n  openai/x: {input: .inf}\n"))
	f.Add([]byte("date: [\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePrices("f", data)
		if err != nil {
			return
		}
		for model := range p.models {
			usd, known := p.Cost(model, Usage{Input: 1000, CachedInput: 10, Output: 10})
			require.True(t, known)
			require.False(t, usd < 0 || math.IsNaN(usd), "%v", usd)
		}
	})
}
