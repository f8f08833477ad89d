package methods

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/llm"
	"assay/llm/scripted"
	"assay/proxy"
	"assay/tasks"
)

// asking is a method that asks some times and submits nothing.
type asking struct {
	calls int
	odd   bool // panics
}

func (asking) About() About { return About{Name: "asking", Kinds: []string{"testgen"}} }

func (a asking) Solve(ctx context.Context, d *Desk) (string, error) {
	for range a.calls {
		if _, err := d.Ask(ctx, "ask", Say("well?").At(0)); err != nil {
			return "", err
		}
	}
	if a.odd {
		panic("not foreseen")
	}
	return "", nil
}

// provider is one whose protocol the scripted model speaks.
type provider struct {
	name, model string
	protocol    llm.Protocol
	path        string
}

func providers() []provider {
	return []provider{
		{"openai", "gpt-5", llm.ProtocolOpenAI, "/v1"}, {"anthropic", "claude-sonnet-4-5", llm.ProtocolAnthropic, ""},
		{"gemini", "gemini-2.5-pro", llm.ProtocolGemini, ""}, {"vllm", "gpt-5", llm.ProtocolOpenAI, "/v1"},
	}
}

// solve lets a method work with a session of the real proxy.
func solve(t *testing.T, p provider, m Method, script scripted.Script, limit float64, allowed time.Duration) (agents.Outcome, proxy.Totals) {
	t.Helper()
	server, err := scripted.New(script)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	s, err := proxy.Open(proxy.Options{
		Upstream: proxy.Upstream{Provider: p.name, Protocol: p.protocol, BaseURL: server.URL + p.path, Key: llm.NewKey("sk-real")},
		Model:    p.model, Price: llm.Price{Known: true, Rates: llm.Rates{Input: 1, CachedInput: 1, Output: 10}, MaxOutput: 8000}, Limit: limit, Retry: llm.RetryOptions{Attempts: 1},
	})
	require.NoError(t, err)
	a := Agent{Method: m}
	d := NewDesk(Parts{Task: View{Language: languages.Default().Named(languages.Python), Attempt: 1}, ModelName: p.name + "/" + p.model})
	client, err := openSession(s, p.name+"/"+p.model)
	require.NoError(t, err)
	d.parts.Model, d.parts.Requests = client, func() int { return int(client.requests.Load()) }
	out, err := a.work(t.Context(), d, allowed)
	require.NoError(t, err)
	return out, s.Close()
}

// TestSessions: calls go through the session in the protocol of each provider,
// and it counts them.
func TestSessions(t *testing.T) {
	for _, p := range providers() {
		t.Run(p.name, func(t *testing.T) {
			out, totals := solve(t, p, asking{calls: 2}, scripted.Script{InOrder: true, Acts: []scripted.Act{{Say: "one"}, {Say: "two"}}}, 0, 0)
			require.Equal(t, agents.Done, out.End)
			require.Equal(t, 2, out.Steps)
			require.EqualValues(t, 2, totals.Calls)
			require.EqualValues(t, 2000+2100, totals.Prompt)
			text := string(out.Journal)
			require.Contains(t, text, `"answer":"one"`)
			require.Contains(t, text, `"answer":"two"`)
			require.Equal(t, 2, strings.Count(text, `"requests":1`))
		})
	}
}

// TestSessionEnds: a budget that ends in the middle, a refusal, a provider that
// fails, the time of the attempt, and a panic end the attempt as they do for
// other agents.
func TestSessionEnds(t *testing.T) {
	say := scripted.Act{Say: "well"}
	for name, tt := range map[string]struct {
		acts    []scripted.Act
		limit   float64
		allowed time.Duration
		odd     bool
		want    agents.End
	}{
		"budget":   {[]scripted.Act{say}, 0.045, 0, false, agents.Budget},
		"refusal":  {[]scripted.Act{{Say: "no", Stop: "refusal"}}, 0, 0, false, agents.Refused},
		"overload": {[]scripted.Act{{Status: 529}}, 0, 0, false, agents.Infrastructure},
		"key":      {[]scripted.Act{{Status: 401}}, 0, 0, false, agents.Denied},
		"time":     {[]scripted.Act{{Say: "slow", Wait: 2 * time.Second}}, 0, 300 * time.Millisecond, false, agents.Time},
		"panic":    {[]scripted.Act{say}, 0, 0, true, agents.GaveUp},
	} {
		for _, p := range providers()[:3] {
			t.Run(name+" "+p.name, func(t *testing.T) {
				out, _ := solve(t, p, asking{calls: 3, odd: tt.odd}, scripted.Script{InOrder: true, Acts: tt.acts}, tt.limit, tt.allowed)
				require.Equal(t, tt.want, out.End, out.Detail)
			})
		}
	}
}

// TestAgent: what other agents are asked for.
func TestAgent(t *testing.T) {
	a := Agent{Method: asking{}}
	require.Equal(t, "asking", a.Name())
	require.True(t, a.Solves(tasks.TestGen{}))
	require.False(t, a.Solves(tasks.BugFix{}))
	for provider, want := range map[string]string{"openai": "chat", "anthropic": "messages", "gemini": "generate", "vllm": "chat"} {
		got, ok := a.Protocol(provider)
		require.True(t, ok)
		require.Equal(t, want, got)
	}
	_, ok := a.Protocol("nobody")
	require.False(t, ok)
	_, err := a.Solve(t.Context(), agents.Work{Task: tasks.Task{Instance: &bench.Instance{}}, Machine: languages.Machine{Runner: &harnesstest.Fake{}}})
	require.ErrorContains(t, err, "agent asking: it needs a model")
}
