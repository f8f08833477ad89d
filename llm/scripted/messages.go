package scripted

import (
	"fmt"

	"assay/internal/decoded"
)

func messagesVoice() voice {
	return voice{read: readMessages, speak: speakMessages, failure: anthropicFailure}
}

func readMessages(body map[string]any) conversation {
	c := conversation{model: decoded.Text(body["model"]), stream: decoded.Bool(body["stream"]), tools: map[string]tool{}, usage: true}
	c.text = textOf(body["system"]) + "\n"
	mine := false
	for _, m := range decoded.List(body["messages"]) {
		message := decoded.Object(m)
		text := textOf(message["content"])
		if message["role"] == "assistant" {
			calls := 0
			for _, p := range decoded.List(message["content"]) {
				if decoded.Object(p)["type"] == "tool_use" {
					calls++
				}
			}
			c.add(mine, text, calls)
			mine = true
			continue
		}
		mine = false
		c.heard(decoded.Text(message["role"]), text)
	}
	for _, t := range decoded.List(body["tools"]) {
		c.tools[decoded.Text(decoded.Object(t)["name"])] = tool{schema: decoded.Object(decoded.Object(t)["input_schema"])}
	}
	return c
}

func speakMessages(m *mouth, s speech) {
	var content []any
	if s.think != "" {
		content = append(content, map[string]any{"type": "thinking", "thinking": s.think, "signature": "c2ln"})
	}
	if s.text != "" || len(s.calls) == 0 && s.stop != "refusal" {
		content = append(content, map[string]any{"type": "text", "text": s.text})
	}
	reason := "end_turn"
	for _, c := range s.calls {
		content = append(content, map[string]any{"type": "tool_use", "id": c.id, "name": c.name, "input": orEmpty(c.args)})
		reason = "tool_use"
	}
	switch s.stop {
	case "length":
		reason = "max_tokens"
	case "refusal":
		reason, content = "refusal", nil
	}
	message := map[string]any{
		"id": fmt.Sprintf("msg_%04d", s.n), "type": "message", "role": "assistant", "model": s.model,
		"content": append([]any{}, content...), "stop_reason": reason, "stop_sequence": nil,
	}
	if !s.noUsage {
		message["usage"] = anthropicUsage(s, s.usage.Output)
	}
	if m.stream {
		m.events(messagesEvents(message, content, reason, s))
		return
	}
	m.whole(message)
}

func orEmpty(args map[string]any) map[string]any {
	if args == nil {
		return map[string]any{}
	}
	return args
}

func anthropicUsage(s speech, output int) map[string]any {
	u := s.usage
	return map[string]any{
		"input_tokens": u.Input - u.CachedInput - u.CacheWrites, "cache_read_input_tokens": u.CachedInput, "cache_creation_input_tokens": u.CacheWrites,
		"cache_creation":        map[string]any{"ephemeral_5m_input_tokens": u.CacheWrites - u.CacheWritesHour, "ephemeral_1h_input_tokens": u.CacheWritesHour},
		"output_tokens":         output,
		"output_tokens_details": map[string]any{"thinking_tokens": u.Reasoning},
	}
}

func messagesEvents(message map[string]any, content []any, reason string, s speech) []event {
	start := with(message, "content", []any{}, "stop_reason", nil)
	if !s.noUsage {
		start["usage"] = anthropicUsage(s, 1)
	}
	out := []event{{"message_start", map[string]any{"type": "message_start", "message": start}}, {"ping", map[string]any{"type": "ping"}}}
	for i, part := range content {
		out = append(out, blockEvents(i, decoded.Object(part))...)
	}
	end := map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}}
	if !s.noUsage {
		end["usage"] = map[string]any{"output_tokens": s.usage.Output}
	}
	return append(out, event{"message_delta", end}, event{"message_stop", map[string]any{"type": "message_stop"}})
}

func blockEvents(i int, block map[string]any) []event {
	empty, name, kind, text := with(block), "text", "text_delta", decoded.Text(block["text"])
	switch block["type"] {
	case "thinking":
		name, kind, text = "thinking", "thinking_delta", decoded.Text(block["thinking"])
		empty["signature"] = ""
	case "tool_use":
		name, kind, text = "partial_json", "input_json_delta", calling{args: decoded.Object(block["input"])}.json()
		empty["input"] = map[string]any{}
	}
	if name != "partial_json" {
		empty[name] = ""
	}
	out := []event{{"content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": empty}}}
	delta := func(d map[string]any) {
		out = append(out, event{"content_block_delta", map[string]any{"type": "content_block_delta", "index": i, "delta": d}})
	}
	for _, p := range nonEmpty(text) {
		delta(map[string]any{"type": kind, name: p})
	}
	if block["type"] == "thinking" {
		delta(map[string]any{"type": "signature_delta", "signature": block["signature"]})
	}
	return append(out, event{"content_block_stop", map[string]any{"type": "content_block_stop", "index": i}})
}

func anthropicFailure(status int, message string) any {
	kind := "invalid_request_error"
	switch status {
	case 401:
		kind = "authentication_error"
	case 402:
		kind = "billing_error"
	case 403:
		kind = "permission_error"
	case 404:
		kind = "not_found_error"
	case 429:
		kind = "rate_limit_error"
	case 529:
		kind = "overloaded_error"
	case 500, 502, 503:
		kind = "api_error"
	}
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_scripted"}
}
