package proxy

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm/scripted"
)

// TestLostTriesAreNoBudget: a request that got no answer counts with the most
// that it can cost. Where the rest does not pay for another try, the connection
// ended the attempt, not what the agent spent.
func TestLostTriesAreNoBudget(t *testing.T) {
	for protocol, p := range protocols() {
		t.Run(protocol, func(t *testing.T) {
			r := newRig(t, p, acts(scripted.Act{Drop: true}), func(o *Options) { o.Limit = 0.005 })
			want, _ := routeOf(p).failure(spentOut, "")
			status, body := r.post(p.path, ask(protocol, false))
			require.Equal(t, want, status, body)
			totals := r.s.Close()
			require.Len(t, r.model.Requests(), 1)
			require.Equal(t, EndInfrastructure, totals.End)
			require.Contains(t, totals.Cause, "network")
			require.Contains(t, totals.Cause, "budget spent")
			require.LessOrEqual(t, totals.USD, 0.005)
			require.True(t, totals.Estimated)
		})
	}
}

// TestLostOnReusedConnection: a request that is lost with a connection that was
// used before may have been worked on. It counts, and is not repeated in silence.
func TestLostOnReusedConnection(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if asked.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}}`)
	}))
	defer server.Close()
	r := newRig(t, protocols()["chat"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	for range 2 {
		status, body := r.post("/v1/chat/completions", ask("chat", false))
		require.Equal(t, 200, status, body)
	}
	totals := r.s.Close()
	require.Equal(t, int64(3), asked.Load())
	require.True(t, totals.Estimated)
	require.Greater(t, totals.USD, 3*60e-6)
	require.Equal(t, 1, r.record.exchanges(t)[1].Retries)
}

// TestAgentGoneBetweenTries: the record says that a try was sent.
func TestAgentGoneBetweenTries(t *testing.T) {
	r := newRig(t, protocols()["chat"], say("not asked"), nil)
	for retries, want := range map[int]string{0: "the agent was gone before the request was sent", 2: "the agent was gone before the request was sent again"} {
		c := &call{s: r.s, x: &Exchange{Retries: retries}}
		c.abandoned()
		require.Equal(t, want, c.x.Refused)
	}
}
