package scripted

import (
	"fmt"

	"assay/internal/decoded"
)

func responsesVoice() voice {
	return voice{read: readResponses, speak: speakResponses, failure: openAIFailure}
}

func readResponses(body map[string]any) conversation {
	c := conversation{model: decoded.Text(body["model"]), stream: decoded.Bool(body["stream"]), tools: map[string]tool{}, usage: true}
	c.text = decoded.Text(body["instructions"]) + "\n"
	if text := decoded.Text(body["input"]); text != "" {
		c.heard("user", text)
	}
	mine := false
	for _, i := range decoded.List(body["input"]) {
		item := decoded.Object(i)
		mine = c.item(item, mine)
		if item["type"] == "additional_tools" {
			c.offer(item["tools"], "")
		}
	}
	c.offer(body["tools"], "")
	return c
}

// item reads one of the input; it reports whether it is the model's.
func (c *conversation) item(item map[string]any, mine bool) bool {
	switch decoded.Text(item["type"]) {
	case "function_call", "custom_tool_call", "local_shell_call":
		c.add(mine, "", 1)
		return true
	case "reasoning":
		c.add(mine, "", 0)
		return true
	case "message", "":
		text := textOf(item["content"])
		if item["role"] == "assistant" {
			c.add(mine, text, 0)
			return true
		}
		c.heard(decoded.Text(item["role"]), text)
	}
	return false
}

func (c *conversation) offer(tools any, space string) {
	for _, t := range decoded.List(tools) {
		tl := decoded.Object(t)
		name := decoded.Text(tl["name"])
		switch decoded.Text(tl["type"]) {
		case "function":
			c.tools[name] = tool{schema: decoded.Object(tl["parameters"]), space: space}
		case "custom":
			c.tools[name] = tool{custom: true, space: space}
		case "namespace":
			c.offer(tl["tools"], name)
		}
	}
}

func speakResponses(m *mouth, s speech) {
	var output []any
	if s.think != "" {
		output = append(output, map[string]any{"type": "reasoning", "id": fmt.Sprintf("rs_%04d", s.n), "summary": []any{map[string]any{"type": "summary_text", "text": s.think}}})
	}
	part := map[string]any{"type": "output_text", "text": s.text, "annotations": []any{}}
	if s.stop == "refusal" {
		part = map[string]any{"type": "refusal", "refusal": "I will not do that."}
	}
	if s.text != "" || len(s.calls) == 0 {
		output = append(output, map[string]any{"type": "message", "id": fmt.Sprintf("msg_%04d", s.n), "role": "assistant", "status": "completed", "content": []any{part}})
	}
	for i, c := range s.calls {
		item := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%04d_%d", s.n, i), "call_id": c.id, "name": c.name, "arguments": c.json(), "status": "completed"}
		if c.custom {
			item = map[string]any{"type": "custom_tool_call", "id": fmt.Sprintf("ctc_%04d_%d", s.n, i), "call_id": c.id, "name": c.name, "input": c.input, "status": "completed"}
		}
		output = append(output, item)
	}
	response := map[string]any{
		"id": fmt.Sprintf("resp_%04d", s.n), "object": "response", "created_at": 1, "model": s.model, "status": "completed", "output": output,
		"error": nil, "incomplete_details": nil, "instructions": nil, "metadata": map[string]any{}, "parallel_tool_calls": false,
		"temperature": 1.0, "top_p": 1.0, "tool_choice": "auto", "tools": []any{}, "usage": nil,
	}
	if s.stop == "length" {
		response["status"], response["incomplete_details"] = "incomplete", map[string]any{"reason": "max_output_tokens"}
	}
	if !s.noUsage {
		u := s.usage
		response["usage"] = map[string]any{
			"input_tokens": u.Input, "input_tokens_details": map[string]any{"cached_tokens": u.CachedInput},
			"output_tokens": u.Output, "output_tokens_details": map[string]any{"reasoning_tokens": u.Reasoning}, "total_tokens": u.Input + u.Output,
		}
	}
	if m.stream {
		m.events(responsesEvents(response, output))
		return
	}
	m.whole(response)
}

func responsesEvents(response map[string]any, output []any) []event {
	r := &responseEvents{}
	empty := with(response, "status", "in_progress", "output", []any{}, "usage", nil, "incomplete_details", nil)
	r.add("response.created", map[string]any{"response": empty})
	r.add("response.in_progress", map[string]any{"response": empty})
	for i, item := range output {
		r.item(i, decoded.Object(item))
	}
	r.add("response."+decoded.Text(response["status"]), map[string]any{"response": response})
	return r.all
}

// responseEvents numbers the events of a response.
type responseEvents struct{ all []event }

func (r *responseEvents) add(kind string, data map[string]any) {
	r.all = append(r.all, event{kind, with(data, "type", kind, "sequence_number", len(r.all))})
}

func (r *responseEvents) item(i int, item map[string]any) {
	at := map[string]any{"item_id": item["id"], "output_index": i}
	begun := with(item, "status", "in_progress")
	switch item["type"] {
	case "message":
		begun["content"] = []any{}
	case "function_call":
		begun["arguments"] = ""
	case "custom_tool_call":
		begun["input"] = ""
	case "reasoning":
		delete(begun, "status")
	}
	r.add("response.output_item.added", map[string]any{"output_index": i, "item": begun})
	switch item["type"] {
	case "message":
		r.message(at, decoded.Object(decoded.List(item["content"])[0]))
	case "function_call":
		for _, p := range pieces(decoded.Text(item["arguments"])) {
			r.add("response.function_call_arguments.delta", with(at, "delta", p))
		}
		r.add("response.function_call_arguments.done", with(at, "arguments", item["arguments"]))
	case "custom_tool_call":
		r.add("response.custom_tool_call_input.delta", with(at, "delta", item["input"]))
		r.add("response.custom_tool_call_input.done", with(at, "input", item["input"]))
	}
	r.add("response.output_item.done", map[string]any{"output_index": i, "item": item})
}

func (r *responseEvents) message(at, part map[string]any) {
	at = with(at, "content_index", 0)
	name, kind := "text", "response.output_text"
	if part["type"] == "refusal" {
		name, kind = "refusal", "response.refusal"
	}
	r.add("response.content_part.added", with(at, "part", with(part, name, "")))
	for _, p := range nonEmpty(decoded.Text(part[name])) {
		r.add(kind+".delta", with(at, "delta", p))
	}
	r.add(kind+".done", with(at, name, part[name]))
	r.add("response.content_part.done", with(at, "part", part))
}
