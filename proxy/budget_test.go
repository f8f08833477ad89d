package proxy

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/internal/decoded"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/scripted"
)

// TestTwentyAttemptsOneLedger: twenty attempts at the same time against a limit
// that pays for nine and a half. Each asks until its model is done or the
// proxy says that the money is spent.
func TestTwentyAttemptsOneLedger(t *testing.T) {
	const attempts, calls = 20, 4
	p := protocols()["messages"]
	usage := llm.Usage{Input: 100, Output: 90}
	perCall := price().Cost(usage)
	limit := 9.5 * calls * perCall
	ledger := NewLedger(limit)
	var acts []scripted.Act
	for i := range calls {
		acts = append(acts, scripted.Act{Say: fmt.Sprint("step ", i), Usage: &usage, Wait: time.Millisecond})
	}
	model, err := scripted.New(scripted.Script{Acts: acts})
	require.NoError(t, err)
	defer model.Close()

	var mu sync.Mutex
	var ends []string
	spent, done := 0.0, 0
	var wg sync.WaitGroup
	for range attempts {
		record := &buffer{}
		s, err := Open(Options{Upstream: p.upstream(model.URL), Model: "the-model", Price: price(), Ledger: ledger, Record: record})
		require.NoError(t, err)
		client := clientTo(t, s)
		wg.Go(func() {
			r := &rig{t: t, s: s, record: record, client: client}
			finished := r.converse(calls)
			totals := s.Close()
			mu.Lock()
			defer mu.Unlock()
			spent += totals.USD
			if finished {
				done++
			} else {
				ends = append(ends, totals.End)
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, ledger.Spent(), limit+1e-9, "never over the limit")
	require.InDelta(t, ledger.Spent(), spent, 1e-9)
	require.InDelta(t, float64(model.Billed().Output), spent*1e6/(1+100.0/900)/10, 1e-3, "what the provider bills")
	require.Len(t, ends, attempts-done)
	for _, end := range ends {
		require.Equal(t, EndRunBudget, end, "no attempt failed by itself")
	}
	require.Less(t, limit-ledger.Spent(), 0.005, "what is left does not pay for what another call can cost")
	require.Less(t, done, attempts)
}

// converse makes calls until the model was asked often enough; false when the
// proxy stops it.
func (r *rig) converse(calls int) bool {
	talk := `{"role":"user","content":"hello"}`
	for i := range calls {
		req, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, "http://x/v1/messages", strings.NewReader(`{"model":"the-model","max_tokens":100,"messages":[`+talk+`]}`))
		if err != nil {
			return false
		}
		req.Header.Set("x-api-key", r.s.Key())
		res, err := r.client.Do(req)
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return false
		}
		talk += fmt.Sprintf(`,{"role":"assistant","content":"step %d"},{"role":"user","content":"go on"}`, i)
	}
	return true
}

// TestSpent: what each protocol answers when the attempt's money is spent, and
// that nothing reaches the provider then.
func TestSpent(t *testing.T) {
	tests := map[string]struct {
		status int
		body   string
	}{
		"chat":      {400, `"code":"budget_spent"`},
		"responses": {429, `"code":"insufficient_quota"`},
		"messages":  {402, `"type":"billing_error"`},
		"generate":  {400, `"status":"FAILED_PRECONDITION"`},
	}
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, p, say("fine"), func(o *Options) { o.Limit = 0.005 })
			status, body := r.post(p.path, ask(name, false))
			require.Equal(t, 200, status, body)
			select {
			case <-r.s.Spent():
				require.Fail(t, "there is money left")
			default:
			}
			for range 3 { // the first took 0.0024, and the next may take 0.0031
				status, body = r.post(p.path, ask(name, false))
				require.Equal(t, tests[name].status, status)
				require.Contains(t, body, tests[name].body)
				require.Contains(t, body, "budget spent")
			}
			<-r.s.Spent()
			totals := r.s.Close()
			require.Equal(t, EndBudget, totals.End)
			require.Equal(t, int64(3), totals.Refused)
			require.Equal(t, int64(1), totals.Calls)
			require.Len(t, r.model.Requests(), 1)
		})
	}
}

// TestShorterAnswer: what is left pays for a shorter answer than asked for, so
// that is asked for.
func TestShorterAnswer(t *testing.T) {
	names := map[string]func(body map[string]any) any{
		"chat":      func(b map[string]any) any { return b["max_tokens"] },
		"responses": func(b map[string]any) any { return b["max_output_tokens"] },
		"messages":  func(b map[string]any) any { return b["max_tokens"] },
		"generate":  func(b map[string]any) any { return decoded.Object(b["generationConfig"])["maxOutputTokens"] },
	}
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, p, say("fine"), func(o *Options) { o.Limit = 0.06 })
			status, body := r.post(p.path, strings.Replace(ask(name, false), ":100", ":9000", 1))
			require.Equal(t, 200, status, body)
			most, ok := names[name](r.model.Requests()[0].Body).(float64)
			require.True(t, ok)
			require.Less(t, most, 6000.0)
			require.Greater(t, most, 4096.0)
			require.Empty(t, r.s.Close().End, "it was long enough")
			require.InDelta(t, most, r.record.exchanges(t)[0].OutputLimit, 0)
		})
	}
}

func TestThinkingFitsShorterAnswer(t *testing.T) {
	p := protocols()["messages"]
	r := newRig(t, p, say("fine"), func(o *Options) { o.Limit = 0.06 })
	body := strings.Replace(ask("messages", false), `"max_tokens":100`, `"max_tokens":9000,"thinking":{"type":"enabled","budget_tokens":8999}`, 1)
	status, got := r.post(p.path, body)
	require.Equal(t, 200, status, got)
	sent := r.model.Requests()[0].Body
	thinking := decoded.Object(sent["thinking"])
	require.Equal(t, "enabled", thinking["type"])
	require.Less(t, thinking["budget_tokens"], sent["max_tokens"])
}

func TestCallsAndTokens(t *testing.T) {
	for want, change := range map[string]func(*Options){
		EndCalls:  func(o *Options) { o.Calls = 2 },
		EndTokens: func(o *Options) { o.Tokens = 4000 },
	} {
		t.Run(want, func(t *testing.T) {
			r := newRig(t, protocols()["chat"], say("fine"), change)
			for range 2 {
				status, _ := r.post("/v1/chat/completions", ask("chat", false))
				require.Equal(t, 200, status)
			}
			status, _ := r.post("/v1/chat/completions", ask("chat", false))
			require.Equal(t, 400, status)
			<-r.s.Spent()
			totals := r.s.Close()
			require.Equal(t, want, totals.End)
			require.Equal(t, int64(2), totals.Calls)
		})
	}
}

func TestLimitNeedsAPrice(t *testing.T) {
	o := Options{Upstream: protocols()["chat"].upstream("http://127.0.0.1:1"), Model: "m", Limit: 1}
	_, err := Open(o)
	require.ErrorContains(t, err, "no price for openai/m")
	o.Limit, o.Ledger = 0, NewLedger(1)
	_, err = Open(o)
	require.ErrorContains(t, err, "no price for openai/m")
	o.Ledger = NewLedger(-1)
	_, err = Open(o)
	require.ErrorContains(t, err, "no price for openai/m", "nothing is left")
	o.Ledger = NewLedger(0)
	s, err := Open(o)
	require.NoError(t, err)
	s.Close()
}

func TestLedgerThatIsUsedUp(t *testing.T) {
	before := NewLedger(1)
	before.Add(1.5)
	for _, ledger := range []*Ledger{before, NewLedger(-0.5)} {
		r := newRig(t, protocols()["chat"], say("fine"), func(o *Options) { o.Ledger = ledger })
		status, _ := r.post("/v1/chat/completions", ask("chat", false))
		require.Equal(t, 400, status)
		require.Equal(t, EndRunBudget, r.s.Close().End)
		require.Empty(t, r.model.Requests())
	}
}

// TestCutByBudget: an answer that the rest of the money cut is not the agent's
// failure.
func TestCutByBudget(t *testing.T) {
	for end, change := range map[string]func(*Options){
		EndBudget:    func(o *Options) { o.Limit = 0.06 },
		EndRunBudget: func(o *Options) { o.Ledger = NewLedger(0.06) },
		"":           func(*Options) {},
	} {
		for name, p := range protocols() {
			for _, stream := range []bool{false, true} {
				r := newRig(t, p, acts(scripted.Act{Say: "half of", Stop: "length"}), change)
				status, body := r.post(p.url(stream), strings.Replace(ask(name, stream), ":100", ":9000", 1))
				require.Equal(t, 200, status, body)
				require.Equal(t, end, r.s.Close().End, name)
			}
		}
	}
}

// TestCountedWhereItIsTight: where the bound by bytes does not fit the limit, the
// provider is asked how long the request is.
func TestCountedWhereItIsTight(t *testing.T) {
	counts := map[string]string{"responses": "/v1/responses/input_tokens", "messages": "/v1/messages/count_tokens", "generate": "/v1beta/models/the-model:countTokens"}
	for name, p := range protocols() {
		for _, limit := range []func(*Options){
			func(o *Options) { o.Limit = 0.02 },
			func(o *Options) { o.Ledger = NewLedger(0.02) },
		} {
			r := newRig(t, p, say("fine"), limit)
			status, body := r.post(p.path, strings.Replace(ask(name, false), "hello", strings.Repeat("hello ", 7000), 1))
			if counts[name] == "" {
				require.Equal(t, 400, status, "nobody counts chat completions")
				continue
			}
			require.Equal(t, 200, status, body)
			require.Equal(t, counts[name], r.model.Requests()[0].Path)
			require.Len(t, r.model.Requests(), 2)
			require.Zero(t, r.s.own.reserved+r.s.run.reserved)
			require.Equal(t, int64(1), r.s.Close().Calls)
		}
	}
}

// TestCountThatFails leaves the bound by bytes.
func TestCountThatFails(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	r := newRig(t, protocols()["messages"], say("not asked"), func(o *Options) { o.Limit, o.Upstream.BaseURL = 0.02, server.URL })
	status, _ := r.post("/v1/messages", strings.Replace(ask("messages", false), "hello", strings.Repeat("hello ", 7000), 1))
	require.Equal(t, 402, status)
	require.Equal(t, EndBudget, r.s.Close().End)
}
