package proxy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDenied: requests that the provider will never allow are distinguished from
// those that the model refused.
func TestDenied(t *testing.T) {
	tests := map[string]struct{ status, body, end string }{
		"wrong key":      {"401", `{"error":{"type":"authentication_error","message":"invalid x-api-key"}}`, EndDenied},
		"not allowed":    {"403", `{"error":{"type":"permission_error","message":"no access"}}`, EndDenied},
		"no such model":  {"404", `{"error":{"type":"not_found_error","message":"model: the-model"}}`, EndDenied},
		"content policy": {"400", `{"error":{"code":"content_policy_violation","message":"your request was rejected"}}`, EndRefused},
		"content filter": {"403", `{"error":{"code":"content_filter","message":"filtered"}}`, EndRefused},
		"blocked prompt": {"200", `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":7}}`, EndRefused},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(map[string]int{"200": 200, "400": 400, "401": 401, "403": 403, "404": 404}[tt.status])
				_, _ = io.WriteString(w, tt.body)
			}))
			defer server.Close()
			p := protocols()["generate"]
			r := newRig(t, p, say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
			_, _ = r.post(p.path, ask("generate", false))
			totals := r.s.Close()
			require.Equal(t, tt.end, totals.End)
			require.NotEmpty(t, totals.Cause)
		})
	}
}
