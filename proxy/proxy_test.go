package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/scripted"
)

const realKey = "sk-real-0123456789abcdef"

// price is easy to calculate with: a dollar per million tokens of input, ten
// of output.
func price() llm.Price {
	return llm.Price{Known: true, MaxOutput: 10_000, Rates: llm.Rates{Input: 1, CachedInput: 0.1, CacheWrite: 1.25, CacheWriteHour: 2, Output: 10}}
}

// buffer is a record that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// exchanges reads the lines of a record, without reservations.
func (b *buffer) exchanges(t *testing.T) []Exchange {
	t.Helper()
	var out []Exchange
	for line := range strings.Lines(b.String()) {
		var x Exchange
		require.NoError(t, json.Unmarshal([]byte(line), &x), line)
		if !strings.Contains(line, "reserved_usd") {
			out = append(out, x)
		}
	}
	return out
}

// rig is a session in front of a scripted model, with a client.
type rig struct {
	t      *testing.T
	model  *scripted.Server
	s      *Session
	record *buffer
	client *http.Client
}

type protocolCase struct {
	protocol llm.Protocol
	provider string
	path     string
	stream   string // the path for a stream, where it is another
}

func protocols() map[string]protocolCase {
	return map[string]protocolCase{
		"chat":      {llm.ProtocolOpenAI, "openai", "/v1/chat/completions", ""},
		"responses": {llm.ProtocolOpenAI, "openai", "/v1/responses", ""},
		"messages":  {llm.ProtocolAnthropic, "anthropic", "/v1/messages?beta=true", ""},
		"generate":  {llm.ProtocolGemini, "gemini", "/v1beta/models/the-model:generateContent", "/v1beta/models/the-model:streamGenerateContent?alt=sse"},
	}
}

func (p protocolCase) upstream(url string) Upstream {
	if p.protocol == llm.ProtocolOpenAI {
		url += "/v1"
	}
	return Upstream{Provider: p.provider, Protocol: p.protocol, BaseURL: url, Key: llm.NewKey(realKey)}
}

func newRig(t *testing.T, p protocolCase, script scripted.Script, change func(*Options)) *rig {
	t.Helper()
	model, err := scripted.New(script)
	require.NoError(t, err)
	model.Key = realKey
	t.Cleanup(model.Close)
	r := &rig{t: t, model: model, record: &buffer{}}
	o := Options{
		Upstream: p.upstream(model.URL), Model: "the-model", Price: price(), Record: r.record,
		Retry: llm.RetryOptions{Attempts: 3, Base: time.Millisecond, Max: time.Millisecond}, Drain: 5 * time.Second,
	}
	if change != nil {
		change(&o)
	}
	r.s, err = Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { r.s.Close() })
	r.client = clientTo(t, r.s)
	return r
}

// clientTo is an HTTP client whose connections are served by the session.
func clientTo(t *testing.T, s *Session) *http.Client {
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go s.Serve(far)
		return near, nil
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 20 * time.Second}
}

func (r *rig) request(method, path, body string) *http.Request {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, "http://127.0.0.1:1"+path, strings.NewReader(body))
	require.NoError(r.t, err)
	req.Header.Set("Authorization", "Bearer "+r.s.Key())
	req.Header.Set("Content-Type", "application/json")
	return req
}

func (r *rig) post(path, body string) (int, string) {
	r.t.Helper()
	res, err := r.client.Do(r.request(http.MethodPost, path, body))
	require.NoError(r.t, err)
	data, err := io.ReadAll(res.Body)
	require.NoError(r.t, err)
	require.NoError(r.t, res.Body.Close())
	return res.StatusCode, string(data)
}

func say(texts ...string) scripted.Script {
	var s scripted.Script
	for _, text := range texts {
		s.Acts = append(s.Acts, scripted.Act{Say: text})
	}
	return s
}

// ask is a small request of each protocol.
func ask(protocol string, stream bool) string {
	flag := ""
	if stream && protocol != "generate" {
		flag = `"stream":true,`
	}
	switch protocol {
	case "chat":
		return `{"model":"the-model",` + flag + `"max_tokens":100,"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hello"}]}`
	case "responses":
		return `{"model":"the-model",` + flag + `"max_output_tokens":100,"instructions":"be brief","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}]}`
	case "messages":
		return `{"model":"the-model",` + flag + `"max_tokens":100,"system":"be brief","messages":[{"role":"user","content":"hello"}]}`
	}
	return `{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"maxOutputTokens":100}}`
}

func (p protocolCase) url(stream bool) string {
	if stream && p.stream != "" {
		return p.stream
	}
	return p.path
}

// TestAnswers sends a request of each protocol, streaming and not, and compares
// what the agent gets, what is counted and what is written down.
func TestAnswers(t *testing.T) {
	u := scripted.UsageOf(0)
	for name, p := range protocols() {
		for _, stream := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " stream"}[stream], func(t *testing.T) {
				r := newRig(t, p, scripted.Script{Acts: []scripted.Act{{Say: "a fine answer with some words", Think: "let me see"}}}, nil)
				status, body := r.post(p.url(stream), ask(name, stream))
				require.Equal(t, 200, status, body)
				if !stream {
					require.Contains(t, body, "a fine answer with some words")
				}
				totals := r.s.Close()
				want := Totals{Calls: 1, Prompt: int64(u.Input), Completion: int64(u.Output), USD: (float64(u.Input) + 10*float64(u.Output)) / 1e6}
				want.Seconds = totals.Seconds
				require.InDelta(t, want.USD, totals.USD, 1e-12)
				want.USD = totals.USD
				require.Equal(t, want, totals)

				lines := r.record.exchanges(t)
				require.Len(t, lines, 1)
				x := lines[0]
				require.Equal(t, name, x.Protocol)
				require.Equal(t, stream, x.Stream)
				require.Equal(t, int64(1), x.N)
				require.Equal(t, 200, x.Status)
				require.False(t, x.Estimated)
				require.JSONEq(t, ask(name, stream), string(x.Request))
				require.Contains(t, string(x.Response), "a fine answer with some words", "a stream is put together")
				require.Contains(t, string(x.Response), "let me see")
				require.NotContains(t, r.record.String(), r.s.Key())
				require.NotContains(t, r.record.String(), "sk-real")
				require.Contains(t, r.record.String(), `"reserved_usd":`)
			})
		}
	}
}

// TestStreamEqualsWhole checks that a stream is written down as the answer that
// the provider gives without one.
func TestStreamEqualsWhole(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{
		Say: "I look at the file.", Think: "what is in there?", Call: &scripted.Call{Name: "read_file", Args: map[string]any{"path": "a.py", "lines": []any{1, 2}}},
	}}}
	tool := map[string]string{
		"chat":      `"tools":[{"type":"function","function":{"name":"read_file","parameters":{}}}],"messages"`,
		"responses": `"tools":[{"type":"function","name":"read_file","parameters":{}}],"input"`,
		"messages":  `"tools":[{"name":"read_file","input_schema":{}}],"messages"`,
		"generate":  `"tools":[{"functionDeclarations":[{"name":"read_file"}]}],"contents"`,
	}
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			var answers []string
			for _, stream := range []bool{false, true} {
				r := newRig(t, p, script, nil)
				at := tool[name][strings.LastIndex(tool[name], ",")+1:]
				status, body := r.post(p.url(stream), strings.Replace(ask(name, stream), at, tool[name], 1))
				require.Equal(t, 200, status, body)
				r.s.Close()
				answers = append(answers, string(r.record.exchanges(t)[0].Response))
			}
			require.Contains(t, answers[0], "read_file")
			require.JSONEq(t, answers[0], answers[1])
		})
	}
}

// TestStreamComesAsItIs checks that the events of a stream reach the agent
// before the answer is complete.
func TestStreamComesAsItIs(t *testing.T) {
	p := protocols()["messages"]
	r := newRig(t, p, scripted.Script{Acts: []scripted.Act{{Say: "one two three four five six seven eight nine", Slow: 50 * time.Millisecond}}}, nil)
	res, err := r.client.Do(r.request(http.MethodPost, p.path, ask("messages", true)))
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	lines := bufio.NewScanner(res.Body)
	require.True(t, lines.Scan())
	require.Equal(t, "event: message_start", lines.Text())
	require.Zero(t, r.s.Totals().Prompt, "the answer is still on its way")
	var all []string
	for lines.Scan() {
		all = append(all, lines.Text())
	}
	require.Contains(t, strings.Join(all, "\n"), "message_stop")
	require.NotZero(t, r.s.Totals().Prompt, "it is counted before its last event is passed on")
}

// TestUsageIsAddedAndHidden: the usage of an agent that streams chat completions
// is counted even if the agent does not ask for it; it is hidden from it then.
func TestUsageIsAddedAndHidden(t *testing.T) {
	p := protocols()["chat"]
	for _, asked := range []bool{false, true} {
		r := newRig(t, p, say("fine"), nil)
		body := ask("chat", true)
		if asked {
			body = strings.Replace(body, `"stream":true`, `"stream":true,"stream_options":{"include_usage":true}`, 1)
		}
		_, got := r.post(p.path, body)
		require.Equal(t, asked, strings.Contains(got, "prompt_tokens"), got)
		require.Contains(t, got, "data: [DONE]")
		require.Equal(t, int64(2000), r.s.Close().Prompt)
		options := r.model.Requests()[0].Body["stream_options"]
		require.Equal(t, map[string]any{"include_usage": true}, options)
	}
}

// TestPassedOnAsItIs: what the agent gets is what the provider sent, byte for
// byte.
func TestPassedOnAsItIs(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "some words,\nand \"more\" <of> them", Think: "hm", Call: &scripted.Call{Name: "f", Args: map[string]any{"a": "ü"}}}}}
	for name, p := range protocols() {
		for _, stream := range []bool{false, true} {
			r := newRig(t, p, script, nil)
			r.model.Key = ""
			body := strings.Replace(ask(name, stream), `"stream":true`, `"stream":true,"stream_options":{"include_usage":true}`, 1)
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.model.URL+p.url(stream), strings.NewReader(body))
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			want, err := io.ReadAll(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			status, got := r.post(p.url(stream), body)
			require.Equal(t, 200, status)
			require.Equal(t, string(want), got)
		}
	}
}

// TestGarbage: connections that send something other than HTTP, or nothing, do not
// block others.
func TestGarbage(t *testing.T) {
	r := newRig(t, protocols()["chat"], say("fine"), nil)
	for _, text := range []string{"\x16\x03\x01\x02\x00\x01\x00", "GET\r\n\r\n", "POST /v1/chat/completions HTTP/1.1\r\nContent-Length: -5\r\n\r\n", ""} {
		near, far := net.Pipe()
		served := make(chan struct{})
		go func() {
			r.s.Serve(far)
			close(served)
		}()
		go func() { _, _ = io.Copy(io.Discard, near) }()
		_, _ = io.WriteString(near, text)
		require.NoError(t, near.Close())
		<-served
	}
	require.Empty(t, r.s.open)
	status, _ := r.post("/v1/chat/completions", ask("chat", false))
	require.Equal(t, 200, status)
}

// TestServeReturnsWithTheConnection: the sandbox ends while the provider thinks.
func TestServeReturnsWithTheConnection(t *testing.T) {
	r := newRig(t, protocols()["chat"], scripted.Script{Acts: []scripted.Act{{Say: "late", Wait: time.Hour}}}, func(o *Options) { o.Drain = time.Millisecond })
	near, far := net.Pipe()
	served := make(chan struct{})
	go func() {
		r.s.Serve(far)
		close(served)
	}()
	body := ask("chat", false)
	_, err := fmt.Fprintf(near, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", r.s.Key(), len(body), body)
	require.NoError(t, err)
	for r.model.MostAtOnce() == 0 {
		time.Sleep(time.Millisecond)
	}
	require.NoError(t, near.Close())
	<-served
	require.True(t, r.s.Close().Estimated)
}
