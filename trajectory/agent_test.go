package trajectory

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"testing"

	"assay/internal/decoded"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/scripted"
	"assay/proxy"
)

// agent is a small one that speaks each of the protocols: it asks, runs what
// the model calls (by a table), and asks again.
type agent struct {
	t        *testing.T
	protocol string
	stream   bool
	client   *http.Client
	key      string
	body     map[string]any
	outputs  map[string]string // of tools, by name
}

// newAgent starts a session in front of a scripted model.
func newAgent(t *testing.T, protocol string, stream bool, script scripted.Script) (a *agent, record func() *bytes.Buffer) {
	model, err := scripted.New(script)
	require.NoError(t, err)
	t.Cleanup(model.Close)
	upstream := proxy.Upstream{Provider: "test", Protocol: llm.ProtocolOpenAI, BaseURL: model.URL + "/v1"}
	switch protocol {
	case "messages":
		upstream.Protocol, upstream.BaseURL = llm.ProtocolAnthropic, model.URL
	case "generate":
		upstream.Protocol, upstream.BaseURL = llm.ProtocolGemini, model.URL
	}
	lines := &bytes.Buffer{}
	s, err := proxy.Open(proxy.Options{Upstream: upstream, Model: "m", Record: lines, Price: llm.Price{Known: true, Rates: llm.Rates{Input: 1, Output: 10}}})
	require.NoError(t, err)
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go s.Serve(far)
		return near, nil
	}}
	a = &agent{t: t, protocol: protocol, stream: stream, client: &http.Client{Transport: transport}, key: s.Key(), outputs: map[string]string{}}
	return a, func() *bytes.Buffer {
		transport.CloseIdleConnections()
		s.Close()
		return lines
	}
}

func object(text string) map[string]any {
	out := decode(json.RawMessage(text))
	if out == nil {
		panic("no JSON: " + text)
	}
	return out
}

// start begins a conversation with one tool.
func (a *agent) start(system, user string) {
	s, u := compactJSON(system), compactJSON(user)
	switch a.protocol {
	case "chat":
		a.body = object(`{"model":"m","messages":[{"role":"system","content":` + s + `},{"role":"user","content":` + u + `}],
			"tools":[{"type":"function","function":{"name":"bash","description":"runs a command","parameters":{"type":"object","properties":{"command":{"type":"string"}}}}}]}`)
	case "responses":
		a.body = object(`{"model":"m","instructions":` + s + `,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":` + u + `}]}],
			"tools":[{"type":"function","name":"bash","description":"runs a command","parameters":{"type":"object","properties":{"command":{"type":"string"}}}}]}`)
	case "messages":
		a.body = object(`{"model":"m","max_tokens":100,"system":[{"type":"text","text":` + s + `,"cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":` + u + `}]}],
			"tools":[{"name":"bash","description":"runs a command","input_schema":{"type":"object","properties":{"command":{"type":"string"}}}}]}`)
	default:
		a.body = object(`{"systemInstruction":{"parts":[{"text":` + s + `}]},"contents":[{"role":"user","parts":[{"text":` + u + `}]}],
			"tools":[{"functionDeclarations":[{"name":"bash","description":"runs a command","parameters":{"type":"object","properties":{"command":{"type":"string"}}}}]}]}`)
	}
	if a.stream && a.protocol != "generate" {
		a.body["stream"] = true
	}
}

func (a *agent) path() string {
	switch {
	case a.protocol == "chat":
		return "/v1/chat/completions"
	case a.protocol == "responses":
		return "/v1/responses"
	case a.protocol == "messages":
		return "/v1/messages"
	case a.stream:
		return "/v1beta/models/m:streamGenerateContent?alt=sse"
	}
	return "/v1beta/models/m:generateContent"
}

// ask sends the request and reads the answer, which is needed without a stream
// only: with one the caller knows the script.
func (a *agent) ask() (status int, answer map[string]any) {
	data, err := json.Marshal(a.body)
	require.NoError(a.t, err)
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, "http://x"+a.path(), bytes.NewReader(data))
	require.NoError(a.t, err)
	req.Header.Set("Authorization", "Bearer "+a.key)
	res, err := a.client.Do(req)
	require.NoError(a.t, err)
	out, err := io.ReadAll(res.Body)
	require.NoError(a.t, err)
	require.NoError(a.t, res.Body.Close())
	return res.StatusCode, decode(out)
}

// work makes so many calls of the model, and does what it says in between.
func (a *agent) work(calls int) {
	for range calls {
		status, answer := a.ask()
		require.Equal(a.t, 200, status, answer)
		form, _ := formOf(a.protocol)
		m, ok := form.answer(answer)
		require.True(a.t, ok, answer)
		a.heard(answer)
		for _, c := range m.calls {
			a.result(c, a.outputs[decoded.Text(c.Arguments["command"])])
		}
	}
}

func (a *agent) push(list string, items ...any) {
	a.body[list] = append(decoded.List(a.body[list]), items...)
}

// heard puts the model's answer into the conversation.
func (a *agent) heard(answer map[string]any) {
	switch a.protocol {
	case "chat":
		a.push("messages", decoded.Object(decoded.List(answer["choices"])[0])["message"])
	case "responses":
		a.push("input", decoded.List(answer["output"])...)
	case "messages":
		a.push("messages", map[string]any{"role": "assistant", "content": answer["content"]})
	default:
		a.push("contents", decoded.Object(decoded.List(answer["candidates"])[0])["content"])
	}
}

func (a *agent) result(c ToolCall, output string) {
	switch a.protocol {
	case "chat":
		a.push("messages", map[string]any{"role": "tool", "tool_call_id": c.ID, "content": output})
	case "responses":
		a.push("input", map[string]any{"type": "function_call_output", "call_id": c.ID, "output": output})
	case "messages":
		a.push("messages", map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": c.ID, "content": output}}})
	default:
		a.push("contents", map[string]any{"role": "user", "parts": []any{map[string]any{"functionResponse": map[string]any{"name": c.Function, "response": map[string]any{"output": output}}}}})
	}
}

func (a *agent) says(text string) {
	switch a.protocol {
	case "chat":
		a.push("messages", map[string]any{"role": "user", "content": text})
	case "responses":
		a.push("input", map[string]any{"role": "user", "content": text})
	case "messages":
		a.push("messages", map[string]any{"role": "user", "content": text})
	default:
		a.push("contents", map[string]any{"role": "user", "parts": []any{map[string]any{"text": text}}})
	}
}
