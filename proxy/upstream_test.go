package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/scripted"
)

func acts(acts ...scripted.Act) scripted.Script { return scripted.Script{Acts: acts} }

// TestRetries: what the provider says to retry is retried, the agent sees the
// answer only, and nothing is counted twice.
func TestRetries(t *testing.T) {
	tests := map[string]struct {
		faults  []scripted.Act
		retries int
		lost    bool // a request that may have been billed
	}{
		"rate limit":      {[]scripted.Act{{Status: 429, RetryAfter: "0.001"}}, 1, false},
		"overloaded":      {[]scripted.Act{{Status: 529}, {Status: 503}}, 2, false},
		"dropped":         {[]scripted.Act{{Drop: true}}, 1, true},
		"dropped and 500": {[]scripted.Act{{Drop: true}, {Status: 500}}, 2, true},
	}
	for protocol, p := range protocols() {
		for name, tt := range tests {
			for _, stream := range []bool{false, true} {
				t.Run(protocol+" "+name, func(t *testing.T) {
					r := newRig(t, p, acts(append(tt.faults, scripted.Act{Say: "fine"})...), nil)
					status, body := r.post(p.url(stream), ask(protocol, stream))
					require.Equal(t, 200, status, body)
					totals := r.s.Close()
					require.Equal(t, int64(1), totals.Calls)
					require.Equal(t, "", totals.End)
					require.Equal(t, tt.lost, totals.Estimated)
					answered := price().Cost(scripted.UsageOf(0))
					if tt.lost {
						require.Greater(t, totals.USD, answered)
					} else {
						require.InDelta(t, answered, totals.USD, 1e-12)
					}
					require.Equal(t, tt.retries, r.record.exchanges(t)[0].Retries)
				})
			}
		}
	}
}

// TestFailures: what does not pass ends the attempt, or not, each as it should.
func TestFailures(t *testing.T) {
	tests := map[string]struct {
		act    scripted.Act
		status int // that the agent gets; 0 for a stop in its protocol
		end    string
		spent  bool
		asked  int
	}{
		"overloaded for good":   {scripted.Act{Status: 529}, 529, EndInfrastructure, true, 3},
		"rate limited for good": {scripted.Act{Status: 429}, 429, EndInfrastructure, true, 3},
		"rate limited too long": {scripted.Act{Status: 429, RetryAfter: "3600"}, 429, EndInfrastructure, true, 1},
		"no connection":         {scripted.Act{Drop: true}, 0, EndInfrastructure, true, 3},
		"wrong key":             {scripted.Act{Status: 401}, 401, EndDenied, true, 1},
		"no such model":         {scripted.Act{Status: 404}, 404, EndDenied, true, 1},
		"quota":                 {scripted.Act{Status: 402}, 402, EndInfrastructure, true, 1},
		"too long":              {scripted.Act{Status: 400, Message: "prompt is too long: 210000 tokens > 200000 maximum"}, 400, EndContextWindow, false, 1},
		"invalid":               {scripted.Act{Status: 400, Message: "tools.0: no such thing"}, 400, "", false, 1},
	}
	for protocol, p := range protocols() {
		for name, tt := range tests {
			t.Run(protocol+" "+name, func(t *testing.T) {
				r := newRig(t, p, acts(tt.act), nil)
				want := tt.status
				if want == 0 {
					want, _ = routeOf(p).failure(spentOut, "")
				}
				status, body := r.post(p.path, ask(protocol, false))
				require.Equal(t, want, status, body)
				require.Len(t, r.model.Requests(), tt.asked)
				select {
				case <-r.s.Spent():
					require.True(t, tt.spent)
				default:
					require.False(t, tt.spent)
				}
				totals := r.s.Close()
				require.Equal(t, tt.end, totals.End)
				require.Equal(t, tt.end != "", totals.Cause != "")
			})
		}
	}
}

func routeOf(p protocolCase) wire {
	req := httptest.NewRequest(http.MethodPost, p.path, nil)
	return route(req).wire
}

// TestARefusalIsNoEndIfTheAgentGoesOn: what the last call came to counts.
func TestARefusalIsNoEndIfTheAgentGoesOn(t *testing.T) {
	for protocol, p := range protocols() {
		for _, stream := range []bool{false, true} {
			r := newRig(t, p, acts(scripted.Act{Stop: "refusal"}), nil)
			status, body := r.post(p.url(stream), ask(protocol, stream))
			require.Equal(t, 200, status, body)
			require.Equal(t, EndRefused, r.s.Totals().End, protocol)
			require.NotEmpty(t, r.s.Totals().Cause)
			r.s.Close()
		}
	}
	r := newRig(t, protocols()["messages"], acts(scripted.Act{Status: 400, Message: "prompt is too long"}, scripted.Act{Say: "fine"}), nil)
	_, _ = r.post("/v1/messages", ask("messages", false))
	require.Equal(t, EndContextWindow, r.s.Totals().End)
	_, _ = r.post("/v1/messages", ask("messages", false))
	require.Equal(t, "", r.s.Close().End)
}

// TestCutStream: what the provider had begun and did not finish may be billed,
// so it counts with its upper bound; the agent sees the cut.
func TestCutStream(t *testing.T) {
	for protocol, p := range protocols() {
		for _, stream := range []bool{false, true} {
			t.Run(protocol, func(t *testing.T) {
				r := newRig(t, p, acts(scripted.Act{Cut: true}, scripted.Act{Cut: true}, scripted.Act{Cut: true}, scripted.Act{Say: "one two three four five six seven eight nine ten eleven twelve"}), nil)
				res, err := r.client.Do(r.request(http.MethodPost, p.url(stream), ask(protocol, stream)))
				require.NoError(t, err)
				_, err = io.ReadAll(res.Body)
				require.NoError(t, res.Body.Close())
				totals := r.s.Close()
				require.True(t, totals.Estimated)
				require.GreaterOrEqual(t, totals.USD, price().Cost(scripted.UsageOf(0))-1e-12)
				if stream {
					require.Error(t, err, "cut for the agent, too, and not asked again: it has a part of the answer")
					require.Equal(t, EndInfrastructure, totals.End)
					require.Len(t, r.model.Requests(), 1)
				} else {
					require.NoError(t, err)
					require.Len(t, r.model.Requests(), 3)
				}
			})
		}
	}
}

// TestGeminiList is a stream that is one JSON list.
func TestGeminiList(t *testing.T) {
	p := protocols()["generate"]
	r := newRig(t, p, say("a fine answer with many words"), nil)
	status, body := r.post("/v1beta/models/the-model:streamGenerateContent", ask("generate", true))
	require.Equal(t, 200, status, body)
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &list))
	require.Greater(t, len(list), 1)
	totals := r.s.Close()
	require.Equal(t, int64(2000), totals.Prompt)
	require.False(t, totals.Estimated)
	require.Contains(t, r.record.String(), "a fine answer with many words")
}

// TestKilledAgent: the answer to an agent that is gone is read to its end, so
// that its cost is known.
func TestKilledAgent(t *testing.T) {
	for protocol, p := range protocols() {
		for _, stream := range []bool{false, true} {
			t.Run(protocol, func(t *testing.T) {
				r := newRig(t, p, acts(scripted.Act{Say: "one two three four five six seven eight", Wait: 100 * time.Millisecond, Slow: 20 * time.Millisecond}), nil)
				r.killed(p.url(stream), ask(protocol, stream))
				totals := r.s.Close()
				require.False(t, totals.Estimated)
				require.Equal(t, int64(2000), totals.Prompt)
				require.Equal(t, "", totals.End)
				require.Contains(t, r.record.String(), "seven eight")
			})
		}
	}
}

// killed asks and goes as soon as the provider has the request.
func (r *rig) killed(path, body string) {
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	go func() {
		for r.model.MostAtOnce() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	res, err := r.client.Do(r.request(http.MethodPost, path, body).WithContext(ctx))
	if err == nil {
		_, err = io.ReadAll(res.Body)
		require.NoError(r.t, res.Body.Close())
	}
	require.ErrorIs(r.t, err, context.Canceled)
}

// TestKilledAgentIsNotWaitedForLong: past the bound the call counts with the
// most that it can cost.
func TestKilledAgentIsNotWaitedForLong(t *testing.T) {
	p := protocols()["messages"]
	r := newRig(t, p, acts(scripted.Act{Say: "never", Wait: time.Hour}), func(o *Options) { o.Drain = 50 * time.Millisecond })
	r.killed(p.path, ask("messages", false))
	totals := r.s.Close()
	require.True(t, totals.Estimated)
	require.Greater(t, totals.USD, 0.003)
	require.Equal(t, "", totals.End, "that is no failure of the provider")
	lines := r.record.exchanges(t)
	require.True(t, lines[0].Estimated)
	require.Contains(t, r.record.String(), `"reserved_usd":`)
}

// TestCloseEndsConnections: all calls of Serve return.
func TestCloseEndsConnections(t *testing.T) {
	r := newRig(t, protocols()["messages"], acts(scripted.Act{Say: "late", Wait: time.Hour}), func(o *Options) { o.Drain = 10 * time.Millisecond })
	failed := make(chan error)
	for range 5 {
		go func() {
			res, err := r.client.Do(r.request(http.MethodPost, "/v1/messages", ask("messages", false)))
			if err == nil {
				_ = res.Body.Close()
			}
			failed <- err
		}()
	}
	for len(r.s.open) < 5 || r.model.MostAtOnce() < 5 {
		time.Sleep(time.Millisecond)
	}
	r.s.Close()
	for range 5 {
		require.Error(t, <-failed)
	}
	require.Equal(t, r.s.Close(), r.s.Close(), "again it only returns the sums")
	require.Empty(t, r.s.open)
}

// TestKeysStayOut: servers quote keys in their errors.
func TestKeysStayOut(t *testing.T) {
	for protocol, p := range protocols() {
		r := newRig(t, p, acts(scripted.Act{Status: 401, Message: "Incorrect API key provided: " + realKey}), nil)
		body := strings.Replace(ask(protocol, false), "hello", "my key is "+r.s.Key(), 1)
		_, got := r.post(p.path, body)
		require.NotContains(t, got, "sk-real")
		totals := r.s.Close()
		require.NotContains(t, totals.Cause+r.record.String(), "sk-real")
		require.NotContains(t, r.record.String(), r.s.Key())
		require.Contains(t, r.record.String(), "my key is ***")
	}
}

// TestErrorInsideStream: an error that is the first event is one of the call.
func TestErrorInsideStream(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		asked++
		if asked == 1 {
			_, _ = io.WriteString(w, ": ping\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n")
			return
		}
		_, _ = io.WriteString(w, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"usage\":{\"input_tokens\":7,\"output_tokens\":1}}}\n\n")
		_, _ = io.WriteString(w, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n")
	}))
	defer server.Close()
	r := newRig(t, protocols()["messages"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, body := r.post("/v1/messages", ask("messages", true))
	require.Equal(t, 2, asked, "the first was asked again, the second had begun")
	require.Equal(t, 200, status)
	require.Contains(t, body, "Overloaded")
	totals := r.s.Close()
	require.Equal(t, EndInfrastructure, totals.End)
	require.True(t, totals.Estimated)
	require.InDelta(t, (7+10*100)/1e6, totals.USD, 1e-9, "input as the provider said, output as long as was allowed")
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the key went elsewhere") }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	r := newRig(t, protocols()["chat"], say("not asked"), func(o *Options) { o.Upstream.BaseURL = server.URL })
	status, _ := r.post("/v1/chat/completions", ask("chat", false))
	require.Equal(t, 400, status)
}

// TestNoUsage: a provider that does not report the usage.
func TestNoUsage(t *testing.T) {
	for protocol, p := range protocols() {
		for _, stream := range []bool{false, true} {
			r := newRig(t, p, acts(scripted.Act{Say: "fine", NoUsage: true}), nil)
			status, body := r.post(p.url(stream), ask(protocol, stream))
			require.Equal(t, 200, status, body)
			totals := r.s.Close()
			require.True(t, totals.Estimated, protocol)
			require.Greater(t, totals.USD, 0.003)
		}
	}
}

// TestRecordThatFails: what cannot be written down is not asked.
func TestRecordThatFails(t *testing.T) {
	r := newRig(t, protocols()["chat"], say("fine"), func(o *Options) { o.Record = failing{} })
	status, _ := r.post("/v1/chat/completions", ask("chat", false))
	require.Equal(t, 400, status)
	require.Empty(t, r.model.Requests())
	totals := r.s.Close()
	require.Equal(t, EndInfrastructure, totals.End)
	require.Contains(t, totals.Cause, "disk full")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestFlood: an agent that asks nonsense without end is slowed down, and its
// record stays small.
func TestFlood(t *testing.T) {
	r := newRig(t, protocols()["chat"], say("fine"), nil)
	long := `{"model":"other","x":"` + strings.Repeat("x", shortRefused) + `"}`
	status, _ := r.post("/v1/chat/completions", long)
	require.Equal(t, 404, status)
	long = long[:1000] + `"}`
	for range manyRefused + 2 {
		status, _ := r.post("/v1/chat/completions", long)
		require.Equal(t, 404, status)
	}
	lines := r.record.exchanges(t)
	require.Equal(t, "null", string(lines[0].Request), "it is long")
	require.Greater(t, len(lines[manyRefused-1].Request), 900)
	require.Equal(t, "null", string(lines[manyRefused].Request))
	status, _ = r.post("/v1/chat/completions", ask("chat", false))
	require.Equal(t, 200, status, "and may still do better")
}

// TestObserve: Observe is called after each exchange.
func TestObserve(t *testing.T) {
	var seen []Totals
	r := newRig(t, protocols()["chat"], say("fine"), func(o *Options) { o.Observe = func(s Totals) { seen = append(seen, s) } })
	_, _ = r.post("/v1/chat/completions", ask("chat", false))
	_, _ = r.post("/v1/chat/completions", ask("chat", false))
	r.s.Close()
	require.Len(t, seen, 2)
	require.Equal(t, int64(4000), seen[1].Prompt)
}

// TestSubagents: calls at the same time.
func TestSubagents(t *testing.T) {
	usage := llm.Usage{Input: 50, Output: 50}
	r := newRig(t, protocols()["messages"], acts(scripted.Act{Say: "fine", Wait: 20 * time.Millisecond, Usage: &usage}), func(o *Options) { o.Limit = 0.0095 })
	statuses := make(chan int)
	for range 20 {
		go func() {
			res, err := r.client.Do(r.request(http.MethodPost, "/v1/messages", ask("messages", false)))
			if err != nil {
				statuses <- 0
				return
			}
			_ = res.Body.Close()
			statuses <- res.StatusCode
		}()
	}
	count := map[int]int{}
	for range 20 {
		count[<-statuses]++
	}
	totals := r.s.Close()
	require.LessOrEqual(t, totals.USD, 0.0095)
	require.Equal(t, 20, count[200]+count[402])
	require.Positive(t, count[402])
	require.Equal(t, EndBudget, totals.End)
	require.InDelta(t, float64(count[200])*price().Cost(usage), totals.USD, 1e-12)
}

// TestRecordIsBounded: an agent cannot fill the disk through it.
func TestRecordIsBounded(t *testing.T) {
	r := newRig(t, protocols()["chat"], acts(scripted.Act{Status: 400}), nil)
	r.s.mu.Lock()
	r.s.record.written = maxRecord - 2000
	r.s.mu.Unlock()
	for range 4 {
		status, _ := r.post("/v1/chat/completions", strings.Replace(ask("chat", false), "hello", strings.Repeat("x", 1000), 1))
		require.Equal(t, 400, status)
	}
	r.s.Close()
	lines := r.record.exchanges(t)
	require.Greater(t, len(lines[0].Request), 1000)
	require.Equal(t, "null", string(lines[1].Request))
	require.Equal(t, "null", string(lines[3].Request))
}

// TestCostByProvider: where no price is known, what the provider says counts.
func TestCostByProvider(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"cost":0.25}}`)
	}))
	defer server.Close()
	for _, known := range []bool{false, true} {
		r := newRig(t, protocols()["chat"], say("not asked"), func(o *Options) {
			o.Upstream.BaseURL = server.URL
			if !known {
				o.Price = llm.Price{}
			}
		})
		status, _ := r.post("/v1/chat/completions", ask("chat", false))
		require.Equal(t, 200, status)
		require.InDelta(t, map[bool]float64{false: 0.25, true: 60e-6}[known], r.s.Close().USD, 1e-12)
	}
}
