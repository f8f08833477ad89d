package gemini

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
)

func open(t *testing.T, url string, key llm.Key, client *http.Client) llm.Client {
	c, err := New(Options{Key: key, BaseURL: url, HTTPClient: client})
	require.NoError(t, err)
	return c
}

func TestContract(t *testing.T) { llmtest.Run(t, llm.ProtocolGemini, open) }

func send(t *testing.T, step llmtest.Step, req llm.Request) (llmtest.Received, llm.Response, error) {
	t.Helper()
	s := llmtest.NewServer(step)
	t.Cleanup(s.Close)
	client, err := New(Options{Key: llm.NewKey("the-secret-key"), BaseURL: s.URL + "/"})
	require.NoError(t, err)
	req.Model = "gemini-x"
	if req.Messages == nil {
		req.Messages = []llm.Message{{Role: llm.User, Text: "hello"}}
	}
	res, err := client.Complete(t.Context(), req)
	require.Len(t, s.Requests(), 1)
	return s.Requests()[0], res, err
}

func good() llmtest.Step { return llmtest.Speaks(llm.ProtocolGemini).Answer("hi there", llm.StopEnd) }

func TestKeyAndSeedOnTheWire(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "from-the-environment")
	t.Setenv("GOOGLE_API_KEY", "from-the-environment")
	seed := int64(1) << 40
	temperature := 0.5
	got, _, err := send(t, good(), llm.Request{Seed: &seed, Temperature: &temperature, MaxTokens: 60})
	require.NoError(t, err)
	require.Equal(t, "the-secret-key", got.Header.Get("X-Goog-Api-Key"))
	require.NotContains(t, got.Query, "key")
	require.NotContains(t, fmt.Sprint(got), "from-the-environment")
	require.Equal(t, "/v1beta/models/gemini-x:generateContent", got.Path)
	require.Equal(t, map[string]any{"seed": float64(seed), "temperature": 0.5, "maxOutputTokens": 60.0}, got.Body["generationConfig"])
	require.NotEmpty(t, got.Body["contents"])
}

func TestConversation(t *testing.T) {
	turns := llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "a"}, {Role: llm.Assistant, Text: "b"}, {Role: llm.User, Text: "c"}}}
	got, res, err := send(t, good(), turns)
	require.NoError(t, err)
	require.Equal(t, "hi there", res.Text)
	require.Equal(t, llmtest.AnswerUsage(), res.Usage)
	require.Len(t, got.Body["contents"], 3)

	broken := good()
	broken.Cut = true
	_, _, err = send(t, broken, turns)
	requireClass(t, err, llm.Network)

	half := good()
	half.Body = half.Body[:len(half.Body)/2]
	_, _, err = send(t, half, turns)
	requireClass(t, err, llm.Malformed)

	_, _, err = send(t, llmtest.Speaks(llm.ProtocolGemini).Refuse(), turns)
	requireClass(t, err, llm.Refused)
}

func TestLastTurnMustBeTheUsers(t *testing.T) {
	client, err := New(Options{Key: llm.NewKey("k"), BaseURL: "http://127.0.0.1:1"})
	require.NoError(t, err)
	for _, turns := range [][]llm.Message{nil, {{Role: llm.Assistant, Text: "a"}}} {
		_, err = client.Complete(t.Context(), llm.Request{Model: "m", Messages: turns})
		requireClass(t, err, llm.Invalid)
	}
}

func TestFinishReasons(t *testing.T) {
	tests := map[string]llm.Class{
		"SAFETY": llm.Refused, "RECITATION": llm.Refused, "8": llm.Refused, "9": llm.Refused,
		"OTHER": llm.Malformed, "10": llm.Malformed,
	}
	for reason, want := range tests {
		t.Run(reason, func(t *testing.T) {
			quoted := `"` + reason + `"`
			if reason[0] <= '9' {
				quoted = reason
			}
			step := llmtest.Step{Body: `{"candidates":[{"finishReason":` + quoted + `,"content":{"role":"model","parts":[{"text":"half of"}]}}],"usageMetadata":{"promptTokenCount":3}}`}
			_, _, err := send(t, step, llm.Request{})
			e := requireClass(t, err, want)
			require.Equal(t, llm.Usage{Input: 3}, e.Usage)
		})
	}
}

func TestRateLimitWithDelayInTheBody(t *testing.T) {
	body := `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}`
	_, _, err := send(t, llmtest.Step{Status: 429, Body: body}, llm.Request{})
	e := requireClass(t, err, llm.RateLimited)
	require.Equal(t, 34500*time.Millisecond, e.RetryAfter)
}

func requireClass(t *testing.T, err error, want llm.Class) *llm.Error {
	t.Helper()
	var e *llm.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Class, "%v", err)
	require.NotContains(t, err.Error(), "the-secret-key")
	return e
}
