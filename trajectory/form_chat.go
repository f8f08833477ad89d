package trajectory

import "assay/internal/decoded"

type chatForm struct{}

func (chatForm) conversation(request map[string]any) conversation {
	var c conversation
	for _, m := range decoded.List(request["messages"]) {
		c.add(chatMessage(decoded.Object(m)))
	}
	for _, t := range decoded.List(request["tools"]) {
		tool := decoded.Object(t)
		if f := decoded.Object(tool["function"]); f != nil {
			c.tools = append(c.tools, function(decoded.Text(f["name"]), decoded.Text(f["description"]), f["parameters"]))
			continue
		}
		custom := decoded.Object(tool["custom"])
		c.tools = append(c.tools, function(decoded.Text(custom["name"]), decoded.Text(custom["description"]), nil))
	}
	c.effort = request["reasoning_effort"]
	return c
}

func chatMessage(m map[string]any) message {
	text := textOf(m["content"])
	switch decoded.Text(m["role"]) {
	case "system", "developer":
		return message{role: systemRole, text: text}
	case "tool", "function":
		return message{role: userRole, results: []toolResult{{id: decoded.Text(m["tool_call_id"]), name: decoded.Text(m["name"]), text: text}}}
	case "assistant":
		out := message{role: agentRole, text: text, reasoning: joinLines(decoded.Text(m["reasoning_content"]), decoded.Text(m["reasoning"]))}
		if text == "" {
			out.text = decoded.Text(m["refusal"])
		}
		for _, c := range decoded.List(m["tool_calls"]) {
			call := decoded.Object(c)
			f := decoded.Object(call["function"])
			if custom := decoded.Object(call["custom"]); custom != nil {
				f = map[string]any{"name": custom["name"], "arguments": map[string]any{"input": custom["input"]}}
			}
			out.calls = append(out.calls, ToolCall{ID: decoded.Text(call["id"]), Function: decoded.Text(f["name"]), Arguments: arguments(f["arguments"])})
		}
		return out
	}
	return message{role: userRole, text: text}
}

func (chatForm) answer(response map[string]any) (message, bool) {
	choices := decoded.List(response["choices"])
	if len(choices) == 0 {
		return message{}, false
	}
	m := decoded.Object(decoded.Object(choices[0])["message"])
	if m == nil {
		return message{}, false
	}
	m["role"] = "assistant"
	return chatMessage(m), true
}
