package openai

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
)

func open(t *testing.T, url string, key llm.Key, client *http.Client) llm.Client {
	return New(Options{Key: key, BaseURL: url, HTTPClient: client})
}

func TestContract(t *testing.T) { llmtest.Run(t, llm.ProtocolOpenAI, open) }

func ask(t *testing.T, client llm.Client, req llm.Request) (llm.Response, error) {
	t.Helper()
	if req.Messages == nil {
		req.Messages = []llm.Message{{Role: llm.User, Text: "hello"}}
	}
	req.Model = "some/model"
	return client.Complete(t.Context(), req)
}

func serve(t *testing.T, steps ...llmtest.Step) *llmtest.Server {
	s := llmtest.NewServer(steps...)
	t.Cleanup(s.Close)
	return s
}

// TestEnvironmentIsNotRead checks that a compatible server never gets what
// the environment holds for OpenAI.
func TestEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"} {
		t.Setenv(name, "from-the-environment")
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	s := serve(t, llmtest.Speaks(llm.ProtocolOpenAI).Answer("hi", llm.StopEnd))
	res, err := ask(t, New(Options{BaseURL: s.URL + "/v1/"}), llm.Request{})
	require.NoError(t, err, "a server without keys")
	require.Equal(t, "hi", res.Text)
	got := s.Requests()[0]
	require.Equal(t, "/v1/chat/completions", got.Path)
	require.Empty(t, got.Header.Get("Authorization"))
	require.NotContains(t, fmt.Sprint(got.Header), "from-the-environment")
	require.Equal(t, "some/model", got.Body["model"])
	require.NotContains(t, got.Body, "max_tokens")
	require.NotContains(t, got.Body, "temperature")
}

// rerouted sends everything to one server, regardless of the URL.
type rerouted struct{ to *url.URL }

func (r rerouted) RoundTrip(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.URL.Scheme, out.URL.Host = r.to.Scheme, r.to.Host
	return http.DefaultTransport.RoundTrip(out)
}

func TestTokenLimitAndSeed(t *testing.T) {
	seed := int64(7)
	req := llm.Request{MaxTokens: 50, Seed: &seed}
	for name, base := range map[string]string{"max_completion_tokens": "", "max_tokens": "http://elsewhere.test/v1"} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, llmtest.Speaks(llm.ProtocolOpenAI).Answer("hi", llm.StopEnd))
			to, err := url.Parse(s.URL)
			require.NoError(t, err)
			_, err = ask(t, New(Options{Key: llm.NewKey("k"), BaseURL: base, HTTPClient: &http.Client{Transport: rerouted{to}}}), req)
			require.NoError(t, err)
			body := s.Requests()[0].Body
			require.EqualValues(t, 50, body[name])
			require.EqualValues(t, 7, body["seed"])
			require.Len(t, body, 4, "model, messages, seed and one limit: %v", body)
		})
	}
}

func TestOddAnswers(t *testing.T) {
	answer := func(choice, usage string) llmtest.Step {
		return llmtest.Step{Header: map[string]string{"Content-Type": "text/plain"}, Body: `{"model":"m","choices":[` + choice + `],"usage":` + usage + `}`}
	}
	tests := map[string]struct {
		step  llmtest.Step
		class llm.Class
		usage llm.Usage
	}{
		"reasoning apart": {step: answer(`{"finish_reason":"stop","message":{"content":"x"}}`,
			`{"prompt_tokens":10,"completion_tokens":5,"total_tokens":22,"completion_tokens_details":{"reasoning_tokens":7}}`), usage: llm.Usage{Input: 10, Output: 12, Reasoning: 7}},
		"no usage":       {step: answer(`{"finish_reason":"stop","message":{"content":"x"}}`, `null`)},
		"broke off":      {step: answer(`{"finish_reason":"error","message":{"content":"x"}}`, `null`), class: llm.Malformed},
		"no text":        {step: answer(`{"finish_reason":"stop","message":{"content":""}}`, `null`), class: llm.Malformed},
		"content filter": {step: answer(`{"finish_reason":"content_filter","message":{"content":"half"}}`, `null`), class: llm.Refused},
		"null choice":    {step: answer(`null`, `null`), class: llm.Malformed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := serve(t, tt.step)
			res, err := ask(t, New(Options{Name: "xai", BaseURL: s.URL}), llm.Request{})
			if tt.class == "" {
				require.NoError(t, err)
				require.Equal(t, tt.usage, res.Usage)
				return
			}
			var e *llm.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, tt.class, e.Class)
			require.Equal(t, "xai", e.Provider)
		})
	}
}
