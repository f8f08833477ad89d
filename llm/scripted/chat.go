package scripted

import (
	"fmt"

	"assay/internal/decoded"
)

func chatVoice() voice {
	return voice{read: readChat, speak: speakChat, failure: openAIFailure}
}

func readChat(body map[string]any) conversation {
	c := conversation{model: decoded.Text(body["model"]), stream: decoded.Bool(body["stream"]), tools: map[string]tool{}}
	c.usage = decoded.Bool(decoded.Object(body["stream_options"])["include_usage"])
	mine := false
	for _, m := range decoded.List(body["messages"]) {
		message := decoded.Object(m)
		text := textOf(message["content"])
		if message["role"] == "assistant" {
			c.add(mine, text, len(decoded.List(message["tool_calls"])))
			mine = true
			continue
		}
		mine = false
		c.heard(decoded.Text(message["role"]), text)
	}
	for _, t := range decoded.List(body["tools"]) {
		f := decoded.Object(decoded.Object(t)["function"])
		c.tools[decoded.Text(f["name"])] = tool{schema: decoded.Object(f["parameters"])}
	}
	if f := decoded.Object(body["response_format"]); f["type"] == "json_schema" {
		c.schema = decoded.Object(decoded.Object(f["json_schema"])["schema"])
	}
	return c
}

func speakChat(m *mouth, s speech) {
	message := map[string]any{"role": "assistant", "content": s.text}
	if s.think != "" {
		message["reasoning_content"] = s.think
	}
	reason := "stop"
	var calls []any
	for _, c := range s.calls {
		calls = append(calls, map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": c.json()}})
		reason = "tool_calls"
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	switch s.stop {
	case "length":
		reason = "length"
	case "refusal":
		message["content"], message["refusal"] = nil, "I will not do that."
	}
	base := map[string]any{"id": fmt.Sprintf("chatcmpl-%04d", s.n), "created": 1, "model": s.model}
	if m.stream {
		m.events(chatEvents(base, message, reason, s))
		return
	}
	out := with(base, "object", "chat.completion", "choices", []any{map[string]any{"index": 0, "message": message, "finish_reason": reason}})
	if !s.noUsage {
		out["usage"] = chatUsage(s)
	}
	m.whole(out)
}

func chatUsage(s speech) any {
	u := s.usage
	return map[string]any{
		"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
		"prompt_tokens_details":     map[string]any{"cached_tokens": u.CachedInput},
		"completion_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning},
	}
}

func chatEvents(base, message map[string]any, reason string, s speech) []event {
	var out []event
	say := func(delta map[string]any, reason any) {
		out = append(out, event{data: with(base, "object", "chat.completion.chunk",
			"choices", []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}})})
	}
	say(map[string]any{"role": "assistant", "content": ""}, nil)
	for _, p := range nonEmpty(s.think) {
		say(map[string]any{"reasoning_content": p}, nil)
	}
	if message["refusal"] != nil {
		say(map[string]any{"refusal": message["refusal"]}, nil)
	} else {
		for _, p := range nonEmpty(s.text) {
			say(map[string]any{"content": p}, nil)
		}
	}
	for i, c := range s.calls {
		say(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": ""}}}}, nil)
		for _, p := range pieces(c.json()) {
			say(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
		}
	}
	say(map[string]any{}, reason)
	if !s.noUsage {
		out = append(out, event{data: with(base, "object", "chat.completion.chunk", "choices", []any{}, "usage", chatUsage(s))})
	}
	return append(out, event{data: "[DONE]"})
}

// nonEmpty are the pieces of a text, none for an empty one.
func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return pieces(text)
}

// with copies an object and adds members.
func with(base map[string]any, pairs ...any) map[string]any {
	out := map[string]any{}
	for name, value := range base {
		out[name] = value
	}
	for i := 1; i < len(pairs); i += 2 {
		out[decoded.Text(pairs[i-1])] = pairs[i]
	}
	return out
}

func openAIFailure(status int, message string) any {
	kind, code := "invalid_request_error", any(nil)
	switch {
	case status == 401:
		code = "invalid_api_key"
	case status == 402:
		kind, code = "insufficient_quota", "insufficient_quota"
	case status == 404:
		code = "model_not_found"
	case status == 429:
		kind, code = "requests", "rate_limit_exceeded"
	case status >= 500:
		kind = "server_error"
	}
	return map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": code}}
}
