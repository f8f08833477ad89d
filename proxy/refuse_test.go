package proxy

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/llm/scripted"
)

// forbidden are members put in front of a request, by protocol, and what the
// message says about them. A name in capitals replaces the request's own.
func forbidden() map[string]map[string]string {
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	return map[string]map[string]string{ // protocol, members put in front of the request, and what the message says
		"chat": {
			`"tools":[{"type":"web_search"}]`:              `"web_search"`,
			`"tools":[{"type":"live_search"}]`:             `"live_search"`,
			`"web_search_options":{}`:                      "web_search_options",
			`"plugins":[{"id":"web"}]`:                     "plugins",
			`"models":["other"]`:                           "models",
			`"search_parameters":{"mode":"on"}`:            "search_parameters",
			`"prediction":{"type":"content"}`:              "prediction",
			`"modalities":["text","audio"]`:                "modalities",
			`"service_tier":"priority"`:                    "service_tier priority",
			`"model":"the-model"`:                          `twice`,
			`"Model":"other"`:                              `both "Model" and "model"`,
			`"x":{"y":[{"z":1,"\u007a":2}]}`:               `"z" occurs twice`,
			`"tools":[{"type":"function"},{"type":"mcp"}]`: `"mcp"`,
		},
		"responses": {
			`"tools":[{"type":"web_search"}]`:                                                       `"web_search"`,
			`"tools":[{"type":"web_search_preview"}]`:                                               `"web_search_preview"`,
			`"tools":[{"type":"mcp","server_url":"https://x"}]`:                                     `"mcp"`,
			`"tools":[{"type":"code_interpreter","container":{"type":"auto"}}]`:                     `"code_interpreter"`,
			`"tools":[{"type":"file_search"}]`:                                                      `"file_search"`,
			`"tools":[{"type":"image_generation"}]`:                                                 `"image_generation"`,
			`"tools":[{"type":"shell","environment":{"type":"container_auto"}}]`:                    "container_auto",
			`"tools":[{"type":"namespace","name":"a","tools":[{"type":"web_search"}]}]`:             `"web_search"`,
			`"previous_response_id":"resp_1"`:                                                       "previous_response_id",
			`"conversation":"conv_1"`:                                                               "conversation",
			`"prompt":{"id":"pmpt_1"}`:                                                              "prompt",
			`"background":true`:                                                                     "background",
			`"service_tier":"priority"`:                                                             "service_tier",
			`"INPUT":[{"type":"additional_tools","tools":[{"type":"web_search"}]}]`:                 `"web_search"`,
			`"INPUT":[{"type":"item_reference","id":"msg_1"}]`:                                      "item_reference",
			`"INPUT":[{"role":"user","content":[{"type":"input_file","file_url":"https://x/y"}]}]`:  "files are refused",
			`"INPUT":[{"role":"user","content":[{"type":"input_image","image_url":"https://x/"}]}]`: "fetches",
			`"INPUT":[{"role":"user","content":[{"type":"input_image","file_id":"file_1"}]}]`:       "fetches",
		},
		"messages": {
			`"tools":[{"type":"web_search_20250305","name":"web_search"}]`:         "web_search_20250305",
			`"tools":[{"type":"web_fetch_20260209","name":"web_fetch"}]`:           "web_fetch_20260209",
			`"tools":[{"type":"code_execution_20250825","name":"code_execution"}]`: "code_execution_20250825",
			`"mcp_servers":[{"type":"url","url":"https://x"}]`:                     "mcp_servers",
			`"container":"c1"`:     "container",
			`"speed":"fast"`:       "speed",
			`"inference_geo":"us"`: "inference_geo",
			`"MESSAGES":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://x/"}}]}]`:                   "fetches",
			`"MESSAGES":[{"role":"user","content":[{"type":"document","source":{"type":"file","file_id":"f"}}]}]`:                    "fetches",
			`"MESSAGES":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"url"}}]}]}]`:   "fetches",
			`"MESSAGES":[{"role":"system","content":[{"type":"tool_changes","tools":[{"type":"web_search_20250305","name":"w"}]}]}]`: "web_search_20250305",
		},
		"generate": {
			`"tools":[{"googleSearch":{}}]`:                                                             "googleSearch",
			`"tools":[{"google_search":{}}]`:                                                            "google_search",
			`"tools":[{"urlContext":{}}]`:                                                               "urlContext",
			`"tools":[{"codeExecution":{}}]`:                                                            "codeExecution",
			`"tools":[{"functionDeclarations":[],"googleMaps":{}}]`:                                     "googleMaps",
			`"cachedContent":"cachedContents/1"`:                                                        "cachedContent",
			`"CONTENTS":[{"parts":[{"fileData":{"fileUri":"https://x/"}}]}]`:                            "fetches",
			`"CONTENTS":[{"parts":[{"inline_data":{"mime_type":"video/mp4","data":"` + pixel + `"}}]}]`: "video/mp4",
			`"CONFIG":{"maxOutputTokens":1,"max_output_tokens":9}`:                                      "both maxOutputTokens and max_output_tokens",
			`"CONFIG":{"responseModalities":["IMAGE"]}`:                                                 "responseModalities",
		},
	}
}

// TestForbidden: requests that reach the web by the provider, that cost what no
// limit bounds, or that read what others left at the provider.
func TestForbidden(t *testing.T) {
	tests := forbidden()
	roots := map[string]string{"INPUT": `"input"`, "MESSAGES": `"messages"`, "CONTENTS": `"contents"`, "CONFIG": `"generationConfig"`}
	for name, p := range protocols() {
		r := newRig(t, p, say("fine"), nil)
		for more, want := range tests[name] {
			t.Run(name+" "+more, func(t *testing.T) {
				body := "{" + more + "," + strings.TrimPrefix(ask(name, false), "{")
				for placeholder, root := range roots {
					if strings.Contains(more, `"`+placeholder+`"`) {
						body = strings.Replace(body, ","+root, `,"other_`+strings.ToLower(placeholder)+`"`, 1)
						body = strings.Replace(body, `,{`+root, `,{"other"`, 1)
						body = strings.Replace(body, `"`+placeholder+`"`, root, 1)
					}
				}
				status, got := r.post(p.path, body)
				require.Equal(t, 400, status, got)
				require.Contains(t, unquote([]byte(`"`+strings.ReplaceAll(strings.ReplaceAll(got, `\"`, `"`), `"`, `\"`)+`"`)), want)
			})
		}
		require.Empty(t, r.model.Requests(), "nothing reached the provider")
		require.Equal(t, int64(len(tests[name])), r.s.Close().Refused)
	}
}

// TestAllowed: what agents send that only looks like the above.
func TestAllowed(t *testing.T) {
	tests := map[string][]string{
		"chat": {
			`"tools":[{"type":"function","function":{"name":"web_search"}},{"type":"custom","custom":{"name":"x"}}]`,
			`"service_tier":"auto"`, `"n":1`, `"metadata":{"tools":[{"type":"web_search"}]}`,
		},
		"responses": {
			`"tools":[{"type":"function","name":"a"},{"type":"custom","name":"b"},{"type":"local_shell"},{"type":"shell"},{"type":"namespace","name":"n","tools":[{"type":"function","name":"c"}]}]`,
			`"store":false,"include":["reasoning.encrypted_content"],"background":false`,
		},
		"messages": {
			`"tools":[{"name":"WebFetch","input_schema":{}},{"type":"custom","name":"a"},{"type":"bash_20250124","name":"bash"},{"type":"text_editor_20250728","name":"e"},{"type":"memory_20250818","name":"memory"}]`,
			`"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]},"thinking":{"type":"adaptive"}`,
			`"service_tier":"auto"`,
		},
		"generate": {
			`"tools":[{"functionDeclarations":[{"name":"web_fetch"}]}]`,
			`"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`,
		},
	}
	for name, p := range protocols() {
		r := newRig(t, p, say("fine"), nil)
		for _, more := range tests[name] {
			status, got := r.post(p.path, "{"+more+","+strings.TrimPrefix(ask(name, false), "{"))
			require.Equal(t, 200, status, "%s: %s", more, got)
		}
		require.Zero(t, r.s.Close().Refused)
	}
}

func TestInlineImagesAreAllowed(t *testing.T) {
	bodies := map[string]string{
		"chat":      `{"model":"the-model","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}]}`,
		"responses": `{"model":"the-model","input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}]}`,
		"messages":  `{"model":"the-model","max_tokens":9,"messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}]}]}`,
		"generate":  `{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}]}`,
	}
	for name, p := range protocols() {
		r := newRig(t, p, say("fine"), nil)
		status, got := r.post(p.path, bodies[name])
		require.Equal(t, 200, status, got)
		r.s.Close()
		require.Regexp(t, `"reserved_usd":0\.(06|1)[0-9]`, r.record.String(), "an image may be 50,000 tokens")
	}
}

func TestOtherModels(t *testing.T) {
	for name, p := range protocols() {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, p, say("fine"), nil)
			other := func(model string) (int, string) {
				return r.post(strings.Replace(p.path, "the-model", model, 1), strings.Replace(ask(name, false), "the-model", model, 1))
			}
			status, body := other("other-model")
			require.Equal(t, 404, status)
			require.Contains(t, body, "only the-model is")
			require.Empty(t, r.model.Requests())
		})
	}
}

func TestKeys(t *testing.T) {
	statuses := map[string]int{"chat": 401, "responses": 401, "messages": 401, "generate": 400}
	for name, p := range protocols() {
		r := newRig(t, p, say("fine"), nil)
		other := newRig(t, p, say("fine"), nil)
		require.NotEqual(t, r.s.Key(), other.s.Key())
		for _, key := range []string{"", "x", other.s.Key(), realKey} {
			for _, header := range []string{"Authorization", "x-api-key", "x-goog-api-key"} {
				req := r.request(http.MethodPost, p.path, ask(name, false))
				req.Header.Del("Authorization")
				req.Header.Set(header, map[bool]string{true: "Bearer "}[header == "Authorization"]+key)
				res, err := r.client.Do(req)
				require.NoError(t, err)
				require.NoError(t, res.Body.Close())
				require.Equal(t, statuses[name], res.StatusCode)
			}
		}
		for _, header := range []string{"x-api-key", "x-goog-api-key", "api-key"} {
			req := r.request(http.MethodPost, p.path, ask(name, false))
			req.Header.Del("Authorization")
			req.Header.Set(header, r.s.Key())
			res, err := r.client.Do(req)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			require.Equal(t, 200, res.StatusCode)
		}
		require.Empty(t, other.model.Requests())
		require.Empty(t, r.s.Close().End, "a wrong key ends nothing")
	}
}

func TestOnlyTheProviderIsAsked(t *testing.T) {
	r := newRig(t, protocols()["messages"], say("fine"), nil)
	for _, path := range []string{
		"/v1/messages/batches", "/v1/files", "/v1/chat/completions", "/v1/responses", "/v1beta/models/the-model:generateContent",
		"/v1/messages/../files", "//evil.example/v1/messages", "/v1/organizations", "/v1/models/the-model:predict", "/", "/api/hello",
	} {
		status, body := r.post(path, ask("messages", false))
		require.Equal(t, 404, status, "%s: %s", path, body)
	}
	req := r.request(http.MethodConnect, "", "")
	req.URL.Opaque = "evil.example:443"
	if res, err := r.client.Do(req); err == nil {
		require.NoError(t, res.Body.Close())
		require.Equal(t, 404, res.StatusCode)
	}
	require.Empty(t, r.model.Requests())
}

func TestLists(t *testing.T) {
	want := map[string]string{
		"chat": `{"data":[{"created":0,"id":"the-model","object":"model","owned_by":"assay"}],"object":"list"}`,
		"messages": `{"data":[{"created_at":"2025-01-01T00:00:00Z","display_name":"the-model","id":"the-model","type":"model"}],
			"first_id":"the-model","has_more":false,"last_id":"the-model"}`,
		"generate": `{"models":[{"displayName":"the-model","name":"models/the-model","supportedGenerationMethods":["generateContent","countTokens"]}]}`,
	}
	for name, list := range want {
		r := newRig(t, protocols()[name], say("fine"), nil)
		get := func(path string) (int, string) {
			res, err := r.client.Do(r.request(http.MethodGet, path, ""))
			require.NoError(t, err)
			var b bytes.Buffer
			_, err = b.ReadFrom(res.Body)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return res.StatusCode, b.String()
		}
		for _, path := range []string{"/v1/models", "/v1beta/models"} {
			status, body := get(path)
			require.Equal(t, 200, status)
			require.JSONEq(t, list, body)
		}
		status, body := get("/v1/models/the-model")
		require.Equal(t, 200, status)
		require.Contains(t, body, "the-model")
		status, _ = get("/v1/models/other")
		require.Equal(t, 404, status)
		status, _ = get("/v1/responses")
		require.Equal(t, 426, status, "no websockets")
		require.Empty(t, r.model.Requests())
	}
}

func TestCountTokens(t *testing.T) {
	for name, path := range map[string]string{"messages": "/v1/messages/count_tokens?beta=true", "generate": "/v1beta/models/the-model:countTokens"} {
		r := newRig(t, protocols()[name], say("fine"), func(o *Options) { o.Limit, o.Calls = 0.001, 1 })
		status, body := r.post(path, ask(name, false))
		require.Equal(t, 200, status, body)
		require.Contains(t, body, "2000")
		totals := r.s.Close()
		require.Zero(t, totals.Calls)
		require.Zero(t, totals.USD)
		require.False(t, totals.Estimated)
	}
}

func TestSizes(t *testing.T) {
	r := newRig(t, protocols()["chat"], say("fine"), nil)
	status, body := r.post("/v1/chat/completions", `{"model":"`+strings.Repeat("x", maxRequest)+`"}`)
	require.Equal(t, 413, status)
	require.Contains(t, body, "at most 16777216 bytes")

	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err := z.Write(bytes.Repeat([]byte(" "), maxRequest+1))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	req := r.request(http.MethodPost, "/v1/chat/completions", zipped.String())
	req.Header.Set("Content-Encoding", "gzip")
	res, err := r.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 413, res.StatusCode, "also what grows when it is unpacked")

	status, body = r.post("/v1/chat/completions", `{"model":"the-model","x":[`+strings.Repeat("[],", maxValues)+`0]}`)
	require.Equal(t, 400, status)
	require.Contains(t, body, "more than 200000 values")

	req = r.request(http.MethodPost, "/v1/chat/completions", ask("chat", false))
	req.Header.Set("X-Long", strings.Repeat("x", 2*maxHeader))
	res, err = r.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, 431, res.StatusCode)
	require.Empty(t, r.model.Requests())
}

// TestHeaders: the provider gets nothing of the agent's but what the body
// needs.
func TestHeaders(t *testing.T) {
	r := newRig(t, protocols()["messages"], say("fine"), nil)
	req := r.request(http.MethodPost, "/v1/messages?beta=true&key=x&other=y", ask("messages", false))
	req.Header.Set("Anthropic-Beta", "interleaved-thinking-2025-05-14, context-1m-2025-08-07,fast-mode-2026-02-01")
	req.Header.Set("Anthropic-Version", "2023-01-01")
	req.Header.Set("Cookie", "a=b")
	req.Header.Set("X-Forwarded-For", "1.2.3.4")
	res, err := r.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	got := r.model.Requests()[0]
	require.Equal(t, "beta=true", got.Query)
	delete(got.Header, "Content-Length")
	require.Equal(t, http.Header{
		"Accept-Encoding": {"identity"}, "Anthropic-Beta": {"interleaved-thinking-2025-05-14"}, "Anthropic-Version": {"2023-01-01"},
		"Content-Type": {"application/json"}, "User-Agent": {"assay"}, "X-Api-Key": {realKey},
	}, got.Header)
}

// TestLargeRequests: few are served at the same time, and all are.
func TestLargeRequests(t *testing.T) {
	r := newRig(t, protocols()["chat"], acts(scripted.Act{Say: "fine", Wait: 10 * time.Millisecond}), nil)
	large := strings.Replace(ask("chat", false), "hello", strings.Repeat("x", 2*largeRequest), 1)
	wrong := strings.Replace(large, "the-model", "other", 1)
	statuses := make(chan int)
	for i := range 10 {
		go func() {
			body := large
			if i%2 == 1 {
				body = wrong
			}
			res, err := r.client.Do(r.request(http.MethodPost, "/v1/chat/completions", body))
			if err != nil {
				statuses <- 0
				return
			}
			_ = res.Body.Close()
			statuses <- res.StatusCode
		}()
	}
	count := map[int]int{}
	for range 10 {
		count[<-statuses]++
	}
	require.Equal(t, map[int]int{200: 5, 404: 5}, count)
	require.LessOrEqual(t, r.model.MostAtOnce(), maxLarge)
	r.s.Close()
	require.Empty(t, r.s.large)
}
