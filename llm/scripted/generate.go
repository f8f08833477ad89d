package scripted

import (
	"encoding/json"
	"net/http"

	"assay/internal/decoded"
)

func generateVoice(model string, stream, sse bool) voice {
	return voice{
		read:    func(body map[string]any) conversation { return readGenerate(body, model, stream) },
		speak:   func(m *mouth, s speech) { speakGenerate(m, s, sse) },
		failure: geminiFailure,
	}
}

func readGenerate(body map[string]any, model string, stream bool) conversation {
	c := conversation{model: model, stream: stream, tools: map[string]tool{}, usage: true}
	c.text = textOf(decoded.Object(decoded.First(body, "systemInstruction", "system_instruction"))["parts"]) + "\n"
	mine := false
	for _, m := range decoded.List(body["contents"]) {
		message := decoded.Object(m)
		text, calls := textOf(message["parts"]), 0
		for _, p := range decoded.List(message["parts"]) {
			if decoded.First(decoded.Object(p), "functionCall", "function_call") != nil {
				calls++
			}
		}
		if message["role"] == "model" {
			c.add(mine, text, calls)
			mine = true
			continue
		}
		mine = false
		c.heard("user", text)
	}
	for _, t := range decoded.List(body["tools"]) {
		for _, f := range decoded.List(decoded.First(decoded.Object(t), "functionDeclarations", "function_declarations")) {
			schema := decoded.Object(decoded.Object(f)["parametersJsonSchema"])
			if schema == nil {
				schema = decoded.Object(decoded.Object(f)["parameters"])
			}
			c.tools[decoded.Text(decoded.Object(f)["name"])] = tool{schema: schema}
		}
	}
	config := decoded.Object(decoded.First(body, "generationConfig", "generation_config"))
	if decoded.First(config, "responseMimeType", "response_mime_type") == "application/json" {
		c.schema = decoded.Object(decoded.First(config, "responseJsonSchema", "responseSchema"))
	}
	return c
}

func speakGenerate(m *mouth, s speech, sse bool) {
	reason := "STOP"
	if s.stop == "length" {
		reason = "MAX_TOKENS"
	}
	var chunks []any
	chunk := func(reason any, parts ...any) {
		candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
		if reason != nil {
			candidate["finishReason"] = reason
		}
		chunks = append(chunks, map[string]any{"candidates": []any{candidate}, "modelVersion": s.model, "responseId": "r"})
	}
	var parts []any
	if s.think != "" {
		parts = append(parts, map[string]any{"text": s.think, "thought": true})
	}
	if s.text != "" || len(s.calls) == 0 {
		parts = append(parts, map[string]any{"text": s.text})
	}
	for _, c := range s.calls {
		parts = append(parts, map[string]any{"functionCall": map[string]any{"id": c.id, "name": c.name, "args": orEmpty(c.args)}, "thoughtSignature": "c2ln"})
	}
	if !m.stream {
		chunk(reason, parts...)
	} else {
		for _, p := range parts {
			for _, piece := range splitPart(decoded.Object(p)) {
				chunk(nil, piece)
			}
		}
		chunk(reason, map[string]any{"text": ""})
	}
	if s.stop == "refusal" {
		chunks = []any{map[string]any{"promptFeedback": map[string]any{"blockReason": "SAFETY"}, "modelVersion": s.model}}
	}
	if !s.noUsage {
		u := s.usage
		decoded.Object(chunks[len(chunks)-1])["usageMetadata"] = map[string]any{
			"promptTokenCount": u.Input, "cachedContentTokenCount": u.CachedInput, "candidatesTokenCount": u.Output - u.Reasoning,
			"thoughtsTokenCount": u.Reasoning, "totalTokenCount": u.Input + u.Output,
		}
	}
	m.chunks(chunks, sse)
}

func splitPart(part map[string]any) []any {
	text, isText := part["text"].(string)
	if !isText {
		return []any{part}
	}
	var out []any
	for _, p := range pieces(text) {
		out = append(out, with(part, "text", p))
	}
	return out
}

// chunks writes one answer, events, or without alt=sse a list.
func (m *mouth) chunks(chunks []any, sse bool) {
	switch {
	case !m.stream:
		m.whole(chunks[0])
	case sse:
		var events []event
		for _, c := range chunks {
			events = append(events, event{data: c})
		}
		m.events(events)
	default:
		m.list(chunks)
	}
}

func (m *mouth) list(chunks []any) {
	m.w.Header().Set("Content-Type", "application/json")
	separator := "["
	for i, c := range chunks {
		if i > 0 && !pause(m.r, m.slow) {
			return
		}
		if m.cut && i >= len(chunks)/2 {
			m.abort()
		}
		data, err := json.Marshal(c)
		if err != nil {
			data = []byte(`{}`)
		}
		_, _ = m.w.Write(append([]byte(separator), data...))
		_ = http.NewResponseController(m.w).Flush()
		separator = ",\n"
	}
	_, _ = m.w.Write([]byte("]"))
}

func geminiFailure(status int, message string) any {
	name := "INVALID_ARGUMENT"
	switch {
	case status == 401:
		name = "UNAUTHENTICATED"
	case status == 403:
		name = "PERMISSION_DENIED"
	case status == 404:
		name = "NOT_FOUND"
	case status == 429:
		name = "RESOURCE_EXHAUSTED"
	case status == 503:
		name = "UNAVAILABLE"
	case status >= 500:
		name = "INTERNAL"
	}
	return map[string]any{"error": map[string]any{"code": status, "message": message, "status": name}}
}
