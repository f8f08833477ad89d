package proxy

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGeminiListHidesKeys also where the key comes in two pieces.
func TestGeminiListHidesKeys(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		half := len(realKey) / 2
		for _, piece := range []string{`[{"candidates":[{"content":{"parts":[{"text":"it is ` + realKey[:half], realKey[half:] + ` ok"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7}}`, "]\n"} {
			_, _ = io.WriteString(w, piece)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(20 * time.Millisecond)
		}
	}))
	defer server.Close()
	r := newRig(t, protocols()["generate"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, body := r.post("/v1beta/models/the-model:streamGenerateContent", ask("generate", true))
	require.Equal(t, 200, status)
	require.Contains(t, body, `"it is *** ok"`)
	require.True(t, json.Valid([]byte(body)))
	require.Equal(t, int64(7), r.s.Close().Prompt)
}

// TestGeminiListThatFails before anything else is asked again.
func TestGeminiListThatFails(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			_, _ = io.WriteString(w, `[{"error":{"code":503,"status":"UNAVAILABLE","message":"overloaded"}}]`)
			return
		}
		_, _ = io.WriteString(w, `[{"candidates":[{"content":{"parts":[{"text":"fine"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7}}]`)
	}))
	defer server.Close()
	r := newRig(t, protocols()["generate"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, body := r.post("/v1beta/models/the-model:streamGenerateContent", ask("generate", true))
	require.Equal(t, 200, status)
	require.Contains(t, body, "fine")
	require.NotContains(t, body, "overloaded")
	require.Empty(t, r.s.Close().End)
}

// TestGeminiListIsPassedOnAsItIs byte for byte, also what is between elements.
func TestGeminiListIsPassedOnAsItIs(t *testing.T) {
	const list = " [ {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n,\n\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":7}} \n ]\n\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, list) }))
	defer server.Close()
	r := newRig(t, protocols()["generate"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, body := r.post("/v1beta/models/the-model:streamGenerateContent", ask("generate", true))
	require.Equal(t, 200, status)
	require.Equal(t, list, body)
	require.Contains(t, string(r.record.exchanges(t)[0].Response), `"text":"ab"`)
}
