package anthropic

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
)

func open(t *testing.T, url string, key llm.Key, client *http.Client) llm.Client {
	return New(Options{Key: key, BaseURL: url, HTTPClient: client})
}

func TestContract(t *testing.T) { llmtest.Run(t, llm.ProtocolAnthropic, open) }

func TestEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		t.Setenv(name, "from-the-environment")
	}
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Own: from-the-environment")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	got := sent(t, llm.Request{Model: "claude-x"})
	require.Equal(t, "/v1/messages", got.Path)
	require.Equal(t, "the-key", got.Header.Get("X-Api-Key"))
	require.NotContains(t, fmt.Sprint(got.Header), "from-the-environment")
}

func TestTokenLimit(t *testing.T) {
	tests := map[string]struct {
		model string
		asked int
		want  int
	}{
		"default":                       {"claude-x", 0, 8192},
		"default of old models":         {"claude-3-opus-20240229", 0, 4096},
		"more than SDKs let unstreamed": {"claude-opus-4-20250514", 64000, 64000},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := sent(t, llm.Request{Model: tt.model, MaxTokens: tt.asked})
			require.EqualValues(t, tt.want, got.Body["max_tokens"])
			require.NotContains(t, got.Body, "temperature")
			require.NotContains(t, got.Body, "system")
		})
	}
}

func sent(t *testing.T, req llm.Request) llmtest.Received {
	t.Helper()
	s := llmtest.NewServer(llmtest.Speaks(llm.ProtocolAnthropic).Answer("hi", llm.StopEnd))
	t.Cleanup(s.Close)
	req.Messages = []llm.Message{{Role: llm.User, Text: "hello"}}
	res, err := New(Options{Key: llm.NewKey("the-key"), BaseURL: s.URL}).Complete(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, "hi", res.Text, "thinking is no part of the text")
	return s.Requests()[0]
}
