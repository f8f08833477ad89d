package trajectory

type chatForm struct{}

func (chatForm) conversation(request map[string]any) conversation {
	var c conversation
	for _, m := range asList(request["messages"]) {
		c.add(chatMessage(asObject(m)))
	}
	for _, t := range asList(request["tools"]) {
		tool := asObject(t)
		if f := asObject(tool["function"]); f != nil {
			c.tools = append(c.tools, function(asText(f["name"]), asText(f["description"]), f["parameters"]))
			continue
		}
		custom := asObject(tool["custom"])
		c.tools = append(c.tools, function(asText(custom["name"]), asText(custom["description"]), nil))
	}
	c.effort = request["reasoning_effort"]
	return c
}

func chatMessage(m map[string]any) message {
	text := textOf(m["content"])
	switch asText(m["role"]) {
	case "system", "developer":
		return message{role: systemRole, text: text}
	case "tool", "function":
		return message{role: userRole, results: []toolResult{{id: asText(m["tool_call_id"]), name: asText(m["name"]), text: text}}}
	case "assistant":
		out := message{role: agentRole, text: text, reasoning: joinLines(asText(m["reasoning_content"]), asText(m["reasoning"]))}
		if text == "" {
			out.text = asText(m["refusal"])
		}
		for _, c := range asList(m["tool_calls"]) {
			call := asObject(c)
			f := asObject(call["function"])
			if custom := asObject(call["custom"]); custom != nil {
				f = map[string]any{"name": custom["name"], "arguments": map[string]any{"input": custom["input"]}}
			}
			out.calls = append(out.calls, ToolCall{ID: asText(call["id"]), Function: asText(f["name"]), Arguments: arguments(f["arguments"])})
		}
		return out
	}
	return message{role: userRole, text: text}
}

func (chatForm) answer(response map[string]any) (message, bool) {
	choices := asList(response["choices"])
	if len(choices) == 0 {
		return message{}, false
	}
	m := asObject(asObject(choices[0])["message"])
	if m == nil {
		return message{}, false
	}
	m["role"] = "assistant"
	return chatMessage(m), true
}
