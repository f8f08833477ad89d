package proxy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm/scripted"
)

// TestCountEndsNothing: agents continue without the count, and its failure does
// not end the attempt.
func TestCountEndsNothing(t *testing.T) {
	for name, act := range map[string]scripted.Act{
		"not found": {Status: 404}, "wrong key": {Status: 401}, "overloaded": {Status: 529}, "no connection": {Drop: true},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case !strings.HasSuffix(r.URL.Path, "/count_tokens"):
					_, _ = io.WriteString(w, `{"type":"message","content":[],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":1}}`)
				case act.Drop:
					panic(http.ErrAbortHandler)
				default:
					w.WriteHeader(act.Status)
					_, _ = io.WriteString(w, `{"type":"error","error":{"message":"no"}}`)
				}
			}))
			defer server.Close()
			r := newRig(t, protocols()["messages"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
			status, body := r.post("/v1/messages/count_tokens", ask("messages", false))
			require.Equal(t, map[bool]int{true: 400, false: act.Status}[act.Drop], status, body)
			require.Empty(t, r.s.Totals().End)
			status, body = r.post("/v1/messages", ask("messages", false))
			require.Equal(t, 200, status, body)
			totals := r.s.Close()
			require.Empty(t, totals.End)
			require.False(t, totals.Estimated)
		})
	}
}

// TestCountKeepsTheEnd of the last call.
func TestCountKeepsTheEnd(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/count_tokens") {
			_, _ = io.WriteString(w, `{"input_tokens":7}`)
			return
		}
		_, _ = io.WriteString(w, `{"type":"message","content":[],"stop_reason":"refusal","usage":{"input_tokens":7,"output_tokens":1}}`)
	}))
	defer server.Close()
	r := newRig(t, protocols()["messages"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, _ := r.post("/v1/messages", ask("messages", false))
	require.Equal(t, 200, status)
	status, _ = r.post("/v1/messages/count_tokens", ask("messages", false))
	require.Equal(t, 200, status)
	require.Equal(t, EndRefused, r.s.Close().End)
}

// TestCountWithoutMoney: counting is free, so that its refusal does not end the
// attempt.
func TestCountWithoutMoney(t *testing.T) {
	r := newRig(t, protocols()["messages"], say("not asked"), func(o *Options) { o.Ledger = NewLedger(-1) })
	status, _ := r.post("/v1/messages/count_tokens", ask("messages", false))
	require.Equal(t, 402, status)
	require.Empty(t, r.s.Close().End)
}
