package llmtest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/openai"
)

// TestAllDecorators puts the decorators together in the order that is meant,
// over a real SDK and a server that sometimes fails.
func TestAllDecorators(t *testing.T) {
	const secret = "sk-secret-0123456789"
	wire := llmtest.Speaks(llm.ProtocolOpenAI)
	server := llmtest.NewServer(
		wire.Trouble(llm.RateLimited, "you are "+secret),
		llmtest.Step{Body: `{"choices":[`},
		wire.Answer("the answer", llm.StopEnd),
		wire.Trouble(llm.Authentication, "you are "+secret),
	)
	defer server.Close()
	env := map[string]string{"OPENAI_API_KEY": secret, "OPENAI_BASE_URL": server.URL}
	s, err := llm.Resolve(func(name string) string { return env[name] }, nil, "openai/gpt-4o")
	require.NoError(t, err)
	prices, err := llm.LoadPrices("")
	require.NoError(t, err)

	dir := t.TempDir()
	var lines bytes.Buffer
	ledger := llm.NewLedger(prices, llm.Limits{Call: 0.01, Task: 0.02, Run: 0.02})
	client := llm.ForProvider(openai.New(openai.Options{Name: s.Provider.Name, Key: s.Key, BaseURL: s.BaseURL}), s.Provider.Name)
	client = llm.RateLimit(client, 6000, 2)
	client = llm.Budget(client, ledger)
	client = llm.Log(client, &lines, llm.LogOptions{Prompts: true})
	client = llm.Retry(client, llm.RetryOptions{Sleep: func(context.Context, time.Duration) error { return nil }})
	client = llm.Lenient(client, nil)
	client = llm.Record(client, filepath.Join(dir, "recorded"))
	client = llm.Cache(client, llm.CacheOptions{Dir: filepath.Join(dir, "cache"), BaseURL: s.BaseURL})

	req := llm.Request{Model: s.Model, MaxTokens: 100, Purpose: "t", Messages: []llm.Message{{Role: llm.User, Text: "the question"}}}
	res, err := client.Complete(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, "the answer", res.Text)
	cost := (100*2.5 + 20*1.25 + 45*10) / 1e6
	require.InDelta(t, cost, res.CostUSD, 1e-9)
	bound, _ := prices.Bound(req)
	require.InDelta(t, cost+bound, ledger.Spent(), 1e-9, "the answer that broke off may be billed")
	require.Contains(t, lines.String(), fmt.Sprintf(`"cost_usd":%g,`, bound), "the log tells what was counted")
	require.Equal(t, 3, strings.Count(lines.String(), "\n"))

	hit, err := client.Complete(t.Context(), req)
	require.NoError(t, err)
	require.True(t, hit.Cached)
	require.Len(t, server.Requests(), 3)

	replayed, err := llm.Replay(filepath.Join(dir, "recorded")).Complete(t.Context(), req)
	require.NoError(t, err)
	require.Equal(t, hit, replayed)

	req.Sample = 1
	_, err = client.Complete(t.Context(), req)
	require.ErrorContains(t, err, "openai: authentication (HTTP 401): you are ***")
	require.NotContains(t, lines.String()+err.Error(), "sk-secret")
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), "sk-secret", path)
		return err
	}))
}
