package proxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/maphash"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzEvents: what is passed on is what came, and nothing is longer than it
// may be.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"event: message_start\ndata: {\"type\":\"message_start\"}\n\n: ping\n\ndata: [DONE]\n\n",
		"data: {\"a\":\r\ndata: 1}\r\n\r\n", "data: no end", "\n\n\n", "data:x\n\n\n\ndata\n\n", "id: 7\nretry: 3\ndata: x\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		r := newEvents(bytes.NewReader(in))
		var out []byte
		for {
			ev, err := r.next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			require.NotEmpty(t, ev.raw)
			out = append(out, ev.raw...)
		}
		require.True(t, bytes.HasPrefix(in, out))
		require.Empty(t, bytes.TrimSpace(in[len(out):]))
	})
}

// FuzzObject: what was read is written as it was, and no name is there twice.
func FuzzObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1,"b":[{"c":"\u0064"}]}`, `{"a":1,"a":2}`, `{"x":{"y":1,"\u0079":2}}`, ` {"a" : "}\"{" , "b" : [ ] } `, `{"max_tokens":1,"maxTokens":2}`, `[1]`, `{"a":1e9,"b":-0.5,"c":null}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		o, err := parseObject(in)
		if err != nil {
			return
		}
		var want, got any
		require.NoError(t, json.Unmarshal(in, &want))
		require.NoError(t, json.Unmarshal(o.bytes(), &got))
		require.Equal(t, want, got)
		again, err := parseObject(o.bytes())
		require.NoError(t, err)
		require.Equal(t, o.bytes(), again.bytes())
		require.Equal(t, names(t, in), names(t, o.bytes()))
	})
}

// names counts the members of all objects, as another reader sees them.
func names(t *testing.T, data []byte) int {
	d := json.NewDecoder(bytes.NewReader(data))
	n := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		require.NoError(t, err)
		if _, isText := token.(string); isText {
			n++
		}
	}
}

func wires() []wire { return []wire{chat{}, responses{}, messages{}, generate{}} }

// FuzzRequest: no request makes a protocol panic, and what is sent names the
// model that was allowed and no tool that is refused.
func FuzzRequest(f *testing.F) {
	for name := range protocols() {
		f.Add([]byte(ask(name, true)), 50)
	}
	f.Add([]byte(`{"model":"x","tools":[{"type":"function"},7,null],"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","data":"AA"}}]}],"n":3}`), 0)
	f.Add([]byte(`{"thinking":{"budget_tokens":9},"max_tokens":10,"stream":true,"stream_options":{"x":1},"generation_config":{"candidate_count":2}}`), 5)
	f.Fuzz(func(t *testing.T, in []byte, most int) {
		q, err := parseQuery(in)
		if err != nil {
			return
		}
		most = min(max(most, 0), 1<<20)
		for _, w := range wires() {
			if w.forbidden(q) != "" || q.findMedia(maphash.MakeSeed(), w.roots()...) != "" {
				continue
			}
			tokens, answers := w.wanted(q)
			require.GreaterOrEqual(t, tokens, 0)
			require.Positive(t, answers)
			out, err := w.edited(q, edit{model: "the-model", most: most})
			if err != nil {
				continue
			}
			sent, err := parseQuery(out.bytes())
			require.NoError(t, err, "%s", out.bytes())
			if w.protocol() != "generate" {
				require.Equal(t, "the-model", sent.model)
			}
			require.Empty(t, w.forbidden(sent))
			if now, _ := w.wanted(sent); most > 0 && w.protocol() != "responses" {
				require.Equal(t, most, now, "%s: %s", w.protocol(), out.bytes())
			}
		}
		require.GreaterOrEqual(t, byBytes(q), len(in)-bytesOfMedia(q))
	})
}

func bytesOfMedia(q *query) int {
	n := 0
	for _, m := range q.media {
		n += m.length
	}
	return n
}

// FuzzUsage: figures are never negative, and parts never more than the whole.
func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"usage":{"prompt_tokens":120,"completion_tokens":45,"total_tokens":165,"prompt_tokens_details":{"cached_tokens":20}}}`))
	f.Add([]byte(`{"usage":{"input_tokens":100,"cache_read_input_tokens":20,"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_1h_input_tokens":9},"output_tokens":45,"iterations":[{"input_tokens":900}]}}`))
	f.Add([]byte(`{"usageMetadata":{"promptTokenCount":1,"cachedContentTokenCount":7,"thoughtsTokenCount":-3}}`))
	f.Add([]byte(`{"usage":{"prompt_tokens":-1,"completion_tokens":1e300}}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		answer := decode(in)
		for _, w := range wires() {
			u, _ := w.usage(answer)
			require.GreaterOrEqual(t, min(u.Input, u.CachedInput, u.CacheWrites, u.CacheWritesHour, u.Output, u.Reasoning), 0)
			require.LessOrEqual(t, u.CachedInput+u.CacheWrites, u.Input)
			require.LessOrEqual(t, u.CacheWritesHour, u.CacheWrites)
			require.GreaterOrEqual(t, price().Cost(u), 0.0)
			_ = w.declined(answer)
		}
	})
}

// FuzzStreams: no stream makes an assembler panic, and what it makes is JSON.
func FuzzStreams(f *testing.F) {
	for _, seed := range []string{
		`data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"a","tool_calls":[{"index":0,"id":"t","function":{"name":"n","arguments":"{"}}]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":"stop"}]}` + "\n\n" + `data: {"choices":[],"usage":{"prompt_tokens":1}}` + "\n\ndata: [DONE]\n\n",
		`data: {"type":"message_start","message":{"usage":{"input_tokens":1}}}` + "\n\n" + `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use"}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}` + "\n\n" + `data: {"type":"message_delta","usage":{"output_tokens":5},"delta":{"stop_reason":"end_turn"}}` + "\n\n",
		`data: {"type":"response.output_item.done","output_index":1,"item":{}}` + "\n\n" + `data: {"type":"response.failed","response":{"error":{"code":"x"}}}` + "\n\n",
		`data: {"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"},{"functionCall":{}}]},"finishReason":"STOP"}],"usageMetadata":{}}` + "\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, w := range wires() {
			a := w.assemble()
			r := newEvents(bytes.NewReader(in))
			for {
				ev, err := r.next()
				if err != nil {
					break
				}
				if len(ev.data) > 0 {
					a.add(ev)
				}
			}
			answer, _ := a.answer()
			_, err := json.Marshal(answer)
			require.NoError(t, err)
			_, _ = w.usage(answer)
			_ = w.declined(answer)
			_ = a.failed()
		}
	})
}

// FuzzRoute: of all addresses, only those of the protocols lead to the provider.
func FuzzRoute(f *testing.F) {
	for _, path := range []string{"/v1/chat/completions", "/v1/responses/", "/v1beta/models/m:generateContent?alt=sse&key=x", "/v1/models/../x", "//x/v1/messages", "/v1/messages?beta=true", "/v1beta/models/a%2Fb:generateContent"} {
		f.Add(http.MethodPost, path)
	}
	f.Fuzz(func(t *testing.T, method, address string) {
		u, err := url.Parse(address)
		if err != nil {
			return
		}
		got := route(&http.Request{Method: method, URL: u})
		if got.verb != complete && got.verb != count {
			require.Empty(t, got.up)
			return
		}
		up := strings.NewReplacer("?beta=true", "", "?alt=sse", "").Replace(got.up)
		require.Regexp(t, `^/(chat/completions|responses|v1/messages|v1/messages/count_tokens|(v1|v1beta|v1alpha)/models/MODEL:(generateContent|streamGenerateContent|countTokens))$`, up)
		require.Equal(t, http.MethodPost, method)
	})
}
