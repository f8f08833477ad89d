package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/attempts"
	"assay/engine"
	"assay/proxy"
)

// TestTotalsOf: attempts distinguish the ends of a session by their names.
func TestTotalsOf(t *testing.T) {
	for end, want := range map[string]attempts.SessionEnd{
		"":                      "",
		proxy.EndBudget:         attempts.OverBudget,
		proxy.EndRunBudget:      attempts.OverRunBudget,
		proxy.EndCalls:          attempts.OverCalls,
		proxy.EndTokens:         attempts.OverTokens,
		proxy.EndContextWindow:  attempts.OverContext,
		proxy.EndRefused:        attempts.RefusedCalls,
		proxy.EndDenied:         "denied",
		proxy.EndInfrastructure: attempts.Unreachable,
	} {
		got := totalsOf(proxy.Totals{End: end, Cause: "cause", Calls: 2, Prompt: 3, Cached: 1, Completion: 5, USD: 0.5, Estimated: true})
		require.Equal(t, attempts.Totals{Calls: 2, Input: 3, Cached: 1, Output: 5, USD: 0.5, Estimated: true, End: want, Cause: "cause"}, got)
	}
}

// TestSeedsOfProtocols: a seed is given only where the agent's protocol with the
// provider has seeds.
func TestSeedsOfProtocols(t *testing.T) {
	getenv := func(name string) string {
		if strings.HasSuffix(name, "_API_KEY") {
			return "sk-x"
		}
		return ""
	}
	a := &app{stdout: io.Discard, stderr: io.Discard, getenv: getenv, parts: engine.Default()}
	for _, c := range []struct{ agent, model, wrong string }{
		{"qwen-code", "openai/gpt-5", ""},
		{"gemini-cli", "gemini/gemini-2.5-pro", ""},
		{"claude-code", "anthropic/claude-sonnet-4-5", "--seed: claude-code talks to anthropic by messages, which has no seeds"},
		{"codex", "openai/gpt-5", "--seed: codex talks to openai by responses, which has no seeds"},
	} {
		agent, err := a.agent(t.Context(), agentFlags{name: c.agent})
		require.NoError(t, err)
		_, err = a.agentModel(runFlags{model: c.model, seed: 3}, agent)
		if c.wrong == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.wrong)
		}
		_, err = a.agentModel(runFlags{model: c.model}, agent)
		require.NoError(t, err)
	}
	require.ErrorContains(t, runFlags{output: "out", attempts: 1, jobs: 1, seed: -1, model: "openai/gpt-5"}.check(), "--seed -1")
	require.ErrorContains(t, runFlags{output: "out", attempts: 1, jobs: 1, seed: 1}.check(), "give one with -m")
}

// TestModelThatCannotBe: what no key would help is said before a key is asked for.
func TestModelThatCannotBe(t *testing.T) {
	a := &app{stdout: io.Discard, stderr: io.Discard, getenv: func(string) string { return "" }, parts: engine.Default()}
	codex, err := a.agent(t.Context(), agentFlags{name: "codex"})
	require.NoError(t, err)
	for model, wrong := range map[string]string{
		"anthropic/claude-sonnet-4-5": "-m anthropic/claude-sonnet-4-5: codex cannot talk to anthropic",
		"openai/gpt-5":                "no key for openai: set OPENAI_API_KEY",
		"nobody/x":                    "nobody",
	} {
		_, err := a.agentModel(runFlags{model: model}, codex)
		require.ErrorContains(t, err, wrong)
		require.NotContains(t, err.Error(), "nobody: codex cannot")
	}
}
